// Edits over a whole gateway: a new call each, made once whatever stops between, approved by its editor only as far as they have seen.
import { expect, it } from "vitest";
import { GatewayError } from "../../../hosts/gateway/gateway.ts";
import { EngineError } from "../../../hosts/gateway/engine/port.ts";
import { ann, bob, CHARGE, houses, policyWith, reason } from "../people/houses.ts";

const open = houses();
const EDITED = '{"order_id":"4411","amount":20}';

it("cannot name another tool, and is bound to its call's session, agent and caller", async () => {
  const house = await open();
  const { approval } = await house.asked("charge_card", CHARGE, { principal: { id: "u-1" } });
  for (const text of ['{"tool":"refund_card","arguments":{"order_id":"4411","amount":40}}', '{"order_id":"4411","amount":20,"tool":"refund_card"}', '{"order_id":"4411","amount":"20"}', "null", '"x"', '{"order_id":"4411","amount":1e999}']) {
    await expect(house.gateway.edit(ann, approval.id, text, null), text).rejects.toMatchObject({ code: expect.stringMatching(/^(edit_refused|arguments_invalid)$/) });
  }
  const { outcome, approval: edited } = await house.edited(ann, approval.id, EDITED, "less");
  expect(outcome.call).toMatchObject({ id: edited.editedInto, tool: "charge_card", session: "chat-1", agent: "desk", caller: "agent-1", principal: { id: "u-1" }, replaces: approval.call });
  expect((await house.end(outcome)).kind).toBe("result");
  expect((await house.log()).find(({ event }) => event === "call.edited")).toMatchObject({ actor: "ann", why: "less", approval: approval.id });
  expect(house.tools.sent.map((sent) => sent.arguments)).toStrictEqual(['{"amount":20,"order_id":"4411"}']);
});

it("is nobody's of their own request, nor of who has answered", async () => {
  const house = await open(policyWith({ settings: { approval: { count: 2, deciders: [] } } }));
  const { approval } = await house.asked("charge_card", CHARGE);
  await expect(house.gateway.edit({ ...ann, approver: "AGENT-1" }, approval.id, EDITED, null)).rejects.toMatchObject({ code: "own_request" });
  await expect(house.gateway.edit({ ...ann, may: new Set(["policy"]) }, approval.id, EDITED, null)).rejects.toMatchObject({ code: "not_granted" });
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  await expect(house.gateway.edit(ann, approval.id, EDITED, null)).rejects.toMatchObject({ code: "already_answered" });
  await expect(house.gateway.edit(bob, "no-such", EDITED, null)).rejects.toMatchObject({ code: "approval_not_found" });
});

it("counts as one yes of several: the first call's yes is not carried over", async () => {
  const house = await open(policyWith({ settings: { approval: { count: 2, deciders: [] } } }));
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  await house.gateway.decide(ann, approval.id, { answer: "approve" });
  const edited = await house.edited(bob, approval.id, EDITED, null);
  expect(edited.outcome.kind).toBe("pending");
  expect(reason(await house.end(outcome))).toBe("approval_edited");
  const next = (await house.gateway.approvals("shop", { state: "open" }))[0]!;
  expect(next.answers.map(({ approver }) => approver)).toStrictEqual(["bob"]);
  expect(house.tools.sent).toHaveLength(0);
  await house.gateway.decide(ann, next.id, { answer: "approve" });
  expect((await house.end(edited.outcome)).kind).toBe("result");
  expect(house.tools.sent).toHaveLength(1);
});

it("of a call whose client only retries is told to it once", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  const edited = await house.edited(ann, approval.id, EDITED, null);
  expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "refused", reason: "approval_edited", detail: { call: edited.approval.editedInto }, call: { id: outcome.call.id } });
  expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "pending" });
  expect(house.tools.sent).toHaveLength(1);
});

it("shows its editor what they had not seen, before it is made", async () => {
  const house = await open();
  const { approval } = await house.asked("charge_card", CHARGE);
  await house.call("read_inbox", {});
  // The amount is the person's now, but the order's number may repeat what was read since.
  const edited = await house.edited(ann, approval.id, EDITED, null);
  expect(edited.outcome.kind).toBe("pending");
  const next = (await house.gateway.approvals("shop", { state: "open" }))[0]!;
  expect(next).toMatchObject({ answers: [], marks: [{ label: "untrusted:read_inbox" }] });
  await house.gateway.decide(ann, next.id, { answer: "approve" });
  expect((await house.end(edited.outcome)).kind).toBe("result");
});

