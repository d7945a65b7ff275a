// Row 21, the turn's barrier: a call that is not a plain read waits for its turn's decisions, and is not made when one was denied.
import { type Answer, PASSED } from "../../call/answer.ts";
import { callKey, turnKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import type { TurnRecord } from "../before/turns.ts";
import { holdUp } from "./asking.ts";

/** Holds with `turn_undecided`; refuses with `turn_denied`. */
export async function theTurnsBarrier(call: CallRecord, world: World): Promise<Answer> {
  if (call.cohort === null || call.read || call.purpose === "check" || world.observes) return PASSED;
  const { turns } = world.shared;
  for (const ready of turns.decided(call.tenant, call.session, call.cohort, call.id)) world.wake(ready);
  if (turns.isDeciding(call.tenant, call.session, call.cohort, call.id)) {
    turns.wait(call.tenant, call.session, call.cohort, call.id);
    return { answer: "hold", reason: "turn_undecided" };
  }
  const stored = await world.parts.engine.get(call.tenant, turnKey(call.session, call.cohort));
  if (stored === null) return PASSED;
  let waits = false;
  for (const id of (JSON.parse(stored.value) as TurnRecord).asked) {
    if (id === call.id) continue;
    const other = await world.parts.engine.get(call.tenant, callKey(id));
    const state = other === null ? null : (JSON.parse(other.value) as CallRecord).state;
    if (state === "denied") {
      return { answer: "refuse", reason: "turn_denied", message: "A person said no to another call of the same turn, so this one is not made either.", detail: { call: id } };
    }
    waits ||= state === "asked" && !(await isAnswered(other?.value as string, world));
  }
  if (!waits) return PASSED;
  await holdUp(call, call.cohort, world, "waiting");
  return { answer: "hold", reason: "turn_undecided" };
}

/** Whether people have approved a call that has not gone on yet: two calls of one turn would else wait for each other. */
async function isAnswered(record: string, world: World): Promise<boolean> {
  const { tenant, approval } = JSON.parse(record) as CallRecord;
  if (approval === null) return false;
  const found = await world.parts.approvals.approval(tenant, approval);
  return found !== null && found.state !== "open" && found.state !== "denied";
}
