// Tests the regex room: ECMA-262 patterns against the JavaScript engine, hostile syntax, limits, and steps that grow linearly.

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared";
import { Unit } from "./instance";
import { CATASTROPHIC, type Catastrophic } from "./regex-catastrophic";
import { brokenPattern, makePattern, nearText, randomText } from "./patterns";
import { Random } from "./random";

const unit = new Unit("regex");
const utf8 = new TextEncoder();
const MANY = 1n << 60n;
/** Patterns tried in a row; each meets TEXTS texts. */
const PATTERNS = Number(process.env.PATTERNS ?? 26_000);
const TEXTS = 8;

interface Compiled {
  problem: number;
  offset: number;
  message: string;
  kind: string;
}

function compile(pattern: string, shortcuts = true): Compiled {
  const bytes = utf8.encode(pattern);
  const [start] = unit.place(bytes) as [number];
  const problem = unit.call.compile!(start, bytes.length, shortcuts ? 1 : 0);
  let message = "";
  for (let i = 0; i < unit.call.messageLength!(); i++) message += String.fromCharCode(unit.call.messageCode!(i));
  return { problem, offset: unit.call.offset!(), message, kind: problem ? "none" : ["counting", "table", "threads"][unit.call.kind!()]! };
}

function match(text: string, limit = MANY): number {
  const bytes = utf8.encode(text);
  const [start] = unit.place(bytes) as [number];
  return unit.call.match!(start, bytes.length, limit);
}

function steps(text: string): number {
  const bytes = utf8.encode(text);
  const [start] = unit.place(bytes) as [number];
  return Number(unit.call.steps!(start, bytes.length));
}

