// Numbers and dates as a language writes them (chapter 6, From words to steps, 3).

import { readDouble, readInexact } from "../json/number";
import { Buffer, Text } from "../memory/buffer";
import { MONTH } from "./classes";
import { Lexicon } from "./lexicon";
import { Kind, Token } from "./token";

/** The value of the numeral read last. */
export let numeralValue: f64 = 0;

// @ts-ignore: decorator
@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 <= 9;
}

/** Whether a text is a numeral of the language, whose value a double holds: digits, thousands in threes, one decimal mark. */
export function readNumeral(start: usize, end: usize, lexicon: Lexicon): bool {
  const digits = new Buffer(<i32>(end - start) + 8);
  let grouped = false;
  let run = 0;
  let decimals = false;
  let leading = true;
  for (let at = start; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (isDigit(byte)) {
      run++;
      if (leading && byte == 0x30) continue;
      leading = false;
      digits.byte(byte);
    } else if (byte == lexicon.decimals && !decimals) {
      if (grouped && run != 3) return false;
      if (leading) digits.byte(0x30);
      leading = false;
      digits.byte(0x2e);
      decimals = true;
      run = 0;
    } else if (byte == lexicon.thousands && !decimals) {
      if (grouped ? run != 3 : run > 3 || run == 0) return false;
      grouped = true;
      run = 0;
    } else return false;
  }
  if (run == 0 || (grouped && !decimals && run != 3)) return false;
  if (digits.length == 0) digits.byte(0x30);
  numeralValue = readDouble(digits.start, digits.length);
  return !readInexact;
}

/** The numbers of a date that was read last. */
let year: i32 = 0;
let month: i32 = 0;
let day: i32 = 0;

/** The numbers that `/`, `-` or `.` part, up to three; 0 where it is not so. */
function parts(start: usize, end: usize): u32 {
  let joint: u32 = 0;
  let count = 0;
  let number = 0;
  let length = 0;
  year = month = day = 0;
  for (let at = start; at <= end; at++) {
    const byte: u32 = at < end ? load<u8>(at) : 0;
    if (at < end && isDigit(byte)) {
      number = number * 10 + <i32>(byte - 0x30);
      if (++length > 4) return 0;
      continue;
    }
    if (length == 0 || count == 3) return 0;
    if (count == 0) year = number;
    else if (count == 1) month = number;
    else day = number;
    count++;
    number = 0;
    if (at < end) {
      if ((byte != 0x2f && byte != 0x2d && byte != 0x2e) || (joint != 0 && byte != joint)) return 0;
      joint = byte;
    }
    if (at == end && count == 3) return (<u32>length << 8) | joint;
    length = 0;
  }
  return 0;
}

/** Whether digits may be a date: `2026-11-30`, `30/11/2026`; ISO with a time counts too. */
export function isDateText(start: usize, end: usize): bool {
  if (isIso(start, end)) return true;
  const read = parts(start, end);
  return read != 0 && (read >> 8 == 4 || read >> 8 == 2) && (read & 0xff) != 0x2d && year <= 31 && month <= 31;
}

/** Whether a text begins with a date in ISO 8601's form, and ends there or goes on with a time. */
export function isIso(start: usize, end: usize): bool {
  if (end - start < 10 || load<u8>(start + 4) != 0x2d || load<u8>(start + 7) != 0x2d) return false;
  if (parts(start, start + 10) == 0 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return false;
  return end - start == 10 || load<u8>(start + 10) == 0x54 || load<u8>(start + 10) == 0x74;
}

function daysOf(year: i32, month: i32): i32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** The date a text is, as `2026-11-30`; empty where the language leaves open which it is, or it is none. */
export function isoDate(start: usize, end: usize, lexicon: Lexicon): Text {
  const out = new Buffer(16);
  if (isIso(start, end)) {
    out.bytes(start, 10);
    return out.view();
  }
  const read = parts(start, end);
  if (read >> 8 != 4) return out.view();
  const one = year;
  const two = month;
  const inYear = day;
  let dayFirst = lexicon.dateOrder == 0x64;
  if (lexicon.dateOrder == 0x65) {
    // Either may come first: only a number that is no month tells, or two that are one.
    if (one > 12) dayFirst = true;
    else if (two <= 12 && one != two) return out.view();
  }
  return written(inYear, dayFirst ? two : one, dayFirst ? one : two);
}

/** A date's text; empty where there is no such day. */
export function written(inYear: i32, inMonth: i32, onDay: i32): Text {
  const out = new Buffer(16);
  if (inMonth < 1 || inMonth > 12 || onDay < 1 || onDay > daysOf(inYear, inMonth) || inYear < 1000) return out.view();
  out.integer(inYear);
  out.byte(0x2d);
  if (inMonth < 10) out.byte(0x30);
  out.integer(inMonth);
  out.byte(0x2d);
  if (onDay < 10) out.byte(0x30);
  out.integer(onDay);
  return out.view();
}

/** The number of the month a word names, or 0; `stands` is what the word stands for. */
export function monthOf(classes: u32, stands: Text): i32 {
  if ((classes & MONTH) == 0 || stands.length == 0) return 0;
  let number = 0;
  for (let i = 0; i < stands.length; i++) number = number * 10 + <i32>(load<u8>(stands.start + <usize>i) - 0x30);
  return number;
}

/** Whether a token is a bare whole number from `least` to `most`. */
export function isCount(token: Token, least: f64, most: f64): bool {
  return token.kind == Kind.Number && token.value >= least && token.value <= most && token.value == Math.trunc(token.value) && !token.money && !token.percent;
}

/** The day of a month that a number or an ordinal (`3rd`, `1º`) says, or 0. */
export function dayOf(token: Token): i32 {
  if (isCount(token, 1, 31)) return <i32>token.value;
  if (token.kind != Kind.Mark) return 0;
  let day = 0;
  let at = token.from;
  while (at < token.to && <u32>load<u8>(at) - 0x30 <= 9 && day < 100) day = day * 10 + <i32>(load<u8>(at++) - 0x30);
  const left = token.to - at;
  if (at == token.from || day < 1 || day > 31 || left < 1 || left > 2) return 0;
  const ending: u32 = left == 1 ? load<u8>(at) | 0x20 : (<u32>load<u8>(at) << 8) | load<u8>(at, 1);
  // st, nd, rd, th; o, a; º, ª
  if (left == 1) return ending == 0x6f || ending == 0x61 ? day : 0;
  const small = ending | 0x2020;
  return small == 0x7374 || small == 0x6e64 || small == 0x7264 || small == 0x7468 || ending == 0xc2ba || ending == 0xc2aa ? day : 0;
}
