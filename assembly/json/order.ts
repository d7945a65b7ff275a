// Sorting the names of an object by UTF-16 code units; equal names by where they stand.

import { compareUtf16 } from "../memory/bytes";
import { allocate } from "../memory/region";
import { Value, stringLength, stringStart } from "./value";

/** Tables up to this long are sorted by insertion. */
const INSERTION: i32 = 16;

// @ts-ignore: decorator
@inline
function compareNames(a: Value, b: Value): i32 {
  const order = compareUtf16(stringStart(a), stringLength(a), stringStart(b), stringLength(b));
  if (order != 0) return order;
  return a < b ? -1 : 1;
}

function insertionSort(table: usize, low: i32, high: i32): void {
  for (let i = low + 1; i < high; i++) {
    const moved: Value = load<u32>(table + (<usize>i << 2));
    let j = i - 1;
    while (j >= low) {
      const there: Value = load<u32>(table + (<usize>j << 2));
      if (compareNames(there, moved) <= 0) break;
      store<u32>(table + (<usize>(j + 1) << 2), <u32>there);
      j--;
    }
    store<u32>(table + (<usize>(j + 1) << 2), <u32>moved);
  }
}

/** Sorts `total` name nodes (u32 each) in place: runs by insertion, then merged; n log n comparisons at the most. */
export function sortNames(table: usize, total: i32): void {
  for (let low = 0; low < total; low += INSERTION) insertionSort(table, low, min(low + INSERTION, total));
  if (total <= INSERTION) return;
  const scratch = allocate(<usize>total << 2);
  let from = table;
  let to = scratch;
  for (let width = INSERTION; width < total; width *= 2) {
    for (let low = 0; low < total; low += 2 * width) {
      const middle = min(low + width, total);
      const high = min(low + 2 * width, total);
      let a = low;
      let b = middle;
      for (let k = low; k < high; k++) {
        const left: Value = a < middle ? <usize>load<u32>(from + (<usize>a << 2)) : 0;
        const right: Value = b < high ? <usize>load<u32>(from + (<usize>b << 2)) : 0;
        const takeLeft = left != 0 && (right == 0 || compareNames(left, right) < 0);
        store<u32>(to + (<usize>k << 2), <u32>(takeLeft ? left : right));
        if (takeLeft) a++;
        else b++;
      }
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from != table) memory.copy(table, from, <usize>total << 2);
}
