// Questions over a whole gateway: what a retry is told, what a denial is final for, expiry, tokens, what is asked again and why, and what an erased session leaves.
import { expect, it } from "vitest";
import { approvalKey } from "../../../hosts/gateway/approvals/keys.ts";
import { signedApproval } from "../../../hosts/gateway/approvals/sign.ts";
import type { Hooks } from "../../../hosts/gateway/hooks/port.ts";
import { KEYS } from "../flow/shop.ts";
import { person } from "../people/house.ts";
import { ann, bob, CHARGE, houses, policyWith, reason } from "../people/houses.ts";

const open = houses();
const ONE_AGENT = policyWith({ agents: { desk: { tools: ["*"] } } });

it("a denial is final, whatever a retry says beside the same call", async () => {
  const house = await open(ONE_AGENT);
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  await house.gateway.decide(ann, approval.id, { answer: "deny", why: "no" });
  await house.end(outcome);
  const again = [{}, { agent: null }, { confirmation: approval.confirmation }, { confirmation: "x" }, { origins: { amount: "reply" } }, { turn: "t" }, { labels: { call: ["a"] } }, { purpose: "check" as const }];
  for (const more of again) expect(reason(await house.call("charge_card", CHARGE, more)), JSON.stringify(more)).toBe("denied");
  await house.again();
  expect(reason(await house.call("charge_card", '{"amount":4e1,"order_id":"4411"}'))).toBe("denied");
  expect(await house.gateway.approvals("shop", {})).toHaveLength(1);
  expect(house.tools.sent).toHaveLength(0);
  // No edit of another question leads to it either.
  const other = await house.asked("charge_card", { ...CHARGE, amount: 41 });
  await expect(house.gateway.edit(ann, other.approval.id, JSON.stringify(CHARGE), null)).rejects.toMatchObject({ code: "edit_denied" });
  expect((await house.gateway.approval("shop", other.approval.id))!.state).toBe("open");
});

it("an absent agent is the only one there is, for a retry too", async () => {
  const house = await open(ONE_AGENT);
  const first = await house.asked("charge_card", CHARGE, { agent: null });
  expect(first.approval.agent).toBe("desk");
  expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "pending", approval: first.approval.id });
  expect(await house.call("charge_card", CHARGE, { agent: null })).toMatchObject({ kind: "pending", approval: first.approval.id });
});

it("expiry refuses, is told to the log once, and to a client that only retries, once", async () => {
  const house = await open(policyWith({ settings: { confirmation_ttl: 60 } }));
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  expect(approval.expiresAt - approval.askedAt).toBe(60_000);
  house.now += 61_000;
  await house.again();
  await expect.poll(async () => (await house.log()).filter(({ event }) => event === "call.expired").length).toBe(1);
  expect((await house.log()).find(({ event }) => event === "call.expired")).toMatchObject({ actor: "gateway", call: outcome.call.id, approval: approval.id });
  expect(JSON.parse((await house.engine.get("shop", approvalKey(approval.id)))!.value)).toMatchObject({ state: "expired", decidedAt: approval.expiresAt });
  expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "refused", reason: "approval_expired" });
  const anew = await house.asked("charge_card", CHARGE);
  expect(anew.approval.id).not.toBe(approval.id);
  for (const answer of ["approve", "deny"] as const) await expect(house.gateway.decide(ann, approval.id, { answer })).rejects.toMatchObject({ code: "approval_closed", detail: { state: "expired" } });
  await expect(house.gateway.edit(ann, approval.id, '{"order_id":"1","amount":1}', null)).rejects.toMatchObject({ code: "approval_closed" });
  // A person ends one by hand: also who has answered already, and nobody without the right.
  await expect(house.gateway.expire(person("x", { may: new Set(["audit"]) }), anew.approval.id)).rejects.toMatchObject({ code: "not_granted" });
  expect((await house.gateway.expire(person("agent-1"), anew.approval.id)).state).toBe("expired");
  expect(reason(await house.end(anew.outcome))).toBe("approval_expired");
  expect((await house.log()).filter(({ event }) => event === "call.expired")).toHaveLength(2);
  expect(house.tools.sent).toHaveLength(0);
});

