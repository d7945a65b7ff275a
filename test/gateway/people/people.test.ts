// The rooms where people decide, with the flow over a store on disk: who may answer, what an answer binds, edits, denials, expiry, restarts; policies, switches and listings.
import { compactVerify, importJWK } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import type { Outcome } from "../../../hosts/gateway/call/record.ts";
import { APPROVE_KEY } from "../flow/people.ts";
import { KEYS, POLICY } from "../flow/shop.ts";
import { House, person } from "./house.ts";

const CHARGE = { order_id: "4411", amount: 40 };
const ann = person("ann");
const bob = person("bob");
const houses: House[] = [];
const open = async (policy?: unknown): Promise<House> => {
  const house = await House.open(policy);
  houses.push(house);
  return house;
};
const withApproval = (approval: Record<string, unknown>) => ({ ...POLICY, settings: { approval } });
afterEach(async () => {
  for (const house of houses.splice(0)) {
    const lines = await house.engine.audit("shop", 0, 10_000);
    expect(await verifyAudit(lines, KEYS as never)).toMatchObject({ valid: true });
    await house.close();
  }
});
const reason = (outcome: Outcome) => (outcome.kind === "refused" ? outcome.reason : outcome.kind);

describe("an approval", () => {
  it("lets the call through, as a signed approval that another library reads", async () => {
    const house = await open();
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    expect(approval).toMatchObject({ state: "open", tool: "charge_card", agent: "desk", count: 1, answers: [] });
    expect((approval.question as { title: string }).title).toContain("charge_card");
    const decided = await house.gateway.decide(ann, approval.id, { answer: "approve", why: "fine" });
    expect(decided.state).toBe("approved");
    const { payload, protectedHeader } = await compactVerify(decided.answers[0]!.jws, await importJWK({ kty: "oct", k: APPROVE_KEY.toString("base64url") }, "HS256"));
    expect(protectedHeader).toStrictEqual({ alg: "HS256", kid: "people", typ: "qls-approval+jws" });
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ answer: "approve", approver: "ann", at: 1_764_500_000 });
    expect(await house.end(outcome)).toMatchObject({ kind: "result", failed: false });
    expect(house.tools.sent).toHaveLength(1);
    expect((await house.gateway.approval("shop", approval.id))!.state).toBe("spent");
    const history = JSON.parse((await house.gateway.session("shop", outcome.call.session))!.history) as { entries: { reason: string; approved_by?: string[] }[] };
    expect(history.entries.map((entry) => entry.reason)).toStrictEqual(["write", "confirmed"].map((name, index) => (index === 0 ? history.entries[0]!.reason : name)));
    expect(history.entries[1]!.approved_by).toStrictEqual(["ann"]);
    expect((await house.log()).find(({ event }) => event === "call.approved")).toMatchObject({ actor: "ann", why: "fine", approvers: ["ann"] });
  });

  it("is nobody's who proposed the call, by any spelling, nor anybody's without the right", async () => {
    const house = await open();
    const { outcome, approval } = await house.asked("charge_card", CHARGE, { principal: { id: "Zoë" } });
    const proposer = outcome.call.caller;
    const wrong: [Parameters<House["gateway"]["decide"]>[0], string][] = [
      [person(proposer), "own_request"],
      [person(proposer.toUpperCase()), "own_request"],
      [person("x", { approver: proposer }), "own_request"],
      [person("zoe\u0308"), "own_request"],
      [person("ZOË"), "own_request"],
      [person("y", { principal: { id: "Zoë" } }), "own_request"],
      [person("ann", { may: new Set(["policy"]) }), "not_granted"],
      [person("ann", { tenant: "other" }), "approval_not_found"],
    ];
    for (const [caller, code] of wrong) await expect(house.gateway.decide(caller, approval.id, { answer: "approve" }), `${caller.name} ${caller.approver}`).rejects.toMatchObject({ code });
    await expect(house.gateway.decide(ann, "../policy/current", { answer: "approve" })).rejects.toMatchObject({ code: "approval_not_found" });
    expect(house.tools.sent).toHaveLength(0);
  });

  it("wants so many different people, of the list, each once", async () => {
    const house = await open(withApproval({ count: 2, deciders: ["ann", "bob", "cyd"] }));
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    await expect(house.gateway.decide(person("dan"), approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "not_a_decider" });
    expect((await house.gateway.decide(ann, approval.id, { answer: "approve" })).state).toBe("open");
    await expect(house.gateway.decide(ann, approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "already_answered" });
    await expect(house.gateway.decide(person("other", { approver: "ann" }), approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "already_answered" });
    expect(house.tools.sent).toHaveLength(0);
    await house.again();
    expect((await house.gateway.decide(bob, approval.id, { answer: "approve" })).state).toBe("approved");
    expect((await house.end(outcome)).kind).toBe("result");
    await expect(house.gateway.decide(person("cyd"), approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "approval_closed" });
  });

  it("is taken once by two who answer at the same moment", async () => {
    const house = await open();
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    const answers = await Promise.allSettled([ann, bob, person("cyd"), person("dan")].map((caller, index) => house.gateway.decide(caller, approval.id, { answer: index % 2 === 0 ? "approve" : "deny" })));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await house.end(outcome);
    expect(house.tools.sent.length).toBeLessThanOrEqual(1);
  });

  it("a retry attaches and never asks anew; a denial is final, with its words", async () => {
    const house = await open();
    const first = await house.asked("charge_card", CHARGE);
    const again = await house.call("charge_card", { amount: 40.0, order_id: "4411" });
    expect(again).toMatchObject({ kind: "pending", approval: first.approval.id });
    await house.gateway.decide(ann, first.approval.id, { answer: "deny", why: "Not on a Sunday." });
    expect(reason(await house.end(first.outcome))).toBe("denied");
    for (let round = 0; round < 3; round++) expect(await house.call("charge_card", CHARGE)).toMatchObject({ kind: "refused", reason: "denied", message: expect.stringContaining("Not on a Sunday.") });
    expect((await house.gateway.approvals("shop", {})).length).toBe(1);
    expect(await house.call("charge_card", { ...CHARGE, amount: 41 })).toMatchObject({ kind: "pending" });
    expect(house.tools.sent).toHaveLength(0);
  });

  it("one of several of a turn does not spend the others", async () => {
    const house = await open();
    const calls = [];
    for (const amount of [1, 2, 3]) calls.push(await house.asked("charge_card", { order_id: "1", amount }, { turn: null }));
    for (const { approval } of [...calls].reverse()) await house.gateway.decide(ann, approval.id, { answer: "approve" });
    for (const { outcome } of calls) expect((await house.end(outcome)).kind).toBe("result");
    expect(house.tools.sent).toHaveLength(3);
  });

  it("survives a restart and waits for days, and expires by itself", async () => {
    const house = await open({ ...POLICY, settings: { confirmation_ttl: 7 * 86_400 } });
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    house.now += 3 * 86_400_000;
    await house.again();
    expect((await house.gateway.approval("shop", approval.id))!.state).toBe("open");
    await house.gateway.decide(ann, approval.id, { answer: "approve" });
    expect((await house.end(outcome)).kind).toBe("result");
    const second = await house.asked("charge_card", { ...CHARGE, amount: 5 });
    house.now += 8 * 86_400_000;
    await expect(house.gateway.decide(ann, second.approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "approval_closed", detail: { state: "expired" } });
    await house.again();
    expect(reason(await house.end(second.outcome))).toBe("approval_expired");
    expect(house.tools.sent).toHaveLength(1);
  });

  it("is asked again where the policy or the listing changed since", async () => {
    const house = await open();
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    house.write({ ...POLICY, settings: { receipt_ttl: 299 } });
    await house.policies.fromFile("shop", `${house.folder}/policy.yaml`);
    await house.gateway.decide(ann, approval.id, { answer: "approve" });
    await expect.poll(async () => (await house.gateway.approvals("shop", { state: "open" })).length).toBe(1);
    const [next] = await house.gateway.approvals("shop", { state: "open" });
    expect(next!.id).not.toBe(approval.id);
    expect(house.tools.sent).toHaveLength(0);
    await house.gateway.decide(ann, next!.id, { answer: "approve" });
    expect((await house.end(outcome)).kind).toBe("result");
  });

  it("shows marks with where they came from", async () => {
    const house = await open();
    await house.call("read_inbox", {});
    const { approval } = await house.asked("charge_card", CHARGE);
    expect(approval.marks).toMatchObject([{ label: "untrusted:read_inbox", step: 0, text: expect.stringContaining("step 0") }]);
  });
});

