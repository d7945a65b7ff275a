// What people do with calls from outside: settle one whose outcome is unknown, cancel one, and approve one with other arguments.
import type { ApprovalRecord } from "../approvals/record.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { auditBody } from "./audit.ts";
import type { Calls } from "./calls.ts";
import { keep, Moved, tellOutcome } from "./keep.ts";
import { callKey, unknownKey } from "./keys.ts";
import type { CallRecord, Outcome } from "./record.ts";
import { hasEnded } from "./outcome.ts";
import { type Shared, World } from "./world.ts";

export class Settling {
  readonly #shared: Shared;
  readonly #calls: Calls;

  constructor(shared: Shared, calls: Calls) {
    this.#shared = shared;
    this.#calls = calls;
  }

  /** Settles a call whose outcome is unknown. Fails with `call_not_found`, `call_not_unknown`. */
  async settle(caller: Caller, id: string, status: "ran" | "failed", why: string): Promise<CallRecord> {
    for (;;) {
      const [call, version] = await this.#load(caller.tenant, id);
      if (call.state !== "unknown" || call.sent === null) throw new GatewayError(409, "call_not_unknown", "the outcome of this call is not unknown");
      const world = await this.#world(call, version);
      call.sent = { ...call.sent, status };
      call.state = "done";
      call.released = JSON.stringify({ settled: { status, why } });
      call.row = "46";
      try {
        await tellOutcome(call, world, "ended");
        world.unit.tell(auditBody(world, call, "call.settled", { actor: caller.name, status, why }));
        if (call.digest !== null) world.unit.put(unknownKey(call.session, call.agent, call.tool, call.digest), null);
        await keep(call, world, "ended");
        return call;
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
      } finally {
        world.unit.clear();
        world.leave();
      }
    }
  }

  /** Cancels a call: at the tool where it is being made, and before that it is withdrawn. One that has ended stays as it is. Fails with `call_not_found`. */
  async cancel(tenant: string, id: string, by: string): Promise<void> {
    const running = this.#shared.running.get(id);
    if (running !== undefined) {
      running.abort();
      return;
    }
    const { parts } = this.#shared;
    for (;;) {
      const [call, version] = await this.#load(tenant, id);
      if (hasEnded(call) || call.state === "unknown" || call.state === "sending" || call.state === "done") return;
      const world = await this.#world(call, version);
      try {
        await world.giveBack(call);
        const approval = call.approval === null ? null : await parts.approvals.approval(tenant, call.approval);
        if (approval !== null) for (const change of await parts.approvals.withdrawn(approval)) world.unit.add(change);
        call.state = "withdrawn";
        call.refusal = { row: call.row, reason: "cancelled", message: "The call was cancelled before it was made." };
        world.unit.tell(auditBody(world, call, "call.not_sent", { actor: by, reasons: ["cancelled"] }));
        await keep(call, world, "ended");
        await parts.engine.run(tenant, id);
        return;
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
      } finally {
        world.unit.clear();
        world.leave();
      }
    }
  }

  /** Approves a call with other arguments: a new call, checked from the start, that the person's arguments have origin `reply` in. */
  async edit(caller: Caller, id: string, edited: string, why: string | null): Promise<{ readonly approval: ApprovalRecord; readonly outcome: Outcome }> {
    const { approvals, engine } = this.#shared.parts;
    const asked = await approvals.approval(caller.tenant, id);
    if (asked === null) throw new GatewayError(404, "approval_not_found", "there is no such approval");
    const [call] = await this.#load(caller.tenant, asked.call);
    const { approval, proposal } = await approvals.edited(caller, id, edited, why, call);
    const outcome = await this.#calls.call(proposal, undefined, call.id);
    await engine.run(caller.tenant, call.id);
    return { approval, outcome: await this.#approveEdited(caller, asked, outcome) };
  }

  /** Whoever edits a call has said yes to it as edited: the new call's question is answered by that, unless it gives a reason that they have not seen. */
  async #approveEdited(caller: Caller, asked: ApprovalRecord, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== "pending") return outcome;
    const { approvals } = this.#shared.parts;
    const next = await approvals.approval(caller.tenant, outcome.approval);
    const seen = new Set([...reasonsOf(asked.question), "write"]);
    if (next?.state !== "open" || reasonsOf(next.question).some((reason) => !seen.has(reason))) return outcome;
    await approvals.decide(caller, next.id, { answer: "approve" });
    return (await this.#calls.outcome(caller.tenant, outcome.call.id, 0, undefined)) ?? outcome;
  }

  async #load(tenant: string, id: string): Promise<[CallRecord, number]> {
    const stored = await this.#shared.parts.engine.get(tenant, callKey(id));
    if (stored === null) throw new GatewayError(404, "call_not_found", "there is no such call");
    return [JSON.parse(stored.value) as CallRecord, stored.version];
  }

  async #world(call: CallRecord, version: number): Promise<World> {
    const { parts } = this.#shared;
    const world = new World(this.#shared, call, World.tenantOf(parts, call.tenant), await parts.policies.current(call.tenant), version, null);
    world.told = false;
    return world;
  }
}

/** The reasons that a question (chapter 4) gives. */
function reasonsOf(question: unknown): readonly string[] {
  return ((question as { reasons?: readonly { readonly reason: string }[] } | null)?.reasons ?? []).map(({ reason }) => reason);
}
