// Rows 22 to 46 of the walk: the permit, the intent, the tool, kill switches, while it runs, unknown outcomes, hooks after the call.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { HookSettings } from "../../../hosts/gateway/config/settings.ts";
import { APPROVER, Shop, ShopTools } from "./shop.ts";

const charge = { order_id: "4411", amount: 40 };

async function approved(shop: Shop, tool: string, args: unknown) {
  const asked = await shop.call(tool, args);
  await shop.decide(asked);
  return shop.outcome(asked);
}

async function entriesOf(shop: Shop): Promise<{ tool: string; outcome?: { status: string } }[]> {
  const kept = await shop.gateway.session("shop", "chat-1");
  return (JSON.parse(kept?.history ?? "{}") as { entries: { tool: string; outcome?: { status: string } }[] }).entries;
}

it("row 32: the intent and the spent permit are kept before anything is sent", async () => {
  const shop = new Shop();
  let before: readonly string[] = [];
  shop.tools.answer = async (call) => {
    before = shop.events(call.id);
    expect(JSON.parse((await shop.engine.get("shop", `call/${call.id}`))?.value ?? "")).toMatchObject({ state: "sending", row: "32" });
    return {};
  };
  const outcome = await shop.call("get_order", { order_id: "1" });
  expect(before).toEqual(["call.proposed", "call.decided", "call.intent"]);
  const intent = shop.engine.bodies("shop").find(({ event }) => event === "call.intent");
  expect(await shop.engine.get("shop", `once/${intent?.once}`)).toMatchObject({ value: expect.stringContaining(outcome.call.id) });
});

it("row 32: while the engine does not commit the intent, nothing is sent", async () => {
  const shop = new Shop();
  shop.engine.before = () => {
    throw new Error("the disk is full");
  };
  await expect(shop.call("get_order", { order_id: "1" })).rejects.toThrow("the disk is full");
  expect(shop.tools.sent).toEqual([]);
});

it("row 24: a permit that was spent is refused, and its step counts for no rule", async () => {
  const shop = new Shop();
  shop.engine.before = async ({ changes }) => {
    const once = changes.find(({ key }) => key.startsWith("once/"));
    shop.engine.before = () => undefined;
    if (once !== undefined) await shop.engine.commit({ tenant: "shop", changes: [{ key: once.key, value: "{}" }] });
  };
  const outcome = await shop.call("get_coupon", { order_id: "1" });
  expect(outcome).toMatchObject({ kind: "refused", reason: "receipt_spent" });
  expect(shop.tools.sent).toEqual([]);
  expect(await shop.call("get_coupon", { order_id: "2" })).toMatchObject({ kind: "result" });
});

it.each([
  ["36", "tool_not_there", (shop: Shop) => void shop.tools.missing.add("get_coupon")],
  ["37", "listing_not_approved", (shop: Shop) => void (shop.tools.digest = "listing-2")],
  ["37", "listing_not_approved", (shop: Shop) => void shop.listings.approved.set("get_coupon", null)],
  ["38", "kill_switch", (shop: Shop) => void shop.kills.set("shop", { agent: "desk" })],
])("row %s refuses with %s: nothing is sent, the log says so, and at_most is not used up", async (row, reason, spoil) => {
  const shop = new Shop();
  spoil(shop);
  const outcome = await shop.call("get_coupon", { order_id: "1" });
  expect(outcome).toMatchObject({ kind: "refused", reason, call: { refusal: { row } } });
  expect(outcome.kind === "refused" && outcome.message.length).toBeGreaterThan(20);
  expect(shop.tools.sent).toEqual([]);
  expect(shop.events(outcome.call.id)).toEqual(["call.proposed", "call.decided", "call.intent", "call.not_sent"]);
  expect((await entriesOf(shop)).map(({ outcome: told }) => told?.status)).toEqual(["failed"]);
  shop.tools.missing.clear();
  shop.tools.digest = "listing-1";
  shop.listings.approved.clear();
  shop.kills.on.splice(0);
  expect(await shop.call("get_coupon", { order_id: "1" })).toMatchObject({ kind: "result" });
});

