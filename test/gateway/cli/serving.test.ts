// Gateways as people start them: the demo in one line, a file of one's own with signals and a taken port, and one server wrapped for an MCP client, over a real server from npm.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLI, Process } from "./process.ts";
import { interlock } from "./terminal.ts";

const SERVER = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json")), "dist/index.js");
let folder: string;
let files: string;
let env: Record<string, string>;
let processes: Process[];
let clients: Client[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "interlock-serving-")));
  files = join(folder, "files");
  mkdirSync(files);
  writeFileSync(join(files, "a.txt"), "hello");
  env = { INTERLOCK_STATE: join(folder, "state"), TMPDIR: folder };
  processes = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.close().catch(() => undefined);
  for (const one of processes) await one.stop("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function start(...args: string[]): Process {
  const made = new Process(args, { cwd: folder, env });
  processes.push(made);
  return made;
}

async function post(url: string, key: string, path: string, body: unknown): Promise<{ status: number; json: any }> {
  const response = await fetch(url + path, { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }, body: JSON.stringify(body) });
  return { status: response.status, json: await response.json() };
}

it("gateway demo: a question waits in the inbox, is answered from the command line, runs on the real server, and is in the log; nothing is left when it ends", async () => {
  const demo = start("gateway", "demo", "--port", "0");
  await demo.says(/Ctrl-C ends it/);
  const [, url] = await demo.says(/(http:\/\/127\.0\.0\.1:\d+)\/#\/inbox/);
  const [, agent] = await demo.says(/Authorization: Bearer (ik_\S+)/);
  const page = await (await fetch(`${url}/`)).text();
  expect(page).toContain("<div id=");
  const [temporary] = readdirSync(folder).filter((name) => name.startsWith("interlock-gateway-"));
  const at = join(folder, temporary!, "files");
  expect((await post(url!, agent!, "/v1/call", { session: "s", tool: "list_directory", arguments: { path: at } })).json).toMatchObject({ outcome: "result", failed: false });
  const [question] = JSON.parse((await interlock(["approvals", "list", "--format", "json"], env)).out) as { id: string; tool: string }[];
  expect(question).toMatchObject({ tool: "move_file" });
  const approved = await interlock(["approvals", "approve", question!.id], env);
  expect(approved.err).toBe("");
  expect(approved.out).toMatch(/^approved: move_file/);
  while (!existsSync(join(at, "final.txt"))) await new Promise((next) => setTimeout(next, 20));
  expect((await interlock(["kill", "set", "--tool", "list_directory", "--why", "a test"], env)).exit).toBe(0);
  expect((await post(url!, agent!, "/v1/call", { session: "s", tool: "list_directory", arguments: { path: at } })).json).toMatchObject({ outcome: "refused" });
  const [kill] = JSON.parse((await interlock(["kill", "list", "--format", "json"], env)).out) as { id: string }[];
  expect((await interlock(["kill", "lift", kill!.id], env)).exit).toBe(0);
  expect((await interlock(["audit", "export", "-o", join(folder, "log.jsonl")], env)).exit).toBe(0);
  const verified = await interlock(["audit", "verify", join(folder, "log.jsonl"), "--keys", join(folder, temporary!, "keys.json")], env);
  expect(verified.out).toMatch(/^valid {2}tenant demo/);
  expect(await demo.stop("SIGINT")).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith("interlock-gateway-"))).toEqual([]);
  expect(readdirSync(join(env["INTERLOCK_STATE"]!, "running"))).toEqual([]);
});

