// Tests typed evidence (chapter 4, "As typed"): tables in both languages, each row with the reason for its answer.

import { describe, expect, it } from "vitest";
import { Unit } from "./instance";

const unit = new Unit("typed");
const utf8 = new TextEncoder();
const MANY = 1n << 50n;

type Language = "en" | "pt-BR";

/** Which of the arguments are proved, by name; all are claimed typed. */
function prove(turns: string[], args: Record<string, unknown>, language: Language = "en", limit = MANY): Record<string, boolean> {
  const bytes = utf8.encode(JSON.stringify({ turns, arguments: args }));
  const [start] = unit.place(bytes) as [number];
  const count = unit.call.prove!(start, bytes.length, language === "pt-BR" ? 1 : 0, limit);
  const names = Object.keys(args).sort();
  expect(count).toBe(names.length);
  return Object.fromEntries(names.map((name, i) => [name, unit.call.isProved!(i) !== 0]));
}

type Row = [turn: string, value: unknown, typed: boolean, why: string];

function table(language: Language, rows: Row[]): void {
  for (const [turn, value, typed, why] of rows) {
    it(`${language}: ${JSON.stringify(value)} in ${JSON.stringify(turn)}: ${typed ? "typed" : "not typed"}, ${why}`, () => {
      expect(prove([turn], { value }, language)).toEqual({ value: typed });
    });
  }
}

// A long text over a short one that is taken, at every place within it and from every place in the turn: however the bytes taken are kept.
it("a value overlaps what is taken wherever the two meet", () => {
  for (let before = 0; before < 9; before++) {
    for (let at = 1; at < 140; at++) {
      const long = `${"b".repeat(at)} xyz ${"c".repeat(141 - at)}`;
      const turn = `${"a".repeat(before)} ${long}`;
      expect([before, at, prove([turn], { a: "xyz", b: long })]).toEqual([before, at, { a: true, b: false }]);
      expect([before, at, prove([`xyz ${turn}`], { a: "xyz", b: long })]).toEqual([before, at, { a: true, b: true }]);
    }
  }
});

describe("strings", () => {
  table("en", [
    ["order 4411 please", "4411", true, "it stands between spaces"],
    ["order 4411", "441", false, "a digit follows"],
    ["order 4411", "411", false, "a digit stands before"],
    ["cat concatenate", "cat", true, "the first one stands alone"],
    ["concatenate", "cat", false, "letters on both sides"],
    ["Send to Ana", "ana", false, "letters are compared as they are"],
    ["send to ana@x.org.", "ana@x.org", true, "the full stop is no letter"],
    ["send to joana@x.org", "ana@x.org", false, "a letter stands before"],
    ["say \"hello world\" now", "hello world", true, "quotation marks are no letters"],
    ["say hello  world", "hello world", false, "two spaces are not one"],
    ["it's don’t", "don't", false, "another apostrophe"],
    ["it's", "it", true, "an apostrophe is no letter"],
    ["ids 007 and 7", "007", true, "leading zeros are kept in a string"],
    ["id 0074", "007", false, "a digit follows"],
    ["40.00", "40", true, "a string asks only for letters and digits beside it"],
    ["v40", "40", false, "a letter stands before"],
    ["café com leite", "café", true, "letters with accents"],
    ["cafés", "café", false, "a letter follows"],
    ["cafe\u0301", "cafe", true, "a combining mark is no letter, and nothing is normalised"],
    ["cafe\u0301", "café", false, "another normal form"],
    ["éa", "a", false, "é is a letter"],
    ["日本語", "日本", false, "ideographs are letters"],
    ["日本 語", "日本", true, "a space follows"],
    ["٤٠", "٤", false, "Arabic digits are digits"],
    ["x²", "x", false, "a superscript digit is a digit (No)"],
    ["ok 👍 ok", "👍", false, "it holds no letter or digit"],
    ["go 👍go", "go", true, "an emoji is no letter"],
    ["👍a👍", "👍a👍", true, "and may stand inside"],
    ["שלום עולם", "שלום", true, "right to left"],
    ["שלום\u200f עולם", "שלום", true, "a direction mark is no letter"],
    ["user_name", "user", true, "an underscore is no letter (Pc)"],
    ["a", "", false, "it holds no letter or digit"],
    ["a - b", "-", false, "it holds no letter or digit"],
    ["𝒳𝒴", "𝒳", false, "letters beyond U+FFFF"],
    ["🇧🇷Ana", "Ana", true, "regional indicators are no letters (So)"],
    ["(x) (y)", "(y)", true, "it may begin and end with anything"],
    ["a(y)", "(y)", false, "a letter stands before"],
    ["aXbXbX", "bX", false, "letters on both sides, or before"],
    ["a b a b c", "a b c", true, "the second beginning fits"],
  ]);
});

