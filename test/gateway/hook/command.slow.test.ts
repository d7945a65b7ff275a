// `interlock hook claude-code` as a harness runs it: a process for each event, the documented inputs on standard input, the answer and the exit code that the harness goes by.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLI, Process } from "../cli/process.ts";

let folder: string;
let env: Record<string, string>;
let session = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-hook-"));
  env = { INTERLOCK_STATE: join(folder, "state") };
});
beforeEach(() => void session++);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly decision: string | undefined;
  readonly reason: string;
}

/** Runs the command on an event, as the harness does: through a shell's words, the event on standard input. */
function run(args: readonly string[], input: string | Buffer, more: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env: { PATH: process.env["PATH"]!, HOME: folder, NO_COLOR: "1", ...env, ...more } });
    let [out, err] = ["", ""];
    child.stdout.on("data", (part: Buffer) => (out += part.toString()));
    child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    child.stdin.on("error", () => undefined);
    child.once("close", (code) => {
      const told = out === "" ? undefined : (JSON.parse(out) as { hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string } }).hookSpecificOutput;
      resolve({ code, out, err, decision: told?.permissionDecision, reason: told?.permissionDecisionReason ?? "" });
    });
    child.stdin.end(input);
  });
}

/** An event as the harness's reference documents it. */
function event(name: string, tool: string, input: unknown, use: string, more: Record<string, unknown> = {}): string {
  const common = { session_id: `0f1c-${session}`, transcript_path: "/work-of/p/0f1c.jsonl", cwd: "/work-of/p", permission_mode: "default", hook_event_name: name, tool_name: tool, tool_input: input, tool_use_id: use };
  return JSON.stringify({ ...common, ...more });
}
const pre = (tool: string, input: unknown, use: string) => run(hooked(), event("PreToolUse", tool, input, use));
const post = (tool: string, input: unknown, use: string, more: Record<string, unknown> = {}) => run(hooked(), event("PostToolUse", tool, input, use, { tool_response: { success: true }, ...more }));
let policyFile = "policy.yaml";
const hooked = (...more: string[]) => ["hook", "claude-code", "--policy", policyFile, ...more];

const POLICY = `tenant: local
agents: {coder: {tools: ["*"]}}
settings: {undeclared_arguments: schema}
tools:
  - {name: Read, effect: read, sends_out: true, parameters: {type: object}}
  - {name: WebFetch, effect: read, sends_out: true, reads_outside: true, parameters: {type: object}}
  - {name: Write, irreversible: true, sends_out: true, parameters: {type: object}}
  - {name: Bash, effect: read, sends_out: true, parameters: {type: object}}
  - {name: files.read.text, effect: read, sends_out: true, parameters: {type: object}}
  - {name: deploy.check, effect: read, sends_out: true, parameters: {type: object}}
  - {name: deploy.status, effect: read, sends_out: true, after: [deploy.check], parameters: {type: object}}
  - {name: deploy.wait, effect: read, sends_out: true, at_most: 2, parameters: {type: object}}
  - {name: deploy.push, irreversible: true, sends_out: true, at_most: 1, not_after: [untrusted], parameters: {type: object}}
`;
beforeAll(() => writeFileSync(join(folder, "policy.yaml"), POLICY));

