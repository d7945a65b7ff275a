// Rows 12 to 20 of the walk: hooks, the check, the person, the approval's binding, the long wait, the final check.
import { expect, it } from "vitest";
import type { HookSettings } from "../../../hosts/gateway/config/settings.ts";
import type { Hooks, PreCall } from "../../../hosts/gateway/hooks/port.ts";
import { inForce } from "./people.ts";
import { APPROVER, KEYS, POLICY, Shop } from "./shop.ts";

const charge = { order_id: "4411", amount: 40 };
const HOOK = { name: "guard", when: "pre", tools: ["*"], timeoutMs: 100, onFailure: "refuse", escalateOnly: false, trusted: true } as unknown as HookSettings;

function hooked(pre: Partial<PreCall>): { hooks: Hooks; hookSettings: readonly HookSettings[]; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    hookSettings: [HOOK],
    hooks: {
      pre: async (call) => {
        asked.push(call.id);
        return { answer: "allow", hook: null, message: null, arguments: call.arguments, changed: {}, ...pre };
      },
      post: async (_call, result) => ({ answer: "release", hook: null, message: null, result }),
    },
  };
}

it("row 12: a hook that denies refuses before the policy is asked", async () => {
  const shop = new Shop(hooked({ answer: "deny", hook: "guard", message: "not on Sundays" }));
  const outcome = await shop.call("get_order", { order_id: "1" });
  expect(outcome).toMatchObject({ kind: "refused", reason: "hook_denied", message: expect.stringContaining("not on Sundays") });
  expect(await shop.gateway.session("shop", "chat-1")).toBe(null);
  expect(shop.events()).toEqual(["call.proposed", "call.decided"]);
});

it("row 12: a hook that failed refuses with a reason of its own", async () => {
  const shop = new Shop(hooked({ answer: "deny", hook: "guard", failed: true }));
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "refused", reason: "hook_failed" });
});

it.each([
  [true, "computed"],
  [false, "model"],
])("row 12: what a hook changed is checked and sent; its origin where the hook is trusted (%s) is %s", async (trusted, origin) => {
  const shop = new Shop(hooked({ arguments: '{"order_id":"9"}', changed: { order_id: { hook: "guard", trusted } } }));
  await shop.call("get_order", { order_id: "1" }, { origins: { order_id: "typed" } });
  expect(shop.tools.sent.map(({ arguments: sent }) => sent)).toEqual(['{"order_id":"9"}']);
  const kept = JSON.parse((await shop.gateway.session("shop", "chat-1"))?.history ?? "") as { entries: { origins: unknown }[] };
  expect(kept.entries[0]?.origins).toEqual({ order_id: origin });
});

it("row 12: a hook's escalation asks about a read that the policy allows, and the yes lets it through, decided anew", async () => {
  const shop = new Shop(hooked({ answer: "escalate", hook: "guard" }));
  const asked = await shop.call("get_order", { order_id: "1" });
  expect(asked).toMatchObject({ kind: "pending", question: { tool: "get_order", reasons: [{ reason: "hook_escalated" }] } });
  expect(shop.tools.sent).toEqual([]);
  shop.now += 900_000;
  await shop.decide(asked);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "result" });
  expect(shop.tools.sent).toHaveLength(1);
});

it("row 12: a pass that is taken again does not ask the hooks again", async () => {
  const hooks = hooked({});
  const shop = new Shop(hooks);
  let moved = false;
  shop.engine.before = async ({ changes }) => {
    if (moved || !changes.some(({ key }) => key.endsWith("/head"))) return;
    moved = true;
    const other = new Shop({ engine: shop.engine.reopened() });
    await other.call("get_order", { order_id: "2" });
  };
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "result" });
  expect(hooks.asked).toHaveLength(1);
  const kept = JSON.parse((await shop.gateway.session("shop", "chat-1"))?.history ?? "") as { entries: unknown[] };
  expect(kept.entries).toHaveLength(2);
});

