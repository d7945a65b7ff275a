// The functions a condition may call: their names, how they are called, and what they do.

import { PATTERN_OK, Pattern, compilePattern } from "../regex/compile";
import { matchPattern } from "../regex/run";
import { countCodePoints, equalAscii } from "../memory/bytes";
import { createRegion, dropRegion, enterRegion } from "../memory/region";
import { spend } from "../memory/steps";
import { isList, isMap, sizeOf } from "./collection";
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from "./convert";
import { Environment } from "./environment";
import {
  BYTES, DOUBLE, DURATION, ERROR, INT, SLOT_SIZE, STRING, Slot, TIMESTAMP, TYPE, addressOf, asideOf, doubleOf, intOf, setBool, setError, setInt, tagOf,
  typeOf,
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

/** Bytes looked at between two looks at the budget. */
const LOOK: i32 = 4096;

function containsText(at: Slot, part: Slot): void {
  if (tagOf(at) != STRING || tagOf(part) != STRING) {
    setError(at);
    return;
  }
  const length = asideOf(part);
  const wanted = addressOf(part);
  const start = addressOf(at);
  const last = asideOf(at) - length;
  if (length == 0) {
    setBool(at, true);
    return;
  }
  const first = load<u8>(wanted);
  let work = 0;
  for (let i = 0; i <= last; i++) {
    work++;
    if (load<u8>(start + <usize>i) != first) continue;
    let same = 1;
    while (same < length && load<u8>(start + <usize>(i + same)) == load<u8>(wanted + <usize>same)) same++;
    if (same == length) {
      spend(work >> 5);
      setBool(at, true);
      return;
    }
    work += same;
    if (work >= LOOK) {
      if (!spend(work >> 5)) break;
      work = 0;
    }
  }
  spend(work >> 5);
  setBool(at, false);
}

function history(id: i32, at: Slot, second: Slot, environment: Environment): void {
  if (tagOf(at) != STRING) {
    setError(at);
    return;
  }
  const name = addressOf(at);
  const length = asideOf(at);
  if (id == FUNCTION_RAN) {
    setInt(at, environment.counts.ran(name, length));
  } else if (id == FUNCTION_ALLOWED) {
    setInt(at, environment.counts.allowed(name, length));
  } else {
    const tag = tagOf(second);
    let seconds: i64 = 0;
    if (tag == INT) {
      seconds = intOf(second);
    } else if (tag == DOUBLE && Math.abs(doubleOf(second)) <= 9007199254740992.0 && doubleOf(second) == Math.trunc(doubleOf(second))) {
      seconds = <i64>doubleOf(second);
    } else if (tag == DURATION && intOf(second) % 1000000000 == 0) {
      seconds = intOf(second) / 1000000000;
    } else {
      setError(at);
      return;
    }
    setInt(at, environment.counts.allowedWithin(name, length, seconds));
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
