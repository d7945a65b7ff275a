// Row 3, the turn: a call joins its turn's cohort before anything is awaited, if it may ask or is not a plain read.
import { type Answer, PASSED } from "../../call/answer.ts";
import { idempotencyKey, turnKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import type { Place } from "./turns.ts";

/** Joins the cohort; decides nothing. In this process it joins at once; where workers share the engine, the others are told before anything is decided. */
export function theTurn(call: CallRecord, world: World): Answer | Promise<Answer> {
  const tool = world.tool(call.tool);
  call.read = tool?.effect === "read";
  if (call.door === "undo" || (call.read && !mayAsk(call, world))) return PASSED;
  const { turns } = world.shared;
  // What a person's edit makes stands in the place of the call that was edited.
  call.cohort ??= turns.nameFor(call.tenant, call.session, call.turn, call.id);
  turns.join(call.tenant, call.session, call.cohort, call.id);
  const joined: Answer = { answer: "records", detail: call.turn === null ? { cohort: "in_hand" } : { cohort: "turn" } };
  return world.handsOver ? tellOthers(call, call.cohort, world).then(() => joined) : joined;
}

async function tellOthers(call: CallRecord, cohort: string, world: World): Promise<void> {
  const key = turnKey(call.session, cohort, call.id);
  const place: Place = { as: "deciding", at: world.now(), ...(call.idempotencyKey === null ? {} : { key: idempotencyKey(call.caller, call.idempotencyKey) }) };
  await world.parts.engine.commit({ tenant: call.tenant, changes: [{ key, value: JSON.stringify(place) }] });
}

/** Whether a rule may ask about the tool, or a hook that may escalate sees its calls. */
function mayAsk(call: CallRecord, world: World): boolean {
  if (world.policy.asks.has(call.tool)) return true;
  return world.tenant.hooks.some(({ when, tools }) => when === "pre" && (tools.includes("*") || tools.includes(call.tool)));
}
