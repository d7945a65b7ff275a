// The HTTP door: one handler of web-standard requests over the gateway. It guards, authenticates, bounds, and answers by the mounted operations.
import { setMaxListeners } from "node:events";
import { unauthorized } from "../../../shared/web/callers.ts";
import { Failure, failureResponse } from "../../../shared/web/failure.ts";
import { EngineError } from "../../engine/port.ts";
import { type Caller, GatewayError } from "../../gateway.ts";
import { mountApprovals } from "./approvals.ts";
import { mountAudit } from "./audit.ts";
import { mountCalls } from "./calls.ts";
import { consoleAnswer } from "./console.ts";
import { ALIVE_MS } from "./events.ts";
import { foreignOrigin, requireHost } from "../rebinding.ts";
import { corsHeaders, type Kind, Places, preflight, requestIdOf, SECURITY } from "./guard.ts";
import { mountHealth } from "./health.ts";
import { mountHook } from "./hook.ts";
import type { Asked, HttpDoorParts } from "./parts.ts";
import { mountPolicy } from "./policy.ts";
import { ANY_HOST, Api, type Router } from "./routing.ts";
import { mountSessions } from "./sessions.ts";
import { standing } from "./standing.ts";

/** What the socket knows of a request besides. */
export interface Carried {
  /** The request's target as it came, before it was read as an address. */
  readonly target: string;
  /** Breaks the connection off, so that half of an answer is never taken for all of it. */
  breakOff(): void;
}

export interface HttpDoor {
  /** Answers a request. Never rejects. */
  fetch(request: Request, carried?: Carried): Promise<Response>;
  /** Takes nothing more in, ends waits and streams, and resolves when nothing is in hand, or after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/** The API with every operation mounted. */
export function createApi(): Api {
  const api = new Api();
  mountCalls(api);
  mountHook(api);
  mountSessions(api);
  mountApprovals(api);
  mountPolicy(api);
  mountAudit(api);
  mountHealth(api);
  api.router.openAPIRegistry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer", description: "a caller's key (ik_…), or a token of a configured issuer" });
  return api;
}

/** Opens the door. */
export function createHttpDoor(parts: HttpDoorParts): HttpDoor {
  return new Door(parts);
}

class Door implements HttpDoor {
  readonly #parts: HttpDoorParts;
  readonly #router: Router;
  readonly #places = new Places();
  readonly #stopping = new AbortController();

