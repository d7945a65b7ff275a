// The strict reader (chapter 1): UTF-8 JSON text to a tape of nodes, or one error with its offset.

import { Buffer } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { allocate } from "../memory/region";
import { readDouble, readInexact } from "./number";
import { sortNames } from "./order";
import { writePointerToken } from "./pointer";
import { unescape, scanString, stringEscaped, stringPlain, stringProblem } from "./string";
import { checkUtf8, countStructure } from "./encoding";
import {
  ARRAY, CANONICAL, FALSE, INEXACT, NODE_SIZE, NULL, NUMBER, OBJECT, STRING, TRUE, Value,
  count, first, kind, next, stringLength, stringStart, textStart,
} from "./value";

export const JSON_OK: i32 = 0;
export const JSON_SIZE: i32 = 1;
export const JSON_ENCODING: i32 = 2;
export const JSON_SYNTAX: i32 = 3;
export const JSON_SURROGATE: i32 = 4;
export const JSON_DUPLICATE: i32 = 5;
export const JSON_DEPTH: i32 = 6;
export const JSON_NUMBER: i32 = 7;

/** What was wrong with the text read last (JSON_OK: nothing). */
export let problem: i32 = JSON_OK;
/** Where, in bytes from the start of the text. */
export let problemOffset: i32 = 0;
/** The innermost container that was open there, or 0; with `problemPlace` it says what was being read. */
let problemContainer: Value = 0;
/** 0 the container itself, else the value of its last member or its last element. */
let problemInValue: bool = false;

let source: usize = 0;
let sourceEnd: usize = 0;
/** Where the next node goes. */
let tape: usize = 0;
/** The innermost open container or 0. While open, a container's `next` field holds its parent and +20 the name read last. */
let open: Value = 0;
let depth: i32 = 0;

function fail(code: i32, at: usize, inValue: bool): Value {
  problem = code;
  problemOffset = <i32>(at - source);
  problemContainer = open;
  problemInValue = inValue;
  // A name given twice in a container still open stands before this.
  for (let container = open; container != 0; container = load<u32>(container, 12)) {
    if (kind(container) != OBJECT || count(container) < 2) continue;
    const second = earliestRepeat(container, tape);
    if (second != 0 && <i32>(textStart(second) - source) < problemOffset) {
      problem = JSON_DUPLICATE;
      problemOffset = <i32>(textStart(second) - source);
      problemContainer = container;
      problemInValue = false;
    }
  }
  return 0;
}

/** The first name that repeats an earlier one of an object whose nodes end at `end`, or 0. */
function earliestRepeat(object: Value, end: usize): Value {
  const total = count(object);
  const table = allocate(<usize>total << 2);
  let i: usize = 0;
  let name = first(object);
  while (i < <usize>total && name < end) {
    store<u32>(table + (i << 2), <u32>name);
    i++;
    const value = name + NODE_SIZE;
    if (value >= end) break;
    // The value of the last member may be open still: its `next` is not set, and it is the last.
    if (i == <usize>total) break;
    name = next(value);
  }
  return firstRepeat(table, <i32>i);
}

function firstRepeat(table: usize, total: i32): Value {
  sortNames(table, total);
  let found: Value = 0;
  for (let i: usize = 1; i < <usize>total; i++) {
    const a: Value = load<u32>(table + ((i - 1) << 2));
    const b: Value = load<u32>(table + (i << 2));
    if (compareUtf16(stringStart(a), stringLength(a), stringStart(b), stringLength(b)) != 0) continue;
    // Equal names sort by where they stand, so b is the later one.
    if (found == 0 || b < found) found = b;
  }
  return found;
}

/** The first byte that is not white space at or after `at`. */
// @ts-ignore: decorator
@inline
function skipSpace(at: usize): usize {
  while (at < sourceEnd) {
    const c = load<u8>(at);
    if (c > 0x20 || (c != 0x20 && c != 0x0a && c != 0x0d && c != 0x09)) break;
    at++;
  }
  return at;
}

