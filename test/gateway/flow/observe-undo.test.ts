// Observe mode, undo, offered tools, events and the list of calls.
import { expect, it } from "vitest";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { APPROVER, Shop } from "./shop.ts";

const CALLER: Caller = { ...APPROVER, name: "agent-1", agents: ["desk"] };

it("observe mode lets through what would be refused or asked, records it, and keeps the intent first", async () => {
  const shop = new Shop({ mode: "observe" });
  const asked = await shop.call("charge_card", { order_id: "1", amount: 1 });
  const refused = await shop.call("get_order", { order_id: "1", note: 1.5 });
  const fine = await shop.call("get_order", { order_id: "2" });
  expect([asked.kind, refused.kind, fine.kind]).toEqual(["result", "result", "result"]);
  expect(shop.tools.sent.map(({ arguments: sent }) => sent)).toEqual(['{"amount":1,"order_id":"1"}', '{"note":1.5,"order_id":"1"}', '{"order_id":"2"}']);
  expect(shop.events(asked.call.id)).toEqual(["call.proposed", "call.decided", "call.intent", "call.observed", "call.confirmed"]);
  expect(shop.engine.bodies("shop").filter(({ event }) => event === "call.observed").map(({ decision, reasons }) => `${decision} ${reasons?.join()}`)).toEqual([
    "confirm argument_origin: amount",
    "refuse argument_schema",
  ]);
  expect(await shop.gateway.approvals("shop", {})).toEqual([]);
  const kept = await shop.gateway.session("shop", "chat-1");
  expect((JSON.parse(kept?.history ?? "") as { entries: { decision: string }[] }).entries.map(({ decision }) => decision)).toEqual(["confirm", "refuse", "allow"]);
});

it("in observe mode a kill switch still stops, and a tool that is not there is not called", async () => {
  const shop = new Shop({ mode: "observe" });
  expect(await shop.call("nothing", {})).toMatchObject({ kind: "refused", reason: "tool_not_there" });
  shop.kills.set("shop", { all: true });
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "refused", reason: "kill_switch" });
  expect(await shop.call("get_order", { order_id: "1" }, { purpose: "check" })).toMatchObject({ kind: "refused", reason: "kill_switch" });
  expect(shop.tools.sent).toEqual([]);
});

async function charged(shop: Shop, amount: number): Promise<number> {
  const asked = await shop.call("charge_card", { order_id: "4411", amount }, { origins: { order_id: "context", amount: "context" } });
  await shop.decide(asked);
  return (await shop.outcome(asked)).call.decided?.step ?? -1;
}

it("undo sends the declared compensations, the last first, each by its own permit", async () => {
  const shop = new Shop();
  const steps = [await charged(shop, 10), await charged(shop, 20)];
  shop.tools.sent.splice(0);
  const outcomes = await shop.gateway.undo(CALLER, "chat-1", "all");
  expect(outcomes.map(({ kind }) => kind)).toEqual(["result", "result"]);
  expect(shop.tools.sent.map(({ tool, arguments: sent }) => `${tool} ${sent}`)).toEqual(['refund_card {"amount":20,"order_id":"4411"}', 'refund_card {"amount":10,"order_id":"4411"}']);
  expect(outcomes.map(({ call }) => call.decided?.reason)).toEqual(["compensation", "compensation"]);
  expect(await shop.gateway.undo(CALLER, "chat-1", "all")).toEqual([]);
  expect(await shop.gateway.undo(CALLER, "chat-1", [steps[0] ?? -1])).toMatchObject([{ kind: "refused", reason: "compensation_spent" }]);
});

it("undo stops at the first that is not allowed, and refuses steps that cannot be undone before anything is sent", async () => {
  const shop = new Shop();
  await charged(shop, 10);
  await charged(shop, 20);
  await shop.call("get_order", { order_id: "1" });
  shop.tools.sent.splice(0);
  await expect(shop.gateway.undo(CALLER, "chat-1", [1, 4])).rejects.toMatchObject({ code: "step_not_undoable" });
  await expect(shop.gateway.undo(CALLER, "nowhere", "all")).rejects.toMatchObject({ code: "session_not_found" });
  expect(shop.tools.sent).toEqual([]);
  shop.tools.answer = () => ({ status: "failed", error: { code: "tool_error", message: "no" } });
  const outcomes = await shop.gateway.undo(CALLER, "chat-1", "all");
  expect(outcomes).toHaveLength(1);
  shop.tools.answer = () => ({});
  expect((await shop.gateway.undo(CALLER, "chat-1", "all")).map(({ kind }) => kind)).toEqual(["result", "result"]);
});

