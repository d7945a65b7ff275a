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

/** Whether `from` … `to`, which a port follows, spells an IPv4 address in decimal, octal and hex parts: one number, or up to four with dots. */
export function isSpelled(from: i32, to: i32): bool {
  let at = from;
  let parts = 0;
  let hex = false;
  while (true) {
    const begin = at;
    let value: u64 = 0;
    hex = unitAt(at) == 0x30 && (unitAt(at + 1) | 0x20) == 0x78;
    if (hex) {
      at += 2;
      for (; at < to && (classAt(at) & HEX) != 0; at++) value = min((value << 4) | hexValue(unitAt(at)), TOO_LARGE);
      if (at == begin + 2) return false;
    } else {
      let octal: u64 = 0;
      let isOctal = unitAt(at) == 0x30;
      for (; at < to && (classAt(at) & DIGIT) != 0; at++) {
        const digit = unitAt(at) - 0x30;
        if (digit > 7) isOctal = false;
        octal = min((octal << 3) | digit, TOO_LARGE);
        value = min(value * 10 + digit, TOO_LARGE);
      }
      if (at == begin) return false;
      if (isOctal) value = octal;
    }
    parts++;
    if (at == to) return value < <u64>1 << ((5 - parts) << 3) && (parts > 1 || hex || value >= LEAST_NUMBER);
    if (unitAt(at) != 0x2e || value > 255 || parts == 4) return false;
    at++;
  }
}

/** Above every address. */
const TOO_LARGE: u64 = 0x100000000;

/** Where the port of an IPv4 address ends; `at` where none follows. It is at most 65535, and nothing is glued to it. */
export function addressPortEnd(at: i32): i32 {
  const end = portEnd(at);
  if (end == at) return at;
  let port: u32 = 0;
  for (let i = at + 1; i < end; i++) port = port * 10 + (unitAt(i) - 0x30);
  if (port > 65535 || (classAt(end) & (ALPHA | DIGIT)) != 0) return at;
  if (unitAt(end) == 0x3a && (classAt(end + 1) & (ALPHA | DIGIT)) != 0) return at;
  return unitAt(end) == 0x2e && (classAt(end + 1) & DIGIT) != 0 ? at : end;
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

/** The longest IPv6 address, in characters. */
const LONGEST: i32 = 45;

/**
 * Whether an IPv6 address begins the run `from` … `to` of hex digits, colons and dots, which is as long as it goes: the longest
 * that nothing is glued to. `floor` and `limit` bound what is around it.
 */
export function isIp6(from: i32, to: i32, floor: i32, limit: i32): bool {
  let first = from;
  // In brackets the unspecified address counts too; bare it is punctuation, of which nothing would be reported.
  if (to - from == 2 && from > floor && unitAt(from - 1) == 0x5b && to < limit && unitAt(to) == 0x5d && unitAt(from) == 0x3a && unitAt(from + 1) == 0x3a) {
    begin = from - 1;
    end = portEnd(to + 1);
    return true;
  }
  if (unitAt(first) == 0x3a && unitAt(first + 1) != 0x3a) first++;
  else if (first > floor && isGlue(first - 1)) return false;
  let last = min(to, first + LONGEST);
  while (last > first + 2 && (isGlue(last) || !isGroups(first, last))) last--;
  if (last <= first + 2) return false;
  begin = first;
  end = last;
  if (end < limit && unitAt(end) == 0x25) {
    let zone = end + 1;
    while (zone < limit && isZoneUnit(zone)) zone++;
    if (zone > end + 1) end = zone;
  }
  if (begin > floor && unitAt(begin - 1) == 0x5b && end < limit && unitAt(end) == 0x5d) {
    begin--;
    end = portEnd(end + 1);
  }
  return true;
}

function isZoneUnit(at: i32): bool {
  const unit = unitAt(at);
  return unit < 0x80 && ((classAt(at) & (ALPHA | DIGIT)) != 0 || unit == 0x2e || unit == 0x5f || unit == 0x2d || unit == 0x7e);
}

/** Whether a unit beside an address makes it part of a longer word. */
function isGlue(at: i32): bool {
  const unit = unitAt(at);
  return unit < 0x80 && ((classAt(at) & (ALPHA | DIGIT)) != 0 || unit == 0x5f);
}

/** Whether `from` … `to` is an IPv6 address (RFC 4291 section 2.2) of which something is written: `::` alone is punctuation. */
export function isGroups(from: i32, to: i32): bool {
  if (to - from < 3 || to - from > LONGEST) return false;
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
