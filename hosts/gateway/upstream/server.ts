// One MCP server kept connected: started again when it ends, its tools listed, calls sent to it.
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type CreateMessageResult } from "@modelcontextprotocol/client";
import type { ServerSettings } from "../config/settings.ts";
import { Attempt, said } from "./attempt.ts";
import { listTools, type ServerTool } from "./pages.ts";
import type { Sampling } from "./sampling.ts";
import { StdioWire } from "./stdio.ts";
import { StreamableWire } from "./streamable.ts";
import { type Answered, type Asking, NoAnswer, type Wire } from "./wire.ts";

export interface ServerOptions {
  /** Called when the tools may have changed, and when the server went up or down. */
  readonly onChanged: () => void;
  /** What a started server writes to its standard error. */
  readonly stderr: (text: string) => void;
  /** Where the settings pass sampling on: answers the server's questions. Without it they are refused, as elicitation and roots always are. */
  readonly sampling?: Sampling;
}

/** How long connecting and listing may take: a server that npx has to fetch first is slow. */
const CONNECT_MS = 60_000;
/** How long the question for the newer revision may go unanswered. */
const PROBE_MS = 10_000;
/** The waits between attempts: doubled from the first up to the last; a connection that held this long starts at the first again. */
const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 30_000;
const HELD_MS = 60_000;
/** A listing that is older is asked for again before it is used; so long is waited for it, and the one before is used where it does not come. */
const FRESH_MS = 60_000;
const PATIENCE_MS = 5000;
/** The shortest time between listings that a server brings about by saying that its tools changed. */
const BETWEEN_MS = 1000;
const CLIENT = { name: "interlock", version: "1" };

/** A server of a tenant. It connects by itself from `start` to `close`. */
export class McpServer {
  readonly settings: ServerSettings;
  readonly #options: ServerOptions;
  #wire: Wire | null = null;
  #client: Client | null = null;
  #tools: ReadonlyMap<string, ServerTool> | null = null;
  #leftOut: readonly string[] = [];
  /** When the last listing was begun. */
  #askedAt = 0;
  #listing: Promise<void> | null = null;
  /** Ends with the listing that is being made, or when others have waited long enough for it. */
  #patience: Promise<unknown> = Promise.resolve();
  #changed: NodeJS.Timeout | null = null;
  /** The attempt to connect that is being made, or waited for; null while it is up, or down after a failure. */
  #attempt: Attempt | null = new Attempt();
  #closed = false;
  /** The wire of the last connection that was begun. */
  #opening: Wire | null = null;
  #wait = FIRST_WAIT_MS;
  #mode: "auto" | "legacy" = "auto";
  #error = "";
  readonly #inHand: string[] = [];
  readonly #stop = new AbortController();

  constructor(settings: ServerSettings, options: ServerOptions) {
    this.settings = settings;
    this.#options = options;
  }

  /** Connects, and again whenever the connection ends. */
  start(): void {
    void this.#keep();
  }