it("row 34: a policy that changed between decision and sending refuses", async () => {
  const shop = new Shop();
  shop.engine.before = ({ audit }) => {
    if (audit?.some(({ event }) => event === "call.intent")) shop.policies.now = { ...shop.policies.now, id: "another" };
  };
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "refused", reason: "binding_changed" });
  expect(shop.tools.sent).toEqual([]);
});

it("row 42: a kill switch, the time limit and the client's cancellation each reach a running call at the tool", async () => {
  for (const [code, stop] of [
    ["tool_killed", (shop: Shop) => void shop.kills.set("shop", { tool: "charge_card" })],
    ["tool_cancelled", (shop: Shop, id: string) => void shop.gateway.cancel("shop", id, "agent-1")],
    ["tool_timeout", () => undefined],
  ] as const) {
    const shop = new Shop({ tools: { charge_card: { timeoutMs: code === "tool_timeout" ? 30 : 5_000 } } });
    shop.tools.answer = (call, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ status: "outcome_unknown", error: { code: "aborted", message: "stopped" } }));
        setTimeout(() => stop(shop, call.id), 5);
      });
    const outcome = await approved(shop, "charge_card", charge);
    expect(outcome, code).toMatchObject({ kind: "unknown", call: { state: "unknown", sent: { error: { code } } } });
    expect(shop.tools.sent, code).toHaveLength(1);
  }
});

it("row 42: the client's signal cancels a call that is being made", async () => {
  const shop = new Shop();
  const client = new AbortController();
  shop.tools.answer = (_call, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ status: "failed", error: { code: "tool_cancelled", message: "stopped in time" } }));
      setTimeout(() => client.abort(), 5);
    });
  expect(await shop.call("get_order", { order_id: "1" }, {}, client.signal)).toMatchObject({ kind: "result", failed: true });
});

it("row 42: a result over the limit is not passed on, and the call counts as made", async () => {
  const shop = new Shop();
  shop.tools.answer = () => ({ result: JSON.stringify("x".repeat(2_000)) });
  const outcome = await shop.call("get_order", { order_id: "1" });
  expect(outcome).toMatchObject({ kind: "result", failed: true, result: expect.stringContaining("result_too_large") });
  expect((await entriesOf(shop))[0]?.outcome?.status).toBe("ran");
});

it("row 42: no more calls of a tool are in hand than it has places; the others wait and are made", async () => {
  const shop = new Shop({ tools: { get_order: { concurrency: 2 } } });
  let running = 0;
  let most = 0;
  shop.tools.answer = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return {};
  };
  const outcomes = await Promise.all(Array.from({ length: 9 }, (_, index) => shop.call("get_order", { order_id: `${index}` }, { session: `s-${index}` })));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(9).fill("result"));
  expect(most).toBe(2);
  expect(shop.tools.sent).toHaveLength(9);
  expect(shop.engine.failures).toEqual([]);
});

it("row 43: a write whose outcome is unknown waits for a person, an equal one is not sent, and settling frees it", async () => {
  const shop = new Shop();
  shop.tools.answer = () => ({ status: "outcome_unknown" });
  const unknown = await approved(shop, "charge_card", charge);
  expect(unknown).toMatchObject({ kind: "unknown", call: { state: "unknown" } });
  expect(shop.events(unknown.call.id).at(-1)).toBe("call.outcome_unknown");
  shop.tools.answer = () => ({});
  const again = await shop.call("charge_card", charge);
  expect(again).toMatchObject({ kind: "unknown", call: { id: unknown.call.id } });
  expect(shop.tools.sent).toHaveLength(1);
  const other = await approved(shop, "charge_card", { ...charge, amount: 41 });
  expect(other).toMatchObject({ kind: "result" });
  const settled = await shop.gateway.settle(APPROVER, unknown.call.id, "failed", "the bank says no");
  expect(settled.state).toBe("done");
  await expect(shop.gateway.settle(APPROVER, unknown.call.id, "ran", "")).rejects.toMatchObject({ code: "call_not_unknown" });
  const third = await shop.call("charge_card", charge);
  expect(third.kind === "pending" || third.kind === "result").toBe(true);
  expect(shop.events(unknown.call.id)).toContain("call.settled");
  expect(shop.events(unknown.call.id)).not.toContain("call.failed");
});