it("is made once, though the gateway stops right after it was kept", async () => {
  const house = await open();
  const { outcome, approval } = await house.asked("charge_card", CHARGE);
  house.engine.run = () => Promise.reject(new EngineError("engine_unavailable", "stopped"));
  await expect(house.gateway.edit(ann, approval.id, EDITED, null)).rejects.toMatchObject({ code: "engine_unavailable" });
  expect(await house.gateway.approval("shop", approval.id)).toMatchObject({ state: "edited" });
  expect(house.tools.sent).toHaveLength(0);
  await house.again();
  expect(reason(await house.end(outcome))).toBe("approval_edited");
  const into = (await house.gateway.approval("shop", approval.id))!.editedInto!;
  await expect.poll(async () => (await house.gateway.outcome("shop", into, 100))?.kind).toBe("result");
  await house.again();
  expect(house.tools.sent.map((sent) => sent.arguments)).toStrictEqual(['{"amount":20,"order_id":"4411"}']);
  expect((await house.log()).filter(({ event }) => event === "call.approved")).toHaveLength(1);
});

it("is approved once, though the gateway stops between its being made and its being approved", async () => {
  const house = await open();
  const { approval } = await house.asked("charge_card", CHARGE);
  const { questions } = house;
  const decide = questions.decide.bind(questions);
  let failures = 0;
  questions.decide = (...given) => (failures++ < 2 ? Promise.reject(new EngineError("engine_unavailable", "stopped")) : decide(...given));
  const edited = await house.edited(ann, approval.id, EDITED, null);
  expect((await house.end(edited.outcome)).kind).toBe("result");
  expect(failures).toBe(3);
  expect(house.tools.sent).toHaveLength(1);
});

it("leaves nothing in the engine once its call is there; what kept a call from being decided is told, and goes with the session", async () => {
  const house = await open();
  const kept = async () => (await house.engine.list("shop", "edit/")).length;
  const first = await house.asked("charge_card", CHARGE);
  const edited = await house.edited(ann, first.approval.id, EDITED, null);
  expect((await house.end(edited.outcome)).kind).toBe("result");
  expect([await kept(), await house.gateway.edits("shop", edited.outcome.call.id, 0)]).toStrictEqual([0, null]);
  const second = await house.asked("charge_card", { ...CHARGE, amount: 41 });
  const { policies } = house;
  const current = policies.current.bind(policies);
  const run = house.engine.run;
  house.engine.run = async () => undefined;
  const { editedInto } = await house.gateway.edit(ann, second.approval.id, EDITED, null);
  expect(await house.gateway.edits("shop", editedInto!, 0)).toMatchObject({ approval: { id: second.approval.id }, error: null });
  await expect(house.gateway.eraseSession(ann, "chat-1")).rejects.toMatchObject({ code: "session_in_use" });
  house.engine.run = run;
  // It cannot be decided.
  policies.current = () => Promise.reject(new GatewayError(422, "no_decision", "nothing decides it"));
  const told = house.gateway.edits("shop", editedInto!, 20_000);
  await house.engine.run("shop", editedInto!);
  expect(await told).toMatchObject({ error: { code: "no_decision", status: 422 } });
  policies.current = current;
  await house.again();
  expect(await house.gateway.edits("shop", editedInto!, 0)).toMatchObject({ error: { code: "no_decision" } });
  await house.engine.run("shop", second.approval.call);
  await house.end(second.outcome);
  await house.gateway.eraseSession(ann, "chat-1");
  expect(await kept()).toBe(0);
});

it("that is one of two at the same moment is refused", async () => {
  const house = await open();
  const { approval } = await house.asked("charge_card", CHARGE);
  const made = await Promise.allSettled([house.gateway.edit(ann, approval.id, EDITED, null), house.gateway.edit(bob, approval.id, '{"order_id":"4411","amount":10}', null), house.gateway.decide(bob, approval.id, { answer: "deny" })]);
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(house.tools.sent.length).toBeLessThanOrEqual(1);
});

it("of what undoes a step is refused", async () => {
  const house = await open(policyWith({ rulebook: { flows: [{ name: "care", on: ["refund_card"], rules: [{ id: "look", ask_if: "true", question: "Really?" }] }] } }));
  const charged = await house.asked("charge_card", CHARGE);
  await house.gateway.decide(ann, charged.approval.id, { answer: "approve" });
  await house.end(charged.outcome);
  const [undone] = await house.gateway.undo({ ...ann, agents: ["desk"] }, "chat-1", "all");
  expect(undone!.kind).toBe("pending");
  const asked = (await house.gateway.approvals("shop", { state: "open" }))[0]!;
  await expect(house.gateway.edit(bob, asked.id, EDITED, null)).rejects.toMatchObject({ code: "edit_refused" });
  // The same call made for itself does not attach to the question about the undo.
  expect(await house.call("refund_card", CHARGE)).not.toMatchObject({ approval: asked.id });
  await house.gateway.decide(bob, asked.id, { answer: "approve" });
  expect((await house.end(undone!)).kind).toBe("result");
});