describe("by a policy's file", () => {
  it("allows a read, asks about a write and any shell command, and denies what is not listed, in the harness's form and with exit code 0", async () => {
    const rows: [string, string, string][] = [
      ["Read", "allow", "allow"],
      ["mcp__files__read_text", "allow", "allow"],
      ["Write", "ask", "file_path was written by the model"],
      ["Bash", "ask", "shell_command"],
      ["Glob", "deny", "unknown_tool"],
      ["mcp__other__read_text", "deny", "unknown_tool"],
      ["mcp__interlock__approve", "deny", "runtime_tool"],
      ["ReadMcpResourceTool", "deny", "mcp_resources"],
    ];
    for (const [tool, decision, reason] of rows) {
      const ran = await pre(tool, { file_path: "/work-of/p/setup.py" }, `toolu_${tool}`);
      expect([tool, ran.code, ran.err, ran.decision]).toEqual([tool, 0, "", decision]);
      expect(ran.reason).toContain(reason);
      expect(JSON.parse(ran.out)).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: ran.reason } });
    }
  });

  it("holds order rules across the session's calls by what PostToolUse tells, and each session by its own", async () => {
    expect((await pre("mcp__deploy__status", {}, "a")).reason).toContain("order_rule");
    expect((await pre("mcp__deploy__check", {}, "b")).decision).toBe("allow");
    expect((await pre("mcp__deploy__status", {}, "c")).reason).toContain("order_rule");
    expect(await post("mcp__deploy__check", {}, "b", { tool_response: [{ type: "text", text: "fine" }] })).toMatchObject({ code: 0, out: "", err: "" });
    expect((await pre("mcp__deploy__status", {}, "d")).decision).toBe("allow");
    session++;
    expect((await pre("mcp__deploy__status", {}, "e")).reason).toContain("order_rule");
  });

  it("a call that failed, or whose outcome nobody knows, opens nothing", async () => {
    await pre("mcp__deploy__check", {}, "a");
    expect(await run(hooked(), event("PostToolUseFailure", "mcp__deploy__check", {}, "a", { error: "Exit code 1", is_interrupt: false }))).toMatchObject({ code: 0, out: "" });
    expect((await pre("mcp__deploy__status", {}, "b")).reason).toContain("order_rule");
  });

  it("a person's yes in the harness is in the history once the call ran: at_most counts it, a no does not", async () => {
    const push = { env: "live" };
    expect((await pre("mcp__deploy__push", push, "a")).decision).toBe("ask");
    expect((await pre("mcp__deploy__push", push, "b")).decision).toBe("ask");
    expect(await post("mcp__deploy__push", push, "b")).toMatchObject({ code: 0, err: "" });
    expect((await pre("mcp__deploy__push", push, "c")).reason).toContain("order_rule");
  });

  it("outside reads are heeded afterwards", async () => {
    await pre("WebFetch", { url: "https://example.com" }, "a");
    await post("WebFetch", { url: "https://example.com" }, "a");
    expect((await pre("mcp__deploy__push", {}, "b")).reason).toContain("order_rule");
  });

  it("of calls made side by side each counts, those that find no folder yet too", async () => {
    const ran = await Promise.all(Array.from({ length: 6 }, (_, at) => run(hooked("--data", join(folder, "side")), event("PreToolUse", "mcp__deploy__wait", { at }, `u${at}`))));
    expect(ran.map(({ code, err }) => [code, err])).toEqual(ran.map(() => [0, ""]));
    expect(ran.map(({ decision }) => decision).sort()).toEqual(["allow", "allow", "deny", "deny", "deny", "deny"]);
  });

  it("a call that ran without having been asked about, or as another, makes a person look at each call after it", async () => {
    expect((await pre("Read", {}, "a")).decision).toBe("allow");
    await post("Read", { other: true }, "never-asked");
    const read = await pre("Read", {}, "b");
    expect([read.decision, read.reason]).toEqual(["ask", expect.stringContaining("history_incomplete")]);
    expect((await pre("Glob", {}, "c")).decision).toBe("deny");
    session++;
    await pre("Write", { file_path: "a" }, "d");
    await post("Write", { file_path: "b" }, "d");
    expect((await pre("Read", {}, "e")).decision).toBe("ask");
  });

  it("keeps keys and sessions for this user alone, and denies in a session whose history somebody changed", async () => {
    await pre("Read", {}, "a");
    const state = join(folder, "state", "hooks");
    const [name] = readdirSync(state);
    for (const file of ["keys.json", "sessions.db"]) expect(statSync(join(state, name!, file)).mode & 0o777).toBe(0o600);
    const data = join(folder, "changed");
    await run(hooked("--data", data), event("PreToolUse", "Read", {}, "a"));
    const { openDatabase } = await import("../../../hosts/gateway/engine/driver.ts");
    const database = await openDatabase(join(data, "sessions.db"));
    database.exec(`UPDATE entry SET text = replace(text, '"tool":"Read"', '"tool":"Write"')`);
    database.close();
    expect(await run(hooked("--data", data), event("PreToolUse", "Read", {}, "b"))).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("history_invalid") });
    expect(await run(hooked("--data", data), event("PreToolUse", "Read", {}, "b"))).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("history_invalid") });
  });
});

