// Scalar tokens into their nodes: strings with escapes, numbers, literals; or where a token goes wrong.

import { readDouble, readInexact } from "./number";
import { JSON_SURROGATE, JSON_SYNTAX } from "./problem";
import { scanString, stringEscaped, stringPlain, stringProblem, unescape } from "./string";
import { CANONICAL, FALSE, INEXACT, NODE_SIZE, NULL, NUMBER, STRING, TRUE, Value } from "./value";

/** Why and where the token read last stopped short, where a reader below returned 0. */
export let stopCode: i32 = 0;
export let stopAt: usize = 0;

function stop(code: i32, at: usize): usize {
  stopCode = code;
  stopAt = at;
  return 0;
}

/** Fills in what every node has, `next` as a scalar's. */
// @ts-ignore: decorator
@inline
export function putNode(node: Value, which: i32, flag: i32, at: usize, length: i32): void {
  store<u16>(node, <u16>(which | (flag << 8)));
  store<u32>(node, <u32>at, 4);
  store<i32>(node, length, 8);
  store<u32>(node, <u32>(node + NODE_SIZE), 12);
}

/** Fills in a string's node; its token needs no unescaping. */
// @ts-ignore: decorator
@inline
export function putString(node: Value, flag: i32, at: usize, end: usize): void {
  putNode(node, STRING, flag, at, <i32>(end - at));
  store<u32>(node, <u32>(at + 1), 16);
  store<i32>(node, <i32>(end - at) - 2, 20);
}

/** Reads the scalar that begins with the byte `c` at `at` into `node`; returns where it ends, or 0 with `stopCode` and `stopAt`. */
export function readScalar(c: i32, at: usize, end: usize, node: Value): usize {
  if (c == 0x22) return readString(at, end, node);
  if (c == 0x2d || (c >= 0x30 && c <= 0x39)) return readNumber(at, end, node);
  if (c == 0x74) return readLiteral("true", TRUE, at, end, node);
  if (c == 0x66) return readLiteral("false", FALSE, at, end, node);
  if (c == 0x6e) return readLiteral("null", NULL, at, end, node);
  return stop(JSON_SYNTAX, at);
}

/** Reads the string whose quote is at `at`. */
export function readString(at: usize, end: usize, node: Value): usize {
  const after = scanString(at, end);
  if (after == 0) {
    if (stringProblem == 1) return stop(JSON_SYNTAX, end);
    return stop(stringProblem == 3 ? JSON_SURROGATE : JSON_SYNTAX, at);
  }
  putString(node, stringPlain ? CANONICAL : 0, at, after);
  if (stringEscaped) unescape(node);
  return after;
}

function isNumberByte(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || c == 0x2b || c == 0x2d || c == 0x2e || c == 0x65 || c == 0x45;
}

// @ts-ignore: decorator
@inline
function isDigitAt(at: usize, end: usize): bool {
  return at < end && <u32>load<u8>(at) - 0x30 <= 9;
}

const POWERS: StaticArray<f64> = [
  1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/** Reads the number at `at`. */
function readNumber(at: usize, end: usize, node: Value): usize {
  const negative = load<u8>(at) == 0x2d;
  let i = negative ? at + 1 : at;
  const whole = i;
  if (!isDigitAt(i, end)) return stopNumber(at, i, end);
  let mantissa: u64 = 0;
  if (load<u8>(i) == 0x30) i++;
  else for (; isDigitAt(i, end); i++) mantissa = mantissa * 10 + <u64>(load<u8>(i) - 0x30);
  const wholeDigits = <i32>(i - whole);
  let fractionDigits = 0;
  let exponent = false;
  if (i < end && load<u8>(i) == 0x2e) {
    const point = ++i;
    if (!isDigitAt(i, end)) return stopNumber(at, i, end);
    for (; isDigitAt(i, end); i++) mantissa = mantissa * 10 + <u64>(load<u8>(i) - 0x30);
    fractionDigits = <i32>(i - point);
  }
  if (i < end && (load<u8>(i) | 0x20) == 0x65) {
    exponent = true;
    i++;
    if (i < end && (load<u8>(i) == 0x2b || load<u8>(i) == 0x2d)) i++;
    if (!isDigitAt(i, end)) return stopNumber(at, i, end);
    while (isDigitAt(i, end)) i++;
  }
  if (i < end && isNumberByte(load<u8>(i))) return stopNumber(at, i, end);
  let flag = 0;
  let value: f64;
  if (!exponent && wholeDigits + fractionDigits <= 15) {
    // Up to 15 digits and a power of ten up to 10^15: the division rounds correctly, and the text, if it has no needless zero, is the shortest.
    value = <f64>mantissa;
    if (fractionDigits != 0) value /= unchecked(POWERS[fractionDigits]);
    if (negative) value = -value;
    if (mantissa == 0) flag = !negative && fractionDigits == 0 ? CANONICAL : 0;
    else if (fractionDigits == 0) flag = CANONICAL;
    else if (load<u8>(i - 1) != 0x30 && Math.abs(value) >= 1e-6) flag = CANONICAL;
  } else {
    value = readDouble(at, <i32>(i - at));
    if (readInexact) flag = INEXACT;
  }
  putNode(node, NUMBER, flag, at, <i32>(i - at));
  store<f64>(node, value, 16);
  return i;
}

/** The number token at `at` cannot go on at `i`. */
function stopNumber(at: usize, i: usize, end: usize): usize {
  if (i >= end) return stop(JSON_SYNTAX, end);
  return stop(JSON_SYNTAX, isNumberByte(load<u8>(i)) ? at : i);
}

/** Reads a literal whose first letter stands at `at`. */
function readLiteral(literal: string, which: i32, at: usize, end: usize, node: Value): usize {
  const length = <usize>literal.length;
  let i: usize = 1;
  while (i < length && at + i < end && <u16>load<u8>(at + i) == load<u16>(changetype<usize>(literal) + (i << 1))) i++;
  if (at + i < end) {
    const after = load<u8>(at + i) | 0x20;
    const letter = after >= 0x61 && after <= 0x7a;
    if (letter || i < length) return stop(JSON_SYNTAX, letter ? at : at + i);
  } else if (i < length) {
    return stop(JSON_SYNTAX, end);
  }
  putNode(node, which, CANONICAL, at, <i32>length);
  return at + length;
}
