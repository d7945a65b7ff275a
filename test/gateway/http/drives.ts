// What each operation of the API answers besides what all of them do: driven where it does what it is for, and where it fails in its own way.
import { expect } from "vitest";
import { POLICY } from "../flow/shop.ts";
import { SEEN } from "./contract.ts";
import { type Asking, type Json, type Said, World } from "./world.ts";

const CHARGE = { order_id: "4411", amount: 40 };
const YAML = "application/yaml";
let world: World;
/** Which world is driven. */
export function drive(driven: World): void {
  world = driven;
}

/** Asks as a caller that may do everything, unless the test says who. */
export const ask = (method: string, path: string, body?: unknown, asking: Asking = {}): Promise<Said> => world.ask(method, path, body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body), { by: "root", ...asking });
let count = 0;
/** A call that people are asked about: its call's and its question's ids. */
async function asked(session = `doc-${++count}`, more: Json = {}): Promise<{ call: string; approval: string }> {
  const { json } = await world.call("charge_card", { ...CHARGE, order_id: String(++count) }, { session, ...more }, { by: "model" });
  return { call: json.call, approval: json.approval };
}
async function approved(id: string): Promise<Said> {
  return ask("POST", `/v1/approvals/${id}/approve`, {}, { by: "ana" });
}
/** A call whose outcome nobody knows. */
async function lost(): Promise<string> {
  world.house.tools.answer = () => ({ status: "outcome_unknown", result: undefined, error: { code: "tool_timeout", message: "late" } }) as never;
  const { call, approval } = await asked();
  await approved(approval);
  await world.end(call);
  world.house.tools.answer = () => ({});
  return call;
}

/** What is answered while a switch stops the agent. */
async function killed(answer: () => Promise<Said>): Promise<Said> {
  const { json } = await ask("POST", "/v1/kill", { agent: "desk", why: "a leak" });
  const said = await answer();
  await ask("DELETE", `/v1/kill/${json.id}`);
  return said;
}

