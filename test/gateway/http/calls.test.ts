// Calls over HTTP: made, asked about, answered, looked at; raw text reaches the check untouched; sessions stay their callers'.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Json, said, World } from "./world.ts";

const ORDER = { order_id: "4411" };
const CHARGE = { order_id: "4411", amount: 40 };
let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.house.close());

it("makes a call, and gives its result as the tool wrote it", async () => {
  world.house.tools.answer = () => ({ result: '{"total":40.00,"big":9007199254740993}' });
  const made = await world.call("get_order", ORDER, { session: "chat" });
  expect(said(made)).toBe("200 result allow");
  expect(made.text).toContain('"result":{"total":40.00,"big":9007199254740993}');
  expect(made.json).toMatchObject({ session: "model/chat", agent: "desk", decision: "allow", failed: false, state: "done" });
  expect(world.house.tools.sent).toHaveLength(1);
});

it("sends the canonical arguments, and judges what came: key order, digits, repeated members", async () => {
  await world.call("charge_card", '{"order_id":"4411","amount":40.00}', {});
  const asked = (await world.ask("GET", "/v1/approvals?state=open", undefined, { by: "ana" })).json.approvals;
  expect(asked).toHaveLength(1);
  const shown = await world.ask("GET", `/v1/calls/${asked[0].call}`, undefined, { by: "ana" });
  expect(shown.json.arguments).toBe('{"order_id":"4411","amount":40.00}');
  await world.ask("POST", `/v1/approvals/${asked[0].id}/approve`, "{}", { by: "ana" });
  await world.end(asked[0].call);
  expect(world.house.tools.sent.map((each) => each.arguments)).toEqual(['{"amount":40,"order_id":"4411"}']);
  expect(said(await world.call("charge_card", '{"order_id":"4411","amount":9007199254740993}'))).toBe("200 refused argument_schema");
  expect(said(await world.call("get_order", '{"order_id":"1","order_id":"2"}'))).toMatch(/^400 json_duplicate/);
  expect(said(await world.ask("POST", "/v1/call", '{"session":"a","session":"b","tool":"get_order","arguments":{}}'))).toMatch(/^400 json_duplicate/);
  expect(said(await world.call("get_order", ORDER, { principal: { id: "u-1", n: 1 } }, { by: "service" }))).toBe("200 result allow");
  expect(said(await world.ask("POST", "/v1/call", '{"session":"a","tool":"get_order","arguments":{"order_id":"1"},"context":{"n":9007199254740993}}'))).toMatch(/^400 json_number \/context\/n/);
  expect(said(await world.ask("POST", "/v1/call", '{"session":"a","tool":"get_order","arguments":{"order_id":"\\ud800"}}'))).toMatch(/^400 json_surrogate/);
  expect(said(await world.call("get_order", "[1]"))).toBe("400 request_invalid /arguments");
  expect(world.house.tools.sent.map((each) => each.tool)).toEqual(["charge_card", "get_order"]);
});

it("asks a person, and the answer arrives by waiting, by asking for the call, and by trying again", async () => {
  const pending = await world.call("charge_card", CHARGE, { session: "chat" });
  expect(said(pending)).toBe("202 pending argument_origin: amount");
  expect(pending.headers.get("location")).toBe(`/v1/calls/${pending.json.call}`);
  expect(pending.json.question.text).toContain("written by the model");
  expect(pending.json.confirmation).toBeUndefined();
  const again = await world.call("charge_card", CHARGE, { session: "chat" });
  expect([again.status, again.json.approval]).toEqual([202, pending.json.approval]);
  const waiting = world.ask("GET", `/v1/calls/${pending.json.call}?wait=20`, undefined, { by: "model" });
  const approved = await world.ask("POST", `/v1/approvals/${pending.json.approval}/approve`, '{"why":"fine"}', { by: "ana" });
  expect(approved.json).toMatchObject({ state: "approved", answers: [{ approver: "ana", answer: "approve", why: "fine" }] });
  expect(approved.text).not.toContain("jws");
  expect((await waiting).json).toMatchObject({ outcome: "result", result: { made: "charge_card" } });
  expect((await world.call("charge_card", CHARGE, { session: "waits" }, { path: "/v1/call?wait=0" })).status).toBe(202);
});

