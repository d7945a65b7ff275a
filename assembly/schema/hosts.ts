// Hosts and mail addresses: hostname (RFC 1123), IPv4, IPv6 (RFC 4291), e-mail (RFC 5321).

import { isALabel } from "./a-label";

/** The longest host name and label, in bytes (RFC 1123 section 2.1, RFC 1035 section 2.3.4). */
const HOSTNAME_LIMIT: i32 = 253;
const LABEL_LIMIT: i32 = 63;

// @ts-ignore: decorator
@inline
function isLetterOrDigit(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a);
}

/** Labels of letters, digits and inner hyphens; one that begins with `xn--` is held against IDNA 2008 as well. */
export function isHostname(start: usize, length: i32): bool {
  if (length == 0 || length > HOSTNAME_LIMIT) return false;
  const end = start + <usize>length;
  let at = start;
  for (;;) {
    const label = at;
    while (at < end && load<u8>(at) != 0x2e) at++;
    if (!isLabel(label, <i32>(at - label))) return false;
    if (at == end) return true;
    at++;
  }
  return false;
}

function isLabel(start: usize, length: i32): bool {
  if (length == 0 || length > LABEL_LIMIT) return false;
  for (let i = 0; i < length; i++) {
    const c: i32 = load<u8>(start + <usize>i);
    if (!isLetterOrDigit(c) && (c != 0x2d || i == 0 || i == length - 1)) return false;
  }
  // RFC 5890 section 2.3.1: hyphens in the third and fourth place are kept for prefixes, of which there is one.
  if (length < 4 || load<u8>(start, 2) != 0x2d || load<u8>(start, 3) != 0x2d) return true;
  if ((load<u8>(start) | 0x20) != 0x78 || (load<u8>(start, 1) | 0x20) != 0x6e) return false;
  return isALabel(start + 4, length - 4);
}

/** Four numbers up to 255 in decimal, without leading zeros. */
export function isIpv4(start: usize, length: i32): bool {
  const end = start + <usize>length;
  let at = start;
  for (let part = 0; part < 4; part++) {
    if (part > 0) {
      if (at >= end || load<u8>(at) != 0x2e) return false;
      at++;
    }
    const from = at;
    let value = 0;
    while (at < end && at - from < 3 && load<u8>(at) >= 0x30 && load<u8>(at) <= 0x39) value = value * 10 + <i32>load<u8>(at++) - 0x30;
    const digits = at - from;
    if (digits == 0 || value > 255 || (digits > 1 && load<u8>(from) == 0x30)) return false;
  }
  return at == end;
}

function isHex(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66);
}

/** Eight groups of up to four hexadecimal digits; `::` once for groups of zeros; the last two may be an IPv4 address. No zone. */
export function isIpv6(start: usize, length: i32): bool {
  const end = start + <usize>length;
  let at = start;
  let groups = 0;
  let gap = false;
  if (length >= 2 && load<u16>(at) == 0x3a3a) {
    gap = true;
    at += 2;
    if (at == end) return true;
  }
  for (;;) {
    const from = at;
    while (at < end && isHex(load<u8>(at))) at++;
    if (at < end && load<u8>(at) == 0x2e) {
      if (!isIpv4(from, <i32>(end - from))) return false;
      groups += 2;
      break;
    }
    if (at == from || at - from > 4) return false;
    groups++;
    if (at == end) break;
    if (load<u8>(at) != 0x3a || groups > 8) return false;
    at++;
    if (at < end && load<u8>(at) == 0x3a) {
      if (gap) return false;
      gap = true;
      at++;
      if (at == end) break;
    } else if (at == end) {
      return false;
    }
  }
  return gap ? groups < 8 : groups == 8;
}

/** RFC 5322's `atext`, ASCII. */
function isAtomByte(c: i32): bool {
  if (isLetterOrDigit(c)) return true;
  switch (c) {
    case 0x21: case 0x23: case 0x24: case 0x25: case 0x26: case 0x27: case 0x2a: case 0x2b: case 0x2d: case 0x2f:
    case 0x3d: case 0x3f: case 0x5e: case 0x5f: case 0x60: case 0x7b: case 0x7c: case 0x7d: case 0x7e:
      return true;
    default:
      return false;
  }
}

/** `Mailbox` of RFC 5321 section 4.1.2. */
export function isEmail(start: usize, length: i32): bool {
  const end = start + <usize>length;
  let at = start;
  if (length > 0 && load<u8>(at) == 0x22) {
    at++;
    for (;;) {
      if (at >= end) return false;
      const c = load<u8>(at++);
      if (c == 0x22) break;
      if (c == 0x5c) {
        if (at >= end) return false;
        const escaped = load<u8>(at++);
        if (escaped < 0x20 || escaped > 0x7e) return false;
      } else if (c < 0x20 || c > 0x7e) {
        return false;
      }
    }
  } else {
    for (;;) {
      const atom = at;
      while (at < end && isAtomByte(load<u8>(at))) at++;
      if (at == atom) return false;
      if (at >= end || load<u8>(at) != 0x2e) break;
      at++;
    }
  }
  if (at >= end || load<u8>(at) != 0x40) return false;
  at++;
  const rest = <i32>(end - at);
  if (rest == 0 || load<u8>(at) != 0x5b) return isHostname(at, rest);
  return load<u8>(end - 1) == 0x5d && isAddressLiteral(at + 1, rest - 2);
}

/** What stands in the brackets of an address literal (RFC 5321 section 4.1.3); the general form has no registered tag and is refused. */
function isAddressLiteral(start: usize, length: i32): bool {
  if (length > 5 && (load<u8>(start) | 0x20) == 0x69 && (load<u8>(start, 1) | 0x20) == 0x70 && (load<u8>(start, 2) | 0x20) == 0x76
    && load<u8>(start, 3) == 0x36 && load<u8>(start, 4) == 0x3a) return isIpv6(start + 5, length - 5);
  return isIpv4(start, length);
}