it("row 43: a call whose twin became unknown after both were approved is not sent", async () => {
  const shop = new Shop();
  shop.tools.answer = () => ({ status: "outcome_unknown" });
  const first = await shop.call("charge_card", charge);
  // The same call of another question: by an edit of another call.
  const second = await shop.call("charge_card", { ...charge, amount: 50 });
  await shop.decide(first);
  expect(await shop.outcome(first)).toMatchObject({ kind: "unknown" });
  const outcome = await shop.edit(second, JSON.stringify(charge));
  expect(outcome).toMatchObject({ kind: "unknown", call: { refusal: { row: "32", reason: "outcome_unknown" } } });
  expect(shop.tools.sent).toHaveLength(1);
});

it("row 43: an idempotent tool that could not be reached is sent once more, with the same key of the operation", async () => {
  const shop = new Shop();
  let first = true;
  shop.tools.answer = () => {
    const answer = first ? { status: "outcome_unknown" as const, error: { code: "tool_unreachable", message: "the connection broke" } } : {};
    first = false;
    return answer;
  };
  expect(await approved(shop, "set_note", { order_id: "1" })).toMatchObject({ kind: "result", failed: false });
  expect(new Set(shop.tools.sent.map(({ operation }) => operation)).size).toBe(1);
  expect(shop.tools.sent).toHaveLength(2);
});

it("row 43: what the tool says became of the operation is believed", async () => {
  const shop = new Shop();
  shop.tools.answer = () => ({ status: "outcome_unknown" });
  shop.tools.reconciled = () => ({ status: "ran", result: '{"late":true}', startedAt: 1, endedAt: 2 });
  expect(await approved(shop, "charge_card", charge)).toMatchObject({ kind: "result", failed: false, result: '{"late":true}' });
});

it("row 43: an MCP tool is asked about only by a read of the policy, which no kill switch stops", async () => {
  for (const [tool, killed, kind] of [["get_order", false, "result"], ["refund_card", false, "unknown"], ["no_such_tool", false, "unknown"], ["get_order", true, "unknown"]] as const) {
    const read = { tool, argument: "order_id", from: "order_id", member: "status", ran: ["charged"], failed: [] };
    const shop = new Shop({ tools: { charge_card: { reconcile: read } } });
    shop.tools.answer = () => ({ status: "outcome_unknown" });
    const asked: unknown[] = [];
    shop.tools.reconciled = (_, by) => {
      asked.push(by);
      return { status: "ran", result: '{"late":true}', startedAt: 1, endedAt: 2 };
    };
    if (killed) shop.kills.set("shop", { tool });
    expect((await approved(shop, "charge_card", charge)).kind, tool).toBe(kind);
    expect(asked, tool).toEqual(kind === "result" ? [read] : []);
  }
});

it("row 43: where the settings say fail, an unknown outcome ends the call and the history has it", async () => {
  const shop = new Shop({ tools: { charge_card: { onUnknown: "fail" } } });
  shop.tools.answer = () => ({ status: "outcome_unknown" });
  expect(await approved(shop, "charge_card", charge)).toMatchObject({ kind: "unknown", call: { state: "done" } });
  expect((await entriesOf(shop)).at(-1)?.outcome?.status).toBe("outcome_unknown");
});

