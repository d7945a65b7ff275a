// The trace that a request continues, as its client says it by W3C: in headers, or in `_meta` under the same names.
import type { Proposal } from "../call/record.ts";
import type { Caller } from "../gateway.ts";

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Characters of a tracestate that W3C wants carried at least. */
const TRACESTATE = 512;

/** The proposal's members of it; what is not well formed is left out. Free text that goes on to tools (`tracestate`) is taken of callers granted `context` alone, and baggage of nobody. */
export function traceOf(traceparent: unknown, tracestate: unknown, { may }: Pick<Caller, "may">): Pick<Proposal, "traceparent" | "tracestate"> {
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return {};
  const isStated = may.has("context") && typeof tracestate === "string" && tracestate.length <= TRACESTATE && /^[\x20-\x7e]+$/.test(tracestate);
  return { traceparent, ...(isStated ? { tracestate } : {}) };
}
