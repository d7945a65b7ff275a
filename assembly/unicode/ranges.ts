// Sets of code points: a growing list of ranges while a pattern is read, and the packed form that is searched when it runs.
//
//   packed:  +0 bits of U+0000…U+003F   +8 bits of U+0040…U+007F   +16 number of ranges at or above U+0080   +20 0
//            +24 ranges, in order: first code point, last code point (u32 each)

import { allocate, reallocate } from "../memory/region";

/** The last code point. */
export const LAST_CODE_POINT: u32 = 0x10ffff;

const SET_HEADER: usize = 24;
/** Lists up to this length are sorted by insertion. */
const INSERTION_LIMIT: i32 = 24;

/** Ranges of code points that grow at the end; each is kept as first << 32 | last. */
@final
export class RangeList {
  start: usize = 0;
  count: i32 = 0;
  capacity: i32 = 0;

  constructor(capacity: i32 = 8) {
    this.start = allocate(<usize>capacity << 3);
    this.capacity = capacity;
  }

  /** Adds the code points from `first` to `last`, both included. */
  add(first: u32, last: u32): void {
    if (this.count == this.capacity) {
      const wanted = this.capacity << 1;
      this.start = reallocate(this.start, <usize>this.capacity << 3, <usize>wanted << 3);
      this.capacity = wanted;
    }
    store<u64>(this.start + (<usize>this.count << 3), (<u64>first << 32) | <u64>last);
    this.count++;
  }

  /** The first code point of range `index`. */
  // @ts-ignore: decorator
  @inline
  first(index: i32): u32 {
    return load<u32>(this.start + (<usize>index << 3), 4);
  }

  /** The last code point of range `index`. */
  // @ts-ignore: decorator
  @inline
  last(index: i32): u32 {
    return load<u32>(this.start + (<usize>index << 3));
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds every range of another list. */
  addAll(other: RangeList): void {
    for (let i = 0; i < other.count; i++) this.add(other.first(i), other.last(i));
  }

  /** Puts the ranges in order and joins those that touch or overlap. */
  normalise(): void {
    const count = this.count;
    if (count < 2) return;
    if (count <= INSERTION_LIMIT) this.sortByInsertion();
    else this.sortByHeap();
    let kept = 0;
    let first = this.first(0);
    let last = this.last(0);
    for (let i = 1; i < count; i++) {
      const nextFirst = this.first(i);
      const nextLast = this.last(i);
      if (nextFirst <= last + 1) {
        if (nextLast > last) last = nextLast;
      } else {
        store<u64>(this.start + (<usize>(kept++) << 3), (<u64>first << 32) | <u64>last);
        first = nextFirst;
        last = nextLast;
      }
    }
    store<u64>(this.start + (<usize>(kept++) << 3), (<u64>first << 32) | <u64>last);
    this.count = kept;
  }

  /** The complement, as a new list. The list must be normalised. */
  inverted(): RangeList {
    const result = new RangeList(this.count + 1);
    let next: u32 = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.first(i) > next) result.add(next, this.first(i) - 1);
      next = this.last(i) + 1;
    }
    if (next <= LAST_CODE_POINT) result.add(next, LAST_CODE_POINT);
    return result;
  }

  private sortByInsertion(): void {
    const start = this.start;
    for (let i = 1; i < this.count; i++) {
      const value = load<u64>(start + (<usize>i << 3));
      let j = i - 1;
      while (j >= 0 && load<u64>(start + (<usize>j << 3)) > value) {
        store<u64>(start + (<usize>(j + 1) << 3), load<u64>(start + (<usize>j << 3)));
        j--;
      }
      store<u64>(start + (<usize>(j + 1) << 3), value);
    }
  }

  private sortByHeap(): void {
    for (let i = (this.count >> 1) - 1; i >= 0; i--) this.sift(i, this.count);
    for (let end = this.count - 1; end > 0; end--) {
      const top = load<u64>(this.start);
      store<u64>(this.start, load<u64>(this.start + (<usize>end << 3)));
      store<u64>(this.start + (<usize>end << 3), top);
      this.sift(0, end);
    }
  }

  private sift(from: i32, end: i32): void {
    const start = this.start;
    const value = load<u64>(start + (<usize>from << 3));
    let hole = from;
    while (true) {
      let child = (hole << 1) + 1;
      if (child >= end) break;
      if (child + 1 < end && load<u64>(start + (<usize>(child + 1) << 3)) > load<u64>(start + (<usize>child << 3))) child++;
      const candidate = load<u64>(start + (<usize>child << 3));
      if (candidate <= value) break;
      store<u64>(start + (<usize>hole << 3), candidate);
      hole = child;
    }
    store<u64>(start + (<usize>hole << 3), value);
  }
}

/** Packs a normalised list into a set of the current region. */
export function packSet(list: RangeList): usize {
  let first = 0;
  let low: u64 = 0;
  let high: u64 = 0;
  for (; first < list.count && list.first(first) < 0x80; first++) {
    const last = min<u32>(list.last(first), 0x7f);
    for (let c = list.first(first); c <= last; c++) {
      if (c < 64) low |= (<u64>1) << c;
      else high |= (<u64>1) << (c - 64);
    }
    if (list.last(first) >= 0x80) break;
  }
  const count = list.count - first;
  const set = allocate(SET_HEADER + (<usize>count << 3));
  store<u64>(set, low);
  store<u64>(set, high, 8);
  store<u32>(set, <u32>count, 16);
  store<u32>(set, 0, 20);
  for (let i = 0; i < count; i++) {
    const at = set + (<usize>i << 3);
    store<u32>(at, max<u32>(list.first(first + i), 0x80), SET_HEADER);
    store<u32>(at, list.last(first + i), SET_HEADER + 4);
  }
  return set;
}

/** How many bytes a packed set takes. */
export function setSize(set: usize): usize {
  return SET_HEADER + (<usize>load<u32>(set, 16) << 3);
}

/** How many ranges at or above U+0080 a packed set has. */
export function setRangeCount(set: usize): i32 {
  return <i32>load<u32>(set, 16);
}

/** The first code point of such a range. */
export function setRangeFirst(set: usize, index: i32): u32 {
  return load<u32>(set + (<usize>index << 3), SET_HEADER);
}

/** The last code point of such a range. */
export function setRangeLast(set: usize, index: i32): u32 {
  return load<u32>(set + (<usize>index << 3), SET_HEADER + 4);
}

/** Whether a packed set holds a code point below U+0080. */
// @ts-ignore: decorator
@inline
export function setHasAscii(set: usize, codePoint: u32): bool {
  return <bool>((load<u64>(set + (<usize>(codePoint >> 6) << 3)) >> (codePoint & 63)) & 1);
}

/** Whether a packed set holds a code point. */
export function setHas(set: usize, codePoint: u32): bool {
  if (codePoint < 0x80) return setHasAscii(set, codePoint);
  let low = 0;
  let high = <i32>load<u32>(set, 16);
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = set + (<usize>middle << 3);
    if (load<u32>(at, SET_HEADER + 4) < codePoint) low = middle + 1;
    else if (load<u32>(at, SET_HEADER) > codePoint) high = middle;
    else return true;
  }
  return false;
}
