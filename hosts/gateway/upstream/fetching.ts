// Requests to the one origin that the settings name: no redirect leads elsewhere, and what failed says whether it may have reached the other side.
import { NoAnswer } from "./wire.ts";

/** Failures by which no request was received: the connection was never made. Everything else may have reached the server. */
const NEVER_OUT = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID", "ERR_INVALID_URL",
]);

/** Statuses that say the request was turned away before the tool: it did not run. */
export const TURNED_AWAY = new Set([400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431, 501]);

/** Fetches without following redirects. Rejects with NoAnswer: `tool_unreachable` where nothing was sent, `outcome_unknown` in its `out` where it may have been. */
export async function fetchOnce(url: URL, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  if (init.signal.aborted) throw new NoAnswer("tool_cancelled", "it was cancelled before it was sent", false);
  try {
    return await fetch(url, { ...init, redirect: "manual" });
  } catch (error) {
    throw unanswered(error, init.signal);
  }
}

/** What a failed request or a torn stream means. */
export function unanswered(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason instanceof NoAnswer ? signal.reason : new NoAnswer("tool_cancelled", "it was cancelled while the tool ran", true);
  const codes = codesOf(error);
  if (codes.length > 0 && codes.every((code) => NEVER_OUT.has(code))) return new NoAnswer("tool_unreachable", `the server could not be reached (${codes[0]})`, false);
  return new NoAnswer("tool_unreachable", `the connection was lost before an answer${codes.length > 0 ? ` (${codes[0]})` : ""}`, true);
}

/** The codes of an error and of its causes: every attempt's, where several addresses were tried. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; typeof at === "object" && at !== null && depth < 4; at = (at as { cause?: unknown }).cause, depth++) {
    const { code, errors } = at as { code?: unknown; errors?: unknown };
    if (Array.isArray(errors)) codes.push(...errors.flatMap((each: { code?: unknown }) => (typeof each?.code === "string" ? [each.code] : [])));
    else if (typeof code === "string") codes.push(code);
  }
  return codes;
}
