// A session handle and a history carried by the caller: the same answers, the same documents, whatever is reported in between.
import { Client, History, type ToolCheck } from "interlock";
import { expect, it } from "vitest";
import { keys, NOW, policy } from "./bindings-shop.ts";
import { Random } from "./random.ts";

const client = new Client({ policy, keys, clock: () => NOW });
const STATUSES = ["ran", "failed", "outcome_unknown", "compensated"] as const;

it("both ways of carrying a history answer the same bytes and keep the same document", () => {
  const random = new Random(11);
  for (let round = 0; round < 40; round++) {
    const session = client.session("desk", { session: `s-${round}`, turns: ["order 4411, 40.00"], principal: { id: "u-1" } });
    let history = History.empty(session.id);
    const steps: number[] = [];
    for (let i = 0; i < 12; i++) {
      if (steps.length > 0 && random.below(3) === 0) {
        const step = steps.splice(random.below(steps.length), 1)[0]!;
        const status = STATUSES[random.below(4)]!;
        const told = random.below(2) === 0 ? {} : { result: { total: random.below(50), "2": "b", "10": "a" }, externalId: "x-1", at: NOW + i };
        session.ran(step, status, told);
        history = client.report(history, step, status, told);
        expect(session.history.text).toBe(history.text);
        continue;
      }
      const args = random.below(2) === 0 ? { order_id: "4411" } : { order_id: `${random.below(9)}`, amount: 40 };
      const options = { origins: { order_id: "typed", amount: "typed" }, context: { card_on_file: true } };
      const tool = random.below(2) === 0 ? "get_order" : "charge_card";
      const inSession: ToolCheck = session.checkToolCall(tool, args, options);
      const carried = client.checkToolCall(tool, args, { ...options, agent: "desk", history, turns: session.turns, principal: { id: "u-1" } });
      expect(inSession.text).toBe(carried.text);
      history = carried.history;
      expect(session.history.text).toBe(history.text);
      if (carried.decision === "allow") steps.push(carried.step!);
    }
    const { valid, head } = client.verify(session.history);
    expect([valid, head]).toEqual([true, session.head]);
    session.close();
  }
});

it("a history is immutable: two branches grow from one point", () => {
  const first = client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "b" });
  const before = first.history.text;
  const left = client.checkToolCall("get_order", { order_id: "2" }, { agent: "desk", history: client.report(first.history, first, "ran") });
  const right = client.checkToolCall("get_order", { order_id: "3" }, { agent: "desk", history: first.history });
  expect(first.history.text).toBe(before);
  expect(left.history.entries[0]?.outcome?.status).toBe("ran");
  expect(right.history.entries[0]?.outcome).toBeUndefined();
  for (const { history } of [left, right]) expect(client.verify(history).valid).toBe(true);
});

it("a history goes through its document and back", () => {
  const session = client.session("desk");
  const check = session.checkToolCall("get_order", { order_id: "1" });
  session.checkToolCall("get_order", { order_id: "2" });
  session.ran(check, "ran", { result: { total: 4 } });
  const stored = JSON.stringify(session.history);
  const back = History.fromDict(JSON.parse(stored));
  expect(back.text).toBe(session.history.text);
  expect(back.toDict()).toEqual(session.history.toDict());
  expect(back.toDict().reports).toBeDefined();
  const later = client.session("desk", { history: back });
  expect(later.id).toBe(session.id);
  const next = later.checkToolCall("get_order", { order_id: "3" });
  expect(next.entry?.reports?.["0"]?.status).toBe("ran");
  expect(next.history.toDict().reports).toBeUndefined();
  expect(back.entry(1)?.step).toBe(1);
  expect(back.entry(7)).toBeUndefined();
});

it("what is no history at all is judged by the check, and replaced", () => {
  for (const nothing of [
    null,
    7,
    [],
    {},
    { format: "qls-history/1" },
    { format: "qls-history/1", session: "s", entries: [1], extra: 1 },
    { format: "qls-history/1", session: "s", entries: 3 },
  ]) {
    const answer = client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s", history: History.fromDict(nothing) });
    expect(answer.reason).toBe("history_invalid");
    expect(answer.entry?.restarted).toBe(true);
    expect(answer.history.entries).toEqual([answer.entry]);
    expect(client.verify(answer.history).valid).toBe(true);
    expect(() => client.session("desk", { session: "s", history: History.fromDict(nothing) })).toThrow(expect.objectContaining({ code: "history_invalid" }));
  }
  expect(() => History.parse('{},"undo":{"step":0}')).toThrow(expect.objectContaining({ code: "json_syntax" }));
});

it("a history written in another way is the same history", () => {
  const session = client.session("desk");
  session.ran(session.checkToolCall("get_order", { order_id: "1" }), "ran", { result: { total: 1 } });
  const text = JSON.stringify(session.history, null, 2).replace('"format"', '"\\u0066ormat"');
  const back = History.parse(text);
  expect(back.length).toBe(1);
  const next = client.checkToolCall("get_order", { order_id: "2" }, { agent: "desk", history: back });
  expect(next.step).toBe(1);
  expect(client.verify(next.history).valid).toBe(true);
});

it("a session with a head kept by the host refuses another history and keeps its own", () => {
  const session = client.session("desk");
  session.checkToolCall("get_order", { order_id: "1" });
  const { head } = session;
  const cut = History.empty(session.id);
  const answer = client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", history: cut, head });
  expect([answer.reason, answer.detail, answer.entry, answer.step, answer.link]).toEqual(["history_invalid", { head: "behind" }, null, null, null]);
  expect(answer.history.text).toBe(cut.text);
});

it("receipts admit exactly the call that was allowed, once", () => {
  const session = client.session("desk");
  const check = session.checkToolCall("get_order", { order_id: "1" });
  const ask = (args: Record<string, unknown>) => client.receipt("get_order", args, { history: session.history, agent: "desk" });
  expect(ask({ order_id: "1" })).toMatchObject({ decision: "allow", reason: "receipt" });
  expect(ask({ order_id: "2" })).toMatchObject({ decision: "refuse", reason: "receipt_mismatch" });
  expect(check.argumentsText).toBe('{"order_id":"1"}');
});

it("reports that cannot be are errors with their code", () => {
  const session = client.session("desk");
  const allowed = session.checkToolCall("get_order", { order_id: "1" });
  const refused = session.checkToolCall("nothing", {});
  expect(() => session.ran(9)).toThrow(expect.objectContaining({ code: "outcome_no_step" }));
  expect(() => session.ran(refused)).toThrow(expect.objectContaining({ code: "outcome_not_allowed" }));
  session.ran(allowed);
  expect(() => session.ran(allowed)).toThrow(expect.objectContaining({ code: "outcome_already_reported" }));
  expect(client.verify(session.history).valid).toBe(true);
});

it("closed things say so, and closing twice is nothing", () => {
  const own = new Client({ policy, keys });
  const session = own.session("desk");
  session.close();
  session.close();
  expect(() => session.checkToolCall("get_order", { order_id: "1" })).toThrow(expect.objectContaining({ code: "handle_closed" }));
  own.close();
  own.close();
  expect(() => own.session("desk")).toThrow(expect.objectContaining({ code: "handle_closed" }));
});
