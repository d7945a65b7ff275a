// Equality and order of values: across numeric types by value, across other types never equal (cel-spec, Equality).

import { allocate } from "../memory/region";
import { equalBytes } from "../memory/bytes";
import { spend } from "../memory/steps";
import { beginWalk, findKey, isList, isMap, sizeOf, stepWalk } from "./collection";
import {
  BOOL, BYTES, DOUBLE, DURATION, INT, NULL, SLOT_SIZE, STRING, Slot, TIMESTAMP, TYPE, UINT, addressOf, asideOf, doubleOf, intOf, tagOf, uintOf,
} from "./slot";

/** How deep lists and maps may lie in each other where they are compared: past it a condition fails. */
const COMPARE_DEPTH: i32 = 1024;
/** What compares with nothing: NaN, or types without an order between them. */
export const UNORDERED: i32 = 2;
export const NO_ORDER: i32 = 3;

let depth: i32 = 0;
/** Whether a comparison was too deep since `beginCompare`. */
export let tooDeep: bool = false;

export function beginCompare(): void {
  depth = 0;
  tooDeep = false;
}

// @ts-ignore: decorator
@inline
function isNumber(tag: u32): bool {
  return tag >= INT && tag <= DOUBLE;
}

/** Orders two doubles: -1, 0, 1; UNORDERED beside NaN. */
// @ts-ignore: decorator
@inline
function compareDoubles(a: f64, b: f64): i32 {
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : UNORDERED;
}

/** The double nearest to a number. */
function nearest(slot: Slot): f64 {
  const tag = tagOf(slot);
  return tag == DOUBLE ? doubleOf(slot) : tag == INT ? <f64>intOf(slot) : <f64>uintOf(slot);
}

/**
 * Orders two numbers of any types: -1, 0, 1, UNORDERED. Beside a double, a whole number counts as the double nearest to it: the
 * conformance cases of cel-spec (comparisons, "lossy") ask for it.
 */
function compareNumbers(a: Slot, b: Slot): i32 {
  const aTag = tagOf(a);
  const bTag = tagOf(b);
  if (aTag == DOUBLE || bTag == DOUBLE) return compareDoubles(nearest(a), nearest(b));
  if (aTag == INT && bTag == INT) return intOf(a) < intOf(b) ? -1 : <i32>(intOf(a) > intOf(b));
  if (aTag == INT && intOf(a) < 0) return -1;
  if (bTag == INT && intOf(b) < 0) return 1;
  return uintOf(a) < uintOf(b) ? -1 : <i32>(uintOf(a) > uintOf(b));
}

function compareBytes(a: Slot, b: Slot): i32 {
  const shorter = min(asideOf(a), asideOf(b));
  spend(shorter >> 5);
  const order = memory.compare(addressOf(a), addressOf(b), <usize>shorter);
  if (order != 0) return order < 0 ? -1 : 1;
  return asideOf(a) < asideOf(b) ? -1 : <i32>(asideOf(a) > asideOf(b));
}

/** Orders two values: -1, 0, 1, UNORDERED beside NaN, NO_ORDER where their types have none. Strings go by code points, as their UTF-8 bytes do. */
export function compareSlots(a: Slot, b: Slot): i32 {
  const aTag = tagOf(a);
  const bTag = tagOf(b);
  if (isNumber(aTag) && isNumber(bTag)) return compareNumbers(a, b);
  if (aTag != bTag) return NO_ORDER;
  switch (aTag) {
    case STRING:
    case BYTES:
      return compareBytes(a, b);
    case BOOL:
    case DURATION:
      return intOf(a) < intOf(b) ? -1 : <i32>(intOf(a) > intOf(b));
    case TIMESTAMP:
      if (intOf(a) != intOf(b)) return intOf(a) < intOf(b) ? -1 : 1;
      return asideOf(a) < asideOf(b) ? -1 : <i32>(asideOf(a) > asideOf(b));
    default:
      return NO_ORDER;
  }
}

/** Whether two values, neither an error, are equal. */
export function equalSlots(a: Slot, b: Slot): bool {
  const aTag = tagOf(a);
  const bTag = tagOf(b);
  if (aTag == bTag) {
    switch (aTag) {
      case STRING:
      case BYTES:
        if (asideOf(a) != asideOf(b)) return false;
        spend(asideOf(a) >> 5);
        return equalBytes(addressOf(a), asideOf(a), addressOf(b), asideOf(b));
      case DOUBLE:
        return doubleOf(a) == doubleOf(b);
      case NULL:
        return true;
      case BOOL:
      case INT:
      case UINT:
      case DURATION:
      case TYPE:
        return intOf(a) == intOf(b);
      case TIMESTAMP:
        return intOf(a) == intOf(b) && asideOf(a) == asideOf(b);
    }
  }
  if (isNumber(aTag) && isNumber(bTag)) return compareNumbers(a, b) == 0;
  if (isList(a)) return isList(b) && equalLists(a, b);
  if (isMap(a)) return isMap(b) && equalMaps(a, b);
  return false;
}

/** Whether another level may be entered. */
function enter(): bool {
  if (tooDeep || depth == COMPARE_DEPTH) {
    tooDeep = true;
    return false;
  }
  depth++;
  return true;
}

function equalLists(a: Slot, b: Slot): bool {
  const size = sizeOf(a);
  if (size != sizeOf(b)) return false;
  if (!enter()) return false;
  const pair = allocate(2 * SLOT_SIZE);
  let aAt = beginWalk(a);
  let bAt = beginWalk(b);
  let equal = true;
  for (let i = 0; i < size && equal; i++) {
    aAt = stepWalk(a, aAt, pair);
    bAt = stepWalk(b, bAt, pair + SLOT_SIZE);
    equal = spend(1) && equalSlots(pair, pair + SLOT_SIZE);
  }
  depth--;
  return equal;
}

function equalMaps(a: Slot, b: Slot): bool {
  const size = sizeOf(a);
  if (size != sizeOf(b)) return false;
  if (!enter()) return false;
  const triple = allocate(3 * SLOT_SIZE);
  const aValue = triple + SLOT_SIZE;
  const bValue = triple + 2 * SLOT_SIZE;
  let at = beginWalk(a);
  let equal = true;
  for (let i = 0; i < size && equal; i++) {
    at = stepWalk(a, at, triple);
    equal = spend(1) && findKey(b, triple, bValue) && findKey(a, triple, aValue) && equalSlots(aValue, bValue);
  }
  depth--;
  return equal;
}
