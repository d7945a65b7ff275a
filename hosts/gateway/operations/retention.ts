// Retention: erases what the settings no longer keep, by a durable timer of each tenant, and when an administrator asks; never what is still going on or waits for a person.
import { callsPrefix, callKey } from "../call/keys.ts";
import type { CallRecord } from "../call/record.ts";
import type { Shared } from "../call/world.ts";
import { GatewayError } from "../gateway.ts";
import type { By, Erasing } from "./erasing.ts";

/** What a look came to: sessions that were erased whole, calls whose results were, and sessions that are old enough and stay, with why. */
export interface Purged {
  readonly sessions: readonly string[];
  readonly results: number;
  readonly kept: readonly { readonly session: string; readonly why: string }[];
}

/** The name under which the engine hands the job over. No call has it: those are UUIDs. */
export const RETENTION = "retention";
/** When the next look is due, and the settings it was planned by. */
const KEY = "retention/next";
/** The longest and the shortest time between two looks, in milliseconds. */
const MOST = 3_600_000;
const LEAST = 1_000;

interface Planned {
  readonly at: number;
  readonly by: string;
}

export class Retention {
  readonly #shared: Shared;
  readonly #erasing: Erasing;

  constructor(shared: Shared, erasing: Erasing) {
    this.#shared = shared;
    this.#erasing = erasing;
  }

  /** Sees to it that each tenant's next look is planned: after a start, and after other settings were taken. */
  async start(): Promise<void> {
    const { engine, settings } = this.#shared.parts;
    for (const tenant of Object.keys(settings().tenants)) if (this.#rule(tenant) !== null) await engine.run(tenant, RETENTION);
  }

  /** A look that is due: erases, and plans the next one. One that was planned twice, or by settings that no longer hold, does nothing. */
  async run(tenant: string): Promise<void> {
    const { engine, clock } = this.#shared.parts;
    const rule = this.#rule(tenant);
    if (rule === null) return;
    const stored = await engine.get(tenant, KEY);
    const planned = stored === null ? null : (JSON.parse(stored.value) as Planned);
    const by = JSON.stringify(rule);
    if (planned !== null && planned.by === by && clock() < planned.at) return;
    await this.#look(tenant, { actor: "gateway", detail: { by: "retention" } }, false);
    const at = clock() + Math.min(MOST, Math.max(LEAST, Math.min(rule.results ?? MOST, rule.sessions ?? MOST) / 4));
    // The timer first: a crash between the two leaves one that finds itself early, and not none.
    await engine.runAt(tenant, RETENTION, at);
    await engine.commit({ tenant, changes: [{ key: KEY, value: JSON.stringify({ at, by } satisfies Planned), expect: stored?.version ?? null }] });
  }

  /** Looks now, as an administrator asks; `dryRun` only tells. Fails with `retention_off` where the settings keep everything. */
  async purge(tenant: string, actor: string, dryRun: boolean): Promise<Purged> {
    if (this.#rule(tenant) === null) throw new GatewayError(409, "retention_off", "the settings keep everything: give retention.sessions_seconds or retention.results_seconds, or erase a session by its name");
    return this.#look(tenant, { actor, detail: { by: "purge" } }, dryRun);
  }

  /** Milliseconds after a session's last call; null where nothing is to be erased. */
  #rule(tenant: string): { readonly results: number | null; readonly sessions: number | null } | null {
    const { tenants } = this.#shared.parts.settings();
    const retention = Object.hasOwn(tenants, tenant) ? tenants[tenant]?.retention : undefined;
    const { resultsSeconds = null, sessionsSeconds = null } = retention ?? {};
    if (resultsSeconds === null && sessionsSeconds === null) return null;
    return { results: resultsSeconds === null ? null : resultsSeconds * 1000, sessions: sessionsSeconds === null ? null : sessionsSeconds * 1000 };
  }

  async #look(tenant: string, by: By, dryRun: boolean): Promise<Purged> {
    const { engine, clock } = this.#shared.parts;
    const { results, sessions } = this.#rule(tenant)!;
    const now = clock();
    const erased: string[] = [];
    const kept: { session: string; why: string }[] = [];
    let calls = 0;
    for (const session of await this.#old(tenant, now - Math.min(results ?? Number.POSITIVE_INFINITY, sessions ?? Number.POSITIVE_INFINITY))) {
      const age = now - (await this.#lastOf(tenant, session));
      const whole = sessions !== null && age >= sessions;
      if (!whole && (results === null || age < results)) continue;
      const why = await this.#erasing.inUse(tenant, session);
      if (why !== null) {
        kept.push({ session, why });
        continue;
      }
      try {
        if (whole && !dryRun) await this.#erasing.session(tenant, session, by);
        if (whole) erased.push(session);
        else if (!dryRun) calls += await this.#erasing.results(tenant, session, by);
      } catch (error) {
        // Somebody went on with it in this moment: the next look sees.
        if (!(error instanceof GatewayError)) throw error;
        kept.push({ session, why: error.message });
      }
    }
    if (!dryRun && (erased.length > 0 || calls > 0)) await engine.scrub?.();
    return { sessions: erased, results: calls, kept };
  }

  /** Sessions that have a call made before a time. Ids of calls sort by time, so that the younger ones are not read. */
  async #old(tenant: string, before: number): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let after: string | undefined; ; ) {
      const page = await this.#shared.parts.engine.list(tenant, callKey(""), after === undefined ? { limit: 100 } : { limit: 100, after });
      for (const { value } of page) {
        const call = JSON.parse(value) as CallRecord;
        if (call.createdAt > before) return found;
        found.add(call.session);
      }
      after = page.at(-1)?.key;
      if (page.length < 100) return found;
    }
  }

  /** When something last happened in a session. */
  async #lastOf(tenant: string, session: string): Promise<number> {
    const { engine } = this.#shared.parts;
    const [last] = await engine.list(tenant, callsPrefix(session), { descending: true, limit: 1 });
    const stored = last === undefined ? null : await engine.get(tenant, callKey(last.key.slice(callsPrefix(session).length)));
    if (stored === null) return 0;
    const { createdAt, sent, trace } = JSON.parse(stored.value) as CallRecord;
    return Math.max(createdAt, sent?.endedAt ?? 0, trace.at(-1)?.at ?? 0);
  }
}
