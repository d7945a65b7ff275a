// Step 9: an approval that covers exactly this call.

import { addMark } from "../evidence/marks";
import { Confirmation, openConfirmation } from "../history/confirmation";
import { holdsText, openApproval, questionDigest } from "../history/approval";
import { encoded } from "../digest/labelled";
import { sameAgent, sameText } from "../history/history";
import { Value, first, get, next, stringLength, stringStart, stringText } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { NameTable } from "../memory/names";
import { ALLOW, Call } from "./call";

/** Whether the step answered; where a confirmation is ignored, the call's detail says why. `reasons` are step 10's. */
export function approvalCovers(call: Call, reasons: Array<Text>): bool {
  const token = call.confirmation;
  if (token == null) {
    call.note(9, "skipped");
    return false;
  }
  const ignored = whyIgnored(call, token, reasons);
  if (ignored.length == 0) {
    call.note(9, "passed");
    call.decision = ALLOW;
    const confirmed = new Buffer(16);
    confirmed.ascii("confirmed");
    call.reasons = [confirmed.view()];
    return true;
  }
  if (ignored == "denied") {
    call.refuse("denied");
    call.note(9, "refused");
    return true;
  }
  const detail = new Buffer(48);
  detail.ascii('{"confirmation":{"ignored":"');
  detail.ascii(ignored);
  detail.ascii('"}}');
  call.detail = detail.view();
  call.note(9, "skipped", call.detail);
  return false;
}

/** The first thing that does not hold, in chapter 3's order; empty where the confirmation covers the call, `denied` where somebody said no. */
function whyIgnored(call: Call, token: Text, reasons: Array<Text>): string {
  const said = openConfirmation(call.keys, token);
  if (said == null) return "signature";
  if (said.issued > call.at || call.at >= said.expires) return "expired";
  if (!sameCall(call, said)) return "other_call";
  if (!sameText(said.digest, call.digest)) return "arguments";
  const tool = call.tool!;
  if (!sameText(said.policy, call.policy.id) || !sameText(said.snapshot, tool.snapshot)) return "policy";
  if (!listHoldsAll(said.labels, call.marks)) return "labels";
  if (!listHoldsAll(said.reasons, reasons)) return "reasons";
  const history = call.history;
  const step = said.step;
  const known = step >= 0 && step < <i64>history.length;
  if (known && history.entries[<i32>step].spent) return "spent";
  if (!isAtPoint(call, said, known)) return "point";
  call.approves = <i32>step;
  return call.policy.settings.approvalSigned ? approvalsMissing(call, token) : "";
}

function sameCall(call: Call, said: Confirmation): bool {
  return sameText(said.session, call.session) && sameText(said.tool, call.toolName) &&
    sameText(said.principal, call.principalDigest) && sameAgent(call.policy, said.agent, call.agentName) &&
    said.undoing == call.undoing && (!said.undoing || said.undoes == call.undoStep);
}

/** Whether a list of strings holds every text; linear in both. */
function listHoldsAll(list: Value, texts: Array<Text>): bool {
  if (texts.length == 0) return true;
  const names = new NameTable();
  const end = next(list);
  for (let element = first(list); element < end; element = next(element)) names.add(stringStart(element), stringLength(element));
  for (let i = 0; i < texts.length; i++) if (names.find(texts[i].start, texts[i].length) < 0) return false;
  return true;
}

function isAtPoint(call: Call, said: Confirmation, known: bool): bool {
  const history = call.history;
  if (!call.policy.settings.pointTurn) return sameText(encoded(history.link), said.link);
  return known && sameText(encoded(history.entries[<i32>said.step].link), said.link) && <i64>history.lastOutside <= said.step;
}

/** Empty where enough approvers said yes to this very confirmation; `denied` where one said no; else `approvals`. */
function approvalsMissing(call: Call, token: Text): string {
  const settings = call.policy.settings;
  const question = questionDigest(token);
  const id = get(call.principal, "id");
  const approvers: Array<Text> = [];
  let denied = false;
  if (call.approvals != 0) {
    const end = next(call.approvals);
    for (let text = first(call.approvals); text < end; text = next(text)) {
      const approval = openApproval(call.keys, stringText(text));
      if (approval == null || !sameText(approval.question, question)) continue;
      if (approval.at > call.at || call.at >= approval.expires) continue;
      if (settings.deciders.length != 0 && !holdsText(settings.deciders, approval.approver)) continue;
      if (id != 0 && sameText(stringText(id), approval.approver)) continue;
      if (approval.approves) addMark(approvers, approval.approver);
      else denied = true;
    }
  }
  if (denied) {
    call.approves = -1;
    return "denied";
  }
  if (<i64>approvers.length < settings.approvalCount) {
    call.approves = -1;
    return "approvals";
  }
  call.approvedBy = approvers;
  return "";
}
