// Row 20, the final check: right before dispatch the call is decided again on the approved arguments and present state; a call decided just now has its permit looked at.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { hasPlace } from "../edge/places.ts";
import { permit } from "../../sessions/permit.ts";
import { said } from "./13-the-policys-decision.ts";
import { askAgain, isPermitted } from "./18-the-approvals-binding.ts";
import { theTurnsBarrier } from "./21-the-turns-barrier.ts";

/**
 * Refuses with the core's reasons. A call that people approved spends their approval here, and so waits for its turn and for a place at its tool first
 * (`turn_undecided`, `tool_busy`): its permit would else be too old when it is made.
 */
export async function finalCheck(call: CallRecord, world: World): Promise<Answer> {
  if (world.observes) return PASSED;
  if (call.approval !== null && !isPermitted(call)) {
    const turn = await theTurnsBarrier(call, world);
    if (turn.answer !== "passed") return turn;
    if (call.purpose === "call" && !(await hasPlace(call, world))) return { answer: "hold", reason: "tool_busy" };
    return approved(call, world);
  }
  if (call.purpose === "check") return PASSED;
  return stands(call, world);
}

async function approved(call: CallRecord, world: World): Promise<Answer> {
  const { approval } = world;
  if (approval === null) throw new Error("row 17 has read the approval");
  const escalated = approval.confirmation === "";
  if (escalated && !(await isMine(call, world))) return askAgain(call, world);
  const answered = await world.decide(call, escalated ? null : world.parts.approvals.cover(approval));
  if (answered.decided.decision === "allow") {
    call.state = "admitted";
    // A check's caller makes the call: the yes is used by this answer.
    if (call.purpose === "check" && !escalated) for (const change of await world.parts.approvals.spent(approval)) world.unit.add(change);
    return { answer: "passed", detail: { step: answered.decided.step, reason: answered.decided.reason, ...(escalated ? { approval: approval.id } : {}) } };
  }
  if (answered.decided.decision === "refuse") return said(answered);
  // What was approved no longer covers the call: more marks, more reasons, a token that expired. People are asked about it as it is now.
  return askAgain(call, world);
}

/** Whether a yes without a token is this call's: it is for one call, that it was asked about or the first that brings it, which spends it with its decision. */
async function isMine(call: CallRecord, world: World): Promise<boolean> {
  const approval = world.approval!;
  if (call.trace.some(({ row, answer, detail }) => row === "20" && answer === "passed" && detail?.["approval"] === approval.id)) return true;
  if (approval.state === "spent") return false;
  if (approval.call !== call.id) for (const change of await world.parts.approvals.spent(approval)) world.unit.add(change);
  return true;
}

/** Whether the permit still stands; one that is too old, or of another policy, is made anew: where people had approved the call, they are asked again. */
async function stands(call: CallRecord, world: World): Promise<Answer> {
  const receipt = await permit(call, world);
  if (receipt.decision === "allow") {
    world.once = receipt.once ?? null;
    return PASSED;
  }
  if (!["receipt_expired", "receipt_mismatch"].includes(receipt.reason)) return PASSED;
  world.policy = await world.parts.policies.current(call.tenant);
  return askAgain(call, world);
}