it("denies with a reason that the model is told, edits, and expires", async () => {
  const denied = await world.call("charge_card", CHARGE);
  expect(said(await world.ask("POST", `/v1/approvals/${denied.json.approval}/deny`, "{}", { by: "ana" }))).toBe("400 request_invalid /why");
  expect((await world.ask("POST", `/v1/approvals/${denied.json.approval}/deny`, '{"why":"wrong customer"}', { by: "ana" })).json.state).toBe("denied");
  await world.end(denied.json.call);
  const told = await world.ask("GET", `/v1/calls/${denied.json.call}`, undefined, { by: "model" });
  expect(told.json).toMatchObject({ outcome: "refused", reason: "denied" });
  expect(told.json.message).toContain("wrong customer");
  const edited = await world.call("charge_card", CHARGE);
  const made = await world.ask("POST", `/v1/approvals/${edited.json.approval}/edit`, '{"arguments":{"order_id":"4411","amount":39.50}}', { by: "ana" });
  expect([made.status, made.json.state, made.headers.get("location")]).toEqual([202, "edited", `/v1/calls/${made.json.editedInto}`]);
  const followed = await world.ask("GET", `${made.headers.get("location")}?wait=20`, undefined, { by: "ana" });
  expect(followed.json).toMatchObject({ outcome: "result", tool: "charge_card", caller: "model" });
  const expired = await world.call("charge_card", { order_id: "1", amount: 2 });
  expect((await world.ask("POST", `/v1/approvals/${expired.json.approval}/expire`, undefined, { by: "ana" })).json.state).toBe("expired");
});

it("an edit is answered once it is kept: its call is followed while it is not there, and while its tool works", async () => {
  const { engine, tools } = world.house;
  const run = engine.run;
  engine.run = async () => undefined;
  const pending = await world.call("charge_card", CHARGE);
  const made = await world.ask("POST", `/v1/approvals/${pending.json.approval}/edit`, '{"arguments":{"order_id":"4411","amount":1.5}}', { by: "ana" });
  expect(made.status).toBe(202);
  const at = made.headers.get("location")!;
  for (const by of ["ana", "model", "service"]) expect((await world.ask("GET", at, undefined, { by })).json, by).toMatchObject({ call: made.json.editedInto, outcome: "working", state: "proposed", tool: "charge_card" });
  for (const by of ["twin", "elsewhere"]) expect(said(await world.ask("GET", at, undefined, { by })), by).toBe("404 call_not_found");
  engine.run = run;
  let answer: () => void = () => undefined;
  tools.answer = () => new Promise((resolve) => (answer = () => resolve({})));
  const followed = world.ask("GET", `${at}?wait=20`, undefined, { by: "model" });
  await engine.run("shop", made.json.editedInto);
  await expect.poll(() => tools.sent.length).toBe(1);
  expect((await world.ask("GET", `${at}?wait=1`, undefined, { by: "ana" })).json).toMatchObject({ outcome: "working", state: "sending" });
  answer();
  expect((await followed).json).toMatchObject({ outcome: "result", result: { made: "charge_card" } });
});

it("checks without making, with the core's own answer, and explains", async () => {
  const checked = await world.call("get_order", ORDER, { session: "c" }, { path: "/v1/check" });
  expect(said(checked)).toBe("200 allow allow");
  expect(checked.json.entry.tool).toBe("get_order");
  expect(checked.json.trace).toBeUndefined();
  expect((await world.call("get_order", ORDER, { explain: true }, { path: "/v1/check" })).json.trace.length).toBeGreaterThan(3);
  expect(said(await world.call("get_order", ORDER, { explain: true }))).toBe("400 request_invalid /explain");
  expect(world.house.tools.sent).toEqual([]);
});

