// The HTTP door: one handler of web-standard requests that authenticates, bounds, and gives each path to its route; the MCP door and the console beside it.
import { OpenAPIHono } from "@hono/zod-openapi";
import { InterlockError } from "interlock";
import { Failure } from "../../../shared/web/failure.ts";
import type { Authenticator } from "../../callers/authenticate.ts";
import { EngineError } from "../../engine/port.ts";
import { type Caller, GatewayError } from "../../gateway.ts";
import type { Asked, DoorParts } from "./context.ts";
import { hostRefusal, secured } from "./guard.ts";
import type { App } from "./router.ts";
import { approvals } from "./routes/approvals.ts";
import { calls } from "./routes/calls.ts";
import { tenant } from "./routes/tenant.ts";
import { route } from "./router.ts";
import * as schema from "./schemas.ts";

export interface HttpDoorOptions extends DoorParts {
  readonly authenticate: Authenticator;
  /** The MCP door, at `/mcp`; its caller was authenticated. */
  readonly mcp?: (request: Request, caller: Caller) => Promise<Response>;
  /** The console's files, at `/`; null where the path names none. */
  readonly console?: (path: string, method: string) => Response | null;
  /** Told of errors that nobody foresaw. */
  readonly failed?: (requestId: string, error: unknown) => void;
}

export interface HttpDoor {
  /** Answers a request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** The OpenAPI document. */
  readonly document: unknown;
  /** How many requests are in hand. */
  readonly inHand: () => number;
}

/** Paths that answer without a key. */
const OPEN: ReadonlySet<string> = new Set(["/v1/healthz", "/v1/openapi.json"]);

export function createHttpDoor(options: HttpDoorOptions): HttpDoor {
  const app: App = new OpenAPIHono({ strict: true });
  let document: unknown = null;
  calls(app);
  approvals(app);
  tenant(app);
  route(app, { method: "get", path: "/v1/metrics", summary: "Metrics as Prometheus text", tag: "status", answer: { type: "text/plain" } }, async ({ parts, caller }) => {
    if (!caller.may.has("metrics")) throw new GatewayError(403, "not_granted", "this caller has no right to this: metrics is wanted");
    return new Response(await parts.metrics(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
  });
  route(app, { method: "get", path: "/v1/healthz", summary: "How the gateway is", tag: "status", answer: schema.Health, also: [503] }, async ({ parts }) => {
    const health = await parts.gateway.health();
    return Response.json(health, { status: health.ready ? 200 : 503 });
  });
  route(app, { method: "get", path: "/v1/openapi.json", summary: "This document", tag: "status", answer: schema.Anything }, async () => document);
  app.onError((error) => failed(error, options, "-"));
  app.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer", description: "a caller's key, or a token of a configured issuer" });
  document = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "Interlock gateway", version: options.version }, security: [{ key: [] }] });
  const methods = methodsOf(document);

  let inHand = 0;
  const answer = async (request: Request): Promise<Response> => {
    const given = request.headers.get("x-request-id");
    const requestId = given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : options.requestId();
    const told = (response: Response): Response => secured(response, requestId);
    try {
      const url = new URL(request.url);
      const { limits, allowedHosts, allowedOrigins, publicUrl } = options.settings();
      const refused = hostRefusal(request, { allowedHosts, allowedOrigins, publicUrl });
      if (refused !== null) throw refused;
      const path = rawPath(request.url);
      if (path !== "/mcp" && !path.startsWith("/v1/")) {
        const file = options.console?.(path, request.method) ?? null;
        if (file !== null) return told(file);
        throw new GatewayError(404, "not_found", "there is nothing here");
      }
      if (inHand >= limits.inFlight) return told(errorAnswer(503, "busy", "too many requests are in hand: try again", { "retry-after": "1" }));
      inHand++;
      try {
        if (path === "/mcp") {
          if (options.mcp === undefined) throw new GatewayError(404, "not_found", "there is nothing here");
          return told(await options.mcp(request, await options.authenticate(request.headers.get("authorization"))));
        }
        const allowed = methods(path);
        if (allowed === null) throw new GatewayError(404, "not_found", "there is no such path");
        if (!allowed.includes(request.method)) return told(errorAnswer(405, "method", `only ${allowed.join(", ")} here`, { allow: allowed.join(", ") }));
        const caller = OPEN.has(path) ? NOBODY : await options.authenticate(request.headers.get("authorization"));
        const asked: Asked = { parts: options, caller, requestId, request, url };
        return told(await serve(app, request, asked, options));
      } finally {
        inHand--;
      }
    } catch (error) {
      return told(failed(error, options, requestId));
    }
  };
  return { fetch: answer, document, inHand: () => inHand };
}