// @ts-ignore: decorator
@inline
function node(which: i32, flag: i32, at: usize, length: i32): Value {
  const made = tape;
  tape += NODE_SIZE;
  store<u16>(made, <u16>(which | (flag << 8)));
  store<u32>(made, <u32>at, 4);
  store<i32>(made, length, 8);
  store<u32>(made, <u32>(made + NODE_SIZE), 12);
  return made;
}

/** Reads the string whose quote is at `at`; returns where it ends, or 0. */
function readString(at: usize, inValue: bool): usize {
  const end = scanString(at, sourceEnd);
  if (end == 0) {
    if (stringProblem == 1) fail(JSON_SYNTAX, sourceEnd, inValue);
    else fail(stringProblem == 3 ? JSON_SURROGATE : JSON_SYNTAX, at, inValue);
    return 0;
  }
  const made = node(STRING, stringPlain ? CANONICAL : 0, at, <i32>(end - at));
  if (stringEscaped) {
    unescape(made);
  } else {
    store<u32>(made, <u32>(at + 1), 16);
    store<i32>(made, <i32>(end - at) - 2, 20);
  }
  return end;
}

function isNumberByte(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || c == 0x2b || c == 0x2d || c == 0x2e || c == 0x65 || c == 0x45;
}

// @ts-ignore: decorator
@inline
function isDigitAt(at: usize): bool {
  return at < sourceEnd && load<u8>(at) >= 0x30 && load<u8>(at) <= 0x39;
}

