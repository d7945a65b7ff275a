// URI references (RFC 3986): taking them apart, and resolving one against a base.

import { Buffer, Text } from "../memory/buffer";

/** Where the last reference taken apart (`splitUri`) has its parts; a length of -1 stands for a part that is not there. */
let schemeLength: i32 = -1;
let authority: usize = 0;
let authorityLength: i32 = -1;
let path: usize = 0;
let pathLength: i32 = 0;
let query: usize = 0;
let queryLength: i32 = -1;

function isSchemeByte(c: i32, atStart: bool): bool {
  const letter = (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
  return letter || (!atStart && ((c >= 0x30 && c <= 0x39) || c == 0x2b || c == 0x2d || c == 0x2e));
}

/** Takes a reference without a fragment apart (RFC 3986 appendix B). */
function splitUri(start: usize, length: i32): void {
  const end = start + <usize>length;
  let at = start;
  schemeLength = -1;
  while (at < end && isSchemeByte(load<u8>(at), at == start)) at++;
  if (at > start && at < end && load<u8>(at) == 0x3a) {
    schemeLength = <i32>(at - start);
    at++;
  } else {
    at = start;
  }
  authorityLength = -1;
  if (at + 1 < end && load<u16>(at) == 0x2f2f) {
    at += 2;
    authority = at;
    while (at < end && load<u8>(at) != 0x2f && load<u8>(at) != 0x3f) at++;
    authorityLength = <i32>(at - authority);
  }
  path = at;
  while (at < end && load<u8>(at) != 0x3f) at++;
  pathLength = <i32>(at - path);
  queryLength = -1;
  if (at < end) {
    query = at + 1;
    queryLength = <i32>(end - query);
  }
}

/** Appends a path without its `.` and `..` segments (RFC 3986 section 5.2.4). */
function writeWithoutDots(start: usize, length: i32, out: Buffer): void {
  const base = out.length;
  const end = start + <usize>length;
  let at = start;
  while (at < end) {
    // A segment begins at `at`, its slash included.
    let stop = at;
    if (load<u8>(stop) == 0x2f) stop++;
    while (stop < end && load<u8>(stop) != 0x2f) stop++;
    const slash: usize = load<u8>(at) == 0x2f ? 1 : 0;
    const size = stop - at - slash;
    const dots = size == 1 ? load<u8>(at + slash) == 0x2e : size == 2 && load<u16>(at + slash) == 0x2e2e;
    if (!dots) {
      out.bytes(at, <i32>(stop - at));
    } else {
      if (size == 2) {
        while (out.length > base && load<u8>(out.start + <usize>out.length - 1) != 0x2f) out.length--;
        if (out.length > base) out.length--;
      }
      // A last dot segment leaves its slash.
      if (stop >= end && (slash != 0 || out.length > base)) out.byte(0x2f);
    }
    at = stop;
  }
}

/**
 * Resolves a reference against a base URI (RFC 3986 section 5.2).
 * @param base without a fragment; "" where there is none: the reference then stands as it is
 * @param start the reference, without a fragment
 * @returns a new text in the current region, without a fragment
 */
export function resolveUri(base: Text, start: usize, length: i32): Text {
  const out = new Buffer(base.length + length + 4);
  splitUri(start, length);
  if (schemeLength >= 0) {
    out.bytes(start, schemeLength + 1);
    writeRest(out);
    return out.view();
  }
  const referenceAuthority = authority;
  const referenceAuthorityLength = authorityLength;
  const referencePath = path;
  const referencePathLength = pathLength;
  const referenceQuery = query;
  const referenceQueryLength = queryLength;
  splitUri(base.start, base.length);
  if (schemeLength >= 0) out.bytes(base.start, schemeLength + 1);
  if (referenceAuthorityLength >= 0) {
    authority = referenceAuthority;
    authorityLength = referenceAuthorityLength;
    path = referencePath;
    pathLength = referencePathLength;
    queryLength = referenceQueryLength;
    query = referenceQuery;
    writeRest(out);
    return out.view();
  }
  writeAuthority(out);
  if (referencePathLength == 0) {
    out.bytes(path, pathLength);
    if (referenceQueryLength < 0) {
      writeQuery(query, queryLength, out);
      return out.view();
    }
  } else if (load<u8>(referencePath) == 0x2f) {
    writeWithoutDots(referencePath, referencePathLength, out);
  } else {
    const merged = new Buffer(pathLength + referencePathLength + 1);
    if (authorityLength >= 0 && pathLength == 0) {
      merged.byte(0x2f);
    } else {
      let keep = pathLength;
      while (keep > 0 && load<u8>(path + <usize>keep - 1) != 0x2f) keep--;
      merged.bytes(path, keep);
    }
    merged.bytes(referencePath, referencePathLength);
    writeWithoutDots(merged.start, merged.length, out);
  }
  writeQuery(referenceQuery, referenceQueryLength, out);
  return out.view();
}

function writeAuthority(out: Buffer): void {
  if (authorityLength < 0) return;
  out.ascii("//");
  out.bytes(authority, authorityLength);
}

function writeQuery(start: usize, length: i32, out: Buffer): void {
  if (length < 0) return;
  out.byte(0x3f);
  out.bytes(start, length);
}

function writeRest(out: Buffer): void {
  writeAuthority(out);
  writeWithoutDots(path, pathLength, out);
  writeQuery(query, queryLength, out);
}

/** Where the fragment's `#` is in a reference, or its length. */
export function findFragment(start: usize, length: i32): i32 {
  for (let i = 0; i < length; i++) if (load<u8>(start + <usize>i) == 0x23) return i;
  return length;
}

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(c: i32): i32 {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** A text with its percent-encoded bytes decoded (RFC 3986 section 2.1); a stray `%` stays. */
export function percentDecode(start: usize, length: i32): Text {
  const out = new Buffer(length + 1);
  for (let i = 0; i < length; i++) {
    const c: i32 = load<u8>(start + <usize>i);
    if (c == 0x25 && i + 2 < length) {
      const high = hexDigit(load<u8>(start + <usize>i + 1));
      const low = hexDigit(load<u8>(start + <usize>i + 2));
      if (high >= 0 && low >= 0) {
        out.byte((high << 4) | low);
        i += 2;
        continue;
      }
    }
    out.byte(c);
  }
  return out.view();
}
