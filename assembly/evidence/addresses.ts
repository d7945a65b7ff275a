// IP addresses: dotted quads, IPv6, and the other spellings of an IPv4 address before a port.

import { portEnd } from "./hosts";
import { ALPHA, DIGIT, HEX, classAt, hexValue, unitAt } from "./reading";

/** Whether `from` … `to` is a dotted quad: four numbers of one to three digits up to 255. */
export function isQuad(from: i32, to: i32): bool {
  if (to - from < 7 || to - from > 15) return false;
  let at = from;
  for (let part = 0; part < 4; part++) {
    let value: u32 = 0;
    let digits = 0;
    while (at < to && (classAt(at) & DIGIT) != 0) {
      value = value * 10 + (unitAt(at++) - 0x30);
      if (++digits > 3) return false;
    }
    if (digits == 0 || value > 255) return false;
    if (part < 3 && (at >= to || unitAt(at++) != 0x2e)) return false;
  }
  return at == to;
}

/** The least number that is taken for an address alone: below it the first byte is 0, and a time is a number before a colon. */
const LEAST_NUMBER: u64 = 0x1000000;

/**
 * Whether `from` … `to`, which a port follows, spells an IPv4 address in decimal, octal or hex: one number, or two to four
 * joined by dots of which one is hex, or four octal ones.
 */
export function isSpelled(from: i32, to: i32): bool {
  let at = from;
  let parts = 0;
  let hex = false;
  let value: u64 = 0;
  let octal = false;
  while (true) {
    value = 0;
    const begin = at;
    octal = unitAt(at) == 0x30 && at + 1 < to && (classAt(at + 1) & DIGIT) != 0;
    if (unitAt(at) == 0x30 && (unitAt(at + 1) | 0x20) == 0x78) {
      hex = true;
      at += 2;
      while (at < to && (classAt(at) & HEX) != 0 && value <= 0xffffffff) value = (value << 4) | hexValue(unitAt(at++));
      if (at == begin + 2) return false;
    } else {
      while (at < to && (classAt(at) & DIGIT) != 0 && value <= 0xffffffff) {
        const digit = unitAt(at++) - 0x30;
        if (octal && digit > 7) return false;
        value = octal ? (value << 3) | digit : value * 10 + digit;
      }
      if (at == begin) return false;
    }
    if (value > 0xffffffff || ++parts > 4) return false;
    if (at == to) break;
    if (unitAt(at) != 0x2e || value > 255) return false;
    at++;
  }
  if (parts == 1) return hex || value >= LEAST_NUMBER;
  return hex || (parts == 4 && value <= 255);
}

/** Where the last IPv6 address that `isIp6` accepted begins and ends, brackets, zone and port with it. */
let begin: i32 = 0;
let end: i32 = 0;

export function ip6Begin(): i32 {
  return begin;
}

export function ip6End(): i32 {
  return end;
}

/** Whether a unit may stand in an IPv6 address. */
// @ts-ignore: decorator
@inline
export function isIp6Unit(at: i32): bool {
  const unit = unitAt(at);
  return (classAt(at) & HEX) != 0 || unit == 0x3a || unit == 0x2e;
}

/** Whether the run `from` … `to` of hex digits, colons and dots, as long as it goes, is an IPv6 address; `floor` and `limit` bound what is around. */
export function isIp6(from: i32, to: i32, floor: i32, limit: i32): bool {
  let first = from;
  let last = to;
  if (unitAt(first) == 0x3a && unitAt(first + 1) != 0x3a) first++;
  else if (first > floor && isGlue(first - 1)) return false;
  if (last < limit && isGlue(last)) return false;
  while (last > first && unitAt(last - 1) == 0x2e) last--;
  if (last - first >= 2 && unitAt(last - 1) == 0x3a && unitAt(last - 2) != 0x3a) last--;
  if (!isGroups(first, last)) return false;
  begin = first;
  end = last;
  if (end < limit && unitAt(end) == 0x25) {
    let zone = end + 1;
    while (zone < limit && ((classAt(zone) & (ALPHA | DIGIT)) != 0 || unitAt(zone) == 0x2e || unitAt(zone) == 0x5f || unitAt(zone) == 0x2d)) zone++;
    while (zone > end + 1 && unitAt(zone - 1) == 0x2e) zone--;
    if (zone > end + 1) end = zone;
  }
  if (begin > floor && unitAt(begin - 1) == 0x5b && end < limit && unitAt(end) == 0x5d) {
    begin--;
    end = portEnd(end + 1);
  }
  return true;
}

/** Whether a unit beside an address makes it part of a longer word. */
function isGlue(at: i32): bool {
  const unit = unitAt(at);
  return unit < 0x80 && ((classAt(at) & (ALPHA | DIGIT)) != 0 || unit == 0x5f);
}

/** Whether `from` … `to` is an IPv6 address (RFC 4291 section 2.2) of which something is written: `::` alone is punctuation. */
export function isGroups(from: i32, to: i32): bool {
  if (to - from < 3 || to - from > 45) return false;
  let at = from;
  let groups = 0;
  let gap = false;
  if (unitAt(at) == 0x3a) {
    if (unitAt(at + 1) != 0x3a) return false;
    gap = true;
    at += 2;
  }
  while (at < to) {
    let digits = 0;
    while (at + digits < to && (classAt(at + digits) & HEX) != 0) digits++;
    if (digits == 0) return false;
    if (at + digits < to && unitAt(at + digits) == 0x2e) {
      if (!isQuad(at, to)) return false;
      groups += 2;
      at = to;
      break;
    }
    if (digits > 4) return false;
    groups++;
    at += digits;
    if (at == to) break;
    if (unitAt(at) != 0x3a) return false;
    at++;
    if (at == to) return false;
    if (unitAt(at) == 0x3a) {
      if (gap) return false;
      gap = true;
      at++;
    }
  }
  return gap ? groups < 8 && groups > 0 : groups == 8;
}
