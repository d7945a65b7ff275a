// Conversions between types: int, uint, double, bool, string, bytes, timestamp, duration (cel-spec, Type Conversions).

import { checkUtf8 } from "../json/encoding";
import { writeDouble } from "../json/number";
import { Buffer } from "../memory/buffer";
import { equalAscii } from "../memory/bytes";
import { spend } from "../memory/steps";
import { readDecimal } from "./lex";
import {
  BOOL, BYTES, DOUBLE, DURATION, INT, STRING, Slot, TIMESTAMP, UINT, addressOf, asideOf, doubleOf, intOf, isTrue, setAddress, setBool, setDouble,
  setError, setInt, setUint, tagOf, uintOf,
} from "./slot";
import { durationOfText, timestampOfSeconds, timestampOfText, writeDuration, writeTimestamp } from "./time";

/** The longest text that is read as a number, time or truth value, in bytes. */
const TEXT_LIMIT: i32 = 4096;

/** What `readDigits` read. */
let magnitude: u64 = 0;

/** Reads decimal digits to the end of a text; false where there are none, something else, or more than `most`. */
function readDigits(start: usize, end: usize, most: u64): bool {
  if (start == end) return false;
  magnitude = 0;
  for (let at = start; at < end; at++) {
    const digit = <u64>load<u8>(at) - 0x30;
    if (digit > 9 || magnitude > (most - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
  }
  return true;
}

/** `int(x)` */
export function toInt(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == INT) return;
  if (tag == TIMESTAMP) {
    setInt(slot, intOf(slot));
  } else if (tag == UINT) {
    if (uintOf(slot) > <u64>i64.MAX_VALUE) setError(slot);
    else setInt(slot, <i64>uintOf(slot));
  } else if (tag == DOUBLE) {
    const value = doubleOf(slot);
    // Neither end is let through: what rounded to it may have been past it.
    if (value > -9223372036854775808.0 && value < 9223372036854775808.0) setInt(slot, <i64>value);
    else setError(slot);
  } else if (tag == STRING && asideOf(slot) > 0) {
    let start = addressOf(slot);
    const end = start + <usize>asideOf(slot);
    const sign = load<u8>(start);
    const negative = sign == 0x2d;
    if (negative || sign == 0x2b) start++;
    if (!readDigits(start, end, negative ? <u64>1 << 63 : <u64>i64.MAX_VALUE)) setError(slot);
    else setInt(slot, negative ? <i64>(~magnitude + 1) : <i64>magnitude);
  } else {
    setError(slot);
  }
}

/** `uint(x)` */
export function toUint(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == UINT) return;
  if (tag == INT) {
    if (intOf(slot) < 0) setError(slot);
    else setUint(slot, <u64>intOf(slot));
  } else if (tag == DOUBLE) {
    const value = doubleOf(slot);
    if (value >= 0 && value < 18446744073709551616.0) setUint(slot, <u64>value);
    else setError(slot);
  } else if (tag == STRING) {
    const start = addressOf(slot);
    if (readDigits(start, start + <usize>asideOf(slot), u64.MAX_VALUE)) setUint(slot, magnitude);
    else setError(slot);
  } else {
    setError(slot);
  }
}

/** `double(x)` */
export function toDouble(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == DOUBLE) return;
  if (tag == INT) setDouble(slot, <f64>intOf(slot));
  else if (tag == UINT) setDouble(slot, <f64>uintOf(slot));
  else if (tag == STRING) textToDouble(slot);
  else setError(slot);
}

/** How many decimal digits begin at `at`. */
function countDigits(at: usize, end: usize): usize {
  let digits: usize = 0;
  while (at + digits < end && load<u8>(at + digits) - 0x30 <= 9 && load<u8>(at + digits) >= 0x30) digits++;
  return digits;
}

function isWord(start: usize, end: usize, lower: string): bool {
  if (end - start != <usize>lower.length) return false;
  for (let i = 0; i < lower.length; i++) if ((<i32>load<u8>(start + <usize>i) | 0x20) != lower.charCodeAt(i)) return false;
  return true;
}

