// Row 19, the long-wait re-check: a yes that came after more than the tenant's threshold is checked again with what is in force now. It only refuses.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { wouldAnswer } from "../../sessions/decide.ts";
import { killed } from "../node/38-kill-switches.ts";
import { said } from "./13-the-policys-decision.ts";
import { isPermitted } from "./18-the-approvals-binding.ts";

/** Refuses with the core's reason, `kill_switch`, `listing_not_approved` or `tool_not_there`; the detail says `long_wait`. */
export async function longWaitReCheck(call: CallRecord, world: World): Promise<Answer> {
  const { approval } = world;
  if (call.approval === null || approval === null || isPermitted(call)) return PASSED;
  const waited = world.now() - approval.askedAt;
  if (waited <= world.tenant.approvals.longWaitSeconds * 1000) return PASSED;
  const detail = { long_wait: true };
  const kill = killed(call, world);
  if (kill !== null) return { ...kill, detail: { ...kill.detail, ...detail } };
  if (call.purpose === "call") {
    const listed = await world.parts.upstream.tool(call.tenant, call.tool);
    if (listed === null) return { answer: "refuse", reason: "tool_not_there", message: "The tool of this call is not there any more.", detail };
    const standing = await world.parts.listings.standing(call.tenant, call.tool);
    if (standing?.approved?.digest !== listed.digest) {
      return { answer: "refuse", reason: "listing_not_approved", message: "The tool's description changed, and nobody has approved the new one yet.", detail };
    }
  }
  const kept = await world.session(call);
  const cover = approval.confirmation === "" ? null : world.parts.approvals.cover(approval);
  const answered = wouldAnswer(call, kept, world.policy, world.now(), cover);
  if (answered.decided.decision !== "refuse") return { answer: "passed", detail };
  const refusal = said(answered);
  return refusal.answer === "refuse" ? { ...refusal, detail: { ...refusal.detail, ...detail } } : refusal;
}
