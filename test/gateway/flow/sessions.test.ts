// The sessions' histories and heads: moved by compare and set whoever decides, carried histories held to them, reports and permits of callers, erasure.
import { expect, it } from "vitest";
import { canonicalText } from "../../../hosts/gateway/sessions/request.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { Driver } from "../../model/driver.ts";
import { APPROVER, KEYS, Shop, ShopTools } from "./shop.ts";

const CALLER: Caller = { ...APPROVER, name: "agent-1", agents: ["desk"] };

interface Entry {
  readonly step: number;
  readonly tool: string;
  readonly decision: string;
  readonly outcome?: { readonly status: string };
}

async function historyOf(shop: Shop, session = "chat-1"): Promise<{ entries: Entry[] } & Record<string, unknown>> {
  return JSON.parse((await shop.gateway.session("shop", session))?.history ?? "{}") as { entries: Entry[] } & Record<string, unknown>;
}

/** The model's word on a session as it is kept. */
async function judged(shop: Shop, session = "chat-1"): Promise<unknown> {
  const kept = await shop.gateway.session("shop", session);
  const driver = new Driver();
  const say = (line: Record<string, unknown>): { ok?: { valid?: boolean } } => JSON.parse(driver.answer(JSON.stringify({ id: 0, ...line }))) as { ok?: { valid?: boolean } };
  say({ op: "register", name: "p", policy: JSON.parse(shop.policies.now.client.compiled) });
  say({ op: "keys", name: "k", keys: KEYS });
  return say({ op: "verify", policy: "p", keys: "k", session, history: JSON.parse(kept?.history ?? "null"), head: kept?.head }).ok?.valid;
}

it("at_most 1 admits one of a hundred calls that two gateways decide over one store", async () => {
  const one = new Shop();
  const two = new Shop({ engine: one.engine.reopened() });
  const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : two).call("get_coupon", { order_id: `${index}` })));
  expect(outcomes.filter(({ kind }) => kind === "result")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === "refused" && outcome.reason === "order_rule")).toHaveLength(99);
  expect(one.tools.sent.length + two.tools.sent.length).toBe(1);
  expect(await judged(one)).toBe(true);
  expect((await historyOf(one)).entries).toHaveLength(100);
});

it("calls of many sessions side by side leave histories that verify", async () => {
  const shop = new Shop();
  await Promise.all(Array.from({ length: 60 }, (_, index) => shop.call(index % 7 === 0 ? "nothing" : "get_order", { order_id: `${index}` }, { session: `s-${index % 5}` })));
  for (let session = 0; session < 5; session++) {
    expect((await historyOf(shop, `s-${session}`)).entries).toHaveLength(12);
    expect(await judged(shop, `s-${session}`)).toBe(true);
  }
});

it("a carried history is held to the kept head, with chapter 3's details", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "1" });
  const early = (await shop.gateway.session("shop", "chat-1"))?.history ?? "";
  await shop.call("get_order", { order_id: "2" });
  const whole = await historyOf(shop);
  const carry = (history: unknown, more = {}) => shop.call("get_order", { order_id: "3" }, { history: typeof history === "string" ? history : JSON.stringify(history), ...more });
  const refused = (head: string) => ({ kind: "refused", reason: "history_invalid", detail: { head } });
  expect(await carry(early)).toMatchObject(refused("behind"));
  const rewritten = structuredClone(whole);
  delete (rewritten.entries[1] as { outcome?: unknown }).outcome;
  expect(await carry(rewritten)).toMatchObject(refused("rewritten"));
  const fork = new Shop();
  await fork.call("get_order", { order_id: "1" });
  await fork.call("get_order", { order_id: "9" });
  expect(await carry(await historyOf(fork))).toMatchObject(refused("forked"));
  await fork.call("get_order", { order_id: "9" });
  expect(await carry(await historyOf(fork))).toMatchObject(refused("forked"));
  const other = new Shop();
  expect(await other.call("get_order", { order_id: "3" }, { history: JSON.stringify(whole) })).toMatchObject(refused("ahead"));
  expect(await carry("null")).toMatchObject({ kind: "refused", reason: "history_invalid" });
  expect((await historyOf(shop)).entries).toHaveLength(2);
  expect(await carry(whole)).toMatchObject({ kind: "result" });
  expect(await carry(whole)).toMatchObject(refused("behind"));
  expect(await shop.call("get_order", { order_id: "4" })).toMatchObject({ kind: "result" });
  expect(await judged(shop)).toBe(true);
});

it("a store whose history was changed decides nothing in that session", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "1" });
  const key = "session/chat-1/entry/0000000000";
  const entry = (await shop.engine.get("shop", key))?.value ?? "";
  await shop.engine.commit({ tenant: "shop", changes: [{ key, value: entry.replace('"get_order"', '"get_coupon"') }] });
  const again = new Shop({ engine: shop.engine.reopened() });
  await expect(again.call("get_order", { order_id: "1" })).rejects.toMatchObject({ code: "history_damaged", status: 500 });
  expect(await again.call("get_order", { order_id: "1" }, { session: "other" })).toMatchObject({ kind: "result" });
});

it("a session goes on after a restart, and under the policy's next version", async () => {
  const shop = new Shop();
  await shop.call("get_coupon", { order_id: "1" });
  const again = new Shop({ engine: shop.engine.reopened() });
  expect(await again.call("get_coupon", { order_id: "2" })).toMatchObject({ kind: "refused", reason: "order_rule" });
  expect(await again.call("get_order", { order_id: "2" })).toMatchObject({ kind: "result" });
  expect(await judged(again)).toBe(true);
});

