// Makes random patterns, and texts that they are likely to take, for tests against the JavaScript engine.

import { BINARY, CATEGORIES, CATEGORY_GROUPS, SCRIPTS } from "../generate/unicode-names.mjs";
import { Random } from "./random";

/** A pattern with a way to make texts that it is likely to find something in. */
export interface Made {
  source: string;
  sample(): string;
}

/** Single characters as a pattern writes them, and what they stand for. */
const LITERALS: [source: string, text: string][] = [
  ...["a", "b", "x", "A", "B", "k", "K", "0", "7", "_", "-", " ", "é", "É", "ß", "ſ", "K", "İ", "ı", "Σ", "ς", "本", "😀", "🐲", "𐐀", "𐐨", "\u0301", "\u200d", "\ufeff", "\u0085", "\n", "\r", "\u2028", "=", "!", ":", "<", ">", ",", "#"].map((c): [string, string] => [c, c]),
  ["\\.", "."], ["\\/", "/"], ["\\n", "\n"], ["\\r", "\r"], ["\\t", "\t"], ["\\v", "\v"], ["\\f", "\f"], ["\\0", "\0"], ["\\x41", "A"], ["\\x7f", "\x7f"], ["\\u0062", "b"], ["\\u2029", "\u2029"],
  ["\\u{1F600}", "😀"], ["\\u{61}", "a"], ["\\u{00000000000061}", "a"], ["\\ud83d\\udc32", "🐲"], ["\\uD83D\\uDE00", "😀"], ["\\cJ", "\n"], ["\\cj", "\n"], ["\\cZ", "\x1a"],
  ["\\$", "$"], ["\\^", "^"], ["\\\\", "\\"], ["\\(", "("], ["\\]", "]"], ["\\{", "{"], ["\\|", "|"], ["\\*", "*"], ["\\u{10FFFF}", "\u{10FFFF}"], ["\\u{0}", "\0"],
];
const SETS = [
  ".", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^ab]", "[a-z]", "[^a-zA-Z]", "[0-9_]", "[\\w-]", "[\\d\\s]", "[^\\W]", "[😀-🙏]", "[é-ÿ]", "[^]", "[]", "[\\u{1F400}-\\u{1F600}x]",
  "[\\p{L}\\d]", "[^\\p{Script=Latin}]", "[-a]", "[a-]", "[--/]", "[\\b\\-]", "[\\]\\[]", "[\\S\\n]", "[\\0]", "[^\\n\\r]", "[^.]", "[.*+?^{$}()|]", "[\\ud83d\\udc32-\\ud83d\\udc34]", "[\\cA-\\cZ]", "[\\x00-\\x1f]",
  "[^\\S ]", "[\\D\\d]", "[^\\D\\d]", "[\\P{Lu}\\p{Nd}]", "[\\u2028\\u2029]", "[a\\u0300-\\u036f]", "[K-\\u212a]", "[\\uffff-\\u{10000}]", "[\\ud800-\\udbff]", "[\\s\\S]", "[Ÿ-ſ]",
];
const ASSERTIONS = ["^", "$", "\\b", "\\B"];
const QUANTIFIERS: [source: string, least: number, most: number][] = [
  ["*", 0, 4], ["+", 1, 4], ["?", 0, 1], ["*?", 0, 3], ["+?", 1, 3], ["??", 0, 1], ["{2}", 2, 2], ["{0}", 0, 0], ["{1,}", 1, 3], ["{0,2}", 0, 2], ["{1}", 1, 1], ["{0,1}?", 0, 1], ["{0,0}", 0, 0],
  ["{2,3}", 2, 3], ["{1,3}?", 1, 3], ["{0,}", 0, 2], ["{3,5}", 3, 5], ["{4}?", 4, 4], ["{02,03}", 2, 3], ["{7,}", 7, 8], ["{2,}?", 2, 4],
];
/** How many of them, from the first, may stand behind a group that holds one: the engine tries all ways, and others would take it for ever. */
const SMALL = 13;
const PIECES = ["a", "b", "x", "A", "B", "0", "7", "_", "-", " ", "é", "ß", "本", "😀", "🐲", "\n", "\t", ".", "/", "\u2028", "ÿ", "\0", "$", "\u0301", "Я", "٣", "", "ab", "aab", "\ufeff", "\r", "\r\n", "K", "k", "ſ", "𐐀", "𐐨", "\u0085", "\u2029", "\u{10ffff}", "\uffff", "İ", "Σ", "\u200b", "\ue000"];
const BROKEN = ["(", ")", "[", "]", "{", "}", "*", "+?", "\\", "\\p", "\\p{X}", "\\1", "\\2", "\\k<n>", "(?<n>", "(?<n", "(?", "(?=", "(?!a)", "(?<=a)", "{2,1}", "[b-a]", "[\\d-a]", "\\u", "\\u{110000}", "\\xg", "\\c1", "\\-", "|", "{,3}", "\\00", "[\\", "(?:", "$*", "\\b+", "{99999999999}", "\\u{0000000041}", "(?<é>a)", "(?<1>a)", "\\ud800", "[\\ud83d\\udc32-\\ud83d\\udc34]", "(?i:a)", "\\e", "\\p{Script}", "\\p{L=Lu}", "\\P{sc=Greek}", "\\p{ L}", "\\p{lu}", "\\p{Any}", "\\p{ASCII}", "\\p{scx=Zyyy}", "\\p{Script_Extensions=}", "\\p{=Lu}", "\\p{gc=Lu=Lu}", "\\P{Block=Thai}", "\\p{Line_Break=AL}", "\\p{RGI_Emoji}", "\\p{L}-\\p{N}", "[\\p{L}-z]", "[a-\\p{L}]", "\\p{IsGreek}", "\\p{InGreek}", "(?<$a>x)", "(?<a\\u{62}>x)", "(?<\\ud835\\udc9c>x)", "(?<a>x)\\k<a>", "(?#a)", "(?>a)", "(?P<a>b)", "a{1}{2}", "a**", "a?+", "\\8", "\\08", "\\x4", "\\u004", "\\u{}", "\\u{g}", "\\c", "\\cé", "\\_", "\\a", "\\Z", "\\A", "\\G", "\\Q", "\\h", "\\R", "[[:alpha:]]", "[a&&b]", "[a--b]", "\\q{a}", "\\N{BULLET}", "(?-i:a)", "(?^:a)", "(?x)"];

