// Whether a text is a URI or a URI reference, by the letter of RFC 3986 (appendix A).

import { isIpv6 } from "./hosts";
import { hexDigit } from "./uri";

// @ts-ignore: decorator
@inline
function isLetter(c: i32): bool {
  return (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
}

// @ts-ignore: decorator
@inline
function isDigit(c: i32): bool {
  return c >= 0x30 && c <= 0x39;
}

/** `unreserved` and `sub-delims`. */
function isPlain(c: i32): bool {
  if (isLetter(c) || isDigit(c)) return true;
  switch (c) {
    case 0x2d: case 0x2e: case 0x5f: case 0x7e:
    case 0x21: case 0x24: case 0x26: case 0x27: case 0x28: case 0x29: case 0x2a: case 0x2b: case 0x2c: case 0x3b: case 0x3d:
      return true;
    default:
      return false;
  }
}

const ALLOW_COLON: i32 = 1;
const ALLOW_AT: i32 = 2;
const ALLOW_SLASH: i32 = 4;
const ALLOW_QUESTION: i32 = 8;

/** Whether every byte may stand there: plain, percent-encoded, or one of `allowed`. */
function isMadeOf(start: usize, end: usize, allowed: i32): bool {
  for (let at = start; at < end; at++) {
    const c: i32 = load<u8>(at);
    if (isPlain(c)) continue;
    if (c == 0x25) {
      if (end - at < 3 || hexDigit(load<u8>(at, 1)) < 0 || hexDigit(load<u8>(at, 2)) < 0) return false;
      at += 2;
      continue;
    }
    const wanted = c == 0x3a ? ALLOW_COLON : c == 0x40 ? ALLOW_AT : c == 0x2f ? ALLOW_SLASH : c == 0x3f ? ALLOW_QUESTION : 0;
    if ((wanted & allowed) == 0) return false;
  }
  return true;
}

/** `IPvFuture`. */
function isFutureAddress(start: usize, end: usize): bool {
  let at = start + 1;
  if (at >= end || (load<u8>(start) | 0x20) != 0x76) return false;
  const version = at;
  while (at < end && hexDigit(load<u8>(at)) >= 0) at++;
  if (at == version || at + 1 >= end || load<u8>(at) != 0x2e) return false;
  for (at++; at < end; at++) if (!isPlain(load<u8>(at)) && load<u8>(at) != 0x3a) return false;
  return true;
}

function isAuthority(start: usize, end: usize): bool {
  let host = start;
  for (let at = start; at < end; at++) {
    if (load<u8>(at) == 0x40) {
      if (!isMadeOf(start, at, ALLOW_COLON)) return false;
      host = at + 1;
      break;
    }
  }
  let port = end;
  if (host < end && load<u8>(host) == 0x5b) {
    let close = host + 1;
    while (close < end && load<u8>(close) != 0x5d) close++;
    if (close == end) return false;
    if (!isIpv6(host + 1, <i32>(close - host - 1)) && !isFutureAddress(host + 1, close)) return false;
    port = close + 1;
    if (port < end && load<u8>(port) != 0x3a) return false;
  } else {
    port = host;
    while (port < end && load<u8>(port) != 0x3a) port++;
    if (!isMadeOf(host, port, 0)) return false;
  }
  for (let at = port + 1; at < end; at++) if (!isDigit(load<u8>(at))) return false;
  return true;
}

/** What follows the scheme: `hier-part` or `relative-part`, query and fragment. */
function isRest(start: usize, end: usize, relative: bool): bool {
  let stop = start;
  while (stop < end && load<u8>(stop) != 0x3f && load<u8>(stop) != 0x23) stop++;
  let at = start;
  if (stop - at >= 2 && load<u16>(at) == 0x2f2f) {
    at += 2;
    const authority = at;
    while (at < stop && load<u8>(at) != 0x2f) at++;
    if (!isAuthority(authority, at)) return false;
  } else if (relative) {
    // A colon in the first segment would have made it a scheme.
    for (let i = at; i < stop && load<u8>(i) != 0x2f; i++) if (load<u8>(i) == 0x3a) return false;
  }
  if (!isMadeOf(at, stop, ALLOW_COLON | ALLOW_AT | ALLOW_SLASH)) return false;
  if (stop < end && load<u8>(stop) == 0x3f) {
    const query = stop + 1;
    stop = query;
    while (stop < end && load<u8>(stop) != 0x23) stop++;
    if (!isMadeOf(query, stop, ALLOW_COLON | ALLOW_AT | ALLOW_SLASH | ALLOW_QUESTION)) return false;
  }
  return stop == end || isMadeOf(stop + 1, end, ALLOW_COLON | ALLOW_AT | ALLOW_SLASH | ALLOW_QUESTION);
}

/** The length of a scheme at the start, its colon not counted, or 0. */
function schemeAt(start: usize, end: usize): usize {
  let at = start;
  while (at < end) {
    const c: i32 = load<u8>(at);
    if (c == 0x3a) return at - start;
    if (!isLetter(c) && (at == start || (!isDigit(c) && c != 0x2b && c != 0x2d && c != 0x2e))) return 0;
    at++;
  }
  return 0;
}

/** `URI`: it has a scheme. */
export function isUri(start: usize, length: i32): bool {
  const end = start + <usize>length;
  const scheme = schemeAt(start, end);
  return scheme != 0 && isRest(start + scheme + 1, end, false);
}

/** `URI-reference`. */
export function isUriReference(start: usize, length: i32): bool {
  const end = start + <usize>length;
  return isUri(start, length) || isRest(start, end, true);
}
