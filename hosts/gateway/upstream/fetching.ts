// Requests to the one origin that the settings name: no redirect leads elsewhere, and what failed says whether it may have reached the other side.
import { Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { type Duplex, pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { NoAnswer } from "./wire.ts";

/** Failures by which no request was received: the connection was never made. Everything else may have reached the server. */
const NEVER_OUT = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID", "ERR_INVALID_URL",
]);

/** Statuses that say the request was turned away before the tool: it did not run. */
export const TURNED_AWAY = new Set([400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428, 429, 431, 501]);

/** How long a connection may take to be made, in milliseconds. */
const CONNECT_MS = 10_000;
/** How long a connection without a request is kept, in milliseconds; and how long before the server's own end of it, since a request that meets that end may or may not have run. */
const IDLE_MS = 4_000;
const BEFORE_END_MS = 1_000;
const KEPT = { keepAlive: true, timeout: IDLE_MS };
const PLAIN = new Agent(KEPT);
const SECURE = new SecureAgent(KEPT);
/** How long each connection may be kept, where its server said so, in milliseconds. */
const keeps = new WeakMap<Duplex, number>();
for (const agent of [PLAIN, SECURE]) {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket: Duplex): boolean => {
    const left = Math.min(IDLE_MS, (keeps.get(socket) ?? IDLE_MS + BEFORE_END_MS) - BEFORE_END_MS);
    if (left <= 0 || !keep(socket)) return false;
    (socket as Socket).setTimeout(left);
    return true;
  };
}

export interface Asked {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | null;
  readonly signal: AbortSignal;
}

/** An answer whose body is read as it comes. */
export interface Reply {
  readonly status: number;
  readonly ok: boolean;
  /** `get` gives a header's text; null where it is absent. */
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what is left of the body. */
  cancel(): void;
}

/**
 * Sends one request, without following redirects. Rejects with NoAnswer: `tool_unreachable` where nothing was sent, `outcome_unknown` in its `out` where it may have been.
 * Node's own client, not `fetch`: its streams and signals take several times as long as the request.
 */
export async function fetchOnce(url: URL, { method, headers, body = null, signal }: Asked): Promise<Reply> {
  if (signal.aborted) throw new NoAnswer("tool_cancelled", "it was cancelled before it was sent", false);
  if (url.username !== "" || url.password !== "") throw new NoAnswer("tool_unreachable", "its address holds a user's name: use a header", false);
  const isSecure = url.protocol === "https:";
  return await new Promise<Reply>((resolve, reject) => {
    let isConnected = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sent: ClientRequest = (isSecure ? secureRequest : plainRequest)(url, { method, headers: { "accept-encoding": "gzip, deflate, br", "user-agent": "interlock", ...Object.fromEntries(headers) }, agent: isSecure ? SECURE : PLAIN });
    const stop = (): void => void sent.destroy();
    signal.addEventListener("abort", stop, { once: true });
    sent.on("socket", (socket) => {
      isConnected = !socket.connecting && (socket as { secureConnecting?: boolean }).secureConnecting !== true;
      if (isConnected) return;
      timer = setTimeout(() => sent.destroy(Object.assign(new Error("no connection was made in time"), { code: "CONNECT_TIMEOUT" })), CONNECT_MS);
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        isConnected = true;
        clearTimeout(timer);
      });
    });
    sent.on("response", (message) => resolve(replyOf(message)));
    sent.on("error", (error) => reject(unanswered(error, signal, isConnected)));
    sent.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
    sent.end(body ?? undefined);
  }).catch((error: unknown) => {
    // What Node does not even begin to send.
    throw error instanceof NoAnswer ? error : unanswered(error, signal, false);
  });
}

const DECODERS: Readonly<Record<string, () => Transform>> = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };

function replyOf(message: IncomingMessage): Reply {
  const seconds = /^timeout=(\d+)/.exec(String(message.headers["keep-alive"] ?? ""))?.[1];
  if (seconds !== undefined) keeps.set(message.socket, Number(seconds) * 1000);
  const status = message.statusCode ?? 0;
  const encoding = String(message.headers["content-encoding"] ?? "").trim().toLowerCase();
  const body = Object.hasOwn(DECODERS, encoding) ? pipeline(message, DECODERS[encoding]!(), () => undefined) : message;
  const get = (name: string): string | null => {
    const value = message.headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  return { status, ok: status >= 200 && status < 300, headers: { get }, body, cancel: () => void message.destroy() };
}

/** What a failed request or a torn stream means. `isConnected`: whether there was a connection that bytes may have gone out by. */
export function unanswered(error: unknown, signal: AbortSignal, isConnected = true): Error {
  if (signal.aborted) return signal.reason instanceof NoAnswer ? signal.reason : new NoAnswer("tool_cancelled", "it was cancelled while the tool ran", true);
  const codes = codesOf(error);
  if (!isConnected || (codes.length > 0 && codes.every((code) => NEVER_OUT.has(code)))) return new NoAnswer("tool_unreachable", `the server could not be reached${codes.length > 0 ? ` (${codes[0]})` : ""}`, false);
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