/** The JavaScript engine's pattern, or null where it refuses the text. */
function reference(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

/**
 * Whether the JavaScript engine finds a match. V8 also looks between the halves of a surrogate pair, where there is no position
 * (`/\\B/u` finds one in "A🐲x"); so where a text has such pairs, the pattern is tried at each code point's beginning alone.
 */
function finds(pattern: string, expression: RegExp, text: string): number {
  if (!/[\ud800-\udfff]/.test(text)) return expression.test(text) ? 1 : 0;
  const sticky = new RegExp(pattern, "uy");
  let at = 0;
  for (const point of [...text, ""]) {
    sticky.lastIndex = at;
    if (sticky.test(text)) return 1;
    at += point.length;
  }
  return 0;
}

/** Part of an edition after 2024, which newer engines take: modifiers of a group, and one name for groups of two alternatives. */
function isLater(pattern: string): boolean {
  return /\(\?[ims-]+:/.test(pattern) || (pattern.match(/\(\?<n>/g) ?? []).length > 1;
}

describe("patterns against the JavaScript engine", { timeout: 600_000 }, () => {
  it("matches the same texts", () => {
    const random = new Random();
    const kinds: Record<string, number> = {};
    let matched = 0;
    for (let i = 0; i < PATTERNS; i++) {
      const made = makePattern(random);
      const pattern = made.source;
      const expression = new RegExp(pattern, "u");
      const compiled = compile(pattern, i % 4 !== 0);
      expect(compiled, `${pattern} (SEED=${random.seed})`).toMatchObject({ problem: 0 });
      kinds[compiled.kind] = (kinds[compiled.kind] ?? 0) + 1;
      for (let t = 0; t < TEXTS; t++) {
        const text = t % 2 === 0 ? randomText(random) : nearText(made, random);
        const want = finds(pattern, expression, text);
        matched += want;
        if (match(text) !== want) throw new Error(`/${pattern}/u on ${JSON.stringify(text)}: want ${want}; replay with SEED=${random.seed}`);
      }
    }
    console.log(`${PATTERNS * TEXTS} pairs, ${matched} matched, ${JSON.stringify(kinds)}, seed ${random.seed}`);
    expect(matched).toBeGreaterThan(PATTERNS);
  });

  it("refuses the same texts", () => {
    const random = new Random();
    let invalid = 0;
    let unsupported = 0;
    for (let i = 0; i < PATTERNS * 2; i++) {
      const pattern = brokenPattern(random);
      if (isLater(pattern)) continue;
      const expression = reference(pattern);
      const compiled = compile(pattern);
      const note = `/${pattern}/u ${compiled.message} (SEED=${random.seed})`;
      if (expression === null) {
        invalid++;
        // The engine itself gives up on large counts with a syntax error.
        expect(compiled.problem === 3 ? 1 : compiled.problem, note).toBe(1);
      } else if (compiled.problem === 2) {
        unsupported++;
        expect(/\\[1-9k]|\(\?<?[=!]/.test(pattern), note).toBe(true);
      } else if (compiled.problem !== 3) {
        expect(compiled.problem, note).toBe(0);
        for (let t = 0; t < 2; t++) {
          const text = randomText(random);
          expect(match(text), `${note} on ${JSON.stringify(text)}`).toBe(finds(pattern, expression, text));
        }
      }
    }
    console.log(`${PATTERNS * 2} texts, ${invalid} invalid, ${unsupported} unsupported, seed ${random.seed}`);
  });
});

describe("what is wrong with a pattern", () => {
  const cases: [pattern: string, problem: number, offset: number, why: string][] = [
    ["(", 1, 0, "a group does not end"],
    ["a)", 1, 1, "a parenthesis closes nothing"],
    ["a(b(c", 1, 3, "a group does not end"],
    ["ab[c", 1, 2, "a class does not end"],
    ["é*+", 1, 3, "nothing to repeat"],
    ["^*", 1, 1, "nothing to repeat"],
    ["(?=a)*", 1, 5, "nothing to repeat"],
    ["a{2,1}", 1, 1, "a quantifier's numbers are out of order"],
    ["a{99999999999999999999,99999999999999999998}", 1, 1, "a quantifier's numbers are out of order"],
    ["a{", 1, 1, "a quantifier is not {n}, {n,} or {n,m}"],
    ["a{,3}", 1, 1, "a quantifier is not {n}, {n,} or {n,m}"],
    ["a]", 1, 1, "a bracket closes nothing"],
    ["a}", 1, 1, "a bracket closes nothing"],
    ["\\", 1, 0, "a backslash ends the pattern"],
    ["a\\e", 1, 1, "this escape does not exist"],
    ["\\_", 1, 0, "this escape does not exist"],
    ["\\-", 1, 0, "this escape does not exist"],
    ["\\u{110000}", 1, 0, "this escape does not exist"],
    ["\\01", 1, 0, "this escape does not exist"],
    ["[\\B]", 1, 1, "this escape does not exist"],
    ["[z-a]", 1, 1, "a range in a class is out of order"],
    ["[\\w-a]", 1, 1, "a range in a class begins or ends with a set"],
    ["\\p{Greek}", 1, 0, "this Unicode property is not known"],
    ["\\p{sc=greek}", 1, 0, "this Unicode property is not known"],
    ["\\pL", 1, 0, "a property escape has no {…}"],
    ["\\p{L", 1, 0, "a property name is not letters, digits and _"],
    ["(?<n>a)(?<n>b)", 1, 7, "two groups have one name"],
    ["(?<1>a)", 1, 3, "a group name is not an identifier"],
    ["(?<n", 1, 3, "a group name does not end"],
    ["(?i:a)", 1, 0, "this kind of group does not exist"],
    ["(?", 1, 0, "this kind of group does not exist"],
    ["\\1", 1, 0, "a back-reference names no group"],
    ["(a)\\2", 1, 3, "a back-reference names no group"],
    ["(?<n>a)\\k<m>", 1, 7, "a back-reference names no group"],
    ["\\k", 1, 0, "a reference has no <name>"],
    ["(?=a)[", 1, 5, "a class does not end"],
    ["x(?=a)", 2, 1, "look-ahead is not supported"],
    ["x(?!a)", 2, 1, "look-ahead is not supported"],
    ["x(?<=a)", 2, 1, "look-behind is not supported"],
    ["é(?<!a)", 2, 2, "look-behind is not supported"],
    ["(a)\\1", 2, 3, "a back-reference is not supported"],
    ["\\k<n>(?<n>a)", 2, 0, "a back-reference is not supported"],
    ["a{1,100000}", 3, 1, "the pattern needs more than 32768 instructions"],
    ["^[a-z]{1,100000}$", 3, 6, "the pattern needs more than 32768 instructions"],
    ["((a{100}){100}){100}", 3, 15, "the pattern needs more than 32768 instructions"],
    ["(?:a?){32768}", 3, 6, "the pattern needs more than 32768 instructions"],
    ["a{99999999999999999999}", 3, 1, "the pattern needs more than 32768 instructions"],
    ["(".repeat(100_000), 3, 16384, "the pattern is longer than 16384 bytes"],
    ["[" + "\\P{L}".repeat(3000) + "]", 0, 0, ""],
  ];
  for (const [pattern, problem, offset, message] of cases) {
    it(`${pattern.slice(0, 48)}: ${message}`, () => {
      expect(compile(pattern)).toMatchObject({ problem, offset, message });
    });
  }

  it("reads 8,000 nested groups, and 16,000 that do not end", () => {
    expect(compile("(".repeat(8000) + "a" + ")".repeat(8000)).problem).toBe(0);
    expect([match("a"), match("b")]).toEqual([1, 0]);
    expect(compile("(".repeat(16_000))).toMatchObject({ problem: 1, offset: 15_999, message: "a group does not end" });
  });

  it("repeats nothing as often as it is asked to", () => {
    expect(compile("(?:){1000000000}").problem).toBe(0);
    expect(match("")).toBe(1);
  });
});

describe("steps", () => {
  /** One row of the README: what is known, how it is matched, and the steps at four lengths. */
  function measure({ pattern, before, piece, after }: Catastrophic): { kind: string; counts: number[] } {
    const { kind, problem, message } = compile(pattern);
    expect(problem, `${pattern} ${message}`).toBe(0);
    return { kind, counts: [1000, 2000, 4000, 8000].map((length) => steps(before + piece.repeat(length / piece.length) + after)) };
  }

  it("grow with the text, and no faster", () => {
    const rows: string[] = [];
    for (const catastrophic of CATASTROPHIC) {
      const { kind, counts } = measure(catastrophic);
      rows.push(`| ${catastrophic.known} | ${kind} | ${counts.map((count) => count.toLocaleString("en")).join(" | ")} |`);
      // Each doubling adds at most twice what the one before added.
      const [a, b, c, d] = counts as [number, number, number, number];
      expect(c - b, catastrophic.pattern).toBeLessThanOrEqual(2 * (b - a) + 100);
      expect(d - c, catastrophic.pattern).toBeLessThanOrEqual(2 * (c - b) + 100);
    }
    const readme = readFileSync(new URL("../../assembly/regex/README.md", import.meta.url), "utf8");
    expect(readme, `the table of assembly/regex/README.md should be:\n${rows.join("\n")}`).toContain(`\n${rows.join("\n")}\n`);
  });

  it("answer as the JavaScript engine does, where the text is short enough for it", () => {
    for (const { pattern, before, piece, after } of CATASTROPHIC) {
      expect(compile(pattern).problem).toBe(0);
      for (let length = 0; length < 7; length++) {
        for (const text of [before + piece.repeat(length) + after, before + piece.repeat(length)]) {
          expect(match(text), `/${pattern}/u on ${JSON.stringify(text)}`).toBe(finds(pattern, new RegExp(pattern, "u"), text));
        }
      }
    }
  });

  it("are limited", () => {
    compile("(a*)*b");
    expect(match("a".repeat(1000), 1000n)).toBe(-1);
    expect(match("a".repeat(999), 1000n)).toBe(0);
    compile("^[a-z]{2,}$");
    expect(match("a".repeat(1000), 1000n)).toBe(-1);
    compile("^(.{0,40}){0,12}\\b[aé]{700}$");
    expect(match("a".repeat(1000), 1000n)).toBe(-1);
  });
});

/** Every pattern of a JSON document, whatever it belongs to. */
function collectPatterns(value: unknown, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "pattern" && typeof member === "string") into.add(member);
    if (name === "patternProperties" && typeof member === "object" && member !== null) for (const key of Object.keys(member)) into.add(key);
    collectPatterns(member, into);
  }
}

describeShared("patterns of the official suite and of real tools", () => {
  const patterns = new Set<string>();
  const texts = new Set<string>();
  for (const folder of ["vectors/json-schema-test-suite/tests", "vectors/mcp-tools"]) {
    for (const file of readdirSync(shared(folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".json")) continue;
      const document = JSON.parse(readFileSync(shared(`${folder}/${file}`), "utf8"));
      collectPatterns(document, patterns);
      if (/pattern|regex/i.test(file)) {
        for (const group of document) for (const test of group.tests) {
          if (typeof test.data === "string") texts.add(test.data);
          else for (const name of Object.keys(Object(test.data))) texts.add(name);
        }
      }
    }
  }

  it("match the same texts", () => {
    const random = new Random();
    let pairs = 0;
    for (const pattern of patterns) {
      const expression = reference(pattern);
      const compiled = compile(pattern);
      expect(compiled.problem === 2 ? 0 : compiled.problem, pattern).toBe(expression ? 0 : 1);
      if (compiled.problem !== 0) continue;
      const tried = [...texts, ...Array.from({ length: 40 }, () => randomText(random)), ...near(random)];
      for (const text of tried) {
        pairs++;
        expect(match(text), `/${pattern}/ on ${JSON.stringify(text)} (SEED=${random.seed})`).toBe(finds(pattern, expression!, text));
      }
    }
    console.log(`${patterns.size} patterns, ${pairs} pairs, seed ${random.seed}`);
    expect(patterns.size).toBeGreaterThan(40);
  });
});

/** Texts that patterns may take: dates, versions, numbers and colours, with a letter changed here and there. */
function near(random: Random): string[] {
  const seeds = ["2024-02-29", "2023-02-29T10:00:00Z", "2024-02-29T23:59:59.5+02:00", "12px", "90deg", "1:2", "today..2024-01-01", "*..today", "#a0B1c2", "I12:3;4-5", "foo.png", "a_b-c", "2024-01-01to2024-02-02"];
  return [...seeds, ...seeds.map((text) => [...text].map((c) => (random.below(12) === 0 ? random.of(["0", "9", "x", "é"]) : c)).join(""))];
}
