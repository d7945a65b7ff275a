// `interlock wrap` in place of a server's command, when things end or go wrong: signals, closed input, a server that does not end, crashes, writes what is no message, or answers without measure.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI } from "./process.ts";

const STUBBORN = fileURLToPath(new URL("stubborn.mjs", import.meta.url));
const HOSTILE = fileURLToPath(new URL("../upstream/hostile.mjs", import.meta.url));
let folder: string;
let env: Record<string, string>;
let ends: (() => unknown)[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "interlock-wrap-")));
  env = { PATH: process.env["PATH"]!, HOME: folder, INTERLOCK_STATE: join(folder, "state"), NO_COLOR: "1" };
  ends = [];
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** A policy over these tools, each a read. */
function policy(...tools: string[]): string {
  const file = join(folder, "policy.yaml");
  writeFileSync(file, `tenant: t\nagents: {a: {tools: ["*"]}}\nsettings: {undeclared_arguments: schema}\ntools:\n${tools.map((name) => `  - {name: ${name}, effect: read, parameters: {type: object}}\n`).join("")}`);
  return file;
}

/** Whether a process is there and not only waits to be forgotten. */
function runs(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
const gone = async (pids: readonly number[]): Promise<void> => {
  while (pids.some(runs)) await new Promise((next) => setTimeout(next, 20));
};

/** A wrapped server as a client by hand sees it: one line a message. */
class Raw {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  err = "";
  readonly #waiting = new Map<number, (message: any) => void>();
  #next = 1;

  constructor(server: string, { tools, state = "state" }: { readonly tools: readonly string[]; readonly state?: string }) {
    this.child = spawn(process.execPath, [CLI, "wrap", "--policy", policy(...tools), "--", process.execPath, server], { cwd: folder, env: { ...env, INTERLOCK_STATE: join(folder, state) } });
    this.child.stderr!.on("data", (part: Buffer) => (this.err += part.toString()));
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    createInterface({ input: this.child.stdout! }).on("line", (line) => {
      const message = JSON.parse(line) as { id?: number };
      this.#waiting.get(message.id ?? 0)?.(message);
    });
    ends.push(() => this.child.kill("SIGKILL"));
  }

  ask(method: string, params: unknown = {}): Promise<any> {
    const id = this.#next++;
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async open(): Promise<this> {
    await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } });
    this.child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    await this.ask("tools/list");
    return this;
  }

  async pids(): Promise<number[]> {
    const { result } = await this.ask("tools/call", { name: "pids", arguments: {} });
    const pids = (result.content[0].text as string).split(" ").map(Number);
    ends.push(() => pids.filter(runs).forEach((pid) => process.kill(pid, "SIGKILL")));
    return pids;
  }
}

describe("a server that does not end", () => {
  const endings: [string, (raw: Raw) => unknown][] = [
    ["closed input", ({ child }) => child.stdin!.end()],
    ["SIGTERM", ({ child }) => child.kill("SIGTERM")],
    ["SIGINT", ({ child }) => child.kill("SIGINT")],
    ["SIGHUP", ({ child }) => child.kill("SIGHUP")],
    // What the protocol's own clients do.
    ["closed input, then SIGTERM", ({ child }) => (child.stdin!.end(), child.kill("SIGTERM"))],
  ];
  it("is ended with all that it started, and wrap with 0, by closed input and by each signal", async () => {
    const ended = await Promise.all(endings.map(async ([name, end], at) => {
      const raw = await new Raw(STUBBORN, { tools: ["pids"], state: `state-${at}` }).open();
      const pids = await raw.pids();
      const before = pids.map(runs);
      end(raw);
      const code = await raw.ended;
      await gone(pids);
      return [name, before, code, readdirSync(join(folder, `state-${at}`, "running"))];
    }));
    expect(ended).toEqual(endings.map(([name]) => [name, [true, true], 0, []]));
  });

  it("is ended by the official client's way of closing, which kills what takes longer", async () => {
    const client = new Client({ name: "client", version: "1" });
    const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, "wrap", "--policy", policy("pids"), "--", process.execPath, STUBBORN], cwd: folder, env, stderr: "ignore" });
    await client.connect(transport);
    await client.listTools();
    const { content } = await client.callTool({ name: "pids", arguments: {} });
    const pids = (content as { text: string }[])[0]!.text.split(" ").map(Number);
    ends.push(() => pids.filter(runs).forEach((pid) => process.kill(pid, "SIGKILL")));
    const own = transport.pid!;
    await client.close();
    await gone([own]);
    await gone(pids);
  });

  it("is ended at once by a second signal", async () => {
    const raw = await new Raw(STUBBORN, { tools: ["pids"] }).open();
    const pids = await raw.pids();
    raw.child.kill("SIGTERM");
    raw.child.kill("SIGINT");
    expect([130, 143]).toContain(await raw.ended);
    await gone(pids);
  });
});

it("a server that ends with its input leaves nothing behind where wrap is killed", async () => {
  const raw = await new Raw(HOSTILE, { tools: ["echo"] }).open();
  const children = readFileSync(`/proc/${raw.child.pid}/task/${raw.child.pid}/children`, "utf8").trim().split(" ").map(Number);
  expect(children.map(runs)).toEqual([true]);
  raw.child.kill("SIGKILL");
  await raw.ended;
  await gone(children);
});

describe("a server that goes wrong", () => {
  async function client(...tools: string[]): Promise<{ client: Client; pid: number; told: () => string }> {
    const made = new Client({ name: "client", version: "1" });
    const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, "wrap", "--policy", policy(...tools), "--", process.execPath, HOSTILE], cwd: folder, env: { ...env, HOSTILE_TOOLS: tools.join(",") }, stderr: "pipe" });
    let err = "";
    transport.stderr!.on("data", (part: Buffer) => (err += part.toString()));
    await made.connect(transport);
    ends.push(() => made.close());
    await made.listTools();
    return { client: made, pid: transport.pid!, told: () => err };
  }
  const text = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

  it("is started again where it crashes: the call that it was in is not known to have run, and the next one is answered", async () => {
    const { client: one, told } = await client("exit", "echo");
    const crashed = await one.callTool({ name: "exit", arguments: {} });
    expect(crashed.isError).toBe(true);
    let again = await one.callTool({ name: "echo", arguments: { n: 1 } });
    while (again.isError === true) again = await one.callTool({ name: "echo", arguments: { n: 1 } });
    expect(text(again)).toContain("tools/call");
    expect(told()).toContain('"event":"server.down"');
  });

  it("is heard through what is no message", async () => {
    const { client: one } = await client("junk", "wrong_id", "echo");
    expect(text(await one.callTool({ name: "junk", arguments: {} }))).toContain("after junk");
    expect(text(await one.callTool({ name: "wrong_id", arguments: {} }))).toContain("own");
    expect((await one.callTool({ name: "echo", arguments: {} })).isError ?? false).toBe(false);
  });

  it("answers without measure: the memory stays within bounds", async () => {
    const { client: one, pid } = await client("huge", "echo");
    const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
    for (let at = 0; at < 5; at++) expect((await one.callTool({ name: "huge", arguments: {} })).isError).toBe(true);
    const first = peak();
    for (let at = 0; at < 25; at++) await one.callTool({ name: "huge", arguments: { at } });
    expect((await one.callTool({ name: "echo", arguments: {} })).isError ?? false).toBe(false);
    // 150 MB of results went by.
    expect(peak() - first).toBeLessThan(100);
  });
});