it("row 13: what the core cannot read decides nothing and leaves nothing", async () => {
  const shop = new Shop();
  for (const [args, code] of [
    ['{"order_id":"1","order_id":"2"}', "json_duplicate"],
    ['{"order_id":"1"', "json_syntax"],
    ["[]", "request_invalid"],
    ['{"order_id":"1"},"principal":{"id":"boss"}', "json_syntax"],
    ['{"order_id":"\\ud800"}', "json_surrogate"],
  ] as const) {
    await expect(shop.call("get_order", args), args).rejects.toMatchObject({ code, status: 400 });
  }
  expect(shop.engine.commits).toBe(0);
  expect(await shop.call("get_order", { order_id: "1" })).toMatchObject({ kind: "result" });
});

it("row 17: an expired question refuses, and the same call then asks anew", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  shop.now += 86_400_001;
  await shop.engine.passTo(shop.now);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "refused", reason: "approval_expired", call: { state: "expired" } });
  const again = await shop.call("charge_card", charge);
  expect(again).toMatchObject({ kind: "pending" });
  expect(again.kind === "pending" && asked.kind === "pending" && again.approval !== asked.approval).toBe(true);
});

it("row 17: a retry attaches to the open question, asks nobody anew, and is given the approved call's result, once", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  const commits = shop.engine.commits;
  const retry = await shop.call("charge_card", '{"amount":40.0,"order_id":"4411"}');
  expect(retry).toMatchObject({ kind: "pending", approval: asked.kind === "pending" && asked.approval });
  expect(shop.engine.commits).toBe(commits);
  await shop.decide(asked);
  const first = await shop.call("charge_card", charge);
  expect(first).toMatchObject({ kind: "result", call: { id: asked.call.id } });
  expect(shop.tools.sent).toHaveLength(1);
  expect(await shop.call("charge_card", charge)).toMatchObject({ kind: "pending" });
});

it("row 17: the door waits for the person as long as it says", async () => {
  const shop = new Shop();
  const waiting = shop.call("charge_card", charge, { waitMs: 20_000 });
  const [approval] = await until(async () => {
    const found = await shop.gateway.approvals("shop", {});
    return found.length > 0 ? found : null;
  });
  await shop.gateway.decide(APPROVER, approval?.id ?? "", { answer: "approve" });
  expect(await waiting).toMatchObject({ kind: "result" });
});

it("row 17: an edit makes a new call, checked from the start, whose arguments are the person's", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  const outcome = await shop.edit(asked, '{"order_id":"4411","amount":4}', "less");
  await shop.engine.idle();
  expect(outcome).toMatchObject({ kind: "result", call: { replaces: asked.call.id } });
  expect(shop.tools.sent.map(({ arguments: sent }) => sent)).toEqual(['{"amount":4,"order_id":"4411"}']);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "refused", reason: "approval_edited" });
  const bad = await shop.call("charge_card", charge);
  const refused = await shop.edit(bad, '{"order_id":"4411","amount":"x"}');
  expect(refused).toMatchObject({ kind: "refused", reason: "argument_schema" });
});

it.each(["policy", "listing"])("row 18: where the %s changed since people were asked, they are asked again", async (what) => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  if (what === "policy") shop.policies.now = inForce({ ...POLICY, settings: { taint_scope: "session" } }, KEYS);
  else shop.listings.approved.set("charge_card", "listing-2");
  shop.tools.digest = what === "policy" ? "listing-1" : "listing-2";
  await shop.decide(asked);
  const again = await shop.outcome(asked);
  expect(again).toMatchObject({ kind: "pending", call: { id: asked.call.id } });
  expect(shop.tools.sent).toEqual([]);
  await shop.decide(again);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "result" });
});

