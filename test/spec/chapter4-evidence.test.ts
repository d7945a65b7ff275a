// Chapter 4, "As typed", sentence by sentence: what proves a value typed, in both languages, and how occurrences are shared out.

import { describe, expect, it } from "vitest";
import { Core, keySet, raw, text } from "./conform-core.ts";

const core = new Core();
const typed = (value: unknown, turns: string | string[], language?: string): boolean => core.send("typed", { value, turns: Array.isArray(turns) ? turns : [turns], language }).ok;
const each = (cases: [unknown, string | string[], boolean][], language?: string): void => {
  expect(cases.map(([value, turns]) => [text(value), turns, typed(value, turns, language)])).toEqual(cases.map(([value, turns, expected]) => [text(value), turns, expected]));
};

describe("a string", () => {
  it("holds a letter or digit, occurs letter for letter, and stands between characters that are neither", () => {
    each([
      ["4411", "charge order 4411 40.00", true], ["4411", "order 44110", false], ["4411", "order x4411", false], ["4411", "order 4411x", false], ["4411", "#4411!", true], ["4411", "4411", true], ["order 4411", "charge order 4411 now", true], ["Order", "order", false], ["order", "Order", false], ["a", "banana a", true], ["a", "banana", false], ["an", "banana an", true],
      ["-", "a - b", false], ["", "a", false], ["!!", "!!", false], [" ", "a b", false], ["é", "é", true], ["é", "e\u0301", false], ["e", "e\u0301", true], ["e\u0301", "e\u0301x", false], ["caf", "café", false], ["日", "日本", false], ["日本", "日本。", true], ["٤", "٤٤", false], ["٤٤", "x ٤٤.", true], ["Ⅷ", "Ⅷ", true], ["²", "x²", false], ["a", "a_b", true], ["a", "a-b", true], ["😀", "😀", false], ["😀a", "x 😀a", true], ["𝒜", "𝒜𝒜", false], ["𝒜", "𝒜", true],
      ["a b", "a  b", false], ["a\nb", "a\nb", true], ["4411", ["no", "then 4411"], true], ["one two", ["one", "two"], false], ["x", [], false], [" a", "b a", false], [" a", "! a", true], ["(a", "x(a", false], ["a", "a\u0000", true], ["aa", "aaa aa", true], ["ab ab", "ab ab ab", true],
    ]);
  });
});

describe("a number, en", () => {
  it("some numeral in a turn has that value", () => {
    each([
      [40, "charge 40.00", true], [40, "40", true], [40, "040", true], [40.5, "40.5", true], [40.5, "40.50", true], [1234, "1,234", true], [1234.5, "1,234.50", true], [1234567, "1,234,567", true], [1234, "1234", true], [12, "1,2", false], [1234, "12,34", false], [1234567, "1234,567", false], [1234567, "1,234567", false], [0, "0", true], [0.5, "0.5", true], [0.5, ".5", false], [5, "5.", true], [100, "1e2", false], [41, "40", false], [4, "40", false],
      [raw("40.00"), "40", true], [raw("1e2"), "100", true], [1234, "1.234", false], [1.234, "1.234", true], [1, "1,", true], [1, "one", false], [12, "12 apples", true], [1000, "1,000.", true],
    ]);
  });
  it("an optional sign", () => {
    each([[-40, "-40", true], [40, "-40", false], [40, "+40", true], [-40, "+40", false], [-40, "pay -40 now", true], [40, "(-40)", false], [-40, "total: -40", true], [-40, "- 40", false], [40, "- 40", true], [0, "-0", true]]);
  });
  it("letters right before a currency sign belong to it; a currency sign or % beside a numeral is ignored", () => {
    each([[40, "R$40", true], [40, "US$ 40", true], [40, "$40", true], [40, "$ 40", true], [40, "40€", true], [40, "40 €", true], [40, "€40.00", true], [40, "40%", true], [-40, "-$40", true], [-40, "$-40", true], [40, "£40.", true], [40, "xyz$40", true], [40, "R$ 40,", true], [40, "¥40", true]]);
  });
  it("a numeral glued to other letters is not one", () => {
    each([[40, "v40", false], [40, "40kg", false], [40, "40 kg", true], [40, "R40", false], [40, "40x", false], [40, "é40", false], [40, "x40x", false], [40, "40th", false], [40, "_40", true], [40, "40_", true]]);
  });
  it("after a hyphen that follows a letter or digit, or joined to further digits", () => {
    each([
      [77, "A-77", false], [-77, "A-77", false], [77, "5-77", false], [5, "5-77", false], [77, "A -77", false], [-77, "A -77", true], [77, "A- 77", true], [10, "10:30", false], [30, "10:30", false], [2025, "2025-11-29", false], [11, "2025-11-29", false], [29, "29/11/2025", false], [2025, "29/11/2025", false], [1.2, "1.2.3", false], [3, "1.2.3", false], [1, "1/2", false], [2, "1/2", false], [192.168, "192.168.0.1", false], [40, "40/", true], [40, "/40", true], [40, "40:", true], [40, "40-", true], [40, "40.", true], [5, "5:x", true],
    ]);
  });
  it("punctuation before and after is not part of it", () => {
    each([[40, "total:40,", true], [40, "(40)", true], [40, "=40;", true], [40, "40?", true], [40, "\"40\"", true], [40, "#40", true], [40, "40!", true], [40, "x:40", true], [40, "x,40", true], [40, "x.40", true], [40, "x/40", true]]);
  });
});