  constructor(parts: HttpDoorParts) {
    this.#parts = parts;
    // As many listen to it as requests wait.
    setMaxListeners(0, this.#stopping.signal);
    const api = createApi();
    this.#router = api.close();
  }

  async fetch(request: Request, carried?: Carried): Promise<Response> {
    const requestId = requestIdOf(request);
    const headers: Record<string, string> = { "x-request-id": requestId };
    const release: (() => void)[] = [];
    try {
      if (carried !== undefined) requirePlainTarget(carried.target);
      const response = await this.#answer(request, requestId, headers, release);
      return finished(response, headers, release, (error) => {
        this.#failureOf(error, requestId);
        carried?.breakOff();
        return carried !== undefined;
      });
    } catch (error) {
      for (const free of release) free();
      return finished(failureResponse(this.#failureOf(error, requestId)), headers, [], () => false);
    }
  }

  async drain(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const until = Date.now() + graceMs;
    while (!this.#places.areFree && Date.now() < until) await new Promise((passed) => setTimeout(passed, 20));
  }

  async #answer(request: Request, requestId: string, headers: Record<string, string>, release: (() => void)[]): Promise<Response> {
    const url = addressOf(request);
    const settings = this.#parts.settings();
    if (url.pathname !== ANY_HOST) requireHost(request, url, settings);
    const origin = foreignOrigin(request, url, settings);
    if (origin !== null) {
      Object.assign(headers, corsHeaders(origin));
      if (request.method === "OPTIONS" && request.headers.has("access-control-request-method")) return preflight(origin);
    }
    requirePlainPath(url.pathname);
    const take = (kind: Kind): void => {
      if (this.#stopping.signal.aborted && url.pathname !== ANY_HOST) throw new Failure(503, "stopping", "the gateway stops: try again", { headers: { "retry-after": "2", connection: "close" } });
      release.push(this.#places.take(kind, settings.limits.inFlight));
    };
    const known = async (kind: Kind): Promise<Caller> => {
      const caller = await this.#parts.authenticate(request);
      // Where there is but one, it keeps nobody out.
      const several = Object.keys(settings.tenants).length > 1;
      if (several || settings.callers.length > 1) release.push(this.#places.holdFor(several ? `tenant ${caller.tenant}` : `caller ${caller.name}`, kind, settings.limits.inFlight));
      return caller;
    };
    if (this.#parts.mcp !== undefined && url.pathname === "/mcp") {
      const kind = request.method === "GET" ? "streams" : "waits";
      take(kind);
      const caller = await known(kind);
      return standing(await this.#parts.mcp(request, caller), () => this.#standsAs(caller, request), this.#parts.heartbeatMs ?? ALIVE_MS);
    }
    const file = this.#parts.console === undefined || url.pathname.startsWith("/v1/") ? null : consoleAnswer(this.#parts.console, request, url.pathname);
    if (file !== null) return file;
    const asked = async ({ caller, kind }: { caller: boolean; kind: Kind }): Promise<Omit<Asked, "stands">> => {
      if (url.pathname !== ANY_HOST) take(kind);
      return { request, url, requestId, parts: this.#parts, stopping: this.#stopping.signal, caller: caller ? await known(kind) : NOBODY };
    };
    return await this.#router.fetch(request, { asked, request });
  }

  /** Fails where a request's caller is no longer let in, or as another. */
  async #standsAs({ name, tenant }: Caller, request: Request): Promise<void> {
    const now = await this.#parts.authenticate(request);
    if (now.name !== name || now.tenant !== tenant) throw unauthorized();
  }

  #failureOf(error: unknown, requestId: string): Failure {
    const failure = asFailure(error);
    if (failure.status >= 500 && !EXPECTED.has(failure.code)) this.#parts.log?.({ code: failure.code, requestId, cause: failure.more.cause ?? error });
    return failure;
  }
}

/** What is no failure of the gateway's: told to whoever asks, and not to the operator each time. */
const EXPECTED: ReadonlySet<string> = new Set(["busy", "stopping"]);

const NOBODY: Caller = { name: "", tenant: "", agents: [], principal: null, approver: "", may: new Set() };

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof GatewayError) return new Failure(error.status, error.code, error.message, { pointer: error.pointer, detail: error.detail, cause: error.cause, ...(error.status === 503 ? { headers: { "retry-after": "1" } } : {}) });
  if (error instanceof EngineError) return new Failure(503, error.code, "the gateway's store does not answer: send the request again with the same Idempotency-Key", { headers: { "retry-after": "1" }, cause: error });
  return new Failure(500, "internal", "the gateway failed: what it had decided by then is in its log", { cause: error });
}

/** The request's address. Fails with `request_invalid` where there is none: the client's Host is no name. */
function addressOf(request: Request): URL {
  try {
    return new URL(request.url);
  } catch {
    throw new Failure(400, "request_invalid", "the request has no address that can be read: its Host header is no name");
  }
}

/** Only one spelling of a path leads anywhere: no empty segments, no parameters, no letter or digit as a number, nothing that a proxy before the gateway may have read as another path. Fails with `not_found`. */
function requirePlainPath(pathname: string): void {
  if (/\/\/|[;\\]|%(?:00|2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5[cf])|%(?![0-9a-f]{2})/i.test(pathname)) throw new Failure(404, "not_found", "there is nothing here");
  try {
    decodeURIComponent(pathname);
  } catch {
    throw new Failure(404, "not_found", "there is nothing here");
  }
}

/** An address takes `..` away before anybody can see it. Fails with `not_found`. */
function requirePlainTarget(target: string): void {
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\?#]|$)/i.test(target.split("?")[0]!.replace(/^https?:\/\/[^/]*/i, ""))) throw new Failure(404, "not_found", "there is nothing here");
}

/** The answer with the headers that every answer has; its place is given back once its body is through. `broke` is told of a body that breaks off, and says whether it broke the connection off too. */
function finished(response: Response, own: Readonly<Record<string, string>>, release: readonly (() => void)[], broke: (error: unknown) => boolean): Response {
  const { status, headers } = response;
  for (const [name, value] of Object.entries(SECURITY)) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  if (own["access-control-allow-origin"] !== undefined) headers.set("cross-origin-resource-policy", "cross-origin");
  const free = () => {
    for (const each of release) each();
  };
  if (response.body === null || headers.get("content-type")?.split(";")[0] === "application/json" || headers.has("content-length")) {
    free();
    return response;
  }
  return new Response(through(response.body, free, broke), { status, headers });
}

/** A body that tells when it is through: read to its end, broken off, or left by the client. */
function through(body: ReadableStream<Uint8Array>, told: () => void, broke: (error: unknown) => boolean): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isLeft = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (isLeft) return;
        if (!done) return controller.enqueue(value);
        told();
        controller.close();
      } catch (error) {
        told();
        if (isLeft) return;
        if (broke(error)) controller.close();
        else controller.error(error);
      }
    },
    async cancel(reason) {
      isLeft = true;
      told();
      await reader.cancel(reason);
    },
  });
}
