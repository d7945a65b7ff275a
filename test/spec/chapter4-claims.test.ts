// Chapter 4, "As typed": what a turn proves, by the op `typed` and by the claims of a call.

import { describe, expect, it } from "vitest";
import { Driver, type Json } from "./core.ts";
import { Session, object, shop, write } from "./world.ts";

const driver = new Driver();
const typed = (value: Json, turns: string[] | string, language?: string): boolean => driver.ok({ op: "typed", value, turns: [turns].flat(), ...(language ? { language } : {}) });
/** The same with the value's text as it stands. */
const raw = (value: string, turn: string): boolean => JSON.parse(driver.line(`{"id":1,"op":"typed","turns":[${JSON.stringify(turn)}],"value":${value}}`)).ok;

describe("strings", () => {
  it.each([
    ["4411", "order 4411", true], ["4411", "4411", true], ["4411", "order 44112", false], ["4411", "x4411", false], ["4411", "(4411)", true], ["4411", "#4411,", true], ["Ana", "ana", false],
    ["Ana", "ask Ana Silva", true], ["Ana", "Anabel", false], ["Ana", "Anabel and Ana", true], ["Ana Silva", "Ana  Silva", false], ["a-b", "x a-b y", true], ["-", "a - b", false], ["", "", false],
    ["!!", "!!", false], ["é", "é", true], ["é", "e\u0301", false], ["e\u0301", "e\u0301", true], ["e", "e\u0301", true], ["\u0301", "e\u0301", false], ["٣", "x ٣ y", true], ["٣", "٣٤", false],
    ["½", "½", true], ["½", "1½", false], ["日本", "日本語", false], ["日本", "日本 語", true], ["x", "x_y", true], ["40", "$40.00", true], [" ana ", "to ana now", false], [" ana ", "to: ana ,", true], ["-a", "b-a", false],
    ["\u{1d400}", "a\u{1d400}", false], ["\u{1d400}", "\u{1f600}\u{1d400}", true], ["a\nb", "a\nb", true], ["a", "ab\na", true],
  ] as const)("%j in %j: %s", (value, turn, expected) => expect(typed(value, turn)).toBe(expected));
  it("-a in b-a: the character before is a letter, so it is not there", () => expect(typed("-a", "b-a")).toBe(false));
  it("in any turn, not across two", () => {
    expect(typed("b", ["a", "b"])).toBe(true);
    expect(typed("a b", ["a", "b"])).toBe(false);
    expect(typed("a", [])).toBe(false);
  });
});

describe("numbers", () => {
  const rows: [Json, string, boolean][] = [
    [40, "40", true], [40, "40.00", true], [40, "040", true], [40, "pay 40,", true], [40, "total:40,", true], [40, "(40)", true], [40, "40!", true], [40, "'40'", true], [40, "+40", true], [40, "-40", false],
    [-40, "-40", true], [-40, "40", false], [-40, "a -40", true], [40, "$40", true], [40, "40$", true], [40, "R$40", true], [40, "US$ 40", true], [40, "€ 40", true], [40, "40 €", true], [40, "40%", true],
    [40, "40 %", true], [40, "v40", false], [40, "40kg", false], [40, "40 kg", true], [77, "A-77", false], [77, "3-77", false], [77, "- 77", true], [77, "A - 77", true], [40, "40-50", false], [50, "40-50", false],
    [40, "40/50", false], [40, "40:50", false], [10, "10:30", false], [2026, "2026-01-02", false], [1.2, "1.2.3", false], [1, "1.2.3", false], [1234, "1,234", true], [1234567, "1,234,567", true],
    [1234.5, "1,234.50", true], [1234, "12,34", false], [12, "12,34", false], [0.5, "0.5", true], [0.5, ".5", false], [40, "40.", true], [0, "0", true], [0, "-0", true], [1000, "1,000", true], [1, "1,000", false],
    [40, "40x", false], [40, "x40", false], [40, "_40", true], [40, "forty", false], [40, "é40", false], [40, "40é", false], [100, "1e2", false], [40, "#40", true], [40, "40;50", true], [50, "40;50", true],
    [40.5, "40.50", true], [40, "40.5", false], [1e21, "1000000000000000000000", true], [40, "$ 40", true], [40, "abc$40", true], [40, "40 - 50", true], [40, "40/", true], [40, "/40", true],
    [40, "40, 50", true], [50, "40, 50", true], [4411, "order 4411.", true], [40, "٤٠", false],
  ];
  it.each(rows)("%j in %j: %s", (value, turn, expected) => expect(typed(value, turn)).toBe(expected));
  it.each([
    [1234.5, "1.234,50", true], [40, "R$40,00", true], [40, "R$ 40,00", true], [1234, "1.234", true], [1.234, "1.234", false], [40.5, "40,5", true], [1234, "1,234", false], [1.234, "1,234", true],
  ] as const)("pt-BR: %j in %j: %s", (value, turn, expected) => expect(typed(value, turn, "pt-BR")).toBe(expected));
  it("has that value, and is no other number by what a double makes of it (chapter 1)", () => {
    expect(raw("0.1", "0.1")).toBe(true);
    expect(raw("9007199254740992", "9007199254740993")).toBe(false);
    expect(raw("0", `0.${"0".repeat(400)}1`)).toBe(false);
    expect(raw("40.00", "40")).toBe(true);
    expect(raw("4e1", "40")).toBe(true);
  });
});

