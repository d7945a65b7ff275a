// The calls of a gateway: makes a record of a proposal, walks it, waits for its end, and takes calls up again when the engine hands them over.
import type { ApprovalRecord } from "../approvals/record.ts";
import { GatewayError } from "../gateway.ts";
import { cancelledBy, foundRecord, tellLate } from "./sharing.ts";
import { type Shared, World } from "./world.ts";
import { bodyOf, isFinal, keyed, keyFor } from "./by-key.ts";
import { Fenced, KeyTaken, Moved, PermitSpent, TwinUnknown } from "./keep.ts";
import { attachedPrefix, callKey, turnKey } from "./keys.ts";
import { hasEnded, outcomeOf } from "./outcome.ts";
import type { CallRecord, Outcome, Proposal } from "./record.ts";
import { receiptSentence } from "./sentences.ts";
import { walk } from "./walk.ts";
import { wakeNext } from "../rows/edge/places.ts";
import { placesOf } from "../rows/gate/21-the-turns-barrier.ts";

/** So often others may move what a call is decided by. Each of them made progress. */
const ATTEMPTS = 64;

export class Calls {
  readonly #shared: Shared;
  readonly #cancel: (tenant: string, call: string, by: string) => Promise<void>;
  /** What is being done with a call here, so that two passes of one process never overlap. */
  readonly #active = new Map<string, Promise<void>>();

  /** @param cancel withdraws a call that is not made yet */
  constructor(shared: Shared, cancel: (tenant: string, call: string, by: string) => Promise<void>) {
    this.#shared = shared;
    this.#cancel = cancel;
  }

