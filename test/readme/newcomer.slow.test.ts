// The README's way from nothing to a server behind the gateway, as a newcomer goes it: every command and every setting of the section is run, with the protocol's official client as the client that was there before.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { CLI, Process } from "../gateway/cli/process.ts";

const section = /^## In front of your MCP servers\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, "README.md"), "utf8"))![1]!;
const blocks = (language: string) => [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , text]) => text!);
const lines = blocks("sh").flatMap((text) => text.trim().split("\n"));
const [overHttp, overStdio] = blocks("json") as [string, string];

let place: string;
let documents: string;
let env: Record<string, string>;
const processes: Process[] = [];
const clients: Client[] = [];
const taken = new Set<string>();

beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "interlock-newcomer-")));
  // A folder where the package and the server are installed, so that npx finds both without a network.
  writeFileSync(join(place, "package.json"), '{"private": true}');
  const packages = join(place, "node_modules");
  mkdirSync(join(packages, ".bin"), { recursive: true });
  symlinkSync(ROOT, join(packages, "interlock"));
  symlinkSync(join(ROOT, "node_modules/@modelcontextprotocol"), join(packages, "@modelcontextprotocol"));
  symlinkSync(CLI, join(packages, ".bin/interlock"));
  symlinkSync(join(ROOT, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), join(packages, ".bin/mcp-server-filesystem"));
  documents = join(place, "Documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "a.txt"), "hello");
  env = { INTERLOCK_STATE: join(place, "state"), npm_config_offline: "true", npm_config_update_notifier: "false", npm_config_cache: join(place, "cache") };
});
afterAll(async () => {
  for (const client of clients) await client.close().catch(() => undefined);
  for (const one of processes) await one.stop("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});

/** The README's line that starts so. */
function line(start: string): string {
  const found = lines.find((each) => each.includes(start));
  if (found === undefined) throw new Error(`the README shows no command ${start}`);
  taken.add(found);
  return found;
}

/** Runs a line as a shell does, in the folder. */
async function sh(command: string, more: Record<string, string> = {}): Promise<string> {
  const options = { cwd: place, env: { PATH: process.env["PATH"]!, HOME: place, NO_COLOR: "1", ...env, ...more } };
  return (await promisify(execFile)("sh", ["-c", command], options)).stdout;
}

/** Starts what a line runs and stays, without npx in between, so that signals reach it. */
function start(command: string, ...more: string[]): Process {
  const words = /npx interlock (.*)$/.exec(command)![1]!.split(" ");
  const made = new Process([...words, ...more], { cwd: place, env });
  processes.push(made);
  return made;
}

async function connect(transport: ConstructorParameters<typeof StreamableHTTPClientTransport>[0] | StdioClientTransport, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "client", version: "1" });
  clients.push(client);
  await client.connect(transport instanceof StdioClientTransport ? transport : new StreamableHTTPClientTransport(transport, { requestInit: { headers } }));
  return client;
}

/** Writes a file through a client; a person answers the question with this command. */
async function write(client: Client, name: string, answer: string, more: Record<string, string>): Promise<{ failed: boolean; text: string }> {
  const call = client.callTool({ name: "write_file", arguments: { path: join(documents, name), content: "x" } });
  let id: string | undefined;
  while (id === undefined) id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await sh(line("approvals list"), more))?.[0];
  await sh(answer.replace("ID", id), more);
  const result = await call;
  return { failed: result.isError === true, text: JSON.stringify(result.content) };
}

