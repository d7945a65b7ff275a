// File paths of a turn (chapter 6, S2: `/var/data/x`, `../x`, `~/x`, `C:\x`, `out/x.csv`), read with chapter 5's tricks undone.

import { DestinationSink } from "../evidence/destinations";
import { ALPHA, DIGIT, END, LABEL, LETTER, beginOf, classAt, endOf, mayHide, readText, skippedAny, unitAt, unitCount } from "../evidence/reading";
import { isTrailing } from "../evidence/urls";
import { spend } from "../memory/steps";

const SLASH: u32 = 0x2f;
const BACKSLASH: u32 = 0x5c;
const DOT: u32 = 0x2e;
const TILDE: u32 = 0x7e;

/** The paths of a text by where they start; their kind means nothing. A step a byte of each reading. */
export function findPaths(start: usize, length: i32): DestinationSink {
  spend(length);
  if (!mayHold(start, length)) return new DestinationSink();
  const found = findRead(start, length, false);
  return mayHide() ? merged(found, findRead(start, length, true)) : found;
}

/** The paths of one reading, and of the one in which what is skipped ends a word; whether a wide one may differ is left in `mayHide`. */
function findRead(start: usize, length: i32, wide: bool): DestinationSink {
  const found = new DestinationSink();
  spend(length);
  readText(start, length, false, wide);
  const skipped = skippedAny();
  scan(start, found);
  if (!skipped) return found;
  const more = new DestinationSink();
  spend(length);
  readText(start, length, true, wide);
  scan(start, more);
  return merged(found, more);
}

/** Two lists in one, by where they start. */
function merged(a: DestinationSink, b: DestinationSink): DestinationSink {
  const both = new DestinationSink();
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    if (j >= b.count || (i < a.count && a.begin(i) <= b.begin(j))) both.addFrom(a, i++);
    else both.addFrom(b, j++);
  }
  return both;
}

/** Whether a text has a slash or back-slash, or something that may stand for one. */
function mayHold(start: usize, length: i32): bool {
  for (let i: usize = 0; i < <usize>length; i++) {
    const byte: u32 = load<u8>(start + i);
    if (byte == SLASH || byte == BACKSLASH || byte == 0x25 || byte == 0x26 || byte >= 0x80) return true;
  }
  return false;
}

function isSlash(unit: u32): bool {
  return unit == SLASH || unit == BACKSLASH;
}

/** Whether a unit may begin a path's part. */
function isPart(at: i32): bool {
  const unit = unitAt(at);
  return (classAt(at) & LABEL) != 0 || unit == LETTER || unit == DOT || unit == 0x5f || unit == TILDE || unit == 0x24 || unit == 0x2a || unit == 0x7b || unit == 0x40;
}

/** Whether something before a path's first unit would make it part of a word. */
function isGlued(at: i32): bool {
  return at >= 0 && ((classAt(at) & LABEL) != 0 || unitAt(at) == LETTER || unitAt(at) == DOT || unitAt(at) == TILDE || isSlash(unitAt(at)) || unitAt(at) == 0x5f);
}

function scan(text: usize, findings: DestinationSink): void {
  const count = unitCount();
  let at = 0;
  while (at < count) {
    if ((classAt(at) & END) != 0) {
      at++;
      continue;
    }
    let end = at;
    while (end < count && (classAt(end) & END) == 0) end++;
    const from = pathStart(at, end);
    if (from >= 0) {
      const begin = beginOf(from);
      const whole = endOf(end - 1);
      let stop = whole;
      while (stop > begin && isTrailing(load<u8>(text + <usize>stop - 1))) stop--;
      if (stop > begin) findings.add(0, begin, stop, whole);
    }
    at = end;
  }
}

function hasSlash(from: i32, to: i32): bool {
  for (let at = from; at < to; at++) if (isSlash(unitAt(at))) return true;
  return false;
}

/** Where a path begins in the word `from` … `to`, or -1. */
function pathStart(from: i32, to: i32): i32 {
  let slashes = 0;
  let last = from;
  for (let at = from; at < to; at++) {
    if (!isSlash(unitAt(at))) continue;
    slashes++;
    last = at;
    // `/x`, `./x`, `../x`, `~/x`, `~name/x`, `C:\x`
    if (at + 1 < to && isPart(at + 1) && unitAt(at) == SLASH && !isGlued(at - 1)) return at;
    // `//nas/plans`
    if (at + 2 < to && isSlash(unitAt(at + 1)) && isPart(at + 2) && !isGlued(at - 1) && (at == from || unitAt(at - 1) != 0x3a) && hasSlash(at + 2, to)) return at;
    let begin = at;
    while (begin > from && unitAt(begin - 1) == DOT) begin--;
    if (begin < at && at - begin <= 2 && !isGlued(begin - 1)) return begin;
    begin = at;
    while (begin > from && (classAt(begin - 1) & LABEL) != 0) begin--;
    if (begin > from && unitAt(begin - 1) == TILDE && !isGlued(begin - 2)) return begin - 1;
    if (at - from >= 2 && unitAt(at - 1) == 0x3a && (classAt(at - 2) & ALPHA) != 0 && !isGlued(at - 3)) return at - 2;
  }
  if (slashes == 0) return -1;
  // `out/orders.csv`: the last part ends like a file's name.
  let end = to;
  while (end > last && isTrailing(unitAt(end - 1))) end--;
  let dot = end;
  while (dot > last && (classAt(dot - 1) & LABEL) != 0) dot--;
  if (dot <= last + 1 || unitAt(dot - 1) != DOT || end - dot < 1 || end - dot > 5 || (classAt(dot) & DIGIT) != 0) return -1;
  let begin = from;
  while (begin < last && (classAt(begin) & LABEL) == 0 && unitAt(begin) != LETTER && unitAt(begin) != 0x5f) begin++;
  return begin;
}
