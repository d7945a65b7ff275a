// Holds the model's CEL to answers taken from the CEL language definition.
import { describe, expect, it } from 'vitest';
import { evaluateCondition, parseCondition, type Variables } from './cel.ts';
import { read, type Json } from './json.ts';

const object = (text: string) => read(new TextEncoder().encode(text)) as Map<string, Json>;

const variables: Variables = {
  tool: 'charge_card',
  agent: 'desk',
  args: object('{"amount":40,"n":null,"tags":["a","b"],"deep":{"x":[1,2.5]},"i":1,"é":"𝒳y"}'),
  facts: new Map([['yes', true], ['no', false]]),
  principal: object('{"id":"u-1","roles":["admin"]}'),
  resource: object('{}'),
  origins: new Map([['amount', 'typed']]),
  labels: ['untrusted:read_inbox'],
  now: 1764445000,
  turn: 'charge 40',
  ran: (tool) => (tool === 'get_order' ? 2 : 0),
  allowed: () => 3,
  allowedWithin: (_, seconds) => (seconds >= 60 ? 1 : 0),
};

/** true, false, 'error' (evaluation) or 'refused' (registration). */
function run(text: string, facts: string[] | null = null): boolean | 'error' | 'refused' {
  const condition = parseCondition(text, facts);
  if ('error' in condition) return 'refused';
  const answer = evaluateCondition(condition, variables);
  return 'error' in answer ? 'error' : answer.value;
}

