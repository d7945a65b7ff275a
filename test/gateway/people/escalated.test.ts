// A hook's escalation of a call that the policy allows: a check of it is told to ask and is no permit, and one yes is for one call.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Hooks } from "../../../hosts/gateway/hooks/port.ts";
import { House, person } from "./house.ts";

const HOOKS = { pre: async (call: { arguments: string }) => ({ answer: "escalate", hook: "guard", arguments: call.arguments, changed: {} }), post: async () => ({ answer: "release" }) } as unknown as Hooks;
const args = { order_id: "1" };
let house: House;
beforeEach(async () => {
  house = await House.open(undefined, {
    prepare: (made) => {
      made.hooks = HOOKS;
      const { shop } = made.settings.tenants;
      Object.assign(made.settings.tenants, { shop: { ...shop, hooks: [{ name: "guard", when: "pre", tools: ["*"] }] } });
    },
  });
});
afterEach(() => house.close());

const check = async () => {
  const outcome = await house.call("get_order", args, { purpose: "check" });
  return JSON.parse(outcome.kind === "checked" ? outcome.answer : "{}") as { decision?: string; reason?: string; approval?: string };
};
const yes = async () => {
  const [open] = await house.gateway.approvals("shop", { state: "open" });
  await house.gateway.decide(person("ann"), open!.id, { answer: "approve" });
};

it("a check is told to ask, and gives no permit, until a person said yes; the yes is for one check", async () => {
  expect(await check()).toMatchObject({ decision: "confirm", reason: "hook_escalated", approval: expect.any(String) });
  expect(await check()).toMatchObject({ decision: "confirm", reason: "hook_escalated" });
  const receipt = (step: number) => house.gateway.receipt({ ...person("service"), agents: ["desk"] }, { session: "chat-1", tool: "get_order", arguments: JSON.stringify(args), agent: "desk", step });
  await expect(receipt(0)).rejects.toMatchObject({ code: "approval_pending" });
  await yes();
  expect(await check()).toMatchObject({ decision: "allow" });
  await expect(receipt(0)).rejects.toMatchObject({ code: "approval_pending" });
  expect(JSON.parse(await receipt(1))).toMatchObject({ decision: "allow" });
  expect(await check()).toMatchObject({ decision: "confirm", reason: "hook_escalated" });
});

it("one yes to a check sends one of the calls that waited for it; people are asked about the others", async () => {
  await check();
  for (let at = 0; at < 3; at++) expect(await house.call("get_order", args)).toMatchObject({ kind: "pending" });
  await yes();
  await expect.poll(async () => [house.tools.sent.length, (await house.gateway.approvals("shop", { state: "open" })).length > 0]).toEqual([1, true]);
});
