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
      "access-control-allow-headers": "authorization, content-type, idempotency-key, if-none-match, last-event-id, x-request-id, traceparent, tracestate, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name",
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

/** What a request is counted as: work that ends by itself, a wait (for a tool, a person, a long answer), or a stream that stands. */
export type Kind = "works" | "waits" | "streams";

/** How many requests are in hand. Each kind has places of its own, so that waits never keep out the people who end them, nor streams that stand the calls. */
export class Places {
  readonly #inHand = new Map<string, number>();

  /** Takes a place; the function gives it back, once. Fails with `busy`. */
  take(kind: Kind, limit: number): () => void {
    return this.#hold(kind, limit, "the gateway has as many requests in hand as its settings allow: try again");
  }

  /** Counts a place as held by somebody, who may hold three quarters of them: one that opens all it can keeps nobody else out. The function gives it back, once. Fails with `busy`. */
  holdFor(who: string, kind: Kind, limit: number): () => void {
    return this.#hold(`${kind} of ${who}`, Math.ceil((limit * 3) / 4), "this caller has as many requests in hand as one may have: let some of them end");
  }

  /** Whether nothing is in hand. */
  get areFree(): boolean {
    return this.#inHand.size === 0;
  }

  #hold(name: string, most: number, busy: string): () => void {
    const now = this.#inHand.get(name) ?? 0;
    if (now >= most) throw new Failure(503, "busy", busy, { headers: { "retry-after": "1" } });
    this.#inHand.set(name, now + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = this.#inHand.get(name)! - 1;
      if (left > 0) this.#inHand.set(name, left);
      else this.#inHand.delete(name);
    };
  }
}
