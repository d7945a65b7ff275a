// Outcomes: what became of a call, as its caller reported it (chapter 3).

import { equalAscii } from "../memory/bytes";
import { OBJECT, STRING, Value, first, isInteger, isKind, isString, kind, next, stringLength, stringStart } from "../json/value";
import { DIGEST_LETTERS } from "../digest/labelled";

export const NONE: i32 = 0;
export const RAN: i32 = 1;
export const FAILED: i32 = 2;
export const UNKNOWN: i32 = 3;
export const COMPENSATED: i32 = 4;

const STATUSES: StaticArray<string> = ["", "ran", "failed", "outcome_unknown", "compensated"];

/** The status a string names, or 0. */
export function statusOf(value: Value): i32 {
  for (let i = 1; i < STATUSES.length; i++) if (isString(value, unchecked(STATUSES[i]))) return i;
  return NONE;
}

/** Which of 16 bytes are letters of base64url. */
// @ts-ignore: decorator
@inline
function letters(block: v128): v128 {
  const alphabetic = i8x16.lt_u(i8x16.sub(v128.or(block, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(26));
  const digit = i8x16.lt_u(i8x16.sub(block, i8x16.splat(0x30)), i8x16.splat(10));
  const mark = v128.or(i8x16.eq(block, i8x16.splat(0x2d)), i8x16.eq(block, i8x16.splat(0x5f)));
  return v128.or(v128.or(alphabetic, digit), mark);
}

/** Whether it is a digest: 43 letters of strict base64url, the last with its two unused bits zero. */
export function isDigest(value: Value): bool {
  if (!isKind(value, STRING) || stringLength(value) != DIGEST_LETTERS) return false;
  const start = stringStart(value);
  // The third block overlaps the second.
  const all = v128.and(v128.and(letters(v128.load(start)), letters(v128.load(start, 16))), letters(v128.load(start, 27)));
  const last = <i32>load<u8>(start, 42);
  // A…Z are 0…25, a…z 26…51, 0…9 52…61; the two marks stand for 62 and 63.
  const bits = last >= 0x61 ? last - 0x47 : last >= 0x41 ? last - 0x41 : last + 4;
  return i8x16.all_true(all) && (bits & 3) == 0 && last != 0x2d && last != 0x5f;
}

/** Whether it is `{NAME: digest}`. */
export function isDigestMap(value: Value): bool {
  if (!isKind(value, OBJECT)) return false;
  const end = next(value);
  for (let name = first(value); name < end; name = next(next(name))) if (!isDigest(next(name))) return false;
  return true;
}

/** The status of a well-formed outcome, or 0 where it is none. */
export function readOutcome(value: Value): i32 {
  if (!isKind(value, OBJECT)) return NONE;
  let status = NONE;
  const end = next(value);
  for (let name = first(value); name < end; name = next(next(name))) {
    const start = stringStart(name);
    const length = stringLength(name);
    const member = next(name);
    if (equalAscii(start, length, "status")) {
      status = statusOf(member);
      if (status == NONE) return NONE;
    } else if (equalAscii(start, length, "at")) {
      if (!isInteger(member)) return NONE;
    } else if (equalAscii(start, length, "result")) {
      if (!isDigestMap(member)) return NONE;
    } else if (equalAscii(start, length, "external_id")) {
      if (!isDigest(member)) return NONE;
    } else {
      return NONE;
    }
  }
  return status;
}
