// Chapter 2's conditions: the CEL subset construct by construct, then what rules do to a call, end to end.

import { describe, expect, it } from "vitest";
import { Core, keySet, raw, text } from "./conform-core.ts";

const core = new Core();
type Result = boolean | "error";
const variables = { args: { amount: raw("40.00"), name: "Ana", list: [1, 2, 3], map: { a: 1, b: "x" }, i: 1, half: 0.5, none: null, yes: true, e: "😀é", deep: { a: { b: [{ c: 1 }] } } }, tool: "charge_card", agent: "desk" };
const evaluate = (condition: string, given: object = variables): Result => {
  const { ok, error } = core.send("rule", { condition, variables: given });
  if (ok?.value === undefined || error) return "error";
  return ok.value;
};
const all = (cases: [string, Result][]): void => {
  const got = cases.map(([condition]) => [condition, evaluate(condition)]);
  expect(got).toEqual(cases);
};

describe("literals and operators", () => {
  it("literals", () => {
    all([
      ["true", true], ["false", false], ["null == null", true], ["1 == 1", true], ["0x1F == 31", true], ["-0x1F == -31", true], ["1u == 1u", true], ["0xFFu == 255u", true], ["1.5 == 15e-1", true], [".5 == 0.5", true], ["1e3 == 1000.0", true], ["'a' == \"a\"", true],
      ["'''a'b''' == \"a'b\"", true], ["\"\"\"a\"b\"\"\" == 'a\"b'", true], ["r'\\d' == '\\\\d'", true], ["R\"\\n\".size() == 2", true], ["'\\x41\\u0042\\U00000043\\104\\n'.size() == 5", true], ["'\\x41\\u0042\\U0001F600\\104' == 'AB😀D'", true], ["b'\\xff' == b'\\377'", true], ["b'é'.size() == 2", true], ["'\\a\\b\\f\\n\\r\\t\\v\\?\\`' != ''", true],
      ["9223372036854775807 > 0", true], ["-9223372036854775808 < 0", true], ["18446744073709551615u > 0u", true], ["[1, 2] == [1, 2]", true], ["{'a': 1, 'b': [2]} == {'b': [2], 'a': 1}", true], ["{} == {}", true], ["[1, 2,].size() == 2", true], ["true // a remark", true],
    ]);
  });
  it("arithmetic, by type; overflow and division by zero are errors", () => {
    all([
      ["1 + 2 == 3", true], ["7 / 2 == 3", true], ["-7 / 2 == -3", true], ["7 % 2 == 1", true], ["-7 % 2 == -1", true], ["2 * 3 - 1 == 5", true], ["1.0 + 2.5 == 3.5", true], ["7.0 / 2.0 == 3.5", true], ["1u + 2u == 3u", true], ["5u - 2u == 3u", true],
      ["9223372036854775807 + 1 == 0", "error"], ["-9223372036854775807 - 2 == 0", "error"], ["9223372036854775807 * 2 == 0", "error"], ["-(-9223372036854775808) == 0", "error"], ["-9223372036854775808 / -1 == 0", "error"], ["1u - 2u == 0u", "error"], ["18446744073709551615u + 1u == 0u", "error"],
      ["1 / 0 == 0", "error"], ["1 % 0 == 0", "error"], ["1u / 0u == 0u", "error"], ["1.0 / 0.0 > 1e308", true], ["0.0 / 0.0 == 0.0 / 0.0", false], ["0.0 / 0.0 != 0.0 / 0.0", true], ["1.5 % 1.0 == 0.5", "error"], ["-1u == 1u", "error"], ["-'a' == 'a'", "error"],
      ["'a' + 'b' == 'ab'", true], ["[1] + [2] == [1, 2]", true], ["b'a' + b'b' == b'ab'", true], ["1 + 1.0 == 2.0", "error"], ["1 + 1u == 2", "error"], ["'a' + 1 == 'a1'", "error"], ["true + true == 2", "error"], ["2 + 3 * 4 == 14", true], ["(2 + 3) * 4 == 20", true], ["10 - 2 - 3 == 5", true], ["--1 == 1", true], ["!!true", true],
    ]);
  });
  it("equality is of any two types; order of like types", () => {
    all([
      ["1 == 1.0", true], ["1u == 1", true], ["1u == 1.0", true], ["1 == 1.5", false], ["1 == 'a'", false], ["1 != 'a'", true], ["null == false", false], ["[1] == [1.0]", true], ["{'a': 1} == {'a': 1u}", true], ["[1, 'a'] == [1]", false], ["-1 < 1u", true], ["1 < 1.5", true], ["2u > 1.5", true], ["9223372036854775807 < 9223372036854775808.0", false] /* cel-spec's own tests: an int is compared with a double as a double */, ["-1 < 18446744073709551615u", true],
      ["'a' < 'b'", true], ["'a' < 'aa'", true], ["'Z' < 'a'", true], ["'\\uffff' < '😀'", true], ["b'a' < b'b'", true], ["false < true", true], ["'a' < 1", "error"], ["[1] < [2]", "error"], ["null < null", "error"], ["1 < 2 == true", true], ["1.0 <= 1", true], ["1 >= 1.0", true], ["2.0 > 0.0/0.0", false],
    ]);
  });
  it("&&, || absorb the other side's error; ternary evaluates one branch", () => {
    all([
      ["true || 1/0 == 1", true], ["1/0 == 1 || true", true], ["false && 1/0 == 1", false], ["1/0 == 1 && false", false], ["1/0 == 1 || false", "error"], ["1/0 == 1 && true", "error"], ["true ? true : 1/0 == 1", true], ["false ? 1/0 == 1 : true", true], ["1/0 == 1 ? true : true", "error"], ["args.missing == 1 || true", true], ["args.missing == 1 && false", false],
      ["'a' || true", true], ["true && 'a'", "error"], ["'a' && false", false], ["1 ? true : false", "error"], ["!1", "error"], ["true || false && false", true], ["false ? true : false ? false : true", true], ["!false && true", true],
    ]);
  });
  it("a condition is a bool", () => {
    all([["1", "error"], ["'true'", "error"], ["null", "error"], ["[true]", "error"], ["args", "error"], ["args.yes", true], ["args.none", "error"], ["args.name", "error"]]);
  });
});

