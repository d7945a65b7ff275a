// Restate's two doors as this adapter uses them: the ingress takes requests for objects, the admin takes the gateway's address.
import { setTimeout as pause } from "node:timers/promises";
import { ending } from "../../ending.ts";
import { EngineError } from "../port.ts";
import { stepsOf } from "./endpoint.ts";
import { DAMAGED } from "./services.ts";

export interface Doors {
  /** `http://host:8080` */
  readonly ingress: string;
  /** `http://host:9070` */
  readonly admin: string;
}

/** An address that Restate calls. */
export interface Deployment {
  readonly id: string;
  readonly uri: string;
}

interface Registered {
  readonly id: string;
  /** Absent where it is none over HTTP. */
  readonly uri?: string;
  readonly services: readonly { readonly name: string; readonly revision: number }[];
}

/** Milliseconds before a request that got no answer is sent again. */
const PAUSES = [50, 100, 200, 500, 1_000];

/** Answers below 500 that are others a moment later: too many requests, too slow, and a service that this node of a cluster has not heard of yet. */
const LATER = new Set([404, 408, 429]);

export interface Asking {
  /** The same key is the same request, however often it is sent. */
  readonly key?: string;
  /** Milliseconds in which there has to be an answer. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

export class Ingress {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  /** Asks an object's handler and gives its answer. Sends again where there is none, so `key` has to be given for what may not be done twice. Throws EngineError `engine_unavailable`. */
  async ask<T>(service: string, key: string, handler: string, body: unknown, asking: Asking): Promise<T> {
    const text = await this.#sent(`${this.#at(service, key, handler)}`, body, asking);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  /** Hands work over to an object; answered once Restate has it on disk. `delayMs`: when it begins. Fails as `ask`. */
  async hand(service: string, key: string, handler: string, delayMs: number, asking: Asking): Promise<void> {
    await this.#sent(`${this.#at(service, key, handler)}/send${delayMs > 0 ? `?delay=${delayMs}ms` : ""}`, undefined, asking);
  }

  /**
   * Tells Restate where the gateway is called. Where newer programs took over (their address has a higher number of steps), nothing is told, and theirs is answered:
   * what is new goes on to them, and what was begun by this program's steps comes here. Throws EngineError `engine_unreachable`, `gateway_unreachable`.
   */
  async register(uri: string, service: string, withinMs: number): Promise<Deployment | null> {
    const { admin } = this.#doors;
    const until = Date.now() + withinMs;
    for (let attempt = 0; ; attempt++) {
      const signal = AbortSignal.timeout(Math.max(1, until - Date.now()));
      const body = JSON.stringify({ uri, force: true });
      try {
        const newer = await this.#newer(uri, service, signal);
        if (newer !== null) return newer;
        const answer = await fetch(`${admin}/deployments`, { method: "POST", headers: { "content-type": "application/json" }, body, signal });
        const text = await answer.text();
        if (answer.ok) return null;
        // A server that has only begun answers 5xx.
        if (answer.status < 500 || Date.now() > until) throw notReached(uri, messageOf(text));
      } catch (error) {
        if (error instanceof EngineError) throw error;
        // It asks the gateway what it has before it answers, and tries that for long.
        if (Date.now() >= until) {
          const isUp = await fetch(`${admin}/health`, { signal: AbortSignal.timeout(1_000) }).then(({ ok }) => ok, () => false);
          if (isUp) throw notReached(uri, "it does not answer there");
          throw new EngineError("engine_unreachable", `no Restate server answers at ${admin}: start one (\`npx restate-server\`, see the engine's guide), or name its address as engine.restate.admin`, { cause: error });
        }
      }
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]!);
    }
  }

  /** How many requests were begun at other addresses than this one and have not ended; null where the server does not say. */
  async begunElsewhere(uri: string, services: readonly string[]): Promise<number | null> {
    const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
    const query = `SELECT count(*) AS n FROM sys_invocation i JOIN sys_deployment d ON d.id = i.pinned_deployment_id WHERE i.target_service_name IN (${services.map(quoted).join()}) AND i.status <> 'completed' AND d.endpoint <> ${quoted(uri)}`;
    try {
      const answer = await fetch(`${this.#doors.admin}/query`, { method: "POST", headers: { "content-type": "application/json", accept: "application/json" }, body: JSON.stringify({ query }), signal: AbortSignal.timeout(5_000) });
      const { rows } = (await answer.json()) as { rows?: readonly { readonly n?: number }[] };
      return rows?.[0]?.n ?? null;
    } catch {
      return null;
    }
  }

  /** Where Restate sends what is new, if that is a program of later steps. */
  async #newer(uri: string, service: string, signal: AbortSignal): Promise<Deployment | null> {
    const answer = await fetch(`${this.#doors.admin}/deployments`, { signal });
    if (!answer.ok) return null;
    const { deployments } = (await answer.json()) as { readonly deployments: readonly Registered[] };
    const revision = ({ services }: Registered): number => services.find(({ name }) => name === service)?.revision ?? 0;
    const last = deployments.reduce<Registered | null>((best, one) => (revision(one) > (best === null ? 0 : revision(best)) ? one : best), null);
    return last !== null && (stepsOf(last.uri ?? "") ?? 0) > stepsOf(uri)! ? { id: last.id, uri: last.uri! } : null;
  }

  #at(service: string, key: string, handler: string): string {
    return `${this.#doors.ingress}/${service}/${encodeURIComponent(key)}/${handler}`;
  }

  async #sent(url: string, body: unknown, { key, withinMs, signal }: Asking): Promise<string> {
    const until = Date.now() + withinMs;
    const text = body === undefined ? null : JSON.stringify(body);
    const headers = { ...(text === null ? {} : { "content-type": "application/json" }), ...(key === undefined ? {} : { "idempotency-key": key }) };
    let last: unknown = null;
    for (let attempt = 0; ; attempt++) {
      const left = until - Date.now();
      if (signal.aborted) throw new EngineError("engine_unavailable", "the engine is stopped");
      if (left <= 0) throw new EngineError("engine_unavailable", `Restate does not answer at ${this.#doors.ingress}: whether what was asked will be done is not known`, { cause: last });
      const late = ending([signal], left);
      try {
        const answer = await fetch(url, { method: "POST", headers, body: text, signal: late.signal });
        const said = await answer.text();
        if (answer.ok) return said;
        last = new Error(`${answer.status} ${said}`);
        if (answer.status === DAMAGED) throw new EngineError("store_corrupt", messageOf(said));
        if (answer.status < 500 && !LATER.has(answer.status)) throw new EngineError("engine_unavailable", `Restate refuses what was asked: ${answer.status} ${messageOf(said)}`);
      } catch (error) {
        if (error instanceof EngineError) throw error;
        last = error;
      } finally {
        late.end();
      }
      if (!signal.aborted) await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]!, undefined, { signal }).catch(() => undefined);
    }
  }
}

function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message.slice(0, 500);
  } catch {
    // It is no JSON, and told as it is.
  }
  return text.slice(0, 500);
}

function notReached(uri: string, why: string): EngineError {
  return new EngineError("gateway_unreachable", `Restate does not take ${uri} as this gateway's address: ${why}. Give an address at which Restate reaches this machine as engine.restate.advertise, and the server's own key where engine.restate.identity_keys is given`);
}
