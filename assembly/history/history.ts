// A session's verified history as the check needs it: its entries, and the counts that make every rule's question cost the same
// after ten entries and after ten thousand.

import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { equalBytes, startsWithAscii } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { allocate } from "../memory/region";
import { scan } from "../json/scan";
import { Value, get, kind, OBJECT, member, stringText, STRING } from "../json/value";
import { Policy, Tool } from "../policy/policy";
import { Entry } from "./entry";
import { COMPENSATED, FAILED, RAN } from "./outcome";

/** Texts of verified entries are read again with these limits: they were read before. */
const DEPTH: i32 = 512;
const BYTES: i64 = 0x7fffffff;

/** What the history says of one tool's name. */
@final
export class ToolCounts {
  /** The times of its allowed entries, ascending. */
  times: Array<i64> = [];
  /** Allowed entries whose outcome is ran, and failed. */
  ran: i32 = 0;
  failed: i32 = 0;
  /** Some allowed entry of it was an outside read. */
  readOutside: bool = false;

  /** `tool`: the catalogue's, or null. */
  constructor(public tool: Tool | null) {}

  /** Allowed entries. */
  get allowed(): i32 {
    return this.times.length;
  }

  /** Allowed entries with `at >= since`. */
  allowedSince(since: i64): i32 {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (unchecked(this.times[middle]) >= since) high = middle;
      else low = middle + 1;
    }
    return this.times.length - low;
  }
}

@final
export class History {
  entries: Array<Entry> = [];
  tools: NameTable = new NameTable();
  counts: Array<ToolCounts> = [];
  /** Names of tools (indices) with an outside read, in the order first read. */
  outsideTools: Array<i32> = [];
  /** The last outside read's step, or -1. */
  lastOutside: i32 = -1;
  /** Some allowed entry carries a label that starts with `untrusted:`. */
  carriedUntrusted: bool = false;
  /** Allowed writes with a declared undo that reported ran or compensated and are not undone. */
  undoable: i32 = 0;
  /** link(-1), and the last link (before the first entry the same): 32 raw bytes each. */
  originLink: usize;
  link: usize;
  /** The last entry's token as it stands in `prev`: a JSON string or `null`; empty before the first entry. */
  token: Text = NO_TEXT;
  /** The principal's digest that every entry has; null: no entry, or none had one. */
  principal: Text | null = null;
  /** In a session handle: the HMAC state of its argument digests' key once it was worked out, or 0; and the canonical principal.id of `principal`. */
  scopeKey: usize = 0;
  principalId: Text = NO_TEXT;
  /** In a session handle: what the last check's evidence was, and its digest (43 letters). */
  evidence: Buffer | null = null;
  evidenceDigest: Text = NO_TEXT;
  /** Some entry's token is null. */
  unsigned: bool = false;
  /** The pending reports, canonical; empty where there are none. */
  reports: Text = NO_TEXT;

  constructor(
    public policy: Policy,
    public session: Text,
  ) {
    this.originLink = allocate(32);
    this.link = this.originLink;
  }

  get length(): i32 {
    return this.entries.length;
  }

  get last(): Entry {
    return this.entries[this.entries.length - 1];
  }

  get restarted(): bool {
    return this.entries.length != 0 && this.entries[0].restarted;
  }

  /** The time of the last entry; the least there is before the first. */
  get at(): i64 {
    return this.entries.length == 0 ? i64.MIN_VALUE : this.last.at;
  }

  /** The index of a tool's name, which is added where it is new; the text must live as long as the history. */
  nameTool(start: usize, length: i32): i32 {
    const index = this.tools.add(start, length);
    if (index == this.counts.length) this.counts.push(new ToolCounts(this.policy.tool(this.tools.names[index])));
    return index;
  }

  /** The counts of a tool's name, or null where no entry has it. */
  countsOf(name: Text): ToolCounts | null {
    const index = this.tools.find(name.start, name.length);
    return index < 0 ? null : this.counts[index];
  }

  toolName(entry: Entry): Text {
    return this.tools.names[entry.tool];
  }

  /** The catalogue's tool of an entry, or null. */
  toolOf(entry: Entry): Tool | null {
    return this.counts[entry.tool].tool;
  }

