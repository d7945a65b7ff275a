// Tests the CEL room: cel-spec's facts, the rulebook's variables, registration's messages, hostile conditions, the naive model.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answer, evaluate, memory, register, steps, type Given } from "./cel-room";
import { COSTS } from "./cel-costs";
import { compareWithModel } from "./cel-model";
import { Random } from "./random";

interface Case {
  condition: string;
  value?: boolean;
  fails?: true;
  names?: string;
}
interface Vectors {
  official: Record<string, { cases: number; values: number; refused: number; unasked?: number }>;
  groups: { group: string; cases: Case[] }[];
}
const vectors = JSON.parse(readFileSync(new URL("../vectors/cel.json", import.meta.url), "utf8")) as Vectors;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "\\s*");

describe("cel-spec's cases", () => {
  it("are there from every section that the supported part takes", () => {
    const groups = new Map(vectors.groups.map(({ group, cases }) => [group, cases.length]));
    let [all, taken] = [0, 0];
    for (const [section, { cases, values, refused, unasked = 0 }] of Object.entries(vectors.official)) {
      expect(values + refused + unasked, section).toBe(cases);
      all += cases;
      taken += values;
      if (values > 0) expect(groups.get(section) ?? 0, section).toBeGreaterThan(0);
    }
    expect([all, taken]).toEqual([2456, 1067]);
  });

  for (const { group, cases } of vectors.groups) {
    it(`${group} (${cases.length})`, () => {
      for (const { condition, value, fails, names } of cases) {
        const problem = register(condition);
        if (names !== undefined) {
          expect(problem?.message, condition).toContain(`\`${names}\``);
          // What is asked for instead of something stands where it is missing (the places below).
          if (problem!.message.includes("` needs a")) continue;
          // At its place: a message's braces and a text's quotes are not part of its name, an optional's mark may stand behind its bracket.
          const there = Buffer.from(condition).subarray(problem!.offset).toString().replace(/^['"]/, "");
          expect(names.endsWith("?") ? `${names[0]}${there}` : there, condition).toMatch(new RegExp(`^${names.endsWith("?") ? ".\\?" : escaped(names.replace("{...}", ""))}`));
          continue;
        }
        expect(problem, condition).toBeNull();
        expect(evaluate(), condition).toBe(fails ? "fails" : value);
      }
    });
  }
});

const GIVEN: Given = {
  tool: "charge_card",
  agent: "desk",
  args: { amount: 600, "order id": "4411", lines: [{ sku: "a", count: 2 }, { sku: "b", count: 0 }], name: "Zoë 🙂", none: null, deep: { er: [1.5] } },
  facts: { card_on_file: true, vip: false },
  principal: { id: "u-1", roles: ["clerk"] },
  resource: { order: { total: 600 } },
  origins: { amount: "typed", gone: "typed" },
  labels: ["untrusted:read_inbox", "agent:helper"],
  now: 1764445000,
  turn: "charge order 4411",
  history: [
    { tool: "get_order", at: 1764444000, ran: true },
    { tool: "get_order", at: 1764444990 },
    { tool: "charge_card", at: 1764445000, ran: true },
  ],
};

/** Conditions over the variables above that are true. */
const TRUE = [
  'args.amount > 500 && args.amount > 500.0 && args.amount >= 600u && agent == "desk"',
  "tool == 'charge_card' && size(tool) == 11",
  "$card_on_file && facts.card_on_file && facts['card_on_file']",
  "!$vip && !$never_sent && !facts['never_sent'] && !facts.never_sent",
  "has(facts.vip) && !has(facts.never_sent) && has($vip) && !('never_sent' in facts) && size(facts) == 2",
  "principal.id == 'u-1' && 'clerk' in principal.roles && principal.roles.exists(r, r.startsWith('cl'))",
  "resource.order.total == args.amount",
  "origins.amount == 'typed' && origins.name == 'model' && origins['none'] == 'model' && !has(origins.gone) && size(origins) == size(args)",
  "origins.all(name, name in args) && origins.exists_one(name, origins[name] == 'typed') && origins == origins",
  "'untrusted:read_inbox' in labels && labels.exists(l, l.startsWith('agent:')) && size(labels) == 2",
  "now == timestamp(1764445000) && now > timestamp('2025-11-29T00:00:00Z') && now - duration('1h') < now",
  "now.getFullYear() == 2025 && now.getMonth() == 10 && now.getDate() == 29 && now.getHours() == 19 && now.getHours('+02:00') == 21",
  "turn.contains('4411') && turn.endsWith('4411') && turn.matches('order [0-9]+')",
  "ran('get_order') == 1 && allowed('get_order') == 2 && ran('never') == 0",
  "allowed_within('get_order', 10) == 1 && allowed_within('get_order', 9) == 0 && allowed_within('get_order', 10.0) == 1",
  "allowed_within('get_order', duration('10s')) == 1 && allowed_within('charge_card', 0) == 1 && allowed_within('get_order', 5000u) == 2",
  "allowed_within('get_order', 10.9) == 1 && allowed_within('get_order', 9223372036854775807) == 2 && allowed_within('get_order', -1) == 0",
  "args['order id'] == '4411' && args.`order id` == '4411' && int(args['order id']) == 4411",
  "args.lines[0].sku == 'a' && args.lines[1.0].sku == 'b' && args.lines.map(l, l.sku) == ['a', 'b']",
  "args.lines.filter(l, l.count > 0) == [{'count': 2.0, 'sku': 'a'}] && args.lines.map(l, l.count > 0, l.sku) == ['a']",
  "size(args.name) == 5 && args.name.size() == 5 && size(bytes(args.name)) == 9",
  "args.none == null && type(args.none) == null_type && type(args.amount) == double && type(args.lines) == list && type(args.deep) == map",
  "has(args.none) && !has(args.nothing) && !has(args.deep.nothing) && 'deep' in args",
  "args.map(k, k) == ['amount', 'deep', 'lines', 'name', 'none', 'order id']",
  "string(args.amount) == '600' && int(args.amount) + 1 == 601 && args.amount + 0.5 == 600.5",
  "[1].exists(tool, tool == 1) && [1].exists(tool, .tool == 'charge_card') && [[1]].exists(x, x.exists(x, x == 1))",
  "args.deep == {'er': [1.5]} && {'er': [1.5]} == args.deep && args == args && args.deep != {'er': [1.5, 2.0]}",
  "type(1) == int && type(now) == google.protobuf.Timestamp && type(duration('1s')) == google.protobuf.Duration && type(type(1)) == type",
  "\n 1 \t==\r\n 1 // a comment\n && true// another",
  "args.nothing == 1 || true",
  "!(false && args.nothing == 1)",
  "[1, 2, 3,] == [1, 2, 3] && {'a': 1,} == {'a': 1}",
  "0x10 == 16 && 0xFFu == 255u && .5 == 0.5 && 1e3 == 1000.0 && 007 == 7 && 00.5 == 0.5",
  "br'\\x' == b'\\\\x' && bR\"a\" == b'a' && '''a'b''' == \"a'b\" && r'\\' == '\\\\'",
  "string(1.0) == '1' && string(0.1) == '0.1' && string(1e21) == '1e+21' && string(1.0/0.0) == 'Infinity'",
  "string(duration('-1h0.5s')) == '-3600.5s' && string(timestamp('2024-02-29T12:00:00.120+02:00')) == '2024-02-29T10:00:00.12Z'",
  "duration('1h') == duration('60m') && duration('1.5h') == duration('5400s') && duration('1us') == duration('1µs') && duration('0') == duration('0s')",
  "bool('true') && !bool('0') && double('1e3') == 1000.0 && uint('7') == 7u && int('-9223372036854775808') < 0 && double('-.5') == -0.5",
  "size({'a': 1, 'b': 2}.map(k, k)) == 2 && {'a': 1}['a'] == 1 && {1: 'x'}[1.0] == 'x' && {true: 1}[true] == 1",
];

/** Conditions that fail over them. */
const FAILS = [
  "args.nothing == 1", "args.amount", "args.lines[2].sku == 'c'", "args.lines[-1] == 1", "args.lines[0.5] == 1", "args.amount + 1 == 601.0",
  "args.name > 5", "args.name.x == 1", "has(args.name.x)", "args.lines.sku == 'a'", "principal.missing == 'x'", "facts[1]", "labels[9] == ''",
  "origins.gone == 'typed'", "args.amount ? true : false", "[1, args.nothing] == []", "{'a': 1, 'a': 2} == {}", "{1: 1, 1u: 2} == {}", "{1.5: 1} == {}",
  "args.amount.all(x, true)", "args.lines.filter(l, l.sku) == []", "args.lines.all(l, l.count)", "[1, 2].exists_one(x, x / 0 == 1)", "ran(1) == 0",
  "allowed_within('x', 'y') == 0", "allowed_within('x', 0.0 / 0.0) == 0", "size(5) == 5", "5 in 'x'", "!args.amount", "-args.name == 1", "'a' + 1 == 'a1'",
  "now + now == now", "int('1.5') == 1", "int('') == 0", "int('9223372036854775808') == 0", "uint('-1') == 0u", "uint(-1.0) == 0u", "bool('yes')",
  "double('1e999') == 0.0", "double('') == 0.0", "double('1 ') == 1.0", "string(null) == ''", "timestamp('2024-02-30T00:00:00Z') == now",
  "timestamp('2024-02-29T24:00:00Z') == now", "timestamp('2024-02-29 00:00:00Z') == now", "duration('1') == duration('1s')", "duration('') == duration('0')",
  "duration('1x') == duration('0')", "duration('.s') == duration('0')", "timestamp(1.0) == now", "now.getHours(turn) == 1", "duration('1h').getHours('UTC') == 1",
  "duration('1h').getDate() == 1", "turn.matches('[' + turn)", "string(b'\\xff') == ''", "true && args.nothing == 1", "false || args.nothing == 1",
];

describe("the rulebook's variables and functions", () => {
  for (const condition of TRUE) it(`is true: ${JSON.stringify(condition)}`, () => expect(answer(condition, GIVEN)).toBe(true));
  for (const condition of FAILS) it(`fails: ${condition}`, () => expect(answer(condition, GIVEN)).toBe("fails"));

  it("knows nothing of variables that were not given", () => {
    expect(answer("agent == '' && turn == '' && principal == {} && resource == {} && args == {} && origins == {} && size(facts) == 0 && labels == []")).toBe(true);
    expect(answer("!has(principal.id) && !$anything")).toBe(true);
  });

  it("meets keys in the order of their names, however they were sent", () => {
    const names = Array.from({ length: 20 }, (_, i) => `k${(i * 7) % 20}`);
    const sorted = JSON.stringify([...names].sort()).replaceAll('"', "'");
    const args = Object.fromEntries(names.map((name) => [name, 1]));
    expect(answer(`args.map(k, k) == ${sorted} && origins.map(k, k) == ${sorted} && args.all(k, args[k] == 1)`, { args })).toBe(true);
  });
});

describe("what registration says", () => {
  /** A condition, where the problem is in bytes, and what the message names. */
  const PROBLEMS: [string, number, string][] = [
    ["", 0, "ends"], ["1 +", 3, "a value"], ["args.amount >", 13, "a value"], ["(1", 2, "`)`"], ["1)", 1, "`)`"], ["a.b", 0, "`a`"],
    ["'ë' == x", 8, "`x`"], ["args.amount = 5", 12, "`==`"], ["args & b", 5, "`&&`"], ["args | b", 5, "`||`"], ["agent == 'x", 9, "does not end"], ["agent == 'a\nb'", 9, "does not end"],
    ["agent == '\\q'", 10, "escape"], ["agent == '\\ud800'", 10, "escape"], ["b'\\u0041' == b''", 2, "escape"], ["'\\U00110000' == ''", 1, "escape"],
    ["1 == 9223372036854775808", 5, "too large"], ["1 == 18446744073709551616u", 5, "too large"], ["1.0 == 1e400", 7, "too large"], ["0x == 0", 0, "hexadecimal"],
    ["1abc == 1", 0, "runs into"], ["!-1 == 1", 1, "`-`"], ["if == 1", 0, "`if`"], ["in == 1", 0, "`in`"], ["args.in == 1", 5, "`in`"], ["$ == 1", 0, "`$`"],
    ["tool.upper() == 'X'", 5, "`upper`"], ["upper(tool) == 'X'", 0, "`upper`"], ["startsWith(tool, 'x')", 0, "`startsWith`"], ["tool.int() == 1", 5, "`int`"],
    ["size() == 1", 0, "`size`"], ["size(1, 2) == 1", 0, "`size`"], ["tool.startsWith() ", 5, "`startsWith`"], ["has(tool)", 0, "`has`"], ["has(args['x'])", 0, "`has`"],
    ["has(true ? args.x : args.y)", 0, "`has`"], ["[1].all(1, true)", 8, "`all`"], ["[1].all(x.y, true)", 9, "`all`"], ["[1].all(x)", 9, "`all`"],
    ["[1].all(x, y, true)", 4, "`all`"], ["[1].map(x, true, x, x)", 4, "`map`"], ["[1].reduce(x, x)", 4, "`reduce`"], ["math.abs(-1) == 1", 0, "`math.abs`"],
    ["a.b.C{x: 1} == null", 0, "`a.b.C{...}`"], ["args{x: 1} == null", 4, "messages"], ["args.?x == 1", 5, "`.?`"], ["args[?'x'] == 1", 5, "`[?`"], ["[?1] == []", 1, "optional"],
    ["tool.matches('(')", 13, "`(`"], ["tool.matches('(?=a)')", 13, "`(?=a)`"], ["matches(tool, ('(a)\\\\1'))", 14, "`(a)\\1`"], ["now.getHours('Europe/Paris') == 1", 13, "`Europe/Paris`"], ["# == 1", 0, "begins nothing"],
    ["[1, 2 == 1", 10, "`]`"], ["{'a' 1} == {}", 5, "`:`"], ["true ? 1", 8, "`:`"], ["args.'x' == 1", 5, "field"], ["x.all(x, true)", 0, "`x`"], ["'a' 'b'", 4, "an operator"],
  ];
  for (const [condition, offset, names] of PROBLEMS) {
    it(`${JSON.stringify(condition)} at ${offset}`, () => {
      const problem = register(condition);
      expect(problem?.message).toContain(names);
      expect(problem?.offset).toBe(offset);
      expect(problem?.fact).toBeNull();
    });
  }

  it("names a fact that is not listed, wherever it is named", () => {
    for (const condition of ["$gone", "facts.gone", "facts['gone']", "has(facts.gone)", "has($gone)", "true || $gone", "[1].all(x, $gone)"]) {
      const problem = register(condition, ["card_on_file"]);
      expect(problem?.fact, condition).toBe("gone");
      expect(problem?.message, condition).toContain("`gone`");
    }
    expect(register("$gone", [])?.fact).toBe("gone");
    expect(register("$card_on_file && facts['card_on_file'] && [{'gone': true}].all(facts, facts.gone)", ["card_on_file"])).toBeNull();
    expect(register("$gone")).toBeNull();
  });
});

describe("hostile conditions", () => {
  const times = (text: string, count: number): string => text.repeat(count);

  it("stops at the limits of length and depth", () => {
    expect(register(times("(", 65536))?.message).toContain("deep");
    expect(register(times("[", 65536))?.message).toContain("deep");
    expect(register(times("{1:", 20000))?.message).toContain("deep");
    expect(register(times("size(", 13000))?.message).toContain("deep");
    expect(register(times("args[", 13000))?.message).toContain("deep");
    expect(register(times("[1].all(x,", 6000))?.message).toContain("deep");
    expect(register(`'${times("a", 65536)}' == ''`)?.message).toContain("65536");
    expect(answer(`${times("(", 63)}true${times(")", 63)}`)).toBe(true);
    expect(register(`${times("(", 64)}true${times(")", 64)}`)?.message).toContain("deep");
  });

  it("takes chains as long as a condition may be", () => {
    expect(answer(`${times("!", 65532)}true`)).toBe(true);
    expect(answer(`${times("-", 60000)}1 == 1`)).toBe(true);
    expect(answer(`true${times(" && true", 8000)}`)).toBe(true);
    expect(answer(`false${times(" || false", 7000)}`)).toBe(false);
    expect(answer(`1${times("+1", 32000)} == 32001`)).toBe(true);
    expect(answer(`${times("true ? true : ", 4600)}false`)).toBe(true);
    expect(answer(`${times("false ? true : ", 4300)}true`)).toBe(true);
    expect(answer(`[${times("1,", 32000)}].size() == 32000`)).toBe(true);
    expect(answer(`args${times(".a", 30000)} == 1`, { args: {} })).toBe("fails");
    expect(answer(`args${times("[0]", 20000)} == 1`, { args: {} })).toBe("fails");
    expect(answer(`[1]${times(".map(x,x)", 7000)} == [1]`)).toBe(true);
    expect(answer(`[1]${times(".map(x,[x])", 5000)} == [1]`)).toBe(false);
    expect(answer(`[[1]${times(".map(x,[x])", 2900)}].all(x, x == [1]${times(".map(x,[x])", 2900)})`)).toBe("fails");
  });

  it("counts the turns of comprehensions, and passes the budget at the same step every time", () => {
    const list = Array.from({ length: 1000 }, (_, i) => i);
    const args = { list };
    expect(answer("args.list.all(x, args.list.exists(y, y == x))", { args })).toBe(true);
    expect(answer("args.list.all(x, args.list.all(y, args.list.all(z, true)))", { args })).toBe("fails");
    expect(answer("true || args.list.all(x, args.list.all(y, args.list.all(z, true)))", { args })).toBe(true);
    expect(answer("args.list.all(x, args.list.all(y, args.list.all(z, true))) || true", { args })).toBe("fails");
    expect(answer("args.list.exists(x, x == 999)", { args }, 1000)).toBe(true);
    expect(steps()).toBe(1000);
    expect(evaluate({ args }, 999)).toBe("fails");
    const nested = `${times("[0,1].all(x,", 22)}1/0 == 1${times(")", 22)}`;
    expect(answer(nested)).toBe("fails");
    expect(steps()).toBe(1000000);
  });

  it("pays for text, copies and patterns, so that memory stays bounded", () => {
    const before = memory();
    const text = "x".repeat(100000);
    const given = JSON.stringify({ args: { text, list: Array.from({ length: 2000 }, () => text.slice(0, 10)) } });
    expect(answer(`[args.text]${times(".map(x, x + x)", 40)} == []`, given)).toBe("fails");
    expect(answer(`[[args.text]]${times(".map(x, x + x)", 40)} == []`, given)).toBe("fails");
    expect(answer("args.list.all(a, args.list.map(b, a + b) != [])", given)).toBe("fails");
    expect(answer("args.list.all(a, args.list + args.list != [])", given)).toBe("fails");
    expect(answer("args.list.all(a, args.list.all(b, string(1.5) != ''))", given)).toBe("fails");
    expect(answer("args.list.all(a, args.list.all(b, !args.text.matches('(a|x)*y' + a)))", given)).toBe("fails");
    expect(answer("args.list.all(a, args.list.all(b, !args.text.contains(args.text + 'y')))", given)).toBe("fails");
    expect(answer("args.list.all(a, args.text == args.text && args.list == args.list)", given)).toBe("fails");
    // What reads a whole text: numbers, times, names of members and of tools.
    const digits = JSON.stringify({ args: { list: Array(20000).fill(0), zeros: "0".repeat(400000), number: `1.${"1".repeat(4000)}`, time: `2024-01-01T00:00:00.${"1".repeat(4000)}Z`, span: `1.${"1".repeat(4000)}s`, table: { ["k".repeat(400000)]: 1, b: 2 } } });
    for (const body of [
      "int(args.zeros) == 0", "uint(args.zeros) == 0u", "double(args.number) > 1.0", "timestamp(args.time) != now", "duration(args.span) > duration('0')", "!bool(args.zeros + '0') || true", "args.table[args.zeros + ''] == 1 || true",
      "!(args.zeros in args.table)", "ran(args.zeros) == 0", "allowed(args.zeros) == 0", "allowed_within(args.zeros, 5) == 0", "!(args.zeros in origins)", "!(args.zeros in facts && true)", "!has(args.table.a) && args[args.zeros] == 1 || true",
    ]) {
      const result = answer(`args.list.all(a, ${body})`, digits);
      // Where nothing is there to look through, nothing is read.
      if (body.includes("facts")) continue;
      expect(result, body).toBe("fails");
      expect(steps(), body).toBeGreaterThanOrEqual(1000000);
    }
    expect(memory() - before).toBeLessThan(64 * 1048576);
    expect(answer(`'${times("a", 30000)}'.contains('${times("a", 15000)}b')`)).toBe(false);
    expect(answer("args.text.contains(args.part)", { args: { text: "a".repeat(400000), part: `${"a".repeat(200000)}b` } })).toBe(false);
    expect(steps()).toBeLessThan(20000);
  });

  it("gives an error where a number, time or duration overflows", () => {
    const MIN = "(-9223372036854775808)";
    const MAX = "9223372036854775807";
    const overflow = [
      `${MIN} / -1 == 0`, `${MIN} % -1 == 0`, `-${MIN} == 0`, `${MIN} * -1 == 0`, `-1 * ${MIN} == 0`, `${MIN} - 1 == 0`, `${MAX} + 1 == 0`, `${MAX} - -1 == 0`,
      `${MAX} * 2 == 0`, "4294967296 * 4294967296 == 0", "-3037000500 * 3037000500 == 0", "1 / 0 == 0", "1 % 0 == 0", "1u / 0u == 0u", "1u % 0u == 0u",
      "0u - 1u == 0u", "18446744073709551615u + 1u == 0u", "4294967296u * 4294967296u == 0u", "int(1e19) == 0", "int(9223372036854775808.0) == 0",
      "int(-9223372036854775808.0) == 0", "int(0.0 / 0.0) == 0", "uint(18446744073709551616.0) == 0u", "uint(-1) == 0u", `timestamp(${MAX}) == now`, `timestamp(${MIN}) == now`,
      "timestamp('9999-12-31T23:59:59-00:01') == now", "timestamp('0001-01-01T00:00:00+00:01') == now", "duration('9223372036854775808ns') == duration('0')",
      "duration('-9223372036854775809ns') == duration('0')", "duration('9223372036.9s') == duration('0')", "duration('2562048h') == duration('0')",
      "duration('99999999999999999999999h') == duration('0')", "duration('9223372036s9223372036s') == duration('0')",
      "duration('-9223372036854775808ns') - duration('1ns') == duration('0')", "timestamp(9223372037) - timestamp(0) == duration('0')",
    ];
    for (const condition of overflow) expect(answer(condition), condition).toBe("fails");
    const within = [
      `${MIN} / 1 == ${MIN}`, `${MIN} + ${MAX} == -1`, `${MIN} * 1 == ${MIN}`, `${MAX} * -1 == -${MAX}`, "3037000499 * 3037000499 == 9223372030926249001", "-7 / 2 == -3 && -7 % 2 == -1",
      "int(-9223372036854774784.0) == -9223372036854774784", "uint(18446744073709549568.0) == 18446744073709549568u", "1.0 / 0.0 > 1e308 && 0.0 / 0.0 != 0.0 / 0.0",
      "duration('-9223372036854775808ns') < duration('-9223372036.854775807s')", "duration('9223372036854775807ns') == duration('9223372036.854775807s')",
      "timestamp(9223372036) - timestamp(0) == duration('9223372036s')", "timestamp('9999-12-31T23:59:59.999999999Z') - duration('1ns') < timestamp('9999-12-31T23:59:59.999999999Z')",
      "timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00') == 0 && timestamp('9999-12-31T23:59:59Z').getFullYear('+01:00') == 10000",
    ];
    for (const condition of within) expect(answer(condition), condition).toBe(true);
  });
});

describe("costs", () => {
  it("grow as the README's table says, and no faster", () => {
    const rows: string[] = [];
    for (const { shape, power, condition, args } of COSTS) {
      const counts = [1000, 2000, 4000, 8000].map((size) => {
        expect(answer(condition(size), { args: args(size), now: 1764445000 }, 1e12), `${shape} ${condition(size).slice(0, 200)}`).toBe(true);
        return steps();
      });
      rows.push(`| ${shape} | ${power === 1 ? "size" : "size²"} | ${counts.map((count) => count.toLocaleString("en")).join(" | ")} |`);
      const [a, b, c, d] = counts as [number, number, number, number];
      const factor = 2 ** power;
      // A look-up by halves in a map of names grows by one look more at each doubling.
      expect(c - b, shape).toBeLessThanOrEqual(factor * (b - a) * 1.15 + 40);
      expect(d - c, shape).toBeLessThanOrEqual(factor * (c - b) * 1.15 + 40);
    }
    const readme = readFileSync(new URL("../../assembly/cel/README.md", import.meta.url), "utf8");
    expect(readme, `the table of assembly/cel/README.md should be:\n${rows.join("\n")}`).toContain(`\n${rows.join("\n")}\n`);
  });
});

describe("the calendar", () => {
  it("agrees with the language's own on days from the year 1 to 9999", () => {
    const random = new Random();
    for (let round = 0; round < 20000; round++) {
      const day = -719162 + random.below(3652059);
      const second = day * 86400 + random.below(86400);
      const date = new Date(second * 1000);
      const year = new Date(0);
      year.setUTCFullYear(date.getUTCFullYear(), 0, 1);
      const parts = [
        date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay(), Math.floor((date.getTime() - year.getTime()) / 86400000),
        date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(),
      ];
      if (round === 0) {
        register("[now.getFullYear(), now.getMonth(), now.getDate(), now.getDayOfWeek(), now.getDayOfYear(), now.getHours(), now.getMinutes(), now.getSeconds()] == args.parts && string(now) == args.text && timestamp(args.text) == now");
      }
      const text = `${String(date.getUTCFullYear()).padStart(4, "0")}${date.toISOString().replace(/^[+-]?\d+?(?=-\d\d-)/, "").replace(".000", "")}`;
      expect(evaluate({ now: second, args: { parts, text } }), `SEED=${random.seed} ${text}`).toBe(true);
    }
  });
});

describe("the naive model", () => {
  it("answers as the core does on 50,000 random conditions", () => {
    const random = new Random();
    const tally = compareWithModel(random, 50000);
    // Were nearly all of one kind, they would say little.
    for (const kind of ["true", "false", "fails", "problem"]) expect(tally[kind], JSON.stringify(tally)).toBeGreaterThan(1000);
  }, 120000);
});
