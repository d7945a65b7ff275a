// The door of a coding agent's hook: the harness's names against an agent's functions, the check's answers in the harness's words, and nothing but an allow ever allows.
import { Client, rawJson } from "interlock";
import { describe, expect, it } from "vitest";
import type { Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import { claudeCode, type HookAnswer, type HookParts, OWN_TOOLS, printed } from "../../../hosts/gateway/doors/hook/claude-code.ts";
import { offeredFunctions } from "../../../hosts/gateway/rows/harness/offered.ts";
import { callRecord } from "../call.ts";

const text = { type: "object", properties: { path: { type: "string" }, command: { type: "string" } } };
const TOOLS = ["Read", "Write", "Bash", "files.read_file", "jira.issues.delete", "a.b_c", "a.b.c", "move_file"];
const client = new Client({
  policy: { format: "qls-policy/1", tenant: "t", agents: { coder: { tools: TOOLS } }, tools: TOOLS.map((name) => ({ name, effect: /read|Bash/i.test(name) ? "read" : "write", parameters: text })) },
  keys: { format: "qls-keys/1", active: "k", keys: [{ kid: "k", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }], digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk" },
  clock: () => 1_764_445_000,
});
const asked: Proposal[] = [];
const parts = (over: Partial<HookParts> = {}): HookParts => ({
  tenant: "t",
  caller: "hook",
  agent: "coder",
  harnessAsks: true,
  ran: async () => undefined,
  offered: async () => offeredFunctions(TOOLS, ["disk"], OWN_TOOLS),
  requestId: () => "r",
  check: async (proposal): Promise<Outcome> => {
    asked.push(proposal);
    const answer = client.checkToolCall(proposal.tool, rawJson(proposal.arguments), { session: proposal.session, agent: "coder" });
    return { kind: "checked", call: callRecord(), answer: JSON.stringify({ decision: answer.decision, reason: answer.reasons[0], reasons: answer.reasons, detail: answer.detail, question: answer.question }) };
  },
  ...over,
});
const input = (tool: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ session_id: "s-1", transcript_path: "/t", cwd: "/c", permission_mode: "bypassPermissions", hook_event_name: "PreToolUse", tool_name: tool, tool_input: { path: "a.txt" }, tool_use_id: "u", ...more });

describe("rows H1 to H2a", () => {
  const rows: [string, "allow" | "ask" | "deny", string][] = [
    ["Read", "allow", "allow"],
    ["Write", "ask", "argument_origin: path"],
    ["read", "deny", "unknown_tool"],
    ["WebFetch", "deny", "unknown_tool"],
    ["__proto__", "deny", "unknown_tool"],
    ["constructor", "deny", "unknown_tool"],
    ["interlock", "deny", "runtime_tool"],
    ["interlock_approve", "deny", "runtime_tool"],
    ["mcp__interlock__approve", "deny", "runtime_tool"],
    ["mcp__Interlock__approve", "deny", "runtime_tool"],
    ["mcp__interlock-gate__read_file", "deny", "give it another name in the harness's settings"],
    ["mcp__interlocked__read_file", "deny", "unknown_tool"],
    ["ListMcpResourcesTool", "deny", "mcp_resources"],
    ["ReadMcpResourceTool", "deny", "mcp_resources"],
    ["ReadMcpResource", "deny", "mcp_resources"],
    ["list_mcp_resources", "deny", "mcp_resources"],
    ["list-MCP-resource-templates", "deny", "mcp_resources"],
    ["mcp__files__resources_read", "deny", "mcp_resources"],
    ["mcp__files__read_file", "allow", "allow"],
    ["mcp__jira__issues_delete", "ask", "argument_origin: path"],
    ["mcp__jira__issues.delete", "deny", "unknown_tool"],
    ["mcp__a__b_c", "deny", "ambiguous_name"],
    ["mcp__disk__move_file", "ask", "argument_origin: path"],
    ["mcp__evil__move_file", "deny", "unknown_tool"],
    ["mcp__evil__read_file", "deny", "unknown_tool"],
    ["mcp__files__Read", "deny", "unknown_tool"],
    ["files.read_file", "deny", "unknown_tool"],
    ["mcp__", "deny", "unknown_tool"],
    ["Bash", "ask", "shell_command"],
  ];
  for (const [name, decision, reason] of rows) {
    it(`${name}: ${decision}`, async () => {
      const answer = (await claudeCode(input(name), parts())) as HookAnswer;
      expect(answer.decision).toBe(decision);
      expect(answer.reason).toContain(reason);
    });
  }
});

it("brings the input's own text to the check, and nothing that the harness claims", async () => {
  asked.length = 0;
  await claudeCode(input("Read").replace('{"path":"a.txt"}', '{"path": "a.txt", "n": 1.50}'), parts());
  expect(asked[0]).toStrictEqual({ door: "hook", tenant: "t", caller: "hook", session: "s-1", agent: "coder", tool: "Read", arguments: '{"path": "a.txt", "n": 1.50}', turn: null, idempotencyKey: null, waitMs: 0, purpose: "check", requestId: "r" });
});

it("prints what the harness reads", () => {
  expect(JSON.parse(printed({ decision: "ask", reason: "why" }))).toStrictEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "why" } });
});

