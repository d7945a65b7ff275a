// Walks the twelve steps in order; the first that answers ends the check (chapter 4, The order).

import { Buffer } from "../memory/buffer";
import { Tool } from "../policy/policy";
import { toolAndAgent } from "./1-tool";
import { historyVerifies } from "./2-history";
import { argumentsFit } from "./3-arguments";
import { noDestination } from "./4-destinations";
import { orderHolds } from "./5-order";
import { undoFits } from "./6-undo";
import { gateRefuses } from "./7-gate";
import { marksRefuse } from "./8-marks";
import { approvalCovers } from "./9-approval";
import { personReasons } from "./10-person";
import { ALLOW, CONFIRM, Call } from "./call";
import { prepareMarks, proveTyped } from "./prepare";

/** Decides a prepared call: its decision, reasons, detail and trace. */
export function decide(call: Call): void {
  // The entry carries every mark, whichever step answers; some are derived from what was typed.
  proveTyped(call);
  prepareMarks(call);
  if (took(call, 1, toolAndAgent(call))) return;
  const tool = call.tool!;
  if (took(call, 2, historyVerifies(call))) return;
  if (took(call, 3, argumentsFit(call, tool))) return;
  if (took(call, 4, noDestination(call, tool))) return;
  if (took(call, 5, orderHolds(call, tool))) return;
  if (!call.undoing) call.note(6, "skipped");
  else if (took(call, 6, undoFits(call, tool))) return;
  if (gateRefuses(call, tool)) {
    took(call, 7, true);
    return;
  }
  call.note(7, call.asked.length != 0 ? "asks" : "passed");
  if (marksRefuse(call, tool)) {
    took(call, 8, true);
    return;
  }
  call.note(8, call.holding.length != 0 ? "asks" : "passed");
  finish(call, tool);
}

/** Notes what a step found; true where it answered. */
function took(call: Call, order: i32, answered: bool): bool {
  call.note(order, answered ? "refused" : "passed", order == 3 && call.schemaErrors.length != 0 ? call.schemaErrors : call.detail);
  return answered;
}

/** Steps 9 to 12. */
function finish(call: Call, tool: Tool): void {
  const reasons = personReasons(call, tool);
  if (approvalCovers(call, reasons)) return;
  if (reasons.length != 0) {
    call.decision = CONFIRM;
    call.reasons = reasons;
    call.note(10, "asks");
    return;
  }
  call.note(10, "passed");
  call.decision = ALLOW;
  const reason = new Buffer(16);
  if (call.undoing) {
    reason.ascii("compensation");
    call.note(11, "passed");
  } else {
    reason.ascii("allow");
    call.note(11, "skipped");
    call.note(12, "passed");
  }
  call.reasons = [reason.view()];
}