const holds = [
  '1 + 2 * 3 == 7', '(1 + 2) * 3 == 9', '7 / 2 == 3', '-7 / 2 == -3', '-7 % 3 == -1', '7u % 4u == 3u', '1.0 / 0.0 > 1e308', '0.0 / 0.0 != 0.0 / 0.0',
  '1 == 1.0', '1u == 1', '1.5 > 1', '2 > 1.5', '9007199254740993 == 9007199254740992.0', '9223372036854775807 >= 9223372036854775808.0', '9007199254740993 > 9007199254740992u', 'uint(0.9) == 0u', 'uint(-0.0) == 0u', 'duration("-9223372036854775808ns") < duration("9223372036854775807ns")', '1 != "1"', '[1, 2u] == [1.0, 2]', '{"a": 1} == {"a": 1.0}', 'null == null',
  '-9223372036854775808 < 0', '0x10 == 16', '.5 == 0.5', '1e2 == 100.0', '!false', '!!true', '--1 == 1', '- 1 == -1',
  '"a" < "b"', '"\\uffff" < "\\U00010000"', "b'a' < b'b'", 'false < true', 'size("𝒳y") == 2', "size(b'\\xff\\377é') == 4", 'size([1,2,]) == 2', '{"a":1}.size() == 1',
  'true || 1 / 0 == 1', '1 / 0 == 1 || true', '!(false && 1 / 0 == 1)', '!(1 / 0 == 1 && false)', '"x" == "y" || true', 'true ? true : 1 / 0 == 1',
  '1 in [1.0]', '"a" in {"a": 1}', '!("b" in {"a": 1})', '1.0 in {1: 2}', '!(1.5 in {1: 2})', '{1: 2}[1.0] == 2', '[5, 6][1u] == 6', '[5, 6][args.i] == 6',
  'args.amount == 40', 'args["amount"] > 39', 'args.n == null', 'args.deep.x[1] == 2.5', 'has(args.amount)', '!has(args.missing)', 'has(args.n)', 'args["é"].endsWith("y")',
  '$yes', '!$no', '!$unsent', 'facts.yes', '!facts["unsent"]', '!("unsent" in facts)', '$yes && agent == "desk"', 'principal.id == "u-1"', '"admin" in principal.roles',
  'origins.amount == "typed"', 'labels.exists(l, l.startsWith("untrusted:"))', 'turn.contains("40")', 'ran("get_order") == 2', 'allowed("x") == 3', 'allowed_within("x", 60) == 1',
  'allowed_within("x", 59) == 0', '[1,2,3].all(x, x > 0)', '[1,2,3].exists_one(x, x > 2)', '[1,2,3].filter(x, x > 1) == [2, 3]', '[1,2,3].map(x, x * 2) == [2, 4, 6]',
  '[1,2,3].map(x, x > 1, x * 2) == [4, 6]', '[0, 1].exists(x, 1 / x == 1)', '![0, 2].all(x, 4 / x == 1)', '{"a": 1, "b": 2}.all(k, k < "c")', '[[1]].map(x, x.map(y, y + 1)) == [[2]]',
  '[].all(x, 1 / 0 == 1)', '![].exists(x, true)', '[1].exists(tool, tool == 1)', '[1].exists(tool, .tool == "charge_card")',
  '"abc".matches("b")', '!"abc".matches("^b")', 'matches("a1", "^[a-z]\\\\d$")', "r'\\d' == '\\\\d'", '"""a\n"b""" == "a\\n\\"b"', "'\\x41\\101\\u0041' == 'AAA'", "b'\\x41' == b'A'", "bR'\\x' == b'\\\\x'",
  'int("42") == 42', 'int(3.9) == 3', 'int(-3.9) == -3', 'uint(3) == 3u', 'double("1.5") == 1.5', 'string(1.5) == "1.5"', 'string(-3) == "-3"', 'string(true) == "true"', 'bool("true")', '!bool("0")',
  'string(b"abc") == "abc"', 'bytes("é") == b"é"', 'dyn(1) == 1', 'int(timestamp("2009-02-13T23:31:30Z")) == 1234567890', 'timestamp(1234567890) == timestamp("2009-02-13T23:31:30Z")',
  'timestamp("2009-02-13T23:31:30.5+01:00").getHours() == 22', 'timestamp("2009-02-13T23:31:30Z").getHours("+05:30") == 5', 'timestamp("2009-02-13T23:31:30Z").getFullYear() == 2009',
  'timestamp("2009-02-13T23:31:30Z").getMonth() == 1', 'timestamp("2009-02-13T23:31:30Z").getDate() == 13', 'timestamp("2009-02-13T23:31:30Z").getDayOfMonth() == 12',
  'timestamp("2009-02-13T23:31:30Z").getDayOfWeek() == 5', 'timestamp("2009-02-13T23:31:30Z").getDayOfYear() == 43', 'timestamp("2009-02-13T23:31:30.123456Z").getMilliseconds() == 123',
  'timestamp("1969-12-31T23:59:59.5Z").getMilliseconds() == 500', 'duration("1h30m").getMinutes() == 90', 'duration("-1.5s") + duration("1.5s") == duration("0")', 'string(duration("90m")) == "5400s"',
  'string(duration("-1.5s")) == "-1.5s"', 'string(timestamp("2009-02-13T23:31:30.50Z")) == "2009-02-13T23:31:30.5Z"', 'now - timestamp(1764444990) == duration("10s")', 'now + duration("1s") > now',
  'duration("123.321456789s").getMilliseconds() == 321', '"a" + "b" == "ab"', '[1] + [2] == [1, 2]', "b'a' + b'b' == b'ab'", '1 < 2 == true', 'true // a comment', '-2 < -1', '[1,2][0] == 1', 'args.amount > 200.0 || tool == "charge_card"',
];
const fails = [
  'args.missing', 'args.amount', '"x"', 'null', '1 + 1.0 == 2.0', 'args.amount + 1 == 41', '9223372036854775807 + 1 > 0', '-9223372036854775808 / -1 > 0', '-(-9223372036854775808) > 0', '0u - 1u > 0u', '1 / 0 == 1', '1 % 0 == 1',
  '"a" < 1', 'null < null', '[1] < [2]', 'true && "x"', '"x" && true', 'false || 1', '"a" ? true : false', '!1', '-"a" == 1', '-1u == 1', '[1][1] == 1', '[1][-1] == 1', '[1][0.5] == 1', '{"a": 1}["b"] == 1', '{"a": 1, "a": 2} == {}', '{1.0: 1} == {}',
  'tool.x == 1', 'has(tool.x)', '1 in 1', 'size(1) == 1', 'int("x") == 1', 'int(1e19) == 1', 'uint(-1) == 1u', 'double("x") == 1.0', 'bool("tRuE")', 'timestamp("2009-02-30T00:00:00Z") == now', 'duration("1") == duration("1s")',
  'string(b"\\xff") == ""', 'timestamp("9999-12-31T23:59:59Z") + duration("1s") > now', 'now.getHours("Mars/Olympus") == 1', '[1, "a"].exists_one(x, x > 0)', '[1].map(x, x.y) == []', 'args.amount.matches("a")', 'ran(1) == 1', 'allowed_within("a", "b") == 1', '"a".matches(args.tags[0] + "(")',
  '"a" * 2 == "aa"', '[1,2].all(x, x)', 'true ? 1 : 2', 'duration("-320000000000s") < duration("1s")', 'duration("9223372037s") > duration("1s")', 'timestamp("9999-12-31T23:59:59Z") - timestamp("0001-01-01T00:00:00Z") > duration("0")', 'uint(-0.5) == 0u', 'double("-nan") != 0.0', '9007199254740993 > 9007199254740992.0 || args.missing',
];
const refused = [
  '', '1 +', '(1', 'undeclared', 'undeclared || true', 'true || undeclared', 'nope(1)', '"a".nope()', 'type(1) == int', 'args.in', 'for', 'in', 'args.filter(1, true)', '[1].all(x)', '[1].map(x, 1, 2, 3) == []', 'has(args)', 'has(args["a"])',
  '9223372036854775808 > 0', '-9223372036854775809 < 0', '18446744073709551616u > 0u', '"a', "'a\nb'", '"\\q" == ""', '"\\ud800" == ""', "b'\\u0041' == b'A'", '1 2', 'a.b.c', '$', '$1', '$true', '`a` == 1', 'args.x{}', 'google.protobuf.Duration{}', '1.', '"a".matches("(")', '"a".matches("(?=a)")', '"a".matches("(a)\\\\1")',
  '!-1 == 1', 'size() == 0', '"a".startsWith() || true', 'true ? true', 'x = 1', 'true & true', '[1,,2] == []', '{"a"} == {}', '[1].all(true, true)',
];

describe('conditions', () => {
  it.each(holds)('%s holds', (text) => expect(run(text)).toBe(true));
  it.each(fails)('%s fails', (text) => expect(run(text)).toBe('error'));
  it.each(refused)('%s is refused', (text) => expect(run(text)).toBe('refused'));
  it('refuses a fact that is not listed, and names it', () => {
    expect(parseCondition('$yes && $maybe', ['yes'])).toEqual({ error: '"maybe" is not a listed fact', offset: 8, fact: 'maybe' });
    expect(run('$yes', ['yes'])).toBe(true);
    expect(run('facts.maybe', ['yes'])).toBe('refused');
    expect(run('[args].exists(facts, facts.amount == 40)', [])).toBe(true);
  });
  it('counts offsets in bytes', () => expect(parseCondition('"é" == x', null)).toMatchObject({ offset: 8 }));
});
