// A session handle: the verified history stays in the core, and each check and report extends it (ARCHITECTURE, two ways to carry history).

import { ArgumentDigests, scopeKey } from "../history/digest";
import { Entry } from "../history/entry";
import { History } from "../history/history";
import { KeySet } from "../history/keys";
import { Report, reportFails, writeReports } from "../history/report";
import { emptyHistory } from "../history/verify";
import { Failure } from "../json/failure";
import { scan } from "../json/scan";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { allocate, createRegion, enterRegion } from "../memory/region";
import { Policy } from "../policy/policy";
import { holdsUntrusted } from "../evidence/marks";
import { Checked } from "./check";
import { ALLOW, Call } from "./call";
import { MadeEntry } from "./entry";

const REPORTS_DEPTH: i32 = 8;
const REPORTS_BYTES: i64 = 0x7fffffff;

/** Copies a text into the current region. */
function keep(start: usize, length: i32): Text {
  const at = allocate(<usize>length);
  memory.copy(at, start, <usize>length);
  return new Text(at, length);
}

/** Keeps an evidence and its digest where the ones before were: what a session takes does not grow with its turns. */
function keepEvidence(history: History, text: Buffer, digest: Text): void {
  let room = history.evidence;
  if (room == null) {
    room = new Buffer(max(text.length, 512));
    history.evidence = room;
    history.evidenceDigest = new Text(allocate(<usize>digest.length), digest.length);
  }
  room.clear();
  room.bytes(text.start, text.length);
  memory.copy(history.evidenceDigest.start, digest.start, <usize>digest.length);
}

/** An open session. It and its history live in its region. */
@final
export class Session {
  constructor(
    public region: usize,
    public policy: Policy,
    public keys: KeySet,
    public history: History,
  ) {
    // Worked out once; the region is the current one.
    if (keys.digestKey != 0) history.scopeKey = scopeKey(keys.digestKey, history.session, policy.tenant);
  }

  /** The session that begins anew where this one's history no longer holds: in a region of its own, what came before unknown. */
  private restarted(): Session {
    const region = createRegion();
    const before = enterRegion(region);
    const name = this.history.session;
    const session = new Session(region, this.policy, this.keys, emptyHistory(this.policy, keep(name.start, name.length)));
    enterRegion(before);
    return session;
  }

  /**
   * Takes the entry of a check that was decided on this session's history.
   * @returns this session, or the one that takes its place where the entry is `restarted`; the caller then drops this one's region
   */
  extended(checked: Checked): Session {
    const made = checked.entry;
    if (made == null) return this;
    const session: Session = checked.call.verified ? this : this.restarted();
    const before = enterRegion(session.region);
    session.take(checked.call, made);
    enterRegion(before);
    return session;
  }

  /** Adds an entry to the history; the session's region is the current one. */
  take(call: Call, made: MadeEntry): void {
    const history = this.history;
    const text = keep(made.text.start, made.text.length);
    const entry = new Entry();
    const known = history.tools.find(call.toolName.start, call.toolName.length);
    if (known >= 0) entry.tool = known;
    else {
      const name = keep(call.toolName.start, call.toolName.length);
      entry.tool = history.nameTool(name.start, name.length);
    }
    const agent = call.agentName;
    if (agent != null) entry.agent = call.agent != null ? call.agent!.name : keep(agent.start, agent.length);
    entry.at = call.at;
    entry.allowed = call.decision == ALLOW;
    entry.outside = call.tool != null && call.tool!.readsOutside;
    entry.restarted = !call.verified;
    entry.undoes = call.undoing && call.undoStep >= 0 && call.undoStep < 2147483647 ? <i32>call.undoStep : -1;
    entry.approves = call.approves;
    entry.policy = this.policy.id;
    entry.snapshot = call.tool != null ? call.tool!.snapshot : null;
    entry.digest = keep(call.digest.start, call.digest.length);
    entry.argumentDigests = new Text(text.start + <usize>made.argumentsFrom, made.argumentsTo - made.argumentsFrom);
    entry.labels = new Text(text.start + <usize>made.labelsFrom, made.labelsTo - made.labelsFrom);
    entry.link = allocate(32);
    memory.copy(entry.link, made.link, 32);
    const principal = call.principalDigest;
    if (history.length == 0) history.principal = principal == null ? null : keep(principal.start, principal.length);
    if (principal != null && history.principalId.length == 0) history.principalId = keep(call.principalId.start, call.principalId.length);
    const evidence = call.evidenceText;
    if (evidence != null) keepEvidence(history, evidence, call.evidence);
    history.link = entry.link;
    history.token = new Text(text.start + <usize>made.tokenFrom, made.tokenTo - made.tokenFrom);
    if (this.keys.active == null) history.unsigned = true;
    history.reports = NO_TEXT;
    history.add(entry, entry.allowed && holdsUntrusted(call.marks));
  }

  /** Takes a report; null, or why it cannot be taken. */
  report(report: Report): Failure | null {
    const history = this.history;
    const failed = reportFails(history, report);
    if (failed != null) return failed;
    const digests = new ArgumentDigests(this.keys.digestKey, history.session, this.policy.tenant, history.scopeKey);
    const outcome = report.outcome(digests);
    const step = <i32>report.step;
    const last = step == history.length - 1;
    const reports = new Buffer(256);
    if (!last) writeReports(history.reports.length == 0 ? 0 : scan(history.reports.start, history.reports.length, REPORTS_DEPTH, REPORTS_BYTES), step, outcome, reports);
    const before = enterRegion(this.region);
    const kept = keep(outcome.start, outcome.length);
    if (last) history.entries[step].ownOutcome = kept;
    else history.reports = keep(reports.start, reports.length);
    history.setOutcome(step, report.status, kept);
    enterRegion(before);
    return null;
  }
}
