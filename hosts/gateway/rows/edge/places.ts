// The places a tool has for calls in hand at once, where gateways share a store: who has one and who waits is in the store, changed in the commits of the calls themselves.
import { callKey, placeKey, placePrefix, queueKey, queuePrefix } from "../../call/keys.ts";
import type { Parts } from "../../call/parts.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Takes a place at a call's tool, unless it has one; false where it has to wait. */
export async function hasPlace(call: CallRecord, world: World): Promise<boolean> {
  const { concurrency } = world.toolSettings(call.tool);
  return world.isShared ? takePlace(call, world, concurrency) : world.shared.slots.take(call.tenant, call.tool, call.id, concurrency);
}

/** Takes a place for a call in the unit of its next commit; false where it has to wait for one, which is in the unit too. First come, first served. */
async function takePlace(call: CallRecord, world: World, places: number): Promise<boolean> {
  const { engine } = world.parts;
  if (call.place !== undefined) return true;
  const [[head], taken] = await Promise.all([engine.list(call.tenant, queuePrefix(call.tool), { limit: 1 }), takenOf(call, world, places)]);
  if (head !== undefined && head.key !== queueKey(call.tool, call.id)) {
    // Those who wait are before this one; should the first of them be looked after by nobody, it is now.
    world.nudges = true;
    return waits(call, world, [head]);
  }
  const free = freeOf(new Set(taken.map(({ key }) => key)), call.tool, places);
  if (free === null) return waits(call, world, taken);
  call.place = free;
  world.unit.put(placeKey(call.tool, free), call.id, null);
  return true;
}

/** The record as it is kept: a call that is not being made any more has no place, and one that waits no more is not in the queue. What it gives up is put into the unit. */
export function withoutPlace(call: CallRecord, world: World, isEnd: boolean): CallRecord {
  if (call.place === undefined && call.queued === undefined) return call;
  const { place, queued, ...rest } = call;
  const isMade = call.state === "sending";
  if (place !== undefined && !isMade) world.unit.put(placeKey(call.tool, place), null);
  // One that waits for people or its turn holds nobody up.
  const leaves = queued !== undefined && (isMade || isEnd || world.heldFor !== "tool_busy");
  if (leaves) world.unit.put(queueKey(call.tool, call.id), null);
  world.frees ||= (place !== undefined && !isMade) || leaves;
  return { ...rest, ...(place !== undefined && isMade ? { place } : {}), ...(queued !== undefined && !leaves ? { queued } : {}) };
}

/** Hands over the call that is next at a tool. */
export async function wakeNext(parts: Parts, tenant: string, tool: string): Promise<void> {
  const { engine } = parts;
  for (;;) {
    const [head] = await engine.list(tenant, queuePrefix(tool), { limit: 1 });
    if (head === undefined) return;
    const id = head.key.slice(queuePrefix(tool).length);
    if ((await engine.get(tenant, callKey(id))) !== null) return engine.run(tenant, id);
    // Its session was erased.
    await engine.commit({ tenant, changes: [{ key: head.key, value: null }] });
  }
}

/** Puts a call in the queue, unless what it has to wait for is gone by its commit. */
function waits(call: CallRecord, world: World, until: readonly { readonly key: string; readonly version: number }[]): boolean {
  if (call.queued) return false;
  for (const { key, version } of until) world.unit.add({ key, expect: version });
  world.unit.put(queueKey(call.tool, call.id), "1", null);
  call.queued = true;
  return false;
}

async function takenOf(call: CallRecord, { parts }: World, places: number): Promise<readonly { readonly key: string; readonly version: number }[]> {
  const found: { key: string; version: number }[] = [];
  for (let after: string | undefined; found.length < places; ) {
    const page = await parts.engine.list(call.tenant, placePrefix(call.tool), after === undefined ? { limit: 1000 } : { limit: 1000, after });
    found.push(...page.map(({ key, version }) => ({ key, version })));
    after = page.at(-1)?.key;
    if (page.length < 1000) break;
  }
  return found;
}

/** A free place, looked for from anywhere: two that look at once do not often want the same. */
function freeOf(taken: ReadonlySet<string>, tool: string, places: number): number | null {
  const first = Math.floor(Math.random() * places);
  for (let at = 0; at < places; at++) {
    const place = (first + at) % places;
    if (!taken.has(placeKey(tool, place))) return place;
  }
  return null;
}
