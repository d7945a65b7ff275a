// `uniqueItems` in time that grows with the list: a table of hashes, and comparisons only where they meet.

import { exhausted, spend } from "../memory/steps";
import { STRING, Value, count, first, kind, next, stringLength, stringStart } from "../json/value";
import { equalBytes } from "../memory/bytes";
import { equalValues, hashValue } from "./equal";
import { popScratch, pushScratch, scratch } from "./scratch";

/** Lists up to this length are compared pair by pair. */
const PAIRS_LIMIT: i32 = 8;

/** Whether no two elements of an array are equal; true also where the step budget is passed (`exhausted`). */
export function allUnique(array: Value): bool {
  const total = count(array);
  if (total < 2) return true;
  if (total <= PAIRS_LIMIT) return uniquePairs(array, total);
  let slots = 32;
  while (slots < total * 2) slots *= 2;
  const mask = <u32>slots - 1;
  if (!spend(<i64>(slots >> 3))) return true;
  // A slot: the element's address, and the half of its hash that did not choose the slot.
  const at = pushScratch(<usize>slots << 3);
  const table = scratch(at);
  let unique = true;
  let element = first(array);
  for (let i = 0; i < total && unique; i++) {
    const hash = hashValue(element);
    const high = <u32>(hash >> 32);
    let slot = <u32>hash & mask;
    for (;;) {
      const there = table + (<usize>slot << 3);
      const other: Value = load<u32>(there);
      if (other == 0) {
        store<u32>(there, <u32>element);
        store<u32>(there, high, 4);
        break;
      }
      if (!spend(1)) break;
      if (load<u32>(there, 4) == high && equalValues(other, element)) {
        unique = false;
        break;
      }
      slot = (slot + 1) & mask;
    }
    if (exhausted()) break;
    element = next(element);
  }
  popScratch(at);
  return unique;
}

function uniquePairs(array: Value, total: i32): bool {
  let a = first(array);
  for (let i = 1; i < total; i++) {
    let b = next(a);
    for (let j = i; j < total; j++) {
      if (kind(a) == STRING && kind(b) == STRING && stringLength(a) < 64) {
        if (equalBytes(stringStart(a), stringLength(a), stringStart(b), stringLength(b))) return false;
      } else if (equalValues(a, b)) {
        return false;
      }
      b = next(b);
    }
    a = next(a);
  }
  return true;
}
