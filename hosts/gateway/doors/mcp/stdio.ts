// The door over standard input and output: one client, one line a message.
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../../gateway.ts";
import { Conversation } from "./conversation.ts";
import { modernClaim } from "./era.ts";
import { errorMessage, type Incoming, INVALID_REQUEST, PARSE_ERROR, readIncoming, RpcError } from "./message.ts";
import type { McpParts } from "./parts.ts";
import { serverFor } from "./tools.ts";

/** Bytes that wait for a client which does not read; until it does nothing more is read of it. */
const UNREAD_BYTES = 4 * 1024 * 1024;

export interface StdioDoor {
  /** Resolves once the client is gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client for a caller. Nothing but messages is written to `output`. */
export function openStdio(parts: McpParts, caller: Caller, input: Readable = process.stdin, output: Writable = process.stdout): StdioDoor {
  const lines = new Lines(parts, caller, input, output);
  const handle = serveStdio(
    () => {
      const server = serverFor(parts, () => caller);
      lines.servers.add(server);
      return server;
    },
    { transport: lines },
  );
  const forget = parts.onToolsChanged?.((tenant) => {
    if (tenant !== caller.tenant) return;
    for (const server of lines.servers) if (server.transport !== undefined) void server.sendToolListChanged().catch(() => undefined);
  });
  void lines.closed.then(() => forget?.());
  return { closed: lines.closed, close: () => handle.close() };
}

/** The library's transport: lines in and out, with tool calls taken out before the library reads them. */
class Lines implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly servers = new Set<ReturnType<typeof serverFor>>();
  readonly closed: Promise<void>;
  readonly #parts: McpParts;
  readonly #conversation: Conversation;
  readonly #input: Readable;
  readonly #output: Writable;
  #kept: Buffer[] = [];
  #length = 0;
  #dropping = false;
  #ended: () => void = () => undefined;
  #over = false;

  constructor(parts: McpParts, caller: Caller, input: Readable, output: Writable) {
    this.#parts = parts;
    this.#conversation = new Conversation(parts, caller);
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#ended = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", (part: Buffer | string) => this.#read(typeof part === "string" ? Buffer.from(part) : part));
    this.#input.on("end", () => void this.close());
    this.#input.on("close", () => void this.close());
    this.#input.on("error", () => void this.close());
    this.#output.on("error", () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    this.#conversation.close();
    this.#input.pause();
    this.onclose?.();
    this.#ended();
  }

  #write(text: string): void {
    if (this.#over || !this.#output.writable) return;
    this.#output.write(`${text}\n`);
    if (this.#output.writableLength <= UNREAD_BYTES || this.#input.isPaused()) return;
    this.#input.pause();
    this.#output.once("drain", () => {
      if (!this.#over) this.#input.resume();
    });
  }

  #read(part: Buffer): void {
    const limit = this.#parts.settings().limits.bodyBytes;
    let rest = part;
    while (rest.length > 0 && !this.#over) {
      const end = rest.indexOf(10);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
      if (!this.#dropping) {
        this.#kept.push(piece);
        this.#length += piece.length;
        if (this.#length > limit) {
          this.#dropping = true;
          this.#kept = [];
          this.#write(errorMessage(null, new RpcError(INVALID_REQUEST, `a message has ${limit} bytes at most`)));
        }
      }
      if (end < 0) continue;
      if (!this.#dropping) this.#line(Buffer.concat(this.#kept));
      this.#kept = [];
      this.#length = 0;
      this.#dropping = false;
    }
  }

  #line(bytes: Buffer): void {
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13)) return;
    let incoming: Incoming;
    try {
      incoming = readIncoming(text(bytes));
    } catch (error) {
      this.#write(errorMessage(null, error));
      return;
    }
    const out = (answer: string) => this.#write(answer);
    const claim = modernClaim(incoming);
    if (incoming.method === "tools/call" && incoming.id !== null && (this.#conversation.initialized ? claim === null : claim?.served === true)) {
      void this.#conversation.call(incoming, claim === null ? "legacy" : "modern", out, claim?.takesUrl === true);
      return;
    }
    if (incoming.method === "initialize") this.#conversation.initialize(incoming);
    if (this.#conversation.takes(incoming)) return;
    try {
      this.onmessage?.(incoming.value as unknown as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** The text of a line. Throws RpcError where it is not UTF-8. */
function text(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RpcError(PARSE_ERROR, "this is not UTF-8");
  }
}
