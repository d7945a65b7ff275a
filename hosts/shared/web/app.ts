// The web host: one handler of web-standard requests for every runtime. It authenticates, bounds, decides within kept sessions, and is shut unless it is set up.
import { authenticate, requireGrant } from "./callers.ts";
import { idempotencyKey, readBody, requireType, textOf } from "./bounds.ts";
import { conformLines } from "./conform.ts";
import { Failure, failureResponse, jsonResponse } from "./failure.ts";
import { type Bindings, readSettings, type Settings, type SettingsRead } from "./settings.ts";
import { type Retry, Sessions } from "./sessions.ts";
import type { Store } from "./store.ts";

/** SHA-256 of the core that is built into this file, hexadecimal; the build puts it here. */
declare const CORE_SHA256: string;

/** What the runtime gives for a request. */
export interface Surroundings {
  readonly bindings: Bindings;
  /** Where heads are kept; null where the runtime has no such place, which keeps the host shut. */
  readonly store: Store | null;
  /** What the store is called in the setting that is missing, and in /healthz. */
  readonly storeName: string;
}

export type App = (request: Request, surroundings: Surroundings) => Promise<Response>;

interface Open extends Settings {
  readonly sessions: Sessions;
}

type Route = { readonly method: string; readonly answer: (request: Request, open: Open) => Promise<Response> };

const ROUTES: Readonly<Record<string, Route>> = {
  "/v1/check": { method: "POST", answer: (request, open) => decide(request, open, "check") },
  "/v1/report": { method: "POST", answer: (request, open) => decide(request, open, "report") },
  "/v1/receipt": { method: "POST", answer: (request, open) => decide(request, open, "receipt") },
  "/conform": { method: "POST", answer: conform },
};

/**
 * Makes the handler. Settings are read once for as long as the bindings stay the same.
 * Every answer is a decision (200, chapter 4's or 3's text), a health report, or `{"error":{"code","message",…}}`.
 */
export function interlockApp(): App {
  let from: Bindings | null = null;
  let read: SettingsRead | null = null;
  let sessions: { core: Settings["core"]; store: Store; made: Sessions } | null = null;
  const settingsOf = (bindings: Bindings): SettingsRead => {
    if (read === null || from === null || !same(from, bindings)) {
      read = readSettings(bindings);
      from = { ...bindings };
      for (const { binding, code, message } of read.problems) console.error(`interlock: ${binding}: ${code}: ${message}`);
    }
    return read;
  };
  return async (request, { bindings, store, storeName }) => {
    try {
      const pathname = pathOf(request);
      const { settings, problems } = settingsOf(bindings);
      const missing = store === null ? [...problems, { binding: storeName, code: "missing", message: "" }] : problems;
      if (pathname === "/healthz") return health(request, settings, missing, storeName);
      const route = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
      if (route === undefined || (pathname === "/conform" && settings?.conform === false)) throw new Failure(404, "not_found", "there is nothing here");
      if (request.method !== route.method) throw new Failure(405, "method", `${pathname} takes ${route.method}`, { headers: { allow: route.method } });
      if (settings === null || store === null) throw new Failure(503, "not_configured", "this host is not set up, and decides nothing: /healthz names what is missing");
      if (sessions?.core !== settings.core || sessions.store !== store)
        sessions = { core: settings.core, store, made: new Sessions(settings.core, store, () => Math.floor(Date.now() / 1000)) };
      return await route.answer(request, { ...settings, sessions: sessions.made });
    } catch (error) {
      if (error instanceof Failure) {
        if (error.status >= 500 && error.code !== "not_configured") console.error(`interlock: ${error.code}`, error.more.cause ?? "");
        return failureResponse(error);
      }
      console.error("interlock: internal", error);
      return failureResponse(new Failure(500, "internal", "the host failed: nothing was decided that counts"));
    }
  };
}

/** The path of the request's address. Fails with `request_invalid` where there is no address: the client's Host is no name, or (HTTP/1.0) missing. */
function pathOf(request: Request): string {
  try {
    return new URL(request.url).pathname;
  } catch {
    throw new Failure(400, "request_invalid", "the request has no address that can be read: its Host header is no name");
  }
}

/** Whether two sets of bindings say the same; objects of the runtime count as the same only where they are. */
function same(a: Bindings, b: Bindings): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function health(request: Request, settings: Settings | null, problems: readonly { binding: string; code: string }[], heads: string): Response {
  if (request.method !== "GET" && request.method !== "HEAD") throw new Failure(405, "method", "/healthz takes GET", { headers: { allow: "GET, HEAD" } });
  const ready = settings !== null && problems.length === 0;
  const told = { core: CORE_SHA256, policy: settings?.core.policy ?? null, heads, ready, ...(ready ? {} : { problems: problems.map(({ binding, code }) => ({ binding, code })) }) };
  return jsonResponse(ready ? 200 : 503, JSON.stringify(told));
}

async function decide(request: Request, { core, callers, sessions, maxBody }: Open, operation: "check" | "report" | "receipt"): Promise<Response> {
  const caller = await authenticate(request, callers);
  if (operation !== "check") requireGrant(caller, operation);
  requireType(request, ["application/json"]);
  const key = idempotencyKey(request);
  const body = await readBody(request, maxBody);
  const text = textOf(body) ?? core.refuseBytes(body);
  const retry = key === null ? null : await retryOf(`${operation} ${key}`, body);
  return jsonResponse(200, await sessions[operation](caller, text, retry));
}

async function conform(request: Request, { callers, maxBody }: Open): Promise<Response> {
  requireGrant(await authenticate(request, callers), "conform");
  requireType(request, ["application/x-ndjson", "application/jsonl"]);
  return new Response(request.body === null ? "" : conformLines(request.body, maxBody), {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

/** The body's hash is taken with the key, which nobody keeps: a short body could be guessed from a plain one. */
async function retryOf(key: string, body: Uint8Array): Promise<Retry> {
  const name = new TextEncoder().encode(key);
  const both = new Uint8Array(name.length + 1 + body.length);
  both.set(name);
  both.set(body, name.length + 1);
  return { key: await hashed(name), body: await hashed(both) };
}

async function hashed(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
