// Chapter 2's conditions where they fail: every kind of failure in every place of a rule, step budgets in every shape; none ever lets a call through.

import { describe, expect, it } from "vitest";
import { Core, keySet } from "./conform-core.ts";

const core = new Core();
core.send("keys", { name: "k", keys: keySet });

const properties = { amount: {}, zero: {}, note: {}, bad: {}, list: {}, nested: {}, text: {} };
const TOOLS = [
  { name: "pay", undo: { tool: "unpay", bind: { amount: "arguments.amount" } }, parameters: { type: "object", properties } },
  { name: "unpay", irreversible: true, parameters: { type: "object", properties } },
  { name: "look", effect: "read", parameters: { type: "object", properties } },
];
const NESTED = JSON.parse("[".repeat(100) + "]".repeat(100));
const ARGUMENTS = { amount: 1, zero: 0, note: "ab", bad: "(", list: Array.from({ length: 1500 }, (_, i) => i), nested: NESTED, text: "x".repeat(30_000) };
const REQUEST = { format: "qls-tool-check/1", session: "s", agent: "desk", tool: "look", arguments: ARGUMENTS, now: 1764445000 };

interface Answer {
  decision: string;
  reason: string;
  reasons: string[];
  detail?: object;
  confirmation?: string;
  entry: object;
  trace?: unknown;
}

function register(rules: object[], settings: object = {}): void {
  const policy = { format: "qls-policy/1", tenant: "t", agents: { desk: { tools: ["*"] } }, tools: TOOLS, rulebook: { flows: [{ name: "f", on: ["*"], rules }] }, settings };
  const { ok, error } = core.send("register", { name: "p", policy });
  expect(error, JSON.stringify(rules)).toBeUndefined();
  expect(ok).toHaveProperty("policy");
}

const check = (members: object = {}): Answer => core.send("check", { policy: "p", keys: "k", request: { ...REQUEST, ...members } }).ok as Answer;

