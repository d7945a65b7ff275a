// An entry of the history: which members it has, of which types (chapter 3), and what later checks need of it.

import { compareUtf16, equalAscii } from "../memory/bytes";
import { NO_TEXT, Text } from "../memory/buffer";
import {
  ARRAY, NULL, OBJECT, STRING, SortedMembers, TRUE, Value,
  count, first, isInteger, isKind, isString, kind, next, numberValue, stringLength, stringStart, stringText,
} from "../json/value";
import { NONE, isDigest, isDigestMap, readOutcome } from "./outcome";

/** What a verified entry says. Where texts are the session's own copies, nodes are 0 and the texts are read when asked for. */
@final
export class Entry {
  /** The tool's index among the names of its history. */
  tool: i32 = 0;
  agent: Text | null = null;
  at: i64 = 0;
  allowed: bool = false;
  outside: bool = false;
  restarted: bool = false;
  /** -1: none. */
  undoes: i32 = -1;
  approves: i32 = -1;
  policy: Text = NO_TEXT;
  snapshot: Text | null = null;
  digest: Text = NO_TEXT;
  /** JSON text of `{NAME: digest}`, `[label, …]` and the outcome or empty. */
  argumentDigests: Text = NO_TEXT;
  labels: Text = NO_TEXT;
  outcome: Text = NO_TEXT;
  /** The entry's own `outcome` member, canonical, or empty: what the next link carries. */
  ownOutcome: Text = NO_TEXT;
  /** The status reported, or NONE. */
  status: i32 = NONE;
  /** An allowed undo of it has outcome ran. */
  undone: bool = false;
  /** How many allowed undos of it failed, and how many did not (or are not known to have). */
  failedUndos: i32 = 0;
  openUndos: i32 = 0;
  /** Some entry approves it. */
  spent: bool = false;
  /** Its link, 32 raw bytes. */
  link: usize = 0;
}

/** The members of one entry's document, found in one pass; 0 where absent. */
@final
export class EntryMembers {
  step: Value = 0;
  tool: Value = 0;
  agent: Value = 0;
  principal: Value = 0;
  digest: Value = 0;
  arguments: Value = 0;
  origins: Value = 0;
  labels: Value = 0;
  evidence: Value = 0;
  decision: Value = 0;
  reason: Value = 0;
  reasons: Value = 0;
  at: Value = 0;
  policy: Value = 0;
  snapshot: Value = 0;
  outside: Value = 0;
  undoes: Value = 0;
  approves: Value = 0;
  approvedBy: Value = 0;
  restarted: Value = 0;
  reports: Value = 0;
  outcome: Value = 0;
  token: Value = 0;

  /** Finds the members of an object; false where one is not an entry's. */
  find(entry: Value): bool {
    this.snapshot = 0;
    this.outside = 0;
    this.undoes = 0;
    this.approves = 0;
    this.approvedBy = 0;
    this.restarted = 0;
    this.reports = 0;
    this.outcome = 0;
    this.step = 0;
    this.tool = 0;
    this.agent = 0;
    this.principal = 0;
    this.digest = 0;
    this.arguments = 0;
    this.origins = 0;
    this.labels = 0;
    this.evidence = 0;
    this.decision = 0;
    this.reason = 0;
    this.reasons = 0;
    this.at = 0;
    this.policy = 0;
    this.token = 0;
    const end = next(entry);
    for (let name = first(entry); name < end; name = next(next(name))) {
      if (!this.take(stringStart(name), stringLength(name), next(name))) return false;
    }
    return this.step != 0 && this.tool != 0 && this.agent != 0 && this.principal != 0 && this.digest != 0 && this.arguments != 0 &&
      this.origins != 0 && this.labels != 0 && this.evidence != 0 && this.decision != 0 && this.reason != 0 && this.reasons != 0 &&
      this.at != 0 && this.policy != 0 && this.token != 0;
  }

