// What is another tenant's or another caller's is not there: every id of it is answered as one that nobody has, to the letter, and nothing of one tenant acts on another.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { OPERATIONS } from "./contract.ts";
import { type Json, said, World } from "./world.ts";

let world: World;
const ids = { call: "", approval: "", session: "", policy: "", unknown: "", kill: "" };
beforeAll(async () => {
  world = await World.open();
  const pending = await world.call("charge_card", { order_id: "4411", amount: 40 }, { session: "root/theirs" }, { by: "root" });
  Object.assign(ids, { call: pending.json.call, approval: pending.json.approval, session: "root/theirs", policy: pending.json.policy });
  const lost = await world.call("set_note", { order_id: "9" }, { session: "root/lost" }, { by: "root" });
  world.house.tools.answer = () => ({ status: "outcome_unknown", result: undefined, error: { code: "tool_timeout", message: "late" } }) as never;
  await world.ask("POST", `/v1/approvals/${lost.json.approval}/approve`, "{}", { by: "ana" });
  expect((await world.end(lost.json.call, "root")).json.outcome).toBe("unknown");
  world.house.tools.answer = () => ({});
  ids.unknown = lost.json.call;
  ids.kill = (await world.ask("POST", "/v1/kill", '{"tool":"get_coupon","why":"a leak"}', { by: "root" })).json.id;
  world.house.tools.changed.set("read_inbox", "listing-2");
  await world.house.listings.look("shop");
  world.house.tools.sent.length = 0;
});
afterAll(() => world.house.close());
afterEach(() => expect(world.house.tools.sent.splice(0)).toEqual([]));

/** Every operation that names something: the id that is there for its own tenant, and a body that would do something with it. */
const NAMED: readonly (readonly [operation: string, of: keyof typeof ids | "read_inbox", nobodys: string, body?: string])[] = [
  ["getCall", "call", "0198c3f0-7d7a-7000-8000-000000000001"],
  ["cancelCall", "call", "0198c3f0-7d7a-7000-8000-000000000001"],
  ["settleCall", "unknown", "0198c3f0-7d7a-7000-8000-000000000001", '{"status":"ran","why":"x"}'],
  ["getApproval", "approval", "0198c3f0-7d7a-7000-8000-000000000001"],
  ["approve", "approval", "0198c3f0-7d7a-7000-8000-000000000001", "{}"],
  ["deny", "approval", "0198c3f0-7d7a-7000-8000-000000000001", '{"why":"no"}'],
  ["editApproval", "approval", "0198c3f0-7d7a-7000-8000-000000000001", '{"arguments":{"order_id":"4411","amount":1}}'],
  ["expireApproval", "approval", "0198c3f0-7d7a-7000-8000-000000000001"],
  ["getSession", "session", "root/nobodys"],
  ["getCalls", "session", "root/nobodys"],
  ["eraseSession", "session", "root/nobodys"],
  ["undo", "session", "root/nobodys", '{"steps":"all"}'],
  ["approveListing", "read_inbox", "no_tool", '{"digest":"listing-2"}'],
  ["liftKill", "kill", "0198c3f0-7d7a-7000-8000-000000000001"],
];

it("has every operation that names something in its path", () => {
  expect(NAMED.map(([operation]) => operation).sort()).toEqual(OPERATIONS.filter(({ path }) => path.includes("{")).map(({ id }) => id).sort());
});

it.each(NAMED.map((each) => [each[0], each] as const))("%s: what is another tenant's is answered as nobody's", async (_, [operation, of, nobodys, body]) => {
  const real = of === "read_inbox" ? of : ids[of];
  const { method, path } = OPERATIONS.find(({ id }) => id === operation)!;
  const at = (id: string) => path.replace(/\{\w+\}/, encodeURIComponent(id));
  const theirs = await world.ask(method, at(real), body, { by: "elsewhere" });
  const none = await world.ask(method, at(nobodys), body, { by: "elsewhere" });
  expect([theirs.status, theirs.text.replaceAll(real, nobodys)]).toEqual([none.status, none.text]);
  const heads = ({ headers }: typeof theirs) => [...headers].filter(([name]) => !["x-request-id", "content-length"].includes(name)).sort();
  expect(heads(theirs)).toEqual(heads(none));
  expect(operation === "getCalls" ? theirs.json : theirs.status).toEqual(operation === "getCalls" ? { calls: [] } : 404);
  // It is there for its own, who may do with it what the other could not.
  if (method === "GET") expect((await world.ask(method, at(real), body, { by: "root" })).status).toBe(200);
});

