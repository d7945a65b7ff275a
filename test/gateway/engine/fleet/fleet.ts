// Gateways in processes of their own over one Restate, behind a balancer: started, asked, killed and started again.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import type { ToolSettings } from "../../../../hosts/gateway/config/settings.ts";
import type { Gateway } from "../../../../hosts/gateway/gateway.ts";
import { bundled, unbundle } from "../../bundled.ts";
import { freePorts, type Server } from "../restate-server.ts";
import { type Balancer, balancer } from "./balancer.ts";
import { writeShop } from "./shop.ts";
import type { Begin } from "./worker.ts";

/** The process was killed before it answered: what was asked may have been done or not. */
export class Killed extends Error {}

/** What a gateway says no to. */
export class Refused extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Worker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #over = false;
  /** What it wrote as errors. */
  said = "";

  constructor(script: string) {
    this.#child = spawn(process.execPath, [script], { stdio: ["ignore", "inherit", "pipe", "ipc"] });
    this.#child.stderr!.on("data", (part: Buffer) => (this.said += part.toString()));
    this.#child.on("message", ({ id, ok, error }: { id: number; ok?: unknown; error?: { code: string; message: string } }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(ok);
      else waiting?.reject(new Refused(error));
    });
    this.#child.once("exit", () => {
      this.#over = true;
      for (const { reject } of this.#waiting.values()) reject(new Killed("the process is gone"));
      this.#waiting.clear();
    });
  }

  /** Asks, and gives the request's number for `abort` too. */
  begin<T>(op: string, ...args: readonly unknown[]): { readonly id: number; readonly answer: Promise<T> } {
    const id = ++this.#count;
    if (this.#over) return { id, answer: Promise.reject(new Killed("the process is gone")) };
    return {
      id,
      answer: new Promise<T>((resolve, reject) => {
        this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        this.#child.send({ id, op, args }, () => undefined);
      }),
    };
  }

  async ask<Name extends keyof Gateway>(op: Name, ...args: Parameters<Gateway[Name]>): Promise<Awaited<ReturnType<Gateway[Name]>>> {
    return (await this.begin(op, ...args).answer) as Awaited<ReturnType<Gateway[Name]>>;
  }

  /** kill -9, or another signal, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    if (this.#over) return;
    const exit = once(this.#child, "exit");
    this.#child.kill(signal);
    await exit;
  }

  /** Holds the process as it is, and lets it go on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }
}

/** A program: as it is, or the next one, whose handlers' steps are others. */
export type Program = "now" | "next";
/** Where Restate calls each of them. */
const PATHS: Readonly<Record<Program, string>> = { now: "/steps-1/", next: "/steps-2/" };

/** The workers' scripts, each built once. */
const scripts = new Map<Program, Promise<string>>();

/** What the next program changes: a call's run and a tenant's commit each begin with a step of their own. */
const NEXT: readonly (readonly [from: string, to: string])[] = [
  ["export const STEPS = 1;", "export const STEPS = 2;"],
  ['await ctx.run("run",', 'await ctx.run("begin", () => 0);\n        await ctx.run("run",'],
  ["const name = decodeURIComponent(ctx.key);", 'const name = decodeURIComponent(ctx.key);\n    await ctx.run("begin", () => 0);'],
];

const nextSteps: Plugin = {
  name: "next-steps",
  setup({ onLoad }) {
    onLoad({ filter: /\/restate\/services\.ts$/ }, ({ path }) => {
      let contents = readFileSync(path, "utf8");
      for (const [from, to] of NEXT) {
        if (contents.split(from).length !== 2) throw new Error(`services.ts has not one ${from}`);
        contents = contents.replace(from, to);
      }
      return { contents, loader: "ts" };
    });
  },
};

function scriptOf(program: Program): Promise<string> {
  const known = scripts.get(program) ?? bundled(fileURLToPath(new URL("worker.ts", import.meta.url)), program === "next" ? [nextSteps] : []);
  scripts.set(program, known);
  return known;
}

/** Removes the scripts; to be called once no fleet is left. */
export async function removeScript(): Promise<void> {
  for (const script of scripts.values()) unbundle(await script);
  scripts.clear();
}

export class Fleet {
  readonly folder = mkdtempSync(join(tmpdir(), "fleet-"));
  readonly workers: (Worker | null)[] = [];
  /** Gateways that the balancer passes over, as if it could not reach them. */
  readonly passedOver = new Set<number>();
  readonly #server: Server;
  readonly #url: string;
  readonly #prefix: string;
  readonly #tools: Partial<ToolSettings>;
  #ports: number[] = [];
  readonly #programs: Program[] = [];
  /** A process that is loaded before it is needed. */
  #spare: Worker | null = null;
  #balancer!: Balancer;
  #script!: string;

  private constructor(server: Server, url: string, prefix: string, tools: Partial<ToolSettings>) {
    this.#server = server;
    this.#url = url;
    this.#prefix = prefix;
    this.#tools = tools;
  }

  /** So many gateways, all up. @param url of the tools */
  static async of(count: number, server: Server, url: string, prefix: string, tools: Partial<ToolSettings> = {}): Promise<Fleet> {
    const fleet = new Fleet(server, url, prefix, tools);
    writeShop(fleet.folder);
    fleet.#script = await scriptOf("now");
    fleet.#ports = await freePorts(count);
    fleet.#balancer = await balancer((path) => fleet.#ports.filter((_, number) => !fleet.passedOver.has(number) && path.startsWith(PATHS[fleet.#programs[number] ?? "now"])));
    await Promise.all(Array.from({ length: count }, (_, number) => fleet.start(number)));
    return fleet;
  }

  /** Starts a gateway, again where it was killed. */
  async start(number: number, program: Program = "now"): Promise<Worker> {
    this.#programs[number] = program;
    const worker = program === "next" ? new Worker(await scriptOf(program)) : (this.#spare ?? new Worker(this.#script));
    if (program === "now") this.#spare = null;
    const engine = { kind: "restate", ingress: this.#server.ingress, admin: this.#server.admin, listen: { host: "127.0.0.1", port: this.#ports[number]! }, advertise: this.#balancer.url, identityKeys: [], prefix: this.#prefix } as const;
    const begin: Begin = { folder: this.folder, url: this.#url, engine, tools: this.#tools };
    try {
      await worker.begin("start", begin).answer;
    } catch (error) {
      await worker.kill();
      throw error;
    }
    this.workers[number] = worker;
    this.#spare ??= new Worker(this.#script);
    return worker;
  }

  worker(number: number): Worker {
    return this.workers[number]!;
  }

  async close(): Promise<void> {
    await Promise.all([...this.workers, this.#spare].map((worker) => worker?.kill()));
    await this.#balancer.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
