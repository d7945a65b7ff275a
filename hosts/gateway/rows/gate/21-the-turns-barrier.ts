// Row 21, the turn's barrier: a call that is not a plain read waits for its turn's decisions, and is not made when one was denied.
import { type Answer, PASSED } from "../../call/answer.ts";
import { callKey, idempotencyKey, turnKey, turnPrefix } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { DECIDING_MS, type Place } from "../before/turns.ts";
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
  let waits = false;
  for (const { id, place, version } of await placesOf(call, call.cohort, world)) {
    if (id === call.id || place.as === "waiting") continue;
    if (place.as === "deciding") {
      const until = place.at + DECIDING_MS;
      if (until <= world.now() || isTriedAgain(place, call)) continue;
      // The worker that decides it wakes those who wait; it is not believed for ever.
      world.unit.add({ key: turnKey(call.session, call.cohort, id), expect: version });
      world.wakesAt = until;
      await holdUp(call, call.cohort, world, "waiting");
      return { answer: "hold", reason: "turn_undecided" };
    }
    const other = await world.parts.engine.get(call.tenant, callKey(id));
    const state = other === null ? null : (JSON.parse(other.value) as CallRecord).state;
    if (state === "denied") {
      return { answer: "refuse", reason: "turn_denied", message: "A person said no to another call of the same turn, so this one is not made either.", detail: { call: id } };
    }
    if (other === null || state !== "asked" || (await isAnswered(other.value, world))) continue;
    // Whoever ends the other wakes those who wait by then: should it end before this is kept, it is looked at again.
    world.unit.add({ key: callKey(id), expect: other.version });
    waits = true;
  }
  if (!waits) return PASSED;
  await holdUp(call, call.cohort, world, "waiting");
  return { answer: "hold", reason: "turn_undecided" };
}

/** The calls of a turn that the engine knows of. */
export async function placesOf({ tenant, session }: CallRecord, cohort: string, { parts }: Pick<World, "parts">): Promise<readonly { readonly id: string; readonly place: Place; readonly version: number }[]> {
  const prefix = turnPrefix(session, cohort);
  const found: { id: string; place: Place; version: number }[] = [];
  for (let after: string | undefined; ; ) {
    const page = await parts.engine.list(tenant, prefix, after === undefined ? { limit: 1000 } : { limit: 1000, after });
    for (const { key, value, version } of page) found.push({ id: key.slice(prefix.length), place: JSON.parse(value) as Place, version });
    after = page.at(-1)?.key;
    if (page.length < 1000) return found;
  }
}

/** Whether a place is of an earlier try of the same call. */
function isTriedAgain({ key }: Place, { caller, idempotencyKey: given }: CallRecord): boolean {
  return key !== undefined && given !== null && key === idempotencyKey(caller, given);
}

/** Whether people have approved a call that has not gone on yet: two calls of one turn would else wait for each other. */
async function isAnswered(record: string, world: World): Promise<boolean> {
  const { tenant, approval } = JSON.parse(record) as CallRecord;
  if (approval === null) return false;
  const found = await world.parts.approvals.approval(tenant, approval);
  return found !== null && found.state !== "open" && found.state !== "denied";
}