it("denies whatever goes wrong", async () => {
  const broken = ["", "null", "[]", "{", input("Read").slice(0, -1), input("Read", { session_id: "" }), input("Read", { tool_input: undefined }), input(""), input("Read", { tool_name: 7 }), input("Read").replace('"tool_name":"Read"', '"tool_name":"Read","tool_name":"Write"')];
  for (const text of broken) expect(await claudeCode(text, parts()), text).toMatchObject({ decision: "deny", reason: expect.stringContaining("hook_input") });
  expect(await claudeCode(input("Read", { hook_event_name: "UserPromptSubmit" }), parts())).toMatchObject({ decision: "deny", error: { code: "hook_event" } });
  for (const arguments_ of ['{"path":"a","path":"b"}', '{"path":12345678901234567890}', "[]", "null"]) {
    expect(await claudeCode(input("Read").replace('{"path":"a.txt"}', arguments_), parts()), arguments_).toMatchObject({ decision: "deny" });
  }
  expect(await claudeCode(input("Read"), parts({ check: async () => Promise.reject(Object.assign(new Error("gone"), { code: "engine_unavailable" })) }))).toStrictEqual({ decision: "deny", reason: "Interlock: engine_unavailable: gone", error: { code: "engine_unavailable", message: "gone" } });
  expect(await claudeCode(input("Read"), parts({ offered: async () => Promise.reject(new Error("gone")) }))).toMatchObject({ decision: "deny" });
  const results: Outcome[] = [
    { kind: "result", call: callRecord(), result: "{}", failed: false },
    { kind: "checked", call: callRecord(), answer: "{}" },
    { kind: "checked", call: callRecord(), answer: '{"decision":"ALLOW","reason":"allow"}' },
    { kind: "checked", call: callRecord(), answer: "nonsense" },
    { kind: "refused", call: callRecord(), reason: "killed", message: "a kill switch is set" },
  ];
  for (const outcome of results) expect((await claudeCode(input("Read"), parts({ check: async () => outcome }))).decision).toBe("deny");
});

it("takes in what became of a call that it could have let through, and of no other", async () => {
  const told: [string, string, boolean][] = [];
  const after = (tool: string, more: Record<string, unknown> = {}) =>
    claudeCode(input(tool, { hook_event_name: "PostToolUse", tool_response: { content: [] }, ...more }), parts({ ran: async ({ use, failed }, name) => void told.push([use ?? "", name, failed]) }));
  expect(await after("mcp__files__read_file")).toStrictEqual({ decision: null });
  await after("Read", { tool_response: { isError: true }, tool_use_id: "v" });
  await after("Read", { hook_event_name: "PostToolUseFailure", error: "no such file", tool_response: undefined });
  await after("WebFetch");
  await after("mcp__interlock__approve");
  expect(told).toStrictEqual([
    ["u", "files.read_file", false],
    ["v", "Read", true],
    ["u", "Read", true],
  ]);
  expect(await claudeCode(input("Read", { hook_event_name: "PostToolUse" }), parts({ ran: async () => Promise.reject(Object.assign(new Error("gone"), { code: "engine_unavailable" })) }))).toStrictEqual({ decision: null, error: { code: "engine_unavailable", message: "gone" } });
});

it("leaves to people elsewhere what a yes in the harness does not approve", async () => {
  const answer = await claudeCode(input("Write"), parts({ harnessAsks: false, inbox: "http://gate.test/#/inbox" }));
  expect(answer).toStrictEqual({ decision: "deny", reason: "Interlock: approval_pending: A person has to approve this call first, at http://gate.test/#/inbox. Propose the same call again once they answered." });
});
