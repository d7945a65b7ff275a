// What people do with calls from outside: settle one whose outcome is unknown, and cancel one.
import { type Caller, GatewayError } from "../gateway.ts";
import { numberUsed } from "../rows/gate/key-argument.ts";
import { wakeNext } from "../rows/edge/places.ts";
import { auditBody } from "./audit.ts";
import { Fenced, keep, Moved, tellOutcome } from "./keep.ts";
import { callKey, unknownKey } from "./keys.ts";
import type { CallRecord } from "./record.ts";
import { hasEnded } from "./outcome.ts";
import { cancelMaking } from "./sharing.ts";
import { type Shared, World } from "./world.ts";

export class Settling {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
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
        await tellOutcome(call, world, "settled");
        world.unit.tell(auditBody(world, call, "call.settled", { actor: caller.name, status, why }));
        if (call.digest !== null) world.unit.put(unknownKey(call.session, call.agent, call.tool, call.digest), null);
        await numberUsed(call, world, "settled");
        await keep(call, world, "ended");
        return call;
      } catch (error) {
        if (!(error instanceof Moved || error instanceof Fenced)) throw error;
      } finally {
        world.unit.clear();
        world.leave();
      }
    }
  }

  /** Cancels a call: at the tool where it is being made, and before that it is withdrawn. One that has ended stays as it is. Fails with `call_not_found`. */
  async cancel(tenant: string, id: string, by: string): Promise<void> {
    const { parts, running } = this.#shared;
    // Whatever the call comes to meanwhile: it is not sent any more, or stopped at the tool.
    running.get(id)?.abort();
    for (;;) {
      const [call, version] = await this.#load(tenant, id);
      if (call.state === "sending") return cancelMaking(this.#shared, tenant, id, by);
      if (hasEnded(call) || call.state === "unknown" || call.state === "done") return;
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
        if (world.frees) await wakeNext(parts, tenant, call.tool);
        return;
      } catch (error) {
        if (!(error instanceof Moved || error instanceof Fenced)) throw error;
      } finally {
        world.unit.clear();
        world.leave();
      }
    }
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
