// The operations behind the boundary: each takes a document that was read and appends its answer, or says why not.

import { Session } from "./check/session";
import { askRow } from "./gate/rows";
import { KeySet } from "./history/keys";
import { ReceiptRequest, writeReceipt, writeReceiptOn } from "./history/receipt";
import { Report, reportFails, writeReported } from "./history/report";
import { ArgumentDigests } from "./history/digest";
import { endsAt, headOf, readHead, readHistory, verifyHistory, writeWhy, Head } from "./history/verify";
import { Failure, inexactFailure } from "./json/failure";
import { OBJECT, STRING, Value, first, get, holdsInexact, isKind, kind, next, stringLength, stringStart, stringText, textStart } from "./json/value";
import { Buffer, Text } from "./memory/buffer";
import { equalAscii } from "./memory/bytes";
import { Policy } from "./policy/policy";
import { writeExplained } from "./turn/explain";
import { writePlan } from "./turn/plan";
import { readTurn } from "./turn/read";
import { ReadRequest } from "./turn/request";

/** The error of a member that is missing or of a wrong type. */
export function memberFailure(pointer: string): Failure {
  const failure = new Failure("request_invalid", "this member is missing, or of a wrong type");
  const text = new Buffer(16);
  text.ascii(pointer);
  failure.pointer = text.view();
  return failure;
}

/** The error of the first inexact number outside the member `except`; null where there is none. */
export function refuseInexact(document: Value, except: string): Failure | null {
  if (!holdsInexact(document) || kind(document) != OBJECT) return null;
  const end = next(document);
  for (let name = first(document); name < end; name = next(next(name))) {
    if (!holdsInexact(next(name)) || equalAscii(stringStart(name), stringLength(name), except)) continue;
    if (equalAscii(stringStart(name), stringLength(name), "id")) continue;
    return inexactFailure(document, next(name), textStart(document));
  }
  return null;
}

/** The error of the first inexact number of a value that is a text of its own: its offset and pointer are the value's. */
export function refuseInexactText(value: Value): Failure | null {
  return holdsInexact(value) ? inexactFailure(value, value, textStart(value)) : null;
}

/** The session a document names, or null. */
export function sessionName(document: Value): Text | null {
  const session = get(document, "session");
  return isKind(session, STRING) ? stringText(session) : null;
}

/** `report`: appends the history with the outcome. */
export function report(policy: Policy, keys: KeySet, document: Value, out: Buffer): Failure | null {
  const inexact = refuseInexact(document, "result");
  if (inexact != null) return inexact;
  const session = sessionName(document);
  if (session == null) return memberFailure("/session");
  const told = new Report();
  const wrong = told.read(document);
  if (wrong != null) return memberFailure(wrong);
  const value = get(document, "history");
  const history = readHistory(value, policy, keys, session, null, true, false);
  if (history == null) return new Failure("history_invalid", "this is no history of this session");
  const failed = reportFails(history, told);
  if (failed != null) return failed;
  const outcome = told.outcome(new ArgumentDigests(keys.digestKey, session, policy.tenant));
  writeReported(value, history, told.step, outcome, out);
  return null;
}

/** `verify`: appends whether a history verifies, with its head. */
export function verify(policy: Policy, keys: KeySet, document: Value, out: Buffer): Failure | null {
  const inexact = refuseInexact(document, "");
  if (inexact != null) return inexact;
  const session = sessionName(document);
  if (session == null) return memberFailure("/session");
  const given = get(document, "head");
  let head: Head | null = null;
  if (given != 0) {
    head = readHead(given);
    if (head == null) return memberFailure("/head");
  }
  const history = verifyHistory(get(document, "history"), policy, keys, session, null, true);
  if (history == null || (head != null && !endsAt(history, head))) {
    const detail = new Buffer(32);
    out.byte(0x7b);
    if (writeWhy(policy, detail)) {
      out.ascii('"detail":');
      out.bytes(detail.start, detail.length);
      out.byte(0x2c);
    }
    out.ascii('"valid":false}');
    return null;
  }
  out.ascii('{"head":');
  headOf(history).write(out);
  out.ascii(',"valid":true}');
  return null;
}

/** `read`: appends the plan of a turn (chapter 6); with `explained`, `{"clauses","plan","rules"}`. Takes the request's text: its own limits are the policy's. */
export function read(policy: Policy, start: usize, length: i32, explained: bool, out: Buffer): Failure | null {
  const request = new ReadRequest(policy);
  const failed = request.read(start, length);
  if (failed != null) return failed;
  const plan = readTurn(policy, request.agent, request.language, request.turn);
  if (explained) writeExplained(plan, out);
  else writePlan(plan, out);
  return null;
}

/** `receipt`: appends whether an entry is the permit for a call. A missing key set is `history_invalid` (chapter 3, Receipts). */
export function receipt(policy: Policy, keys: KeySet | null, document: Value, out: Buffer): Failure | null {
  const inexact = refuseInexact(document, "arguments");
  if (inexact != null) return inexact;
  const request = new ReceiptRequest();
  const wrong = request.read(document);
  if (wrong != null) return memberFailure(wrong);
  writeReceipt(policy, keys, request, get(document, "history"), out);
  return null;
}

/** `receipt` on an open session: its history is verified already, so that the cost is the same at any length. */
export function receiptOn(session: Session, document: Value, out: Buffer): Failure | null {
  const inexact = refuseInexact(document, "arguments");
  if (inexact != null) return inexact;
  const request = new ReceiptRequest();
  request.session = session.history.session;
  const wrong = request.readCall(document);
  if (wrong != null) return memberFailure(wrong);
  writeReceiptOn(session.policy, session.keys, request, session.history, out);
  return null;
}

/** Asks a pure row of the pipeline: appends its answer. */
export function gate(document: Value, out: Buffer): Failure | null {
  const answer = askRow(document);
  if (answer.wrong != null) return memberFailure(answer.wrong!);
  answer.write(out);
  return null;
}
