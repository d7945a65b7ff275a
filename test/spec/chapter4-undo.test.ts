// Chapter 4, steps 6 and 7: every mismatch of an undo in its order, when a step is spent, and what the gate answers.

import { describe, expect, it } from "vitest";
import type { Json } from "./core.ts";
import { NOW, Session, object, said, shop, write } from "./world.ts";

describe("step 6", () => {
  const typed = { origins: { order_id: "context" } };
  const agents = { desk: { tools: ["*"] }, helper: { tools: ["*"] } };
  const tools = [
    write("book", {
      parameters: object({ id: "string", seat: "string" }), result: object({ ref: "string", code: "string" }),
      undo: { tool: "unbook", bind: { ref: "result.ref", id: "arguments.id" } },
    }),
    write("unbook", { parameters: object({ ref: "string", id: "string", note: "string", amount: "number" }), undo: { tool: "book", bind: {} } }),
  ];
  /** Step 1 is a booking that ran. */
  const booked = (outcome: Json = { status: "ran", result: { ref: "r-1", code: "c" } }, policy: Json = {}): Session => {
    const s = new Session(shop({ tools, ...policy }));
    s.run("book", { id: "i" }, {}, outcome);
    return s;
  };
  const good = { ref: "r-1", id: "i" };
  const origins = { ref: "result:1.ref", id: "context" };
  const undo = (s: Session, args: Json = good, more: Json = {}, step = 1): Json => s.peek("unbook", args, { undo: { step }, origins, ...more });
  const mismatch = (answer: Json): string => {
    expect([answer.decision, answer.reason]).toEqual(["refuse", "compensation_mismatch"]);
    expect(Object.keys(answer.detail).sort()).toEqual(["mismatch", "step"]);
    return answer.detail.mismatch;
  };
  it("one that matches is a compensation, without a person", () => {
    const answer = undo(booked());
    expect([said(answer), answer.entry.undoes]).toEqual(["allow compensation", 1]);
  });
  it("no_such_step, not_run, not_declared, agent", () => {
    const s = booked();
    expect(mismatch(undo(s, good, {}, 2))).toBe("no_such_step");
    expect(mismatch(undo(s, good, {}, 4294967297))).toBe("no_such_step");
    expect(mismatch(undo(s, good, {}, 0))).toBe("not_run");
    for (const status of ["failed", "outcome_unknown"]) expect(mismatch(undo(booked({ status })))).toBe("not_run");
    expect(mismatch(undo(booked(null)))).toBe("not_run");
    s.run("ping");
    expect(mismatch(undo(s, good, {}, 3))).toBe("not_declared");
    expect(mismatch(s.peek("refund", {}, { undo: { step: 1 } }))).toBe("not_declared");
    const two = new Session(shop({ tools, agents }));
    two.run("book", { id: "i" }, { agent: "desk" });
    expect(mismatch(undo(two, good, { agent: "helper" }))).toBe("agent");
    expect(said(undo(two, good, { agent: "desk" }))).toBe("allow compensation");
  });
  it("an absent agent is the only one, where they are compared", () => {
    expect(said(undo(booked(), good, { agent: "desk" }))).toBe("allow compensation");
  });
  it("what is itself an undo cannot be undone, though its tool declares one", () => {
    const s = booked();
    s.check("unbook", good, { undo: { step: 1 }, origins });
    s.report(2, "ran");
    expect(mismatch(s.peek("book", {}, { undo: { step: 2 } }))).toBe("not_declared");
    s.run("unbook", { note: "x" });
    expect(said(s.peek("book", {}, { undo: { step: 4 } }))).toBe("allow compensation");
  });
  it("bind:ARG, by name: absent, another value, another origin, a result that differs", () => {
    const s = booked();
    expect(mismatch(undo(s, {}))).toBe("bind:id");
    expect(mismatch(undo(s, { ref: "r-1" }))).toBe("bind:id");
    expect(mismatch(undo(s, { id: "j", ref: "r-1" }))).toBe("bind:id");
    expect(mismatch(undo(s, { id: "i" }))).toBe("bind:ref");
    expect(mismatch(undo(s, { id: "i", ref: "r-2" }))).toBe("bind:ref");
    for (const ref of ["context", "result:1", "result:1.code", "result:0.ref", "result:01.ref"]) expect(mismatch(undo(s, good, { origins: { ...origins, ref } })), ref).toBe("bind:ref");
    expect(said(undo(s, good, { origins: { ref: "result:1.ref", id: "model" } }))).toBe("allow compensation");
    expect(said(undo(booked({ status: "ran" }), { ...good, ref: "any" }))).toBe("allow compensation");
    expect(mismatch(undo(booked({ status: "ran", result: { code: "c" } })))).toBe("bind:ref");
    expect(mismatch(undo(booked({ status: "ran" }, { settings: { result_digests: "required" } })))).toBe("bind:ref");
  });
  it("arguments.NAME of an argument the step did not have", () => {
    const s = new Session(shop({ tools }));
    s.run("book", { seat: "1" });
    expect(mismatch(undo(s))).toBe("bind:id");
  });
  it("unbound:ARG, by name, after every bind: an untrusted origin", () => {
    const s = booked();
    expect(mismatch(undo(s, { ...good, note: "x", amount: 2 }))).toBe("unbound:amount");
    expect(mismatch(undo(s, { ...good, note: "x" }))).toBe("unbound:note");
    expect(mismatch(undo(s, { ref: "r-1", note: "x", amount: 2 }))).toBe("bind:id");
    expect(said(undo(s, { ...good, note: "x" }, { origins: { ...origins, note: "context" } }))).toBe("allow compensation");
    expect(said(undo(s, { ...good, note: "x" }, { origins: { ...origins, note: "typed" }, turns: ["say x"] }))).toBe("allow compensation");
  });
  it("unbound:ARG: a mark of its own, given or derived, with less trust; the call's marks do not count", () => {
    const s = booked();
    const noted = (more: Json): Json => undo(s, { ...good, note: "x" }, { origins: { ...origins, note: "context" }, ...more });
    expect(mismatch(noted({ labels: { arguments: { note: ["pii"] } } }))).toBe("unbound:note");
    expect(said(noted({ labels: { call: ["untrusted:z"] } }))).toBe("allow compensation");
    expect(said(noted({ labels: { arguments: { id: ["untrusted:z"] } } }))).toBe("allow compensation");
    s.run("read_inbox", { folder: "in" }, {}, { status: "ran", result: { from: "x" } });
    const step = s.history.entries.length - 1;
    expect(mismatch(noted({ origins: { ...origins, note: "computed" } }))).toBe("unbound:note");
    expect(mismatch(noted({ origins: { ...origins, note: `result:${step}.from` } }))).toBe("unbound:note");
    expect(said(noted({}))).toBe("allow compensation");
  });
  it("compensation_spent: compensated already, or an undo that did not fail; after every mismatch; the detail", () => {
    const s = booked();
    s.check("unbook", good, { undo: { step: 1 }, origins });
    const spent = undo(s);
    expect([said(spent), "detail" in spent ? spent.detail : undefined]).toEqual(["refuse compensation_spent", spent.detail]);
    expect(mismatch(undo(s, {}))).toBe("bind:id");
    s.report(2, "failed");
    expect(said(undo(s))).toBe("allow compensation");
    s.check("unbook", good, { undo: { step: 1 }, origins });
    s.report(3, "outcome_unknown");
    expect(said(undo(s))).toBe("refuse compensation_spent");
    expect(said(undo(booked({ status: "compensated", result: { ref: "r-1" } })))).toBe("refuse compensation_spent");
    const refused = booked();
    refused.check("unbook", {}, { undo: { step: 1 }, origins });
    expect(said(undo(refused))).toBe("allow compensation");
  });
  it("an undo does not meet step 8's hold nor step 10's write reasons, but the rulebook may ask or refuse", () => {
    expect(said(undo(booked(), good, { labels: { call: ["untrusted:z"] } }))).toBe("allow compensation");
    expect(said(undo(booked(undefined, { settings: { taint_policy: "refuse" } }), good, { labels: { call: ["untrusted:z"] } }))).toBe("allow compensation");
    const flow = (rule: Json): Json => ({ rulebook: { flows: [{ name: "f", on: ["unbook"], rules: [rule] }] } });
    expect(said(undo(booked(undefined, flow({ id: "no", refuse_if: "true" }))))).toBe("refuse no");
    expect(said(undo(booked(undefined, flow({ id: "ask", ask_if: "true" }))))).toBe("confirm gate_clarify");
  });
  it("typed undo of the shop", () => {
    const s = new Session();
    s.run("charge", { order_id: "1" });
    expect(said(s.peek("refund", { order_id: "1" }, { undo: { step: 1 }, ...typed }))).toBe("allow compensation");
  });
});

