// An approved call that waits for a place at its tool is checked afresh when it has one: its permit is never too old, and its rules are those of that moment.
import { expect, it } from "vitest";
import type { Outcome, Sent } from "../../../hosts/gateway/call/record.ts";
import { MemoryEngine } from "./memory-engine.ts";
import { inForce } from "./people.ts";
import { APPROVER, KEYS, type Options, POLICY, Shop } from "./shop.ts";
import { outcomes } from "./stops.ts";

const HOUR = 3_600_000;
const SETTINGS = { receipt_ttl: 30, confirmation_ttl: 7 * 86_400 };
const BUSY: Options = { policy: { ...POLICY, settings: SETTINGS }, tools: { charge_card: { concurrency: 1 } } };

/** Two approved calls of a tool with one place: the first is being made until `end` is called, and the second waits. */
async function busy(options: Options = {}, engine = new MemoryEngine(), session = "other"): Promise<{ shop: Shop; first: Outcome; second: Outcome; end(status?: "ran" | "failed"): Promise<void> }> {
  const shop = new Shop({ ...BUSY, ...options, engine });
  let answer: (sent: Partial<Sent>) => void = () => undefined;
  shop.tools.answer = () => new Promise((resolve) => (answer = resolve));
  const first = await shop.call("charge_card", { order_id: "1", amount: 40 }, { session });
  const second = await shop.call("charge_card", { order_id: "2", amount: 40 });
  const approve = async (outcome: Outcome): Promise<void> => void (outcome.kind === "pending" && (await shop.gateway.decide(APPROVER, outcome.approval, { answer: "approve" })));
  await approve(first);
  await expect.poll(() => shop.tools.sent.length).toBe(1);
  await approve(second);
  await expect.poll(async () => (await shop.gateway.record("shop", second.call.id))?.trace.at(-1)?.reason).toBe("tool_busy");
  return {
    shop,
    first,
    second,
    end: async (status = "ran") => {
      shop.tools.answer = () => ({});
      answer({ status });
      await expect.poll(async () => (await shop.gateway.record("shop", second.call.id))?.state).toMatch(/^(?:done|refused|asked|withdrawn)$/);
      await shop.engine.idle();
      expect(shop.engine.failures).toEqual([]);
    },
  };
}
const sentOf = (shop: Shop): number => shop.tools.sent.filter(({ arguments: sent }) => sent?.includes('"order_id":"2"')).length;

it.each(["embedded", "shared"])("is made once, however long it waited, with a permit of that moment (%s)", async (name) => {
  const engine = new MemoryEngine();
  engine.name = name;
  const { shop, first, second, end } = await busy({}, engine);
  shop.now += 5 * HOUR;
  await end();
  expect(await shop.outcome(first)).toMatchObject({ kind: "result" });
  expect(await shop.outcome(second)).toMatchObject({ kind: "result" });
  expect([sentOf(shop), await outcomes(shop, "charge_card")]).toEqual([1, ["ran"]]);
  expect(shop.events(second.call.id)).toEqual(["call.proposed", "call.decided", "call.asked", "call.decided", "call.intent", "call.confirmed"]);
  // It waited longer than the tenant's threshold, and no row of the table was left out.
  const rows = (await shop.gateway.record("shop", second.call.id))!.trace.map(({ row, detail }) => (detail?.["long_wait"] === true ? `${row} long wait` : row));
  expect(rows.slice(-15)).toEqual(["18", "19 long wait", "20", "21", "22", "24", "32", "34", "36", "37", "38", "41", "42", "43", "46"]);
  for (const prefix of ["place/", "queue/", "open/"]) expect(await engine.list("shop", prefix), prefix).toEqual([]);
});

it.each([["ran", 0, { kind: "refused", reason: "order_rule" }], ["failed", 1, { kind: "result" }]] as const)("a rule that another call may have used up says what that one came to: it %s", async (status, sent, expected) => {
  const tools = POLICY.tools.map((tool) => (tool.name === "charge_card" ? { ...tool, at_most: 1 } : tool));
  const { shop, second, end } = await busy({ policy: { ...POLICY, tools, settings: SETTINGS } }, new MemoryEngine(), "chat-1");
  await end(status);
  expect(await shop.outcome(second)).toMatchObject(expected);
  expect(sentOf(shop)).toBe(sent);
});

it.each<[string, string, (shop: Shop) => void]>([
  ["a kill switch", "kill_switch", (shop) => void shop.kills.set("shop", { tool: "charge_card" })],
  ["another listing", "listing_not_approved", (shop) => void (shop.tools.digest = "listing-2")],
  ["a policy that refuses", "no_more", (shop) => void (shop.policies.now = inForce({ ...POLICY, settings: SETTINGS, rulebook: { flows: [{ name: "stop", on: ["charge_card"], rules: [{ id: "no_more", refuse_if: "true" }] }] } }, KEYS))],
])("%s that came while it waited refuses it", async (_, reason, change) => {
  const { shop, second, end } = await busy();
  change(shop);
  await end();
  expect(await shop.outcome(second)).toMatchObject({ kind: "refused", reason });
  expect(sentOf(shop)).toBe(0);
});

it("another policy that asks too is another question", async () => {
  const { shop, second, end } = await busy();
  shop.policies.now = inForce({ ...POLICY, settings: { ...SETTINGS, receipt_ttl: 60 } }, KEYS);
  await end();
  const again = await shop.outcome(second);
  expect([again.kind, again.kind === "pending" && second.kind === "pending" && again.approval !== second.approval, sentOf(shop)]).toEqual(["pending", true, 0]);
  await shop.decide(again);
  expect(await shop.outcome(second)).toMatchObject({ kind: "result" });
  expect(sentOf(shop)).toBe(1);
});

it("one that is cancelled while it waits is not made, and gives its turn at the tool to the next", async () => {
  const { shop, second, end } = await busy();
  await shop.gateway.cancel("shop", second.call.id, "agent-1");
  await end();
  expect([await shop.outcome(second), sentOf(shop)]).toMatchObject([{ kind: "refused", reason: "cancelled" }, 0]);
});
