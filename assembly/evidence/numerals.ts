// The numerals of the turns (chapter 4, "As typed"), found once and looked up by their value.
//
//   numeral:  +0 its value (f64)   +8 where it begins, its sign included   +12 its length in bytes
//             +16 the next numeral of its bucket, in order, or -1   +20 its turn

import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt } from "../memory/bytes";
import { readDouble, readInexact } from "../json/number";
import { allocate, reallocate } from "../memory/region";
import { isCurrencySign, isDigit, isLetterOrDigit } from "../unicode/properties";
import { TurnWords } from "./turn-words";

export const NUMERAL_SIZE: i32 = 24;

const PLUS: i32 = 0x2b;
const HYPHEN: i32 = 0x2d;
const PERCENT: i32 = 0x25;

/** The code point that ends before `at`, or -1 at `start`. */
function codePointBefore(start: usize, at: usize): i32 {
  if (at <= start) return -1;
  return codePointAt(beforeCodePoint(at));
}

/** Where the code point that ends before `at` begins. */
function beforeCodePoint(at: usize): usize {
  at--;
  while ((load<u8>(at) & 0xc0) == 0x80) at--;
  return at;
}

// @ts-ignore: decorator
@inline
function isAsciiDigit(byte: u32): bool {
  return byte - 0x30 <= 9;
}

/** Whether a character joins digits before it to digits after it: one of `, . / :` or a hyphen. */
function isJoint(character: i32): bool {
  return <u32>character - 0x2c < 4 || character == 0x3a || isHyphen(character);
}

/** Whether a character is read as `-`, a sign or a hyphen: also HYPHEN, NON-BREAKING HYPHEN, MINUS SIGN and the compatibility forms. */
function isHyphen(character: i32): bool {
  return character == HYPHEN || character == 0x2010 || character == 0x2011 || character == 0x2212 || character == 0xfe63 || character == 0xff0d;
}

/** Whether a character is a space that may stand between a currency sign and digits: SPACE, NO-BREAK SPACE, NARROW NO-BREAK SPACE. */
function isCurrencySpace(character: i32): bool {
  return character == 0x20 || character == 0xa0 || character == 0x202f;
}

/** All numerals of some turns. */
@final
export class Numerals {
  count: i32 = 0;
  private numerals: usize = 0;
  private capacity: i32 = 16;
  private buckets: usize = 0;
  private mask: u64 = 0;
  private thousands: u32;
  private decimals: u32;
  private scratch: Buffer = new Buffer(64);

  /** Finds them among the words of the turns. In `en` thousands are marked by `,` and decimals by `.`, in pt-BR the other way. */
  constructor(
    private words: TurnWords,
    portuguese: bool,
  ) {
    this.thousands = portuguese ? 0x2e : 0x2c;
    this.decimals = portuguese ? 0x2c : 0x2e;
    this.numerals = allocate(16 * NUMERAL_SIZE);
    let i = 0;
    while (i < words.count) {
      let last = i;
      while (last + 1 < words.count && this.joined(last)) last++;
      if (isAsciiDigit(load<u8>(this.start(i)))) this.readChain(i, last);
      i = last + 1;
    }
    this.fillBuckets();
  }

  // @ts-ignore: decorator
  @inline
  private start(word: i32): usize {
    return load<u32>(this.words.word(word));
  }

  // @ts-ignore: decorator
  @inline
  private end(word: i32): usize {
    const at = this.words.word(word);
    return <usize>load<u32>(at) + <usize>load<u32>(at, 4);
  }

  // @ts-ignore: decorator
  @inline
  private turnOf(word: i32): i32 {
    return load<i32>(this.words.word(word), 16);
  }

  /** Whether one of `. , : / -` stands between a digit that ends this word and a digit that begins the next. */
  private joined(word: i32): bool {
    const end = this.end(word);
    const next = this.start(word + 1);
    if (next > end + 3 || this.turnOf(word) != this.turnOf(word + 1) || !isJoint(codePointAt(end)) || afterCodePoint(end) != next) return false;
    return isDigit(codePointAt(next)) && isDigit(codePointAt(beforeCodePoint(end)));
  }

  /** Where the ASCII digits that are the whole word end, letters of a currency sign after it left out; 0 where it is not so. */
  private endOfDigits(word: i32): usize {
    const end = this.end(word);
    let at = this.start(word);
    while (at < end && isAsciiDigit(load<u8>(at))) at++;
    if (at == this.start(word)) return 0;
    if (at == end) return at;
    const digitsEnd = at;
    for (; at < end; at = afterCodePoint(at)) if (isDigit(codePointAt(at))) return 0;
    const text = this.words.turns[this.turnOf(word)];
    const textEnd = text.start + <usize>text.length;
    return end < textEnd && isCurrencySign(codePointAt(end)) ? digitsEnd : 0;
  }

