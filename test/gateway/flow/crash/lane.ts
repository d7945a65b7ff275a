// A store and the gateway processes that follow one another over it, each killed; the next one is loaded before it is needed.
import { type ChildProcess, spawn } from "node:child_process";
import type { Gateway } from "../../../../hosts/gateway/gateway.ts";
import type { Plan } from "./child.ts";

/** The process was killed before it answered: what was asked may have been done or not. */
export class Killed extends Error {}

/** What the gateway says no to. */
export class Refused extends Error {
  readonly code: string;
  readonly detail: unknown;
  constructor({ code, message, detail }: { code: string; message: string; detail?: unknown }) {
    super(`${code}: ${message}`);
    this.code = code;
    this.detail = detail;
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class Process {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly ended: Promise<void>;
  #count = 0;
  #over = false;
  said = "";

  constructor(script: string) {
    // A process that lives for a moment gains nothing by compiling the core a second time, better.
    this.child = spawn(process.execPath, ["--liftoff-only", script], { stdio: ["ignore", "inherit", "pipe", "ipc"] });
    this.child.stderr!.on("data", (part: Buffer) => (this.said += part.toString()));
    this.child.on("message", ({ id, ok, error }: { id: number; ok?: unknown; error?: ConstructorParameters<typeof Refused>[0] }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(ok);
      else waiting?.reject(new Refused(error));
    });
    this.ended = new Promise((resolve) => {
      this.child.once("close", () => {
        this.#over = true;
        for (const { reject } of this.#waiting.values()) reject(new Killed(`the process is gone ${this.said}`));
        this.#waiting.clear();
        resolve();
      });
    });
  }

  ask(message: Record<string, unknown>): Promise<unknown> {
    if (this.#over || !this.child.connected) return Promise.reject(new Killed("the process is gone"));
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.child.send({ id, ...message }, () => undefined);
    });
  }
}

export class Lane {
  readonly folder: string;
  readonly #script: string;
  readonly #url: string;
  #process: Process | null = null;
  #next: Process;

  constructor(folder: string, script: string, url: string) {
    this.folder = folder;
    this.#script = script;
    this.#url = url;
    this.#next = new Process(script);
  }

  /** Starts the next gateway over the store. Fails with Killed where its plan ends it while it starts. */
  async start(plan: Plan | null = null): Promise<void> {
    this.#process = this.#next;
    this.#next = new Process(this.#script);
    await this.#process.ask({ op: "start", folder: this.folder, url: this.#url, plan });
  }

  /** Another gateway over the same store while this one runs: whatever it fails with. */
  async second(): Promise<unknown> {
    const other = new Process(this.#script);
    try {
      return await other.ask({ op: "start", folder: this.folder, url: this.#url, plan: null }).catch((error: unknown) => error);
    } finally {
      other.child.kill("SIGKILL");
      await other.ended;
    }
  }

  async plan(plan: Plan | null): Promise<void> {
    await this.#process!.ask({ op: "plan", plan });
  }

  /** The steps since the plan was made. */
  async steps(): Promise<readonly string[]> {
    return (await this.#process!.ask({ op: "steps" })) as readonly string[];
  }

  async audit(from: number): Promise<readonly string[]> {
    return (await this.#process!.ask({ op: "audit", args: [from, 10_000] })) as readonly string[];
  }

  async ask<Name extends keyof Gateway>(op: Name, ...args: Parameters<Gateway[Name]>): Promise<Awaited<ReturnType<Gateway[Name]>>> {
    return (await this.#process!.ask({ op, args })) as Awaited<ReturnType<Gateway[Name]>>;
  }

  /** kill -9, and waits until the process is gone. */
  async kill(): Promise<void> {
    this.#process?.child.kill("SIGKILL");
    await this.#process?.ended;
  }

  /** What the process wrote as errors. */
  get said(): string {
    return this.#process?.said ?? "";
  }

  async close(): Promise<void> {
    this.#next.child.kill("SIGKILL");
    await Promise.all([this.kill(), this.#next.ended]);
  }
}