describe("a gateway of one's own", () => {
  /** A gateway of the folder's own, at a port that is free. */
  async function made(...server: string[]): Promise<string> {
    const gate = join(folder, "gate");
    expect((await interlock(["gateway", "init", gate, ...server])).exit).toBe(0);
    const file = join(gate, "gateway.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("port: 8484", "port: 0"));
    return file;
  }
  const UP = /interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/;

  it("starts over its file, takes a new caller on SIGHUP and leaves a wrong file out, ends with 0, and starts again", async () => {
    const file = await made("--", process.execPath, SERVER, files);
    const gateway = start("gateway", "--config", file);
    const [, url] = await gateway.says(UP);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ready: true });
    const late = JSON.parse((await interlock(["gateway", "key", "late", "--agent", "assistant", "--format", "json"])).out) as { key: string; lines: string };
    const call = { session: "s", tool: "read_text_file", arguments: { path: join(files, "a.txt") } };
    expect((await post(url!, late.key, "/v1/call", call)).status).toBe(401);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("callers:\n", `callers:\n${late.lines}`));
    gateway.child.kill("SIGHUP");
    await gateway.says(/reload\.taken/);
    expect((await post(url!, late.key, "/v1/call", call)).json).toMatchObject({ outcome: "result", failed: false });
    writeFileSync(file, "mode: watch\n");
    gateway.child.kill("SIGHUP");
    await gateway.says(/reload\.left.*config_value/);
    expect((await post(url!, late.key, "/v1/call", call)).json).toMatchObject({ outcome: "result", failed: false });
    writeFileSync(file, before);
    expect(await gateway.stop()).toBe(0);
    const again = start("gateway", "--config", file);
    await again.says(UP);
    expect(await again.stop()).toBe(0);
  });

  it("a second one on its store or its port says why not", async () => {
    const file = await made("--", process.execPath, SERVER, files);
    const gateway = start("gateway", "--config", file);
    const [, url] = await gateway.says(UP);
    const second = start("gateway", "--config", file);
    const third = join(folder, "third.yaml");
    writeFileSync(third, readFileSync(file, "utf8").replace("port: 0", `port: ${new URL(url!).port}`).replace("interlock-data", "third").replace(/(policy|keys): (\S+)/g, "$1: gate/$2").replace("gate/gate/", "gate/"));
    const taken = start("gateway", "--config", third);
    expect([await second.ended, await taken.ended]).toEqual([1, 1]);
    expect(second.err).toMatch(/error store_in_use: /);
    expect(taken.err).toMatch(/error port_in_use: /);
    expect(await gateway.stop()).toBe(0);
  });

  it.each([["engine.open", 143], ["door.open", 0], ["interlock gateway 0", 0]] as const)("heeds a signal that comes while it says %s", async (at, exit) => {
    const file = await made();
    const preload = `--import ${JSON.stringify(new URL("signalled.mjs", import.meta.url).href)}`;
    const signalled = (signal: string): Process => {
      const one = new Process(["gateway", "--config", file], { cwd: folder, env: { ...env, NODE_OPTIONS: preload, INTERLOCK_TEST_SIGNAL: signal, INTERLOCK_TEST_AT: at } });
      processes.push(one);
      return one;
    };
    // One that is only starting has nothing to put away.
    expect(await signalled("SIGTERM").ended).toBe(exit);
    const reloaded = signalled("SIGHUP");
    await reloaded.says(/reload\.taken/);
    await reloaded.says(/interlock gateway 0/);
    expect(await reloaded.stop()).toBe(0);
  });

  it("with a policy that is wrong does not start, and shows where", async () => {
    const gate = join(folder, "gate");
    await interlock(["gateway", "init", gate]);
    writeFileSync(join(gate, "policy.yaml"), "tenant: gate\nagents: {desk: {tols: []}}\ntools: []\n");
    const gateway = start("gateway", "--config", join(gate, "gateway.yaml"));
    expect(await gateway.ended).toBe(1);
    expect(gateway.err).toMatch(/error policy_invalid: [\s\S]*policy\.yaml:2:\d+: error/);
  });
});

describe("wrap", () => {
  async function client(...args: string[]): Promise<Client> {
    const made = new Client({ name: "test", version: "1" });
    clients.push(made);
    await made.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, "wrap", ...args, "--", process.execPath, SERVER, files], env: { ...env, PATH: process.env["PATH"]! }, cwd: folder, stderr: "ignore" }));
    return made;
  }

  async function policy(): Promise<void> {
    expect((await interlock(["gateway", "init", join(folder, "made"), "--", process.execPath, SERVER, files])).exit).toBe(0);
  }

  it("stands in for the server's command: reads run, a write waits for `interlock approvals` and then runs; two at once each have a store", async () => {
    await policy();
    const one = await client("--policy", "made/policy.yaml");
    expect((await one.listTools()).tools.map(({ name }) => name)).toContain("write_file");
    expect(JSON.stringify(await one.callTool({ name: "read_text_file", arguments: { path: join(files, "a.txt") } }))).toContain("hello");
    const path = join(files, "b.txt");
    const waiting = one.callTool({ name: "write_file", arguments: { path, content: "x" } });
    let id: string | undefined;
    while (id === undefined) {
      const listed = await interlock(["approvals", "list", "--format", "json"], env);
      id = (JSON.parse(listed.out) as { id: string }[])[0]?.id;
    }
    expect(existsSync(path)).toBe(false);
    expect((await interlock(["approvals", "approve", id], env)).err).toBe("");
    expect((await waiting).isError ?? false).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("x");
    const two = await client("--policy", "made/policy.yaml");
    expect(JSON.stringify(await two.callTool({ name: "read_text_file", arguments: { path: join(files, "a.txt") } }))).toContain("hello");
  });

  it("only observing lets a write through, and records what would have been answered", async () => {
    await policy();
    const one = await client("--policy", "made/policy.yaml", "--observe", "--data", "kept");
    const path = join(files, "c.txt");
    expect((await one.callTool({ name: "write_file", arguments: { path, content: "x" } })).isError ?? false).toBe(false);
    expect(existsSync(path)).toBe(true);
    await one.close();
    while (!existsSync(join(folder, "kept", "recorded.jsonl"))) await new Promise((next) => setTimeout(next, 20));
    expect(JSON.parse(readFileSync(join(folder, "kept", "recorded.jsonl"), "utf8").split("\n")[0]!)).toMatchObject({ tool: "write_file", decision: "confirm", status: "ran" });
  });
});
