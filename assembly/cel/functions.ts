// The functions a condition may call: their names, how they are called, and what they do.

import { PATTERN_OK, Pattern, compilePattern } from "../regex/compile";
import { matchPattern } from "../regex/run";
import { countCodePoints, equalAscii } from "../memory/bytes";
import { allocate, createRegion, dropRegion, enterRegion } from "../memory/region";
import { spend } from "../memory/steps";
import { isList, isMap, sizeOf } from "./collection";
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from "./convert";
import { Environment } from "./environment";
import {
  BYTES, DOUBLE, DURATION, ERROR, INT, SLOT_SIZE, STRING, Slot, TIMESTAMP, TYPE, UINT, addressOf, asideOf, doubleOf, intOf, setBool, setError, setInt, tagOf,
  typeOf, uintOf,
} from "./slot";
import { NO_ZONE, durationPart, isDurationPart, timestampPart, zoneOffset } from "./time";

export const FUNCTION_NONE: i32 = -1;
export const FUNCTION_SIZE: i32 = 0;
export const FUNCTION_INT: i32 = 1;
export const FUNCTION_UINT: i32 = 2;
export const FUNCTION_DOUBLE: i32 = 3;
export const FUNCTION_BOOL: i32 = 4;
export const FUNCTION_STRING: i32 = 5;
export const FUNCTION_BYTES: i32 = 6;
export const FUNCTION_TIMESTAMP: i32 = 7;
export const FUNCTION_DURATION: i32 = 8;
export const FUNCTION_DYN: i32 = 9;
export const FUNCTION_TYPE: i32 = 10;
export const FUNCTION_MATCHES: i32 = 11;
export const FUNCTION_RAN: i32 = 12;
export const FUNCTION_ALLOWED: i32 = 13;
export const FUNCTION_ALLOWED_WITHIN: i32 = 14;
export const FUNCTION_STARTS_WITH: i32 = 15;
export const FUNCTION_ENDS_WITH: i32 = 16;
export const FUNCTION_CONTAINS: i32 = 17;
/** The getters follow, in the order of time.ts's parts. */
export const FUNCTION_GETTER: i32 = 18;

const GLOBAL: StaticArray<string> = [
  "size", "int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration", "dyn", "type", "matches", "ran", "allowed", "allowed_within",
];
const GETTERS: StaticArray<string> = [
  "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
];

/** The function called as `name(…)`, or FUNCTION_NONE. */
export function globalFunction(start: usize, length: i32): i32 {
  for (let i = 0; i < GLOBAL.length; i++) if (equalAscii(start, length, GLOBAL[i])) return i;
  return FUNCTION_NONE;
}

/** The function called as `x.name(…)`, or FUNCTION_NONE. */
export function memberFunction(start: usize, length: i32): i32 {
  if (equalAscii(start, length, "startsWith")) return FUNCTION_STARTS_WITH;
  if (equalAscii(start, length, "endsWith")) return FUNCTION_ENDS_WITH;
  if (equalAscii(start, length, "contains")) return FUNCTION_CONTAINS;
  if (equalAscii(start, length, "matches")) return FUNCTION_MATCHES;
  if (equalAscii(start, length, "size")) return FUNCTION_SIZE;
  for (let i = 0; i < GETTERS.length; i++) if (equalAscii(start, length, GETTERS[i])) return FUNCTION_GETTER + i;
  return FUNCTION_NONE;
}

/** How many operands a function takes at least, the receiver counted. */
export function leastOperands(id: i32): i32 {
  return id == FUNCTION_MATCHES || (id >= FUNCTION_ALLOWED_WITHIN && id <= FUNCTION_CONTAINS) ? 2 : 1;
}

/** How many it takes at most. */
export function mostOperands(id: i32): i32 {
  return id >= FUNCTION_GETTER ? 2 : leastOperands(id);
}

