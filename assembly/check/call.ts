// The record of one call as it goes through the steps: what was asked, what is known, what was found.

import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { ArgumentDigests } from "../history/digest";
import { History } from "../history/history";
import { KeySet } from "../history/keys";
import { Head } from "../history/verify";
import { Agent, Policy, Rule, Tool } from "../policy/policy";
import { Value } from "../json/value";
import { compareUtf16 } from "../memory/bytes";
import { OTHER } from "../evidence/origins";

/** One top-level argument. */
@final
export class Argument {
  /** The tool declares it. */
  declared: bool = false;
  /** What was claimed, and how it reads. */
  origin: Text = NO_TEXT;
  originKind: i32 = OTHER;
  /** Of a `result:` origin: the step (-1: none this history can have) and the field. */
  originStep: i32 = -1;
  originField: Text | null = null;
  /** Claimed typed, and a turn holds it. */
  typed: bool = false;
  /** Its digest once asked for. */
  digest: Text | null = null;
  /** The marks given for it and derived from it; null: none. The list may be other arguments' too. */
  marks: Array<Text> | null = null;
  constructor(
    /** The name's node. */
    public node: Value,
    public name: Text,
    public value: Value,
  ) {}
}

export const ALLOW: i32 = 0;
export const CONFIRM: i32 = 1;
export const REFUSE: i32 = 2;

/** What a step took note of, for `explain`. */
@final
export class TraceItem {
  constructor(
    public order: i32,
    public result: string,
    public detail: Text,
  ) {}
}

@final
export class Call {
  // What was asked.
  request: Value = 0;
  session: Text = NO_TEXT;
  toolName: Text = NO_TEXT;
  agentName: Text | null = null;
  arguments: Value = 0;
  origins: Value = 0;
  turns: Value = 0;
  context: Value = 0;
  principal: Value = 0;
  resource: Value = 0;
  labels: Value = 0;
  historyValue: Value = 0;
  head: Head | null = null;
  confirmation: Text | null = null;
  approvals: Value = 0;
  undoing: bool = false;
  undoStep: i64 = 0;
  now: i64 = 0;
  explain: bool = false;

  // What is known.
  tool: Tool | null = null;
  agent: Agent | null = null;
  /** Arguments by name (UTF-16 order). */
  list: Array<Argument> = [];
  /** The arguments' canonical text. */
  canonical: Buffer = changetype<Buffer>(0);
  digest: Text = NO_TEXT;
  principalDigest: Text | null = null;
  /** The canonical text of principal.id, or empty. */
  principalId: Text = NO_TEXT;
  /** The digest of what the decision is made from, as the request gave it. */
  evidence: Text = NO_TEXT;
  /** In a session: its text, where it is another than before. */
  evidenceText: Buffer | null = null;
  at: i64 = 0;
  /** Whether the history that came verifies; where it does not, `history` is an empty one. */
  verified: bool = true;
  history: History = changetype<History>(0);
  digests: ArgumentDigests = changetype<ArgumentDigests>(0);
  /** Every mark on the call, sorted by UTF-16 code units, none twice. */
  marks: Array<Text> = [];

  // What was found.
  /** Rules that asked at step 7. */
  asked: Array<Rule> = [];
  /** Marks that hold the call (step 8). */
  holding: Array<Text> = [];
  decision: i32 = ALLOW;
  reasons: Array<Text> = [];
  /** JSON text, or empty. */
  detail: Text = NO_TEXT;
  pointer: Text | null = null;
  /** The step whose question was answered, or -1. */
  approves: i32 = -1;
  approvedBy: Array<Text> = [];
  trace: Array<TraceItem> = [];
  /** For `explain`: every error of step 3. */
  schemaErrors: Text = NO_TEXT;

  constructor(
    public policy: Policy,
    public keys: KeySet,
  ) {}

  note(order: i32, result: string, detail: Text = NO_TEXT): void {
    if (this.explain) this.trace.push(new TraceItem(order, result, detail));
  }

  /** The digest of an argument, made once. */
  digestOf(argument: Argument): Text {
    const known = argument.digest;
    if (known != null) return known;
    const made = this.digests.of(argument.value);
    argument.digest = made;
    return made;
  }

  /** The argument of a name, or null; `list` is sorted by name. */
  argument(name: Text): Argument | null {
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const argument = unchecked(this.list[middle]);
      const order = compareUtf16(argument.name.start, argument.name.length, name.start, name.length);
      if (order == 0) return argument;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  /** Ends the check with a refusal. Always true, for steps that say whether they answered. */
  refuse(reason: string, detail: Buffer | null = null): bool {
    const text = new Buffer(reason.length);
    text.ascii(reason);
    return this.refuseFor(text.view(), detail);
  }

  refuseFor(reason: Text, detail: Buffer | null): bool {
    this.decision = REFUSE;
    this.reasons = [reason];
    this.detail = detail != null ? detail.view() : NO_TEXT;
    return true;
  }
}