it("the key of a tool that takes one is filled in before the check, and an equal call after an unknown outcome has the same", async () => {
  const shop = new Shop();
  const keys = (): unknown[] => shop.tools.sent.map(({ arguments: sent }) => (JSON.parse(sent ?? "") as { key: string }).key);
  await approved(shop, "pay", { order_id: "1" });
  await approved(shop, "pay", { order_id: "1" });
  shop.tools.answer = () => ({ status: "outcome_unknown" });
  await approved(shop, "pay", { order_id: "1" });
  shop.tools.answer = () => ({});
  const unknown = (await shop.gateway.calls("shop", { state: "unknown" }))[0];
  const asked = await shop.call("pay", { order_id: "1" });
  expect(asked.kind === "unknown" ? unknown?.id : asked.kind).toBe(asked.kind === "unknown" ? asked.call.id : "pending");
  const [one, two, three] = keys();
  expect(new Set([one, two, three]).size).toBe(3);
  const entry = (await entriesOf(shop))[0] as unknown as { origins: Record<string, string> };
  expect(entry.origins["key"]).toBe("computed");
  const own = await shop.call("pay", { order_id: "2", key: "mine" });
  await shop.decide(own);
  expect(keys().at(-1)).toBe("mine");
});

const POST = { name: "redactor", when: "post", tools: ["*"] } as unknown as HookSettings;

it.each([
  ["release", '{"seen":1}', { kind: "result", result: '{"seen":1}' }],
  ["withhold", null, { kind: "refused", reason: "result_withheld" }],
] as const)("row 46: a hook after the call may %s", async (answer, result, expected) => {
  const shop = new Shop({
    hookSettings: [POST],
    hooks: {
      pre: async (call) => ({ answer: "allow", hook: null, message: null, arguments: call.arguments, changed: {} }),
      post: async () => ({ answer, hook: "redactor", message: null, result }),
    },
  });
  const outcome = await shop.call("get_order", { order_id: "1" });
  expect(outcome).toMatchObject(expected);
  expect((await entriesOf(shop))[0]?.outcome?.status).toBe("ran");
  expect(shop.events(outcome.call.id).slice(3)).toEqual(answer === "withhold" ? ["call.confirmed", "call.withheld"] : ["call.confirmed"]);
});

it("the same Idempotency-Key gives the first result, and another call with it is refused", async () => {
  const shop = new Shop();
  const more = { idempotencyKey: "k-12345678" };
  const [one, two] = await Promise.all([shop.call("get_order", { order_id: "1" }, more), shop.call("get_order", { order_id: "1" }, more)]);
  const three = await shop.call("get_order", { order_id: "1" }, more);
  expect([two.call.id, three.call.id]).toEqual([one.call.id, one.call.id]);
  expect(shop.tools.sent).toHaveLength(1);
  await expect(shop.call("get_order", { order_id: "2" }, more)).rejects.toMatchObject({ code: "idempotency_key_reused", status: 422 });
  expect(await shop.call("get_order", { order_id: "2" }, { ...more, caller: "agent-2" })).toMatchObject({ kind: "result" });
});

it("a call that waits for people can be cancelled, and is then never made", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  await shop.gateway.cancel("shop", asked.call.id, "agent-1");
  expect(await shop.outcome(asked)).toMatchObject({ kind: "refused", reason: "cancelled", call: { state: "withdrawn" } });
  await expect(shop.decide(asked)).rejects.toMatchObject({ code: "approval_closed" });
  expect(shop.tools.sent).toEqual([]);
});

it("values reach the log only where the settings show them", async () => {
  const hidden = new Shop();
  await hidden.call("get_order", { order_id: "secret-4411" });
  expect(JSON.stringify(hidden.engine.bodies("shop"))).not.toContain("secret-4411");
  const shown = new Shop({ redact: { "*": ["*"], get_order: [] } });
  await shown.call("get_order", { order_id: "4411" });
  const [proposed] = shown.engine.bodies("shop");
  expect(proposed?.arguments).toEqual({ order_id: { shown: expect.any(String) } });
  // The value is beside the log, bound by a digest, so that it can be erased.
  expect(JSON.stringify(shown.engine.bodies("shop"))).not.toContain("4411");
  const [kept] = await shown.engine.list("shop", "audit-values/");
  expect(JSON.parse(kept!.value)).toMatchObject({ values: { order_id: "4411" } });
  expect(createHash("sha256").update(`interlock-audit-values/1\n${kept!.value}`).digest("base64url")).toBe(proposed?.values);
  expect(new ShopTools().sent).toEqual([]);
});
