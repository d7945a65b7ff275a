// Receipts (chapter 3): whether one entry is the permit for exactly this call, and under which name it is spent.

import { NULL, OBJECT, STRING, Value, get, isInteger, isKind, kind, member, numberValue, stringLength, stringText } from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { Policy, Tool } from "../policy/policy";
import { digestText, encoded, labelled } from "../digest/labelled";
import { ArgumentDigests } from "./digest";
import { Entry } from "./entry";
import { History, sameAgent, sameText } from "./history";
import { KeySet } from "./keys";
import { isLapsed } from "./licence";
import { FAILED } from "./outcome";
import { Head, endsAt, readHead, verifyHistory, writeWhy } from "./verify";

/** What a receipt is asked about. */
@final
export class ReceiptRequest {
  session: Text = NO_TEXT;
  tool: Text = NO_TEXT;
  arguments: Value = 0;
  now: i64 = 0;
  agent: Text | null = null;
  principal: Value = 0;
  /** -1: the last entry. */
  step: i64 = -1;
  stepGiven: bool = false;
  sends: i64 = 0;
  head: Head | null = null;

  /** Reads the members; the pointer of the first that is wrong, or null. */
  read(document: Value): string | null {
    const session = get(document, "session");
    if (!isKind(session, STRING)) return "/session";
    this.session = stringText(session);
    return this.readCall(document);
  }

  /** As `read`, of a document whose session is known. */
  readCall(document: Value): string | null {
    const tool = get(document, "tool");
    if (!isKind(tool, STRING)) return "/tool";
    this.tool = stringText(tool);
    this.arguments = get(document, "arguments");
    if (!isKind(this.arguments, OBJECT)) return "/arguments";
    const now = get(document, "now");
    if (!isInteger(now)) return "/now";
    this.now = <i64>numberValue(now);
    const agent = get(document, "agent");
    if (agent != 0 && kind(agent) != STRING) return "/agent";
    if (agent != 0) this.agent = stringText(agent);
    this.principal = get(document, "principal");
    if (this.principal != 0 && kind(this.principal) != OBJECT) return "/principal";
    const id = get(this.principal, "id");
    if (id != 0 && kind(id) != STRING) return "/principal/id";
    const step = get(document, "step");
    if (step != 0 && !isInteger(step)) return "/step";
    this.stepGiven = step != 0;
    if (step != 0) this.step = <i64>numberValue(step);
    const sends = get(document, "sends");
    if (sends != 0 && (!isInteger(sends) || numberValue(sends) < 0)) return "/sends";
    if (sends != 0) this.sends = <i64>numberValue(sends);
    const head = get(document, "head");
    if (head == 0) return null;
    this.head = readHead(head);
    return this.head == null ? "/head" : null;
  }
}

/** Appends the receipt's answer; without a key set no history verifies. */
export function writeReceipt(policy: Policy, keys: KeySet | null, request: ReceiptRequest, document: Value, out: Buffer): void {
  if (keys == null) return refuse("history_invalid", null, null, out);
  const history = verifyHistory(document, policy, keys, request.session, null, true);
  if (history == null) return refuseHistory(policy, out);
  writeReceiptOn(policy, keys, request, history, out);
}

