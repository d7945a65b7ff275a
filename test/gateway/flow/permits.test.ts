// Permits and outcomes over stops: a permit is used once or reported as failed, what nobody knows stays unreported, and what is sent again passes the rows before the sending.
import { expect, it } from "vitest";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { inForce } from "./people.ts";
import { APPROVER, KEYS, POLICY, Shop } from "./shop.ts";
import { after, held, never, outcomes } from "./stops.ts";

const CALLER: Caller = { ...APPROVER, name: "agent-1", agents: ["desk"] };
const charge = { order_id: "4411", amount: 40 };

it("a permit that a stop left unused is used by the next start, once", async () => {
  const again = await after(await held());
  expect(again.tools.sent.filter(({ arguments: sent }) => sent === '{"order_id":"2"}')).toHaveLength(1);
  expect(await outcomes(again, "get_coupon")).toEqual(["ran"]);
  expect(await again.call("get_coupon", { order_id: "3" })).toMatchObject({ kind: "refused", reason: "order_rule" });
});

it.each([
  ["a kill switch", "kill_switch", (again: Shop) => void again.kills.set("shop", { tool: "get_coupon" })],
  ["another listing", "listing_changed", (again: Shop) => (again.listings.approved.set("get_coupon", "listing-2"), void (again.tools.digest = "listing-2"))],
])("a permit that %s stops after a restart is reported as failed, and counts for no rule", async (_, reason, prepare) => {
  const again = await after(await held(), prepare);
  expect(again.tools.sent.filter(({ arguments: sent }) => sent === '{"order_id":"2"}')).toEqual([]);
  const [call] = await again.gateway.calls("shop", { session: "chat-1" });
  expect(call?.refusal?.reason).toBe(reason);
  expect(await outcomes(again, "get_coupon")).toEqual(["failed"]);
  again.kills.on.splice(0);
  again.listings.approved.clear();
  again.tools.digest = "listing-1";
  expect(await again.call("get_coupon", { order_id: "3" })).toMatchObject({ kind: "result" });
});

it("a permit too old at the next start is given back, and the call decided anew", async () => {
  const shop = await held();
  const again = await after(shop, undefined, shop.now + 3_600_000);
  expect(await outcomes(again, "get_coupon")).toEqual(["failed", "ran"]);
});

it("an outcome that nobody knows stays unreported until a person settles it, over a restart", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  shop.tools.answer = never;
  const sentAt = (shop.now += 60_000);
  void shop.decide(asked);
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const again = await after(shop, undefined, sentAt + 5_000);
  expect(await again.outcome(asked)).toMatchObject({ kind: "unknown", call: { state: "unknown", sent: { startedAt: sentAt, endedAt: sentAt + 5_000 } } });
  expect([again.tools.sent, await outcomes(again, "charge_card")]).toEqual([[], [undefined]]);
  await again.call("get_order", { order_id: "1" });
  const later = await after(again);
  expect([later.tools.sent, await outcomes(later, "charge_card")]).toEqual([[], [undefined]]);
  await later.gateway.settle(APPROVER, asked.call.id, "ran", "the bank has it");
  expect(await outcomes(later, "charge_card")).toEqual(["ran"]);
});

it("where the settings say so, the policy settles it: what a stop cut is reported as unknown, and counts as if it had run", async () => {
  const fails = { tools: { charge_card: { onUnknown: "fail" } } } as const;
  const shop = new Shop(fails);
  const asked = await shop.call("charge_card", charge);
  shop.tools.answer = never;
  void shop.decide(asked);
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const again = new Shop({ ...fails, engine: shop.engine.reopened() });
  await again.gateway.takeUp();
  await again.engine.idle();
  expect([again.engine.failures, again.tools.sent]).toEqual([[], []]);
  expect(await again.outcome(asked)).toMatchObject({ kind: "unknown", call: { state: "done" } });
  expect(await outcomes(again, "charge_card")).toEqual(["outcome_unknown"]);
});

it("what may be sent again is sent again only where the rows before the sending let it through, and a second failure says nothing of the first", async () => {
  const cut = async (): Promise<Shop> => {
    const shop = new Shop();
    shop.tools.answer = never;
    void shop.call("set_note", { order_id: "1" }).then((asked) => shop.decide(asked));
    while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
    return shop;
  };
  const sentAgain = async (prepare: (again: Shop) => void): Promise<[number, string | undefined]> => {
    const again = await after(await cut(), prepare);
    return [again.tools.sent.length, (await again.gateway.calls("shop", {}))[0]?.state];
  };
  expect(await sentAgain(() => undefined)).toEqual([1, "done"]);
  expect(await sentAgain((again) => void again.kills.set("shop", { agent: "desk" }))).toEqual([0, "unknown"]);
  expect(await sentAgain((again) => void (again.tools.digest = "listing-2"))).toEqual([0, "unknown"]);
  expect(await sentAgain((again) => void (again.policies.now = inForce({ ...POLICY, settings: { taint_scope: "session" } }, KEYS)))).toEqual([0, "unknown"]);
  expect(await sentAgain((again) => void again.tools.missing.add("set_note"))).toEqual([0, "unknown"]);
  expect(await sentAgain((again) => void (again.tools.answer = () => ({ status: "failed", error: { code: "tool_unreachable", message: "down" } })))).toEqual([1, "unknown"]);
});

