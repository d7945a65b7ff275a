// Names in one letter case, by Unicode's simple case mapping: two tools may not differ only in it (chapter 2).

import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt } from "../memory/bytes";
import { LOWER_CASE, LOWER_CASE_RUNS } from "./letter-case.gen";

/** The text with each capital as its lower case, in the current region. */
export function lowerCase(text: Text): Text {
  const out = new Buffer(text.length + 16);
  const end = text.start + <usize>text.length;
  for (let at = text.start; at < end; at = afterCodePoint(at)) out.codePoint(lowerOf(codePointAt(at)));
  return out.view();
}

/** The lower case of a letter; any other code point as it is. */
export function lowerOf(codePoint: i32): i32 {
  // The last run that begins at or before it.
  let low = 0;
  let high = LOWER_CASE_RUNS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<i32>(LOWER_CASE + <usize>middle * 16) <= codePoint) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return codePoint;
  const run = LOWER_CASE + <usize>(low - 1) * 16;
  if (codePoint > load<i32>(run, 4) || (codePoint - load<i32>(run)) % load<i32>(run, 8) != 0) return codePoint;
  return codePoint + load<i32>(run, 12);
}