/** Appends the receipt's answer on a history that was verified. */
export function writeReceiptOn(policy: Policy, keys: KeySet, request: ReceiptRequest, history: History, out: Buffer): void {
  const head = request.head;
  if (head != null && !endsAt(history, head)) return refuseHistory(policy, out);
  if (history.unsigned) return refuse("history_invalid", null, null, out);
  const step = request.stepGiven ? request.step : <i64>history.length - 1;
  if (step < 0 || step >= <i64>history.length) return refuse("receipt_missing", null, null, out);
  const entry = history.entries[<i32>step];
  if (!entry.allowed) return refuse("receipt_not_allowed", null, null, out);
  const once = onceOf(history, <i32>step);
  const tool = policy.tool(request.tool);
  if (tool == null || !matches(policy, keys, history, entry, tool, request)) return refuse("receipt_mismatch", once, null, out);
  if (isLapsed(keys, policy.settings, tool, request.now)) return refuse("licence_lapsed", once, null, out);
  if (request.now < entry.at || request.now - entry.at > policy.settings.receiptTtl) return refuse("receipt_expired", once, null, out);
  const spent = entry.status != 0 || request.sends >= 1;
  if (spent && !isSafeAgain(tool, request.arguments)) return refuse("receipt_spent", once, null, out);
  out.ascii('{"decision":"allow","format":"qls-tool-receipt/1","once":"');
  out.text(once);
  out.ascii('","reason":"receipt"}');
}

function refuseHistory(policy: Policy, out: Buffer): void {
  const detail = new Buffer(32);
  refuse("history_invalid", null, writeWhy(policy, detail) ? detail : null, out);
}

function refuse(reason: string, once: Text | null, detail: Buffer | null, out: Buffer): void {
  out.ascii('{"decision":"refuse"');
  if (detail != null) {
    out.ascii(',"detail":');
    out.bytes(detail.start, detail.length);
  }
  out.ascii(',"format":"qls-tool-receipt/1"');
  if (once != null) {
    out.ascii(',"once":"');
    out.text(once);
    out.byte(0x22);
  }
  out.ascii(',"reason":"');
  out.ascii(reason);
  out.ascii('"}');
}

function matches(policy: Policy, keys: KeySet, history: History, entry: Entry, tool: Tool, request: ReceiptRequest): bool {
  const digests = new ArgumentDigests(keys.digestKey, request.session, policy.tenant);
  if (!sameText(history.toolName(entry), tool.name) || !sameText(entry.digest, digests.of(request.arguments))) return false;
  // An agent that is not given is a mismatch where the policy has several.
  if (request.agent == null && policy.agents.length != 1) return false;
  if (!sameAgent(policy, entry.agent, request.agent)) return false;
  const id = get(request.principal, "id");
  if (!sameText(history.principal, id == 0 ? null : digests.of(id))) return false;
  return sameText(entry.policy, policy.id) && sameText(entry.snapshot, tool.snapshot);
}

/** Sending again is safe: a read, an idempotent tool, or a write whose idempotency key is present and not empty. */
function isSafeAgain(tool: Tool, args: Value): bool {
  if (!tool.write || tool.idempotent) return true;
  const name = tool.idempotencyKey;
  if (name == null) return false;
  const key = member(args, name.start, name.length);
  return key != 0 && kind(key) != NULL && !(kind(key) == STRING && stringLength(key) == 0);
}

/** The name under which an entry is spent: `b64u(H("qls-once/1\n" || JCS(X)))`. */
function onceOf(history: History, step: i32): Text {
  const entry = history.entries[step];
  const message = labelled("qls-once/1", 96);
  if (entry.approves >= 0 && entry.approves < step) {
    message.ascii('{"approves":"');
    message.text(encoded(history.entries[entry.approves].link));
    message.ascii('"}');
  } else if (entry.undoes >= 0 && entry.undoes < step) {
    message.ascii('{"try":');
    message.integer(earlierFailures(history, entry.undoes, step));
    message.ascii(',"undoes":"');
    message.text(encoded(history.entries[entry.undoes].link));
    message.ascii('"}');
  } else {
    message.ascii('{"link":"');
    message.text(encoded(entry.link));
    message.ascii('"}');
  }
  return digestText(message);
}

/** How many allowed undos of a step before another failed. */
function earlierFailures(history: History, undone: i32, before: i32): i32 {
  let failures = 0;
  for (let i = 0; i < before; i++) {
    const entry = history.entries[i];
    if (entry.allowed && entry.undoes == undone && entry.status == FAILED) failures++;
  }
  return failures;
}
