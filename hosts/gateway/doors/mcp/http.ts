// The door over streamable HTTP: a web-standard handler for both eras, whose caller was authenticated before.
import { classifyInboundRequest, createMcpHandler, isJsonContentType, type McpHttpHandler } from "@modelcontextprotocol/server";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import type { Caller } from "../../gateway.ts";
import { textOf } from "../../../shared/web/bounds.ts";
import { turnFor } from "../../pace.ts";
import { bodyOf } from "../incoming.ts";
import { foreignOrigin, requireHost } from "../rebinding.ts";
import { Conversation } from "./conversation.ts";
import { foundBefore, modernClaim } from "./era.ts";
import { errorMessage, type Incoming, INVALID_REQUEST, PARSE_ERROR, readIncoming, RpcError } from "./message.ts";
import type { McpParts } from "./parts.ts";
import { EVENT } from "./replay.ts";
import { type Session, Sessions } from "./sessions.ts";
import { serverFor } from "./tools.ts";

/** How long a body may take to come, in milliseconds. */
const BODY_MS = 30_000;
/** How long a call may take before its answer becomes a stream: soon where the stream can be taken up again, else only so that proxies between see an answer begin. What is said of a call before its end begins the stream at once. */
const STREAM_AFTER_MS = { resumable: 50, plain: 1_000 };
/** The older revisions that are served. */
const LEGACY = new Set(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]);

export interface HttpDoor {
  /** Answers a request of a caller. Never rejects. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  close(): Promise<void>;
}

/** Opens the door; to be mounted at `/mcp`. */
export function openHttp(parts: McpParts): HttpDoor {
  return new Door(parts);
}

class Door implements HttpDoor {
  readonly #parts: McpParts;
  readonly #sessions: Sessions;
  /** The library's handlers of the newer era, one a tenant, so that a change of one tenant's tools is told to nobody else. */
  readonly #modern = new Map<string, McpHttpHandler>();
  readonly #forget: (() => void) | undefined;

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#sessions = new Sessions(parts);
    this.#forget = parts.onToolsChanged?.((tenant) => {
      this.#sessions.toolsChanged(tenant);
      this.#modern.get(tenant)?.notify.toolsChanged();
    });
  }

  async fetch(request: Request, caller: Caller): Promise<Response> {
    try {
      const url = new URL(request.url);
      requireHost(request, url, this.#parts.settings());
      foreignOrigin(request, url, this.#parts.settings());
      // Without an agent the check would take the policy's only one.
      if (caller.agents.length === 0) return problem(403, "agent_not_granted: this caller acts for no agent: it proposes nothing");
      if (request.method === "POST") return await this.#post(request, caller);
      if (request.method !== "GET" && request.method !== "DELETE") return problem(405, "only GET, POST and DELETE are taken", { allow: "GET, POST, DELETE" });
      const session = this.#session(request, caller);
      if (session instanceof Response) return session;
      const last = request.headers.get("last-event-id");
      if (request.method === "GET" && last?.startsWith(EVENT) === true) return replayed(session, last);
      return await session.transport.handleRequest(request);
    } catch (error) {
      if (error instanceof Failure) return problem(error.status, error.message);
      if (error instanceof RpcError) return problem(error.code === PARSE_ERROR || error.code === INVALID_REQUEST ? 400 : 200, error);
      return problem(500, new Error("internal error"));
    }
  }

  async close(): Promise<void> {
    this.#forget?.();
    await this.#sessions.close();
    await Promise.all([...this.#modern.values()].map((handler) => handler.close()));
  }

  async #post(request: Request, caller: Caller): Promise<Response> {
    if (!isJsonContentType(request.headers.get("content-type"))) return problem(415, "the content type is application/json");
    const accept = request.headers.get("accept") ?? "";
    if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream")) return problem(406, "accept both application/json and text/event-stream");
    const text = await this.#body(request);
    if (text instanceof Response) return text;
    await turnFor(text.length);
    const incoming = readIncoming(text);
    const claim = modernClaim(incoming);
    if (claim !== null || (request.headers.get("mcp-protocol-version") ?? "") >= "2026") return this.#newer(request, caller, incoming, claim);
    return this.#older(request, caller, incoming);
  }

  /** A request of 2026-07-28: no session; closing its stream cancels it. */
  async #newer(request: Request, caller: Caller, incoming: Incoming, claim: ReturnType<typeof modernClaim>): Promise<Response> {
    if (incoming.method !== "tools/call" || incoming.id === null || claim?.served !== true || !isClassified(request, incoming)) {
      return this.#modernHandler(caller).fetch(request, { parsedBody: incoming.value, authInfo: authOf(caller) });
    }
    const conversation = new Conversation(this.#parts, caller, `mcp-${caller.name}`);
    const cancel = () => conversation.cancel(incoming.id!);
    request.signal.addEventListener("abort", cancel, { once: true });
    return answered((out) => conversation.call(incoming, "modern", out, claim.takesUrl), null, cancel);
  }

  /** A request of the older era, in its session. */
  async #older(request: Request, caller: Caller, incoming: Incoming): Promise<Response> {
    const toLibrary = () => new Request(request.url, { method: "POST", headers: request.headers });
    if (incoming.method === "initialize" && request.headers.get("mcp-session-id") === null) {
      const session = await this.#sessions.open(caller);
      session.conversation.initialize(incoming);
      return session.transport.handleRequest(toLibrary(), { parsedBody: incoming.value });
    }
    const session = this.#session(request, caller);
    if (session instanceof Response) return session;
    if (incoming.method === "tools/call" && incoming.id !== null) return answered((out) => session.conversation.call(incoming, "legacy", out), session, null);
    if (session.conversation.takes(incoming)) return new Response(null, { status: 202 });
    return session.transport.handleRequest(toLibrary(), { parsedBody: incoming.value });
  }

  /** The session that a request names, or why there is none. */
  #session(request: Request, caller: Caller): Session | Response {
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !LEGACY.has(version)) return problem(400, `the protocol version ${version.slice(0, 32)} is not served here`);
    const id = request.headers.get("mcp-session-id");
    if (id === null) return problem(400, "name the session: Mcp-Session-Id");
    return this.#sessions.find(id, caller) ?? problem(404, new RpcError(-32001, "there is no such session: initialize a new one"));
  }

  async #body(request: Request): Promise<string | Response> {
    const limit = this.#parts.settings().limits.bodyBytes;
    try {
      return textOf(await bodyOf(request, limit, BODY_MS)) ?? problem(400, new RpcError(PARSE_ERROR, "the body is not UTF-8"));
    } catch (error) {
      const { status, message, more } = error instanceof Failure ? error : new Failure(400, "request_invalid", "the body broke off");
      return problem(status, message, more.headers);
    }
  }

  #modernHandler(caller: Caller): McpHttpHandler {
    let handler = this.#modern.get(caller.tenant);
    if (handler === undefined) {
      handler = createMcpHandler((context) => serverFor(this.#parts, () => context.authInfo?.extra?.["caller"] as Caller), { legacy: "reject", maxRequestBodySize: this.#parts.settings().limits.bodyBytes });
      this.#modern.set(caller.tenant, handler);
    }
    return handler;
  }
}

