// Keeps a call: its record by compare and set, with everything its rows put into the unit, in one commit.
import { numberUsed } from "../rows/gate/key-argument.ts";
import { reportStep } from "../sessions/report.ts";
import { auditBody } from "./audit.ts";
import { withoutPlace } from "../rows/edge/places.ts";
import { callKey, callOfKey, cancelKey, idempotencyKey, onceKey, openKey, turnKey, unknownKey } from "./keys.ts";
import type { CallRecord } from "./record.ts";
import type { World } from "./world.ts";

/** Others moved what a decision was made by: the session's head, or its turn. Nothing was kept. */
export class Moved extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`others moved ${key}`);
    this.key = key;
  }
}

/** Another run has the call: this one stops, and leaves it alone. */
export class Fenced extends Error {}

/** The same Idempotency-Key was used by a call that was kept first. */
export class KeyTaken extends Error {}

/** The permit was spent by another call. */
export class PermitSpent extends Error {}

/** An equal call's outcome is unknown. */
export class TwinUnknown extends Error {
  readonly twin: string;
  constructor(twin: string) {
    super("an equal call's outcome is unknown");
    this.twin = twin;
  }
}

/** Commits the unit with the call's record. The session's turn ends. Throws one of the errors above where an expectation does not hold. */
export async function keep(call: CallRecord, world: World, then: "open" | "ended" = "open"): Promise<void> {
  const { unit } = world;
  const key = callKey(call.id);
  const isNew = world.version === null;
  const record = withoutPlace(call, world, then === "ended");
  unit.put(key, JSON.stringify(record), world.version);
  if (world.isShared && (call.sent !== null || then === "ended")) unit.put(cancelKey(call.id), null);
  if (isNew && then === "open") unit.put(openKey(call.id), JSON.stringify({ at: call.createdAt }), null);
  if (!isNew && then === "ended") unit.put(openKey(call.id), null);
  if (isNew) unit.put(callOfKey(call.session, call.id), "1", null);
  if (world.handsOver && isNew && call.cohort !== null && !unit.has(turnKey(call.session, call.cohort, call.id))) unit.put(turnKey(call.session, call.cohort, call.id), null);
  if (isNew && call.idempotencyKey !== null) unit.put(idempotencyKey(call.caller, call.idempotencyKey), JSON.stringify({ call: call.id, body: world.body }), world.keyVersion);
  try {
    const committed = await unit.commit(world.parts.engine);
    if (committed.ok) {
      world.version = committed.versions[key] ?? world.version;
      if (record.place === undefined) delete call.place;
      if (record.queued === undefined) delete call.queued;
      return;
    }
    throw conflict(call, committed.key, committed.stored?.value ?? null, world);
  } finally {
    world.leave();
  }
}

function conflict(call: CallRecord, key: string, stored: string | null, world: World): Error {
  if (key === callKey(call.id)) return new Fenced("another run has this call");
  if (call.idempotencyKey !== null && key === idempotencyKey(call.caller, call.idempotencyKey)) return new KeyTaken("the key was used");
  if (world.once !== null && key === onceKey(world.once)) return new PermitSpent("the permit was spent");
  if (call.digest !== null && key === unknownKey(call.session, call.agent, call.tool, call.digest)) return new TwinUnknown(stored ?? "");
  return new Moved(key);
}

/** Puts a call's outcome into the history and the log, in the session's turn. */
export async function tellOutcome(call: CallRecord, world: World, then: "going on" | "ended" | "unknown" | "settled"): Promise<void> {
  if (!world.told) await tellSent(call, world, then);
  if (then === "ended" && call.refusal?.reason === "result_withheld") world.unit.tell(auditBody(world, call, "call.withheld", { actor: "gateway", row: call.refusal.row }));
}

async function tellSent(call: CallRecord, world: World, then: "going on" | "ended" | "unknown" | "settled"): Promise<void> {
  const { sent, decided } = call;
  if (sent === null) return;
  if (then === "unknown") {
    if (call.digest !== null) world.unit.put(unknownKey(call.session, call.agent, call.tool, call.digest), call.id);
    await numberUsed(call, world, "unknown");
    world.unit.tell(auditBody(world, call, "call.outcome_unknown", ended(call)));
    return;
  }
  if (decided?.decision === "allow" && decided.step !== null) {
    const kept = await world.session(call);
    reportStep(world, kept, decided.step, { status: sent.status, fields: sent.fields, externalId: sent.externalId });
  }
  // What a person settled, the external system did not confirm: the log says only who settled it.
  if (then !== "settled") world.unit.tell(auditBody(world, call, EVENTS[sent.status], ended(call)));
  world.unit.onKept(() => {
    world.told = true;
  });
}

const EVENTS = { ran: "call.confirmed", failed: "call.failed", outcome_unknown: "call.outcome_unknown" } as const;

function ended({ sent }: CallRecord): { actor: string; start?: number; end?: number; status?: "ran" | "failed" | "outcome_unknown"; external_id?: string; detail?: Record<string, unknown> } {
  if (sent === null) return { actor: "gateway" };
  const { startedAt, endedAt, status, externalId, error } = sent;
  return { actor: "gateway", start: startedAt, end: endedAt, status, ...(externalId === undefined ? {} : { external_id: externalId }), ...(error === undefined ? {} : { detail: { error: error.code } }) };
}
