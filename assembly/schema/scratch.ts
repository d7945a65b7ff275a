// Working memory of one walk: a stack of bit sets and tables that grows once and is then used again.

import { allocate, reallocate } from "../memory/region";

let base: usize = 0;
let capacity: usize = 0;
let top: usize = 0;

/** Begins a walk: nothing of an earlier one is left. */
export function beginScratch(): void {
  base = 0;
  capacity = 0;
  // 0 stands for a set that is not there.
  top = 8;
}

/** Takes `size` cleared bytes and returns where they are, counted from the start of the scratch memory. */
export function pushScratch(size: usize): usize {
  const at = top;
  top = at + ((size + 7) & ~7);
  if (top > capacity) {
    const wanted = max(max(top, capacity * 2), 1024);
    base = base == 0 ? allocate(wanted) : reallocate(base, capacity, wanted);
    capacity = wanted;
  }
  memory.fill(base + at, 0, size);
  return at;
}

/** Gives back what was taken at `at` and everything after it. */
export function popScratch(at: usize): void {
  top = at;
}

/** The address of what is at `at`; it holds until more is taken. */
// @ts-ignore: decorator
@inline
export function scratch(at: usize): usize {
  return base + at;
}

/** Takes a set of `count` bits, all clear. */
export function pushSet(count: i32): usize {
  return pushScratch(((<usize>count + 63) >> 6) << 3);
}

// @ts-ignore: decorator
@inline
export function setBit(set: usize, index: i32): void {
  const at = base + set + ((<usize>index >> 6) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>index & 63)));
}

// @ts-ignore: decorator
@inline
export function hasBit(set: usize, index: i32): bool {
  return ((load<u64>(base + set + ((<usize>index >> 6) << 3)) >> (<u64>index & 63)) & 1) != 0;
}

/** Adds the bits of one set of `count` to another. */
export function mergeSet(into: usize, from: usize, count: i32): void {
  const words = (<usize>count + 63) >> 6;
  for (let i: usize = 0; i < words; i++) {
    const at = base + into + (i << 3);
    store<u64>(at, load<u64>(at) | load<u64>(base + from + (i << 3)));
  }
}

/** Sets all bits of a set of `count`. */
export function fillSet(set: usize, count: i32): void {
  memory.fill(base + set, 0xff, ((<usize>count + 63) >> 6) << 3);
}