describe("a number, pt-BR", () => {
  it("the separators are exchanged", () => {
    each([[40, "R$40,00", true], [40.5, "40,5", true], [1234.5, "1.234,50", true], [1234, "1.234", true], [1234567, "1.234.567", true], [1.234, "1.234", false], [1.234, "1,234", true], [1234, "1,234", false], [40, "40.00", false], [40, "R$ 40,00.", true], [12, "1.2", false], [-40.5, "-40,50", true], [40, "40", true], [1234, "1234", true]], "pt-BR");
    each([[40, "R$40,00", false], [40, "R$40.00", true]], "en");
    each([[1234, "1,234", true]], undefined);
  });
});

describe("other values", () => {
  it("true, false, null, {} and [] are never typed", () => {
    each([[true, "true", false], [false, "false", false], [null, "null", false], [raw("{}"), "{}", false], [[], "[]", false], [[[]], "[]", false], [{ a: {} }, "a", false], [["a", true], "a true", false]]);
  });
  it("an array or object: every leaf is", () => {
    each([[["a", 5], "a 5", true], [["a", 5], "a", false], [{ x: "a", y: [5] }, "5 a", true], [{ a: "b" }, "b", true], [{ a: "b" }, "a", false]]);
  });
  it("one occurrence proves one leaf, in canonical order, each by the earliest that overlaps none taken", () => {
    each([[["a", "a"], "a", false], [["a", "a"], "a a", true], [["a", "a"], ["a", "a"], true], [[5, 5], "5", false], [[5, 5.0], "5 and 5", true], [["4411", 4411], "4411", false], [["4411", 4411], "4411 4411", true], [["a b", "b"], "a b", false], [["b", "a b"], "a b", false], [["b", "a b"], "a b, a b", true], [["a b", "b"], "a b, a b", true]]);
    each([[{ b: "x", a: "x y" }, "x y, x", true], [{ a: "x", b: "x y" }, "x y, x", false], [[-5, "5"], "-5", false], [["5", -5], "-5", false]]);
  });
});

describe("in a check", () => {
  core.send("keys", { name: "k", keys: keySet });
  const policy = (settings: object) => ({ format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "w", irreversible: true, parameters: { type: "object", properties: { a: {}, b: {}, c: {} } } }], settings });
  core.send("register", { name: "p", policy: policy({}) });
  core.send("register", { name: "br", policy: policy({ language: "pt-BR" }) });
  core.send("register", { name: "few", policy: policy({ limits: { steps: 50 } }) });
  const reasons = (members: object, name = "p") => core.send("check", { policy: name, keys: "k", request: { format: "qls-tool-check/1", session: "s", tool: "w", now: 5, ...members } }).ok.reasons;
  const all = { a: "typed", b: "typed", c: "typed" };
  it("arguments claimed typed are taken by name", () => {
    expect(reasons({ arguments: { a: "4411", b: 40 }, origins: all, turns: ["charge 4411 40.00"] })).toEqual(["write"]);
    expect(reasons({ arguments: { a: "x", b: "x" }, origins: all, turns: ["x"] })).toEqual(["argument_origin: b"]);
    expect(reasons({ arguments: { b: "x", a: "x" }, origins: { b: "typed" }, turns: ["x"] })).toEqual(["argument_origin: a"]);
    expect(reasons({ arguments: { a: "x" }, origins: all, turns: [] })).toEqual(["argument_origin: a"]);
    expect(reasons({ arguments: { a: "x" }, origins: all })).toEqual(["argument_origin: a"]);
  });
  it("all leaves are tried, and what a leaf took stays taken, whatever becomes of its argument", () => {
    expect(reasons({ arguments: { a: ["missing", "x"], b: "x" }, origins: all, turns: ["x"] })).toEqual(["argument_origin: a", "argument_origin: b"]);
    expect(reasons({ arguments: { a: ["x", true], b: "x" }, origins: all, turns: ["x x"] })).toEqual(["argument_origin: a"]);
  });
  it("the policy's language", () => {
    expect(reasons({ arguments: { a: 1234.5 }, origins: all, turns: ["1.234,50"] }, "br")).toEqual(["write"]);
    expect(reasons({ arguments: { a: 1234.5 }, origins: all, turns: ["1.234,50"] })).toEqual(["argument_origin: a"]);
  });
  it("past limits.steps a value is not typed", () => {
    expect(reasons({ arguments: { a: "x" }, origins: all, turns: ["y ".repeat(500) + "x"] }, "few")).toEqual(["argument_origin: a"]);
    expect(reasons({ arguments: { a: "x" }, origins: all, turns: ["y ".repeat(500) + "x"] })).toEqual(["write"]);
  });
});
