// Timestamps and durations: their texts (RFC 3339, and decimal numbers with units), the calendar, and arithmetic within their ranges.

import { Buffer } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import { Slot, asideOf, intOf, setDuration, setError, setTimestamp } from "./slot";

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: what a timestamp may be (cel-spec, Overflow). */
export const FIRST_SECOND: i64 = -62135596800;
export const LAST_SECOND: i64 = 253402300799;
const BILLION: i64 = 1000000000;
const DAY: i64 = 86400;

/** Days before each month of a common year. */
const DAYS_BEFORE: StaticArray<i32> = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

// @ts-ignore: decorator
@inline
function isLeap(year: i64): bool {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/** Days from 0001-01-01 to the first of January of `year` (at least 1). */
function daysBeforeYear(year: i64): i64 {
  const full = year - 1;
  return full * 365 + full / 4 - full / 100 + full / 400;
}

/** Days before a month (0 to 12) of a year. */
function daysBeforeMonth(year: i64, month: i32): i32 {
  return DAYS_BEFORE[month] + (month > 1 && isLeap(year) ? 1 : 0);
}

/** Sets a timestamp, or an error where it is out of range. `nanoseconds` may be any. */
function setInstant(out: Slot, seconds: i64, nanoseconds: i64): void {
  let whole = seconds + nanoseconds / BILLION;
  let rest = nanoseconds % BILLION;
  if (rest < 0) {
    rest += BILLION;
    whole--;
  }
  if (whole < FIRST_SECOND || whole > LAST_SECOND) setError(out);
  else setTimestamp(out, whole, <i32>rest);
}

/** Sets the timestamp of so many seconds since 1970. */
export function timestampOfSeconds(seconds: i64, out: Slot): void {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) setError(out);
  else setTimestamp(out, seconds, 0);
}

