// Proves values typed (chapter 4, "As typed"): a turn holds them, and one occurrence proves one leaf.

import { Text } from "../memory/buffer";
import { codePointAt } from "../memory/bytes";
import { spend } from "../memory/steps";
import {
  ARRAY, NUMBER, OBJECT, STRING, SortedMembers, Value, count, first, holdsInexact, kind, next, numberValue, stringLength, stringStart,
} from "../json/value";
import { isLetterOrDigit } from "../unicode/properties";
import { Numerals } from "./numerals";
import { Taken } from "./taken";
import { TurnWords, endOfWord, startOfWord, wordHash } from "./turn-words";

/** A container being walked: the next child to look at, in canonical order. */
@final
class Walk {
  constructor(
    /** Members of an object, or null. */
    public members: SortedMembers | null,
    /** The next element of an array. */
    public element: Value,
    public end: Value,
  ) {}
}

/** The turns of one check, and which of their parts have proved a value. */
@final
export class TypedEvidence {
  private words: TurnWords;
  private taken: Taken;
  private numerals: Numerals | null = null;

  /** In: the turns (valid UTF-8), and whether numbers are written as in pt-BR. Takes a step a byte of them. */
  constructor(
    private turns: Array<Text>,
    private portuguese: bool,
  ) {
    this.words = new TurnWords(turns);
    this.taken = new Taken(turns);
  }

  /**
   * Whether every leaf of a value is proved typed. Leaves take their occurrences whatever the answer, so values are asked in the
   * order of their arguments' names. Past the step budget a leaf is not typed.
   */
  prove(value: Value): bool {
    if (kind(value) != ARRAY && kind(value) != OBJECT) return this.proveLeaf(value);
    let all = true;
    const stack: Array<Walk> = [];
    let current = value;
    while (true) {
      const container = kind(current) == ARRAY || kind(current) == OBJECT;
      if (!container || count(current) == 0) {
        if (!this.proveLeaf(current)) all = false;
      } else if (kind(current) == ARRAY) {
        stack.push(new Walk(null, first(current), next(current)));
      } else {
        stack.push(new Walk(new SortedMembers(current), 0, 0));
      }
      current = 0;
      while (stack.length > 0 && current == 0) {
        const walk = stack[stack.length - 1];
        const members = walk.members;
        if (members !== null) {
          if (members.name != 0) {
            current = members.value;
            members.advance();
          }
        } else if (walk.element < walk.end) {
          current = walk.element;
          walk.element = next(current);
        }
        if (current == 0) stack.pop();
      }
      if (current == 0) return all;
    }
    return all;
  }

  private proveLeaf(leaf: Value): bool {
    if (kind(leaf) == STRING) return this.proveString(stringStart(leaf), stringLength(leaf));
    if (kind(leaf) == NUMBER && !holdsInexact(leaf)) return this.proveNumber(numberValue(leaf));
    return false;
  }

  private proveString(start: usize, length: i32): bool {
    if (!spend(<i64>length + 1)) return false;
    const end = start + <usize>length;
    const word = startOfWord(start, end);
    if (word == end) return false;
    const wordLength = <i32>(endOfWord(word, end) - word);
    const hash = wordHash;
    // Every occurrence holds this word at this distance, as a word of its turn.
    const distance = word - start;
    const words = this.words;
    let link = words.bucketOf(hash);
    while (true) {
      const index = load<i32>(link);
      if (index < 0) return false;
      if (!spend(1)) return false;
      const candidate = words.word(index);
      const at: usize = load<u32>(candidate);
      const turn = load<i32>(candidate, 16);
      if (this.taken.overlaps(turn, at, load<i32>(candidate, 4))) {
        // Nothing that holds this word can be taken any more.
        store<i32>(link, load<i32>(candidate, 12));
        continue;
      }
      link = candidate + 12;
      if (load<u32>(candidate, 8) != hash || load<i32>(candidate, 4) != wordLength) continue;
      const text = this.turns[turn];
      if (at < text.start + distance) continue;
      const from = at - distance;
      if (from + <usize>length > text.start + <usize>text.length) continue;
      const same = commonLength(from, start, length);
      if (!spend(<i64>(same >> 3))) return false;
      if (same < length) continue;
      if (!standsAlone(text, from, length) || this.taken.overlaps(turn, from, length)) continue;
      this.taken.take(turn, from, length);
      return true;
    }
    return false;
  }

  private proveNumber(value: f64): bool {
    if (!spend(1)) return false;
    let numerals = this.numerals;
    if (numerals === null) {
      numerals = new Numerals(this.words, this.portuguese);
      this.numerals = numerals;
    }
    let link = numerals.bucketOf(value);
    while (true) {
      const index = load<i32>(link);
      if (index < 0) return false;
      if (!spend(1)) return false;
      const candidate = numerals.numeral(index);
      const at: usize = load<u32>(candidate, 8);
      const length = load<i32>(candidate, 12);
      const turn = load<i32>(candidate, 20);
      if (this.taken.overlaps(turn, at, length)) {
        store<i32>(link, load<i32>(candidate, 16));
        continue;
      }
      link = candidate + 16;
      if (load<f64>(candidate) != value) continue;
      this.taken.take(turn, at, length);
      return true;
    }
    return false;
  }
}

/** How many bytes two texts of one length share from their beginnings on. */
function commonLength(a: usize, b: usize, length: i32): i32 {
  let i = 0;
  while (i + 8 <= length && load<u64>(a + <usize>i) == load<u64>(b + <usize>i)) i += 8;
  while (i < length && load<u8>(a + <usize>i) == load<u8>(b + <usize>i)) i++;
  return i;
}

/** Whether neither side of a part of a turn is a letter or digit. */
function standsAlone(text: Text, from: usize, length: i32): bool {
  if (from > text.start) {
    let before = from - 1;
    while ((load<u8>(before) & 0xc0) == 0x80) before--;
    if (isLetterOrDigit(codePointAt(before))) return false;
  }
  const after = from + <usize>length;
  return after == text.start + <usize>text.length || !isLetterOrDigit(codePointAt(after));
}

/**
 * Which of the arguments claimed typed are proved so.
 * In: the turns; whether the policy's language is pt-BR (else en); the arguments' name nodes in UTF-16 order of the names, each
 * with its value after it. Out: `proved`, one answer a name. Steps are taken from the budget of memory/steps.ts; past it a value
 * is not typed.
 */
export function provedTyped(turns: Array<Text>, portuguese: bool, names: Array<Value>, proved: StaticArray<bool>): void {
  const evidence = new TypedEvidence(turns, portuguese);
  for (let i = 0; i < names.length; i++) proved[i] = evidence.prove(next(names[i]));
}