  /** Waits until the server was heard, or could not be reached for the first time, up to `milliseconds`. */
  async settled(milliseconds: number): Promise<void> {
    if (this.#attempt !== null) await Promise.race([this.#attempt.over, sleep(milliseconds, undefined, { ref: false })]);
  }

  /** The tools, whether it is up or down; null until it listed them once. */
  get tools(): ReadonlyMap<string, ServerTool> | null {
    return this.#tools;
  }

  get up(): boolean {
    return this.#wire !== null;
  }

  /** The connected client, for what is passed on besides tools; null while it is down. */
  get client(): Client | null {
    return this.#wire === null ? null : this.#client;
  }

  /** The state in words, for people. */
  get state(): string {
    if (this.#closed) return "closed";
    if (this.#wire === null) return this.#attempt === null ? `down: ${this.#error}` : this.#error === "" ? "connecting" : `connecting again: ${this.#error}`;
    const left = this.#leftOut.length === 0 ? "" : `, ${this.#leftOut.length} left out (${this.#leftOut.slice(0, 3).join("; ")})`;
    return `up: ${this.#tools?.size ?? 0} tools${left}`;
  }

  /** Asks for the listing again where it is older than a minute. A server that says nothing keeps the listing it had. */
  async fresh(): Promise<void> {
    if (this.#wire === null) return;
    if (this.#listing === null) {
      if (Date.now() - this.#askedAt < FRESH_MS) return;
      void this.relist().catch(() => undefined);
    }
    await this.#patience;
  }

  /** Lists the tools anew; several callers share one listing. */
  relist(): Promise<void> {
    if (this.#listing !== null) return this.#listing;
    const listing = this.#list().finally(() => {
      this.#listing = null;
    });
    this.#listing = listing;
    this.#patience = Promise.race([listing.catch(() => undefined), sleep(PATIENCE_MS, undefined, { ref: false })]);
    return listing;
  }

  /** The server says that its tools changed. A listing that is being made may be of before, so another follows it; one that says so without end is listened to once a second. */
  #heard(): void {
    this.#changed ??= setTimeout(
      () => {
        void (this.#listing ?? Promise.resolve()).catch(() => undefined).then(() => {
          this.#changed = null;
          return this.relist().catch(() => undefined);
        });
      },
      Math.max(0, this.#askedAt + BETWEEN_MS - Date.now()),
    ).unref();
  }

  /** Makes one call of a tool. `requestId` is the client's request at its door, for questions that are passed on. */
  async call(requestId: string, asking: Asking): Promise<Answered> {
    this.#inHand.push(requestId);
    try {
      return await this.#ask(asking);
    } finally {
      this.#inHand.splice(this.#inHand.indexOf(requestId), 1);
    }
  }

  /** Sends one request; where the server's session was gone, once more with a new one, since the first was turned away. */
  async #ask(asking: Asking): Promise<Answered> {
    const wire = this.#wire;
    if (wire === null) throw new NoAnswer("tool_unreachable", `the server ${this.settings.name} is down`, false);
    try {
      return await wire.ask(asking);
    } catch (error) {
      if (!(error instanceof NoAnswer) || error.out || error.code === "tool_cancelled") throw error;
      this.#lost(wire, error.message);
      if (error.code !== "session_gone") throw error;
      await this.settled(CONNECT_MS);
      if (this.#wire === null || this.#wire === wire) throw new NoAnswer("tool_unreachable", error.message, false);
      return this.#wire.ask(asking);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    this.#attempt?.end();
    if (this.#changed !== null) clearTimeout(this.#changed);
    // One that is still starting is ended too: it would keep this process alive.
    const [client, wire] = [this.#client, this.#wire ?? this.#opening];
    this.#wire = null;
    await client?.close().catch(() => undefined);
    await wire?.close().catch(() => undefined);
  }

  async #keep(): Promise<void> {
    while (!this.#closed) {
      const began = Date.now();
      try {
        const { gone } = await this.#connect();
        this.#error = "";
        this.#settle();
        await gone;
      } catch (error) {
        this.#error = said(error);
        this.#settle();
      }
      if (this.#closed) return;
      if (Date.now() - began > HELD_MS) this.#wait = FIRST_WAIT_MS;
      await sleep(this.#wait, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
      this.#wait = Math.min(this.#wait * 2, LAST_WAIT_MS);
    }
  }

  #settle(): void {
    this.#attempt?.end();
    this.#attempt = null;
    this.#options.onChanged();
  }

  /** Connects and lists. Answers with a promise for the connection's end, in an object since it is not to be waited for here. */
  async #connect(): Promise<{ gone: Promise<void> }> {
    const wire: Wire = this.settings.kind === "stdio" ? new StdioWire(this.settings, CLIENT, this.#options.stderr) : new StreamableWire(this.settings, CLIENT);
    const { sampling } = this.#options;
    const changed = { autoRefresh: false, debounceMs: 50, onChanged: () => this.#heard() };
    const client = new Client(CLIENT, {
      capabilities: sampling === undefined ? {} : { sampling: {} },
      listChanged: { tools: changed },
      versionNegotiation: { mode: this.#mode, probe: { timeoutMs: PROBE_MS } },
    });
    if (sampling !== undefined) client.setRequestHandler("sampling/createMessage", async ({ params }) => (await sampling([...this.#inHand], params)) as CreateMessageResult);
    this.#client = client;
    this.#opening = wire;
    const gone = new Promise<void>((resolve) => {
      client.onclose = () => {
        if (this.#wire === wire) this.#lost(wire, "the connection ended");
        resolve();
      };
    });
    try {
      await client.connect(wire, { timeout: CONNECT_MS });
      if (this.#closed) throw new Error("closed while it was starting");
      this.#wire = wire;
      await this.relist();
    } catch (error) {
      this.#wire = null;
      // A server that ends at a question it does not know is asked in the older way next time.
      if (this.settings.kind === "stdio") this.#mode = this.#mode === "auto" ? "legacy" : "auto";
      await client.close().catch(() => undefined);
      await wire.close().catch(() => undefined);
      throw error;
    }
    return { gone };
  }

  #lost(wire: Wire, why: string): void {
    if (this.#wire !== wire) return;
    this.#wire = null;
    this.#error = why;
    this.#attempt ??= new Attempt();
    const client = this.#client;
    void client?.close().catch(() => undefined);
    void wire.close().catch(() => undefined);
    this.#options.onChanged();
  }

  async #list(): Promise<void> {
    const wire = this.#wire;
    if (wire === null) throw new NoAnswer("tool_unreachable", "the server is down", false);
    this.#askedAt = Date.now();
    const { tools, leftOut } = await listTools(wire, AbortSignal.timeout(CONNECT_MS));
    this.#leftOut = leftOut;
    const before = this.#tools;
    this.#tools = tools;
    if (before === null || before.size !== tools.size || [...tools].some(([name, { digest }]) => before.get(name)?.digest !== digest)) this.#options.onChanged();
  }
}
