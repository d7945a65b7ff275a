// Loads a policy: reads what was registered, finds every problem at once, fills defaults in and names the result by its digest.

import { digestText, encoded, labelled } from "../digest/labelled";
import { SHA256_LENGTH } from "../digest/sha256";
import { sha256Many } from "../digest/sha256x4";
import { Buffer, Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { writeCanonical } from "../json/canonical";
import { writeString } from "../json/string";
import { STRING, SortedMembers, Value, first, get, isString, kind, next, stringText } from "../json/value";
import { Documents } from "../schema/documents";
import { DocumentDigests } from "./documents";
import { readAgents } from "./agents";
import { writeCompiled, writeTool } from "./compiled";
import { Reading } from "./member";
import { Policy } from "./policy";
import { readRulebook, rulesMention } from "./rulebook";
import { readSettings } from "./settings";
import { mentionedTools, readTools, warnOutside } from "./tools";

const POLICY_NAMES: StaticArray<string> = ["format", "tenant", "agents", "tools", "rulebook", "settings", "documents"];
export const POLICY_FORMAT: string = "qls-policy/1";

/** A policy that was read: usable where `reading.findings` is empty. */
@final
export class Loaded {
  constructor(
    public policy: Policy,
    public reading: Reading,
  ) {}

  get valid(): bool {
    return this.reading.findings.list.length == 0;
  }

  /** Appends the names of tools whose parameters are not asserted whole. */
  writePartial(out: Buffer): void {
    const tools = this.policy.tools;
    let any = false;
    out.byte(0x5b);
    for (let i = 0; i < tools.length; i++) {
      if (!tools[i].parameters.partial) continue;
      if (any) out.byte(0x2c);
      any = true;
      writeString(tools[i].name.start, tools[i].name.length, out);
    }
    out.byte(0x5d);
  }
}

/**
 * Reads a policy.
 * @param source the policy's document; it and the documents lie in `region`, which is the current one and stays with the policy
 * @param documents an object of schema documents by URI, or 0
 */
export function loadPolicy(source: Value, documents: Value, region: usize): Loaded {
  const reading = new Reading(source);
  const policy = new Policy(region, source);
  const digests = policy.documents;
  const loaded = new Loaded(policy, reading);
  if (!reading.object(source)) return loaded;
  reading.members(source, POLICY_NAMES);
  const format = get(source, "format");
  if (format == 0) reading.missing(source, "format");
  else if (!isString(format, POLICY_FORMAT)) reading.problem("policy_type", 'the format is "qls-policy/1"', format);
  const tenant = reading.string(source, "tenant", true);
  if (tenant != null) policy.tenant = tenant;
  const registered = readDocuments(reading, documents, digests);
  const tools = get(source, "tools");
  if (tools == 0) reading.missing(source, "tools");
  else readTools(reading, tools, registered, policy);
  const agents = get(source, "agents");
  if (agents == 0) reading.missing(source, "agents");
  else readAgents(reading, agents, policy);
  readRulebook(reading, get(source, "rulebook"), policy);
  readSettings(reading, get(source, "settings"), policy.settings);
  if (!loaded.valid) return loaded;
  warn(reading, policy);
  identify(policy);
  return loaded;
}

/** Takes the documents and holds them against the digests a compiled policy names. */
function readDocuments(reading: Reading, documents: Value, digests: DocumentDigests): Documents {
  const registered = new Documents();
  if (documents != 0) {
    for (const m = new SortedMembers(documents); m.name != 0; m.advance()) {
      registered.add(stringText(m.name), m.value);
      const message = labelled("qls-document/1", 1024);
      writeCanonical(m.value, message);
      digests.uris.push(stringText(m.name));
      digests.digests.push(digestText(message));
    }
  }
  const named = get(reading.root, "documents");
  if (!reading.object(named)) return registered;
  for (const m = new SortedMembers(named); m.name != 0; m.advance()) {
    const uri = stringText(m.name);
    let found = false;
    for (let i = 0; i < digests.uris.length && !found; i++) {
      if (!equalBytes(digests.uris[i].start, digests.uris[i].length, uri.start, uri.length)) continue;
      found = true;
      const digest = digests.digests[i];
      if (kind(m.value) != STRING || !equalBytes(digest.start, digest.length, stringText(m.value).start, stringText(m.value).length)) {
        reading.problem("policy_document", "the document registered for this URI has another digest", m.value);
      }
    }
    if (!found) reading.problem("policy_document", "no document was registered for this URI", m.value);
  }
  return registered;
}

function warn(reading: Reading, policy: Policy): void {
  const mentioned = mentionedTools(policy);
  const rulebook = get(policy.source, "rulebook");
  if (rulebook != 0) {
    const untrusted = new Buffer(16);
    untrusted.ascii("untrusted");
    const all = rulesMention(rulebook, untrusted.view());
    for (let i = 0; i < mentioned.length; i++) {
      const tool = policy.tools[i];
      if (tool.readsOutside && !mentioned[i]) mentioned[i] = all || rulesMention(rulebook, tool.name);
    }
  }
  warnOutside(reading, get(policy.source, "tools"), policy, mentioned);
}

/** The policy's id, and each tool's snapshot. */
function identify(policy: Policy): void {
  const message = labelled("qls-policy/1", 4096);
  writeCompiled(policy.source, policy.documents, message);
  policy.id = digestText(message);
  // The tools' messages are hashed four side by side.
  const count = policy.tools.length;
  const records = allocate(<usize>(count * 12));
  const raws = allocate(<usize>(count * SHA256_LENGTH));
  let tool = first(get(policy.source, "tools"));
  for (let i = 0; i < count; i++, tool = next(tool)) {
    const snapshot = labelled("qls-tool/1", 1024);
    writeTool(tool, snapshot);
    const record = records + <usize>(i * 12);
    store<u32>(record, <u32>snapshot.start);
    store<i32>(record, snapshot.length, 4);
    store<u32>(record, <u32>(raws + <usize>(i * SHA256_LENGTH)), 8);
  }
  sha256Many(records, count);
  for (let i = 0; i < count; i++) policy.tools[i].snapshot = encoded(raws + <usize>(i * SHA256_LENGTH));
}