describe("an edit", () => {
  it("is another call, checked from the start, in which what was changed is the person's", async () => {
    const house = await open();
    const { outcome, approval } = await house.asked("charge_card", CHARGE);
    const edited = await house.edited(ann, approval.id, '{"order_id":"4411","amount":20.50}', "half of it");
    expect(edited.approval).toMatchObject({ state: "edited" });
    const made = await house.end(edited.outcome);
    expect(made.kind).toBe("result");
    expect(made.call).toMatchObject({ replaces: outcome.call.id, origins: { order_id: "model", amount: "reply" } });
    expect(house.tools.sent.map((sent) => sent.arguments)).toStrictEqual(['{"amount":20.5,"order_id":"4411"}']);
    expect(reason(await house.end(outcome))).toBe("approval_edited");
    await expect(house.gateway.decide(bob, approval.id, { answer: "approve" })).rejects.toMatchObject({ code: "approval_closed" });
  });

  it("is refused before anything where it does not fit, and the question stays", async () => {
    const house = await open();
    const { approval } = await house.asked("charge_card", CHARGE);
    const wrong: [string, string][] = [
      ["{", "arguments_invalid"],
      ["[]", "arguments_invalid"],
      ['{"order_id":"1","amount":1,"amount":2}', "arguments_invalid"],
      ['{"amount":40.0,"order_id":"4411"}', "nothing_edited"],
      ['{"order_id":"4411"}', "edit_refused"],
      ['{"order_id":"4411","amount":1,"note":"x"}', "edit_refused"],
    ];
    for (const [text, code] of wrong) await expect(house.gateway.edit(ann, approval.id, text, null), text).rejects.toMatchObject({ code });
    expect((await house.gateway.approval("shop", approval.id))!.state).toBe("open");
    expect(house.tools.sent).toHaveLength(0);
  });
});

