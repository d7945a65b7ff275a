// Restate's two doors as this adapter uses them: the ingress takes requests for objects, the admin takes the gateway's address.
import { setTimeout as pause } from "node:timers/promises";
import { EngineError } from "../port.ts";
import { DAMAGED } from "./services.ts";

export interface Doors {
  /** `http://host:8080` */
  readonly ingress: string;
  /** `http://host:9070` */
  readonly admin: string;
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

  /** Tells Restate where the gateway is called. Throws EngineError `engine_unreachable`, `gateway_unreachable`. */
  async register(uri: string, withinMs: number): Promise<void> {
    const { admin } = this.#doors;
    const until = Date.now() + withinMs;
    for (let attempt = 0; ; attempt++) {
      const left = Math.max(1, until - Date.now());
      const body = JSON.stringify({ uri, force: true });
      const answer = await fetch(`${admin}/deployments`, { method: "POST", headers: { "content-type": "application/json" }, body, signal: AbortSignal.timeout(left) }).catch((error: unknown) => error as Error);
      if (!(answer instanceof Error)) {
        const text = await answer.text();
        if (answer.ok) return;
        // A server that has only begun answers 5xx.
        if (answer.status < 500 || Date.now() > until) throw notReached(uri, messageOf(text));
      } else if (Date.now() >= until) {
        // It asks the gateway what it has before it answers, and tries that for long.
        const isUp = await fetch(`${admin}/health`, { signal: AbortSignal.timeout(1_000) }).then(({ ok }) => ok, () => false);
        if (isUp) throw notReached(uri, "it does not answer there");
        throw new EngineError("engine_unreachable", `no Restate server answers at ${admin}: start one (\`npx restate-server\`, see the engine's guide), or name its address as engine.restate.admin`, { cause: answer });
      }
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]!);
    }
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
      try {
        const answer = await fetch(url, { method: "POST", headers, body: text, signal: AbortSignal.any([signal, AbortSignal.timeout(left)]) });
        const said = await answer.text();
        if (answer.ok) return said;
        last = new Error(`${answer.status} ${said}`);
        if (answer.status === DAMAGED) throw new EngineError("store_corrupt", messageOf(said));
        if (answer.status < 500 && !LATER.has(answer.status)) throw new EngineError("engine_unavailable", `Restate refuses what was asked: ${answer.status} ${messageOf(said)}`);
      } catch (error) {
        if (error instanceof EngineError) throw error;
        last = error;
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