describe("step 7", () => {
  const gate = (rules: Json[], on: string[] = ["ping"]): Session => new Session(shop({ rulebook: { flows: [{ name: "f", on, rules }] } }));
  it("a refusal: the rule's id, the detail exactly", () => {
    const answer = gate([{ id: "no", refuse_if: "true", because: "Not today." }]).peek("ping");
    expect([said(answer), answer.detail]).toEqual(["refuse no", { flow: "f", rule: "no", because: "Not today." }]);
    expect(gate([{ id: "no", allow_if: "$x" }]).peek("ping").detail).toEqual({ flow: "f", rule: "no" });
  });
  it("a condition that fails refuses with error, or asks", () => {
    expect(gate([{ id: "no", refuse_if: "args.x > 1" }]).peek("ping").detail).toEqual({ flow: "f", rule: "no", error: true });
    expect(gate([{ id: "no", allow_if: "args.x > 1", because: "B" }]).peek("ping").detail).toEqual({ flow: "f", rule: "no", because: "B", error: true });
    expect(said(gate([{ id: "no", ask_if: "args.x > 1" }]).peek("ping"))).toBe("confirm gate_clarify");
  });
  it("the first rule that refuses decides, over an asking one before it; every flow counts, * too", () => {
    const s = new Session(shop({
      rulebook: { flows: [{ name: "f", on: ["ping"], rules: [{ id: "ask", ask_if: "true" }, { id: "a", refuse_if: "false" }] }, { name: "g", on: ["*"], rules: [{ id: "b", refuse_if: 'tool == "ping"' }, { id: "c", refuse_if: "true" }] }] },
    }));
    expect(s.peek("ping").detail).toEqual({ flow: "g", rule: "b" });
    expect(s.peek("get_order", { order_id: "1" }).reason).toBe("c");
  });
  it("variables: agent, origins, labels, now, turn, ran, allowed, allowed_within", () => {
    const when = (condition: string, ready?: (s: Session) => void, more: Json = {}, tool = "ping", args: Json = {}): boolean => {
      const s = gate([{ id: "no", refuse_if: condition }], [tool]);
      ready?.(s);
      return s.peek(tool, args, more).reason === "no";
    };
    expect(when('agent == ""')).toBe(true);
    expect(when('agent == "desk"', undefined, { agent: "desk" })).toBe(true);
    expect(when('origins.order_id == "model" && origins.amount == "typed"', undefined, { origins: { amount: "typed" } }, "charge", { order_id: "1", amount: 2 })).toBe(true);
    expect(when('"untrusted:read_inbox" in labels', (s) => s.run("read_inbox", { folder: "i" }), {}, "charge", { order_id: "1" })).toBe(true);
    expect(when('turn == "b"', undefined, { turns: ["a", "b"] })).toBe(true);
    expect(when('turn == ""')).toBe(true);
    expect(when(`now == timestamp(${NOW})`)).toBe(true);
    expect(when('ran("get_order") == 1 && allowed("get_order") == 2', (s) => { s.run("get_order", {}, {}, { status: "failed" }); s.run("get_order"); })).toBe(true);
    expect(when('allowed_within("get_order", 10) == 1', (s) => { s.run("get_order"); s.now = NOW + 11; s.run("get_order"); })).toBe(true);
    expect(when('allowed_within("get_order", 11) == 2', (s) => { s.run("get_order"); s.now = NOW + 11; s.run("get_order"); })).toBe(true);
    expect(when('principal.id == "u" && resource.owner == 3.0 && !facts.x', undefined, { principal: { id: "u" }, resource: { owner: 3 } })).toBe(true);
  });
});
