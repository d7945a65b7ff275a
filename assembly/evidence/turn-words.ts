// The words of the turns, found once and looked up by their letters: a word is a longest run of letters and digits (L*, N*).
//
//   word:  +0 where it begins   +4 its length in bytes   +8 its hash   +12 the next word of its bucket, in order, or -1
//          +16 its turn   +20 0

import { Text } from "../memory/buffer";
import { codePointAt, afterCodePoint } from "../memory/bytes";
import { allocate, reallocate } from "../memory/region";
import { spend } from "../memory/steps";
import { isLetterOrDigit } from "../unicode/properties";

export const WORD_SIZE: i32 = 24;

/** The hash (FNV-1a, its end mixed) of the word that ended last. */
export let wordHash: u32 = 0;

/** Whether an ASCII byte is a letter or digit; false for the bytes of other characters. */
// @ts-ignore: decorator
@inline
function isAsciiWord(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10;
}

/** Where the word that begins at `at` ends; `at` itself where none does. Its hash is left in `wordHash`. */
export function endOfWord(at: usize, end: usize): usize {
  let hash: u32 = 0x811c9dc5;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte < 0x80) {
      if (!isAsciiWord(byte)) break;
      hash = (hash ^ byte) * 0x01000193;
      at++;
    } else {
      if (!isLetterOrDigit(codePointAt(at))) break;
      for (const after = afterCodePoint(at); at < after; at++) hash = (hash ^ <u32>load<u8>(at)) * 0x01000193;
    }
  }
  wordHash = hash ^ (hash >> 15);
  return at;
}

/** Where the first word at or after `at` begins; `end` where there is none. */
export function startOfWord(at: usize, end: usize): usize {
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte < 0x80) {
      if (isAsciiWord(byte)) break;
      at++;
    } else {
      if (isLetterOrDigit(codePointAt(at))) break;
      at = afterCodePoint(at);
    }
  }
  return at;
}

/** All words of some turns. */
@final
export class TurnWords {
  words: usize = 0;
  count: i32 = 0;
  private capacity: i32 = 0;
  /** The first word of each bucket, or -1; a power of two of them. */
  private buckets: usize = 0;
  private mask: u32 = 0;

  /** Finds the words of the turns; a step a byte. Turns that the budget does not reach have none. */
  constructor(public turns: Array<Text>) {
    this.capacity = 32;
    this.words = allocate(32 * WORD_SIZE);
    for (let t = 0; t < turns.length; t++) {
      if (!spend(<i64>turns[t].length + 1)) break;
      this.readTurn(t);
    }
    this.fillBuckets();
  }

  private readTurn(turn: i32): void {
    const text = this.turns[turn];
    const end = text.start + <usize>text.length;
    let at = startOfWord(text.start, end);
    while (at < end) {
      const after = endOfWord(at, end);
      if (this.count == this.capacity) {
        this.words = reallocate(this.words, <usize>(this.capacity * WORD_SIZE), <usize>(this.capacity * 2 * WORD_SIZE));
        this.capacity *= 2;
      }
      const word = this.words + <usize>(this.count * WORD_SIZE);
      const length = <i32>(after - at);
      store<u32>(word, <u32>at);
      store<i32>(word, length, 4);
      store<u32>(word, wordHash, 8);
      store<i32>(word, turn, 16);
      this.count++;
      at = startOfWord(after, end);
    }
  }

  private fillBuckets(): void {
    let size = 16;
    while (size < this.count) size <<= 1;
    this.mask = <u32>size - 1;
    this.buckets = allocate(<usize>size << 2);
    memory.fill(this.buckets, 0xff, <usize>size << 2);
    for (let i = this.count - 1; i >= 0; i--) {
      const word = this.word(i);
      const bucket = this.bucketOf(load<u32>(word, 8));
      store<i32>(word, load<i32>(bucket), 12);
      store<i32>(bucket, i);
    }
  }

  // @ts-ignore: decorator
  @inline
  word(index: i32): usize {
    return this.words + <usize>(index * WORD_SIZE);
  }

  /** Where the index of the first word of a hash's bucket is kept; at +12 of a word, that of the one after it. */
  bucketOf(hash: u32): usize {
    return this.buckets + (<usize>(hash & this.mask) << 2);
  }
}