function textToDouble(slot: Slot): void {
  let start = addressOf(slot);
  const end = start + <usize>asideOf(slot);
  setError(slot);
  if (end - start > <usize>TEXT_LIMIT || start == end) return;
  const sign = load<u8>(start);
  const negative = sign == 0x2d;
  if (negative || sign == 0x2b) start++;
  let value: f64 = 0;
  if (isWord(start, end, "inf") || isWord(start, end, "infinity")) {
    value = Infinity;
  } else if (isWord(start, end, "nan") && sign != 0x2d && sign != 0x2b) {
    value = NaN;
  } else {
    const whole = countDigits(start, end);
    let at = start + whole;
    let part: usize = 0;
    if (at < end && load<u8>(at) == 0x2e) {
      part = countDigits(at + 1, end);
      at += 1 + part;
    }
    if (whole + part == 0) return;
    if (at < end) {
      if ((load<u8>(at) | 0x20) != 0x65) return;
      at++;
      if (at < end && (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d)) at++;
      const power = countDigits(at, end);
      if (power == 0 || at + power != end) return;
    }
    value = readDecimal(start, <i32>(end - start));
    if (!isFinite(value)) return;
  }
  setDouble(slot, negative ? -value : value);
}

const TRUE_TEXTS: StaticArray<string> = ["true", "True", "TRUE", "t", "T", "1"];
const FALSE_TEXTS: StaticArray<string> = ["false", "False", "FALSE", "f", "F", "0"];

function isOneOf(start: usize, length: i32, texts: StaticArray<string>): bool {
  for (let i = 0; i < texts.length; i++) if (equalAscii(start, length, texts[i])) return true;
  return false;
}

/** `bool(x)` */
export function toBool(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == BOOL) return;
  if (tag != STRING) {
    setError(slot);
    return;
  }
  const at = addressOf(slot);
  const length = asideOf(slot);
  if (isOneOf(at, length, TRUE_TEXTS)) setBool(slot, true);
  else if (isOneOf(at, length, FALSE_TEXTS)) setBool(slot, false);
  else setError(slot);
}

/** `string(x)`: a double as ECMAScript prints it (chapter 1), a timestamp by RFC 3339, a duration in seconds. */
export function toText(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == STRING) return;
  if (tag == BYTES) {
    const at = addressOf(slot);
    const length = asideOf(slot);
    spend(length >> 3);
    if (isUtf8(at, length)) setAddress(slot, STRING, at, length);
    else setError(slot);
    return;
  }
  const out = new Buffer(40);
  spend(4);
  switch (tag) {
    case BOOL:
      if (isTrue(slot)) out.ascii("true");
      else out.ascii("false");
      break;
    case INT:
      out.integer(intOf(slot));
      break;
    case UINT:
      writeUnsigned(uintOf(slot), out);
      break;
    case DOUBLE:
      writeAnyDouble(doubleOf(slot), out);
      break;
    case TIMESTAMP:
      writeTimestamp(slot, out);
      break;
    case DURATION:
      writeDuration(intOf(slot), out);
      break;
    default:
      setError(slot);
      return;
  }
  setAddress(slot, STRING, out.start, out.length);
}

/** Well-formed UTF-8; a byte-order mark is a character here. */
function isUtf8(start: usize, length: i32): bool {
  let skipped = 0;
  while (length - skipped >= 3 && (load<u32>(start + <usize>skipped) & 0xffffff) == 0xbfbbef) skipped += 3;
  return checkUtf8(start + <usize>skipped, length - skipped) < 0;
}

function writeUnsigned(value: u64, out: Buffer): void {
  if (value >= 10) out.integer(<i64>(value / 10));
  out.byte(0x30 + <i32>(value % 10));
}

/** As ECMAScript's Number::toString does, infinities and NaN too; minus zero as `0`. */
function writeAnyDouble(value: f64, out: Buffer): void {
  if (isFinite(value)) {
    writeDouble(value, out);
  } else if (value != value) {
    out.ascii("NaN");
  } else {
    if (value < 0) out.byte(0x2d);
    out.ascii("Infinity");
  }
}

/** `bytes(x)` */
export function toBytes(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == STRING) setAddress(slot, BYTES, addressOf(slot), asideOf(slot));
  else if (tag != BYTES) setError(slot);
}

/** `timestamp(x)`: an RFC 3339 text, or seconds since 1970. */
export function toTimestamp(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == TIMESTAMP) return;
  if (tag == INT) timestampOfSeconds(intOf(slot), slot);
  else if (tag == STRING && asideOf(slot) <= TEXT_LIMIT) timestampOfText(addressOf(slot), asideOf(slot), slot);
  else setError(slot);
}

/** `duration(x)`: a text such as `1h30m`. */
export function toDuration(slot: Slot): void {
  const tag = tagOf(slot);
  if (tag == DURATION) return;
  if (tag == STRING && asideOf(slot) <= TEXT_LIMIT) durationOfText(addressOf(slot), asideOf(slot), slot);
  else setError(slot);
}
