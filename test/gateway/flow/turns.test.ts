// Rows 3 and 21: the calls of one turn wait for each other's decisions, in this process and through the engine.
import { expect, it } from "vitest";
import { APPROVER, Shop } from "./shop.ts";

const charge = (amount: number) => ({ order_id: "4411", amount });

it("calls in hand together are one turn: one that was approved waits until the other is decided", async () => {
  const shop = new Shop();
  const [one, two] = await Promise.all([shop.call("charge_card", charge(1)), shop.call("charge_card", charge(2))]);
  await shop.decide(one);
  expect(await shop.outcome(one)).toMatchObject({ kind: "pending", approval: two.kind === "pending" && two.approval });
  expect(shop.tools.sent).toEqual([]);
  await shop.decide(two);
  expect(await shop.outcome(one)).toMatchObject({ kind: "result" });
  expect(await shop.outcome(two)).toMatchObject({ kind: "result" });
  expect(shop.tools.sent).toHaveLength(2);
  expect(shop.engine.failures).toEqual([]);
});

it("when one of a turn is denied, the others are not made", async () => {
  const shop = new Shop();
  const [one, two, three] = await Promise.all([1, 2, 3].map((amount) => shop.call("charge_card", charge(amount))));
  if (one === undefined || two === undefined || three === undefined) throw new Error("three calls");
  await shop.decide(one);
  await shop.decide(two, "deny");
  expect(await shop.outcome(one)).toMatchObject({ kind: "refused", reason: "turn_denied", detail: { call: two.call.id } });
  await shop.decide(three);
  expect(await shop.outcome(three)).toMatchObject({ kind: "refused", reason: "turn_denied" });
  expect(shop.tools.sent).toEqual([]);
});

it("plain reads of the turn go ahead", async () => {
  const shop = new Shop();
  const [asked, read] = await Promise.all([shop.call("charge_card", charge(1)), shop.call("get_order", { order_id: "1" })]);
  expect([asked.kind, read.kind]).toEqual(["pending", "result"]);
});

it("a later call is another turn, unless its caller names the same one", async () => {
  const shop = new Shop();
  const one = await shop.call("charge_card", charge(1), { turn: "t-1" });
  const two = await shop.call("charge_card", charge(2), { turn: "t-1" });
  const three = await shop.call("charge_card", charge(3));
  await shop.decide(three);
  expect(await shop.outcome(three)).toMatchObject({ kind: "result" });
  await shop.decide(two);
  expect(await shop.outcome(two)).toMatchObject({ kind: "pending", approval: one.kind === "pending" && one.approval });
  await shop.decide(one, "deny");
  expect(await shop.outcome(two)).toMatchObject({ kind: "refused", reason: "turn_denied" });
  const late = await shop.call("charge_card", charge(4), { turn: "t-1" });
  await shop.decide(late);
  expect(await shop.outcome(late)).toMatchObject({ kind: "refused", reason: "turn_denied" });
});

it("an approval of one of several asked in a turn does not spend the others", async () => {
  const shop = new Shop();
  const asked = await Promise.all([1, 2, 3].map((amount) => shop.call("charge_card", charge(amount))));
  for (const outcome of asked.reverse()) await shop.decide(outcome);
  for (const outcome of asked) expect(await shop.outcome(outcome)).toMatchObject({ kind: "result", call: { decided: { reason: "confirmed" } } });
});

it("an expired question of a turn refuses itself, and lets the others go on", async () => {
  const shop = new Shop();
  const one = await shop.call("charge_card", charge(1), { turn: "t-1" });
  shop.now += 80_000_000;
  const two = await shop.call("charge_card", charge(2), { turn: "t-1" });
  await shop.decide(two);
  expect(await shop.outcome(two)).toMatchObject({ kind: "pending" });
  shop.now += 7_000_000;
  await shop.engine.passTo(shop.now);
  expect(await shop.outcome(one)).toMatchObject({ kind: "refused", reason: "approval_expired" });
  expect(await shop.outcome(two)).toMatchObject({ kind: "result" });
});

it("what waits for its turn goes on after a restart", async () => {
  const shop = new Shop();
  const one = await shop.call("charge_card", charge(1), { turn: "t-1" });
  const two = await shop.call("charge_card", charge(2), { turn: "t-1" });
  await shop.decide(two);
  const again = new Shop({ engine: shop.engine.reopened() });
  await again.gateway.takeUp();
  await again.engine.idle();
  expect(await again.outcome(two)).toMatchObject({ kind: "pending" });
  await again.decide(one);
  expect(await again.outcome(one)).toMatchObject({ kind: "result" });
  expect(await again.outcome(two)).toMatchObject({ kind: "result" });
  expect(again.tools.sent).toHaveLength(2);
});

it("where workers share the engine, a call waits for one that another worker is deciding", async () => {
  const shop = new Shop();
  shop.engine.name = "shared";
  await shop.engine.commit({ tenant: "shop", changes: [{ key: "turn/chat-1/t-1/other", value: JSON.stringify({ as: "deciding", at: shop.now }) }] });
  const one = await shop.call("charge_card", charge(1), { turn: "t-1" });
  await shop.decide(one);
  expect(shop.tools.sent).toEqual([]);
  shop.now += 60_001;
  await shop.engine.run("shop", one.call.id);
  await shop.engine.idle();
  expect(await shop.outcome(one)).toMatchObject({ kind: "result" });
  expect(shop.tools.sent).toHaveLength(1);
});

it("a call whose turn is decided in the moment in which it begins to wait is not forgotten", async () => {
  const shop = new Shop();
  const one = await shop.call("charge_card", charge(1), { turn: "t-1" });
  const two = await shop.call("charge_card", charge(2), { turn: "t-1" });
  let denied = false;
  shop.engine.before = async ({ changes }) => {
    if (denied || !changes.some(({ value }) => value?.includes('"waits":true'))) return;
    denied = true;
    if (two.kind !== "pending") throw new Error(two.kind);
    await shop.gateway.decide(APPROVER, two.approval, { answer: "deny" });
    await expect.poll(async () => (await shop.outcome(two)).kind).toBe("refused");
  };
  await shop.decide(one);
  expect(denied).toBe(true);
  expect(await shop.outcome(one)).toMatchObject({ kind: "refused", reason: "turn_denied" });
  expect(shop.engine.failures).toEqual([]);
});
