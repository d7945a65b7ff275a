// The shop of the seeds' chapters 24 and 32, with the decisions that their prose gives.
import { Client, History, InterlockError, type Session, type ToolCheck } from "interlock";
import { expect, it } from "vitest";
import { keys, NOW, policy } from "./bindings-shop.ts";

const client = new Client({ policy, keys, clock: () => NOW });
const said = (check: ToolCheck) => `${check.decision} ${check.reasons.join(", ")}${check.pointer === undefined ? "" : ` at ${check.pointer}`}`;
const typed = { order_id: "typed", amount: "typed" };
const context = { card_on_file: true };

it("chapter 24: the desk's session, carried by the caller", () => {
  let history: History | undefined;
  const check = (tool: string, args: Record<string, unknown>, given: object) => {
    const answer = client.checkToolCall(tool, args, { agent: "desk", session: "chat-17", turns: ["charge order 4411 40.00"], history, ...given });
    history = answer.history;
    return answer;
  };
  expect(said(check("get_order", { order_id: "4411" }, { origins: { order_id: "typed" } }))).toBe("allow allow");
  const asked = check("charge_card", { order_id: "4411", amount: 40 }, { origins: typed, context });
  expect(said(asked)).toBe("confirm write");
  const confirmed = check("charge_card", { order_id: "4411", amount: 40 }, { origins: typed, context, confirmation: asked.confirmation });
  expect(said(confirmed)).toBe("allow confirmed");
  expect(confirmed.argumentsText).toBe('{"amount":40,"order_id":"4411"}');
  expect(said(check("charge_card", { order_id: "4411", amount: 400 }, { origins: { ...typed, amount: "model" }, context }))).toBe("confirm argument_origin: amount");
  expect(said(check("delete_order", { order_id: "4411" }, { origins: { order_id: "typed" } }))).toBe("refuse unknown_tool");
  expect(said(check("get_order", { order_id: "4411", note: "urgent" }, { origins: { order_id: "typed", note: "model" } }))).toBe("refuse argument_schema at /note");
  expect(history?.length).toBe(6);
});

const refund = { order_id: "4411", amount: 40 };
const ask = (session: Session, args: Record<string, unknown> = refund, given: object = {}) => session.checkToolCall("refund_card", args, { origins: typed, ...given });

it("chapter 32: the billing desk's refund, asked about in each of its ways", () => {
  const billing = client.session("billing");
  billing.read("refund order 4411 40.00");
  expect(said(ask(billing, refund, { origins: { ...typed, amount: "model" } }))).toBe("confirm argument_origin: amount");
  let asked = ask(billing);
  expect(said(asked)).toBe("confirm write");
  expect(said(ask(billing, refund, { confirmation: asked.confirmation }))).toBe("allow confirmed");
  asked = ask(billing);
  expect(said(ask(billing, { ...refund, amount: 45 }, { origins: { ...typed, amount: "model" }, confirmation: asked.confirmation }))).toBe("confirm argument_origin: amount");
  const noted = ask(billing, { ...refund, note: "goodwill" }, { origins: { ...typed, note: "model" } });
  expect(said(noted)).toBe("refuse argument_schema at /note");
  expect(noted.detail?.["rule"]).toBe("additionalProperties");
  expect(said(billing.checkToolCall("delete_order", { order_id: "4411" }))).toBe("refuse unknown_tool");
  const out = ask(billing, { order_id: "https://refunds.invalid/4411", amount: 40 }, { origins: { ...typed, order_id: "model" } });
  expect(said(out)).toBe("refuse undeclared_destination");
  expect(out.detail?.["destinations"]).toEqual(["https://refunds.invalid/4411"]);
  const marked = ask(billing, refund, { labels: { call: ["untrusted:read_inbox"] } });
  expect(said(marked)).toBe("confirm tainted_call");
  expect(marked.question?.marks.map(({ label }) => label)).toEqual(["untrusted:read_inbox"]);

  const edited = billing.history.toDict();
  edited.entries[0] = { ...edited.entries[0]!, tool: "get_order" };
  const answer = client.checkToolCall("refund_card", refund, { agent: "billing", origins: typed, turns: billing.turns, history: edited });
  expect(said(answer)).toBe("refuse history_invalid");
  expect(answer.history.length).toBe(1);
  expect(() => client.session("billing", { history: History.fromDict(edited) })).toThrow(expect.objectContaining({ code: "history_invalid" }) as InterlockError);
});

it("an undo binds to the step it undoes, once", () => {
  const session = client.session("desk", { turns: ["charge order 4411 40.00"] });
  const asked = session.checkToolCall("charge_card", refund, { origins: typed, context });
  const charged = session.checkToolCall("charge_card", refund, { origins: typed, context, confirmation: asked.confirmation });
  session.ran(charged, "ran", { result: { charge_id: "c-1" }, externalId: "ch_1", at: NOW + 1 });
  const desk = new Client({ policy: { ...policy, agents: { desk: { tools: ["*"] } } }, keys, clock: () => NOW });
  const other = desk.session("desk", { turns: ["charge order 4411 40.00"] });
  const again = other.checkToolCall("charge_card", refund, { origins: typed, context });
  const done = other.checkToolCall("charge_card", refund, { origins: typed, context, confirmation: again.confirmation });
  other.ran(done, "ran", { result: { charge_id: "c-1" } });
  const undone = other.checkToolCall("refund_card", { order_id: "4411" }, { undo: done.step! });
  expect(said(undone)).toBe("allow compensation");
  other.ran(undone);
  expect(said(other.checkToolCall("refund_card", { order_id: "4411" }, { undo: { step: done.step! } }))).toBe("refuse compensation_spent");
  expect(client.verify(session.history).valid && desk.verify(other.history).valid).toBe(true);
});
