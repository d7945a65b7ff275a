// Finds which arguments claimed `typed` a turn really holds (chapter 4, "As typed").
import { JsonNumber, type Json } from './json.ts';
import { exactDouble } from './decimal.ts';

type Language = 'en' | 'pt-BR';
/** Code points `from` up to before `to` of one turn. */
interface Span {
  turn: number;
  from: number;
  to: number;
}

/**
 * The names of the arguments that are proved typed.
 * In: the arguments claimed `typed`, in the order of their names; the turns; the policy's language.
 * Every leaf of an argument needs an occurrence of its own: the earliest one that overlaps none taken before.
 */
export function provedTyped(args: { name: string; value: Json }[], turns: string[], language: Language): Set<string> {
  const texts = turns.map((turn) => [...turn]);
  const taken: Span[] = [];
  const proved = new Set<string>();
  for (const { name, value } of args) {
    let all = true;
    for (const leaf of leaves(value)) {
      const span = occurrences(leaf, texts, language).find((s) => !taken.some((t) => overlap(s, t)));
      if (span) taken.push(span);
      else all = false;
    }
    if (all) proved.add(name);
  }
  return proved;
}

function overlap(a: Span, b: Span): boolean {
  return a.turn === b.turn && a.from < b.to && b.from < a.to;
}

/** The leaves in canonical order; an empty array or object is a leaf itself. */
function leaves(value: Json): Json[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap(leaves);
  if (value instanceof Map && value.size > 0) {
    // JavaScript's default order of strings is by UTF-16 code units.
    return [...value.keys()].sort().flatMap((name) => leaves(value.get(name)!));
  }
  return [value];
}

/** Where a leaf stands in the turns, the earliest first. */
function occurrences(leaf: Json, texts: string[][], language: Language): Span[] {
  if (typeof leaf === 'string') return texts.flatMap((text, turn) => stringOccurrences([...leaf], text, turn));
  if (leaf instanceof JsonNumber && !leaf.inexact) {
    return texts.flatMap((text, turn) => numerals(text, turn, language).filter((n) => n.value === leaf.value));
  }
  return [];
}

const isLetter = (c: string | undefined): boolean => c !== undefined && /^\p{L}$/u.test(c);
const isWord = (c: string | undefined): boolean => c !== undefined && /^[\p{L}\p{N}]$/u.test(c);
const isDigit = (c: string | undefined): boolean => c !== undefined && /^[0-9]$/.test(c);
/** A digit of any script (N*): what joins a numeral to further digits, though numerals are written with 0 to 9. */
const isAnyDigit = (c: string | undefined): boolean => c !== undefined && /^\p{N}$/u.test(c);
/** What is read as `-`: hyphens and the minus sign. */
const isHyphen = (c: string | undefined): boolean => c !== undefined && /^[-\u2010\u2011\u2212\uFE63\uFF0D]$/.test(c);
const isJoint = (c: string | undefined): boolean => isHyphen(c) || (c !== undefined && /^[.,:/]$/.test(c));
/** A space that may stand between a currency sign and digits. */
const isSpace = (c: string | undefined): boolean => c !== undefined && /^[ \u00A0\u202F]$/.test(c);
const isCurrency = (c: string | undefined): boolean => c !== undefined && /^\p{Sc}$/u.test(c);

function stringOccurrences(wanted: string[], text: string[], turn: number): Span[] {
  const found: Span[] = [];
  if (!wanted.some(isWord)) return found;
  for (let from = 0; from + wanted.length <= text.length; from++) {
    const to = from + wanted.length;
    if (wanted.every((c, i) => c === text[from + i]) && !isWord(text[from - 1]) && !isWord(text[to])) found.push({ turn, from, to });
  }
  return found;
}

/** The numerals of a turn with their values; a span starts at the sign. */
function numerals(text: string[], turn: number, language: Language): (Span & { value: number })[] {
  const found: (Span & { value: number })[] = [];
  for (let start = 0; start < text.length; start++) {
    if (!isDigit(text[start])) continue;
    // Digits, and further digits joined by one of `. , : / -`.
    let to = start;
    while (isDigit(text[to]) || (isJoint(text[to]) && isDigit(text[to + 1]))) to++;
    // Joined to digits of another script, before or after.
    const joined = (isJoint(text[start - 1]) && isAnyDigit(text[start - 2])) || (isJoint(text[to]) && isAnyDigit(text[to + 1]));
    const written = plain(text.slice(start, to).join(''), language);
    const front = before(text, start);
    if (written !== null && front !== null && !joined && !gluedAfter(text, to)) {
      const value = exactDouble((front.negative ? '-' : '') + written);
      if (value !== null) found.push({ turn, from: front.from, to, value });
    }
    start = to;
  }
  return found;
}

/** The JSON text of digits as a language writes them, or null where they are joined otherwise (a date, a version). */
function plain(digits: string, language: Language): string | null {
  const english = language === 'en' ? digits : digits.replace(/[.,]/g, (c) => (c === '.' ? ',' : '.'));
  if (!/^(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?$/.test(english)) return null;
  return english.replaceAll(',', '').replace(/^0+(?=[0-9])/, '');
}

/** The sign before a numeral's digits and where it stands, or null where something glued there makes it no numeral. */
function before(text: string[], start: number): { from: number; negative: boolean } | null {
  let at = start - 1;
  if (isWord(text[at])) return null;
  // A currency sign beside the digits, with the letters right before it, or `%`, may stand between them and the sign.
  const beside = isSpace(text[at]) ? at - 1 : at;
  if (text[beside] === '%') at = beside - 1;
  else if (isCurrency(text[beside])) {
    at = beside - 1;
    while (isLetter(text[at])) at--;
  }
  if (text[at] === '+') return { from: at, negative: false };
  if (isHyphen(text[at])) return isWord(text[at - 1]) ? null : { from: at, negative: true };
  return { from: start, negative: false };
}

/** Whether letters or digits follow that do not belong to a currency sign. */
function gluedAfter(text: string[], to: number): boolean {
  let at = to;
  while (isLetter(text[at])) at++;
  return isWord(text[to]) && !(at > to && isCurrency(text[at]));
}