/** Calls function `id` on `operands` slots from `at`; the result replaces the first. An error among them is the result. */
export function call(id: i32, operands: i32, at: Slot, environment: Environment): void {
  const second = at + SLOT_SIZE;
  if (tagOf(at) == ERROR || (operands > 1 && tagOf(second) == ERROR)) {
    setError(at);
    return;
  }
  switch (id) {
    case FUNCTION_SIZE: size(at); break;
    case FUNCTION_MATCHES: matches(at, second); break;
    case FUNCTION_STARTS_WITH:
    case FUNCTION_ENDS_WITH:
      affix(at, second, id == FUNCTION_ENDS_WITH);
      break;
    case FUNCTION_CONTAINS: containsText(at, second); break;
    case FUNCTION_RAN:
    case FUNCTION_ALLOWED:
    case FUNCTION_ALLOWED_WITHIN:
      history(id, at, second, environment);
      break;
    default:
      if (id >= FUNCTION_GETTER) getter(id - FUNCTION_GETTER, operands, at, second);
      // A conversion reads the whole of a text, and a number's is copied first.
      else if (tagOf(at) == STRING && id >= FUNCTION_INT && id <= FUNCTION_DURATION && !spend(asideOf(at) >> 3)) setError(at);
      else convert(id, at);
  }
}

/** The conversions, `dyn` and `type`; what they need is their operand alone. */
export function convert(id: i32, at: Slot): void {
  switch (id) {
    case FUNCTION_INT: toInt(at); break;
    case FUNCTION_UINT: toUint(at); break;
    case FUNCTION_DOUBLE: toDouble(at); break;
    case FUNCTION_BOOL: toBool(at); break;
    case FUNCTION_STRING: toText(at); break;
    case FUNCTION_BYTES: toBytes(at); break;
    case FUNCTION_TIMESTAMP: toTimestamp(at); break;
    case FUNCTION_DURATION: toDuration(at); break;
    case FUNCTION_TYPE: {
      const type = typeOf(at);
      setInt(at, <i64>type);
      store<u32>(at, TYPE);
      break;
    }
  }
}

function size(at: Slot): void {
  const tag = tagOf(at);
  if (tag == STRING) {
    spend(asideOf(at) >> 5);
    setInt(at, countCodePoints(addressOf(at), asideOf(at)));
  } else if (tag == BYTES) {
    setInt(at, asideOf(at));
  } else if (isList(at) || isMap(at)) {
    setInt(at, sizeOf(at));
  } else {
    setError(at);
  }
}

/** Compiles a pattern that is no literal, in a region of its own; what a literal pays at registration is paid in steps. */
function matches(at: Slot, pattern: Slot): void {
  if (tagOf(at) != STRING || tagOf(pattern) != STRING || !spend(64 + 16 * <i64>asideOf(pattern))) {
    setError(at);
    return;
  }
  const own = createRegion();
  const back = enterRegion(own);
  const compiled = compilePattern(addressOf(pattern), asideOf(pattern));
  if (compiled.problem != PATTERN_OK || !spend(compiled.length)) setError(at);
  else matchCompiled(at, compiled);
  enterRegion(back);
  dropRegion(own);
}

/** Replaces a text by whether the pattern is found in it. */
export function matchCompiled(at: Slot, pattern: Pattern): void {
  if (tagOf(at) != STRING) {
    setError(at);
    return;
  }
  const result = matchPattern(pattern, addressOf(at), asideOf(at));
  if (result < 0) setError(at);
  else setBool(at, result == 1);
}

function affix(at: Slot, part: Slot, atEnd: bool): void {
  if (tagOf(at) != STRING || tagOf(part) != STRING) {
    setError(at);
    return;
  }
  const length = asideOf(part);
  const more = asideOf(at) - length;
  spend(length >> 5);
  const from = addressOf(at) + (atEnd ? <usize>more : 0);
  setBool(at, more >= 0 && memory.compare(from, addressOf(part), <usize>length) == <i32>0);
}

/** A part longer than this is searched for with a table of its own borders, so that no text takes quadratic time. */
const SHORT_PART: i32 = 16;