it("row 19: a yes after the threshold is checked again with what is in force, and only refuses", async () => {
  const shop = new Shop();
  const fine = await shop.call("charge_card", charge);
  const stopped = await shop.call("charge_card", { ...charge, amount: 41 });
  const gone = await shop.call("refund_card", charge);
  shop.now += 3_600_001;
  await shop.decide(fine);
  expect(await shop.outcome(fine)).toMatchObject({ kind: "result" });
  shop.tools.missing.add("refund_card");
  await shop.decide(gone);
  expect(await shop.outcome(gone)).toMatchObject({ kind: "refused", reason: "tool_not_there", detail: { long_wait: true } });
  // The switch comes after the yes, and before the call goes on.
  const { engine } = shop;
  const run = engine.run;
  engine.run = async (...given) => {
    shop.kills.set("shop", { tool: "charge_card" });
    await run.apply(engine, given);
  };
  await shop.decide(stopped);
  const refused = await shop.outcome(stopped);
  expect(refused).toMatchObject({ kind: "refused", reason: "kill_switch", detail: { long_wait: true } });
  expect(refused.call.refusal?.row).toBe("19");
});

it("row 20: an outside read between question and yes spends no approval: people are asked about the call as it is now", async () => {
  const shop = new Shop();
  const asked = await shop.call("charge_card", charge);
  await shop.call("read_inbox", {});
  await shop.decide(asked);
  const again = await shop.outcome(asked);
  expect(again).toMatchObject({ kind: "pending" });
  expect(again.kind === "pending" && asked.kind === "pending" && again.approval !== asked.approval).toBe(true);
  expect(JSON.stringify(again.kind === "pending" && again.question)).toContain("untrusted:read_inbox");
  const record = again.kind === "pending" ? await shop.gateway.approval("shop", again.approval) : null;
  expect(record?.marks).toEqual([{ label: "untrusted:read_inbox", text: expect.any(String), step: 1 }]);
  expect(shop.tools.sent.map(({ tool }) => tool)).toEqual(["read_inbox"]);
});

it("rows 3 and 13: a read that a rule asks about asks, and is made after the yes", async () => {
  const shop = new Shop();
  const asked = await shop.call("look_closely", { order_id: "1" });
  expect(asked).toMatchObject({ kind: "pending" });
  await shop.decide(asked);
  expect(await shop.outcome(asked)).toMatchObject({ kind: "result" });
});

it("rows 13 and 37: a check of a tool whose listing nobody has approved is refused, as the call would be", async () => {
  const shop = new Shop();
  shop.listings.approved.set("get_order", "another");
  for (const purpose of ["check", "call"] as const) expect(await shop.call("get_order", { order_id: "7" }, { purpose })).toMatchObject({ kind: "refused", reason: "listing_not_approved" });
  shop.listings.approved.delete("get_order");
  expect((await shop.call("get_order", { order_id: "7" }, { purpose: "check" })).kind).toBe("checked");
});

it("purpose check decides only: its answer is the core's, and an approved retry is allowed", async () => {
  const shop = new Shop();
  const read = await shop.call("get_order", { order_id: "1" }, { purpose: "check" });
  expect(read).toMatchObject({ kind: "checked" });
  expect(JSON.parse(read.kind === "checked" ? read.answer : "")).toMatchObject({ decision: "allow", step: 0 });
  const asked = await shop.call("charge_card", charge, { purpose: "check" });
  expect(JSON.parse(asked.kind === "checked" ? asked.answer : "")).toMatchObject({ decision: "confirm", step: 1 });
  expect(await shop.call("charge_card", charge, { purpose: "check" })).toMatchObject({ kind: "checked", call: { id: asked.call.id } });
  await shop.gateway.decide(APPROVER, asked.call.approval ?? "", { answer: "approve" });
  await shop.engine.idle();
  const yes = await shop.call("charge_card", charge, { purpose: "check" });
  expect(JSON.parse(yes.kind === "checked" ? yes.answer : "")).toMatchObject({ decision: "allow", reason: "confirmed", step: 2 });
  const no = await shop.call("delete", {}, { purpose: "check" });
  expect(JSON.parse(no.kind === "checked" ? no.answer : "")).toMatchObject({ decision: "refuse", reason: "unknown_tool" });
  expect(shop.tools.sent).toEqual([]);
  expect(shop.engine.failures).toEqual([]);
});

/** Waits for a value that is not null. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
