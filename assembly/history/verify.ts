// Verifying a history (chapter 3): its form, its links, its tokens and its outcomes, into the form the check reads.

import { sha256 } from "../digest/sha256";
import { writeCanonical } from "../json/canonical";
import {
  ARRAY, CANONICAL, NULL, OBJECT, STRING, SortedMembers, Value,
  count, first, flags, get, isInteger, isKind, isString, kind, next, numberValue, stringLength, stringStart, stringText, textLength, textStart,
} from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { equalAscii, equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { Policy } from "../policy/policy";
import { encoded } from "../digest/labelled";
import { Entry, EntryMembers, stepOf, textOrNull } from "./entry";
import { History, isUntrustedLabel, sameText } from "./history";
import { KeySet } from "./keys";
import { beginLink, firstLink, stateText, writeBody } from "./link";
import { Tokens } from "./tokens";
import { readOutcome } from "./outcome";

export const HISTORY_FORMAT: string = "qls-history/1";

/** Why a history does not verify, where chapter 3 names it. */
export const WHY_NONE: i32 = 0;
export const WHY_LIMIT: i32 = 1;
export const HEAD_BEHIND: i32 = 2;
export const HEAD_FORKED: i32 = 3;
export const HEAD_AHEAD: i32 = 4;
export const HEAD_REWRITTEN: i32 = 5;

/** Set by the functions below when they refuse. */
export let why: i32 = WHY_NONE;

/** The canonical text of a value; its source where that is canonical. */
export function canonicalText(value: Value): Text {
  if ((flags(value) & CANONICAL) != 0) return new Text(textStart(value), textLength(value));
  const out = new Buffer(textLength(value) + 16);
  writeCanonical(value, out);
  return out.view();
}

/** A new history without entries. */
export function emptyHistory(policy: Policy, session: Text): History {
  const history = new History(policy, session);
  firstLink(session, policy.tenant, history.link);
  return history;
}

/**
 * Reads and verifies a history.
 * @param value its document; 0 for a new one
 * @param principal the digest that every entry must have, or null; not compared where `anyPrincipal`
 * @returns null where it does not verify; `why` then says why, where chapter 3 names it
 */
export function verifyHistory(
  value: Value, policy: Policy, keys: KeySet, session: Text, principal: Text | null, anyPrincipal: bool,
): History | null {
  return readHistory(value, policy, keys, session, principal, anyPrincipal, true);
}

/**
 * Reads a history's form (its members and their types), and verifies it where `verifies`. Without, nothing else is looked at: not its
 * length, times, links, tokens, nor what its entries say.
 */
export function readHistory(
  value: Value, policy: Policy, keys: KeySet, session: Text, principal: Text | null, anyPrincipal: bool, verifies: bool,
): History | null {
  why = WHY_NONE;
  const history = emptyHistory(policy, session);
  if (value == 0) return history;
  if (!isKind(value, OBJECT)) return null;
  const entries = get(value, "entries");
  // The length first: whatever else is wrong with a history that is too long, that is what its holder can mend.
  if (verifies && isKind(entries, ARRAY) && <i64>count(entries) > policy.settings.history) {
    why = WHY_LIMIT;
    return null;
  }
  if (!onlyHistoryMembers(value)) return null;
  if (!isString(get(value, "format"), HISTORY_FORMAT)) return null;
  const name = get(value, "session");
  if (name == 0 || kind(name) != STRING || !equalBytes(stringStart(name), stringLength(name), session.start, session.length)) return null;
  if (!isKind(entries, ARRAY)) return null;
  const tokens = new Tokens(keys);
  const members = new EntryMembers();
  const message = new Buffer(1024);
  const end = next(entries);
  for (let entry = first(entries); entry < end; entry = next(entry)) {
    if (!takeEntry(entry, members, history, keys, verifies ? tokens : null, message)) return null;
    const digest = textOrNull(members.principal);
    if (history.length == 1) history.principal = digest;
    if (verifies && !sameText(digest, anyPrincipal ? history.principal : principal)) return null;
  }
  if (!tokens.verify()) return null;
  const reports = get(value, "reports");
  if (reports != 0) {
    if (!isKind(reports, OBJECT) || !takeReports(reports, history, history.length, verifies)) return null;
    if (count(reports) != 0) history.reports = canonicalText(reports);
  }
  return history;
}

function onlyHistoryMembers(value: Value): bool {
  const end = next(value);
  for (let name = first(value); name < end; name = next(next(name))) {
    const start = stringStart(name);
    const length = stringLength(name);
    if (!equalAscii(start, length, "format") && !equalAscii(start, length, "session") && !equalAscii(start, length, "entries") &&
      !equalAscii(start, length, "reports")) return false;
  }
  return true;
}

function takeEntry(value: Value, members: EntryMembers, history: History, keys: KeySet, tokens: Tokens | null, message: Buffer): bool {
  const step = history.length;
  if (!isKind(value, OBJECT) || !members.find(value) || !members.wellTyped()) return false;
  if (numberValue(members.step) != <f64>step) return false;
  const entry = new Entry();
  entry.at = <i64>numberValue(members.at);
  if (tokens != null && (entry.at < history.at || !members.consistent())) return false;
  entry.restarted = members.restarted != 0;
  if (entry.restarted && step != 0) return false;
  if (tokens != null && !takeLink(value, entry, members, history, keys, tokens, message)) return false;
  fill(entry, members, history);
  history.link = entry.link;
  history.token = canonicalText(members.token);
  history.add(entry, entry.allowed && carriesUntrusted(members.labels));
  const strict = tokens != null;
  if (members.reports != 0 && !takeReports(members.reports, history, step, strict)) return false;
  if (members.outcome == 0) return true;
  if (!entry.allowed) return !strict;
  entry.ownOutcome = canonicalText(members.outcome);
  return takeOutcome(members.outcome, history, step) || !strict;
}

/** Computes an entry's link and notes its token. */
function takeLink(
  value: Value, entry: Entry, members: EntryMembers, history: History, keys: KeySet, tokens: Tokens, message: Buffer,
): bool {
  beginLink(history, message);
  writeBody(value, members, message);
  entry.link = allocate(32);
  sha256(message.start, message.length, entry.link);
  if (kind(members.token) != NULL) return tokens.note(members.token, entry.link);
  history.unsigned = true;
  return keys.preview;
}

function fill(entry: Entry, members: EntryMembers, history: History): void {
  entry.tool = history.nameTool(stringStart(members.tool), stringLength(members.tool));
  entry.agent = textOrNull(members.agent);
  entry.allowed = isString(members.decision, "allow");
  entry.outside = members.outside != 0;
  if (members.undoes != 0) entry.undoes = stepOf(members.undoes);
  if (members.approves != 0) entry.approves = stepOf(members.approves);
  entry.policy = stringText(members.policy);
  if (members.snapshot != 0) entry.snapshot = stringText(members.snapshot);
  entry.digest = stringText(members.digest);
  entry.argumentDigests = new Text(textStart(members.arguments), textLength(members.arguments));
  entry.labels = new Text(textStart(members.labels), textLength(members.labels));
}

function carriesUntrusted(labels: Value): bool {
  const end = next(labels);
  for (let label = first(labels); label < end; label = next(label)) if (isUntrustedLabel(stringStart(label), stringLength(label))) return true;
  return false;
}

/** Takes one outcome of an allowed step; false where it is malformed or differs from one reported before. */
function takeOutcome(value: Value, history: History, step: i32): bool {
  const status = readOutcome(value);
  if (status == 0) return false;
  const text = canonicalText(value);
  const entry = history.entries[step];
  if (entry.outcome.length != 0) return equalBytes(entry.outcome.start, entry.outcome.length, text.start, text.length);
  history.setOutcome(step, status, text);
  return true;
}

/**
 * Takes `{"STEP": outcome}`: each step is an allowed entry before `before`, and no outcome differs from one reported before. Where it
 * is only the form that is read (`strict` false), a report that breaks this is passed over.
 */
function takeReports(reports: Value, history: History, before: i32, strict: bool): bool {
  for (const m = new SortedMembers(reports); m.name != 0; m.advance()) {
    if (readOutcome(m.value) == 0) return false;
    const step = decimalStep(stringStart(m.name), stringLength(m.name));
    const fits = step >= 0 && step < before && history.entries[step].allowed && takeOutcome(m.value, history, step);
    if (strict && !fits) return false;
  }
  return true;
}

/** The step a decimal without needless zeros names, or -1. */
export function decimalStep(start: usize, length: i32): i32 {
  if (length == 0 || length > 9 || (length > 1 && load<u8>(start) == 0x30)) return -1;
  let step = 0;
  for (let i: usize = 0; i < <usize>length; i++) {
    const c = load<u8>(start + i);
    if (c < 0x30 || c > 0x39) return -1;
    step = step * 10 + <i32>(c - 0x30);
  }
  return step;
}

/** The last step of a history, its link and its state: what a host keeps. */
@final
export class Head {
  constructor(
    public step: i64,
    /** base64url */
    public link: Text,
    public state: Text,
  ) {}

  /** Appends `{"link":…,"state":…,"step":…}`. */
  write(out: Buffer): void {
    out.ascii('{"link":"');
    out.text(this.link);
    out.ascii('","state":"');
    out.text(this.state);
    out.ascii('","step":');
    out.integer(this.step);
    out.byte(0x7d);
  }
}

/** The head of a verified history. */
export function headOf(history: History): Head {
  const outcome = history.length == 0 ? NO_TEXT : history.last.ownOutcome;
  return new Head(<i64>history.length - 1, encoded(history.link), stateText(outcome, history.reports));
}

/** Reads a `head`: an integer step, link and state digests; null where it is none. Other members are refused. */
export function readHead(value: Value): Head | null {
  if (!isKind(value, OBJECT) || count(value) != 3) return null;
  const step = get(value, "step");
  const link = get(value, "link");
  const state = get(value, "state");
  if (!isInteger(step) || !isKind(link, STRING) || !isKind(state, STRING)) return null;
  return new Head(<i64>numberValue(step), stringText(link), stringText(state));
}

/** Whether a verified history ends at the head the host kept; else `why` says how it differs. */
export function endsAt(history: History, head: Head): bool {
  const last = <i64>history.length - 1;
  why = WHY_NONE;
  if (last < head.step) why = HEAD_BEHIND;
  else {
    const raw = head.step == last ? history.link : head.step >= 0 ? history.entries[<i32>head.step].link : history.originLink;
    const link = encoded(raw);
    if (head.step < -1 || !equalBytes(link.start, link.length, head.link.start, head.link.length)) why = HEAD_FORKED;
    else if (last > head.step) why = HEAD_AHEAD;
    else {
      const state = headOf(history).state;
      if (!equalBytes(state.start, state.length, head.state.start, head.state.length)) why = HEAD_REWRITTEN;
    }
  }
  return why == WHY_NONE;
}

/** Appends the detail of a history that does not verify, or nothing; false where there is none. */
export function writeWhy(policy: Policy, out: Buffer): bool {
  switch (why) {
    case WHY_LIMIT:
      out.ascii('{"limit":');
      out.integer(policy.settings.history);
      out.byte(0x7d);
      return true;
    case HEAD_BEHIND: out.ascii('{"head":"behind"}'); return true;
    case HEAD_FORKED: out.ascii('{"head":"forked"}'); return true;
    case HEAD_AHEAD: out.ascii('{"head":"ahead"}'); return true;
    case HEAD_REWRITTEN: out.ascii('{"head":"rewritten"}'); return true;
    default: return false;
  }
}

/** Sets why a history does not verify, for those who find it out themselves. */
export function setWhy(reason: i32): void {
  why = reason;
}