it("what is sent again after a stop counts among the calls that its tool has in hand", async () => {
  const one = { tools: { set_note: { concurrency: 1 } } } as const;
  const shop = new Shop(one);
  shop.tools.answer = never;
  const asked = await shop.call("set_note", { order_id: "1" });
  void shop.decide(asked);
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const again = new Shop({ ...one, engine: shop.engine.reopened() });
  let answer = (): void => undefined;
  again.tools.answer = () => new Promise((resolve) => (answer = () => resolve({})));
  await again.gateway.takeUp();
  while (again.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const other = await again.call("set_note", { order_id: "2" });
  await again.gateway.decide(APPROVER, other.kind === "pending" ? other.approval : "", { answer: "approve" });
  while ((await again.gateway.record("shop", other.call.id))?.state !== "admitted") await new Promise((next) => setImmediate(next));
  expect(again.tools.sent).toHaveLength(1);
  answer();
  while (again.tools.sent.length < 2) await new Promise((next) => setImmediate(next));
  answer();
  await again.engine.idle();
  expect(await again.outcome(other)).toMatchObject({ kind: "result" });
  expect(again.engine.failures).toEqual([]);
});

it("a result over the limit leaves the outcome to a person: an equal answer is not asked for again", async () => {
  const shop = new Shop();
  shop.tools.answer = () => ({ status: "outcome_unknown", result: undefined, error: { code: "result_too_large", message: "more bytes than the limit" } }) as never;
  const asked = await shop.call("set_note", { order_id: "1" });
  await shop.decide(asked);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "unknown", call: { sent: { error: { code: "result_too_large" } } } });
  expect(shop.tools.sent).toHaveLength(1);
});

it("what the gateway makes itself it reports itself, and its permit is nobody else's", async () => {
  const shop = await held();
  const [waiting] = await shop.gateway.calls("shop", { session: "chat-1" });
  const step = waiting?.decided?.step ?? -1;
  const refused = { code: "made_here", status: 409 };
  await expect(shop.gateway.report(CALLER, { session: "chat-1", step, status: "failed" })).rejects.toMatchObject(refused);
  const question = { session: "chat-1", tool: "get_coupon", arguments: '{"order_id":"2"}', agent: "desk" };
  for (const more of [{ step }, {}]) await expect(shop.gateway.receipt(CALLER, { ...question, ...more })).rejects.toMatchObject(refused);
  expect(await outcomes(shop, "get_coupon")).toEqual([undefined]);
});

it("a stop between the outcome and the hooks behind it loses neither: the hooks see the result at the next start", async () => {
  const hookSettings = [{ name: "redactor", when: "post", tools: ["*"] }] as unknown as NonNullable<ConstructorParameters<typeof Shop>[0]>["hookSettings"];
  const hooks = (post: () => Promise<{ answer: "release"; hook: null; message: null; result: string }>) => ({ pre: async (call: { arguments: string }) => ({ answer: "allow" as const, hook: null, message: null, arguments: call.arguments, changed: {} }), post });
  let looked = 0;
  const shop = new Shop({ hookSettings, hooks: hooks(() => (looked++, never())) });
  void shop.call("get_coupon", { order_id: "1" });
  while (looked === 0) await new Promise((next) => setImmediate(next));
  const again = new Shop({ engine: shop.engine.reopened(), hookSettings, hooks: hooks(async () => ({ answer: "release", hook: null, message: null, result: '{"seen":true}' })) });
  await again.gateway.takeUp();
  await again.engine.idle();
  expect([again.engine.failures, again.tools.sent]).toEqual([[], []]);
  expect(await again.gateway.calls("shop", {})).toMatchObject([{ state: "done", released: '{"seen":true}', sent: { status: "ran" } }]);
  expect(await outcomes(again, "get_coupon")).toEqual(["ran"]);
});

it("a receipt is its session's, is in the log before its caller has it, and a killed agent gets none", async () => {
  const shop = new Shop();
  const allowed = await shop.call("get_order", { order_id: "1" }, { purpose: "check" });
  await shop.call("get_order", { order_id: "1" }, { purpose: "check", session: "chat-2" });
  const question = { tool: "get_order", arguments: '{"order_id":"1"}', agent: "desk", step: allowed.call.decided?.step ?? -1 };
  const carried = (await shop.gateway.session("shop", "chat-2"))?.history ?? "";
  const ask = async (session: string, more = {}) => JSON.parse(await shop.gateway.receipt(CALLER, { session, ...question, ...more })) as { decision: string; reason: string; once?: string };
  expect(await ask("chat-1", { history: carried })).toMatchObject({ decision: "refuse", reason: "history_invalid" });
  expect(await ask("nowhere")).toMatchObject({ decision: "refuse", reason: "receipt_missing" });
  expect(shop.events()).not.toContain("receipt.admitted");
  const given = await ask("chat-1");
  expect(given).toMatchObject({ decision: "allow" });
  expect(shop.engine.bodies("shop").at(-1)).toMatchObject({ event: "receipt.admitted", actor: "agent-1", session: "chat-1", tool: "get_order", step: 0, once: given.once });
  expect((await ask("chat-2", { history: carried })).once).not.toBe(given.once);
  for (const kill of [{ agent: "desk" }, { tool: "get_order" }, { session: "chat-1" }, { all: true }] as const) {
    shop.kills.set("shop", kill);
    await expect(ask("chat-1"), JSON.stringify(kill)).rejects.toMatchObject({ code: "kill_switch", status: 409 });
    expect(await shop.call("get_order", { order_id: "2" }, { purpose: "check" }), JSON.stringify(kill)).toMatchObject({ kind: "refused", reason: "kill_switch" });
    shop.kills.on.splice(0);
  }
});
