// What a caller's Idempotency-Key stands for: the call that came with it first, whose end is every retry's, and whether what it came to is an end.
import { createHash } from "node:crypto";
import { requireGoing } from "../approvals/stopped.ts";
import { GatewayError } from "../gateway.ts";
import { callKey, idempotencyKey, keyedKey } from "./keys.ts";
import type { Parts } from "./parts.ts";
import type { CallRecord, Proposal } from "./record.ts";

/** The call that a key stands for, and the version of the key's record. */
export interface Keyed {
  readonly call: CallRecord;
  readonly version: number;
}

/**
 * What a key stands for: the operation. What a person answers to its question (`confirmation`, `approvals`) and the history that is carried along are others
 * in a retry, which is the same operation all the same.
 */
export function bodyOf(call: Proposal): string {
  const { session, agent, tool, origins, turns, context, resource, principal, labels, undo, purpose } = call;
  return createHash("sha256").update(JSON.stringify([session, agent, tool, call.arguments, origins, turns, context, resource, principal, labels, undo, purpose])).digest("base64url");
}

/** The call that a proposal's key stands for; null without a key, or where it is new. Fails with `idempotency_key_reused` where it came with another operation. */
export async function keyed(call: Proposal, body: string, { engine }: Pick<Parts, "engine">): Promise<Keyed | null> {
  if (call.idempotencyKey === null) return null;
  const stored = await engine.get(call.tenant, idempotencyKey(call.caller, call.idempotencyKey));
  if (stored === null) return null;
  const known = JSON.parse(stored.value) as { call: string; body: string };
  if (known.body !== body) throw keyReused();
  const record = await engine.get(call.tenant, callKey(known.call));
  return record === null ? null : { call: JSON.parse(record.value) as CallRecord, version: stored.version };
}

/**
 * Whether the first call's end is the retry's. A pending call is the same call for its retry, which may bring the answer to its question; a check that asked
 * is decided anew once its retry brings the answer, or people have given one that no other check has used. Fails with `kill_switch` where it brings the answer and a switch stops
 * the call.
 */
export async function isFinal(first: CallRecord, retry: CallRecord, { approvals, kills }: Parts): Promise<boolean> {
  if (first.approval === null || !isPending(first)) return true;
  const approval = await approvals.approval(first.tenant, first.approval);
  if (first.purpose === "check") return approval === null || !(ANEW.has(approval.state) || (approval.state === "open" && retry.confirmation !== undefined));
  if (approval?.state === "open" && retry.confirmation !== undefined) {
    requireGoing(approval, kills);
    await approvals.confirmed(approval, retry);
  }
  return true;
}

/** What a question of a check has become where the check is decided anew under its key. */
const ANEW: ReadonlySet<string> = new Set(["approved", "denied", "expired"]);

/** Gives a retry's new key to the call that it attached to: the call is not made again for it later, whatever becomes of the question. */
export async function keyFor(retry: CallRecord, call: string, body: string, { engine }: Pick<Parts, "engine">): Promise<void> {
  const { tenant, caller, session, purpose } = retry;
  if (retry.idempotencyKey === null || purpose === "check") return;
  const key = idempotencyKey(caller, retry.idempotencyKey);
  const committed = await engine.commit({
    tenant,
    changes: [
      { key, value: JSON.stringify({ call, body }), expect: null },
      { key: keyedKey(session, caller, retry.idempotencyKey), value: "1" },
    ],
  });
  if (!committed.ok && committed.stored !== null && (JSON.parse(committed.stored.value) as { body: string }).body !== body) throw keyReused();
}

function isPending({ purpose, state, released }: CallRecord): boolean {
  if (purpose === "call") return state === "asked";
  return released !== null && (JSON.parse(released) as { decision?: string }).decision === "confirm";
}

/** The failure that a door tells where a key stands for another operation. */
function keyReused(): GatewayError {
  return new GatewayError(422, "idempotency_key_reused", "this Idempotency-Key came with another call: every call needs a key of its own");
}
