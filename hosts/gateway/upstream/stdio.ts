// An MCP server started by its command, spoken to over its standard input and output.
import { type ChildProcess, spawn } from "node:child_process";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { type JSONRPCMessage } from "@modelcontextprotocol/client";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import type { ServerSettings } from "../config/settings.ts";
import { Malformed, TooLarge, utf8 } from "./bounded.ts";
import { ENDS, Lines } from "./lines.ts";
import { type Answered, answeredBy, answerOf, type Asking, envelope, FIRST_ID, idAtEnds, NoAnswer, progressOf, type Read, readMessage, requestText, type Wire } from "./wire.ts";

/** Bytes that a message may have which answers no request of ours: the library's own, notifications. */
const OTHER_BYTES = 4 * 1024 * 1024;
/** Bytes that wait for a server which does not read; then it is given up. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/** How long a server may take to end after its input was closed, and again after SIGTERM, in milliseconds. */
const ENDING_MS = 2000;
/** How long its output may stay open after it ended, in milliseconds: what it wrote last is still read. */
const LEFT_OPEN_MS = 500;
/** Whether processes come in groups that are signalled as one. */
const GROUPS = process.platform !== "win32";

/** Servers that run: whatever ends this process ends them first. */
const running = new Set<ChildProcess>();

function endAll(): void {
  for (const child of running) signal(child, "SIGKILL");
}

interface Pending {
  readonly asking: Asking;
  resolve(answer: Answered): void;
  reject(error: Error): void;
}

type StdioSettings = Extract<ServerSettings, { kind: "stdio" }>;

/** The wire to a started server. It gets the settings' environment and a few variables that are safe (PATH, HOME …), never the gateway's own. */
export class StdioWire implements Wire {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Wire["onmessage"];
  ongone?: (() => void) | undefined;
  readonly #settings: StdioSettings;
  readonly #stderr: (text: string) => void;
  readonly #client: { name: string; version: string };
  #version: string | undefined;
  #process: ChildProcess | null = null;
  readonly #lines = new Lines({ limit: () => this.#limit(), line: (bytes) => this.#line(bytes), tooLong: (head, tail) => this.#tooLong(head, tail) });
  #next = FIRST_ID;
  #gone = false;
  readonly #pending = new Map<number, Pending>();

  constructor(settings: StdioSettings, client: { name: string; version: string }, stderr: (text: string) => void) {
    this.#settings = settings;
    this.#client = client;
    this.#stderr = stderr;
  }

  setProtocolVersion = (version: string): void => {
    this.#version = version;
  };

