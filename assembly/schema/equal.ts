// Equality of JSON values as JSON Schema means it: numbers by their decimal value, objects without order; and a hash that agrees with it.

import { equalBytes } from "../memory/bytes";
import { spend } from "../memory/steps";
import { compareDecimals, hashDecimal } from "../json/decimal";
import {
  ARRAY, FALSE, NUMBER, OBJECT, STRING, Value, count, first, kind, next, numberValue, stringLength, stringStart, textLength, textStart,
} from "../json/value";

/** Orders two numbers by their decimal values: negative, 0 or positive. Spends a step for each 64 digits that are compared. */
export function compareNumbers(a: Value, b: Value): i32 {
  const x = numberValue(a);
  const y = numberValue(b);
  // Rounding to a double keeps the order, so only equal doubles leave a question.
  if (x < y) return -1;
  if (x > y) return 1;
  if (equalBytes(textStart(a), textLength(a), textStart(b), textLength(b))) return 0;
  const length = <i64>textLength(a) + <i64>textLength(b);
  if (length >= 64 && !spend(length >> 6)) return 0;
  return compareDecimals(textStart(a), textLength(a), textStart(b), textLength(b));
}

/** Where an object's sorted names are: its table, or 0 where they stand in order. */
// @ts-ignore: decorator
@inline
function namesOf(object: Value): usize {
  return load<u32>(object, 20);
}

/** Whether two strings are equal. Spends a step for each 64 bytes. */
function equalStrings(a: Value, b: Value): bool {
  const length = stringLength(a);
  if (length != stringLength(b) || (length >= 64 && !spend(<i64>(length >> 6)))) return false;
  return equalBytes(stringStart(a), length, stringStart(b), length);
}

/** Whether two values are equal. Spends a step a node, and more for long texts; false once the budget is passed. Recursion is bounded by the values' depth. */
export function equalValues(a: Value, b: Value): bool {
  if (a == b) return true;
  if (!spend(1)) return false;
  const which = kind(a);
  if (which != kind(b)) return false;
  switch (which) {
    case NUMBER: return compareNumbers(a, b) == 0;
    case STRING: return equalStrings(a, b);
    case ARRAY: {
      const total = count(a);
      if (total != count(b)) return false;
      let x = first(a);
      let y = first(b);
      for (let i = 0; i < total; i++) {
        if (!equalValues(x, y)) return false;
        x = next(x);
        y = next(y);
      }
      return true;
    }
    case OBJECT: return equalObjects(a, b);
    default: return true;
  }
}

function equalObjects(a: Value, b: Value): bool {
  const total = count(a);
  if (total != count(b)) return false;
  const aNames = namesOf(a);
  const bNames = namesOf(b);
  let x = first(a);
  let y = first(b);
  for (let i: usize = 0; i < <usize>total; i++) {
    if (aNames != 0) x = load<u32>(aNames + (i << 2));
    if (bNames != 0) y = load<u32>(bNames + (i << 2));
    if (!equalStrings(x, y)) return false;
    if (!equalValues(next(x), next(y))) return false;
    x = next(next(x));
    y = next(next(y));
  }
  return true;
}

const MIX: u64 = 0x9e3779b97f4a7c15;

// @ts-ignore: decorator
@inline
function mix(hash: u64, more: u64): u64 {
  return rotl<u64>((hash ^ more) * MIX, 31);
}

/** Spends a step for each 64 bytes; 0 once the budget is passed. */
function hashBytes(hash: u64, start: usize, length: i32): u64 {
  if (length >= 64 && !spend(<i64>(length >> 6))) return 0;
  let h = mix(hash, <u64>length);
  let i: usize = 0;
  for (; i + 8 <= <usize>length; i += 8) h = mix(h, load<u64>(start + i));
  for (; i < <usize>length; i++) h = mix(h, <u64>load<u8>(start + i));
  return h;
}

/** A hash that equal values share. Spends a step a node, and more for long texts. Recursion is bounded by the value's depth. */
export function hashValue(value: Value): u64 {
  if (!spend(1)) return 0;
  const which = kind(value);
  const seed = <u64>which + 1;
  switch (which) {
    case NUMBER: {
      const length = textLength(value);
      if (length >= 64 && !spend(<i64>(length >> 6))) return 0;
      return mix(seed, <u64>hashDecimal(textStart(value), length)) * MIX;
    }
    case STRING: return hashBytes(seed, stringStart(value), stringLength(value)) * MIX;
    case ARRAY: {
      let h = seed;
      const total = count(value);
      let element = first(value);
      for (let i = 0; i < total; i++) {
        h = mix(h, hashValue(element));
        element = next(element);
      }
      return h * MIX;
    }
    case OBJECT: {
      const total = count(value);
      let sum: u64 = mix(seed, <u64>total);
      let name = first(value);
      for (let i = 0; i < total; i++) {
        sum += mix(hashBytes(seed, stringStart(name), stringLength(name)), hashValue(next(name)));
        name = next(next(name));
      }
      return sum * MIX;
    }
    case FALSE:
    default: return seed * MIX;
  }
}
