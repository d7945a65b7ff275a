// Row 34, the binding: the policy and the tool's snapshot are those that the call was decided under. (An edited call was checked against the schema from the start.)
import { gateRow } from "interlock";
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `binding_changed`; the agent may propose the call again, which decides it anew. */
export async function theBinding(call: CallRecord, world: World): Promise<Answer> {
  if (world.observes) return PASSED;
  const { id } = await world.parts.policies.current(call.tenant);
  const answered = gateRow("34", { decided: call.decided?.policy ?? null, policy: id });
  if (answered.answer === "passed") return PASSED;
  return { answer: "refuse", reason: answered.reason, message: "The policy changed after this call was decided. Propose the call again." };
}