/** Answers one call: as JSON where it ends at once and says nothing else, else as a stream. Without a session the stream cannot be taken up again, and closing it cancels. */
async function answered(call: (out: (text: string) => void) => Promise<void>, session: Session | null, cancel: (() => void) | null): Promise<Response> {
  const texts: string[] = [];
  let said: () => void = () => undefined;
  const more = new Promise<void>((resolve) => {
    said = resolve;
  });
  let out = (text: string): void => {
    texts.push(text);
    said();
  };
  const ended = call((text) => out(text));
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([ended, more, new Promise((resolve) => (timer = setTimeout(resolve, session === null ? STREAM_AFTER_MS.plain : STREAM_AFTER_MS.resumable)))]);
  clearTimeout(timer);
  if (texts.length === 1 && isAnswer(texts[0]!)) return jsonResponse(200, texts[0]!);
  if (session !== null) {
    const stream = session.replay.open();
    for (const text of texts) stream.send(text);
    out = (text) => stream.send(text);
    void ended.then(() => stream.end());
    return streaming(stream.body());
  }
  const encoder = new TextEncoder();
  let open = true;
  return streaming(
    new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string) => {
          if (open) controller.enqueue(encoder.encode(`event: message\ndata: ${text}\n\n`));
        };
        for (const text of texts) write(text);
        out = write;
        const alive = setInterval(() => open && controller.enqueue(encoder.encode(": waiting\n\n")), 15_000);
        alive.unref?.();
        void ended.then(() => {
          clearInterval(alive);
          if (open) controller.close();
          open = false;
        });
      },
      cancel() {
        open = false;
        cancel?.();
      },
    }),
  );
}

/** Whether a text of ours is an answer: notifications and questions have a method. */
function isAnswer(text: string): boolean {
  return /^\{"jsonrpc":"2\.0","id":(?:"(?:[^"\\]|\\.)*"|-?\d+|null),"(?:result|error)":/.test(text);
}

function replayed(session: Session, last: string): Response {
  const body = session.replay.after(last);
  return body === null ? problem(404, "this stream is no longer kept") : streaming(body);
}

function streaming(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" } });
}

function problem(status: number, why: string | Error, headers: Record<string, string> = {}): Response {
  const error = typeof why === "string" ? new RpcError(-32000, why) : why;
  return new Response(errorMessage(null, error), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Whether headers and body agree on a request of the newer era; where they do not, the library says what is wrong. */
function isClassified(request: Request, { value }: Incoming): boolean {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const [version, method, name] = [header("mcp-protocol-version"), header("mcp-method"), header("mcp-name")];
  if (version === undefined || method === undefined || name === undefined) return false;
  const called = (value["params"] as { name?: unknown } | undefined)?.name;
  const isModern = (): boolean => classifyInboundRequest({ httpMethod: "POST", body: value, protocolVersionHeader: version, mcpMethodHeader: method, mcpNameHeader: name }).kind === "modern";
  return plainHeader(name) === called && foundBefore(`${version}\n${method}`, value, isModern);
}

/** The text of a header that may be written in base64 (2026-07-28). */
function plainHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*=*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

function authOf(caller: Caller): { token: string; clientId: string; scopes: string[]; extra: Record<string, unknown> } {
  return { token: "", clientId: caller.name, scopes: [], extra: { caller } };
}

function accepts(accept: string, type: string): boolean {
  return accept
    .split(",")
    .map((each) => each.split(";")[0]!.trim().toLowerCase())
    .some((each) => each === type || each === "*/*" || each === `${type.split("/")[0]}/*`);
}