/** What each operation answers besides what all of them do, by driving it there. A failure that all of them share is driven below. */
export const DRIVES: Readonly<Record<string, () => Promise<readonly [answer: Said, status: number][]>>> = {
  hookClaudeCode: async () => {
    const hook = (input: Json, by = "root") => ask("POST", "/v1/hook/claude-code?server=shop", { session_id: "doc-hook", tool_name: "mcp__shop__get_order", tool_input: { order_id: "1" }, tool_use_id: "use-1", ...input }, { by });
    const before = { hook_event_name: "PreToolUse" };
    const allowed = await hook(before);
    return [
      [allowed, 200], [await hook({ ...before, tool_name: "Bash", tool_use_id: "use-2" }), 200], [await hook({ hook_event_name: "PostToolUse" }), 200], [await hook({ hook_event_name: "PostToolUse", tool_use_id: "use-9" }), 409],
      [await hook({ ...before, tool_input: [] }), 200], [await hook(before, "ana"), 403],
    ];
  },
  check: async () => {
    const headers = { "idempotency-key": "document-check" };
    return [
      [await world.call("get_order", { order_id: "1" }, {}, { path: "/v1/check", headers }), 200],
      [await world.call("charge_card", CHARGE, { explain: true }, { path: "/v1/check" }), 200],
      [await world.call("charge_card", { amount: "x" }, {}, { path: "/v1/check" }), 200],
      [await world.call("get_order", { order_id: "2" }, {}, { path: "/v1/check", headers }), 422],
      [await killed(() => world.call("get_order", { order_id: "2" }, {}, { path: "/v1/check" })), 409],
      [await world.call("get_order", [1], {}, { path: "/v1/check" }), 400],
      [await world.call("get_order", {}, { now: 1 }, { path: "/v1/check" }), 403],
    ];
  },
  call: async () => {
    const headers = { "idempotency-key": "document-call" };
    const pending = await world.call("charge_card", CHARGE, { session: "doc-stopped" }, { by: "root" });
    const { confirmation } = pending.json;
    return [
      [await killed(() => world.call("charge_card", CHARGE, { session: "doc-stopped", confirmation }, { by: "root" })), 409],
      [await world.call("get_order", { order_id: "1" }, {}, { headers }), 200],
      [await world.call("get_order", { order: "1" }), 200],
      [await world.call("charge_card", CHARGE), 202],
      [await world.call("get_order", { order_id: "2" }, {}, { headers }), 422],
      [await world.call("get_order", {}, {}, { headers: { "idempotency-key": "short" } }), 400],
    ];
  },
  getAllCalls: async () => [[await ask("GET", "/v1/calls?limit=5&state=done"), 200], [await ask("GET", "/v1/calls?limit=x"), 400]],
  getCall: async () => {
    const { call, approval } = await asked();
    const { engine } = world.house;
    const run = engine.run;
    engine.run = async () => undefined;
    const edited = await ask("POST", `/v1/approvals/${(await asked()).approval}/edit`, { arguments: { ...CHARGE, amount: 39 } }, { by: "ana" });
    const proposed = await ask("GET", edited.headers.get("location")!);
    engine.run = run;
    const pending = await ask("GET", `/v1/calls/${call}?wait=0`);
    await approved(approval);
    return [[pending, 200], [proposed, 202], [await ask("GET", `/v1/calls/${call}?wait=10`), 200], [await ask("GET", "/v1/calls/x?wait=1"), 404], [await ask("GET", `/v1/calls/${call}?wait=301`), 400]];
  },
  cancelCall: async () => [[await ask("POST", `/v1/calls/${(await asked()).call}/cancel`), 202], [await ask("POST", "/v1/calls/x/cancel"), 404]],
  settleCall: async () => {
    const call = await lost();
    const body = { status: "ran", why: "seen in the books" };
    const unknown = await ask("GET", `/v1/calls/${call}`);
    return [[unknown, 200], [await ask("POST", `/v1/calls/${call}/settle`, body), 200], [await ask("POST", `/v1/calls/${call}/settle`, body), 409], [await ask("POST", "/v1/calls/x/settle", body), 404], [await ask("POST", `/v1/calls/${call}/settle`, { status: "ran" }), 400]];
  },
  getTools: async () => [[await ask("GET", "/v1/tools?agent=clerk"), 200], [await ask("GET", "/v1/tools?agent=clerk", undefined, { by: "model" }), 403]],
  report: async () => {
    const checked = await world.call("get_order", { order_id: "1" }, { session: "doc/report" }, { path: "/v1/check", by: "root" });
    const body = { session: "doc/report", step: checked.json.step, status: "ran", result: { total: 40 }, external_id: "x-1" };
    return [[await ask("POST", "/v1/report", body), 200], [await ask("POST", "/v1/report", body), 409], [await ask("POST", "/v1/report", { ...body, step: -1 }), 400]];
  },
  receipt: async () => {
    const args = { order_id: "1" };
    const checked = await world.call("get_order", args, { session: "doc/receipt" }, { path: "/v1/check", by: "root" });
    const body = { session: "doc/receipt", tool: "get_order", arguments: args, step: checked.json.step };
    return [[await ask("POST", "/v1/receipt", body), 200], [await ask("POST", "/v1/receipt", { ...body, arguments: { order_id: "2" } }), 200], [await ask("POST", "/v1/receipt", { ...body, arguments: 1 }), 400], [await killed(() => ask("POST", "/v1/receipt", { ...body, agent: "desk" })), 409]];
  },
  read: async () => [[await ask("POST", "/v1/read", { turn: "get order 4411", session: "doc/read", agent: "desk" }), 200], [await ask("POST", "/v1/read", { turn: 1 }), 400]],
  getSession: async () => {
    await world.call("get_order", { order_id: "1" }, { session: "doc/session" }, { by: "root" });
    return [[await ask("GET", "/v1/sessions/doc%2Fsession"), 200], [await ask("GET", "/v1/sessions/none"), 404]];
  },
  getCalls: async () => [[await ask("GET", "/v1/sessions/doc%2Fsession/calls?state=done"), 200], [await ask("GET", "/v1/sessions/none/calls"), 200]],
  undo: async () => {
    const session = "model/doc-undo";
    const { call, approval } = await asked(session);
    await approved(approval);
    await world.end(call);
    return [[await ask("POST", `/v1/sessions/${encodeURIComponent(session)}/undo`, { steps: "all" }), 200], [await ask("POST", `/v1/sessions/${encodeURIComponent(session)}/undo`, { steps: [99] }), 409], [await ask("POST", "/v1/sessions/none/undo", { steps: "all" }), 404], [await ask("POST", "/v1/sessions/none/undo", { steps: [] }), 400]];
  },
  eraseSession: async () => {
    await world.call("get_order", { order_id: "1" }, { session: "doc/erased" }, { by: "root" });
    await asked("model/doc-held");
    return [[await ask("DELETE", "/v1/sessions/doc%2Ferased"), 204], [await ask("DELETE", "/v1/sessions/doc%2Ferased"), 404], [await ask("DELETE", "/v1/sessions/model%2Fdoc-held"), 409]];
  },
  purge: async () => {
    const off = await ask("POST", "/v1/purge?dry_run=true");
    const { tenants } = world.house.settings;
    world.house.settings = { ...world.house.settings, tenants: { ...tenants, shop: { ...tenants["shop"]!, retention: { resultsSeconds: null, sessionsSeconds: 1e6 } } } };
    const on = await ask("POST", "/v1/purge?dry_run=true");
    world.house.settings = { ...world.house.settings, tenants };
    return [[off, 409], [on, 200], [await ask("POST", "/v1/purge?dry_run=maybe"), 400]];
  },
  getApprovals: async () => {
    await asked();
    const first = await ask("GET", "/v1/approvals?state=open&limit=1000");
    return [[first, 200], [await ask("GET", "/v1/approvals?state=open&limit=1000&wait=0", undefined, { headers: { "if-none-match": first.headers.get("etag")! } }), 304], [await ask("GET", "/v1/approvals?state=any"), 400]];
  },
  getApprovalEvents: async () => {
    const stop = new AbortController();
    const response = await world.door.fetch(new Request(world.request("GET", "/v1/approvals/events", undefined, { by: "root" }), { signal: stop.signal }));
    const { value } = await response.body!.getReader().read();
    stop.abort();
    SEEN.add("getApprovalEvents 200");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    return [[{ status: response.status, headers: response.headers, text: new TextDecoder().decode(value), json: null }, 200]];
  },
  getApproval: async () => [[await ask("GET", `/v1/approvals/${(await asked()).approval}?wait=0`), 200], [await ask("GET", "/v1/approvals/x"), 404]],
  approve: async () => {
    const { approval } = await asked();
    return [[await ask("POST", `/v1/approvals/${approval}/approve`, { why: "fine" }, { by: "ana" }), 200], [await approved(approval), 409], [await approved("x"), 404], [await ask("POST", `/v1/approvals/${approval}/approve`, { why: 1 }), 400]];
  },
  deny: async () => {
    const { approval } = await asked();
    return [[await ask("POST", `/v1/approvals/${approval}/deny`, { why: "no" }), 200], [await ask("POST", `/v1/approvals/${approval}/deny`, { why: "no" }), 409], [await ask("POST", "/v1/approvals/x/deny", { why: "no" }), 404]];
  },
  editApproval: async () => {
    const { approval } = await asked();
    const edit = `/v1/approvals/${approval}/edit`;
    return [
      [await ask("POST", edit, { arguments: { order_id: 1 } }), 422], [await ask("POST", edit, { arguments: "x" }), 400], [await ask("POST", edit, {}), 400],
      [await ask("POST", edit, { arguments: { ...CHARGE, amount: 39 }, why: "less" }), 202], [await ask("POST", edit, { arguments: { ...CHARGE, amount: 38 } }), 409], [await ask("POST", "/v1/approvals/x/edit", { arguments: {} }), 404],
      [await ask("GET", `/v1/approvals/${approval}`), 200],
    ];
  },
  expireApproval: async () => {
    const { approval } = await asked();
    return [[await ask("POST", `/v1/approvals/${approval}/expire`), 200], [await ask("POST", `/v1/approvals/${approval}/expire`), 409], [await ask("POST", "/v1/approvals/x/expire"), 404]];
  },
  getListings: async () => [[await ask("GET", "/v1/listings"), 200]],
  approveListing: async () => {
    world.house.tools.changed.set("read_inbox", "listing-2");
    await world.house.listings.look("shop");
    const held = await ask("GET", "/v1/listings");
    return [[held, 200], [await ask("POST", "/v1/listings/read_inbox/approve", { digest: "listing-9" }), 409], [await ask("POST", "/v1/listings/read_inbox/approve", { digest: "listing-2" }), 200], [await ask("POST", "/v1/listings/read_inbox/approve", { digest: "listing-2" }), 404]];
  },
  getPolicy: async () => [[await ask("GET", "/v1/policy"), 200]],
  registerPolicy: async () => {
    return [[await ask("POST", "/v1/policy?dry_run=true", POLICY, { type: YAML }), 200], [await ask("POST", "/v1/policy", POLICY), 200], [await ask("POST", "/v1/policy", "tenant: [", { type: YAML }), 422], [await ask("POST", "/v1/policy?dry_run=yes", POLICY, { type: YAML }), 400]];
  },
  diffPolicy: async () => [[await ask("POST", "/v1/policy/diff", "tenant: shop", { type: "application/x-yaml" }), 422], [await ask("POST", "/v1/policy/diff", { ...POLICY, settings: { receipt_ttl: 100 } }, { type: YAML }), 200]],
  rollBackPolicy: async () => [[await ask("POST", "/v1/policy/rollback", { id: (await ask("GET", "/v1/policy")).json.id }), 200], [await ask("POST", "/v1/policy/rollback", { id: "none" }), 404]],
  getKills: async () => [[await ask("GET", "/v1/kill"), 200]],
  kill: async () => {
    const set = await ask("POST", "/v1/kill", { tool: "set_note", agent: "desk", why: "a leak" });
    return [[set, 201], [await ask("POST", "/v1/kill", { why: "no target" }), 400], [await ask("GET", "/v1/kill"), 200]];
  },
  liftKill: async () => {
    const { kills } = (await ask("GET", "/v1/kill")).json;
    return [[await ask("DELETE", `/v1/kill/${kills[0].id}`), 204], [await ask("DELETE", `/v1/kill/${kills[0].id}`), 404]];
  },
  getAudit: async () => [[await ask("GET", "/v1/audit?from=0&limit=1000"), 200], [await ask("GET", "/v1/audit?from=x"), 400]],
  exportAudit: async () => [[await ask("GET", "/v1/audit/export?from=3"), 200]],
  exportAuditValues: async () => [[await ask("GET", "/v1/audit/values"), 200]],
  verifyAudit: async () => {
    const keyless = await World.open({ auditKeys: undefined });
    const missing = await keyless.ask("GET", "/v1/audit/verify", undefined, { by: "root" });
    await keyless.house.close();
    return [[await ask("GET", "/v1/audit/verify"), 200], [missing, 501]];
  },
  ready: async () => [[await ask("GET", "/healthz", undefined, { by: null }), 200]],
  health: async () => [[await ask("GET", "/v1/healthz"), 200]],
  metrics: async () => {
    const without = await World.open({ metrics: undefined });
    const missing = await without.ask("GET", "/v1/metrics", undefined, { by: "root" });
    await without.house.close();
    return [[await ask("GET", "/v1/metrics"), 200], [missing, 501]];
  },
  openapi: async () => [[await ask("GET", "/v1/openapi.json", undefined, { by: null }), 200]],
};
