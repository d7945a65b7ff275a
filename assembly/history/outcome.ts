// Outcomes: what became of a call, as its caller reported it (chapter 3).

import { readBase64url } from "../digest/base64url";
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

/** Room for one digest's bytes. */
const DECODED: usize = memory.data(40, 8);

/** Whether it is a digest: 43 letters of strict base64url. */
export function isDigest(value: Value): bool {
  if (!isKind(value, STRING) || stringLength(value) != DIGEST_LETTERS) return false;
  return readBase64url(stringStart(value), DIGEST_LETTERS, DECODED) == 32;
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
