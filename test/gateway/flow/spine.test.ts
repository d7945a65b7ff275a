// The spine of the walk: check, allow or ask or refuse, intent, send, outcome; the history it leaves is judged by the model.
import { expect, it } from "vitest";
import { Driver } from "../../model/driver.ts";
import { KEYS, POLICY, Shop } from "./shop.ts";

const charge = { order_id: "4411", amount: 40 };

it("an allowed call is sent once, with the canonical arguments, and its result is released", async () => {
  const shop = new Shop();
  const outcome = await shop.call("get_order", '{ "order_id" : "4411" }');
  expect(outcome).toMatchObject({ kind: "result", failed: false, result: '{"made":"get_order"}' });
  expect(shop.tools.sent.map(({ arguments: sent }) => sent)).toEqual(['{"order_id":"4411"}']);
  expect(outcome.call.state).toBe("done");
  expect(shop.events(outcome.call.id)).toEqual(["call.proposed", "call.decided", "call.intent", "call.confirmed"]);
  expect(shop.engine.commits).toBe(2);
});

it("a refused call reaches no tool, and says why", async () => {
  const shop = new Shop();
  const outcome = await shop.call("get_order", { order_id: "4411", note: "x" });
  expect(outcome).toMatchObject({ kind: "refused", reason: "argument_schema", detail: { pointer: "/note" } });
  expect(outcome.kind === "refused" && outcome.message).toMatch(/schema.*\/note/);
  expect(shop.tools.sent).toEqual([]);
  expect(shop.events()).toEqual(["call.proposed", "call.decided"]);
});

it("a write waits for a person, and is made after the yes, once", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  expect(asked).toMatchObject({ kind: "pending", question: { tool: "charge_card" } });
  expect(shop.tools.sent).toEqual([]);
  await shop.decide(asked);
  const outcome = await shop.outcome(asked);
  expect(shop.engine.failures).toEqual([]);
  expect(outcome).toMatchObject({ kind: "result", failed: false });
  expect(shop.tools.sent).toHaveLength(1);
  expect(outcome.call.decided).toMatchObject({ decision: "allow", reason: "confirmed" });
});

it("a denial is final, and a retry of the call is refused with the same reason", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  await shop.decide(asked, "deny", "not today");
  expect(await shop.outcome(asked)).toMatchObject({ kind: "refused", reason: "denied", message: expect.stringContaining("not today") });
  const again = await shop.call("charge_card", charge);
  expect(again).toMatchObject({ kind: "refused", reason: "denied", message: expect.stringContaining("not today") });
  expect(shop.tools.sent).toEqual([]);
});

it("the history verifies in the model, its head too, and holds the outcomes", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "4411" });
  const asked = await shop.call("charge_card", charge);
  await shop.decide(asked);
  await shop.call("delete_order", {});
  await shop.call("get_order", { order_id: "4412" });
  const kept = await shop.gateway.session("shop", "chat-1");
  const driver = new Driver();
  const say = (line: Record<string, unknown>): unknown => JSON.parse(driver.answer(JSON.stringify({ id: 0, ...line })));
  const { client: _client, ...policy } = { client: shop.policies.now.client, ...(JSON.parse(shop.policies.now.client.compiled) as object) };
  expect(say({ op: "register", name: "p", policy })).toMatchObject({ ok: { policy: shop.policies.now.id } });
  say({ op: "keys", name: "k", keys: KEYS });
  const history = JSON.parse(kept?.history ?? "null") as { entries: { tool: string; decision: string; outcome?: { status: string } }[] };
  expect(say({ op: "verify", policy: "p", keys: "k", session: "chat-1", history, head: kept?.head })).toMatchObject({ ok: { valid: true } });
  expect(history.entries.map(({ tool, decision }) => `${tool} ${decision}`)).toEqual(["get_order allow", "charge_card confirm", "charge_card allow", "delete_order refuse", "get_order allow"]);
  expect(history.entries.map(({ outcome }) => outcome?.status)).toEqual(["ran", undefined, "ran", undefined, "ran"]);
  expect(POLICY.tools.length).toBeGreaterThan(0);
});

it("at_most 1 admits exactly one of a hundred simultaneous calls", async () => {
  const shop = new Shop();
  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => shop.call("get_coupon", { order_id: `o-${index}` })));
  expect(outcomes.filter(({ kind }) => kind === "result")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === "refused" && outcome.reason === "order_rule")).toHaveLength(99);
  expect(shop.tools.sent).toHaveLength(1);
});