/** Names of properties that this engine knows, as they stand between the braces. */
export const PROPERTIES: readonly string[] = [
  ...[...CATEGORIES, ...Object.values(CATEGORY_GROUPS)].flat().flatMap((name) => [name, `gc=${name}`, `General_Category=${name}`]),
  ...SCRIPTS.flat().flatMap((name) => [`sc=${name}`, `Script=${name}`, `scx=${name}`, `Script_Extensions=${name}`]),
  ...BINARY.flat(),
].filter((name) => {
  try {
    return new RegExp(`\\p{${name}}`, "u") !== null;
  } catch {
    return false;
  }
});

/** Single code points from everywhere: below U+0300 all, in the planes of letters every 23rd, above every 4001st. */
const POOL: readonly string[] = [...Array(0x110000).keys()]
  .filter((point) => (point < 0x300 || point % (point < 0x20000 ? 23 : 4001) === 0) && (point < 0xd800 || point > 0xdfff))
  .map((point) => String.fromCodePoint(point))
  .concat(PIECES.filter((piece) => [...piece].length === 1));

/** What of the pool a set takes, by its source. */
const taken = new Map<string, string[]>();

function takenBy(set: string): string[] {
  let list = taken.get(set);
  if (list === undefined) {
    const expression = new RegExp(`^${set}$`, "u");
    list = POOL.filter((text) => expression.test(text));
    taken.set(set, list);
  }
  return list;
}

/** Writes patterns. */
class Writer {
  private names = 0;

  constructor(private readonly random: Random) {}

  private property(): string {
    return `\\${this.random.below(4) === 0 ? "P" : "p"}{${this.random.of(PROPERTIES)}}`;
  }

  /** A class of two to five members, some of them ranges between code points anywhere. */
  private ranges(): string {
    const random = this.random;
    let made = random.below(4) === 0 ? "[^" : "[";
    for (let count = 1 + random.below(4); count >= 0; count--) {
      const kind = random.below(5);
      if (kind === 0) made += this.property();
      else if (kind === 1) made += random.of(["\\d", "\\w", "\\s", "\\D", "\\S", "\\W"]);
      else {
        const from = random.of(POOL).codePointAt(0)!;
        const to = kind === 2 ? from : Math.min(0x10ffff, from + random.below(kind === 3 ? 40 : 70_000));
        made += `\\u{${from.toString(16)}}` + (to > from ? `-\\u{${to.toString(16).toUpperCase()}}` : "");
      }
    }
    return made + "]";
  }