  /** Adds the numeral that a chain of joined words is, if it is one; its first byte is an ASCII digit. */
  private readChain(first: i32, last: i32): void {
    const start = this.start(first);
    for (let i = first; i < last; i++) {
      const end = this.endOfDigits(i);
      if (end == 0 || end != this.end(i)) return;
    }
    const end = this.endOfDigits(last);
    if (end == 0 || !this.isGrouped(first, last, end)) return;
    const turn = this.turnOf(first);
    const from = this.signBefore(this.words.turns[turn].start, start);
    if (from == 0) return;
    const sign = from < start ? codePointAt(from) : 0;
    const value = this.valueOf(start, end, isHyphen(sign));
    if (readInexact) return;
    if (this.count == this.capacity) {
      this.numerals = reallocate(this.numerals, <usize>(this.capacity * NUMERAL_SIZE), <usize>(this.capacity * 2 * NUMERAL_SIZE));
      this.capacity *= 2;
    }
    const numeral = this.numeral(this.count++);
    store<f64>(numeral, value);
    store<u32>(numeral, <u32>from, 8);
    store<u32>(numeral, <u32>(end - from), 12);
    store<i32>(numeral, turn, 20);
  }

  /** Whether the joints are thousands, three digits after each, and then at most one decimal mark. */
  private isGrouped(first: i32, last: i32, end: usize): bool {
    let grouped = false;
    for (let i = first; i < last; i++) {
      const joint: u32 = load<u8>(this.end(i));
      if (joint == this.decimals) return i + 1 == last;
      if (joint != this.thousands) return false;
      if (!grouped && this.end(i) - this.start(i) > 3) return false;
      grouped = true;
      if ((i + 1 == last ? end : this.end(i + 1)) - this.start(i + 1) != 3) return false;
    }
    return true;
  }

  /**
   * Where a numeral begins whose digits begin at `start`: at its sign, or at the digits. 0 where a hyphen that follows a letter or
   * digit stands before it. A currency sign, its letters, or `%`, and one space after them, may stand between sign and digits.
   */
  private signBefore(turnStart: usize, start: usize): usize {
    let at = start;
    let before = codePointBefore(turnStart, at);
    if (!isSign(before)) {
      if (isCurrencySpace(before)) {
        at = beforeCodePoint(at);
        before = codePointBefore(turnStart, at);
      }
      if (before != PERCENT && (before < 0 || !isCurrencySign(before))) return start;
      at = beforeCodePoint(at);
      if (before != PERCENT) {
        while (at > turnStart) {
          before = codePointBefore(turnStart, at);
          if (!isLetterOrDigit(before) || isDigit(before)) break;
          at = beforeCodePoint(at);
        }
      }
      before = codePointBefore(turnStart, at);
      if (!isSign(before)) return start;
    }
    at = beforeCodePoint(at);
    if (before == PLUS) return at;
    before = codePointBefore(turnStart, at);
    return before >= 0 && isLetterOrDigit(before) ? 0 : at;
  }

  /** The value of grouped digits; `readInexact` tells whether a double would change it. */
  private valueOf(start: usize, end: usize, negative: bool): f64 {
    const text = this.scratch;
    text.clear();
    if (negative) text.byte(HYPHEN);
    let leading = true;
    for (let at = start; at < end; at++) {
      const byte: u32 = load<u8>(at);
      if (byte == this.thousands) continue;
      if (byte == this.decimals) {
        if (leading) text.byte(0x30);
        leading = false;
        text.byte(0x2e);
      } else if (byte != 0x30 || !leading) {
        leading = false;
        text.byte(byte);
      }
    }
    if (leading) text.byte(0x30);
    return readDouble(text.start, text.length);
  }

  private fillBuckets(): void {
    let size = 8;
    while (size < this.count) size <<= 1;
    this.mask = <u64>size - 1;
    this.buckets = allocate(<usize>size << 2);
    memory.fill(this.buckets, 0xff, <usize>size << 2);
    for (let i = this.count - 1; i >= 0; i--) {
      const numeral = this.numeral(i);
      const bucket = this.bucketOf(load<f64>(numeral));
      store<i32>(numeral, load<i32>(bucket), 16);
      store<i32>(bucket, i);
    }
  }

  // @ts-ignore: decorator
  @inline
  numeral(index: i32): usize {
    return this.numerals + <usize>(index * NUMERAL_SIZE);
  }

  /** Where the index of the first numeral of a value's bucket is kept; at +16 of a numeral, that of the one after it. */
  bucketOf(value: f64): usize {
    // Adding 0 makes -0 and 0 one.
    const hash = reinterpret<u64>(value + 0.0) * 0x9e3779b97f4a7c15;
    return this.buckets + (<usize>((hash >> 40) & this.mask) << 2);
  }
}

function isSign(codePoint: i32): bool {
  return codePoint == PLUS || isHyphen(codePoint);
}
