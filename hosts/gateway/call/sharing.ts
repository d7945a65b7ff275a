// Where gateways share a store: a call that another may be making is waited for, an answer that came late settles what was in doubt, and a cancellation reaches whichever makes the call.
import type { Stored } from "../engine/port.ts";
import { Fenced } from "./keep.ts";
import { callKey, cancelKey } from "./keys.ts";
import type { Parts } from "./parts.ts";
import type { CallRecord } from "./record.ts";
import { walk } from "./walk.ts";
import { isShared, type Shared, World } from "./world.ts";

/** A call in the middle of being made may be another gateway's, that the engine lost sight of: so long its outcome is waited for, in milliseconds. */
const GRACE = 3_000;

/** The record that a run finds: of a call that is being made, after a moment in which whoever makes it may have kept its outcome. */
export async function foundRecord(parts: Parts, tenant: string, id: string): Promise<Stored | null> {
  const stored = await parts.engine.get(tenant, callKey(id));
  if (stored === null || !isShared(parts) || (JSON.parse(stored.value) as CallRecord).state !== "sending") return stored;
  return (await parts.engine.changed(tenant, callKey(id), stored.version, GRACE)) ?? stored;
}

/**
 * Takes in the outcome of a call that was made here, where another run has said meanwhile that nobody knows it: the outcome is known after all.
 * What a person settled stays.
 */
export async function tellLate({ tenant, id, operation, sent }: CallRecord, shared: Shared): Promise<void> {
  if (sent === null || sent.status === "outcome_unknown") return;
  const { parts } = shared;
  for (;;) {
    const stored = await parts.engine.get(tenant, callKey(id));
    const call = stored === null ? null : (JSON.parse(stored.value) as CallRecord);
    if (call === null || call.state !== "unknown" || call.operation !== operation) return;
    Object.assign(call, { sent, state: "sending" });
    const world = new World(shared, call, World.tenantOf(parts, tenant), await parts.policies.current(tenant), stored!.version, null);
    world.settles = true;
    try {
      return await walk(call, world);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
    } finally {
      world.unit.clear();
      world.leave();
    }
  }
}

/** Cancels a call at the tool: here where it is made here, else at the gateway that makes it, or is about to. */
export async function cancelMaking({ parts, running }: Shared, tenant: string, id: string, by: string): Promise<void> {
  const here = running.get(id);
  if (here !== undefined) here.abort();
  else if (isShared(parts)) await parts.engine.commit({ tenant, changes: [{ key: cancelKey(id), value: by }] });
}

/** Tells of a cancellation that another gateway took, until `signal` aborts. */
export async function cancelledElsewhere({ tenant, id }: CallRecord, parts: Parts, withinMs: number, signal: AbortSignal): Promise<boolean> {
  if (!isShared(parts)) return false;
  return (await parts.engine.changed(tenant, cancelKey(id), 0, withinMs, signal).catch(() => null)) !== null;
}

/** Does some work while a client waits; where the call is made in a run of its own, the client's cancellation reaches it there. */
export async function cancelledBy<T>(signal: AbortSignal | undefined, { tenant, id, caller }: CallRecord, shared: Shared, work: () => Promise<T>): Promise<T> {
  const { engine } = shared.parts;
  if (signal === undefined || !isShared(shared.parts)) return work();
  const cancel = (): void => {
    void engine
      .get(tenant, callKey(id))
      .then(async (stored) => {
        const state = stored === null ? null : (JSON.parse(stored.value) as CallRecord).state;
        if (state === "admitted" || state === "sending") await cancelMaking(shared, tenant, id, caller);
      })
      // The engine is gone: the call goes on, as its client is told.
      .catch(() => undefined);
  };
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