const POWERS: StaticArray<f64> = [
  1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/** Reads the number at `at`; returns where it ends, or 0. */
function readNumber(at: usize): usize {
  const negative = load<u8>(at) == 0x2d;
  let i = negative ? at + 1 : at;
  const whole = i;
  if (!isDigitAt(i)) return numberFails(at, i);
  let mantissa: u64 = 0;
  if (load<u8>(i) == 0x30) i++;
  else while (isDigitAt(i)) mantissa = mantissa * 10 + <u64>(load<u8>(i++) - 0x30);
  const wholeDigits = <i32>(i - whole);
  let fractionDigits = 0;
  let exponent = false;
  if (i < sourceEnd && load<u8>(i) == 0x2e) {
    const point = ++i;
    if (!isDigitAt(i)) return numberFails(at, i);
    while (isDigitAt(i)) mantissa = mantissa * 10 + <u64>(load<u8>(i++) - 0x30);
    fractionDigits = <i32>(i - point);
  }
  if (i < sourceEnd && (load<u8>(i) | 0x20) == 0x65) {
    exponent = true;
    i++;
    if (i < sourceEnd && (load<u8>(i) == 0x2b || load<u8>(i) == 0x2d)) i++;
    if (!isDigitAt(i)) return numberFails(at, i);
    while (isDigitAt(i)) i++;
  }
  if (i < sourceEnd && isNumberByte(load<u8>(i))) return numberFails(at, i);
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
  const made = node(NUMBER, flag, at, <i32>(i - at));
  store<f64>(made, value, 16);
  return i;
}

/** The number token at `at` cannot go on at `i`. */
function numberFails(at: usize, i: usize): usize {
  if (i >= sourceEnd) fail(JSON_SYNTAX, sourceEnd, true);
  else fail(JSON_SYNTAX, isNumberByte(load<u8>(i)) ? at : i, true);
  return 0;
}

/** Reads `true`, `false` or `null` at `at`; returns where it ends, or 0. */
function readLiteral(at: usize): usize {
  const lead = load<u8>(at);
  const literal = lead == 0x74 ? "true" : lead == 0x66 ? "false" : "null";
  const which = lead == 0x74 ? TRUE : lead == 0x66 ? FALSE : NULL;
  let i: usize = 0;
  const length = <usize>literal.length;
  while (i < length && at + i < sourceEnd && <u16>load<u8>(at + i) == load<u16>(changetype<usize>(literal) + (i << 1))) i++;
  if (i < length && at + i >= sourceEnd) {
    fail(JSON_SYNTAX, sourceEnd, true);
    return 0;
  }
  if (at + i < sourceEnd) {
    const after = load<u8>(at + i) | 0x20;
    const letter = after >= 0x61 && after <= 0x7a;
    if (letter || i < length) {
      fail(JSON_SYNTAX, letter ? at : at + i, true);
      return 0;
    }
  }
  node(which, CANONICAL, at, <i32>length);
  return at + length;
}

function openContainer(which: i32, at: usize): void {
  const made = node(which, CANONICAL, at, 0);
  store<u32>(made, <u32>open, 12);
  store<i32>(made, 0, 16);
  store<u32>(made, 0, 20);
  open = made;
  depth++;
}

/** Closes the innermost container, whose bracket ends at `end`; false on a repeated name. */
function closeContainer(end: usize): bool {
  const closed = open;
  if (kind(closed) == OBJECT) {
    // Out of order: bit 4 was set when a name did not sort after the one before it.
    if ((load<u8>(closed, 1) & 4) != 0) {
      const total = count(closed);
      const table = allocate(<usize>total << 2);
      let at = table;
      for (let name = first(closed); name < tape; name = next(next(name)), at += 4) store<u32>(at, <u32>name);
      const repeat = firstRepeat(table, total);
      if (repeat != 0) {
        fail(JSON_DUPLICATE, textStart(repeat), false);
        return false;
      }
      store<u32>(closed, <u32>table, 20);
      store<u8>(closed, load<u8>(closed, 1) & ~(<u8>(4 | CANONICAL)), 1);
    } else {
      store<u32>(closed, 0, 20);
    }
  }
  const parent: Value = load<u32>(closed, 12);
  store<u32>(closed, <u32>tape, 12);
  store<i32>(closed, <i32>(end - textStart(closed)), 8);
  open = parent;
  depth--;
  if (parent != 0) inherit(parent, closed);
  return true;
}

/** A container takes over from a child what counts for the whole of it. */
// @ts-ignore: decorator
@inline
function inherit(container: Value, child: Value): void {
  const have = load<u8>(container, 1);
  const given = load<u8>(child, 1);
  store<u8>(container, (have & (given | ~(<u8>CANONICAL))) | (given & <u8>INEXACT), 1);
}

/** White space was skipped inside the innermost container: its text is not canonical. */
// @ts-ignore: decorator
@inline
function notCanonical(): void {
  if (open != 0) store<u8>(open, load<u8>(open, 1) & ~(<u8>CANONICAL), 1);
}

/**
 * Reads a whole text.
 * @param start where it begins; the tape points into it, so it must stay
 * @param length its length in bytes
 * @param depthLimit how many containers may be open at once
 * @param bytesLimit the longest text, in bytes
 * @returns the root's node in the current region, or 0 with `problem` and `problemOffset` set
 */
export function scan(start: usize, length: i32, depthLimit: i32, bytesLimit: i64): Value {
  source = start;
  sourceEnd = start + <usize>length;
  open = 0;
  depth = 0;
  tape = 0;
  problem = JSON_OK;
  problemContainer = 0;
  problemInValue = false;
  if (<i64>length > bytesLimit) return fail(JSON_SIZE, start + <usize>bytesLimit, false);
  const wrong = checkUtf8(start, length);
  if (wrong >= 0) return fail(JSON_ENCODING, start + <usize>wrong, false);
  // A node follows each of `[ { , :`, and there is the root; no two nodes share a byte.
  const nodes = min(countStructure(start, length) + 2, length / 2 + 2);
  tape = allocate(<usize>nodes * NODE_SIZE);
  const root = tape;
  let at = skipSpace(start);
  for (;;) {
    // A value begins at `at`.
    if (at >= sourceEnd) return fail(JSON_SYNTAX, sourceEnd, true);
    const c = load<u8>(at);
    if (c == 0x7b || c == 0x5b) {
      if (depth >= depthLimit) return fail(JSON_DEPTH, at, true);
      openContainer(c == 0x7b ? OBJECT : ARRAY, at);
      const inside = skipSpace(at + 1);
      if (inside < sourceEnd && load<u8>(inside) == (c == 0x7b ? 0x7d : 0x5d)) {
        if (inside != at + 1) notCanonical();
        at = inside + 1;
        closeContainer(at);
      } else {
        if (inside != at + 1) notCanonical();
        at = inside;
        if (c == 0x7b) {
          at = readName(at);
          if (at == 0) return 0;
        } else {
          store<i32>(open, 1, 16);
        }
        continue;
      }
    } else {
      const made = tape;
      if (c == 0x22) at = readString(at, true);
      else if (c == 0x2d || (c >= 0x30 && c <= 0x39)) at = readNumber(at);
      else if (c == 0x74 || c == 0x66 || c == 0x6e) at = readLiteral(at);
      else return fail(JSON_SYNTAX, at, true);
      if (at == 0) return 0;
      if (open != 0) inherit(open, made);
    }
    // A value ended at `at`: close what closes, then the next one.
    for (;;) {
      const before = at;
      at = skipSpace(at);
      if (open == 0) {
        if (at < sourceEnd) return fail(JSON_SYNTAX, at, false);
        return root;
      }
      if (at != before) notCanonical();
      if (at >= sourceEnd) return fail(JSON_SYNTAX, sourceEnd, false);
      const mark = load<u8>(at);
      const object = kind(open) == OBJECT;
      if (mark == 0x2c) {
        const after = skipSpace(at + 1);
        if (after != at + 1) notCanonical();
        at = after;
        if (object) {
          at = readName(at);
          if (at == 0) return 0;
        } else {
          store<i32>(open, count(open) + 1, 16);
        }
        break;
      }
      if (mark != (object ? 0x7d : 0x5d)) return fail(JSON_SYNTAX, at, false);
      at++;
      if (!closeContainer(at)) return 0;
    }
  }
  return 0;
}

/** Reads a member's name and colon; returns where its value begins, or 0. */
function readName(at: usize): usize {
  if (at >= sourceEnd) {
    fail(JSON_SYNTAX, sourceEnd, false);
    return 0;
  }
  if (load<u8>(at) != 0x22) {
    fail(JSON_SYNTAX, at, false);
    return 0;
  }
  const name = tape;
  const end = readString(at, false);
  if (end == 0) return 0;
  const container = open;
  const before: Value = load<u32>(container, 20);
  const members = count(container);
  if (members != 0 && compareUtf16(stringStart(before), stringLength(before), stringStart(name), stringLength(name)) >= 0) {
    store<u8>(container, load<u8>(container, 1) | 4, 1);
  }
  store<u32>(container, <u32>name, 20);
  store<i32>(container, members + 1, 16);
  inherit(container, name);
  const colon = skipSpace(end);
  if (colon >= sourceEnd) {
    fail(JSON_SYNTAX, sourceEnd, false);
    return 0;
  }
  if (load<u8>(colon) != 0x3a) {
    fail(JSON_SYNTAX, colon, false);
    return 0;
  }
  const value = skipSpace(colon + 1);
  if (colon != end || value != colon + 1) notCanonical();
  return value;
}

/** Appends the JSON Pointer (RFC 6901) of the innermost value that was being read where the text went wrong. */
export function writeProblemPointer(out: Buffer): void {
  const chain: Array<usize> = [];
  for (let container = problemContainer; container != 0; container = load<u32>(container, 12)) chain.push(container);
  for (let i = chain.length - 1; i >= 0; i--) {
    if (i == 0 && !problemInValue) break;
    const container = unchecked(chain[i]);
    if (kind(container) == OBJECT) {
      const name: Value = load<u32>(container, 20);
      if (name == 0) break;
      writePointerToken(stringStart(name), stringLength(name), out);
    } else {
      out.byte(0x2f);
      out.integer(max(count(container) - 1, 0));
    }
  }
}

/** The error's code as text. */
export function problemCode(code: i32): string {
  switch (code) {
    case JSON_SIZE: return "json_size";
    case JSON_ENCODING: return "json_encoding";
    case JSON_SURROGATE: return "json_surrogate";
    case JSON_DUPLICATE: return "json_duplicate";
    case JSON_DEPTH: return "json_depth";
    case JSON_NUMBER: return "json_number";
    default: return "json_syntax";
  }
}