const NOBODY: Caller = { name: "", tenant: "", agents: [], principal: null, approver: "", may: new Set() };

/** Gives a request to its route. What a route knows of it travels beside the request, under a key that no request can name. */
async function serve(app: App, request: Request, asked: Asked, options: HttpDoorOptions): Promise<Response> {
  try {
    return await app.fetch(request, { asked });
  } catch (error) {
    return failed(error, options, asked.requestId);
  }
}

/** The path as it was sent: what a parser made of `..` and `//` is not what the routes see. Fails with `not_found` for a path that could be read two ways. */
function rawPath(url: string): string {
  const { pathname } = new URL(url);
  if (/\/\/|\/\.{1,2}(?:\/|$)|%2f|%5c|%00|\\/i.test(pathname)) throw new GatewayError(404, "not_found", "there is no such path");
  return pathname;
}

/** The methods of each path of the document; null where it has none. */
function methodsOf(document: unknown): (path: string) => readonly string[] | null {
  const { paths } = document as { paths: Record<string, Record<string, unknown>> };
  const known = Object.entries(paths).map(([path, methods]) => ({ pattern: new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`), exact: !path.includes("{"), methods: Object.keys(methods).filter((name) => name !== "parameters").map((name) => name.toUpperCase()) }));
  return (path) => {
    const found = known.filter(({ pattern }) => pattern.test(path));
    if (found.length === 0) return null;
    const exact = found.filter((one) => one.exact);
    return (exact.length > 0 ? exact : found).flatMap(({ methods }) => methods);
  };
}

export function errorAnswer(status: number, code: string, message: string, headers: Record<string, string> = {}, more: Record<string, unknown> = {}): Response {
  return Response.json({ error: { code, message, ...more } }, { status, headers });
}

/** The answer to an error: its code, and nothing of what is inside. */
function failed(error: unknown, options: HttpDoorOptions, requestId: string): Response {
  if (error instanceof GatewayError) {
    const { status, code, message, pointer, detail } = error;
    return errorAnswer(status, code, message, status === 401 ? { "www-authenticate": "Bearer" } : status === 503 ? { "retry-after": "1" } : {}, { ...(pointer === undefined ? {} : { pointer }), ...(detail === undefined ? {} : { detail }) });
  }
  if (error instanceof Failure) return errorAnswer(error.status, error.code, error.message);
  if (error instanceof EngineError) return errorAnswer(503, error.code === "key_invalid" ? "name_invalid" : "engine_unavailable", error.code === "key_invalid" ? "a name is not one that can be kept" : "the store does not answer: nothing was decided that counts. Try again", { "retry-after": "1" });
  if (error instanceof InterlockError) return errorAnswer(error.code.startsWith("json_") || error.code === "request_invalid" ? 400 : 500, error.code, error.message, {}, { ...(error.pointer === undefined ? {} : { pointer: error.pointer }), ...(error.offset === undefined ? {} : { offset: error.offset }) });
  options.failed?.(requestId, error);
  return errorAnswer(500, "internal", "something went wrong here; the request's id finds it in the gateway's log");
}
