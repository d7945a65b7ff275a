// The formats that are asserted (chapter 2), by name, and the short ones: UUID, JSON Pointer, pattern.

import { equalAscii } from "../memory/bytes";
import { createRegion, dropRegion, enterRegion } from "../memory/region";
import { spend } from "../memory/steps";
import { PATTERN_INVALID, compilePattern } from "../regex/compile";
import { isDate, isDateTime, isDuration, isTime } from "./dates";
import { isEmail, isHostname, isIpv4, isIpv6 } from "./hosts";
import { hexDigit } from "./uri";
import { isUri, isUriReference } from "./uri-syntax";

const FORMAT_NONE: i32 = 0;
const FORMAT_DATE_TIME: i32 = 1;
const FORMAT_DATE: i32 = 2;
const FORMAT_TIME: i32 = 3;
const FORMAT_DURATION: i32 = 4;
const FORMAT_EMAIL: i32 = 5;
const FORMAT_HOSTNAME: i32 = 6;
const FORMAT_IPV4: i32 = 7;
const FORMAT_IPV6: i32 = 8;
const FORMAT_URI: i32 = 9;
const FORMAT_URI_REFERENCE: i32 = 10;
const FORMAT_UUID: i32 = 11;
const FORMAT_JSON_POINTER: i32 = 12;
const FORMAT_RELATIVE_JSON_POINTER: i32 = 13;
const FORMAT_REGEX: i32 = 14;

const NAMES: StaticArray<string> = [
  "", "date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
  "json-pointer", "relative-json-pointer", "regex",
];

/** The number of an asserted format, or 0: the others are annotations. */
export function formatOf(start: usize, length: i32): i32 {
  for (let i = 1; i < NAMES.length; i++) if (equalAscii(start, length, unchecked(NAMES[i]))) return i;
  return FORMAT_NONE;
}

/** The formats that a draft defines and the core does not assert: chapter 2 does not name them. */
const NOT_ASSERTED: StaticArray<string> = ["idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"];

/** Whether a format means something in both drafts that is not asserted; what neither draft knows is an annotation of its author's. */
export function isFormatNotAsserted(start: usize, length: i32): bool {
  for (let i = 0; i < NOT_ASSERTED.length; i++) if (equalAscii(start, length, unchecked(NOT_ASSERTED[i]))) return true;
  return false;
}

/** Whether a text (UTF-8) has a format. Spends a step for each 16 bytes, of `regex` one for each byte and 64 more. */
export function hasFormat(format: i32, start: usize, length: i32): bool {
  if (!spend(<i64>(length >> 4))) return false;
  switch (format) {
    case FORMAT_DATE_TIME: return isDateTime(start, length);
    case FORMAT_DATE: return isDate(start, length);
    case FORMAT_TIME: return isTime(start, length);
    case FORMAT_DURATION: return isDuration(start, length);
    case FORMAT_EMAIL: return isEmail(start, length);
    case FORMAT_HOSTNAME: return isHostname(start, length);
    case FORMAT_IPV4: return isIpv4(start, length);
    case FORMAT_IPV6: return isIpv6(start, length);
    case FORMAT_URI: return isUri(start, length);
    case FORMAT_URI_REFERENCE: return isUriReference(start, length);
    case FORMAT_UUID: return isUuid(start, length);
    case FORMAT_JSON_POINTER: return isJsonPointer(start, length);
    case FORMAT_RELATIVE_JSON_POINTER: return isRelativeJsonPointer(start, length);
    case FORMAT_REGEX: return isPattern(start, length);
    default: return true;
  }
}

/** RFC 4122 section 3. */
function isUuid(start: usize, length: i32): bool {
  if (length != 36) return false;
  for (let i = 0; i < 36; i++) {
    const c: i32 = load<u8>(start + <usize>i);
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (c != 0x2d) return false;
    } else if (hexDigit(c) < 0) {
      return false;
    }
  }
  return true;
}

/** RFC 6901 section 3. */
function isJsonPointer(start: usize, length: i32): bool {
  if (length == 0) return true;
  if (load<u8>(start) != 0x2f) return false;
  for (let i = 1; i < length; i++) {
    if (load<u8>(start + <usize>i) != 0x7e) continue;
    if (++i >= length) return false;
    const c = load<u8>(start + <usize>i);
    if (c != 0x30 && c != 0x31) return false;
  }
  return true;
}

/** draft-handrews-relative-json-pointer-01 section 3. */
function isRelativeJsonPointer(start: usize, length: i32): bool {
  let i = 0;
  while (i < length && load<u8>(start + <usize>i) >= 0x30 && load<u8>(start + <usize>i) <= 0x39) i++;
  if (i == 0 || (i > 1 && load<u8>(start) == 0x30)) return false;
  if (i == length - 1 && load<u8>(start + <usize>i) == 0x23) return true;
  return isJsonPointer(start + <usize>i, length - i);
}

/** ECMA-262 with the `u` flag; a pattern that the core cannot run is one all the same. */
function isPattern(start: usize, length: i32): bool {
  if (!spend(<i64>length + 64)) return false;
  const scratch = createRegion();
  const region = enterRegion(scratch);
  const valid = compilePattern(start, length).problem != PATTERN_INVALID;
  enterRegion(region);
  dropRegion(scratch);
  return valid;
}