  private set(source: string, remember = true): Made {
    const random = this.random;
    if (remember) return { source, sample: () => (takenBy(source).length > 0 ? random.of(takenBy(source)) : "") };
    const expression = new RegExp(`^${source}$`, "u");
    const sample = (): string => {
      for (let tries = 0; tries < 30; tries++) {
        const text = random.of(POOL);
        if (expression.test(text)) return text;
      }
      return random.of(PIECES);
    };
    return { source, sample };
  }

  private atom(depth: number): Made {
    const random = this.random;
    const choice = random.below(depth > 0 ? 14 : 10);
    if (choice < 5) {
      const [source, text] = random.of(LITERALS);
      return { source, sample: () => text };
    }
    if (choice < 8) return this.set(random.of(SETS));
    if (choice === 8) return this.set(this.property());
    if (choice === 9) return this.set(this.ranges(), false);
    const inner = this.disjunction(depth - 1);
    const open = choice < 12 ? "(?:" : choice === 12 ? "(" : `(?<${random.of(["n", "é", "$_", "n\\u{61}", "𝒜"])}${this.names++}>`;
    return { source: `${open}${inner.source})`, sample: inner.sample };
  }

  private term(depth: number): Made {
    const random = this.random;
    if (random.below(9) === 0) return { source: random.of(ASSERTIONS), sample: () => "" };
    const made = this.atom(depth);
    if (random.below(3) !== 0) return made;
    const [quantifier, least, most] = QUANTIFIERS[random.below(made.source.endsWith(")") ? SMALL : QUANTIFIERS.length)]!;
    const sample = (): string => {
      let text = "";
      for (let count = least + random.below(most - least + 1); count > 0 && text.length < 40; count--) text += made.sample();
      return text;
    };
    return { source: made.source + quantifier, sample };
  }

  private alternative(depth: number): Made {
    const terms: Made[] = [];
    for (let count = this.random.below(4); count >= 0; count--) terms.push(this.term(depth));
    if (this.random.below(12) === 0) terms.length = 0;
    let source = "";
    // `\\0` must not run into a digit.
    for (const term of terms) source += (source.endsWith("\\0") && /^\d/.test(term.source) ? "(?:)" : "") + term.source;
    return { source, sample: () => terms.map((term) => term.sample()).join("") };
  }

  private disjunction(depth: number): Made {
    const alternatives = [this.alternative(depth)];
    while (this.random.below(4) === 0) alternatives.push(this.alternative(depth));
    return { source: alternatives.map(({ source }) => source).join("|"), sample: () => this.random.of(alternatives).sample() };
  }

  pattern(): Made {
    const { source, sample } = this.disjunction(this.random.below(4));
    const ends = this.random.below(8);
    const [before, after] = [["^", "$"], ["^(?:", ")$"], ["", "$"], ["\\b", "\\b"]][ends] ?? ["", ""];
    return { source: `${before}${source}${after}`, sample };
  }
}

/** A pattern that is valid, with its sampler. */
export function makePattern(random: Random): Made {
  return new Writer(random).pattern();
}

/** A pattern that is valid. */
export function randomPattern(random: Random): string {
  return makePattern(random).source;
}

/** A pattern that need not be valid: pieces dropped, doubled, or put in. */
export function brokenPattern(random: Random): string {
  const points = [...randomPattern(random)];
  for (let count = random.below(2); count >= 0; count--) {
    const at = random.below(points.length + 1);
    const kind = random.below(4);
    if (kind === 0) points.splice(at, 1);
    else points.splice(at, kind === 1 ? 1 : 0, random.of(BROKEN));
  }
  return points.join("");
}

/** A text of up to about ten pieces. */
export function randomText(random: Random): string {
  let made = "";
  for (let count = random.below(random.below(3) === 0 ? 12 : 5); count > 0; count--) made += random.below(6) === 0 ? random.of(POOL) : random.of(PIECES);
  return made;
}

/** The longest sample, in code points: the engine tries nested repetitions in all ways, which takes it for ever on longer ones. */
const LONGEST = 10;

/** A text that a pattern is likely to take, or nearly: a sample, alone or between pieces, sometimes with a code point changed. */
export function nearText(made: Made, random: Random): string {
  const points = [...made.sample()].slice(0, LONGEST);
  if (points.length > 0 && random.below(3) === 0) points[random.below(points.length)] = random.of(PIECES);
  const text = points.join("");
  return random.below(2) === 0 ? text : random.of(PIECES) + text + random.of(PIECES);
}
