// Shims for the decimal tests: two texts in, one answer out.

import "../../assembly/abort";
import { compareDecimals, hashDecimal, isIntegral, isMultipleOf } from "../../assembly/json/decimal";
import { beginSteps, exhausted } from "../../assembly/memory/steps";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";

let region: usize = 0;

/** Empties the region and gives `size` bytes of it. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(<usize>size);
}

export function compare(a: usize, aLength: i32, b: usize, bLength: i32): i32 {
  const order = compareDecimals(a, aLength, b, bLength);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

export function integral(start: usize, length: i32): i32 {
  return isIntegral(start, length) ? 1 : 0;
}

export function hash(start: usize, length: i32): i32 {
  return hashDecimal(start, length);
}

/** 1 where the first is a multiple of the second, 0 where not, -1 where more than `steps` were needed. */
export function multiple(a: usize, aLength: i32, b: usize, bLength: i32, steps: i64): i32 {
  beginSteps(steps);
  const is = isMultipleOf(a, aLength, b, bLength);
  return exhausted() ? -1 : is ? 1 : 0;
}