describe("values", () => {
  it("every JSON number is a double, compared across types", () => {
    all([
      ["args.amount > 500", false], ["args.amount > 39", true], ["args.amount == 40", true], ["args.amount == 40.0", true], ["args.amount == 40u", true], ["args.amount + 1.0 == 41.0", true], ["args.amount + 1 == 41", "error"], ["args.amount * 2.0 > 79", true], ["args.amount in [40]", true], ["args.amount in [40.0, 1]", true], ["args.amount in [41]", false], ["type(args.amount) == double", true], ["int(args.amount) + 1 == 41", true], ["args.amount % 2 == 0", "error"], ["-args.amount < 0", true],
    ]);
  });
  it("list, map and field access", () => {
    all([
      ["args.list[0] == 1", true], ["args.list[2] == 3", true], ["args.list[3] == 3", "error"], ["args.list[-1] == 3", "error"], ["args.list[args.i] == 2", true], ["args.list[args.half] == 1", "error"], ["args.list[1u] == 2", true], ["args.list['0'] == 1", "error"], ["args['name'] == 'Ana'", true], ["args.map.a == 1", true], ["args.map['b'] == 'x'", true], ["args.map.c == 1", "error"], ["args.map[1] == 1", "error"], ["args.name.x == 1", "error"], ["args.none.x == 1", "error"], ["args.list.x == 1", "error"], ["args.deep.a.b[0].c == 1", true], ["{1: 'a'}[1] == 'a'", true], ["{1: 'a'}[1.0] == 'a'", true], ["{true: 1}[true] == 1", true], ["{'a': 1, 'a': 2}.size() == 1", "error"], ["{1.5: 1}.size() == 1", "error"], ["[1, 2][0] == 1", true], ["{'a': {'b': 1}}.a.b == 1", true],
    ]);
  });
  it("in, has(), size", () => {
    all([
      ["1 in args.list", true], ["4 in args.list", false], ["'a' in args.list", false], ["'a' in args.map", true], ["'z' in args.map", false], ["1 in args.map", false], ["'a' in 'abc'", "error"], ["1 in []", false], ["has(args.name)", true], ["has(args.missing)", false], ["has(args.none)", true], ["has(args.map.a)", true], ["has(args.map.z)", false], ["has(args.missing.z)", "error"], ["has(args.name.z)", "error"], ["!has(args.missing) || args.missing == 1", true],
      ["size(args.list) == 3", true], ["args.list.size() == 3", true], ["size(args.map) == 2", true], ["size('😀é') == 2", true], ["args.e.size() == 2", true], ["size(b'é') == 2", true], ["size([]) == 0", true], ["size(1) == 1", "error"], ["size(null) == 0", "error"],
    ]);
  });
  it("all, exists, exists_one, filter, map", () => {
    all([
      ["args.list.all(x, x > 0)", true], ["args.list.all(x, x > 1)", false], ["[].all(x, false)", true], ["args.list.exists(x, x == 2)", true], ["args.list.exists(x, x == 9)", false], ["[].exists(x, true)", false], ["args.list.exists_one(x, x == 2)", true], ["args.list.exists_one(x, x > 1)", false], ["[1, 2].exists_one(x, x / 0 == 1)", "error"], ["args.list.filter(x, x > 1) == [2, 3]", true], ["args.list.map(x, x * 2.0) == [2, 4, 6]", true], ["args.list.map(x, x > 1, x * 2.0) == [4, 6]", true],
      ["args.map.all(k, k in ['a', 'b'])", true], ["args.map.exists(k, args.map[k] == 'x')", true], ["args.map.filter(k, k > 'a') == ['b']", true], ["args.map.map(k, k).size() == 2", true], ["[0, 1].exists(x, 1 / x == 1)", true], ["[0, 2].exists(x, 1 / x == 1)", "error"], ["[0, 1].all(x, 1 / x == 2)", false], ["[0, 1].all(x, 1 / x == 1)", "error"], ["[1].map(x, [2].map(y, x + y)) == [[3]]", true], ["[1].exists(args, args == 1)", true], ["args.name.all(c, true)", "error"], ["1.0.all(x, true)", "error"], ["[[1], [2]].exists(l, l.exists(x, x == 2))", true], ["args.list.all(x, 5)", "error"],
    ]);
  });
  it("startsWith, endsWith, contains, matches", () => {
    all([
      ["args.name.startsWith('An')", true], ["args.name.startsWith('')", true], ["args.name.endsWith('na')", true], ["args.name.contains('n')", true], ["args.name.contains('N')", false], ["args.name.startsWith(1)", "error"], ["args.list.contains(1)", "error"], ["args.name.matches('n')", true], ["args.name.matches('^n')", false], ["args.name.matches('^A.a$')", true], ["matches(args.name, 'A')", true], ["args.name.matches('[')", "error"], ["args.name.matches('^' + 'A')", true], ["'a\\nb'.matches('a.b')", false], ["'😀'.matches('^.$')", true], ["'aaaa'.matches('(a*)*$')", true], ["'x'.matches('')", true],
    ]);
  });
  it("conversions", () => {
    all([
      ["int(1.9) == 1", true], ["int(-1.9) == -1", true], ["int('12') == 12", true], ["int('x') == 1", "error"], ["int('') == 1", "error"], ["int('1.5') == 1", "error"], ["int(1e99) == 1", "error"], ["int(0.0/0.0) == 0", "error"], ["int(5u) == 5", true], ["int(18446744073709551615u) == 1", "error"], ["uint(5) == 5u", true], ["uint(-1) == 1u", "error"], ["uint('7') == 7u", true], ["uint(1.9) == 1u", true], ["double(3) == 3.0", true], ["double('1.5') == 1.5", true], ["double('x') == 1.0", "error"], ["string(5) == '5'", true], ["string(5u) == '5'", true], ["string(1.5) == '1.5'", true], ["string(true) == 'true'", true], ["string(b'ab') == 'ab'", true], ["string(b'\\xff') == ''", "error"], ["string('a') == 'a'", true], ["string(-0x10) == '-16'", true], ["bytes('é').size() == 2", true], ["bool('true')", true], ["bool('false')", false], ["bool('yes')", "error"], ["dyn(1) == 1", true], ["type(1) == int", true], ["type('a') == string", true], ["type(null) == null_type", true], ["type([]) == list", true], ["type({}) == map", true], ["type(true) == bool", true], ["type(type(1)) == type", true], ["string(null) == 'null'", "error"], ["int(true) == 1", "error"], ["string(args.amount) == '40'", true],
    ]);
  });
  it("timestamps and durations", () => {
    all([
      ["timestamp('2009-02-13T23:31:30Z') == timestamp(1234567890)", true], ["int(timestamp('2009-02-13T23:31:30Z')) == 1234567890", true], ["timestamp('2009-02-13T23:31:30.5Z') > timestamp('2009-02-13T23:31:30Z')", true], ["timestamp('2009-02-13T23:31:30+01:00') == timestamp('2009-02-13T22:31:30Z')", true], ["timestamp('x') == timestamp('x')", "error"], ["timestamp('2009-02-30T00:00:00Z') == timestamp(0)", "error"],
      ["duration('1h') == duration('3600s')", true], ["duration('1h30m') == duration('5400s')", true], ["duration('1.5s') == duration('1500ms')", true], ["duration('-1s') < duration('0s')", true], ["duration('1us') == duration('1000ns')", true], ["duration('x') == duration('1s')", "error"], ["duration('1') == duration('1s')", "error"], ["duration('1d') == duration('24h')", "error"], ["duration('1h') + duration('1m') == duration('61m')", true], ["duration('1h') - duration('1m') == duration('59m')", true],
      ["timestamp(10) - timestamp(4) == duration('6s')", true], ["timestamp(10) + duration('5s') == timestamp(15)", true], ["duration('5s') + timestamp(10) == timestamp(15)", true], ["timestamp(10) - duration('5s') == timestamp(5)", true], ["timestamp(10) + timestamp(1) == timestamp(11)", "error"], ["timestamp(10) > 5", "error"], ["timestamp('9999-12-31T23:59:59Z') + duration('1s') == timestamp(0)", "error"], ["string(timestamp(0)) == '1970-01-01T00:00:00Z'", true], ["string(duration('90m')) == '5400s'", true], ["duration('3730s').getHours() == 1", true], ["duration('3730s').getMinutes() == 62", true], ["duration('1.234s').getMilliseconds() == 234", true],
      ["timestamp('2009-02-13T23:31:30Z').getFullYear() == 2009", true], ["timestamp('2009-02-13T23:31:30Z').getMonth() == 1", true], ["timestamp('2009-02-13T23:31:30Z').getDate() == 13", true], ["timestamp('2009-02-13T23:31:30Z').getDayOfMonth() == 12", true], ["timestamp('2009-02-13T23:31:30Z').getDayOfWeek() == 5", true], ["timestamp('2009-02-13T23:31:30Z').getDayOfYear() == 43", true], ["timestamp('2009-02-13T23:31:30Z').getHours() == 23", true], ["timestamp('2009-02-13T23:31:30Z').getMinutes() == 31", true], ["timestamp('2009-02-13T23:31:30Z').getSeconds() == 30", true], ["timestamp('2009-02-13T23:31:30Z').getHours('-02:00') == 21", true], ["timestamp('2009-02-13T23:31:30Z').getHours('+01:00') == 0", true], ["timestamp('2009-02-13T23:31:30Z').getDate('UTC') == 13", true],
    ]);
  });
  it("the variables: what is not given", () => {
    const none = {};
    const cases: [string, Result][] = [["tool == ''", true], ["agent == ''", true], ["args == {}", true], ["principal == {}", true], ["resource == {}", true], ["origins == {}", true], ["labels == []", true], ["turn == ''", true], ["$x", false], ["facts.x", false], ["has(principal.id)", false], ["principal.id == 'a'", "error"], ["ran('t') == 0", true], ["allowed('t') == 0", true], ["allowed_within('t', 60) == 0", true]];
    expect(cases.map(([condition]) => [condition, evaluate(condition, none)])).toEqual(cases);
  });
});

