// The compiled form (chapter 2): the one canonical document a policy's sources come to, defaults filled in.

import { Buffer } from "../memory/buffer";
import { startsWithAscii } from "../memory/bytes";
import { writeCanonical } from "../json/canonical";
import { writeString } from "../json/string";
import { STRING, SortedMembers, Value, first, get, kind, next, stringLength, stringStart } from "../json/value";
import { DocumentDigests } from "./documents";
import { NO_PARAMETERS } from "./tools";

/** Writes an object's members in canonical order; the caller names them in that order. */
@final
class Members {
  private any: bool = false;
  constructor(
    private out: Buffer,
    private object: Value,
  ) {
    out.byte(0x7b);
  }

  /** Begins a member; its value is written next. */
  begin(name: string): void {
    if (this.any) this.out.byte(0x2c);
    this.any = true;
    this.out.byte(0x22);
    this.out.ascii(name);
    this.out.ascii('":');
  }

  /** A member as written, or its default. */
  given(name: string, otherwise: string): void {
    const value = get(this.object, name);
    this.begin(name);
    if (value != 0) writeCanonical(value, this.out);
    else this.out.ascii(otherwise);
  }

  /** A member as written, where it was. */
  optional(name: string): void {
    const value = get(this.object, name);
    if (value == 0) return;
    this.begin(name);
    writeCanonical(value, this.out);
  }

  /** The members that begin with `x-` (they sort after all others), and the end. */
  end(): void {
    if (this.object != 0) {
      for (const m = new SortedMembers(this.object); m.name != 0; m.advance()) {
        if (!startsWithAscii(stringStart(m.name), stringLength(m.name), "x-")) continue;
        if (this.any) this.out.byte(0x2c);
        this.any = true;
        writeString(stringStart(m.name), stringLength(m.name), this.out);
        this.out.byte(0x3a);
        writeCanonical(m.value, this.out);
      }
    }
    this.out.byte(0x7d);
  }
}

/** Appends the compiled form of a policy without problems. */
export function writeCompiled(policy: Value, documents: DocumentDigests, out: Buffer): void {
  const m = new Members(out, policy);
  m.begin("agents");
  writeAgents(get(policy, "agents"), out);
  if (documents.uris.length != 0) {
    m.begin("documents");
    documents.write(out);
  }
  m.given("format", "");
  m.begin("rulebook");
  writeRulebook(get(policy, "rulebook"), out);
  m.begin("settings");
  writeSettings(get(policy, "settings"), out);
  m.given("tenant", "");
  m.begin("tools");
  out.byte(0x5b);
  const tools = get(policy, "tools");
  const end = next(tools);
  for (let tool = first(tools); tool < end; tool = next(tool)) {
    if (tool != first(tools)) out.byte(0x2c);
    writeTool(tool, out);
  }
  out.byte(0x5d);
  m.end();
}

function writeAgents(agents: Value, out: Buffer): void {
  out.byte(0x7b);
  let any = false;
  for (const m = new SortedMembers(agents); m.name != 0; m.advance()) {
    if (any) out.byte(0x2c);
    any = true;
    writeString(stringStart(m.name), stringLength(m.name), out);
    out.byte(0x3a);
    const agent = new Members(out, m.value);
    agent.given("defaults", "{}");
    agent.given("privilege", '"normal"');
    agent.given("tools", "");
    agent.end();
  }
  out.byte(0x7d);
}

/** Appends a compiled tool: what its snapshot is the digest of. */
export function writeTool(tool: Value, out: Buffer): void {
  const m = new Members(out, tool);
  m.given("after", "[]");
  m.given("also_called", "[]");
  m.optional("at_most");
  m.given("defaults", "{}");
  m.given("description", '""');
  m.given("effect", '"write"');
  m.optional("idempotency_key");
  m.given("idempotent", "false");
  m.given("irreversible", "false");
  m.optional("limits");
  m.given("name", "");
  m.given("not_after", "[]");
  m.given("parameters", NO_PARAMETERS);
  m.given("privilege", '"normal"');
  m.given("reads_outside", "false");
  m.optional("result");
  m.given("sends_out", "false");
  const subject = get(tool, "subject_argument");
  if (subject != 0) {
    m.begin("subject_argument");
    if (kind(subject) == STRING) out.byte(0x5b);
    writeCanonical(subject, out);
    if (kind(subject) == STRING) out.byte(0x5d);
  }
  m.optional("undo");
  m.end();
}

function writeRulebook(rulebook: Value, out: Buffer): void {
  const m = new Members(out, rulebook);
  m.optional("facts");
  m.given("flows", "[]");
  m.end();
}

function writeSettings(settings: Value, out: Buffer): void {
  const m = new Members(out, settings);
  m.begin("approval");
  const approval = new Members(out, get(settings, "approval"));
  approval.given("count", "1");
  approval.given("deciders", "[]");
  approval.given("mode", '"token"');
  approval.end();
  m.given("confirmation_point", '"head"');
  m.given("confirmation_ttl", "86400");
  m.given("head", '"optional"');
  m.given("language", '"en"');
  m.begin("limits");
  const limits = new Members(out, get(settings, "limits"));
  limits.given("bytes", "8388608");
  limits.given("depth", "128");
  limits.given("history", "10000");
  limits.given("steps", "1000000");
  limits.end();
  m.given("on_lapse", '"refuse_writes"');
  m.given("receipt_ttl", "300");
  m.given("result_digests", '"if_reported"');
  m.given("taint_policy", '"confirm"');
  m.given("taint_scope", '"value"');
  m.given("undeclared_arguments", '"refuse"');
  m.given("unread", '"refuse"');
  m.end();
}
