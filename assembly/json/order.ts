// The names of an object: sorting them by UTF-16 code units, equal names by where they stand, and finding one given twice.

import { compareUtf16, equalBytes } from "../memory/bytes";
import { allocate } from "../memory/region";
import { Value, first, next, stringLength, stringStart } from "./value";

/** Tables up to this long are sorted by insertion. */
const INSERTION: i32 = 16;

/** The first eight bytes of each name of a run that is sorted by insertion. */
const keys: usize = memory.data(16 * 8);

// @ts-ignore: decorator
@inline
function compareNames(a: Value, b: Value): i32 {
  const order = compareUtf16(stringStart(a), stringLength(a), stringStart(b), stringLength(b));
  if (order != 0) return order;
  return a < b ? -1 : 1;
}

/**
 * A name's first eight bytes as a number that sorts as the name does, zeros after a short one; names with one key need comparing in full.
 * The lead bytes 0xee and 0xef go above the four-byte sequences', whose first UTF-16 unit is a surrogate.
 */
// @ts-ignore: decorator
@inline
function keyOf(name: Value): u64 {
  const start = stringStart(name);
  const length = <usize>stringLength(name);
  let bytes: u64 = 0;
  if (length >= 8) bytes = load<u64>(start);
  else if (length >= 4) bytes = <u64>load<u32>(start) | ((<u64>load<u32>(start + length - 4) >> <u64>((8 - length) << 3)) << 32);
  else for (let i: usize = length; i > 0; i--) bytes = (bytes << 8) | <u64>load<u8>(start + i - 1);
  if ((bytes & 0x8080808080808080) != 0) return slowKey(start, <i32>length);
  const turned = i8x16.shuffle(i64x2.splat(<i64>bytes), i64x2.splat(0), 7, 6, 5, 4, 3, 2, 1, 0, 16, 17, 18, 19, 20, 21, 22, 23);
  return <u64>i64x2.extract_lane(turned, 0);
}

function slowKey(start: usize, length: i32): u64 {
  let key: u64 = 0;
  const used = min(length, 8);
  for (let i = 0; i < used; i++) {
    const c = load<u8>(start + <usize>i);
    key = (key << 8) | <u64>(c == 0xee || c == 0xef ? c | 0x10 : c);
  }
  return used == 0 ? 0 : key << <u64>((8 - used) << 3);
}

function insertionSort(table: usize, total: i32): void {
  for (let i = 0; i < total; i++) {
    const moved: Value = load<u32>(table + (<usize>i << 2));
    const key = keyOf(moved);
    let j = <usize>i;
    for (; j > 0; j--) {
      const there = load<u64>(keys + ((j - 1) << 3));
      if (there < key || (there == key && compareNames(<usize>load<u32>(table + ((j - 1) << 2)), moved) < 0)) break;
      store<u64>(keys + (j << 3), there);
      store<u32>(table + (j << 2), load<u32>(table + ((j - 1) << 2)));
    }
    store<u64>(keys + (j << 3), key);
    store<u32>(table + (j << 2), <u32>moved);
  }
}

/** Sorts `total` name nodes (u32 each) in place: runs by insertion, then merged; n log n comparisons at the most. */
export function sortNames(table: usize, total: i32): void {
  for (let low = 0; low < total; low += INSERTION) insertionSort(table + (<usize>low << 2), min(INSERTION, total - low));
  if (total <= INSERTION) return;
  const scratch = allocate(<usize>total << 2);
  let from = table;
  let to = scratch;
  for (let width = INSERTION; width < total; width *= 2) {
    for (let low = 0; low < total; low += 2 * width) mergeRuns(from, to, low, min(low + width, total), min(low + 2 * width, total));
    const swap = from;
    from = to;
    to = swap;
  }
  if (from != table) memory.copy(table, from, <usize>total << 2);
}