describe("whatever goes wrong", () => {
  const wrong: [string, () => string[], string | Buffer, string][] = [
    ["no input", () => hooked(), "", "hook_input"],
    ["no JSON", () => hooked(), "{", "hook_input"],
    ["bytes that are no text", () => hooked(), Buffer.from([0xff, 0xfe]), "hook_input"],
    ["another event", () => hooked(), '{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"hi"}', "hook_event"],
    ["a member twice", () => hooked(), '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_name":"Write","tool_input":{}}', "hook_input"],
    ["arguments that name one thing twice", () => hooked(), '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"a":1,"a":2}}', "json_duplicate"],
    ["no policy", () => ["hook", "claude-code", "--policy", "none.yaml"], "{}", "policy_invalid"],
    ["a policy that is none", () => ["hook", "claude-code", "--policy", "broken.yaml"], "{}", "policy_invalid"],
    ["an agent that the policy lacks", () => hooked("--agent", "nobody"), "{}", "agent_unknown"],
    ["neither a policy nor a gateway", () => ["hook", "claude-code"], "{}", "usage"],
    ["a store that is none", () => hooked("--data", "spoilt"), "{}", "store_corrupt"],
    ["a gateway without a key", () => ["hook", "claude-code", "--gateway", "http://127.0.0.1:9"], "{}", "gateway_key"],
  ];
  it.each(wrong)("%s: a coded error, a denial and exit code 2", async (_, args, input, code) => {
    writeFileSync(join(folder, "broken.yaml"), "tenant: local\ntools: [{nme: x}]\n");
    mkdirSync(join(folder, "spoilt"), { recursive: true });
    writeFileSync(join(folder, "spoilt", "sessions.db"), "not a database, but long enough to be read as one ".repeat(40));
    const ran = await run(args(), input === "{}" ? event("PreToolUse", "Read", {}, "a") : input);
    expect([ran.code, ran.decision]).toEqual([2, "deny"]);
    expect(ran.err).toContain(`error ${code}: `);
  });

  it("a mistake on the command line ends with 2 too, since the harness goes on after any other code", async () => {
    for (const args of [["hook"], ["hook", "claude"], ["hook", "claude-code", "--polcy", "x"], ["hook", "claude-code", "--wait", "soon"]]) {
      expect([args, (await run(args, event("PreToolUse", "Read", {}, "a"))).code]).toEqual([args, 2]);
    }
  });

  it("a gateway that is gone, is none, or does not answer in time", async () => {
    const server = createServer((request, response) => (request.url?.startsWith("/v1/") === true && request.headers["x-silent"] === undefined ? response.end("<html>") : undefined));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = (...more: string[]) => run(["hook", "claude-code", "--gateway", url, ...more], event("PreToolUse", "Read", {}, "a"), { INTERLOCK_KEY: "ik_x" });
    expect(await ask()).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("gateway_answer") });
    server.removeAllListeners("request");
    expect(await ask("--wait", "0", "--timeout", "1")).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("gateway_timeout") });
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await ask()).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("gateway_unreachable") });
  });
});