describe("numbers", () => {
  table("en", [
    ["charge 40", 40, true, "a plain numeral"],
    ["total:40,", 40, true, "punctuation before and after is not part of it"],
    ["40.", 40, true, "a full stop after it"],
    ["(40)", 40, true, "brackets"],
    ["pay 40.00", 40, true, "its value counts"],
    ["pay 40.50", 40.5, true, "decimals"],
    ["pay 40.50", 40, false, "another value"],
    ["pay 40.5", 5, false, "part of a numeral is none"],
    ["1,234", 1234, true, "thousands"],
    ["1,234,567.89", 1234567.89, true, "thousands and decimals"],
    ["12,34", 1234, false, "no thousands: joined to further digits"],
    ["1234,567", 1234567, false, "no more than three digits stand before the first comma"],
    ["1,2345", 12345, false, "no thousands"],
    ["1,234.5.6", 1234.5, false, "two decimal marks"],
    ["40,00", 40, false, "a comma marks thousands in en"],
    ["40,00", 4000, false, "two digits are no thousands"],
    ["1.234", 1234, false, "a full stop marks decimals in en"],
    ["1.234", 1.234, true, "decimals"],
    ["-40", -40, true, "a sign"],
    ["-40", 40, false, "the sign counts"],
    ["+40", 40, true, "a plus sign"],
    ["\u221240", 40, false, "the minus sign counts too"],
    ["a -40", -40, true, "a space stands before the sign"],
    ["A-77", 77, false, "after a hyphen that follows a letter"],
    ["A-77", -77, false, "after a hyphen that follows a letter"],
    ["5-77", 77, false, "joined by a hyphen"],
    ["$40", 40, true, "a currency sign"],
    ["$ 40", 40, true, "a currency sign and a space"],
    ["US$ 40", 40, true, "letters before a currency sign belong to it"],
    ["US$40", 40, true, "letters before a currency sign belong to it"],
    ["40€", 40, true, "a currency sign after it"],
    ["40US$", 40, true, "letters before a currency sign belong to it"],
    ["-$40", -40, true, "the sign stands before the currency sign"],
    ["-$40", 40, false, "the sign stands before the currency sign"],
    ["-US$ 40", -40, true, "the sign stands before the currency"],
    ["$-40", -40, true, "the sign stands after the currency sign"],
    ["-US$\u00a040", -40, true, "a no-break space after the currency sign"],
    ["-%40", -40, true, "a per cent sign is ignored before it, too"],
    ["40.٤", 40, false, "joined to a digit of another script"],
    ["x²-40", 40, false, "after a hyphen that follows a digit (No)"],
    ["A\u221277", -77, false, "a minus sign that follows a letter is read as a hyphen"],
    ["USD40", 40, false, "letters without a currency sign"],
    ["40%", 40, true, "a per cent sign"],
    ["40 %", 40, true, "a per cent sign after a space"],
    ["v40", 40, false, "glued to a letter"],
    ["40kg", 40, false, "glued to a unit"],
    ["40 kg", 40, true, "a unit after a space"],
    ["2.5kg", 2, false, "joined to digits that are glued"],
    ["2024-01-02", 2024, false, "a date"],
    ["01/02/2024", 2, false, "a date"],
    ["12:30", 12, false, "a time"],
    ["1.2.3", 1.2, false, "a dotted version"],
    ["v1.2", 2, false, "joined to further digits"],
    ["10/40", 40, false, "joined by a slash"],
    ["id 007", 7, true, "leading zeros do not change a value"],
    ["1 234", 1234, false, "a space does not group"],
    ["1 234", 234, true, "two numerals"],
    ["1'234", 1234, false, "an apostrophe does not group"],
    ["1'234", 1, true, "two numerals"],
    ["\"40\"", 40, true, "quotation marks"],
    ["#40", 40, true, "a number sign"],
    ["٤٠", 40, false, "numerals are written with 0 to 9"],
    ["٤40", 40, false, "glued to another digit"],
    ["40\u0301", 40, true, "a combining mark is no letter"],
    ["👍40👍", 40, true, "emoji are no letters"],
    ["4️⃣", 4, true, "a keycap's marks are no letters"],
    ["עלה 40 שקל", 40, true, "right to left"],
    ["₪40", 40, true, "a currency sign"],
    ["forty", 40, false, "words are no numerals"],
    ["1e3", 1000, false, "glued to a letter"],
    ["0.1", 0.1, true, "the nearest double"],
    ["9007199254740993", 9007199254740992, false, "a double would change what the numeral says"],
    ["9007199254740992", 9007199254740992, true, "exact"],
    ["0", 0, true, "zero"],
    ["0", -0, true, "minus zero has the value of zero"],
    ["40 or 41?", 41, true, "the second numeral"],
    ["40-", 40, true, "a hyphen after it"],
    ["40-a", 40, true, "no digits follow the hyphen"],
    ["40..50", 50, true, "two full stops join nothing"],
    ["1_000", 1000, false, "an underscore does not group"],
  ]);
  table("pt-BR", [
    ["R$40,00", 40, true, "R belongs to the currency sign"],
    ["R$ 40,00", 40, true, "a space after the currency sign"],
    ["paguei 1.234,56", 1234.56, true, "thousands and decimals"],
    ["1.234", 1234, true, "a full stop marks thousands"],
    ["1.234", 1.234, false, "a full stop marks thousands"],
    ["1,234", 1.234, true, "a comma marks decimals"],
    ["1.5", 1.5, false, "no thousands: joined to further digits"],
    ["40.00", 40, false, "no thousands: joined to further digits"],
    ["1.234.567", 1234567, true, "thousands"],
    ["-R$ 40,00", -40, true, "the sign stands before the currency"],
    ["10,5%", 10.5, true, "a per cent sign"],
    ["são 40, não 50", 40, true, "a comma and a space after it"],
    ["nº40", 40, false, "º is a letter (Lo)"],
    ["nº 40", 40, true, "a space stands before"],
    ["12/05/2026", 12, false, "a date"],
    ["versão 1.2.3", 1.2, false, "a dotted version"],
    ["1.234.56", 123456, false, "no thousands"],
  ]);
});