function containsText(at: Slot, part: Slot): void {
  if (tagOf(at) != STRING || tagOf(part) != STRING) {
    setError(at);
    return;
  }
  const length = asideOf(at);
  const wanted = asideOf(part);
  if (wanted > length) {
    setBool(at, false);
    return;
  }
  if (!spend((length + wanted) >> 5)) {
    setError(at);
    return;
  }
  if (wanted <= SHORT_PART) {
    setBool(at, findShort(addressOf(at), length, addressOf(part), wanted));
    return;
  }
  const own = createRegion();
  const back = enterRegion(own);
  setBool(at, findLong(addressOf(at), length, addressOf(part), wanted));
  enterRegion(back);
  dropRegion(own);
}

function findShort(text: usize, length: i32, part: usize, wanted: i32): bool {
  if (wanted == 0) return true;
  const head = load<u8>(part);
  const end = text + <usize>(length - wanted);
  for (let at = text; at <= end; at++) {
    if (load<u8>(at) == head && memory.compare(at, part, <usize>wanted) == <i32>0) return true;
  }
  return false;
}

/** Knuth, Morris and Pratt: `border` of i is the length of the longest proper beginning of the first i + 1 bytes that also ends them. */
function findLong(text: usize, length: i32, part: usize, wanted: i32): bool {
  const border = allocate(<usize>wanted << 2);
  store<i32>(border, 0);
  let same = 0;
  for (let i = 1; i < wanted; i++) {
    const byte = load<u8>(part + <usize>i);
    while (same > 0 && load<u8>(part + <usize>same) != byte) same = load<i32>(border + (<usize>(same - 1) << 2));
    if (load<u8>(part + <usize>same) == byte) same++;
    store<i32>(border + (<usize>i << 2), same);
  }
  same = 0;
  for (let i = 0; i < length; i++) {
    const byte = load<u8>(text + <usize>i);
    while (same > 0 && load<u8>(part + <usize>same) != byte) same = load<i32>(border + (<usize>(same - 1) << 2));
    if (load<u8>(part + <usize>same) == byte) same++;
    if (same == wanted) return true;
  }
  return false;
}

/** Beyond this every entry is within, or none. */
const MOST_SECONDS: f64 = 9007199254740991.0;

function history(id: i32, at: Slot, second: Slot, environment: Environment): void {
  if (tagOf(at) != STRING) {
    setError(at);
    return;
  }
  const name = addressOf(at);
  const length = asideOf(at);
  if (!spend(1 + (length >> 5))) {
    setError(at);
    return;
  }
  if (id == FUNCTION_RAN) {
    setInt(at, environment.counts.ran(name, length));
  } else if (id == FUNCTION_ALLOWED) {
    setInt(at, environment.counts.allowed(name, length));
  } else {
    const tag = tagOf(second);
    let seconds: f64 = NaN;
    if (tag == INT) seconds = <f64>intOf(second);
    else if (tag == UINT) seconds = <f64>uintOf(second);
    else if (tag == DOUBLE) seconds = doubleOf(second);
    else if (tag == DURATION) seconds = <f64>(intOf(second) / 1000000000 - <i64>(intOf(second) % 1000000000 < 0));
    if (seconds != seconds) {
      setError(at);
      return;
    }
    // Entries have whole seconds, so a part of one asks for nothing; and what is past 2^53 is cut, so that `now - seconds` can't overflow.
    seconds = Math.floor(Math.min(Math.max(seconds, -MOST_SECONDS), MOST_SECONDS));
    setInt(at, environment.counts.allowedWithin(name, length, <i64>seconds));
  }
}

function getter(part: i32, operands: i32, at: Slot, zone: Slot): void {
  const tag = tagOf(at);
  if (tag == DURATION && operands == 1 && isDurationPart(part)) {
    setInt(at, durationPart(intOf(at), part));
    return;
  }
  let east = 0;
  if (operands == 2) east = tagOf(zone) == STRING ? zoneOffset(addressOf(zone), asideOf(zone)) : NO_ZONE;
  if (tag != TIMESTAMP || east == NO_ZONE) setError(at);
  else setInt(at, timestampPart(at, part, east));
}
