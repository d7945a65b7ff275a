// A hundred of one thing at the same time over a store on disk: one call by a rule, one by a key, one admission by a permit, one answer to a question.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { House, person } from "../people/house.ts";

const HUNDRED = Array.from({ length: 100 }, (_, index) => index);
const CALLER: Caller = { ...person("agent-1"), agents: ["desk"] };
const charge = { order_id: "4411", amount: 40 };

let house: House;
beforeEach(async () => {
  house = await House.open();
});
afterEach(() => house.verifiedClose());

it("at_most: 1 admits exactly one of a hundred calls", async () => {
  const outcomes = await Promise.all(HUNDRED.map((index) => house.call("get_coupon", { order_id: String(index) })));
  expect(outcomes.filter(({ kind }) => kind === "result")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === "refused" && outcome.reason === "order_rule")).toHaveLength(99);
  expect(house.tools.sent).toHaveLength(1);
  const { entries } = JSON.parse((await house.gateway.session("shop", "chat-1"))!.history) as { entries: { step: number; decision: string }[] };
  expect(entries.map(({ step }) => step)).toEqual(HUNDRED);
  await house.again();
  expect(await house.call("get_coupon", { order_id: "again" })).toMatchObject({ kind: "refused", reason: "order_rule" });
});

it("a hundred calls with one key are one call, and each is given its result", async () => {
  const outcomes = await Promise.all(HUNDRED.map(() => house.call("get_order", { order_id: "1" }, { idempotencyKey: "k-12345678" })));
  expect(new Set(outcomes.map(({ call }) => call.id)).size).toBe(1);
  expect(outcomes.filter(({ kind }) => kind === "result")).toHaveLength(100);
  expect(house.tools.sent).toHaveLength(1);
});

it("a permit admits exactly one of a hundred claims, and none after a restart", async () => {
  const asked = await house.call("charge_card", charge, { purpose: "check" });
  await house.gateway.decide(person("ana"), asked.call.approval!, { answer: "approve" });
  await house.end(asked);
  const allowed = await house.call("charge_card", charge, { purpose: "check" });
  const question = { session: "chat-1", tool: "charge_card", arguments: JSON.stringify(charge), agent: "desk", step: allowed.call.decided!.step! };
  const claim = async () => JSON.parse(await house.gateway.receipt(CALLER, question)) as { decision: string; reason: string };
  const answers = await Promise.all(HUNDRED.map(claim));
  expect(answers.filter(({ decision }) => decision === "allow")).toHaveLength(1);
  expect(answers.filter(({ reason }) => reason === "receipt_spent")).toHaveLength(99);
  expect((await house.log()).filter(({ event }) => event === "receipt.admitted")).toHaveLength(1);
  await house.again();
  expect(await claim()).toMatchObject({ decision: "refuse", reason: "receipt_spent" });
});

it("of a hundred answers to a question one counts, and the call is made once", async () => {
  const { outcome, approval } = await house.asked("charge_card", charge);
  const answers = await Promise.allSettled(HUNDRED.map((index) => house.gateway.decide(person(`p-${index}`), approval.id, { answer: "approve" })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await house.end(outcome)).toMatchObject({ kind: "result" });
  expect(house.tools.sent).toHaveLength(1);
});
