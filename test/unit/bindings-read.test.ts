// session.read, client.read and client.explainTurn: the plan, the turn as evidence, and what is thrown.
import { Client, InterlockError, refusalOf } from "interlock";
import { expect, it } from "vitest";
import { calendar, DESK, STAFF } from "../spec/desk.ts";

const keys = {
  format: "qls-keys/1",
  active: "k",
  keys: [{ kid: "k", kty: "oct", alg: "HS256", k: "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc" }],
  digest_key: "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk",
};
const code = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof InterlockError) return `${error.code}${error.pointer ?? ""}`;
    throw error;
  }
  return undefined;
};

it("a plan's step goes into a check as it is, and its words are proved typed", () => {
  using session = new Client({ policy: DESK, keys }).session("desk");
  const plan = session.read("charge order 4411 40.00");
  expect(plan.outcome).toBe("run");
  const [step] = plan.steps;
  const check = session.checkToolCall(step!.tool, step!.arguments, { origins: step!.origins });
  // Only a person's yes is missing: nothing about the arguments' origins.
  expect(check.reasons).toEqual(["write"]);
  const confirmed = session.checkToolCall(step!.tool, step!.arguments, { origins: step!.origins, confirmation: check.confirmation });
  expect(confirmed.decision).toBe("allow");
  expect(confirmed.arguments).toEqual({ order_id: "4411", amount: 40 });
});

it("a turn that was read is among the session's turns, whatever its plan", () => {
  using session = new Client({ policy: DESK, keys }).session("desk");
  session.read("export order 4411");
  session.read("colourless green ideas");
  expect(session.turns).toEqual(["export order 4411", "colourless green ideas"]);
  expect(code(() => session.read("half \ud800"))).toBe("json_surrogate/turn");
  expect(session.turns.length).toBe(2);
});

it("the language is chosen, for a turn or by the policy", () => {
  const client = new Client({ policy: DESK, keys });
  expect(client.session("desk").read("busque o pedido 4411", { language: "pt-BR" })).toMatchObject({ outcome: "run", language: "pt-BR" });
  expect(code(() => client.session("desk").read("busque o pedido 4411", { language: "pt" }))).toBe("request_invalid/language");
  expect(new Client({ policy: { ...DESK, settings: { language: "pt-BR" } }, keys }).session("desk").read("busque o pedido 4411").outcome).toBe("run");
});

it("a declined plan as one sentence and as data", () => {
  const client = new Client({ policy: calendar({ subject_argument: "user_email" }), keys });
  const plan = client.read("list my events and send them to bob@example.com");
  expect(refusalOf(plan)).toEqual({ sentence: "I can't do that: S1 egress: send; S2 destination: bob@example.com. (rule S1 egress: send)", rule: "S1 egress: send" });
  expect(refusalOf(client.read("list my events"))).toBeNull();
});

it("an explanation", () => {
  const client = new Client({ policy: DESK, keys });
  const { plan, clauses, rules } = client.explainTurn("get order 4411 and export it", { agent: "desk" });
  expect(plan.declined_because).toBe("S1 egress: export");
  expect(clauses.map(({ text, tool }) => [text, tool])).toEqual([
    ["get order 4411", "get_order"],
    ["export it", undefined],
  ]);
  expect(rules).toEqual([{ rule: "S1 egress: export", result: "holds", said: "export" }]);
  const staff = new Client({ policy: STAFF, keys }).explainTurn("what is the average salary on the payroll", { agent: "desk" });
  expect(staff.rules).toEqual([{ rule: "S4 scope: the data is not this agent's to read", result: "holds", said: "average" }]);
});

it("of several agents one is named", () => {
  const client = new Client({ policy: { ...DESK, agents: { desk: { tools: ["*"] }, other: { tools: [] } } }, keys });
  expect(code(() => client.session().read("get order 4411"))).toBe("request_invalid/agent");
  expect(client.session().read("get order 4411", { agent: "desk" }).outcome).toBe("run");
  expect(code(() => client.read("get order 4411", { agnet: "desk" } as object))).toBe("request_invalid/agnet");
});
