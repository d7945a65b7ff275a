// What goes into the core: values that JSON has, raw text kept to the last digit, and nothing that could become another member.
import { Client, History, InterlockError, rawJson, rawMembers } from "interlock";
import { expect, it } from "vitest";
import { elements, isOneValue, members, memberText, valueEnd, withMember } from "../../bindings/cut.ts";
import { keys, NOW, policy } from "./bindings-shop.ts";
import { Random } from "./random.ts";

const client = new Client({ policy, keys, clock: () => NOW });
const check = (args: Parameters<Client["checkToolCall"]>[1], tool = "get_order") => client.checkToolCall(tool, args, { agent: "desk", session: "s" });

function errorOf(work: () => unknown): InterlockError {
  try {
    work();
  } catch (error) {
    if (error instanceof InterlockError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

it("raw arguments keep their digits, and what runs is canonical", () => {
  const text = '{ "amount" : 40.00, "order_id": "\\u0034411" }';
  expect(check(rawJson(text), "charge_card").decision).toBe("refuse");
  const allowed = client.checkToolCall("get_order", rawJson(new TextEncoder().encode('{"order_id":"\\u00e9\\/"}')), { agent: "desk", session: "s" });
  expect(allowed.argumentsText).toBe('{"order_id":"é/"}');
  expect(allowed.arguments).toEqual({ order_id: "é/" });
  const precise = client.checkToolCall("charge_card", rawJson('{"amount":9007199254740993,"order_id":"1"}'), { agent: "desk", session: "s" });
  expect([precise.reason, precise.pointer, precise.detail?.["rule"]]).toEqual(["argument_schema", "/amount", "precision"]);
});

it("raw text cannot bring members of its own", () => {
  for (const text of ['{"order_id":"1"},"undo":{"step":0}', "{}}", "{},", "", " ", '{"a":"', '"', "{]", "1 2", "{} {}", '{"a":1}"b"', "[1}]", '"a""b"', 'x"y"']) {
    expect(
      errorOf(() => check(rawJson(text))),
      text,
    ).toMatchObject({ code: expect.stringMatching(/^json_|^request_invalid/) as string });
  }
});

it("the members of a text are told with their digits, whatever their names are written like", () => {
  const told = (text: string) => rawMembers(text)?.map(({ name, value }) => [name, value.text]) ?? null;
  expect(told('{ "a" : 1.0 ,"\\u006eow":[1e400,{"now":2}],"":"}","a":null}')).toEqual([
    ["a", "1.0"],
    ["now", '[1e400,{"now":2}]'],
    ["", '"}"'],
    ["a", "null"],
  ]);
  expect(told("{}")).toEqual([]);
  for (const text of ["", "[]", "null", '{"a":1', '{"a":1}}', '{"a":1} {', '{"a" 1}', '{"\\x":1}', '{"a\n":1}', "{a:1}", '{"a":}', "\ufeff{}"]) expect(told(text), text).toBe(null);
});

it("raw text that is not strict JSON is refused by the core, with the place", () => {
  expect(errorOf(() => check(rawJson('{"a":1,"a":2}')))).toMatchObject({ code: "json_duplicate", pointer: "/arguments", offset: 7 });
  expect(errorOf(() => check(rawJson('{"a":01}')))).toMatchObject({ code: "json_syntax", pointer: "/arguments/a" });
  expect(errorOf(() => check(rawJson('{"é":"\\ud800"}')))).toMatchObject({ code: "json_surrogate", offset: 6 });
  expect(errorOf(() => check(rawJson('{"a":"\ud800"}')))).toMatchObject({ code: "json_surrogate" });
  expect(errorOf(() => rawJson(Uint8Array.of(0x7b, 0xff, 0x7d)))).toMatchObject({ code: "json_encoding" });
  expect(errorOf(() => check(rawJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))))).toMatchObject({ code: "json_syntax" });
});

it("what JSON does not have is refused, not converted", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  for (const [value, pointer] of [
    [{ a: Number.NaN }, "/arguments/a"],
    [{ a: [1, Number.POSITIVE_INFINITY] }, "/arguments/a/1"],
    [{ a: 1n }, "/arguments/a"],
    [{ a: () => 1 }, "/arguments/a"],
    [{ "a/b~": Symbol("x") }, "/arguments/a~1b~0"],
    [{ a: new Date(0) }, "/arguments/a"],
    [{ a: new Map() }, "/arguments/a"],
    [{ a: [undefined] }, "/arguments/a/0"],
  ] as [Record<string, unknown>, string][]) {
    expect(errorOf(() => check(value))).toMatchObject({ code: "json_value", pointer });
  }
  expect(errorOf(() => check(cyclic))).toMatchObject({ code: "json_depth" });
  expect(check({ order_id: "1", note: undefined }).decision).toBe("allow");
  expect(errorOf(() => check({ order_id: "\udc00" }))).toMatchObject({ code: "json_surrogate", pointer: "/arguments/order_id" });
  const hidden = check(JSON.parse('{"__proto__":{"a":1},"order_id":"1"}') as Record<string, unknown>);
  expect([hidden.reason, hidden.pointer]).toEqual(["argument_schema", "/__proto__"]);
});

