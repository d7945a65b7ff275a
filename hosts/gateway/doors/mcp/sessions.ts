// Sessions of the older era over HTTP: each belongs to the caller that opened it, and ends by DELETE or when it is idle too long.
import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Caller } from "../../gateway.ts";
import { Conversation } from "./conversation.ts";
import type { McpParts } from "./parts.ts";
import { Kept, Replay } from "./replay.ts";
import { serverFor } from "./tools.ts";

/** Sessions of one caller at once; the longest idle one makes room. */
const SESSIONS = 1000;
/** How long a session may be idle, in milliseconds. */
const IDLE_MS = 6 * 60 * 60_000;

export interface Session {
  readonly id: string;
  readonly caller: Caller;
  readonly conversation: Conversation;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: ReturnType<typeof serverFor>;
  readonly replay: Replay;
  usedAt: number;
}

export class Sessions {
  readonly #parts: McpParts;
  readonly #byId = new Map<string, Session>();
  readonly #kept = new Kept();

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  /** A session for an `initialize`; it is kept once the library took it. */
  async open(caller: Caller): Promise<Session> {
    this.#makeRoom(caller);
    const id = randomUUID();
    const conversation = new Conversation(this.#parts, caller, `mcp-${id}`);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void this.#byId.set(id, session),
      onsessionclosed: () => this.#end(session),
      maxRequestBodySize: this.#parts.settings().limits.bodyBytes,
    });
    const server = serverFor(this.#parts, () => conversation.caller);
    const session: Session = { id, caller, conversation, transport, server, replay: new Replay(this.#kept), usedAt: Date.now() };
    await server.connect(transport);
    return session;
  }

  /** The caller's session of this id; null where it has none: another caller's is as if it were not there. From now on it acts by the rights that the caller has now. */
  find(id: string, caller: Caller): Session | null {
    const session = this.#byId.get(id);
    if (session === undefined || session.caller.name !== caller.name || session.caller.tenant !== caller.tenant) return null;
    session.usedAt = Date.now();
    session.conversation.caller = caller;
    return session;
  }

  /** Tells the sessions of a tenant that the tools may have changed. */
  toolsChanged(tenant: string): void {
    for (const { caller, server } of this.#byId.values()) if (caller.tenant === tenant) void server.sendToolListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const session of [...this.#byId.values()]) this.#end(session);
  }

  #makeRoom(caller: Caller): void {
    const own: Session[] = [];
    for (const session of [...this.#byId.values()]) {
      if (Date.now() - session.usedAt > IDLE_MS && !session.conversation.busy) this.#end(session);
      else if (session.caller.name === caller.name && session.caller.tenant === caller.tenant) own.push(session);
    }
    if (own.length >= SESSIONS) this.#end(own.reduce((longest, each) => (each.usedAt < longest.usedAt ? each : longest)));
  }

  #end(session: Session): void {
    if (!this.#byId.delete(session.id)) return;
    session.conversation.close();
    session.replay.close();
    void session.server.close().catch(() => undefined);
  }
}
