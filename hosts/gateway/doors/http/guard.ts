// What stands before every request: what pages of other origins are told, how many requests are in hand, and which headers every answer has.
import { Failure } from "../../../shared/web/failure.ts";

/** What a page of another origin that may call here is told. */
export function corsHeaders(origin: string): Record<string, string> {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "etag, location, retry-after, x-request-id, mcp-session-id", vary: "origin" };
}

/** The answer to a page that asks before it sends. */
export function preflight(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin),
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": "authorization, content-type, idempotency-key, if-none-match, last-event-id, x-request-id, traceparent, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name",
      "access-control-max-age": "600",
    },
  });
}

/** Headers of every answer; what an answer says itself stands. */
export const SECURITY: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** A request id that a client may give: it ends up in logs. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;

/** The request's id: the client's where it is harmless, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}

/** How many requests are in hand. Those that wait for people have places of their own, so that they never keep those people out. */
export class Places {
  #working = 0;
  #waiting = 0;
  readonly #held = new Map<string, number>();

  /** Takes a place; the function gives it back, once. Fails with `busy`. */
  take(waits: boolean, limit: number): () => void {
    if ((waits ? this.#waiting : this.#working) >= limit) throw new Failure(503, "busy", "the gateway has as many requests in hand as its settings allow: try again", { headers: { "retry-after": "1" } });
    this.#count(waits, 1);
    let held = true;
    return () => {
      if (held) this.#count(waits, -1);
      held = false;
    };
  }

  /** Counts a place as held by somebody, who may hold three quarters of them: one that opens all it can keeps nobody else out. The function gives it back, once. Fails with `busy`. */
  holdFor(who: string, waits: boolean, limit: number): () => void {
    const name = `${waits ? "waits" : "works"} ${who}`;
    const now = this.#held.get(name) ?? 0;
    if (now >= Math.ceil((limit * 3) / 4)) throw new Failure(503, "busy", "this caller has as many requests in hand as one may have: let some of them end", { headers: { "retry-after": "1" } });
    this.#held.set(name, now + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.#held.get(name)! - 1;
      if (left > 0) this.#held.set(name, left);
      else this.#held.delete(name);
    };
  }

  /** Whether nothing is in hand. */
  get areFree(): boolean {
    return this.#working + this.#waiting === 0;
  }

  #count(waits: boolean, by: number): void {
    if (waits) this.#waiting += by;
    else this.#working += by;
  }
}