it("takes a history that ends at the kept head, and no other", async () => {
  const first = await world.call("get_order", ORDER, { session: "model/h" }, { path: "/v1/check" });
  const kept = await world.ask("GET", "/v1/sessions/h", undefined, { by: "model" });
  expect(kept.json).toMatchObject({ session: "model/h", head: { step: 0, link: first.json.link } });
  const second = await world.call("get_order", ORDER, { session: "model/h", history: kept.json.history }, { path: "/v1/check" });
  expect(second.json.step).toBe(1);
  for (const history of [kept.json.history, { ...kept.json.history, entries: [] }]) {
    const behind = await world.call("get_order", ORDER, { session: "model/h", history }, { path: "/v1/check" });
    expect(behind.json).toMatchObject({ decision: "refuse", reason: "history_invalid", detail: { head: "behind" }, entry: null });
  }
  expect(said(await world.call("get_order", ORDER, { session: "h" }, { path: "/v1/check" }))).toBe("200 allow allow");
});

it("answers the same Idempotency-Key with the first result, and refuses it for another call", async () => {
  const headers = { "idempotency-key": "key-00000001" };
  const one = await world.call("get_order", ORDER, { session: "i" }, { headers });
  const two = await world.call("get_order", ORDER, { session: "i" }, { headers });
  expect([two.json.call, two.json.result]).toEqual([one.json.call, one.json.result]);
  expect(world.house.tools.sent).toHaveLength(1);
  expect(said(await world.call("get_order", { order_id: "2" }, { session: "i" }, { headers }))).toBe("422 idempotency_key_reused");
  expect(said(await world.call("get_order", ORDER, { session: "i" }, { headers: { "idempotency-key": "short" } }))).toBe("400 idempotency_key");
});

it("a call that is being made is looked at as it is, and waited for as long as was asked", async () => {
  let made: () => void = () => undefined;
  const under = new Promise<void>((started) => {
    world.house.tools.answer = async () => {
      started();
      await new Promise<void>((resolve) => (made = resolve));
      return {};
    };
  });
  const first = world.call("get_order", ORDER, { session: "look" });
  await under;
  const [call] = (await world.ask("GET", "/v1/sessions/look/calls", undefined, { by: "model" })).json.calls as Json[];
  for (const query of ["", "?wait=0", "?wait=1"]) expect((await world.ask("GET", `/v1/calls/${call.call}${query}`, undefined, { by: "model" })).json).toMatchObject({ outcome: "working", state: "sending" });
  const waits = world.ask("GET", `/v1/calls/${call.call}?wait=300`, undefined, { by: "model" });
  made();
  expect(said(await first)).toBe("200 result allow");
  expect(said(await waits)).toBe("200 result allow");
});

it("keeps sessions and calls to whose they are: another caller, agent or tenant finds nothing", async () => {
  const mine = await world.call("get_order", ORDER, { session: "mine" });
  for (const by of ["twin", "clerk", "elsewhere", "nobody", "ana", "reader"]) {
    expect(said(await world.ask("GET", `/v1/calls/${mine.json.call}`, undefined, { by })), by).toBe("404 call_not_found");
    expect(said(await world.ask("POST", `/v1/calls/${mine.json.call}/cancel`, undefined, { by })), by).toBe("404 call_not_found");
    expect(said(await world.ask("GET", "/v1/sessions/model%2Fmine", undefined, { by })), by).toBe("404 session_not_found");
  }
  // The same name is another session for another caller.
  expect((await world.call("get_order", ORDER, { session: "model/mine" }, { by: "twin" })).json.session).toBe("twin/model/mine");
  expect((await world.ask("GET", "/v1/sessions/model%2Fmine", undefined, { by: "service" })).json.history.entries).toHaveLength(1);
  expect(said(await world.call("get_order", ORDER, { session: "model/mine" }, { by: "service" }))).toBe("200 result allow");
  expect((await world.ask("GET", "/v1/sessions/mine/calls", undefined, { by: "model" })).json.calls.map(({ call }: Json) => call)).toContain(mine.json.call);
});

it("shows whoever answers questions the call, and not its result", async () => {
  const pending = await world.call("charge_card", CHARGE);
  await world.ask("POST", `/v1/approvals/${pending.json.approval}/approve`, "{}", { by: "ana" });
  await world.end(pending.json.call);
  const seen = await world.ask("GET", `/v1/calls/${pending.json.call}`, undefined, { by: "ana" });
  expect(seen.json).toMatchObject({ outcome: "result", failed: false });
  expect(seen.json).not.toHaveProperty("result");
  expect((await world.ask("GET", `/v1/calls/${pending.json.call}`, undefined, { by: "model" })).json.result).toEqual({ made: "charge_card" });
});