/** Merges the sorted runs low…middle and middle…high of `from` into `to`. */
function mergeRuns(from: usize, to: usize, low: i32, middle: i32, high: i32): void {
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

/** Sorts a table of names; returns the first one that repeats an earlier one, or 0. */
export function firstRepeat(table: usize, total: i32): Value {
  sortNames(table, total);
  let found: Value = 0;
  let a: Value = load<u32>(table);
  for (let i: usize = 1; i < <usize>total; i++) {
    const b: Value = load<u32>(table + (i << 2));
    // Equal names sort by where they stand, so b is the later one.
    if (stringLength(a) == stringLength(b) && (found == 0 || b < found)) {
      if (compareUtf16(stringStart(a), stringLength(a), stringStart(b), stringLength(b)) == 0) found = b;
    }
    a = b;
  }
  return found;
}

// Objects of one text are often alike: the entries of a history have the same names in the same order. What the last object of
// each of a few sizes looked like is kept, and one that looks the same takes its order over.
//
//   shape:  +0 how many names   +4 names as they stand (u32 each)   +4 + 4 × SHAPE_NAMES the place of each in sorted order (u8 each)

const SHAPES: usize = 16;
const SHAPE_NAMES: i32 = 32;
const SHAPE_SIZE: usize = 4 + 32 * 4 + 32;
const shapes: usize = memory.data(16 * 164);

/** Forgets the objects of another text. */
export function forgetShapes(): void {
  for (let i: usize = 0; i < SHAPES; i++) store<i32>(shapes + i * SHAPE_SIZE, 0);
}

/**
 * Makes the sorted table of an object whose nodes end at `end` and keeps it at +20.
 * @returns the first name that repeats an earlier one, or 0
 */
export function sortMembers(object: Value, total: i32, end: usize): Value {
  const table = allocate(<usize>total << 2);
  store<u32>(object, <u32>table, 20);
  const shape = shapes + (<usize>total & (SHAPES - 1)) * SHAPE_SIZE;
  if (load<i32>(shape) == total && takeShape(shape, object, table, end)) return 0;
  listNames(object, table, end);
  if (total > SHAPE_NAMES) return firstRepeat(table, total);
  memory.copy(shape + 4, table, <usize>total << 2);
  const repeat = firstRepeat(table, total);
  keepShape(shape, table, repeat == 0 ? total : 0);
  return repeat;
}

/** Objects with more members than this have a table even where their names stand in order. */
const LONG_OBJECT: i32 = 64;

/** Keeps at +20 the table of an object whose names stand in order and whose nodes end at `end`, or 0 where it is short. */
// @ts-ignore: decorator
@inline
export function tableInOrder(object: Value, total: i32, end: usize): void {
  if (total <= LONG_OBJECT) {
    store<u32>(object, 0, 20);
    return;
  }
  const table = allocate(<usize>total << 2);
  listNames(object, table, end);
  store<u32>(object, <u32>table, 20);
}

function listNames(object: Value, table: usize, end: usize): void {
  let at = table;
  for (let name = first(object); name < end; name = next(next(name))) {
    store<u32>(at, <u32>name);
    at += 4;
  }
}

/** Fills an object's table by the order of a shape with the same names; false where they differ. */
function takeShape(shape: usize, object: Value, table: usize, end: usize): bool {
  const places = shape + 4 + (<usize>SHAPE_NAMES << 2);
  let i: usize = 0;
  for (let name = first(object); name < end; name = next(next(name))) {
    const other: Value = load<u32>(shape + 4 + (i << 2));
    if (!equalBytes(stringStart(name), stringLength(name), stringStart(other), stringLength(other))) return false;
    store<u32>(table + (<usize>load<u8>(places + i) << 2), <u32>name);
    i++;
  }
  return true;
}

/** Keeps where each of a shape's names went in the sorted table. */
function keepShape(shape: usize, table: usize, total: i32): void {
  store<i32>(shape, total);
  const places = shape + 4 + (<usize>SHAPE_NAMES << 2);
  for (let i: usize = 0; i < <usize>total; i++) {
    const name = load<u32>(shape + 4 + (i << 2));
    let place: usize = 0;
    while (load<u32>(table + (place << 2)) != name) place++;
    store<u8>(places + i, <u8>place);
  }
}
