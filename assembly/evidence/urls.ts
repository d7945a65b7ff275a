// Where a URL or a network share begins in a word; a URL goes on to the word's end.

import { ALPHA, DIGIT, SCHEME, classAt, unitAt, unitsAre } from "./reading";
import { LONGEST_SCHEME, isBareScheme } from "./schemes";

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

/** The word whose URLs are sought: its end, its end without punctuation, that without slashes too, and where to go on. */
let wordEnd: i32 = 0;
let trimmed: i32 = 0;
let reach: i32 = 0;
let floor: i32 = 0;
let colon: i32 = 0;
let textBegin: i32 = 0;
let textEnd: i32 = 0;

/** Begins with the word `from` … `to`; `first` and `last` are where what is not white space in the text begins and ends. */
export function beginUrls(from: i32, to: i32, first: i32, last: i32): void {
  wordEnd = to;
  trimmed = trimmedEnd(from, to);
  // Behind http: and the like, slashes alone are not something either.
  reach = trimmed;
  while (reach > from && (isTrailing(unitAt(reach - 1)) || unitAt(reach - 1) == 0x2f || unitAt(reach - 1) == 0x5c)) reach--;
  floor = from;
  colon = from;
  textBegin = first;
  textEnd = last;
}

/** Where the next URL of the word begins, or -1: `scheme://` or a bare scheme, and then something. */
export function nextUrl(): i32 {
  for (; colon < wordEnd; colon++) {
    if (unitAt(colon) != 0x3a) continue;
    let begin = colon;
    while (begin > floor && (classAt(begin - 1) & SCHEME) != 0) begin--;
    const run = begin;
    floor = colon + 1;
    while (begin < colon && (classAt(begin) & ALPHA) == 0) begin++;
    if (begin == colon) continue;
    if (unitAt(colon + 1) == 0x2f && unitAt(colon + 2) == 0x2f && (trimmed > colon + 3 || goesOn(colon + 3, begin == textBegin, textEnd))) {
      colon++;
      return begin;
    }
    if (trimmed <= colon + 1 || (trimmed == colon + 3 && unitAt(colon + 1) == 0x2f && unitAt(colon + 2) == 0x2f)) continue;
    const bare = findBareScheme(run, colon);
    if (bare >= 0 && (reach > colon + 1 || !needsHost(bare, colon))) {
      colon++;
      return bare;
    }
  }
  return -1;
}

/**
 * Whether more than punctuation stands from `at` on up to white space: a program that takes the whole of it reads on behind quotation
 * marks. Behind spaces too, where the URL begins the text and they stand before an `@`.
 */
function goesOn(at: i32, whole: bool, last: i32): bool {
  for (; at < last && unitAt(at) != 0x20; at++) {
    const unit = unitAt(at);
    if (unit > 0x20 && unit != 0x7f && !isTrailing(unit)) return true;
  }
  while (whole && at < last) if (unitAt(at++) == 0x40) return true;
  return false;
}

/** Whether a scheme is one of the web's, for which slashes alone lead nowhere; `file:/` is a folder. */
function needsHost(from: i32, to: i32): bool {
  return unitsAre(from, to, "http") || unitsAre(from, to, "https") || unitsAre(from, to, "ws") || unitsAre(from, to, "wss");
}

/** Where in the run `run` … `colon` of scheme characters a bare scheme begins that ends it, or -1: no letter or digit stands before. */
function findBareScheme(run: i32, colon: i32): i32 {
  for (let begin = max(run, colon - LONGEST_SCHEME); begin < colon; begin++) {
    const before = classAt(begin - 1);
    if ((before & (ALPHA | DIGIT)) == 0 && isBareScheme(begin, colon)) return begin;
  }
  return -1;
}

/** Whether the word `from` … `to`, the first of its text, is `//host`. */
export function isProtocolRelative(from: i32, to: i32): bool {
  return unitAt(from) == 0x2f && unitAt(from + 1) == 0x2f && unitAt(from + 2) != 0x2f && trimmedEnd(from, to) > from + 2;
}

/** Where the share that `findShare` found ends. */
let end: i32 = 0;

export function shareEnd(): i32 {
  return end;
}

/** Where the first network share of `from` … `to` begins, or -1: `\\host\share`, after no third back-slash. */
export function findShare(from: i32, to: i32): i32 {
  let at = from;
  while (at + 4 < to) {
    if (unitAt(at) != 0x5c) {
      at++;
      continue;
    }
    const slashes = at;
    while (at < to && unitAt(at) == 0x5c) at++;
    if (at - slashes != 2) continue;
    const host = at;
    while (at < to && isShareUnit(at)) at++;
    if (at == host || unitAt(at) != 0x5c || at + 1 >= to || !isShareUnit(at + 1)) continue;
    end = at + 1;
    while (end < to && unitAt(end) != 0x7c && unitAt(end) != 0x2a) end++;
    return slashes;
  }
  return -1;
}

/** Whether a unit may stand in the name of a host or share. */
function isShareUnit(at: i32): bool {
  const unit = unitAt(at);
  return unit != 0x5c && unit != 0x2f && unit != 0x7c && unit != 0x2a && unit != 0x3a;
}