it("reports, gives receipts, reads, undoes, settles, cancels and erases", async () => {
  const session = "svc";
  const by = "service";
  const checked = await world.call("charge_card", CHARGE, { session, origins: { order_id: "reply", amount: "reply" } }, { by, path: "/v1/check" });
  expect(said(checked)).toBe("200 confirm write");
  const got = await world.call("get_order", ORDER, { session }, { by, path: "/v1/check" });
  const receipt = (more: Json = {}) => world.ask("POST", "/v1/receipt", JSON.stringify({ session, tool: "get_order", arguments: ORDER, step: got.json.step, ...more }), { by });
  expect(said(await receipt())).toBe("200 allow receipt");
  const reported = await world.ask("POST", "/v1/report", `{"session":"${session}","step":${got.json.step},"status":"ran","result":{"total":40,"id":9007199254740993},"external_id":"x-1"}`, { by });
  expect([reported.status, reported.json.entries[got.json.step].outcome.status]).toEqual([200, "ran"]);
  expect(said(await world.ask("POST", "/v1/report", `{"session":"${session}","step":${got.json.step},"status":"ran"}`, { by }))).toBe("409 outcome_already_reported");
  expect((await world.ask("POST", "/v1/read", '{"turn":"get order 4411"}', { by })).status).toBe(200);
  // A write whose outcome nobody knows is settled by a person.
  world.house.tools.answer = () => ({ status: "outcome_unknown", result: undefined, error: { code: "tool_timeout", message: "late" } }) as never;
  const lost = await world.call("set_note", { order_id: "9" }, { session: "lost" });
  await world.ask("POST", `/v1/approvals/${lost.json.approval}/approve`, "{}", { by: "ana" });
  await world.end(lost.json.call);
  const unknown = await world.ask("GET", `/v1/calls/${lost.json.call}`, undefined, { by: "model" });
  expect(unknown.json.outcome).toBe("unknown");
  expect(said(await world.ask("POST", `/v1/calls/${lost.json.call}/settle`, '{"status":"ran","why":"seen in the books"}', { by: "model" }))).toBe("403 not_granted");
  expect((await world.ask("POST", `/v1/calls/${lost.json.call}/settle`, '{"status":"ran","why":"seen in the books"}', { by: "ana" })).json.state).toBe("done");
  // An undo goes through the check as any call.
  world.house.tools.answer = () => ({});
  const charge = await world.call("charge_card", CHARGE, { session: "u" }, { by });
  await world.ask("POST", `/v1/approvals/${charge.json.approval}/approve`, "{}", { by: "ana" });
  await world.end(charge.json.call, "service");
  const undone = await world.ask("POST", "/v1/sessions/u/undo", '{"steps":"all"}', { by });
  expect(undone.json.calls.map(({ tool, outcome }: Json) => [tool, outcome])).toEqual([["refund_card", "result"]]);
  // A question whose call is cancelled is withdrawn.
  const waiting = await world.call("charge_card", { order_id: "7", amount: 1 }, { session: "w" });
  expect((await world.ask("POST", `/v1/calls/${waiting.json.call}/cancel`, undefined, { by: "model" })).json.state).toBe("withdrawn");
  expect(said(await world.ask("DELETE", "/v1/sessions/u", undefined, { by }))).toBe("403 not_granted");
  const before = (await world.ask("GET", "/v1/calls", undefined, { by })).json.calls.filter((call: Json) => call.session !== "u");
  expect(before.length).toBeGreaterThan(2);
  expect((await world.ask("DELETE", "/v1/sessions/u", undefined, { by: "keeper" })).status).toBe(204);
  expect((await world.ask("GET", "/v1/calls", undefined, { by })).json.calls).toEqual(before);
  expect(said(await world.ask("GET", "/v1/sessions/u", undefined, { by }))).toBe("404 session_not_found");
});
