// Who may do what besides calling: every operation wants its right, every tenant is its own; questions, listings, the policy, switches, the log.
import { afterEach, beforeEach, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { POLICY } from "../flow/shop.ts";
import { OPERATIONS as DOCUMENTED } from "./contract.ts";
import { type Json, said, World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.house.close());

const CHARGE = { order_id: "4411", amount: 40 };
const OPERATIONS: readonly (readonly [method: string, path: string, may: readonly string[], body?: string, type?: string])[] = [
  ["POST", "/v1/report", ["report", "admin"], "{}"],
  ["POST", "/v1/receipt", ["receipt", "admin"], "{}"],
  ["POST", "/v1/read", ["turns"], "{}"],
  ["POST", "/v1/sessions/x/undo", ["undo"], "{}"],
  ["DELETE", "/v1/sessions/x", ["admin"]],
  ["POST", "/v1/purge", ["admin"]],
  ["GET", "/v1/calls", ["sessions", "audit", "admin"]],
  ["POST", "/v1/calls/x/settle", ["approve", "admin"], "{}"],
  ["GET", "/v1/approvals", ["read_approvals", "approve", "admin"]],
  ["GET", "/v1/approvals/x", ["read_approvals", "approve", "admin"]],
  ["POST", "/v1/approvals/x/approve", ["approve", "admin"], "{}"],
  ["POST", "/v1/approvals/x/deny", ["approve", "admin"], "{}"],
  ["POST", "/v1/approvals/x/edit", ["approve", "admin"], "{}"],
  ["POST", "/v1/approvals/x/expire", ["approve", "admin"]],
  ["GET", "/v1/listings", ["read_approvals", "approve", "policy", "admin"]],
  ["POST", "/v1/listings/x/approve", ["approve", "policy", "admin"], "{}"],
  ["GET", "/v1/policy", ["policy", "admin"]],
  ["POST", "/v1/policy", ["policy", "admin"], "tenant: [", "application/yaml"],
  ["POST", "/v1/policy/diff", ["policy", "admin"], "tenant: [", "application/yaml"],
  ["POST", "/v1/policy/rollback", ["policy", "admin"], "{}"],
  ["GET", "/v1/kill", ["kill", "audit", "admin"]],
  ["POST", "/v1/kill", ["kill", "admin"], "{}"],
  ["DELETE", "/v1/kill/x", ["kill", "admin"]],
  ["GET", "/v1/audit", ["audit", "admin"]],
  ["GET", "/v1/audit/export", ["audit", "admin"]],
  ["GET", "/v1/audit/values", ["audit", "admin"]],
  ["GET", "/v1/audit/verify", ["audit", "admin"]],
  ["GET", "/v1/metrics", ["metrics", "admin"]],
];
const GRANTS = ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo", "report", "receipt", "approve", "read_approvals", "policy", "kill", "audit", "sessions", "metrics", "admin"];

it("has every operation that a right is wanted for, and names the others", () => {
  // A stream of events does not end: who may have one is in its own tests.
  const named = new Set(["GET /v1/approvals/events", ...OPERATIONS.map(([method, path]) => `${method} ${path}`)]);
  const wanted = DOCUMENTED.map(({ method, path, operation }) => [`${method} ${path.replace(/\{\w+\}/, "x")}`, operation.description !== undefined] as const);
  expect(wanted.filter(([, isGranted]) => isGranted).map(([name]) => name).sort()).toEqual([...named].sort());
  // Everybody's: their own calls and sessions, what there is to call, and what says nothing of anybody.
  expect(wanted.filter(([, isGranted]) => !isGranted).map(([name]) => name).sort()).toEqual([
    "GET /healthz", "GET /v1/calls/x", "GET /v1/healthz", "GET /v1/openapi.json", "GET /v1/sessions/x", "GET /v1/sessions/x/calls", "GET /v1/tools", "POST /v1/call", "POST /v1/calls/x/cancel", "POST /v1/check", "POST /v1/hook/claude-code",
  ]);
});

it("each operation is for those with its right, and for nobody else", async () => {
  await world.house.close();
  const { keyHash } = await import("../../../hosts/shared/caller-keys.ts");
  const one = (grant: string) => ({ name: `only-${grant}`, tenant: "shop", agents: [], sha256: keyHash(`ik_only-${grant}-aaaaaaaaaaaaaaaa`), subject: null, principal: null, approver: grant, may: [grant], expires: null });
  world = await World.open({ callers: GRANTS.map(one) as never });
  for (const [method, path, may, body, type] of OPERATIONS)
    for (const grant of GRANTS) {
      const answer = await world.ask(method, path, body, { by: `ik_only-${grant}-aaaaaaaaaaaaaaaa`, ...(type === undefined ? {} : { type }) });
      const isGranted = may.includes(grant);
      expect(answer.json?.error?.code === "not_granted", `${method} ${path} by ${grant}: ${answer.text.slice(0, 100)}`).toBe(!isGranted);
      if (!isGranted) expect(answer.status).toBe(403);
    }
  for (const [method, path, , body] of OPERATIONS) expect(said(await world.ask(method, path, body, { by: null })), path).toBe("401 unauthorized");
});

it("reports, receipts and undos are for steps of the caller's own agents; an administrator reports any", async () => {
  const { caller } = await import("./world.ts");
  await world.house.close();
  const may = ["report", "receipt", "undo", "sessions"] as const;
  const names = { none: [], other: ["clerk"], own: ["desk"] } as const;
  const key = (name: string) => `ik_${name}-aaaaaaaaaaaaaaaaaaaaaaaa`;
  world = await World.open({ callers: [...Object.entries(names).map(([name, agents]) => caller(name, key(name), { agents, may: [...may] })), caller("any", key("any"), { agents: ["clerk"], may: [...may, "agent"] }), caller("chief", key("chief"), { may: ["admin"] })] });
  const charge = await world.call("charge_card", CHARGE, { session: "u" }, { by: "service" });
  await world.ask("POST", `/v1/approvals/${charge.json.approval}/approve`, "{}", { by: "ana" });
  await world.end(charge.json.call, "service");
  const step = (await world.call("get_order", { order_id: "1" }, { session: "s" }, { by: "service", path: "/v1/check" })).json.step;
  const ask = async (path: string, body: Json, by: string) => said(await world.ask("POST", path, JSON.stringify(body), { by: key(by) }));
  const receipt = (by: string, more: Json = {}) => ask("/v1/receipt", { session: "s", tool: "get_order", arguments: { order_id: "1" }, step, ...more }, by);
  const report = (by: string) => ask("/v1/report", { session: "s", step, status: "ran" }, by);
  for (const by of ["none", "chief"]) expect(await receipt(by), by).toBe("403 agent_not_granted");
  expect([await receipt("other"), await receipt("other", { agent: "desk" }), await receipt("any", { agent: "desk" }), await receipt("own")]).toEqual(["200 refuse receipt_mismatch", "403 member_not_granted /agent", "200 allow receipt", "200 allow receipt"]);
  for (const by of ["none", "other"]) expect([await report(by), await ask("/v1/sessions/u/undo", { steps: "all" }, by)], by).toEqual(["403 agent_not_granted", "403 agent_not_granted"]);
  expect(await report("chief")).toBe("200");
  expect([await report("own"), await report("any")]).toEqual(["409 outcome_already_reported", "409 outcome_already_reported"]);
  expect((await world.ask("POST", "/v1/sessions/u/undo", '{"steps":"all"}', { by: key("any") })).json.calls).toMatchObject([{ tool: "refund_card", outcome: "result" }]);
});

it("nobody approves their own request; a decider is on the list; a yes is said once", async () => {
  const { keyHash } = await import("../../../hosts/shared/caller-keys.ts");
  await world.house.close();
  const both = { name: "both", tenant: "shop", agents: ["desk"], sha256: keyHash("ik_both-both-both-both-both"), subject: null, principal: null, approver: "both", may: ["approve"], expires: null };
  world = await World.open({ callers: [both] as never, policy: { ...POLICY, settings: { approval: { mode: "signed", count: 1, deciders: ["ana"] } } } });
  const by = "ik_both-both-both-both-both";
  const own = await world.call("charge_card", CHARGE, {}, { by });
  expect(own.status).toBe(202);
  expect(said(await world.ask("POST", `/v1/approvals/${own.json.approval}/approve`, "{}", { by }))).toBe("403 own_request");
  const others = await world.call("charge_card", CHARGE, {}, { by: "model" });
  expect(said(await world.ask("POST", `/v1/approvals/${others.json.approval}/approve`, "{}", { by }))).toBe("403 not_a_decider");
  expect(said(await world.ask("POST", `/v1/approvals/${others.json.approval}/approve`, "{}", { by: "ana" }))).toBe("200");
  expect(said(await world.ask("POST", `/v1/approvals/${others.json.approval}/deny`, '{"why":"late"}', { by: "ana" }))).toBe("409 approval_closed");
  expect(said(await world.ask("POST", "/v1/approvals/nothing/approve", "{}", { by: "ana" }))).toBe("404 approval_not_found");
});

it("a question's token and signatures are shown to whoever is granted them, and to nobody else", async () => {
  const pending = await world.call("charge_card", CHARGE);
  await world.ask("POST", `/v1/approvals/${pending.json.approval}/approve`, "{}", { by: "ana" });
  const seen = (await world.ask("GET", `/v1/approvals/${pending.json.approval}`, undefined, { by: "reader" })).json;
  expect([seen.confirmation, seen.answers[0].jws]).toEqual([undefined, undefined]);
  const token = await world.call("charge_card", CHARGE, { session: "token" }, { by: "service" });
  expect(token.json.confirmation).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});

it("a tenant's things are not there for another tenant's callers", async () => {
  const pending = await world.call("charge_card", CHARGE);
  const by = "elsewhere";
  for (const path of [`/v1/approvals/${pending.json.approval}`, `/v1/calls/${pending.json.call}`, "/v1/sessions/model%2Fs-1"]) expect((await world.ask("GET", path, undefined, { by })).status, path).toBe(404);
  expect((await world.ask("GET", "/v1/approvals", undefined, { by })).json.approvals).toEqual([]);
  expect((await world.ask("GET", "/v1/calls", undefined, { by })).json.calls).toEqual([]);
  for (const line of (await world.ask("GET", "/v1/audit", undefined, { by })).json.lines) expect(line).toMatchObject({ tenant: "other", entry: { actor: "gateway" } });
  expect(Object.keys((await world.ask("GET", "/v1/healthz", undefined, { by })).json.tenants)).toEqual(["other"]);
  expect(said(await world.ask("POST", `/v1/approvals/${pending.json.approval}/approve`, "{}", { by }))).toBe("404 approval_not_found");
  expect(said(await world.ask("POST", `/v1/calls/${pending.json.call}/settle`, '{"status":"ran","why":"x"}', { by }))).toMatch(/^404 /);
});

it("a policy is registered, tried dry, told apart, rolled back; what is wrong with one is told", async () => {
  const by = "keeper";
  const before = (await world.ask("GET", "/v1/policy", undefined, { by })).json;
  expect(before.versions).toHaveLength(1);
  const next = JSON.stringify({ ...POLICY, settings: { receipt_ttl: 100 } });
  const type = "application/yaml";
  for (const path of ["/v1/policy/diff", "/v1/policy?dry_run=true"]) expect((await world.ask("POST", path, next, { by, type })).json.diff.length, path).toBeGreaterThan(0);
  expect((await world.ask("GET", "/v1/policy", undefined, { by })).json.id).toBe(before.id);
  const made = (await world.ask("POST", "/v1/policy", next, { by, type: "application/json" })).json;
  expect((await world.ask("GET", "/v1/policy", undefined, { by })).json).toMatchObject({ id: made.id, source: next });
  expect((await world.ask("POST", "/v1/policy/rollback", JSON.stringify({ id: before.id }), { by })).json).toEqual({ id: before.id });
  const wrong = await world.ask("POST", "/v1/policy", "tenant: [", { by, type });
  expect([said(wrong), wrong.json.error.detail.problems.length > 0]).toEqual(["422 policy_invalid", true]);
  expect(said(await world.ask("POST", "/v1/policy/rollback", '{"id":"none"}', { by }))).toBe("404 policy_unknown");
  const many = (await world.ask("POST", "/v1/policy/diff", `tenant: shop\ntools: [${"{name: x},".repeat(500)}]`, { by, type })).json.error.detail;
  expect([many.problems.length, many.problems.length + many.more >= 500]).toEqual([100, true]);
  expect(said(await world.ask("POST", "/v1/policy", next, { by, type: "text/plain" }))).toBe("415 content_type");
});

it("a kill switch stops the next call and check, and is lifted", async () => {
  const by = "keeper";
  expect(said(await world.ask("POST", "/v1/kill", '{"why":"no target"}', { by }))).toBe("400 kill_invalid");
  const kill = await world.ask("POST", "/v1/kill", '{"tool":"get_order","why":"leak"}', { by });
  expect([kill.status, kill.json.by]).toEqual([201, "keeper"]);
  expect(said(await world.call("get_order", { order_id: "1" }))).toBe("200 refused kill_switch");
  expect(said(await world.call("get_order", { order_id: "1" }, {}, { path: "/v1/check" }))).toBe("409 kill_switch");
  expect((await world.ask("GET", "/v1/kill", undefined, { by })).json.kills).toHaveLength(1);
  expect((await world.ask("DELETE", `/v1/kill/${kill.json.id}`, undefined, { by })).status).toBe(204);
  expect(said(await world.ask("DELETE", `/v1/kill/${kill.json.id}`, undefined, { by }))).toBe("404 kill_not_found");
  expect(said(await world.call("get_order", { order_id: "1" }))).toBe("200 result allow");
});

it("a changed listing is held until exactly the one that was shown is approved", async () => {
  await world.call("get_order", { order_id: "1" });
  world.house.tools.changed.set("get_order", "listing-2");
  await world.house.listings.look("shop");
  const listings = (await world.ask("GET", "/v1/listings", undefined, { by: "reader" })).json.listings as Json[];
  const held = listings.find(({ tool }) => tool === "get_order");
  expect(held.pending.digest).toBe("listing-2");
  expect(said(await world.call("get_order", { order_id: "1" }))).toMatch(/^200 refused listing_/);
  expect(said(await world.ask("POST", "/v1/listings/get_order/approve", '{"digest":"listing-1"}', { by: "ana" }))).toBe("409 listing_changed");
  expect((await world.ask("POST", "/v1/listings/get_order/approve", '{"digest":"listing-2"}', { by: "ana" })).json.approved).toMatchObject({ digest: "listing-2", by: "ana" });
  expect(said(await world.call("get_order", { order_id: "1" }))).toBe("200 result allow");
});

it("the log is queried, filtered, exported and verified", async () => {
  const by = "keeper";
  for (let n = 0; n < 3; n++) await world.call("get_order", { order_id: String(n) }, { session: `log-${n}` });
  const { text } = await world.ask("GET", "/v1/audit/export", undefined, { by });
  const lines = text.trimEnd().split("\n");
  expect(await verifyAudit(lines, world.house.keys as never)).toMatchObject({ valid: true });
  expect((await world.ask("GET", "/v1/audit/export?from=2", undefined, { by })).text.trimEnd().split("\n")).toEqual(lines.slice(2));
  expect((await world.ask("GET", "/v1/audit/verify", undefined, { by })).json).toMatchObject({ valid: true, tenant: "shop", problem: null });
  const page = (await world.ask("GET", "/v1/audit?from=1&limit=2", undefined, { by })).json;
  expect([page.lines.map(({ seq }: Json) => seq), page.next, page.end]).toEqual([[1, 2], 3, false]);
  const found = (await world.ask("GET", "/v1/audit?event=call.confirmed&session=model%2Flog-1", undefined, { by })).json;
  expect([found.lines.length, found.end, found.lines[0].entry.session]).toEqual([1, true, "model/log-1"]);
  expect(said(await world.ask("GET", "/v1/audit?constructor=x", undefined, { by }))).toBe("400 request_invalid /?constructor");
  expect(said(await world.ask("GET", "/v1/audit?from=1&from=2", undefined, { by }))).toBe("400 request_invalid /?from");
  expect(said(await world.ask("GET", "/v1/audit?limit=all", undefined, { by }))).toBe("400 request_invalid /?limit");
});

it("says how it is: to those it knows their tenant's, to others whether it is ready", async () => {
  expect((await world.ask("GET", "/v1/healthz", undefined, { by: "nobody" })).json).toMatchObject({ ready: true, tenants: { shop: { mode: "enforce" } } });
  expect((await world.ask("GET", "/healthz", undefined, { by: null, headers: { host: "10.1.2.3:8484" } })).text).toBe('{"ready":true}');
  expect((await world.ask("GET", "/v1/metrics", undefined, { by: "keeper" })).text).toBe('up{tenant="shop"} 1\n');
  expect((await world.ask("GET", "/v1/tools", undefined, { by: "clerk" })).json.tools.map(({ tool }: Json) => tool)).toEqual(["get_order"]);
  expect(said(await world.ask("GET", "/v1/tools?agent=desk", undefined, { by: "clerk" }))).toBe("403 agent_not_granted /?agent");
});

it("what no id can be is not there: other letters, control characters, halves of pairs, too long", async () => {
  const by = "root";
  for (const [method, path, body] of [["GET", "/v1/calls/X"], ["POST", "/v1/calls/X/cancel"], ["POST", "/v1/calls/X/settle", '{"status":"ran","why":"x"}'], ["GET", "/v1/approvals/X"], ["POST", "/v1/approvals/X/approve", "{}"], ["DELETE", "/v1/kill/X"], ["GET", "/v1/sessions/X"], ["DELETE", "/v1/sessions/X"], ["POST", "/v1/listings/X/approve", '{"digest":"x"}']] as const)
    for (const name of ["%C3%A9", "%F0%9F%98%80", "%01", "%7F", "__proto__", "constructor", "%20", "a".repeat(1000)]) {
      const answer = await world.ask(method, path.replace("X", name), body, { by });
      expect(said(answer), `${method} ${path} ${name}`).toMatch(/^404 \w*not_found$/);
    }
  expect(said(await world.call("get_order", { order_id: "1" }, { session: "an \u{1f600} and an é" }))).toBe("200 result allow");
  expect((await world.ask("GET", "/v1/sessions/an%20%F0%9F%98%80%20and%20an%20%C3%A9", undefined, { by: "model" })).json.session).toBe("model/an \u{1f600} and an é");
});

it("a policy's source has a bound of its own: a longer one would hold up everybody's calls", async () => {
  const wide = await World.open({ bodyBytes: 4 << 20 });
  expect(said(await wide.ask("POST", "/v1/policy/diff", `# ${"x".repeat(1 << 20)}`, { by: "root", type: "application/yaml" }))).toBe("413 body_size");
  await wide.house.close();
});