/** Conditions that fail on the arguments above, by the kind of failure. */
const FAILURES: Record<string, string[]> = {
  "no such key": ["args.gone == 1", "args['gone'] == 1", "principal.id == 'x'", "resource.a.b == 1", "origins.gone == 'typed'", "{'a': 1}[args.note] == 1", "args.list[1500] == 1", "args.list[-1] == 1", "args.list[0.5] == 1", "[][0] == 1", "labels[0] == ''"],
  "no such overload": ["args.amount + 1 == 2", "args.note < 1", "!args.note", "-args.note == 1", "args.note && true", "args.amount ? true : true", "args.note.gone == 1", "has(args.note.gone)", "size(args.amount) == 1", "args.amount in args.note", "now + now == now", "args.list.startsWith('a')", "facts[1] == true", "ran(args.amount) == 0", "args.amount % 2.0 == 1.0", "[1] < [2]", "null < null", "args.amount.all(x, true)", "args.note == args.gone", "duration('1s').getFullYear() == 1"],
  "no truth value": ["args.amount", "args.note", "null", "[true]", "{}", "'true'", "now", "args.list.map(x, true)", "args.list.all(x, x)", "args.list.exists(x, 'a')", "args.list.exists_one(x, null)", "args.list.filter(x, x) == []", "args.list.map(x, x, x) == []"],
  overflow: ["9223372036854775807 + int(args.amount) > 0", "-9223372036854775808 - int(args.amount) > 0", "9223372036854775807 * (int(args.amount) + 1) > 0", "-9223372036854775808 / (int(args.zero) - 1) > 0", "-(int(args.zero) - 9223372036854775807 - 1) > 0", "0u - uint(args.amount) == 0u", "18446744073709551615u + uint(args.amount) == 0u", "18446744073709551615u * 2u == 0u", "duration('9223372036s') + duration('9223372036s') > duration('0')", "timestamp('9999-12-31T23:59:59Z') + duration('1s') > now", "timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z') > duration('0')"],
  "division by zero": ["1 / int(args.zero) == 1", "1 % int(args.zero) == 1", "1u / uint(args.zero) == 1u", "1u % uint(args.zero) == 1u"],
  "out of range": ["int(1e19) == 1", "int(0.0 / args.zero) == 1", "uint(-1) == 0u", "uint(-0.5) == 0u", "uint(2e19) == 0u", "int(18446744073709551615u) == 1", "timestamp(253402300800) > now", "timestamp('0000-01-01T00:00:00Z') < now", "duration('9223372037s') > duration('0')", "duration('300000h') + duration('2300000h') > duration('0')"],
  "invalid conversion": ["int(args.note) == 1", "uint(args.note) == 1u", "double(args.note) == 1.0", "bool(args.note)", "timestamp(args.note) == now", "duration(args.note) == duration('0')", "string(b'\\xff') == ''", "string(args.list) == ''", "bytes(args.amount) == b''", "timestamp('2024-02-30T00:00:00Z') < now", "args.note.matches(args.bad)", "args.note.matches('a{' + '99999}')", "args.note.matches('(?=' + 'a)')", "now.getHours(args.note) == 1", "{args.note: 1, 'ab': 2} == {}", "{args.amount: 1} == {}", "{null: 1} == {}"],
};
/** Conditions that pass the default budget of a million steps, in every shape, whatever stands around them. */
const HEAVY = "args.list.all(a, args.list.all(b, a + b >= 0.0))";
const BUDGETS = [
  HEAVY, `!(${HEAVY})`, `${HEAVY} || true`, `${HEAVY} && false`, `!(${HEAVY} && false)`, `${HEAVY} ? true : true`, `[1].all(x, ${HEAVY} || true)`, `${HEAVY} == true || true`, `size([${HEAVY}]) == 1`, `has({'a': ${HEAVY}}.a)`,
  "args.list.exists(a, args.list.exists(b, a + b < 0.0))", "args.list.exists_one(a, args.list.exists_one(b, a + b < 0.0))", "args.list.filter(a, args.list.filter(b, a + b < 0.0) != []) == []", "args.list.map(a, args.list.map(b, a + b)) == []", "args.list.map(a, a >= 0.0, args.list.map(b, b >= 0.0, a + b)) == []",
  "args.list.all(a, args.list.all(b, args.list.all(c, true)))", "args.all(k, args.list.all(a, args.list.all(b, true)))", "args.list.all(a, args.list != args.list.map(x, x) || true)", "args.list.all(a, a in args.list.filter(b, b >= 0.0))", "args.list.all(a, args.list + args.list != [])",
  "args.list.all(a, (args.text + args.text + args.text).size() > 0)", "args.list.all(a, args.text.contains('y' + args.text) || true)", "args.list.all(a, args.text == args.text + '')", "args.list.all(a, args.text.matches('^(x|y)*$'))", "args.list.all(a, args.text.matches('^(x|y)*' + '$'))", "args.list.all(a, string(bytes(args.text)) != '')", "args.list.all(a, args.text.startsWith(args.text))", "args.list.all(a, args.text <= args.text)",
  `[args.text]${".map(x, x + x)".repeat(40)} != []`, `[args.list]${".map(x, x + x)".repeat(40)} != []`,
  `args.list.all(a, [${Array(2000).fill("a").join(",")}].size() > 0)`, `args.list.all(a, {${Array.from({ length: 200 }, (_, i) => `'${i}': a`).join(",")}}.size() > 0)`, "args.list.all(a, args.list.all(b, timestamp('2024-01-01T00:00:00' + 'Z') < now))", "args.list.all(a, args.list.all(b, duration('1h' + '30m') > duration('0')))",
];