it("over a gateway: people answer in its inbox, the same call is then allowed, and its outcome is in the session", async () => {
  const made = JSON.parse((await run2(["gateway", "init", "gate", "--tenant", "local", "--format", "json"])).out) as { keys: { admin: string } };
  writeFileSync(join(folder, "gate", "policy.yaml"), POLICY);
  const key = JSON.parse((await run2(["gateway", "key", "coder", "--agent", "coder", "--may", "report", "--format", "json"])).out) as { key: string; lines: string };
  const file = join(folder, "gate", "gateway.yaml");
  const config = readFileSync(file, "utf8").replace("port: 8484", "port: 0").replace("agent_of_stdio: desk", "agent_of_stdio: coder").replace("agents: [desk]", "agents: [coder]").replace("callers:\n", `callers:\n${key.lines}`);
  writeFileSync(file, config);
  const gateway = new Process(["gateway", "--config", file], { cwd: folder, env });
  try {
    const [, url] = await gateway.says(/interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/);
    const hook = (text: string, ...more: string[]) => run(["hook", "claude-code", "--gateway", url!, ...more], text, { INTERLOCK_KEY: key.key });
    expect(await hook(event("PreToolUse", "Read", {}, "a"))).toMatchObject({ code: 0, decision: "allow", err: "" });
    expect(await hook(event("PostToolUse", "Read", {}, "a", { tool_response: {} }))).toMatchObject({ code: 0, out: "", err: "" });
    expect(await hook(event("PreToolUse", "Glob", {}, "b"))).toMatchObject({ code: 0, decision: "deny", reason: expect.stringContaining("unknown_tool") });
    expect(await hook("{")).toMatchObject({ code: 2, decision: "deny", err: expect.stringContaining("hook_input") });
    const push = { env: "live" };
    const pending = await hook(event("PreToolUse", "mcp__deploy__push", push, "c"), "--wait", "0");
    expect([pending.code, pending.decision, pending.reason]).toEqual([0, "deny", expect.stringContaining(`approval_pending: A person has to approve this call first, at ${url}/#/inbox`)]);
    const admin = async (method: string, path: string, body?: unknown): Promise<any> =>
      (await fetch(url + path, { method, headers: { authorization: `Bearer ${made.keys.admin}`, "content-type": "application/json" }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json();
    const [question] = (await admin("GET", "/v1/approvals?state=open")).approvals as { id: string; tool: string }[];
    expect(question).toMatchObject({ tool: "deploy.push" });
    const waiting = hook(event("PreToolUse", "mcp__deploy__push", push, "d"), "--wait", "30");
    await admin("POST", `/v1/approvals/${question!.id}/approve`, {});
    expect(await waiting).toMatchObject({ code: 0, decision: "allow" });
    expect(await hook(event("PostToolUse", "mcp__deploy__push", push, "d", { tool_response: {} }))).toMatchObject({ code: 0, err: "" });
    expect(await hook(event("PreToolUse", "mcp__deploy__push", push, "e"), "--wait", "0")).toMatchObject({ decision: "deny", reason: expect.stringContaining("order_rule") });
    const kept = await admin("GET", `/v1/sessions/${encodeURIComponent(`coder/0f1c-${session}`)}`);
    expect((kept.history.entries as { tool: string; outcome?: { status: string }; reports?: Record<string, { status: string }> }[]).filter(({ tool }) => tool === "deploy.push").some(({ outcome }) => outcome?.status === "ran")).toBe(true);
    expect(await hook(event("PostToolUse", "Write", {}, "never", { tool_response: {} }))).toMatchObject({ code: 2, out: "", err: expect.stringContaining("outcome_no_step") });
    // Only observing: the harness is left to itself, unless a switch stops the call.
    writeFileSync(file, config.replace("mode: enforce", "mode: observe"));
    await gateway.says(/reload\.taken/);
    for (const tool of ["Write", "Glob", "Read"]) expect(await hook(event("PreToolUse", tool, {}, `o-${tool}`))).toMatchObject({ code: 0, out: "", err: "" });
    expect(await hook(event("PostToolUse", "Write", {}, "o-Write", { tool_response: {} }))).toMatchObject({ code: 0, out: "", err: "" });
    await admin("POST", "/v1/kill", { tool: "Read", why: "a test" });
    expect(await hook(event("PreToolUse", "Read", {}, "k"))).toMatchObject({ code: 0, decision: "deny" });
  } finally {
    await gateway.stop("SIGKILL");
  }
});

it("hook init writes a policy that can be loaded, and settings whose command answers", async () => {
  const made = await run2(["hook", "init", "starter.yaml"]);
  expect(made.code).toBe(0);
  expect((await run2(["lint", "starter.yaml"])).code).toBe(0);
  const settings = JSON.parse(/^\{"hooks".*$/m.exec(made.out)![0]) as { hooks: Record<string, { hooks: { type: string; command: string; onFailure: string }[] }[]> };
  expect(Object.keys(settings.hooks)).toEqual(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);
  const [{ command, type, onFailure }] = settings.hooks["PreToolUse"]![0]!.hooks as [{ type: string; command: string; onFailure: string }];
  expect([type, onFailure]).toEqual(["command", "block"]);
  const words = command.split(" ");
  expect([words[0], statSync(words[1]!).isFile()]).toEqual([process.execPath, true]);
  policyFile = "starter.yaml";
  for (const { name } of (parse(readFileSync(join(folder, "starter.yaml"), "utf8")) as { tools: { name: string }[] }).tools) {
    expect([name, (await pre(name, { file_path: "/p/setup.py", url: "https://example.com" }, name)).decision]).toEqual([name, /^(?:Write|Edit|Bash)$/.test(name) ? "ask" : "allow"]);
  }
  policyFile = "policy.yaml";
});

/** A command of people's. */
async function run2(args: readonly string[]): Promise<{ code: number; out: string }> {
  const ran = new Process(args, { cwd: folder, env });
  return { code: await ran.ended, out: ran.out };
}