it("callers report what they made themselves, on the last step and on earlier ones", async () => {
  const shop = new Shop();
  for (const id of ["1", "2"]) await shop.call("get_order", { order_id: id }, { purpose: "check" });
  await shop.gateway.report(CALLER, { session: "chat-1", step: 0, status: "ran", result: '{"total":40}' });
  const history = JSON.parse(await shop.gateway.report(CALLER, { session: "chat-1", step: 1, status: "failed" })) as { reports: unknown; entries: Entry[] };
  expect(history.reports).toMatchObject({ 0: { status: "ran" } });
  expect(history.entries[1]?.outcome).toMatchObject({ status: "failed" });
  expect(await judged(shop)).toBe(true);
  await expect(shop.gateway.report(CALLER, { session: "chat-1", step: 1, status: "ran" })).rejects.toMatchObject({ code: "outcome_already_reported", status: 409 });
  await expect(shop.gateway.report(CALLER, { session: "chat-1", step: 9, status: "ran" })).rejects.toMatchObject({ code: "outcome_no_step" });
  await expect(shop.gateway.report(CALLER, { session: "chat-1", step: 0, status: "maybe" })).rejects.toMatchObject({ code: "request_invalid" });
  expect(await shop.call("get_order", { order_id: "3" })).toMatchObject({ kind: "result" });
  const kept = await historyOf(shop);
  expect(kept["reports"]).toBe(undefined);
  expect(await judged(shop)).toBe(true);
  const old = { ...kept, entries: kept.entries.slice(0, 2) };
  await expect(shop.gateway.report(CALLER, { session: "chat-1", step: 2, status: "ran", history: JSON.stringify(old) })).rejects.toMatchObject({ code: "history_invalid" });
});

it("a permit admits one call, counted by its name", async () => {
  const shop = new Shop();
  const policy = shop.policies.now;
  const asked = await shop.call("charge_card", { order_id: "1", amount: 1 }, { purpose: "check" });
  await shop.gateway.decide(APPROVER, asked.call.approval ?? "", { answer: "approve" });
  await shop.engine.idle();
  await shop.call("charge_card", { order_id: "1", amount: 1 }, { purpose: "check" });
  const question = { session: "chat-1", tool: "charge_card", arguments: canonicalText('{"order_id":"1","amount":1}', policy), agent: "desk" };
  const ask = async () => JSON.parse(await shop.gateway.receipt(CALLER, question)) as { decision: string; reason: string };
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ decision, reason }) => `${decision} ${reason}`).sort()).toEqual(["allow receipt", "refuse receipt_spent", "refuse receipt_spent"]);
  expect(JSON.parse(await shop.gateway.receipt(CALLER, { ...question, tool: "refund_card" }))).toMatchObject({ reason: "receipt_mismatch" });
});

it("an erased session begins anew; one with a call in hand is not erased", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "secret-7" });
  const asked = await shop.call("charge_card", { order_id: "1", amount: 1 });
  await expect(shop.gateway.eraseSession(APPROVER, "chat-1")).rejects.toMatchObject({ code: "session_in_use" });
  await shop.decide(asked, "deny");
  await shop.gateway.eraseSession(APPROVER, "chat-1");
  expect(await shop.gateway.session("shop", "chat-1")).toBe(null);
  expect(await shop.gateway.calls("shop", {})).toEqual([]);
  expect(shop.events().at(-1)).toBe("session.erased");
  // Nothing of it is left, its permits included.
  expect((await shop.engine.list("shop", "")).map(({ key }) => key).filter((key) => /^(?:once|call|session|calls-of|operation)/.test(key))).toEqual([]);
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "result", call: { decided: { step: 0 } } });
});

it("a session that was half erased when the gateway stopped decides nothing until it is erased the next time, and a new one begins then", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "1" });
  shop.engine.before = ({ changes }) => {
    if (changes.some(({ key, value }) => key.startsWith("call/") && value === null)) throw new Error("gone");
  };
  await expect(shop.gateway.eraseSession(APPROVER, "chat-1")).rejects.toThrow("gone");
  shop.engine.before = () => undefined;
  expect(await shop.gateway.session("shop", "chat-1")).toBe(null);
  await expect(shop.call("get_order", { order_id: "1" })).rejects.toMatchObject({ status: 503, code: "session_busy" });
  await shop.gateway.eraseSession(APPROVER, "chat-1");
  expect(await shop.gateway.calls("shop", {})).toEqual([]);
  expect(shop.events().filter((event) => event === "session.erased")).toHaveLength(1);
  await expect(shop.gateway.eraseSession(APPROVER, "chat-1")).rejects.toMatchObject({ code: "session_not_found" });
  // In the same second it would be the very same entry, whose permit was used.
  shop.now += 1_000;
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "result", call: { decided: { step: 0 } } });
});

it("names of any kind are sessions of their own", async () => {
  const shop = new Shop();
  const names = ["a", "A", "a/head", "a/entry/0000000000", "\u00e9", "e\u0301", "~", "%", "x".repeat(500), "x".repeat(501), "__proto__", ""];
  for (const session of names) await shop.call("get_order", { order_id: "1" }, { session });
  for (const session of names) expect((await historyOf(shop, session)).entries.length, JSON.stringify(session)).toBe(1);
  expect(new ShopTools().sent).toEqual([]);
});

it("a turn is read by the policy in force", async () => {
  const shop = new Shop();
  expect(JSON.parse(await shop.gateway.read("shop", "desk", "get order 4411", "chat-1"))).toMatchObject({ outcome: "run" });
  await expect(shop.gateway.read("shop", "nobody", "get order 4411", null)).rejects.toMatchObject({ status: 400 });
});