describe.each([...Object.entries(FAILURES), ["the step budget", BUDGETS] as [string, string[]]])("%s", (_, conditions) => {
  it.each(conditions.map((condition) => [condition.slice(0, 100), condition]))("%s", (_, condition) => {
    // refuse_if and allow_if refuse with the rule's id and the error in the detail; for reads, writes and undos alike.
    for (const kind of ["refuse_if", "allow_if"]) {
      register([{ id: "x", [kind]: condition, because: "B" }]);
      for (const tool of ["look", "pay"]) expect(check({ tool }), kind).toMatchObject({ decision: "refuse", reason: "x", reasons: ["x"], detail: { flow: "f", rule: "x", because: "B", error: true } });
    }
    // ask_if asks, of a read too.
    register([{ id: "x", ask_if: condition, question: "Q?" }]);
    const asked = check();
    expect(asked).toMatchObject({ decision: "confirm", reasons: ["gate_clarify"] });
    // What asks does not hide what fails behind it, nor the other way round.
    register([{ id: "a", ask_if: condition }, { id: "x", refuse_if: condition }, { id: "y", refuse_if: "true" }]);
    expect(check()).toMatchObject({ decision: "refuse", reason: "x", detail: { flow: "f", rule: "x", error: true } });
    register([{ id: "a", ask_if: condition }, { id: "y", refuse_if: "true" }]);
    expect(check()).toMatchObject({ decision: "refuse", reason: "y", detail: { flow: "f", rule: "y" } });
  });
});

it("a confirmation covers what asked because it failed, and never what refused", () => {
  register([{ id: "x", ask_if: "args.gone == 1" }]);
  const { confirmation, entry } = check();
  const history = { format: "qls-history/1", session: "s", entries: [entry] };
  expect(check({ history, confirmation })).toMatchObject({ decision: "allow", reason: "confirmed" });
  register([{ id: "x", refuse_if: "args.gone == 1" }]);
  expect(check({ history, confirmation })).toMatchObject({ decision: "refuse", reason: "x", detail: { error: true } });
});

it("an undo's rules fail as others do", () => {
  register([]);
  const origins = Object.fromEntries(Object.keys(ARGUMENTS).map((name) => [name, "context"]));
  const paid = check({ tool: "pay", origins });
  const first = { format: "qls-history/1", session: "s", entries: [paid.entry] };
  const allowed = check({ tool: "pay", origins, history: first, confirmation: paid.confirmation });
  expect(allowed.decision).toBe("allow");
  const entries = [paid.entry, allowed.entry];
  const history = core.send("report", { policy: "p", keys: "k", session: "s", history: { ...first, entries }, step: 1, status: "ran" }).ok;
  const undo = { tool: "unpay", arguments: { amount: 1 }, origins: { amount: "context" }, history, undo: { step: 1 } };
  expect(check(undo)).toMatchObject({ decision: "allow", reason: "compensation" });
  for (const condition of ["args.gone == 1", "1 / 0 == 1", "args.amount"]) {
    register([{ id: "x", refuse_if: condition }]);
    expect(check(undo), condition).toMatchObject({ decision: "refuse", reason: "x", detail: { error: true } });
    register([{ id: "x", ask_if: condition }]);
    expect(check(undo), condition).toMatchObject({ decision: "confirm", reasons: ["gate_clarify"] });
  }
});

it("each condition has the budget to itself, and the smallest change of it shows", () => {
  const sum = "args.list.all(a, args.list[0] == 0.0)";
  const rules = [1, 2, 3].map((i) => ({ id: `r${i}`, refuse_if: `!${sum}` }));
  register(rules, { limits: { steps: 5000 } });
  expect(check().decision).toBe("allow");
  // Of the least that suffices, one less fails.
  let [low, high] = [1, 5000];
  while (high - low > 1) {
    const steps = (low + high) >> 1;
    register(rules, { limits: { steps } });
    const { decision, detail } = check({ arguments: { list: ARGUMENTS.list } });
    if (decision === "allow") high = steps;
    else {
      expect([decision, (detail as { error?: boolean }).error ?? (detail as { rule: string }).rule]).toEqual(["refuse", (detail as { rule: string }).rule === "steps" ? "steps" : true]);
      low = steps;
    }
  }
  expect(high).toBeGreaterThanOrEqual(1500);
});