/** `length` decimal digits at `at`, or -1. */
function digits(at: usize, end: usize, length: usize): i32 {
  if (at + length > end) return -1;
  let value = 0;
  for (let i: usize = 0; i < length; i++) {
    const digit = <i32>load<u8>(at + i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Minutes of an offset `HH:MM` that begins at `at` and ends the text, or -1. */
function offsetMinutes(at: usize, end: usize): i32 {
  if (at + 5 != end || load<u8>(at, 2) != 0x3a) return -1;
  const hours = digits(at, end, 2);
  const minutes = digits(at + 3, end, 2);
  return hours < 0 || hours > 23 || minutes < 0 || minutes > 59 ? -1 : hours * 60 + minutes;
}

/** Sets the timestamp an RFC 3339 text says (`T` and `Z` in capitals; what is below a nanosecond is cut off), or an error. */
export function timestampOfText(start: usize, length: i32, out: Slot): void {
  setError(out);
  const end = start + <usize>length;
  if (length < 20) return;
  const year = digits(start, end, 4);
  const month = digits(start + 5, end, 2) - 1;
  const day = digits(start + 8, end, 2) - 1;
  const hour = digits(start + 11, end, 2);
  const minute = digits(start + 14, end, 2);
  const second = digits(start + 17, end, 2);
  if (load<u8>(start, 4) != 0x2d || load<u8>(start, 7) != 0x2d || load<u8>(start, 10) != 0x54) return;
  if (load<u8>(start, 13) != 0x3a || load<u8>(start, 16) != 0x3a) return;
  if (year < 1 || month < 0 || month > 11 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return;
  if (day >= daysBeforeMonth(year, month + 1) - daysBeforeMonth(year, month)) return;
  let at = start + 19;
  let nanoseconds: i64 = 0;
  if (load<u8>(at) == 0x2e) {
    at++;
    let scale = BILLION;
    const first = at;
    while (at < end && digits(at, end, 1) >= 0) {
      // Digits beyond the ninth are cut off: scale is 0 by then.
      scale /= 10;
      nanoseconds += <i64>digits(at, end, 1) * scale;
      at++;
    }
    if (at == first || at == end) return;
  }
  let offset: i64 = 0;
  const zone = load<u8>(at);
  if (zone == 0x5a) {
    if (at + 1 != end) return;
  } else if (zone == 0x2b || zone == 0x2d) {
    const minutes = offsetMinutes(at + 1, end);
    if (minutes < 0) return;
    offset = zone == 0x2b ? minutes : -minutes;
  } else {
    return;
  }
  const days = daysBeforeYear(year) + <i64>daysBeforeMonth(year, month) + <i64>day;
  setInstant(out, FIRST_SECOND + days * DAY + <i64>(hour * 3600 + minute * 60 + second) - offset * 60, nanoseconds);
}

/** The length of the unit that `unitAt` found last. */
let unitLength: usize = 0;

/** Nanoseconds of the unit at `at`, its length in `unitLength`; 0 where there is none. */
function unitAt(at: usize, end: usize): i64 {
  const c = at < end ? <i32>load<u8>(at) : 0;
  const second = at + 1 < end ? <i32>load<u8>(at, 1) : 0;
  unitLength = 1;
  if (c == 0x68) return 3600 * BILLION;
  if (c == 0x73) return BILLION;
  if (c == 0x6d && second != 0x73) return 60 * BILLION;
  unitLength = 2;
  if (c == 0x6d) return 1000000;
  if (second == 0x73 && c == 0x75) return 1000;
  if (second == 0x73 && c == 0x6e) return 1;
  // Both micro signs: U+00B5 and the Greek letter U+03BC.
  unitLength = 3;
  if (((c == 0xc2 && second == 0xb5) || (c == 0xce && second == 0xbc)) && at + 2 < end && load<u8>(at, 2) == 0x73) return 1000;
  return 0;
}

/** Sets the duration a text says: a sign, then decimal numbers with units h, m, s, ms, us, ns (`1h30m`, `-1.5s`, `0`), or an error. */
export function durationOfText(start: usize, length: i32, out: Slot): void {
  setError(out);
  const end = start + <usize>length;
  let at = start;
  let negative = false;
  if (at < end && (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d)) {
    negative = load<u8>(at) == 0x2d;
    at++;
  }
  if (at == end) return;
  if (at + 1 == end && load<u8>(at) == 0x30) {
    setDuration(out, 0);
    return;
  }
  const most: u64 = 1 << 63;
  let total: u64 = 0;
  while (at < end) {
    const first = at;
    let whole: u64 = 0;
    while (at < end && digits(at, end, 1) >= 0) {
      if (whole > most / 10) return;
      whole = whole * 10 + <u64>digits(at, end, 1);
      at++;
    }
    let seen = at > first;
    const fraction = at;
    if (at < end && load<u8>(at) == 0x2e) {
      at++;
      while (at < end && digits(at, end, 1) >= 0) at++;
      seen = seen || at > fraction + 1;
    }
    if (!seen) return;
    const fractionEnd = at;
    const unit = <u64>unitAt(at, end);
    if (unit == 0 || whole > most / unit) return;
    at += unitLength;
    // Digit by digit, so that the part below a nanosecond is cut off exactly. 13 digits and the rest stay below 2^63.
    let part = whole * unit;
    let scaled: u64 = 0;
    let scale: u64 = 1;
    for (let i = fraction + 1; i < fractionEnd && scale < 10000000000000; i++) {
      scaled = scaled * 10 + <u64>(load<u8>(i) - 0x30);
      scale *= 10;
    }
    if (scale > 1) part += fractionOf(scaled, scale, unit);
    if (part > most || total > most - part) return;
    total += part;
  }
  if (negative) setDuration(out, <i64>((~total) + 1));
  else if (total < most) setDuration(out, <i64>total);
}

/** floor(scaled × unit / scale), for scale a power of ten up to 10^13 and unit up to 3.6 × 10^12. */
function fractionOf(scaled: u64, scale: u64, unit: u64): u64 {
  // scaled × unit in two halves of 32 bits each by the unit's high and low part, divided in base 2^16.
  let rest: u64 = 0;
  let quotient: u64 = 0;
  for (let shift = 48; shift >= 0; shift -= 16) {
    const piece = (unit >> <u64>shift) & 0xffff;
    const sum = (rest << 16) + scaled * piece;
    quotient = (quotient << 16) + sum / scale;
    rest = sum % scale;
  }
  return quotient;
}

/** Appends a timestamp as RFC 3339 in UTC, with as many digits of a second as it has. */
export function writeTimestamp(slot: Slot, out: Buffer): void {
  const calendar = calendarOf(intOf(slot));
  padded(<i32>calendar.year, 4, out);
  out.byte(0x2d);
  padded(calendar.month + 1, 2, out);
  out.byte(0x2d);
  padded(calendar.day + 1, 2, out);
  out.byte(0x54);
  padded(calendar.second / 3600, 2, out);
  out.byte(0x3a);
  padded((calendar.second / 60) % 60, 2, out);
  out.byte(0x3a);
  padded(calendar.second % 60, 2, out);
  writeFraction(asideOf(slot), out);
  out.byte(0x5a);
}

/** Appends a duration in seconds, as `1.5s`. */
export function writeDuration(nanoseconds: i64, out: Buffer): void {
  if (nanoseconds < 0) out.byte(0x2d);
  const size: u64 = nanoseconds < 0 ? ~(<u64>nanoseconds) + 1 : <u64>nanoseconds;
  out.integer(<i64>(size / <u64>BILLION));
  writeFraction(<i32>(size % <u64>BILLION), out);
  out.byte(0x73);
}

function writeFraction(nanoseconds: i32, out: Buffer): void {
  if (nanoseconds == 0) return;
  let places = 9;
  let rest = nanoseconds;
  while (rest % 10 == 0) {
    rest /= 10;
    places--;
  }
  out.byte(0x2e);
  padded(rest, places, out);
}

function padded(value: i32, places: i32, out: Buffer): void {
  const at = out.reserve(places);
  let rest = value;
  for (let i = places - 1; i >= 0; i--) {
    store<u8>(at + <usize>i, <u8>(0x30 + (rest % 10)));
    rest /= 10;
  }
  out.length += places;
}

/** A day and a time of day. */
@final @unmanaged
class Calendar {
  year: i64;
  /** From 0. */
  month: i32;
  /** Of the month, from 0. */
  day: i32;
  /** Of the year, from 0. */
  dayOfYear: i32;
  /** From Sunday, 0. */
  dayOfWeek: i32;
  /** Of the day. */
  second: i32;
}

const CALENDAR: usize = memory.data(32, 8);

/** Seconds since 1970 on the calendar; the answer is overwritten by the next one. */
function calendarOf(seconds: i64): Calendar {
  const calendar = changetype<Calendar>(CALENDAR);
  // A zone may lead a day over either end: the year 400 before keeps every sum positive and has the same week.
  const since = seconds - FIRST_SECOND + 146097 * DAY;
  const days = since / DAY;
  calendar.second = <i32>(since % DAY);
  let year = days * 400 / 146097 + 1;
  if (daysBeforeYear(year) > days) year--;
  else if (daysBeforeYear(year + 1) <= days) year++;
  const dayOfYear = <i32>(days - daysBeforeYear(year));
  let month = dayOfYear / 31;
  if (daysBeforeMonth(year, month + 1) <= dayOfYear) month++;
  calendar.year = year - 400;
  calendar.month = month;
  calendar.day = dayOfYear - daysBeforeMonth(year, month);
  calendar.dayOfYear = dayOfYear;
  // 0001-01-01 was a Monday.
  calendar.dayOfWeek = <i32>((days + 1) % 7);
  return calendar;
}

/** What a getter asks for. */
export const FULL_YEAR: i32 = 0;
export const MONTH: i32 = 1;
export const DATE: i32 = 2;
export const DAY_OF_MONTH: i32 = 3;
export const DAY_OF_WEEK: i32 = 4;
export const DAY_OF_YEAR: i32 = 5;
export const HOURS: i32 = 6;
export const MINUTES: i32 = 7;
export const SECONDS: i32 = 8;
export const MILLISECONDS: i32 = 9;

/** No zone that is known. */
export const NO_ZONE: i32 = i32.MIN_VALUE;

/** Seconds east of UTC of a zone: `UTC`, `GMT` (or `Etc/…`), `+HH:MM`, `-HH:MM`, `HH:MM`; NO_ZONE for any other. */
export function zoneOffset(start: usize, length: i32): i32 {
  if (equalAscii(start, length, "UTC") || equalAscii(start, length, "GMT")) return 0;
  if (equalAscii(start, length, "Etc/UTC") || equalAscii(start, length, "Etc/GMT")) return 0;
  if (length < 5) return NO_ZONE;
  const sign = load<u8>(start);
  const minutes = offsetMinutes(sign == 0x2b || sign == 0x2d ? start + 1 : start, start + <usize>length);
  return minutes < 0 ? NO_ZONE : sign == 0x2d ? -60 * minutes : 60 * minutes;
}

/** Part of a timestamp, in a zone given by its seconds east of UTC. */
export function timestampPart(slot: Slot, part: i32, east: i32): i64 {
  const calendar = calendarOf(intOf(slot) + <i64>east);
  switch (part) {
    case FULL_YEAR: return calendar.year;
    case MONTH: return calendar.month;
    case DATE: return calendar.day + 1;
    case DAY_OF_MONTH: return calendar.day;
    case DAY_OF_WEEK: return calendar.dayOfWeek;
    case DAY_OF_YEAR: return calendar.dayOfYear;
    case HOURS: return calendar.second / 3600;
    case MINUTES: return (calendar.second / 60) % 60;
    case SECONDS: return calendar.second % 60;
    default: return asideOf(slot) / 1000000;
  }
}

/** A duration in whole hours, minutes or seconds, or the milliseconds of what is below a second; see `isDurationPart`. */
export function durationPart(nanoseconds: i64, part: i32): i64 {
  switch (part) {
    case HOURS: return nanoseconds / (3600 * BILLION);
    case MINUTES: return nanoseconds / (60 * BILLION);
    case SECONDS: return nanoseconds / BILLION;
    default: return (nanoseconds % BILLION) / 1000000;
  }
}

// @ts-ignore: decorator
@inline
export function isDurationPart(part: i32): bool {
  return part >= HOURS;
}

/** Sets timestamp + duration (or − with `negated`). */
export function addDuration(timestamp: Slot, nanoseconds: i64, negated: bool, out: Slot): void {
  const seconds = nanoseconds / BILLION;
  const rest = nanoseconds % BILLION;
  const had = <i64>asideOf(timestamp);
  if (negated) setInstant(out, intOf(timestamp) - seconds, had - rest);
  else setInstant(out, intOf(timestamp) + seconds, had + rest);
}

/** Sets the duration from `b` to `a`, or an error where it does not fit 64 bits of nanoseconds. */
export function between(a: Slot, b: Slot, out: Slot): void {
  const seconds = intOf(a) - intOf(b);
  const rest = <i64>(asideOf(a) - asideOf(b));
  setNanoseconds(seconds, rest, out);
}

/** Sets seconds × 10^9 + rest as a duration, or an error where that overflows. |rest| is below 10^9. */
function setNanoseconds(seconds: i64, rest: i64, out: Slot): void {
  let whole = seconds;
  let part = rest;
  // Both of one sign, so that neither step overflows unless the sum does.
  if (whole > 0 && part < 0) {
    whole--;
    part += BILLION;
  } else if (whole < 0 && part > 0) {
    whole++;
    part -= BILLION;
  }
  if (whole > 9223372036 || (whole == 9223372036 && part > 854775807) || whole < -9223372036 || (whole == -9223372036 && part < -854775808)) setError(out);
  else setDuration(out, whole * BILLION + part);
}