describe("rules on a call", () => {
  const parameters = { type: "object", properties: { amount: {}, note: {}, list: {} } };
  const request = { format: "qls-tool-check/1", session: "s", agent: "desk", tool: "pay", arguments: { amount: 600 }, now: 1764445000 };
  core.send("keys", { name: "k", keys: keySet });
  const register = (flows: unknown, more: object = {}) =>
    core.send("register", { name: "p", policy: { format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] }, other: { tools: ["*"], privilege: "low" } }, tools: [{ name: "pay", irreversible: true, parameters }, { name: "look", effect: "read", parameters }, { name: "mail", effect: "read", reads_outside: true }], rulebook: { flows }, ...more } });
  const check = (members: object = {}) => core.send("check", { policy: "p", keys: "k", request: { ...request, ...members } }).ok;
  const one = (rule: object, members: object = {}, more: object = {}) => {
    register([{ name: "f", on: ["pay", "look"], rules: [rule] }], more);
    return check(members);
  };
  it("a refusal's reason is the rule's id; the detail holds flow, rule, because", () => {
    const answer = one({ id: "cap", refuse_if: "args.amount > 500", because: "Finance." });
    expect(answer).toMatchObject({ decision: "refuse", reason: "cap", reasons: ["cap"], detail: { flow: "f", rule: "cap", because: "Finance." } });
    expect(one({ id: "cap", refuse_if: "args.amount > 500" }).detail).toEqual({ flow: "f", rule: "cap" });
    expect(one({ id: "cap", refuse_if: "args.amount > 600" }).reason).toBe("argument_origin: amount");
  });
  it("allow_if refuses the call unless true", () => {
    expect(one({ id: "card", allow_if: "$card" })).toMatchObject({ decision: "refuse", reason: "card", detail: { flow: "f", rule: "card" } });
    expect(one({ id: "card", allow_if: "$card" }, { context: { card: true } }).decision).toBe("confirm");
    expect(one({ id: "card", allow_if: "$card" }, { context: { card: false } }).reason).toBe("card");
  });
  it("ask_if asks: gate_clarify, and every rule that asks is collected", () => {
    register([{ name: "f", on: ["pay"], rules: [{ id: "a", ask_if: "true", question: "One?" }, { id: "b", ask_if: "true", question: "Two?" }] }, { name: "g", on: ["*"], rules: [{ id: "c", ask_if: "true", question: "Three?" }] }]);
    const answer = check();
    expect(answer.decision).toBe("confirm");
    expect(answer.reasons[0]).toBe("gate_clarify");
    for (const question of ["One?", "Two?", "Three?"]) expect(text(answer.question)).toContain(question);
  });
  it("ask_if asks of a read too", () => {
    expect(one({ id: "a", ask_if: "true" }, { tool: "look" })).toMatchObject({ decision: "confirm", reasons: ["gate_clarify"] });
  });
  it("a condition that fails never lets a call through: error in the detail, ask_if asks", () => {
    for (const condition of ["args.missing > 1", "args.amount + 1 > 1", "args.amount", "1 / 0 == 1", "9223372036854775807 + 1 > 0", "args.amount.startsWith('a')"]) {
      expect(one({ id: "x", refuse_if: condition, because: "B" }), condition).toMatchObject({ decision: "refuse", reason: "x", detail: { flow: "f", rule: "x", because: "B", error: true } });
      expect(one({ id: "x", allow_if: condition }), condition).toMatchObject({ decision: "refuse", reason: "x", detail: { error: true } });
      expect(one({ id: "x", ask_if: condition }, { tool: "look" }), condition).toMatchObject({ decision: "confirm", reasons: ["gate_clarify"] });
    }
    expect(one({ id: "x", refuse_if: "false" }, { tool: "look" }).decision).toBe("allow");
  });
  it("the first rule that refuses, in the order written, whatever asks before it", () => {
    register([{ name: "f", on: ["look"], rules: [{ id: "a", refuse_if: "true" }] }, { name: "g", on: ["pay"], rules: [{ id: "b", ask_if: "true" }, { id: "c", refuse_if: "args.amount > 1" }, { id: "d", refuse_if: "true" }] }, { name: "h", on: ["*"], rules: [{ id: "e", refuse_if: "true" }] }]);
    expect(check()).toMatchObject({ reason: "c", detail: { flow: "g", rule: "c" } });
  });
  it("variables of a call", () => {
    const members = { turns: ["one", "two"], principal: { id: "u", roles: ["clerk", "boss"] }, resource: { owner: "u", total: raw("12.50") }, context: { f: true }, origins: { amount: "context" }, labels: { call: ["note:x"], arguments: { amount: ["agent:other"] } } };
    for (const condition of ["tool == 'pay'", "agent == 'desk'", "args.amount == 600", "turn == 'two'", "'boss' in principal.roles", "resource.owner == principal.id", "resource.total < 13", "$f && !$g", "facts.f", "origins.amount == 'context'", "now == timestamp(1764445000)", "now - duration('1s') < now", "'note:x' in labels && 'agent:other' in labels", "size(labels) == 2"]) expect(one({ id: "x", refuse_if: condition }, members), condition).toMatchObject({ reason: "x", detail: { flow: "f", rule: "x" } });
    expect(one({ id: "x", refuse_if: "origins.amount == 'model'" }).detail).toEqual({ flow: "f", rule: "x" });
    expect(one({ id: "x", refuse_if: "agent == 'desk'" }, { agent: "other" }).reason).not.toBe("x");
    expect(one({ id: "x", refuse_if: "principal.id == 'u'" }).detail).toEqual({ flow: "f", rule: "x", error: true });
    expect(one({ id: "x", refuse_if: "has(principal.id)" }, { tool: "look" }).decision).toBe("allow");
    expect(one({ id: "x", refuse_if: "turn == ''" }).reason).toBe("x");
  });
  it("agent is the empty string without one, also where the policy has a single one", () => {
    register([{ name: "f", on: ["*"], rules: [{ id: "x", refuse_if: "agent == ''" }] }], { agents: { desk: { tools: ["*"] } } });
    expect(check({ agent: undefined }).reason).toBe("x");
  });
  it("labels are all marks of step 8, derived ones included", () => {
    register([{ name: "f", on: ["pay"], rules: [{ id: "x", refuse_if: "'untrusted:mail' in labels" }] }]);
    const mail = check({ tool: "mail", arguments: {} });
    expect(mail.decision).toBe("allow");
    const history = { format: "qls-history/1", session: "s", entries: [mail.entry] };
    expect(check({ history }).reason).toBe("x");
    expect(check({ history, origins: { amount: "context" } }).reason).not.toBe("x");
  });
  it("ran, allowed and allowed_within count over the verified history", () => {
    register([]);
    let history: unknown;
    const looks = [1000, 1010, 1020].map((now, step) => {
      const answer = check({ tool: "look", history, now });
      history = { format: "qls-history/1", session: "s", entries: [...((history as { entries: unknown[] } | undefined)?.entries ?? []), answer.entry] };
      if (step === 1) history = core.send("report", { policy: "p", keys: "k", session: "s", history, step, status: "ran" }).ok;
      return answer;
    });
    expect(looks.map(({ decision }) => decision)).toEqual(["allow", "allow", "allow"]);
    register([{ name: "f", on: ["pay"], rules: [] }]);
    const holds = (condition: string, now = 1020) => {
      register([{ name: "f", on: ["pay"], rules: [{ id: "x", refuse_if: condition }] }]);
      return check({ history, now }).reason === "x";
    };
    expect(holds("allowed('look') == 3 && ran('look') == 1 && allowed('pay') == 0 && allowed('zz') == 0")).toBe(true);
    expect(holds("type(allowed('look')) == int")).toBe(true);
    expect(holds("allowed_within('look', 20) == 3")).toBe(true);
    expect(holds("allowed_within('look', 19) == 2")).toBe(true);
    expect(holds("allowed_within('look', 0) == 1")).toBe(true);
    expect(holds("allowed_within('look', 20) == 2", 1021)).toBe(true);
    expect(holds("allowed_within('look', 20) == 3", 1000)).toBe(true); // now is the check's `at`: the later of the request's now and the last entry's
    expect(holds("allowed_within('look', 10.0) == 2")).toBe(true);
  });
  it("limits.steps bounds a condition: past it, it has failed", () => {
    const settings = { limits: { steps: 2000 } };
    const list = Array.from({ length: 1000 }, (_, i) => i);
    expect(one({ id: "x", refuse_if: "args.list.all(a, args.list.all(b, a + b < 0.0))" }, { tool: "look", arguments: { list: [1] } }, { settings }).decision).toBe("allow");
    expect(one({ id: "x", refuse_if: "args.list.exists(a, args.list.exists(b, a + b < 0.0))" }, { tool: "look", arguments: { list } }, { settings })).toMatchObject({ reason: "x", detail: { error: true } });
  });
});