  isOutsideRead(entry: Entry): bool {
    if (!entry.allowed) return false;
    if (entry.outside) return true;
    const tool = this.toolOf(entry);
    return tool != null && tool.readsOutside;
  }

  /** Adds an entry whose fields are set. */
  add(entry: Entry, carriesUntrusted: bool): void {
    const step = this.entries.length;
    this.entries.push(entry);
    if (entry.approves >= 0 && entry.approves < step) this.entries[entry.approves].spent = true;
    if (!entry.allowed) return;
    const counts = this.counts[entry.tool];
    counts.times.push(entry.at);
    if (this.isOutsideRead(entry)) {
      this.lastOutside = step;
      if (!counts.readOutside) this.outsideTools.push(entry.tool);
      counts.readOutside = true;
    }
    if (carriesUntrusted) this.carriedUntrusted = true;
    if (entry.undoes >= 0 && entry.undoes < step) this.entries[entry.undoes].openUndos++;
  }

  /** What became of a step in every rule: compensated where it is undone, else what was reported. */
  outcomeOf(entry: Entry): i32 {
    return entry.undone ? COMPENSATED : entry.status;
  }

  /** Whether an allowed write with a declared undo has run (or says so) and is not undone. */
  private isUndoable(entry: Entry): bool {
    if (entry.undone || (entry.status != RAN && entry.status != COMPENSATED)) return false;
    const tool = this.toolOf(entry);
    return tool != null && tool.write && tool.undo != null;
  }

  private tally(entry: Entry, by: i32): void {
    const outcome = this.outcomeOf(entry);
    const counts = this.counts[entry.tool];
    if (outcome == RAN) counts.ran += by;
    else if (outcome == FAILED) counts.failed += by;
    if (this.isUndoable(entry)) this.undoable += by;
  }

  /** Notes the first report of an allowed step. */
  setOutcome(step: i32, status: i32, text: Text): void {
    const entry = this.entries[step];
    this.tally(entry, -1);
    entry.status = status;
    entry.outcome = text;
    this.tally(entry, 1);
    if (entry.undoes < 0 || entry.undoes >= step) return;
    const undone = this.entries[entry.undoes];
    if (status == FAILED) {
      undone.openUndos--;
      undone.failedUndos++;
    } else if (status == RAN) {
      this.tally(undone, -1);
      undone.undone = true;
      this.tally(undone, 1);
    }
  }

  /** The digest of a step's argument as its entry recorded it, or null. */
  argumentDigest(entry: Entry, name: Text): Text | null {
    return textMember(scan(entry.argumentDigests.start, entry.argumentDigests.length, DEPTH, BYTES), name);
  }

  /** Whether a result was reported with the outcome. */
  hasResult(entry: Entry): bool {
    return entry.outcome.length != 0 && get(scan(entry.outcome.start, entry.outcome.length, DEPTH, BYTES), "result") != 0;
  }

  /** The reported result's digests as an object node, or 0. */
  resultDigests(entry: Entry): Value {
    return entry.outcome.length == 0 ? 0 : get(scan(entry.outcome.start, entry.outcome.length, DEPTH, BYTES), "result");
  }

  /** An entry's labels as an array node. */
  labelsOf(entry: Entry): Value {
    return scan(entry.labels.start, entry.labels.length, DEPTH, BYTES);
  }
}

function textMember(object: Value, name: Text): Text | null {
  if (object == 0 || kind(object) != OBJECT) return null;
  const value = member(object, name.start, name.length);
  return value != 0 && kind(value) == STRING ? stringText(value) : null;
}

/** Whether a label says that its value came from outside. */
export function isUntrustedLabel(start: usize, length: i32): bool {
  return startsWithAscii(start, length, "untrusted:");
}

/** Whether two agents are one where an absent one means the policy's only agent. */
export function sameAgent(policy: Policy, a: Text | null, b: Text | null): bool {
  const only = policy.agents.length == 1 ? policy.agents[0].name : null;
  const x = a != null ? a : only;
  const y = b != null ? b : only;
  if (x == null || y == null) return x == null && y == null;
  return equalBytes(x.start, x.length, y.start, y.length);
}

/** Whether two texts are equal, or both absent. */
export function sameText(a: Text | null, b: Text | null): bool {
  if (a == null || b == null) return a == null && b == null;
  return equalBytes(a.start, a.length, b.start, b.length);
}

