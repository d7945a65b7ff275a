// Where a URL or a network share begins in a word; either goes on to the word's end.

import { ALPHA, DIGIT, SCHEME, classAt, unitAt, unitsAre } from "./reading";
import { isBareScheme } from "./schemes";

/** Whether a unit is one that a finding does not end with: `. , ; : ! ? ) ] } ' "`. */
export function isTrailing(unit: u32): bool {
  return unit == 0x2e || unit == 0x2c || unit == 0x3b || unit == 0x3a || unit == 0x21 || unit == 0x3f || unit == 0x29 || unit == 0x5d || unit == 0x7d || unit == 0x27 || unit == 0x22;
}

/** Where the trailing punctuation of the word `from` … `to` begins. */
export function trimmedEnd(from: i32, to: i32): i32 {
  let end = to;
  while (end > from && isTrailing(unitAt(end - 1))) end--;
  return end;
}

/** Where the first URL of the word `from` … `to` begins, or -1: `scheme://` or a bare scheme, and then something. */
export function findUrl(from: i32, to: i32): i32 {
  const end = trimmedEnd(from, to);
  let floor = from;
  for (let at = from; at < end; at++) {
    if (unitAt(at) != 0x3a) continue;
    let begin = at;
    while (begin > floor && (classAt(begin - 1) & SCHEME) != 0) begin--;
    const before = begin > from ? unitAt(begin - 1) : 0;
    const first = begin;
    while (begin < at && (classAt(begin) & ALPHA) == 0) begin++;
    floor = at + 1;
    if (begin == at) continue;
    if (unitAt(at + 1) == 0x2f && unitAt(at + 2) == 0x2f) {
      if (end > at + 3) return begin;
      continue;
    }
    // A bare scheme is a whole word: not the end of user_data or of a word with letters that no scheme has.
    const glued = first == begin && (before == 0x5f || before == 0x80);
    if (end > at + 1 && !glued && isBareScheme(begin, at)) return begin;
  }
  return -1;
}

/** Whether the word `from` … `to`, the first of its text, is `//host`. */
export function isProtocolRelative(from: i32, to: i32): bool {
  if (unitAt(from) != 0x2f || unitAt(from + 1) != 0x2f || trimmedEnd(from, to) <= from + 2) return false;
  const first = unitAt(from + 2);
  return (classAt(from + 2) & (ALPHA | DIGIT)) != 0 || first == 0x5b || first == 0x5f || first == 0x40;
}

/** Where the first network share of the word `from` … `to` begins, or -1: `\\host\share`, also as `\\?\UNC\host\share`. */
export function findShare(from: i32, to: i32): i32 {
  for (let at = from; at + 4 < to; at++) {
    if (unitAt(at) != 0x5c || unitAt(at + 1) != 0x5c) continue;
    // Within a word two back-slashes are an escape of its own.
    if (at > from && (unitAt(at - 1) == 0x5c || (classAt(at - 1) & (ALPHA | DIGIT)) != 0)) continue;
    let host = at + 2;
    if ((unitAt(host) == 0x3f || unitAt(host) == 0x2e) && unitAt(host + 1) == 0x5c && unitsAre(host + 2, host + 5, "unc") && unitAt(host + 5) == 0x5c) host += 6;
    let end = host;
    while (end < to && isShareHost(unitAt(end))) end++;
    if (end > host && unitAt(end) == 0x5c && end + 1 < to && isShareStart(end + 1)) return at;
  }
  return -1;
}

function isShareHost(unit: u32): bool {
  return unit != 0x5c && unit != 0x2f && unit != 0x2a && unit != 0x3f && unit != 0x7c && unit != 0x3a && unit != 0x27 && unit != 0x2c;
}

function isShareStart(at: i32): bool {
  const unit = unitAt(at);
  return (classAt(at) & (ALPHA | DIGIT)) != 0 || unit == 0x5f || unit == 0x24 || unit == 0x25 || unit == 0x7e;
}