it("members that are missing or wrong are request_invalid at their place", () => {
  expect(errorOf(() => client.checkToolCall("get_order", { order_id: "1" }))).toMatchObject({ code: "request_invalid", pointer: "/session" });
  expect(errorOf(() => client.checkToolCall("get_order", rawJson("[]"), { session: "s" }))).toMatchObject({ code: "request_invalid", pointer: "/arguments" });
  expect(errorOf(() => new Client({ policy: {}, keys }))).toMatchObject({ code: "policy_invalid" });
  expect(errorOf(() => new Client({ policy: {}, keys })).problems?.length).toBeGreaterThan(0);
  expect(errorOf(() => new Client({ policy, keys: {} }))).toMatchObject({ code: "keys_invalid" });
  expect(errorOf(() => new Client({ policy: '{"a":1},"documents":{}', keys }))).toMatchObject({ code: "json_syntax" });
});

it("a ToolCheck in an expression that wants a value throws", () => {
  const answer = check({ order_id: "1" });
  for (const use of [
    () => `${answer as unknown as string}`,
    () => (answer as unknown as number) + 1,
    () => (answer as unknown as string) == "allow",
    () => (answer as unknown as number) > 0,
  ]) {
    expect(errorOf(use)).toMatchObject({ code: "check_truth_value" });
  }
  expect(JSON.parse(JSON.stringify(answer))).toEqual(JSON.parse(answer.text));
});

it("cutting finds what reading finds, and takes nothing for a value that is none", () => {
  const random = new Random(5);
  const pieces = ["{", "}", "[", "]", ",", ":", '"', "\\", " ", "1", "a", '"a"', "true", "null", "\n", '\\"'];
  const value = (depth: number): unknown => {
    switch (depth > 3 ? random.below(4) : random.below(6)) {
      case 0:
        return random.below(1000) / 8;
      case 1:
        return ["", "a", 'q"q', "\\", "{[", "é😀", ",:"][random.below(7)];
      case 2:
        return [true, false, null][random.below(3)];
      case 3:
        return {};
      case 4:
        return Array.from({ length: random.below(4) }, () => value(depth + 1));
      default:
        return Object.fromEntries(Array.from({ length: random.below(4) }, (_, i) => [`${i}${'"]}'[random.below(3)]}`, value(depth + 1)]));
    }
  };
  for (let i = 0; i < 20_000; i++) {
    const whole = value(0);
    const text = JSON.stringify(whole, null, random.below(2));
    expect(valueEnd(text, 0)).toBe(text.length);
    expect(isOneValue(` ${text}\n`)).toBe(true);
    if (Array.isArray(whole)) expect(elements(text)!.map((each) => JSON.parse(each) as unknown)).toEqual(whole);
    else if (whole !== null && typeof whole === "object") expect(Object.fromEntries(members(text)!.map((each) => [JSON.parse(each.name), JSON.parse(each.value)]))).toEqual(whole);
    const noise = Array.from({ length: 1 + random.below(8) }, () => pieces[random.below(pieces.length)]).join("");
    if (!isOneValue(noise)) expect(isJson(noise), noise).toBe(false);
    else if (isJson(`{"a":1,"b":${noise},"c":2}`)) expect(Object.keys(JSON.parse(`{"a":1,"b":${noise},"c":2}`) as object), noise).toEqual(["a", "b", "c"]);
  }
});

it("what plain JavaScript gets wrong is said at its place", () => {
  const misspelt = { agent: "desk", session: "s", lables: { call: ["pii"] } } as object;
  expect(errorOf(() => client.checkToolCall("get_order", { order_id: "1" }, misspelt))).toMatchObject({ code: "request_invalid", pointer: "/lables" });
  expect(errorOf(() => client.session("desk").checkToolCall("get_order", { order_id: "1" }, { session: "s" } as object))).toMatchObject({
    code: "request_invalid",
    pointer: "/session",
  });
  expect(errorOf(() => rawJson(5 as unknown as string)).code).toBe("json_value");
  expect(errorOf(() => History.fromDict('{"entries":[]}')).code).toBe("history_invalid");
  expect(errorOf(() => new Client(undefined as never))).toMatchObject({ code: "request_invalid", pointer: "/policy" });
  expect(errorOf(() => new Client({ policy } as never))).toMatchObject({ code: "request_invalid", pointer: "/keys" });
  expect(errorOf(() => client.receipt("get_order", {}, undefined as never))).toMatchObject({ code: "request_invalid", pointer: "/history" });
  const cyclic: Record<string, unknown> = {};
  cyclic["a"] = cyclic;
  expect(errorOf(() => check(cyclic))).toMatchObject({ code: "json_depth", pointer: "/arguments/a/a/a/a/a/a/a" });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it("members are found and put in their canonical place", () => {
  expect(memberText('{"a":{"b":1},"b":[2,"}"],"c":3}', "b")).toBe('[2,"}"]');
  expect(memberText("{}", "b")).toBeUndefined();
  expect(withMember("{}", "b", "1")).toBe('{"b":1}');
  expect(withMember('{"a":1,"c":2}', "b", "0")).toBe('{"a":1,"b":0,"c":2}');
  expect(withMember('{"a":1}', "b", "0")).toBe('{"a":1,"b":0}');
  expect(withMember('{"10":1,"2":1}', "11", "0")).toBe('{"10":1,"11":0,"2":1}');
});