describe("one occurrence proves one leaf", () => {
  const cases: [name: string, turns: string[], args: Record<string, unknown>, want: Record<string, boolean>][] = [
    ["two leaves ask for one word", ["ana"], { a: "ana", b: "ana" }, { a: true, b: false }],
    ["two words for two leaves", ["ana, ana"], { a: "ana", b: "ana" }, { a: true, b: true }],
    ["arguments by name, not as written", ["ana"], { b: "ana", a: "ana" }, { a: true, b: false }],
    ["a string takes the digits a number asks for", ["order 4411"], { a: "4411", b: 4411 }, { a: true, b: false }],
    ["a number takes the digits a string asks for", ["order 4411"], { a: 4411, b: "4411" }, { a: true, b: false }],
    ["a number takes its sign", ["x -40"], { a: -40, b: "- 40" }, { a: true, b: false }],
    ["a number takes only its sign, not the currency", ["R$40"], { a: 40, b: "R" }, { a: true, b: true }],
    ["what a leaf took stays taken", ["ana bob"], { a: ["ana", "eve"], b: "ana" }, { a: false, b: false }],
    ["all leaves are tried", ["ana bob"], { a: ["eve", "bob"], b: "bob" }, { a: false, b: false }],
    ["leaves in canonical order", ["1 x 2"], { a: { z: 1, y: "x" }, b: 2 }, { a: true, b: true }],
    ["members by name inside an object", ["ana"], { a: { z: "ana", b: "ana" }, c: "x" }, { a: false, c: false }],
    ["the earliest occurrence", ["ana ana silva"], { a: "ana", b: "ana silva" }, { a: true, b: true }],
    ["the earliest may be the wrong one", ["ana silva ana"], { a: "ana", b: "ana silva" }, { a: true, b: false }],
    ["the earliest turn first", ["ana", "ana silva"], { a: "ana", b: "ana silva" }, { a: true, b: true }],
    ["occurrences overlap", ["a b a"], { a: "a b", b: "b a" }, { a: true, b: false }],
    ["true, false, null, {} and [] are never typed", ["true false null {} []"], { a: true, b: false, c: null, d: {}, e: [] }, { a: false, b: false, c: false, d: false, e: false }],
    ["nor what holds one", ["ana"], { a: ["ana", {}], b: { c: "x", d: [] } }, { a: false, b: false }],
    ["every leaf of an array", ["1, 2 and 3"], { a: [1, 2, [3]], b: [1] }, { a: true, b: false }],
    ["names of members are no leaves", ["ana"], { a: { unknown: "ana" } }, { a: true }],
    ["nothing stands across two turns", ["ana", "silva"], { a: "ana silva", b: "anasilva" }, { a: false, b: false }],
    ["no turns", [], { a: "ana", b: 1 }, { a: false, b: false }],
    ["equal values of different numerals", ["40.00 and 40"], { a: 40, b: 40, c: 40 }, { a: true, b: true, c: false }],
    ["names by UTF-16 code units", ["ana"], { "\u{ff5e}": "ana", "\u{1f600}": "ana" }, { "\u{ff5e}": false, "\u{1f600}": true }],
  ];
  for (const [name, turns, args, want] of cases) it(name, () => expect(prove(turns, args)).toEqual(want));
});

