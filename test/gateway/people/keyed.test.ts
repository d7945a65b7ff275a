// An Idempotency-Key over a question: a retry that brings the answer goes on with the same call, a check is decided anew once it is answered, and another operation stays refused.
import { expect, it } from "vitest";
import type { Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import { signedApproval } from "../../../hosts/gateway/approvals/sign.ts";
import { KEYS } from "../flow/shop.ts";
import type { House } from "./house.ts";
import { ann, CHARGE, houses, policyWith, reason } from "./houses.ts";

const open = houses();
const TOKEN = policyWith({ settings: { approval: { mode: "token" } } });
const KEY = { idempotencyKey: "key-0000-0001" };
const CHECK = { ...KEY, purpose: "check" } as const;

/** What a check answered. */
const decided = (outcome: Outcome) => JSON.parse(outcome.kind === "checked" ? outcome.answer : "{}") as { decision?: string; reason?: string; step?: number; confirmation?: string };
const charge = (house: House, more: Partial<Proposal>) => house.call("charge_card", CHARGE, more);

it("a call's retry that brings the question's token goes on: it is made once, and its result is every later retry's", async () => {
  const house = await open(TOKEN);
  const { outcome, approval } = await house.asked("charge_card", CHARGE, KEY);
  expect(await charge(house, KEY)).toMatchObject({ kind: "pending", approval: approval.id });
  expect(await charge(house, { ...KEY, confirmation: `${approval.confirmation}x` })).toMatchObject({ kind: "pending", approval: approval.id });
  const both = await Promise.all([1, 2].map(() => charge(house, { ...KEY, confirmation: approval.confirmation })));
  for (const end of [...both, await charge(house, KEY), await charge(house, { ...KEY, confirmation: approval.confirmation })]) expect(end).toMatchObject({ kind: "result", call: { id: outcome.call.id } });
  expect(house.tools.sent).toHaveLength(1);
  for (const [tool, args] of [["charge_card", { ...CHARGE, amount: 41 }], ["refund_card", CHARGE]] as const) {
    await expect(house.call(tool, args, { ...KEY, confirmation: approval.confirmation })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  }
});

it("signed approvals are brought under the key one after the other", async () => {
  const house = await open(policyWith({ settings: { approval: { count: 2, deciders: ["ann", "bob"] } } }));
  const { approval } = await house.asked("charge_card", CHARGE, KEY);
  const { confirmation, question } = approval;
  const bring = (approver: string) => charge(house, { ...KEY, confirmation, approvals: [signedApproval({ answer: "approve", approver, at: house.now / 1000, exp: house.now / 1000 + 60, confirmation, question }, JSON.stringify(KEYS))] });
  expect((await bring("cyd")).kind).toBe("pending");
  expect((await bring("ann")).kind).toBe("pending");
  expect((await bring("bob")).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
});

it("a check that asked is decided anew when its token is brought; that answer is final", async () => {
  const house = await open(TOKEN);
  const first = await charge(house, CHECK);
  expect(decided(first).decision).toBe("confirm");
  expect(await charge(house, CHECK)).toStrictEqual(first);
  const confirmation = decided(first).confirmation!;
  expect(decided(await charge(house, { ...CHECK, confirmation: `${confirmation}x` })).decision).toBe("confirm");
  const both = await Promise.all([1, 2].map(() => charge(house, { ...CHECK, confirmation })));
  const allowed = decided(both[0]!);
  expect(allowed).toMatchObject({ decision: "allow", reason: "confirmed" });
  for (const again of [both[1]!, await charge(house, CHECK), await charge(house, { ...CHECK, confirmation })]) expect(decided(again)).toStrictEqual(allowed);
  await expect(house.call("charge_card", { ...CHARGE, amount: 41 }, { ...CHECK, confirmation })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  await expect(charge(house, KEY)).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

it("a check that asked is decided anew once people have answered", async () => {
  const house = await open();
  for (const [answer, key, expected] of [["approve", "key-0000-0002", "allow"], ["deny", "key-0000-0003", "denied"]] as const) {
    const check = () => house.call("charge_card", { ...CHARGE, order_id: key }, { purpose: "check", idempotencyKey: key });
    expect(decided(await check()).decision).toBe("confirm");
    const [asked] = await house.gateway.approvals("shop", { state: "open" });
    await house.gateway.decide(ann, asked!.id, { answer });
    const end = await check();
    expect(answer === "approve" ? decided(end).decision : (decided(end).reason ?? reason(end))).toBe(expected);
    expect(decided(await check())).toStrictEqual(decided(end));
  }
});

it("a yes that another check has used asks nobody anew: each key has its answer", async () => {
  const house = await open();
  const check = (key: string) => charge(house, { purpose: "check", idempotencyKey: key });
  const first = await check("key-0000-000a");
  const [asked] = await house.gateway.approvals("shop", { state: "open" });
  await house.gateway.decide(ann, asked!.id, { answer: "approve" });
  const allowed = decided(await check("key-0000-000b"));
  expect(allowed.decision).toBe("allow");
  for (let n = 0; n < 2; n++) expect([decided(await check("key-0000-000a")), decided(await check("key-0000-000b"))]).toStrictEqual([decided(first), allowed]);
  expect(await house.gateway.approvals("shop", { state: "open" })).toStrictEqual([]);
  expect(decided(await check("key-0000-000c")).decision).toBe("confirm");
});

it("a retry's new key stands for the call that it attached to, also once the question is answered and told; an erased session leaves no key", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  expect(await charge(house, KEY)).toMatchObject({ kind: "pending", approval: approval.id });
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  for (let n = 0; n < 3; n++) expect(await charge(house, { ...KEY, waitMs: 5000 })).toMatchObject({ kind: "result", call: { id: outcome.call.id } });
  expect(house.tools.sent).toHaveLength(1);
  await expect(house.call("charge_card", { ...CHARGE, amount: 41 }, KEY)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  await house.gateway.eraseSession(ann, "chat-1");
  for (const prefix of ["keyed/", "call-by-key/"]) expect(await house.engine.list("shop", prefix)).toStrictEqual([]);
});