  /** The way of a call. */
  async call(proposal: Proposal, signal: AbortSignal | undefined, replaced: CallRecord | null = null): Promise<Outcome> {
    const { parts, turns } = this.#shared;
    const tenant = World.tenantOf(parts, proposal.tenant);
    const policy = await parts.policies.current(proposal.tenant);
    const call = recordOf(proposal, parts.ids(), parts.clock(), replaced);
    const world = new World(this.#shared, call, tenant, policy, null, signal ?? null);
    world.body = bodyOf(proposal);
    world.handsOver = parts.engine.name !== "embedded";
    const known = await keyed(call, world.body, parts);
    if (known !== null && (await isFinal(known.call, call, parts))) return this.#end(known.call, call.waitMs, signal);
    world.keyVersion = known?.version ?? null;
    try {
      await this.#exclusive(call.id, () => this.#pass(call, world));
      if (world.attachedTo !== null) {
        await keyFor(call, world.attachedTo, world.body, parts);
        return await this.#attached(call, world.attachedTo, signal);
      }
      return await cancelledBy(signal, call, this.#shared, () => this.#end(call, call.waitMs, signal));
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
      const first = await keyed(call, world.body, parts);
      if (first === null) throw new GatewayError(503, "session_busy", "the first call with this Idempotency-Key is gone: send the call again");
      return await this.#end(first.call, call.waitMs, signal);
    } finally {
      if (call.cohort !== null) turns.letGo(call.tenant, call.session, call.cohort, call.id);
    }
  }

  /** Proposes a call under the id that it was given: one that a person's edit makes in the place of another, or a compensation. Its end is not waited for. */
  async propose(proposal: Proposal, replaced: CallRecord | null, id: string): Promise<void> {
    const { parts, turns } = this.#shared;
    const tenant = World.tenantOf(parts, proposal.tenant);
    const call = recordOf(proposal, id, parts.clock(), replaced);
    const world = new World(this.#shared, call, tenant, await parts.policies.current(proposal.tenant), null, null);
    world.handsOver = parts.engine.name !== "embedded";
    try {
      await this.#exclusive(id, () => this.#pass(call, world));
    } finally {
      if (call.cohort !== null) turns.letGo(call.tenant, call.session, call.cohort, call.id);
    }
  }

  /** Runs a call that the engine hands over: goes on behind the last row that passed. */
  async run(tenant: string, id: string): Promise<void> {
    await this.#exclusive(id, async () => {
      const { parts } = this.#shared;
      const stored = await foundRecord(parts, tenant, id);
      if (stored === null) return;
      const call = JSON.parse(stored.value) as CallRecord;
      if (hasEnded(call)) return this.#wakeTurn(call);
      if (call.state === "unknown") return;
      if (call.purpose === "check") await this.#wakeAttached(call);
      const world = new World(this.#shared, call, World.tenantOf(parts, tenant), await parts.policies.current(tenant), stored.version, null);
      await this.#pass(call, world);
    });
  }

  async outcome(tenant: string, id: string, waitMs: number, signal: AbortSignal | undefined): Promise<Outcome | null> {
    const stored = await this.#shared.parts.engine.get(tenant, callKey(id));
    return stored === null ? null : this.#wait(JSON.parse(stored.value) as CallRecord, stored.version, waitMs, signal);
  }

  /** The outcome for somebody who only looks: a call that is being made is not waited for once the signal aborts; null then. */
  async looked(tenant: string, id: string, waitMs: number, signal: AbortSignal | undefined): Promise<Outcome | null> {
    const stored = await this.#shared.parts.engine.get(tenant, callKey(id));
    return stored === null ? null : this.#wait(JSON.parse(stored.value) as CallRecord, stored.version, waitMs, signal, true);
  }

  /** One pass, again from its start where others moved what it was decided by. */
  async #pass(call: CallRecord, world: World): Promise<void> {
    const { parts, turns, slots, running } = this.#shared;
    running.set(call.id, world.stop);
    if (call.approval !== null) world.approval = await parts.approvals.approval(call.tenant, call.approval);
    const wasAsked = call.state === "asked";
    const isNew = world.version === null;
    // Rows put other values in the place of members, and change none of them but the trace.
    const copyOf = (one: CallRecord): CallRecord => ({ ...one, trace: [...one.trace] });
    let before = copyOf(call);
    world.onHooksPassed = () => {
      before = copyOf(call);
    };
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          await walk(call, world);
          break;
        } catch (error) {
          if (error instanceof Fenced) return await tellLate(call, this.#shared);
          const known = error instanceof Moved || error instanceof PermitSpent || error instanceof TwinUnknown;
          if (known && attempt >= ATTEMPTS) throw new GatewayError(503, "session_busy", "others keep moving this session's head: nothing was decided, try again", { cause: error });
          if (error instanceof PermitSpent) world.blocked = { answer: "refuse", reason: "receipt_spent", message: receiptSentence("receipt_spent") };
          else if (error instanceof TwinUnknown) world.blocked = { answer: "refuse", reason: "outcome_unknown", message: TWIN, detail: { call: error.twin } };
          else if (!known) throw error;
          for (const member of Object.keys(call)) delete (call as unknown as Record<string, unknown>)[member];
          Object.assign(call, copyOf(before));
          world.again();
        }
      }
    } finally {
      running.delete(call.id);
      world.unit.clear();
      world.leave();
      if (call.cohort !== null) for (const id of turns.decided(call.tenant, call.session, call.cohort, call.id)) world.wake(id);
      if (call.trace.at(-1)?.reason !== "tool_busy") {
        const next = slots.free(call.tenant, call.tool, call.id);
        if (next !== null) world.wake(next);
      }
      if (world.frees || world.nudges) await wakeNext(parts, call.tenant, call.tool);
      for (const id of world.awake) await parts.engine.run(call.tenant, id);
      if (isNew && world.handsOver) await this.#decidedHere(call, world);
      if (world.wakesAt !== null && world.version !== null) await parts.engine.runAt(call.tenant, call.id, world.wakesAt);
      if (world.version !== null && (hasEnded(call) || (wasAsked && call.state !== "asked"))) await this.#wakeTurn(call);
      if (call.state === "asked" && world.approval !== null) await parts.engine.runAt(call.tenant, call.id, world.approval.expiresAt);
    }
  }

  /** Where workers share the engine: the others of the turn are told that the call is decided, also where nothing was kept of it. */
  async #decidedHere(call: CallRecord, { version }: World): Promise<void> {
    if (call.cohort === null) return;
    if (version === null) await this.#shared.parts.engine.commit({ tenant: call.tenant, changes: [{ key: turnKey(call.session, call.cohort, call.id), value: null }] });
    await this.#wakeWaiting(call);
  }

  /** Calls of the turn that waited for this one's answer go on. */
  async #wakeTurn(call: CallRecord): Promise<void> {
    if (call.approval !== null) await this.#wakeWaiting(call);
  }

  async #wakeWaiting(call: CallRecord): Promise<void> {
    if (call.cohort === null) return;
    const { engine } = this.#shared.parts;
    for (const { id, place } of await placesOf(call, call.cohort, this.#shared)) {
      if (id === call.id || (place.as !== "waiting" && place.waits !== true)) continue;
      const other = await engine.get(call.tenant, callKey(id));
      if (other !== null && !hasEnded(JSON.parse(other.value) as CallRecord)) await engine.run(call.tenant, id);
    }
  }

  /** Calls that attached to the question of a call that only was to be decided go on. */
  async #wakeAttached(call: CallRecord): Promise<void> {
    if (call.approval === null) return;
    const { engine } = this.#shared.parts;
    const prefix = attachedPrefix(call.approval);
    for (const { key } of await engine.list(call.tenant, prefix)) await engine.run(call.tenant, key.slice(prefix.length));
  }

  /** The end of the call that a retry attached to; given once, after which the same call is a new one. */
  async #attached(retry: CallRecord, id: string, signal: AbortSignal | undefined): Promise<Outcome> {
    const outcome = await this.outcome(retry.tenant, id, retry.waitMs, signal);
    if (outcome === null) return { kind: "pending", call: retry, approval: retry.approval ?? "", question: null, expiresAt: 0 };
    return outcome;
  }

  /** The call's end, which is waited for; `pending` where people are asked for longer. */
  async #end(call: CallRecord, waitMs: number, signal: AbortSignal | undefined): Promise<Outcome> {
    const now = outcomeOf(call, null);
    if (now !== null) {
      await this.#delivered(call);
      return now;
    }
    const outcome = await this.outcome(call.tenant, call.id, waitMs, signal);
    if (outcome !== null) return outcome;
    // What waits for no person and is not made yet is not made for a client that has cancelled it. What people are asked about is found again by a retry.
    if (call.approval === null && call.state === "admitted") await this.#cancel(call.tenant, call.id, call.caller);
    const ended = await this.outcome(call.tenant, call.id, 0, signal);
    if (ended !== null && hasEnded(ended.call)) return ended;
    throw new GatewayError(499, "cancelled", "the client stopped waiting: the call goes on, and its outcome can be asked for", { detail: { call: call.id } });
  }

  async #wait(first: CallRecord, version: number, waitMs: number, signal: AbortSignal | undefined, looks = false): Promise<Outcome | null> {
    const { engine, clock } = this.#shared.parts;
    const until = clock() + waitMs;
    let call = first;
    for (let seen = version; ; ) {
      const ended = outcomeOf(call, null);
      if (ended !== null) {
        await this.#delivered(call);
        return ended;
      }
      const asked = await this.#askedFor(call);
      const left = until - clock();
      const pending = outcomeOf(call, asked);
      if (pending !== null && (left <= 0 || signal?.aborted)) return pending;
      // What goes on by itself ends by itself: a call in hand is waited for as long as its tool may take. One that is being made was told of the cancellation.
      const sending = call.state === "sending" && !looks;
      if (pending === null && signal?.aborted && !sending) return null;
      const changed = await engine.changed(call.tenant, callKey(call.id), seen, pending === null ? Math.max(left, STEP) : left, sending ? undefined : signal);
      if (changed === null) {
        const again = await engine.get(call.tenant, callKey(call.id));
        if (again === null) return null;
        call = JSON.parse(again.value) as CallRecord;
        seen = again.version;
        continue;
      }
      call = JSON.parse(changed.value) as CallRecord;
      seen = changed.version;
    }
  }

  /** The question that a call waits for: its own, or that of another call of its turn. */
  async #askedFor(call: CallRecord): Promise<ApprovalRecord | null> {
    const { parts } = this.#shared;
    if (call.approval !== null) {
      const own = await parts.approvals.approval(call.tenant, call.approval);
      if (own?.state === "open") return own;
    }
    if (call.cohort === null || (call.state !== "admitted" && call.state !== "asked")) return null;
    for (const { id, place } of await placesOf(call, call.cohort, this.#shared)) {
      if (place.as !== "asked" || id === call.id) continue;
      const other = await parts.engine.get(call.tenant, callKey(id));
      const approval = other === null ? null : (JSON.parse(other.value) as CallRecord).approval;
      const found = approval === null ? null : await parts.approvals.approval(call.tenant, approval);
      if (found?.state === "open") return found;
    }
    return null;
  }

  /** The end of an approved call reached its client: the same call after that is a new one, and asks anew. A denial stays. */
  async #delivered(call: CallRecord): Promise<void> {
    const { parts } = this.#shared;
    if (call.approval === null || call.purpose === "check" || call.state === "denied" || !hasEnded(call)) return;
    const approval = await parts.approvals.approval(call.tenant, call.approval);
    if (approval === null) return;
    const changes = await parts.approvals.spent(approval);
    if (changes.length > 0) await parts.engine.commit({ tenant: call.tenant, changes });
  }

  async #exclusive(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#active.get(id);
    const now = (async () => {
      await before?.catch(() => undefined);
      await work();
    })();
    this.#active.set(id, now);
    try {
      await now;
    } finally {
      if (this.#active.get(id) === now) this.#active.delete(id);
    }
  }
}

/** A call in hand is looked at again after so many milliseconds, should a change not be told. */
const STEP = 5_000;

const TWIN = "Whether an equal call before this one ran is not known, so this one is not made. A person has to settle the first.";

function recordOf(proposal: Proposal, id: string, at: number, replaced: CallRecord | null): CallRecord {
  // Not a literal that begins with a spread and goes on: V8 takes eighty times as long for one of this size.
  return Object.assign({}, proposal, {
    id,
    createdAt: at,
    state: "proposed" as const,
    row: "",
    cohort: replaced?.cohort ?? null,
    read: false,
    canonical: null,
    digest: null,
    decided: null,
    approval: null,
    listing: null,
    operation: null,
    sent: null,
    released: null,
    refusal: null,
    replaces: replaced?.id ?? null,
    trace: [],
  });
}
