// The regex room for its tests: compiles a pattern and matches texts, with the steps it took.

import "../../assembly/abort";
import { compilePattern, Pattern } from "../../assembly/regex/compile";
import { matchPattern } from "../../assembly/regex/run";
import { Buffer } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { beginSteps, spend } from "../../assembly/memory/steps";
import { isCurrencySign, isDigit, isLetterOrDigit } from "../../assembly/unicode/properties";

const patterns = createRegion();
const texts = createRegion();
let pattern: Pattern | null = null;

const MANY: i64 = 1 << 60;

/** Empties the region of texts and makes room for one. */
export function input(length: i32): usize {
  enterRegion(texts);
  resetRegion(texts);
  return allocate(<usize>length);
}

/** Compiles the pattern at `start`; answers its problem. */
export function compile(start: usize, length: i32, shortcuts: i32): i32 {
  resetRegion(patterns);
  enterRegion(patterns);
  const made = compilePattern(start, length, shortcuts != 0);
  pattern = made;
  enterRegion(texts);
  return made.problem;
}

export function offset(): i32 {
  return pattern!.offset;
}

/** How the pattern is matched: 0 by counting, 1 by a table, 2 by threads. */
export function kind(): i32 {
  return pattern!.runSet != 0 ? 0 : pattern!.automaton !== null ? 1 : 2;
}

export function messageLength(): i32 {
  return pattern!.message.length;
}

export function messageCode(index: i32): i32 {
  return pattern!.message.charCodeAt(index);
}

/** Matches the text at `start`. */
export function match(start: usize, length: i32, limit: i64): i32 {
  beginSteps(limit);
  return matchPattern(pattern!, start, length);
}

/** Matches it `times` times, for measuring. */
export function matchOften(start: usize, length: i32, times: i32): i32 {
  beginSteps(MANY);
  let sum = 0;
  for (let i = 0; i < times; i++) sum += matchPattern(pattern!, start, length);
  return sum;
}

/** Sets a bit of the block at `bits` for each code point, the surrogates left out, that the pattern takes alone. */
export function takeAll(bits: usize): void {
  enterRegion(texts);
  const text = new Buffer(8);
  memory.fill(bits, 0, 0x110000 >> 3);
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    text.length = 0;
    text.codePoint(codePoint);
    beginSteps(MANY);
    if (matchPattern(pattern!, text.start, text.length) != 1) continue;
    const at = bits + <usize>(codePoint >> 3);
    const bit: u8 = 1;
    store<u8>(at, load<u8>(at) | (bit << (<u8>codePoint & 7)));
  }
}

/** The steps a match takes. */
export function steps(start: usize, length: i32): i64 {
  let used: i64 = 0;
  beginSteps(MANY);
  matchPattern(pattern!, start, length);
  // What is left is found by taking all of it.
  let low: i64 = 0;
  for (let bit: i64 = 1 << 60; bit > 0; bit >>= 1) {
    if (spend(bit)) low += bit;
    else spend(-bit);
  }
  used = MANY - low;
  return used;
}

/** Of a code point: 1 a letter or digit, 2 a digit, 4 a currency sign. */
export function kindOf(codePoint: i32): i32 {
  return (isLetterOrDigit(codePoint) ? 1 : 0) | (isDigit(codePoint) ? 2 : 0) | (isCurrencySign(codePoint) ? 4 : 0);
}
