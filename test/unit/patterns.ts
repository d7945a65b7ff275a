// Makes random patterns and texts that are likely to meet, for tests against the JavaScript engine.

import { Random } from "./random";

const LITERALS = ["a", "b", "x", "A", "0", "7", "_", "-", " ", "é", "ß", "本", "😀", "🐲", "\\.", "\\/", "\\n", "\\t", "\\x41", "\\u0062", "\\u{1F600}", "\\ud83d\\udc32", "\\cJ", "\\$"];
const SETS = [
  ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^ab]", "[a-z]", "[^a-zA-Z]", "[0-9_]", "[\\w-]", "[\\d\\s]", "[^\\W]", "[😀-🙏]", "[é-ÿ]",
  "[^]", "[\\u{1F400}-\\u{1F600}x]", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Nd}", "[\\p{L}\\d]", "[^\\p{Script=Latin}]", "\\p{sc=Han}", "\\p{Emoji}", "[-a]", "[a-]",
  "[\\b\\-]", "[\\]\\[]", "[\\S\\n]", "[\\0]",
];
const ASSERTIONS = ["^", "$", "\\b", "\\B"];
const QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,}", "{0,2}", "{2,3}", "{1,3}?", "{0,}", "{3,5}"];
const PIECES = ["a", "b", "x", "A", "B", "0", "7", "_", "-", " ", "é", "ß", "本", "😀", "🐲", "\n", "\t", ".", "/", "\u2028", "ÿ", "\0", "$", "\u0301", "Я", "٣", "", "ab", "aab", "\ufeff"];
const BROKEN = ["(", ")", "[", "]", "{", "}", "*", "+?", "\\", "\\p", "\\p{X}", "\\1", "\\2", "\\k<n>", "(?<n>", "(?<n", "(?", "(?=", "(?!a)", "(?<=a)", "{2,1}", "[b-a]", "[\\d-a]", "\\u", "\\u{110000}", "\\xg", "\\c1", "\\-", "|", "{,3}", "\\00", "[\\", "(?:", "$*", "\\b+", "{99999999999}", "\\u{0000000041}", "(?<é>a)", "(?<1>a)", "\\ud800", "[\\ud83d\\udc32-\\ud83d\\udc34]", "(?i:a)", "\\e", "\\p{Script}", "\\p{L=Lu}", "\\P{sc=Greek}", "\\p{ L}", "\\p{lu}"];

function atom(random: Random, depth: number): string {
  const choice = random.below(depth > 0 ? 12 : 9);
  if (choice < 5) return random.of(LITERALS);
  if (choice < 9) return random.of(SETS);
  const inner = disjunction(random, depth - 1);
  return choice === 9 ? `(${inner})` : `(?:${inner})`;
}

function term(random: Random, depth: number): string {
  if (random.below(9) === 0) return random.of(ASSERTIONS);
  const made = atom(random, depth);
  return random.below(3) === 0 ? made + random.of(QUANTIFIERS) : made;
}

function alternative(random: Random, depth: number): string {
  let made = "";
  for (let count = random.below(4); count >= 0; count--) made += term(random, depth);
  return random.below(12) === 0 ? "" : made;
}

function disjunction(random: Random, depth: number): string {
  let made = alternative(random, depth);
  while (random.below(4) === 0) made += "|" + alternative(random, depth);
  return made;
}

/** A pattern that is valid. */
export function randomPattern(random: Random): string {
  const made = disjunction(random, random.below(4));
  const ends = random.below(6);
  return ends === 0 ? `^${made}$` : ends === 1 ? `^(?:${made})$` : made;
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
  for (let count = random.below(random.below(3) === 0 ? 12 : 5); count > 0; count--) made += random.of(PIECES);
  return made;
}
