// An MCP server started by its command, spoken to over its standard input and output.
import { type ChildProcess, spawn } from "node:child_process";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { type JSONRPCMessage } from "@modelcontextprotocol/client";
import { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
import type { ServerSettings } from "../config/settings.ts";
import { Malformed, TooLarge, utf8 } from "./bounded.ts";
import { type Answered, answerOf, type Asking, envelope, FIRST_ID, NoAnswer, progressOf, readMessage, requestText, type Wire } from "./wire.ts";

/** Bytes that a message may have which answers no request of ours: the library's own, notifications. */
const OTHER_BYTES = 4 * 1024 * 1024;
/** Bytes that wait for a server which does not read; then it is given up. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/** Bytes of each end of a line that is too long which are kept, to learn whose answer it is. */
const ENDS = 512;
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
  #kept: Buffer[] = [];
  #length = 0;
  #dropping: { head: Buffer; tail: Buffer } | null = null;
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
    child.stdout.on("data", (part: Buffer) => this.#read(part));
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
    for (const pending of [...this.#pending.values()]) pending.reject(new NoAnswer("tool_unreachable", "the server ended before it answered", true));
    this.ongone?.();
    this.onclose?.();
  }

  /** Cuts what came into lines; a line that is too long for everybody is passed over as it comes. */
  #read(part: Buffer): void {
    let rest = part;
    while (rest.length > 0 && !this.#gone) {
      const end = rest.indexOf(10);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      rest = end < 0 ? rest.subarray(rest.length) : rest.subarray(end + 1);
      if (this.#dropping !== null) this.#dropping.tail = Buffer.concat([this.#dropping.tail, piece.subarray(-ENDS)]).subarray(-ENDS);
      else {
        this.#kept.push(piece);
        this.#length += piece.length;
        if (this.#length > this.#limit()) this.#dropping = { head: Buffer.concat(this.#kept).subarray(0, ENDS), tail: Buffer.concat(this.#kept).subarray(-ENDS) };
      }
      if (this.#dropping !== null) {
        this.#kept = [];
        this.#length = 0;
      }
      if (end < 0) continue;
      if (this.#dropping !== null) this.#dropped(this.#dropping);
      else this.#line(Buffer.concat(this.#kept));
      this.#kept = [];
      this.#length = 0;
      this.#dropping = null;
    }
  }

  #limit(): number {
    let limit = OTHER_BYTES;
    for (const { asking } of this.#pending.values()) limit = Math.max(limit, asking.limit + ENDS);
    return limit;
  }

  /** A line that was too long: its ends tell whose answer it was, where it was one. */
  #dropped({ head, tail }: { head: Buffer; tail: Buffer }): void {
    const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/.exec(head.toString("latin1"))?.[1] ?? /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail.toString("latin1"))?.[1];
    const pending = id === undefined ? undefined : this.#pending.get(Number(id));
    if (pending !== undefined) pending.reject(new TooLarge(pending.asking.limit));
    else this.onerror?.(new Error("a message that is too long was dropped"));
  }

  #line(bytes: Buffer): void {
    if (bytes.length === 0) return;
    try {
      const read = readMessage(utf8(bytes));
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
