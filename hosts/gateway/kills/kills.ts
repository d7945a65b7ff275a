// Kill switches: per tool, agent, session or tenant, kept in the engine, matched in memory, told at once to calls in flight.
import type { AuditBody } from "../audit/entry.ts";
import type { Kills } from "../call/parts.ts";
import type { CallRecord } from "../call/record.ts";
import type { Engine } from "../engine/port.ts";
import { type Caller, GatewayError, type Kill } from "../gateway.ts";

/** Between two looks at the store for switches that another gateway set, in milliseconds. */
const AGAIN = 1000;

const PREFIX = "kill/";
const PAGE = 1000;

export interface KillParts {
  readonly engine: Engine;
  readonly clock: () => number;
  readonly ids: () => string;
  /** Told of a tenant whose switches are others than before. */
  readonly changed?: (tenant: string) => void;
}

/** A tenant's switches: by id, and by what they name, so that a call is matched by a look at each combination of names and not at each switch. */
interface Switches {
  /** The number of the reading it comes from. */
  readonly reading: number;
  readonly byId: ReadonlyMap<string, Kill>;
  readonly byNames: ReadonlyMap<string, Kill>;
}

export class KillSwitches implements Kills {
  readonly #parts: KillParts;
  readonly #set = new Map<string, Switches>();
  #readings = 0;
  readonly #listeners = new Set<(tenant: string, kill: Kill) => void>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(parts: KillParts) {
    this.#parts = parts;
  }

  /** Reads the switches of the tenants (again with those of new settings), and looks every second for those that other gateways set, which is how late one of theirs may be. */
  async start(tenants: readonly string[]): Promise<void> {
    for (const tenant of tenants) await this.refresh(tenant);
    this.#timer ??= setInterval(() => {
      for (const tenant of this.#set.keys()) void this.refresh(tenant).catch(() => undefined);
    }, AGAIN).unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Reads a tenant's switches anew; a new one is told as if it had been set here. */
  async refresh(tenant: string): Promise<void> {
    const reading = ++this.#readings;
    const byId = new Map<string, Kill>();
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.engine.list(tenant, PREFIX, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      for (const { value } of page) {
        const kill = JSON.parse(value) as Kill;
        byId.set(kill.id, kill);
      }
      after = page.at(-1)?.key;
      if (page.length < PAGE) break;
    }
    const known = this.#set.get(tenant);
    // A reading that began later has been put here already: this one may be older.
    if (known !== undefined && known.reading > reading) return;
    const before = known?.byId;
    const byNames = new Map([...byId.values()].map((kill) => [namesOf(kill.tool, kill.agent, kill.session), kill]));
    this.#set.set(tenant, { reading, byId, byNames });
    for (const [id, kill] of byId) if (!before?.has(id)) this.#tell(tenant, kill);
    if (before !== undefined && (before.size !== byId.size || [...byId.keys()].some((id) => !before.has(id)))) this.#parts.changed?.(tenant);
  }

  matching({ tenant, session, agent, tool }: Pick<CallRecord, "tenant" | "session" | "agent" | "tool">): Kill | null {
    const set = this.#set.get(tenant);
    // What was never read may say anything: nothing is let through until it was.
    if (set === undefined) {
      void this.refresh(tenant).catch(() => undefined);
      return { id: "unread", all: true, why: "the kill switches of this tenant are being read, try again", by: "gateway", at: this.#parts.clock() };
    }
    if (set.byNames.size === 0) return null;
    for (const one of [undefined, tool]) {
      for (const two of agent === null ? [undefined] : [undefined, agent]) {
        for (const three of [undefined, session]) {
          const kill = set.byNames.get(namesOf(one, two, three));
          if (kill !== undefined) return kill;
        }
      }
    }
    return null;
  }

  onKill(listener: (tenant: string, kill: Kill) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async kills(tenant: string): Promise<readonly Kill[]> {
    await this.refresh(tenant);
    return [...this.#set.get(tenant)!.byId.values()];
  }

  /** Sets a switch. Fails with `not_granted`, `kill_invalid`. */
  async kill(caller: Caller, wanted: Omit<Kill, "id" | "by" | "at">): Promise<Kill> {
    require(caller);
    const { tool, agent, session, all, why } = wanted;
    const named = [tool, agent, session].filter((name) => name !== undefined);
    if (named.some((name) => typeof name !== "string" || name === "")) throw new GatewayError(400, "kill_invalid", "tool, agent and session are names");
    if ((named.length > 0) === (all === true)) throw new GatewayError(400, "kill_invalid", "say what is to be stopped: tool, agent, session (all that are named have to fit a call), or all");
    if (typeof why !== "string" || why.trim() === "") throw new GatewayError(400, "kill_invalid", "say why: whoever meets the switch is told", { pointer: "/why" });
    const { engine, clock, ids } = this.#parts;
    const kill: Kill = { id: ids(), ...(tool === undefined ? {} : { tool }), ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }), ...(all === true ? { all } : {}), why: why.slice(0, 2000), by: caller.name, at: clock() };
    const committed = await engine.commit({ tenant: caller.tenant, changes: [{ key: `${PREFIX}${kill.id}`, value: JSON.stringify(kill), expect: null }], audit: [audit("kill.set", caller, kill, clock())] });
    if (!committed.ok) throw new GatewayError(503, "kill_busy", "the switch was not set: try again");
    await this.refresh(caller.tenant);
    return kill;
  }

  /** Lifts a switch. Fails with `not_granted`, `kill_not_found`. */
  async liftKill(caller: Caller, id: string): Promise<void> {
    require(caller);
    const { engine, clock } = this.#parts;
    const stored = /^[\x21-\x7e]{1,128}$/.test(id) ? await engine.get(caller.tenant, `${PREFIX}${id}`) : null;
    if (stored === null) throw new GatewayError(404, "kill_not_found", "there is no such switch");
    const committed = await engine.commit({ tenant: caller.tenant, changes: [{ key: `${PREFIX}${id}`, value: null, expect: stored.version }], audit: [audit("kill.lifted", caller, JSON.parse(stored.value) as Kill, clock())] });
    if (!committed.ok) throw new GatewayError(404, "kill_not_found", "somebody else has lifted this switch");
    await this.refresh(caller.tenant);
  }

  #tell(tenant: string, kill: Kill): void {
    for (const listener of [...this.#listeners]) listener(tenant, kill);
  }
}

/** What a switch names, as one text; an absent name fits everything. */
function namesOf(tool: string | undefined, agent: string | undefined, session: string | undefined): string {
  return JSON.stringify([tool ?? null, agent ?? null, session ?? null]);
}

function require({ may }: Caller): void {
  if (!may.has("kill")) throw new GatewayError(403, "not_granted", "this caller may not set kill switches: the right `kill` is not among its grants");
}

function audit(event: AuditBody["event"], caller: Caller, { id, tool, agent, session, all, why }: Kill, at: number): AuditBody {
  return { event, at, actor: caller.name, ...(tool === undefined ? {} : { tool }), ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }), why, detail: { kill: id, ...(all === true ? { all } : {}) } };
}
