// An MCP server behind a URL, spoken to over streamable HTTP.
import { setTimeout as sleep } from "node:timers/promises";
import { type JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import type { ServerSettings } from "../config/settings.ts";
import { bodyText, events, Malformed } from "./bounded.ts";
import { fetchOnce, type Reply, TURNED_AWAY, unanswered } from "./fetching.ts";
import { headerValue } from "./param-headers.ts";
import { type Answered, answeredBy, answerOf, type Asking, envelope, FIRST_ID, NoAnswer, progressOf, type Read, readMessage, requestText, type Wire } from "./wire.ts";

/** Bytes that a message of the library's own may have. */
const OTHER_BYTES = 4 * 1024 * 1024;
/** Bytes of a refusal's body that are read. */
const REFUSAL_BYTES = 64 * 1024;
/** How often a stream that ended without the answer is taken up again, and the longest wait between in milliseconds. */
const RESUMES = 20;
const LONGEST_RETRY_MS = 30_000;

type HttpSettings = Extract<ServerSettings, { kind: "http" }>;

/** The wire to a server behind a URL. Its headers go to the URL's own origin only. */
export class StreamableWire extends StreamableHTTPClientTransport implements Wire {
  ongone?: (() => void) | undefined;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #client: { name: string; version: string };
  #next = FIRST_ID;

  constructor(settings: HttpSettings, client: { name: string; version: string }) {
    const url = new URL(settings.url);
    super(url, { requestInit: { headers: { ...settings.headers } }, fetch: (to, init) => guardedFetch(url, to, init), redirectPolicy: "same-origin" });
    this.#url = url;
    this.#headers = settings.headers;
    this.#client = client;
  }

  async ask(asking: Asking): Promise<Answered> {
    const id = this.#next++;
    const modern = envelope(this.protocolVersion, this.#client) !== "";
    try {
      return await this.#exchange(id, asking, modern);
    } catch (error) {
      // Closing the request's stream is how newer revisions cancel; older ones are told.
      if (asking.signal.aborted && !modern && error instanceof NoAnswer && error.out) this.#cancelled(id, error.message);
      throw error;
    }
  }

  async #exchange(id: number, asking: Asking, modern: boolean): Promise<Answered> {
    const headers = this.#requestHeaders();
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json, text/event-stream");
    if (modern) {
      headers.set("mcp-method", asking.method);
      if (asking.name !== null) headers.set("mcp-name", headerValue(asking.name));
      for (const [name, value] of Object.entries(asking.headers)) headers.set(name, value);
    }
    const body = requestText(id, asking, envelope(this.protocolVersion, this.#client));
    const response = await fetchOnce(this.#url, { method: "POST", headers, body, signal: asking.signal });
    return this.#answer(id, asking, response, 0, null, modern);
  }

  async #answer(id: number, asking: Asking, response: Reply, resumed: number, from: string | null, modern: boolean): Promise<Answered> {
    if (!response.ok) return refused(response, resumed, modern, asking);
    const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    let last = from;
    let retry = 1000;
    try {
      if (type === "application/json") {
        const read = readMessage(await bodyText(response.body, asking.limit + REFUSAL_BYTES));
        if (read.value.id !== id) throw new Malformed("the answer is another request's");
        return answerOf(read);
      }
      if (type !== "text/event-stream") {
        response.cancel();
        throw new Malformed("the answer is neither JSON nor a stream of events");
      }
      for await (const event of events(response.body, () => asking.limit + REFUSAL_BYTES)) {
        last = event.id ?? last;
        retry = Math.min(event.retry ?? retry, LONGEST_RETRY_MS);
        if (event.event !== "message" || event.data === "") continue;
        const answer = this.#message(id, asking, event.data);
        if (answer !== null) return answer;
      }
    } catch (error) {
      if (error instanceof Error && "code" in error && (error.code === "result_too_large" || error.code === "result_malformed")) throw error;
      if (asking.signal.aborted || last === null || modern) throw unanswered(error, asking.signal);
    }
    if (last === null || modern || resumed === RESUMES) throw new NoAnswer("tool_unreachable", "the stream ended before the answer", true);
    return this.#resume(id, asking, last, retry, resumed);
  }

  async #resume(id: number, asking: Asking, last: string, retry: number, resumed: number): Promise<Answered> {
    await sleep(retry, undefined, { signal: asking.signal }).catch((error: unknown) => {
      throw unanswered(error, asking.signal);
    });
    const headers = this.#requestHeaders();
    headers.set("accept", "text/event-stream");
    headers.set("last-event-id", last);
    const response = await fetchOnce(this.#url, { method: "GET", headers, signal: asking.signal }).catch((error: unknown) => {
      throw error instanceof NoAnswer ? new NoAnswer(error.code, error.message, true) : error;
    });
    return this.#answer(id, asking, response, resumed + 1, last, false);
  }

  /** One message of the request's stream: its answer, or null. What is no message is passed over, unless the answer is lost in it (Malformed); an answer to another id is dropped. */
  #message(id: number, asking: Asking, text: string): Answered | null {
    let read: Read;
    try {
      read = readMessage(text);
    } catch (error) {
      // What cannot be read was the answer, where it says so, or may have been, where it begins as one.
      if (answeredBy(text).includes(id) || text.trimStart().startsWith("{")) throw error;
      return null;
    }
    const { id: theirs, method } = read.value;
    if (method === undefined) return theirs === id ? answerOf(read) : null;
    if (progressOf(read, (token) => (token === id ? asking.progress : undefined))) return null;
    const message = JSONRPCMessageSchema.safeParse(read.value);
    if (message.success) this.onmessage?.(message.data as JSONRPCMessage);
    return null;
  }

  #requestHeaders(): Headers {
    const headers = new Headers({ ...this.#headers });
    if (this.sessionId !== undefined) headers.set("mcp-session-id", this.sessionId);
    if (this.protocolVersion !== undefined) headers.set("mcp-protocol-version", this.protocolVersion);
    return headers;
  }

  #cancelled(id: number, reason: string): void {
    void super.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } }).catch((error: Error) => this.onerror?.(error));
  }
}

/** What a status other than 2xx means. */
async function refused(response: Reply, resumed: number, modern: boolean, asking: Asking): Promise<never | Answered> {
  const text = await bodyText(response.body, REFUSAL_BYTES).catch(() => "");
  if (modern && resumed === 0 && response.status >= 400 && response.status < 500) {
    try {
      const answered = answerOf(readMessage(text));
      if ("error" in answered) return answered;
    } catch {
      // No JSON-RPC error: the status says it all.
    }
  }
  const out = resumed > 0 || !TURNED_AWAY.has(response.status);
  const code = response.status === 404 && resumed === 0 ? "session_gone" : response.status >= 300 && response.status < 400 ? "redirected" : "tool_unreachable";
  throw new NoAnswer(code, `the server answered ${asking.method} with status ${response.status}`, out);
}

/** The library's fetch: to the one origin, every message bounded. */
async function guardedFetch(own: URL, to: string | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(to);
  if (url.origin !== own.origin) throw new NoAnswer("redirected", `a request to ${url.origin}, which is not the server's own origin, was not made`, false);
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (response.body === null) return response;
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  let length = 0;
  let empty = true;
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        length += part.length;
        if (length > OTHER_BYTES) {
          controller.error(new Malformed("a message is too long"));
          return;
        }
        if (streams) {
          for (const byte of part) {
            if (byte === 10) {
              if (empty) length = 0;
              empty = true;
            } else if (byte !== 13) empty = false;
          }
        }
        controller.enqueue(part);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
}