describe("steps", () => {
  const steps = (turns: string[], args: Record<string, unknown>) => {
    prove(turns, args);
    return Number(unit.call.stepsOf!(MANY));
  };

  it("grow with the turns and the leaves, and no faster", () => {
    const rows: string[] = [];
    const cases: [name: string, make: (n: number) => [string[], Record<string, unknown>]][] = [
      ["n leaves, n words", (n) => [["a ".repeat(n)], { a: new Array(n).fill("a") }]],
      ["n leaves, n numerals", (n) => [["7 ".repeat(n)], { a: new Array(n).fill(7) }]],
      ["n leaves that are not there", (n) => [["a ".repeat(n)], { a: new Array(n).fill("b") }]],
      ["n words of their own", (n) => [[Array.from({ length: n }, (_, i) => `w${i}`).join(" ")], { a: Array.from({ length: n }, (_, i) => `w${n - 1 - i}`) }]],
      ["one long leaf", (n) => [["ab ".repeat(n)], { a: "ab ".repeat(n - 1) + "c" }]],
    ];
    for (const [name, make] of cases) {
      const counts = [250, 500, 1000, 2000].map((n) => steps(...make(n)));
      rows.push(`${name.padEnd(30)} ${counts.join(" ")}`);
      if (name !== "one long leaf") expect(counts[3]!, name).toBeLessThan(counts[2]! * 2.5);
    }
    console.log(rows.join("\n"));
  });

  it("are limited: past the budget a value is not typed", () => {
    expect(prove(["ana ".repeat(100)], { a: "ana" }, "en", 100n)).toEqual({ a: false });
    expect(prove(["ana ".repeat(100)], { a: "ana" }, "en", 1000n)).toEqual({ a: true });
    expect(prove(["ab ".repeat(500)], { a: "ab ".repeat(499) + "c", b: "ab" }, "en", 3500n)).toEqual({ a: false, b: false });
  });

  it("and nesting is walked without recursion", () => {
    let value: unknown = "ana";
    for (let i = 0; i < 120; i++) value = i % 2 ? [value] : { a: value };
    expect(prove(["ana"], { value })).toEqual({ value: true });
  });
});
