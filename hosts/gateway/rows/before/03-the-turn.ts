// Row 3, the turn: a call joins its turn's cohort before anything is awaited, if it may ask or is not a plain read.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Joins the cohort; decides nothing. Has to be synchronous: calls that come together join before any of them waits. */
export function theTurn(call: CallRecord, world: World): Answer {
  const tool = world.tool(call.tool);
  call.read = tool?.effect === "read";
  if (call.read && !mayAsk(call, world)) return PASSED;
  const { turns } = world.shared;
  call.cohort = turns.nameFor(call.tenant, call.session, call.turn, call.id);
  turns.join(call.tenant, call.session, call.cohort, call.id);
  return { answer: "records", detail: call.turn === null ? { cohort: "in_hand" } : { cohort: "turn" } };
}

/** Whether a rule may ask about the tool, or a hook that may escalate sees its calls. */
function mayAsk(call: CallRecord, world: World): boolean {
  if (world.policy.asks.has(call.tool)) return true;
  return world.tenant.hooks.some(({ when, tools }) => when === "pre" && (tools.includes("*") || tools.includes(call.tool)));
}