it("is asked again with a note, when what it was about has changed", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  expect(approval.note).toBeNull();
  house.tools.changed.set("charge_card", "listing-2");
  await house.listings.look("shop");
  await house.gateway.approveListing(bob, "charge_card", "listing-2");
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  await expect.poll(async () => (await house.gateway.approvals("shop", { state: "open" })).length).toBe(1);
  const second = (await house.gateway.approvals("shop", { state: "open" }))[0]!;
  expect(second).toMatchObject({ call: outcome.call.id, listing: "listing-2", note: expect.stringMatching(/^This is asked again\. The tool's description or schema changed/) });
  // What comes in from outside meanwhile marks the call: its approval does not cover that.
  await house.call("read_inbox", {});
  await house.gateway.decide(ann, second.id, { answer: "approve" });
  await expect.poll(async () => (await house.gateway.approvals("shop", { state: "open" })).map(({ id }) => id).filter((id) => id !== second.id).length).toBe(1);
  const third = (await house.gateway.approvals("shop", { state: "open" }))[0]!;
  expect(third.note).toContain("untrusted:read_inbox");
  expect(house.tools.sent.map(({ tool }) => tool)).toStrictEqual(["read_inbox"]);
  await house.gateway.decide(ann, third.id, { answer: "approve" });
  expect((await house.end(outcome)).kind).toBe("result");
  expect(house.tools.sent.map(({ tool }) => tool)).toStrictEqual(["read_inbox", "charge_card"]);
});

it("says which hook wants a person beside the policy", async () => {
  const hooks: Hooks = {
    pre: async (call) => ({ answer: "escalate", hook: "watch", message: null, arguments: call.arguments, changed: {} }),
    post: async (_, result) => ({ answer: "release", hook: null, message: null, result }),
  };
  const house = await open(undefined, {
    prepare: (made) => {
      made.hooks = hooks;
      (made.settings.tenants["shop"] as { hooks: unknown }).hooks = [{ name: "watch", when: "pre", tools: ["*"], escalateOnly: true }];
    },
  });
  const { approval } = await house.asked("charge_card", CHARGE);
  expect(approval.note).toBe("The hook watch wants a person to see this call.");
  const read = await house.asked("get_order", { order_id: "1" });
  expect(read.approval).toMatchObject({ confirmation: "", note: null, question: { text: expect.stringContaining("watch") } });
  expect((await house.gateway.decide(ann, read.approval.id, { answer: "approve" })).answers[0]).toMatchObject({ approver: "ann", jws: "" });
  expect((await house.end(read.outcome)).kind).toBe("result");
});

it("in mode token, the question's own token is a yes, once, and closes it", async () => {
  const house = await open(policyWith({ settings: { approval: { mode: "token" } } }), { keys: { ...KEYS, keys: [KEYS.keys[0]] } });
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  expect(approval).toMatchObject({ mode: "token", count: 1 });
  expect(await house.call("charge_card", CHARGE, { confirmation: `${approval.confirmation}x` })).toMatchObject({ kind: "pending", approval: approval.id });
  const [one, two] = await Promise.all([1, 2].map(() => house.call("charge_card", CHARGE, { confirmation: approval.confirmation, principal: { id: "u-1" } })));
  expect([one!.kind, two!.kind]).toStrictEqual(["result", "result"]);
  expect(one!.call.id).toBe(outcome.call.id);
  expect(house.tools.sent).toHaveLength(1);
  expect(await house.gateway.approval("shop", approval.id)).toMatchObject({ state: "spent", answers: [{ approver: "u-1", answer: "approve", jws: "" }] });
  expect(await house.gateway.approvals("shop", { state: "open" })).toStrictEqual([]);
  await expect(house.gateway.decide(ann, approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "approval_closed" });
  expect((await house.log()).find(({ event }) => event === "call.approved")).toMatchObject({ actor: "agent-1", approvers: ["u-1"], detail: { by: "token" } });
  // The inbox answers such a question too; nothing has to be signed for it.
  const other = await house.asked("charge_card", { ...CHARGE, amount: 1 });
  expect((await house.gateway.decide(ann, other.approval.id, { answer: "approve" })).answers).toMatchObject([{ jws: "" }]);
  expect((await house.end(other.outcome)).kind).toBe("result");
});

it("in mode signed, a token alone is nothing, and signed approvals that come with it count for who may give them", async () => {
  const house = await open(policyWith({ settings: { approval: { count: 2, deciders: ["ann", "bob"] } } }));
  const { approval } = await house.asked("charge_card", CHARGE);
  const { confirmation, question } = approval;
  const sign = (approver: string, answer: "approve" | "deny" = "approve") => signedApproval({ answer, approver, at: house.now / 1000, exp: house.now / 1000 + 60, confirmation, question }, JSON.stringify(KEYS));
  const bring = (approvals: string[]) => house.call("charge_card", CHARGE, { confirmation, approvals });
  for (const approvals of [[], ["x.y.z"], [sign("cyd"), sign("agent-1")]]) expect((await bring(approvals)).kind).toBe("pending");
  expect((await bring([sign("ann"), sign("ann")])).kind).toBe("pending");
  expect((await house.gateway.approval("shop", approval.id))!.answers.map(({ approver }) => approver)).toStrictEqual(["ann"]);
  expect(house.tools.sent).toHaveLength(0);
  expect((await bring([sign("ann"), sign("bob")])).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
  const denied = await house.asked("charge_card", { ...CHARGE, amount: 2 });
  const no = signedApproval({ answer: "deny", approver: "bob", at: house.now / 1000, exp: house.now / 1000 + 60, confirmation: denied.approval.confirmation, question }, JSON.stringify(KEYS));
  expect(reason(await house.call("charge_card", { ...CHARGE, amount: 2 }, { confirmation: denied.approval.confirmation, approvals: [no] }))).toBe("denied");
});

it("lists what is open by itself, the newest first, in pages", async () => {
  const house = await open();
  const asked = [];
  for (let amount = 1; amount <= 5; amount++) asked.push((await house.asked("charge_card", { ...CHARGE, amount }, { session: `s-${amount}` })).approval.id);
  await house.gateway.decide(ann, asked[1]!, { answer: "deny" });
  const ids = async (filter: Parameters<typeof house.gateway.approvals>[1]) => (await house.gateway.approvals("shop", filter)).map(({ id }) => id);
  expect(await ids({ state: "open" })).toStrictEqual([asked[4], asked[3], asked[2], asked[0]]);
  expect(await ids({ state: "open", limit: 2 })).toStrictEqual([asked[4], asked[3]]);
  expect(await ids({ state: "open", limit: 2, after: asked[3]! })).toStrictEqual([asked[2], asked[0]]);
  expect(await ids({ state: "denied" })).toStrictEqual([asked[1]]);
  expect(await ids({})).toStrictEqual([...asked].reverse());
  expect(await house.gateway.approvals("other", {})).toStrictEqual([]);
});

it("an erased session takes its questions with it", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", { order_id: "secret-4411", amount: 40 });
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  await house.end(outcome);
  const kept = await house.asked("charge_card", CHARGE, { session: "chat-2" });
  await house.gateway.eraseSession(ann, "chat-1");
  expect(await house.gateway.approval("shop", approval.id)).toBeNull();
  expect((await house.gateway.approvals("shop", {})).map(({ id }) => id)).toStrictEqual([kept.approval.id]);
  for (const prefix of ["approval/", "question/", "waiting/", "asked-of/", "edit/"]) {
    for (const { key, value } of await house.engine.list("shop", prefix, { limit: 1000 })) expect(`${key} ${value}`).not.toMatch(/secret-4411|chat-1[/"]/);
  }
});
