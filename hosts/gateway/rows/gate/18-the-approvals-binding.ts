// Row 18, the approval's binding: an approval is bound to the policy and the tool's listing as they were when people were asked; where either changed, they are asked again.
import { stillBinds } from "../../approvals/binding.ts";
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { said } from "./13-the-policys-decision.ts";
import { ask } from "./asking.ts";

/** Asks again with `approval_outdated`: the call is decided anew, and a new question opened where it still asks. */
export async function theApprovalsBinding(call: CallRecord, world: World): Promise<Answer> {
  const { approval } = world;
  if (call.approval === null || approval === null || isPermitted(call)) return PASSED;
  world.policy = await world.parts.policies.current(call.tenant);
  const listing = (await world.parts.listings.standing(call.tenant, call.tool))?.approved?.digest ?? null;
  if (stillBinds(approval, { policy: world.policy.id, listing, digest: call.digest })) return PASSED;
  call.listing = listing;
  return askAgain(call, world);
}

/** Decides the call anew, without the approval it had. */
export async function askAgain(call: CallRecord, world: World): Promise<Answer> {
  const { approval } = world;
  if (approval !== null) for (const change of await world.parts.approvals.spent(approval)) world.unit.add(change);
  const answered = await world.decide(call, null);
  if (answered.decided.decision === "refuse") return said(answered);
  const escalated = approval !== null && approval.confirmation === "";
  if (answered.decided.decision === "confirm" || escalated) return ask(call, world);
  call.approval = null;
  world.approval = null;
  return { answer: "records", detail: { asks: "no longer" } };
}

/** Whether the final check was made already: the call was stopped between that and its being made. */
export function isPermitted({ decided }: CallRecord): boolean {
  return decided?.decision === "allow" && decided.reason === "confirmed";
}