it("the demo starts with one line: console, question and a server behind it", async () => {
  const demo = start(line("npm ci && npx interlock gateway demo"), "--port", "0");
  await demo.says(/Ctrl-C ends it/);
  const [, url] = await demo.says(/(http:\/\/127\.0\.0\.1:\d+)\/#\/inbox/);
  const [, key] = await demo.says(/Authorization: Bearer (ik_\S+)/);
  expect(await (await fetch(url!)).text()).toContain("<title>Interlock");
  const client = await connect(new URL(`${url}/mcp`), { authorization: `Bearer ${key}` });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("move_file");
  await client.close();
  expect(await demo.stop("SIGINT")).toBe(0);
});

it("a server of one's own: from nothing to an existing client's calls, questions answered, watched first, and wrapped", async () => {
  const made = await sh(line("gateway init"));
  const administrator = /administrator.*(ik_\S+)/.exec(made)![1]!;
  const agent = /agent \(.*(ik_\S+)/.exec(made)![1]!;
  // What it prints is what the README shows, with the paths of here.
  expect(made).toContain(overHttp.trim().replace("ik_AGENT", agent));
  const printed = made.trim().split("\n").at(-1)!;
  const own = overStdio.trim().replace('"node"', JSON.stringify(process.execPath)).replace("dist/cli.js", realpathSync(CLI)).replace("gate/policy.yaml", join(place, "gate/policy.yaml")).replace("~/Documents", documents);
  expect(printed).toBe(own);

  const file = join(place, "gate/gateway.yaml");
  const change = (from: string | RegExp, to: string) => {
    const before = readFileSync(file, "utf8");
    expect(before).toMatch(from);
    writeFileSync(file, before.replace(from, to));
  };
  change("port: 8484", "port: 0");
  const gateway = start(line("gateway --config"));
  const [, url] = await gateway.says(/interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/);
  const settings = JSON.parse(overHttp.replace("http://127.0.0.1:8484", url!).replace("ik_AGENT", agent)) as { mcpServers: { gate: { url: string; headers: Record<string, string> } } };
  const client = await connect(new URL(settings.mcpServers.gate.url), settings.mcpServers.gate.headers);
  expect(JSON.stringify((await client.callTool({ name: "read_text_file", arguments: { path: join(documents, "a.txt") } })).content)).toContain("hello");

  const person = { INTERLOCK_URL: url!, INTERLOCK_KEY: line("export INTERLOCK_KEY").replace("export INTERLOCK_KEY=ik_ADMINISTRATOR", administrator) };
  expect(await write(client, "b.txt", line("approvals approve"), person)).toMatchObject({ failed: false });
  expect(existsSync(join(documents, "b.txt"))).toBe(true);
  expect(await write(client, "c.txt", line("approvals deny"), person)).toMatchObject({ failed: true, text: expect.stringContaining("not in this folder") });
  expect(existsSync(join(documents, "c.txt"))).toBe(false);

  const key = await sh(line("gateway key"));
  change("callers:\n", `callers:\n${/^ {2}laptop:\n(?: {4}.*\n)+/m.exec(key)![0]}`);
  await gateway.says(/reload\.taken/);
  const laptop = await connect(new URL(`${url}/mcp`), { authorization: `Bearer ${/ik_\S+/.exec(key)![0]}` });
  expect((await laptop.listTools()).tools.length).toBeGreaterThan(5);
  for (const each of [client, laptop]) await each.close();
  expect(await gateway.stop()).toBe(0);

  for (const setting of ["mode: observe", "recording: {file: recorded.jsonl, arguments: true}"]) expect(section).toContain(`\`${setting}\``);
  change("mode: enforce\n#recording: {file: recorded.jsonl, arguments: true}", "mode: observe\nrecording: {file: recorded.jsonl, arguments: true}");
  const observing = start(line("gateway --config"));
  const [, at] = await observing.says(/interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/);
  expect(observing.err).toContain("OBSERVE MODE");
  const watched = await connect(new URL(`${at}/mcp`), { authorization: `Bearer ${agent}` });
  expect((await watched.callTool({ name: "write_file", arguments: { path: join(documents, "d.txt"), content: "x" } })).isError ?? false).toBe(false);
  expect(existsSync(join(documents, "d.txt"))).toBe(true);
  await watched.close();
  expect(await observing.stop()).toBe(0);
  expect(await sh(line("interlock replay"))).toContain("1 call, 0 decided another way");
  const policy = join(place, "gate/policy.yaml");
  writeFileSync(policy, readFileSync(policy, "utf8").replace('tools: ["*"]', "tools: [read_text_file]"));
  await expect(sh(line("interlock replay"))).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining("1 call, 1 decided another way") });
  writeFileSync(policy, readFileSync(policy, "utf8").replace("tools: [read_text_file]", 'tools: ["*"]'));

  const { command, args } = (JSON.parse(own) as { mcpServers: { files: { command: string; args: string[] } } }).mcpServers.files;
  const wrapped = await connect(new StdioClientTransport({ command, args, cwd: place, env: { PATH: process.env["PATH"]!, HOME: place, ...env }, stderr: "ignore" }));
  expect((await wrapped.listTools()).tools.map(({ name }) => name)).toContain("write_file");
  expect(await write(wrapped, "e.txt", line("approvals approve"), {})).toMatchObject({ failed: false });
  expect(existsSync(join(documents, "e.txt"))).toBe(true);
});

it("no command of the section is left out", () => {
  expect(lines.filter((each) => !taken.has(each))).toEqual([]);
});