describe("policies", () => {
  it("come from a file, over it from the API, and are rolled back; each from the next call on", async () => {
    const house = await open();
    const first = await house.gateway.policy("shop");
    expect(JSON.parse(first.text)).toMatchObject({ settings: { head: "required", confirmation_point: "turn", approval: { mode: "signed" } } });
    const source = JSON.stringify({ ...POLICY, tools: POLICY.tools.filter(({ name }) => name !== "get_order"), agents: { desk: { tools: ["*"] } } });
    const dry = await house.gateway.registerPolicy(ann, source, true);
    expect((await house.gateway.policy("shop")).id).toBe(first.id);
    expect((dry.diff as { line: string }[]).map(({ line }) => line)).toContain("- tool get_order");
    const { id } = await house.gateway.registerPolicy(ann, source, false);
    expect(id).toBe(dry.id);
    expect(reason(await house.call("get_order", { order_id: "1" }))).toBe("unknown_tool");
    // The file does not undo what was registered over the API.
    await house.again();
    expect((await house.gateway.policy("shop")).id).toBe(id);
    await house.gateway.rollBackPolicy(ann, first.id);
    expect((await house.call("get_order", { order_id: "1" })).kind).toBe("result");
    expect((await house.gateway.policy("shop")).versions.map((version) => version.id).sort()).toStrictEqual([first.id, id].sort());
    expect((await house.log()).map(({ event }) => event).filter((event) => event.startsWith("policy."))).toStrictEqual(["policy.registered", "policy.registered", "policy.rolled_back"]);
  });

  it("with an error are not taken, and say where", async () => {
    const house = await open();
    const before = (await house.gateway.policy("shop")).id;
    await expect(house.gateway.registerPolicy(ann, "tenant: shop\nagents: {a: {tols: []}}\n", false)).rejects.toMatchObject({ code: "policy_invalid", detail: { problems: expect.arrayContaining([expect.objectContaining({ line: 2 })]) } });
    await expect(house.gateway.registerPolicy(ann, JSON.stringify({ ...POLICY, tenant: "other" }), false)).rejects.toMatchObject({ code: "policy_invalid", pointer: "/tenant" });
    await expect(house.gateway.registerPolicy(person("x", { may: new Set(["approve"]) }), JSON.stringify(POLICY), false)).rejects.toMatchObject({ code: "not_granted" });
    await expect(house.gateway.rollBackPolicy(ann, "../../x")).rejects.toMatchObject({ code: "policy_unknown" });
    house.write({ tenant: "shop" });
    await expect(house.policies.fromFile("shop", `${house.folder}/policy.yaml`)).rejects.toMatchObject({ code: "policy_invalid" });
    expect((await house.gateway.policy("shop")).id).toBe(before);
  });
});