it("what was tried from elsewhere changed nothing", async () => {
  expect((await world.ask("GET", `/v1/approvals/${ids.approval}`, undefined, { by: "root" })).json).toMatchObject({ state: "open", answers: [] });
  expect((await world.ask("GET", `/v1/calls/${ids.unknown}`, undefined, { by: "root" })).json.outcome).toBe("unknown");
  expect((await world.ask("GET", "/v1/kill", undefined, { by: "root" })).json.kills).toHaveLength(1);
  expect((await world.ask("GET", "/v1/listings", undefined, { by: "root" })).json.listings.find(({ tool }: Json) => tool === "read_inbox").pending.digest).toBe("listing-2");
  expect((await world.ask("GET", "/v1/sessions/root%2Ftheirs", undefined, { by: "root" })).status).toBe(200);
});

it("lists, the log, the policy and their filters hold one tenant's alone", async () => {
  const by = "elsewhere";
  for (const path of ["/v1/calls", `/v1/calls?session=${encodeURIComponent("root/theirs")}`, `/v1/calls?after=${ids.call}`, "/v1/approvals", "/v1/approvals?state=open", `/v1/approvals?after=~`, "/v1/kill", "/v1/audit?limit=1000", `/v1/audit?call=${ids.call}`, "/v1/audit/export", "/v1/audit/values", "/v1/audit/verify", "/v1/policy", "/v1/listings", "/v1/healthz", "/v1/tools?agent=desk"]) {
    const { text, status } = await world.ask("GET", path, undefined, { by });
    expect(status, path).toBe(200);
    for (const id of Object.values(ids)) expect(text.includes(id), `${path} has ${id}`).toBe(false);
    expect(text, path).not.toContain('"tenant":"shop"');
  }
  expect((await world.ask("GET", "/v1/metrics", undefined, { by })).text).toBe('up{tenant="other"} 1\n');
  expect(said(await world.ask("POST", "/v1/policy/rollback", JSON.stringify({ id: ids.policy }), { by }))).toBe("404 policy_unknown");
});

it("the same names are other things: sessions, Idempotency-Keys, tools under a switch, steps that are reported", async () => {
  const by = "elsewhere";
  expect(said(await world.call("get_coupon", { order_id: "1" }, { session: "root/theirs" }, { by: "root" }))).toBe("200 refused kill_switch");
  const other = await world.call("get_coupon", { order_id: "1" }, { session: "root/theirs" }, { by });
  expect([said(other), other.json.session, other.json.step]).toEqual(["200 result allow", "root/theirs", 0]);
  const headers = { "idempotency-key": "key-of-both" };
  const one = await world.call("get_order", { order_id: "1" }, { session: "x" }, { by: "root", headers });
  const two = await world.call("get_order", { order_id: "2" }, { session: "x" }, { by, headers });
  expect([one.json.outcome, two.json.outcome, one.json.call === two.json.call]).toEqual(["result", "result", false]);
  world.house.tools.sent.length = 0;
  expect(said(await world.ask("POST", "/v1/report", '{"session":"root/lost","step":1,"status":"failed"}', { by }))).toBe("409 outcome_no_step");
  expect(said(await world.ask("POST", "/v1/receipt", '{"session":"root/lost","tool":"set_note","arguments":{"order_id":"9"},"agent":"desk","step":1}', { by }))).toBe("200 refuse receipt_missing");
});

it("a question's token, and what people of one tenant signed, say nothing to another tenant", async () => {
  const { json } = await world.ask("GET", `/v1/approvals/${ids.approval}`, undefined, { by: "root" });
  const brought = { confirmation: json.confirmation, approvals: ["x.y.z"] };
  const answer = await world.call("charge_card", { order_id: "4411", amount: 40 }, { session: "root/theirs", ...brought }, { by: "elsewhere" });
  expect(answer.json.outcome).toBe("pending");
});