  private take(start: usize, length: i32, value: Value): bool {
    const lead = length == 0 ? 0 : <i32>load<u8>(start);
    switch (length) {
      case 2:
        if (equalAscii(start, length, "at")) return this.at == 0 && (this.at = value) != 0;
        return false;
      case 4:
        if (lead == 0x73 && equalAscii(start, length, "step")) return (this.step = value) != 0;
        if (equalAscii(start, length, "tool")) return (this.tool = value) != 0;
        return false;
      case 5:
        if (lead == 0x61 && equalAscii(start, length, "agent")) return (this.agent = value) != 0;
        if (equalAscii(start, length, "token")) return (this.token = value) != 0;
        return false;
      case 6:
        if (lead == 0x64 && equalAscii(start, length, "digest")) return (this.digest = value) != 0;
        if (lead == 0x6c && equalAscii(start, length, "labels")) return (this.labels = value) != 0;
        if (lead == 0x72 && equalAscii(start, length, "reason")) return (this.reason = value) != 0;
        if (lead == 0x70 && equalAscii(start, length, "policy")) return (this.policy = value) != 0;
        if (equalAscii(start, length, "undoes")) return (this.undoes = value) != 0;
        return false;
      case 7:
        if (equalAscii(start, length, "origins")) return (this.origins = value) != 0;
        if (equalAscii(start, length, "reasons")) return (this.reasons = value) != 0;
        if (equalAscii(start, length, "outcome")) return (this.outcome = value) != 0;
        if (equalAscii(start, length, "outside")) return (this.outside = value) != 0;
        if (equalAscii(start, length, "reports")) return (this.reports = value) != 0;
        return false;
      case 8:
        if (lead == 0x65 && equalAscii(start, length, "evidence")) return (this.evidence = value) != 0;
        if (lead == 0x64 && equalAscii(start, length, "decision")) return (this.decision = value) != 0;
        if (lead == 0x73 && equalAscii(start, length, "snapshot")) return (this.snapshot = value) != 0;
        if (equalAscii(start, length, "approves")) return (this.approves = value) != 0;
        return false;
      case 9:
        if (lead == 0x70 && equalAscii(start, length, "principal")) return (this.principal = value) != 0;
        if (lead == 0x61 && equalAscii(start, length, "arguments")) return (this.arguments = value) != 0;
        if (equalAscii(start, length, "restarted")) return (this.restarted = value) != 0;
        return false;
      case 11:
        if (equalAscii(start, length, "approved_by")) return (this.approvedBy = value) != 0;
        return false;
      default:
        return false;
    }
  }

  /** Whether each member is of its type. */
  wellTyped(): bool {
    return isInteger(this.step) && isKind(this.tool, STRING) && isInteger(this.at) &&
      (kind(this.agent) == NULL || kind(this.agent) == STRING) &&
      (kind(this.principal) == NULL || isDigest(this.principal)) &&
      isDigest(this.digest) && isDigest(this.evidence) && isDigest(this.policy) &&
      (this.snapshot == 0 || isDigest(this.snapshot)) &&
      isDigestMap(this.arguments) && isStringMap(this.origins) && isStrings(this.labels) &&
      isDecision(this.decision) && isKind(this.reason, STRING) && isStrings(this.reasons) &&
      (this.outside == 0 || kind(this.outside) == TRUE) && (this.restarted == 0 || kind(this.restarted) == TRUE) &&
      (this.undoes == 0 || isInteger(this.undoes)) && (this.approves == 0 || isStep(this.approves)) &&
      (this.approvedBy == 0 || isStrings(this.approvedBy)) &&
      (this.reports == 0 || (kind(this.reports) == OBJECT && count(this.reports) != 0)) &&
      (this.outcome == 0 || readOutcome(this.outcome) != NONE) &&
      (kind(this.token) == NULL || kind(this.token) == STRING);
  }

  /** Whether the members say what chapter 3's table says of each other: one name in origins for each argument, sorted lists, the first reason. */
  consistent(): bool {
    return this.originsMatch() && isSorted(this.labels) && (this.approvedBy == 0 || isSorted(this.approvedBy)) && this.reasonMatches();
  }

  private originsMatch(): bool {
    if (count(this.origins) != count(this.arguments)) return false;
    const a = new SortedMembers(this.arguments);
    for (const o = new SortedMembers(this.origins); o.name != 0; o.advance(), a.advance()) {
      if (compareUtf16(stringStart(o.name), stringLength(o.name), stringStart(a.name), stringLength(a.name)) != 0) return false;
    }
    return true;
  }

  private reasonMatches(): bool {
    if (count(this.reasons) == 0) return false;
    const head = first(this.reasons);
    return compareUtf16(stringStart(head), stringLength(head), stringStart(this.reason), stringLength(this.reason)) == 0;
  }
}

function isDecision(value: Value): bool {
  return isString(value, "allow") || isString(value, "confirm") || isString(value, "refuse");
}

function isStep(value: Value): bool {
  return isInteger(value) && numberValue(value) >= 0;
}

function isStringMap(value: Value): bool {
  if (!isKind(value, OBJECT)) return false;
  const end = next(value);
  for (let name = first(value); name < end; name = next(next(name))) if (kind(next(name)) != STRING) return false;
  return true;
}

function isStrings(value: Value): bool {
  if (!isKind(value, ARRAY)) return false;
  const end = next(value);
  for (let element = first(value); element < end; element = next(element)) if (kind(element) != STRING) return false;
  return true;
}

/** A step's number; -1 where no entry can have it. */
export function stepOf(value: Value): i32 {
  const step = numberValue(value);
  return step >= 0 && step < 2147483647.0 ? <i32>step : -1;
}

/** Whether a list of strings ascends by UTF-16 code units, none twice. */
function isSorted(list: Value): bool {
  const end = next(list);
  let before: Value = 0;
  for (let element = first(list); element < end; element = next(element)) {
    if (before != 0 && compareUtf16(stringStart(before), stringLength(before), stringStart(element), stringLength(element)) >= 0) return false;
    before = element;
  }
  return true;
}

/** The text of a string node, or null where the node is `null`. */
export function textOrNull(value: Value): Text | null {
  return kind(value) == STRING ? stringText(value) : null;
}
