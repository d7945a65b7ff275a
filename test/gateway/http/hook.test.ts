// A coding agent's hook over HTTP: by the caller's agent and within its sessions, with the tenant's people or, where the policy says `token`, the harness's; outcomes for callers who may report.
import { afterEach, expect, it } from "vitest";
import { type Json, World } from "./world.ts";

let world: World;
afterEach(() => world.house.close());

const tool = { parameters: { type: "object" } };
const policy = (mode: "token" | "signed") => ({
  tenant: "shop",
  agents: { desk: { tools: ["Read", "Write", "files.push"] }, clerk: { tools: ["Read"] } },
  settings: { undeclared_arguments: "schema", approval: { mode } },
  tools: [{ name: "Read", effect: "read", ...tool }, { name: "Write", irreversible: true, ...tool }, { name: "files.push", irreversible: true, at_most: 1, ...tool }],
});
const event = (name: string, called: string, use: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ session_id: "s", transcript_path: "t", cwd: "c", permission_mode: "default", hook_event_name: name, tool_name: called, tool_input: { n: 1 }, tool_use_id: use, ...more });
async function hook(body: string, by = "service", query = ""): Promise<{ status: number; decision: string | undefined; reason: string; error: string | null; json: Json }> {
  const { status, headers, json } = await world.ask("POST", `/v1/hook/claude-code${query}`, body, { by });
  const said = (json as { hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string } }).hookSpecificOutput;
  return { status, decision: said?.permissionDecision, reason: said?.permissionDecisionReason ?? "", error: headers.get("interlock-error"), json };
}

it("decides by the caller's own agent, in a session within its name", async () => {
  world = await World.open({ policy: policy("signed") });
  expect(await hook(event("PreToolUse", "Read", "a"), "model")).toMatchObject({ status: 200, decision: "allow" });
  expect(await hook(event("PreToolUse", "Write", "b"), "clerk")).toMatchObject({ status: 200, decision: "deny", reason: expect.stringContaining("unknown_tool") });
  expect((await world.house.gateway.session("shop", "model/s")) !== null).toBe(true);
  expect(await world.house.gateway.session("shop", "s")).toBe(null);
  for (const by of ["ana", "nobody"]) expect(await hook(event("PreToolUse", "Read", "a"), by)).toMatchObject({ status: 403, json: { error: { code: "agent_not_granted" } } });
  expect(await hook(event("PreToolUse", "Read", "a"), "no-such-key")).toMatchObject({ status: 401 });
});

it("an input that cannot be judged is denied with its code, and with 200: a harness goes on after any other status", async () => {
  world = await World.open({ policy: policy("signed") });
  const broken = await world.door.fetch(world.request("POST", "/v1/hook/claude-code", "{"));
  expect([broken.status, broken.headers.get("interlock-error"), await broken.json()]).toEqual([200, "hook_input", { hookSpecificOutput: expect.objectContaining({ permissionDecision: "deny" }) }]);
  expect(await hook(event("Stop", "Read", "a"))).toMatchObject({ status: 200, decision: "deny", error: "hook_event" });
});

it("where approvals are signed, a yes in the harness is none: the call is denied until the tenant's people answered", async () => {
  world = await World.open({ policy: policy("signed") });
  const denied = await hook(event("PreToolUse", "mcp__files__push", "a"));
  expect([denied.decision, denied.reason]).toEqual(["deny", expect.stringContaining("approval_pending: A person has to approve this call first, at http://gate.test/#/inbox")]);
  // That it ran all the same is no approval of it.
  expect(await hook(event("PostToolUse", "mcp__files__push", "a"))).toMatchObject({ status: 409, json: { error: { code: "outcome_no_step" } } });
  const waiting = hook(event("PreToolUse", "mcp__files__push", "b"), "service", "?wait=20");
  const [open] = (await world.ask("GET", "/v1/approvals?state=open", undefined, { by: "ana" })).json.approvals as { id: string }[];
  await world.ask("POST", `/v1/approvals/${open!.id}/approve`, "{}", { by: "ana" });
  expect(await waiting).toMatchObject({ decision: "allow" });
});

it("where the policy says token, the harness asks, and a call that ran was said yes to", async () => {
  world = await World.open({ policy: policy("token") });
  const asked = await hook(event("PreToolUse", "mcp__files__push", "a"));
  expect([asked.decision, asked.reason]).toEqual(["ask", expect.stringContaining("argument_origin: n")]);
  expect(await hook(event("PostToolUse", "mcp__files__push", "a", { tool_response: {} }))).toMatchObject({ status: 200, json: {} });
  const { history } = (await world.house.gateway.session("shop", "s"))!;
  expect((JSON.parse(history) as { entries: { decision: string; reason: string; outcome?: { status: string } }[] }).entries.map(({ decision, reason, outcome }) => [decision, reason, outcome?.status])).toEqual([
    ["confirm", "argument_origin: n", undefined],
    ["allow", "confirmed", "ran"],
  ]);
  expect(await hook(event("PreToolUse", "mcp__files__push", "b"))).toMatchObject({ decision: "deny", reason: expect.stringContaining("order_rule") });
});

it("a yes that comes by the caller is believed only of one that may bring the question's token: no other approves its own request by saying that the call ran", async () => {
  world = await World.open({ policy: policy("token") });
  const by = "all-but-confirmation";
  expect(await hook(event("PreToolUse", "Write", "a"), by)).toMatchObject({ decision: "deny", reason: expect.stringContaining("approval_pending") });
  expect(await hook(event("PostToolUse", "Write", "a"), by)).toMatchObject({ status: 409, json: { error: { code: "outcome_no_step" } } });
  expect((await world.ask("GET", "/v1/approvals", undefined, { by: "reader" })).json.approvals).toMatchObject([{ tool: "Write", state: "open", answers: [] }]);
});

it("an outcome is taken only of callers who may report", async () => {
  world = await World.open({ policy: policy("signed") });
  await hook(event("PreToolUse", "Read", "a"), "model");
  expect(await hook(event("PostToolUse", "Read", "a"), "model")).toMatchObject({ status: 409, json: { error: { code: "not_granted" } } });
});