  /** The process's id; undefined where it is not running. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    // Closed before it was begun: nothing is left running that nobody would end.
    if (this.#gone) throw new NoAnswer("tool_unreachable", "the server was closed before it was started", false);
    const { command, args, env, cwd } = this.#settings;
    // Its own process group: what a command starts in turn (npx, a shell) is ended with it.
    const child = spawn(command, [...args], { env: { ...getDefaultEnvironment(), ...env }, stdio: ["pipe", "pipe", "pipe"], shell: false, windowsHide: true, detached: GROUPS, ...(cwd === null ? {} : { cwd }) });
    this.#process = child;
    if (running.size === 0) process.on("exit", endAll);
    running.add(child);
    child.once("close", () => {
      running.delete(child);
      if (running.size === 0) process.off("exit", endAll);
    });
    child.stderr.on("data", (part: Buffer) => this.#stderr(part.toString("utf8")));
    child.stdout.on("data", (part: Buffer) => this.#lines.read(part));
    child.stdin.on("error", () => this.#end());
    child.stdout.on("error", () => this.#end());
    child.on("close", () => this.#end());
    // Where it ended and something it started holds its output open, nothing answers any more.
    child.on("exit", () => setTimeout(() => {
      signal(child, "SIGKILL");
      this.#end();
    }, LEFT_OPEN_MS).unref());
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", (error) => {
        this.#end();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // The library would wait its whole time for an answer, and hold this process up as long.
    if (this.#gone) throw new NoAnswer("tool_unreachable", "the server is not running", false);
    this.#write(JSON.stringify(message));
  }

  ask(asking: Asking): Promise<Answered> {
    if (asking.signal.aborted) return Promise.reject(new NoAnswer("tool_cancelled", "it was cancelled before it was sent", false));
    if (this.#gone || this.#process === null) return Promise.reject(new NoAnswer("tool_unreachable", "the server is not running", false));
    const id = this.#next++;
    return new Promise<Answered>((resolve, reject) => {
      const cancel = () => {
        this.#pending.delete(id);
        const reason = asking.signal.reason instanceof NoAnswer ? asking.signal.reason : new NoAnswer("tool_cancelled", "it was cancelled while the tool ran", true);
        this.#tell(id, reason.message);
        reject(reason);
      };
      const settled = () => {
        this.#pending.delete(id);
        asking.signal.removeEventListener("abort", cancel);
      };
      asking.signal.addEventListener("abort", cancel, { once: true });
      this.#pending.set(id, {
        asking,
        resolve: (answer) => (settled(), resolve(answer)),
        reject: (error) => (settled(), reject(error)),
      });
      this.#write(requestText(id, asking, envelope(this.#version, this.#client)));
    });
  }

  async close(): Promise<void> {
    const child = this.#process;
    this.#end();
    if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.stdin?.end();
    if (await within(ended, ENDING_MS)) return;
    signal(child, "SIGTERM");
    if (await within(ended, ENDING_MS)) return;
    signal(child, "SIGKILL");
    await within(ended, ENDING_MS);
  }

  #tell(id: number, reason: string): void {
    const meta = envelope(this.#version, this.#client);
    this.#write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":${JSON.stringify(reason)}${meta === "" ? "" : `,"_meta":{${meta}}`}}}`);
  }

  #write(text: string): void {
    const input = this.#process?.stdin;
    if (this.#gone || input == null || input.destroyed) return;
    if (input.writableLength > UNREAD_BYTES) {
      this.onerror?.(new Error("the server does not read what it is sent"));
      void this.close();
      return;
    }
    input.write(`${text}\n`);
  }

  #end(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#lines.close();
    for (const pending of [...this.#pending.values()]) pending.reject(new NoAnswer("tool_unreachable", "the server ended before it answered", true));
    this.ongone?.();
    this.onclose?.();
  }

  #limit(): number {
    let limit = OTHER_BYTES;
    for (const { asking } of this.#pending.values()) limit = Math.max(limit, asking.limit + ENDS);
    return limit;
  }

  /** A line that was too long: its ends tell whose answer it was, where it was one. */
  #tooLong(head: Buffer, tail: Buffer): void {
    const id = idAtEnds(head.toString("latin1"), tail.toString("latin1"));
    const pending = id === null ? undefined : this.#pending.get(id);
    if (pending !== undefined) pending.reject(new TooLarge(pending.asking.limit));
    else this.onerror?.(new Error("a message that is too long was dropped"));
  }

  /** A line that is no message: the requests that it answers have no other answer to wait for. */
  #unread(bytes: Buffer, error: Error): void {
    for (const id of answeredBy(bytes.toString("utf8"))) {
      this.#pending.get(id)?.reject(new Malformed(`an answer cannot be read: ${error.message}`));
      if (id < FIRST_ID) this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32700, message: `the answer cannot be read: ${error.message}` } });
    }
    this.onerror?.(error);
  }

  #line(bytes: Buffer): void {
    if (bytes.length === 0) return;
    let read: Read;
    try {
      read = readMessage(utf8(bytes));
    } catch (error) {
      this.#unread(bytes, error as Error);
      return;
    }
    try {
      const { id, method } = read.value;
      if (method === undefined && typeof id === "number" && id >= FIRST_ID) {
        const pending = this.#pending.get(id);
        if (pending === undefined) return;
        if (bytes.length > pending.asking.limit + ENDS) pending.reject(new TooLarge(pending.asking.limit));
        else {
          try {
            pending.resolve(answerOf(read));
          } catch (error) {
            pending.reject(error as Error);
          }
        }
        return;
      }
      if (progressOf(read, (token) => (typeof token === "number" ? this.#pending.get(token)?.asking.progress : undefined))) return;
      const message = JSONRPCMessageSchema.safeParse(read.value);
      if (!message.success) throw new Malformed("a message is no JSON-RPC message");
      this.onmessage?.(message.data as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** Signals a started server and what it started. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  try {
    if (GROUPS && child.pid !== undefined) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It is gone already.
  }
}

async function within(ended: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