describe("kill switches", () => {
  it("stop what they name, across restarts, until they are lifted", async () => {
    const house = await open();
    const kill = await house.gateway.kill(ann, { tool: "get_order", agent: "desk", why: "it leaks" });
    expect(reason(await house.call("get_order", { order_id: "1" }))).toBe("kill_switch");
    expect((await house.call("get_order", { order_id: "1" }, { agent: "clerk", session: "other" })).kind).toBe("result");
    expect((await house.gateway.offered("shop", "desk")).map(({ tool }) => tool)).not.toContain("get_order");
    await house.again();
    expect(reason(await house.call("get_order", { order_id: "1" }))).toBe("kill_switch");
    await house.gateway.liftKill(ann, kill.id);
    expect((await house.call("get_order", { order_id: "1" })).kind).toBe("result");
    await expect(house.gateway.liftKill(ann, kill.id)).rejects.toMatchObject({ code: "kill_not_found" });
  });

  it("reach a call that is being made", async () => {
    const house = await open();
    house.tools.answer = (_, { signal }) => new Promise((done) => signal.addEventListener("abort", () => done({ status: "outcome_unknown", error: { code: "tool_cancelled", message: "stopped" } })));
    const running = house.call("get_order", { order_id: "1" });
    await expect.poll(() => house.tools.sent.length).toBe(1);
    await house.gateway.kill(ann, { all: true, why: "stop everything" });
    expect((await running).kind).not.toBe("pending");
    expect((await running).call.sent?.error?.code).toBe("tool_killed");
  });

  it("are refused where they say nothing, or too much", async () => {
    const house = await open();
    for (const kill of [{ why: "x" }, { all: true as const, tool: "a", why: "x" }, { tool: "", why: "x" }, { tool: "a", why: " " }]) await expect(house.gateway.kill(ann, kill)).rejects.toMatchObject({ code: "kill_invalid" });
    await expect(house.gateway.kill(person("x", { may: new Set() }), { all: true, why: "x" })).rejects.toMatchObject({ code: "not_granted" });
    expect(await house.gateway.kills("shop")).toStrictEqual([]);
  });
});

describe("listings", () => {
  it("hold a tool that changed until a person approves just that change", async () => {
    const house = await open();
    expect((await house.call("get_order", { order_id: "1" })).kind).toBe("result");
    house.tools.changed.set("get_order", "listing-2");
    // Also before anybody has noticed: what is compared is what the server lists when the call is made.
    expect(reason(await house.call("get_order", { order_id: "1" }))).toBe("listing_not_approved");
    house.tools.tell();
    await expect.poll(async () => (await house.gateway.listings("shop")).filter(({ pending }) => pending !== null).length).toBe(1);
    expect((await house.gateway.offered("shop", "desk")).map(({ tool }) => tool)).not.toContain("get_order");
    await expect(house.gateway.approveListing(ann, "get_order", "listing-3")).rejects.toMatchObject({ code: "listing_changed" });
    await expect(house.gateway.approveListing(person("x", { may: new Set(["audit"]) }), "get_order", "listing-2")).rejects.toMatchObject({ code: "not_granted" });
    await house.gateway.approveListing(ann, "get_order", "listing-2");
    expect((await house.call("get_order", { order_id: "1" })).kind).toBe("result");
    house.tools.changed.set("get_order", "listing-4");
    house.tools.tell();
    expect(reason(await house.call("get_order", { order_id: "1" }))).toBe("listing_not_approved");
    house.tools.changed.set("get_order", "listing-2");
    house.tools.tell();
    await expect.poll(async () => (await house.call("get_order", { order_id: "1" })).kind).toBe("result");
    await expect.poll(async () => (await house.gateway.listings("shop")).filter(({ pending }) => pending !== null).length).toBe(0);
    expect((await house.log()).filter(({ event, tool }) => event === "listing.held" && tool === "get_order").length).toBeGreaterThan(0);
  });
});