it("an undo that a stop cut between two compensations goes on by itself after the restart, the last first, none twice", async () => {
  const shop = new Shop();
  for (const amount of [10, 20, 30]) await charged(shop, amount);
  shop.tools.sent.splice(0);
  let proposed = 0;
  // The process is gone when the second compensation is to be kept: nothing of it is on disk.
  shop.engine.before = ({ audit }) => (audit?.some(({ event, tool }) => event === "call.proposed" && tool === "refund_card") && ++proposed === 2 ? new Promise(() => undefined) : undefined);
  void shop.gateway.undo(CALLER, "chat-1", "all");
  while (proposed < 2) await new Promise((next) => setImmediate(next));
  const again = new Shop({ engine: shop.engine.reopened() });
  await again.gateway.takeUp();
  await again.engine.idle();
  expect(again.engine.failures).toEqual([]);
  const amounts = [...shop.tools.sent, ...again.tools.sent].map(({ arguments: sent }) => (JSON.parse(sent ?? "") as { amount: number }).amount);
  expect(amounts).toEqual([30, 20, 10]);
  expect(again.tools.sent).toHaveLength(2);
  expect((await again.gateway.calls("shop", {})).filter(({ door }) => door === "undo").map(({ decided }) => decided?.reason)).toEqual(Array(3).fill("compensation"));
  expect(await again.gateway.undo(CALLER, "chat-1", "all")).toEqual([]);
});

it("a compensation in doubt stops the undo, is not sent again by the next one, and once it is settled the rest goes on", async () => {
  const shop = new Shop();
  for (const amount of [10, 20]) await charged(shop, amount);
  shop.tools.sent.splice(0);
  shop.tools.answer = () => new Promise(() => undefined);
  void shop.gateway.undo(CALLER, "chat-1", "all");
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const again = new Shop({ engine: shop.engine.reopened() });
  await again.gateway.takeUp();
  await again.engine.idle();
  const doubt = await again.gateway.undo(CALLER, "chat-1", "all");
  expect(doubt).toMatchObject([{ kind: "unknown", call: { state: "unknown", undo: { step: 3 } } }]);
  expect(await again.gateway.undo(CALLER, "chat-1", "all")).toMatchObject([{ kind: "unknown", call: { id: doubt[0]?.call.id } }]);
  expect(again.tools.sent).toEqual([]);
  await again.gateway.settle(APPROVER, doubt[0]?.call.id ?? "", "ran", "the bank has it");
  expect(await again.gateway.undo(CALLER, "chat-1", "all")).toMatchObject([{ kind: "result", call: { undo: { step: 1 } } }]);
  expect(again.tools.sent.map(({ arguments: sent }) => sent)).toEqual(['{"amount":10,"order_id":"4411"}']);
  expect(again.engine.failures).toEqual([]);
});

it("an agent is offered what its policy, the servers, the listings and the switches leave", async () => {
  const shop = new Shop();
  const names = async (agent: string) => (await shop.gateway.offered("shop", agent)).map(({ tool }) => tool);
  expect(await names("clerk")).toEqual(["get_order"]);
  expect(await names("desk")).toContain("charge_card");
  shop.tools.missing.add("charge_card");
  shop.listings.approved.set("pay", null);
  shop.kills.set("shop", { tool: "set_note" });
  for (const gone of ["charge_card", "pay", "set_note"]) expect(await names("desk")).not.toContain(gone);
  await expect(shop.gateway.offered("shop", null)).rejects.toMatchObject({ code: "agent_required" });
  expect((await shop.gateway.offered("shop", "clerk"))[0]).toMatchObject({ title: "The get_order", annotations: { readOnlyHint: true, openWorldHint: false } });
});

it("a write is offered as one that may destroy, unless its approved listing says otherwise and the policy does not call it irreversible", async () => {
  const shop = new Shop();
  for (const tool of ["set_note", "charge_card"]) shop.tools.annotations.set(tool, { destructiveHint: false });
  const offered = await shop.gateway.offered("shop", "desk");
  const said = (name: string) => offered.find(({ tool }) => tool === name)?.annotations.destructiveHint;
  expect([said("pay"), said("set_note"), said("charge_card"), said("get_order")]).toStrictEqual([true, true, false, undefined]);
  shop.tools.annotations.delete("charge_card");
  expect((await shop.gateway.offered("shop", "desk")).find(({ tool }) => tool === "charge_card")?.annotations.destructiveHint).toBe(true);
});

it("events are told as they happen", async () => {
  const shop = new Shop();
  await shop.call("get_order", { order_id: "1" });
  const stop = new AbortController();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { event } of shop.gateway.events("shop", stop.signal)) {
      seen.push(event);
      if (seen.length === 3) stop.abort();
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await shop.call("charge_card", { order_id: "1", amount: 1 });
  await watching;
  expect(seen).toEqual(["call.proposed", "call.decided", "call.asked"]);
});

it("calls are listed by session and state, the newest first, a page at a time", async () => {
  const shop = new Shop();
  for (let index = 0; index < 5; index++) await shop.call("get_order", { order_id: `${index}` }, { session: `s-${index % 2}` });
  await shop.call("charge_card", { order_id: "1", amount: 1 }, { session: "s-0" });
  const all = await shop.gateway.calls("shop", {});
  expect(all.map(({ tool }) => tool)).toEqual(["charge_card", ...Array(5).fill("get_order")]);
  expect(await shop.gateway.calls("shop", { limit: 2, after: all[1]?.id ?? "" })).toMatchObject([{ id: all[2]?.id }, { id: all[3]?.id }]);
  expect(await shop.gateway.calls("shop", { session: "s-1" })).toHaveLength(2);
  expect(await shop.gateway.calls("shop", { session: "s-0", state: "asked" })).toMatchObject([{ tool: "charge_card" }]);
  expect(await shop.gateway.health()).toMatchObject({ ready: true, engine: "embedded", tenants: { shop: { mode: "enforce", servers: { shop: "up" } } } });
});