describe("other values", () => {
  it("true, false, null, {}, [] are never typed", () => {
    for (const value of [true, false, null, {}, []]) expect(typed(value, "true false null {} []"), JSON.stringify(value)).toBe(false);
    expect(typed([1, []], "1 []")).toBe(false);
    expect(typed({ a: 1, b: true }, "1 true")).toBe(false);
  });
  it("an array or object: every leaf is; names are not leaves", () => {
    expect(typed([1, "a"], "a 1")).toBe(true);
    expect(typed({ x: { y: ["b"] } }, "b")).toBe(true);
    expect(typed([1, 2], "1")).toBe(false);
  });
  it("one occurrence proves one leaf", () => {
    expect(typed(["a", "a"], "a")).toBe(false);
    expect(typed(["a", "a"], "a a")).toBe(true);
    expect(typed([5, 5], "5 5")).toBe(true);
    expect(typed([5, "5"], "5")).toBe(false);
    expect(typed([5, "5"], "5 5")).toBe(true);
    expect(typed(["a", "a"], ["a", "a"])).toBe(true);
    expect(typed([-5, "5"], "-5")).toBe(false);
    expect(typed(["5", -5], "-5 5")).toBe(false);
  });
  it("leaves in canonical order: members by name, each the earliest that overlaps none", () => {
    expect(typed({ b: "x y", a: "x" }, "x y")).toBe(false);
    expect(typed({ b: "x y", a: "x" }, "x, x y")).toBe(true);
    expect(typed({ b: "x", a: "x y" }, "x y x")).toBe(true);
  });
});

describe("the claims of a call", () => {
  const tool = write("t", { parameters: object({ a: {}, b: {}, c: {} }) });
  const asked = (args: Json, turns: string[], claims: string[] = Object.keys(args)): string[] => {
    const origins: Json = {};
    for (const name of Object.keys(args)) origins[name] = claims.includes(name) ? "typed" : "context";
    return new Session(shop({ tools: [tool] })).peek("t", args, { origins, turns }).reasons.map((reason: string) => reason.replace("argument_origin: ", ""));
  };
  it("arguments claimed typed are taken by name; one occurrence proves one", () => {
    expect(asked({ a: "x", b: "x" }, ["x"])).toEqual(["b"]);
    expect(asked({ b: "x", a: "x" }, ["x"])).toEqual(["b"]);
    expect(asked({ a: "x", b: "x" }, ["x"], ["b"])).toEqual(["write"]);
    expect(asked({ a: "x", b: "x" }, ["x x"])).toEqual(["write"]);
  });
  it("all leaves are tried, and what a leaf took stays taken", () => {
    expect(asked({ a: ["no", "x"], b: "x" }, ["x"])).toEqual(["a", "b"]);
    expect(asked({ a: [true, "x"], b: "x" }, ["x"])).toEqual(["a", "b"]);
    expect(asked({ a: ["no", "x"], b: "x" }, ["x x"])).toEqual(["a"]);
  });
  it("past limits.steps a value is not typed", () => {
    const s = new Session(shop({ tools: [tool], settings: { limits: { steps: 50 } } }));
    const answer = s.peek("t", { a: "x" }, { origins: { a: "typed" }, turns: [`${"y ".repeat(100)}x`] });
    expect(answer.reasons).toEqual(["argument_origin: a"]);
  });
  it("pt-BR by the policy's language", () => {
    const s = new Session(shop({ tools: [tool], settings: { language: "pt-BR" } }));
    expect(s.peek("t", { a: 1234.5 }, { origins: { a: "typed" }, turns: ["R$ 1.234,50"] }).reasons).toEqual(["write"]);
  });
});
