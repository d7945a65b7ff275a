// String tokens: finding their end, judging their escapes, unescaping them, printing them.

import { Buffer } from "../memory/buffer";
import { allocate } from "../memory/region";
import { Value, textLength, textStart } from "./value";

/** Whether the string scanned last has an escape. */
export let stringEscaped: bool = false;
/** Whether its text is the canonical one (RFC 8785 section 3.2.2.2). */
export let stringPlain: bool = false;
/** Why `scanString` returned 0: 1 the text ended, 2 a byte or an escape that may not be there, 3 a lone surrogate. */
export let stringProblem: i32 = 0;

/** Which bytes are a quote, a backslash or a control character. */
// @ts-ignore: decorator
@inline
function specialIn(block: v128): v128 {
  return v128.or(v128.or(i8x16.eq(block, i8x16.splat(0x22)), i8x16.eq(block, i8x16.splat(0x5c))), i8x16.lt_u(block, i8x16.splat(0x20)));
}

function hexDigit(c: i32): i32 {
  if (c >= 0x30 && c <= 0x39) return c - 0x30;
  const low = c | 0x20;
  if (low >= 0x61 && low <= 0x66) return low - 0x57;
  return -1;
}

function stop(why: i32): usize {
  stringProblem = why;
  return 0;
}

/** The four hex digits at `at`: their value; -1 where one is not a digit, -2 where the text ends first. */
function hexQuad(at: usize, end: usize): i32 {
  let value = 0;
  for (let i: usize = 0; i < 4; i++) {
    if (at + i >= end) return -2;
    const digit = hexDigit(load<u8>(at + i));
    if (digit < 0) return -1;
    value = (value << 4) | digit;
  }
  return value;
}

/** The end of the string whose opening quote is at `at` (after its closing quote), or 0 with `stringProblem`. The bytes are valid UTF-8. */
export function scanString(at: usize, end: usize): usize {
  stringEscaped = false;
  stringPlain = true;
  let i = at + 1;
  for (;;) {
    // Sixteen bytes at a time while none is a quote, a backslash or a control character.
    while (i + 16 <= end) {
      const block = v128.load(i);
      const mask = i8x16.bitmask(specialIn(block));
      if (mask != 0) {
        i += <usize>ctz(mask);
        break;
      }
      i += 16;
    }
    if (i >= end) return stop(1);
    const c = load<u8>(i);
    if (c == 0x22) return i + 1;
    if (c < 0x20) return stop(2);
    if (c != 0x5c) {
      i++;
      continue;
    }
    i = scanEscape(i, end);
    if (i == 0) break;
  }
  return 0;
}

/** The end of the escape whose backslash is at `at`, or 0. */
function scanEscape(at: usize, end: usize): usize {
  stringEscaped = true;
  if (at + 1 >= end) return stop(1);
  switch (<i32>load<u8>(at + 1)) {
    case 0x22: case 0x5c: case 0x62: case 0x66: case 0x6e: case 0x72: case 0x74:
      return at + 2;
    case 0x2f:
      stringPlain = false;
      return at + 2;
    case 0x75:
      break;
    default:
      return stop(2);
  }
  const unit = hexQuad(at + 2, end);
  if (unit == -2) return stop(1);
  if (unit < 0) return stop(2);
  if (unit >= 0x20 || unit == 8 || unit == 9 || unit == 10 || unit == 12 || unit == 13) stringPlain = false;
  else if (isUpperHex(load<u8>(at + 4)) || isUpperHex(load<u8>(at + 5))) stringPlain = false;
  if (unit >= 0xdc00 && unit <= 0xdfff) return stop(3);
  if (unit < 0xd800 || unit > 0xdbff) return at + 6;
  // A low surrogate's escape must follow at once; where the text ends inside one, it may still have been meant.
  for (let i: usize = 6; i < 12; i++) {
    if (at + i >= end) return stop(1);
    if (!fitsLowEscape(<i32>i - 6, load<u8>(at + i))) return stop(3);
  }
  return at + 12;
}

/** Whether `c` may be byte `place` of a low surrogate's escape: a backslash, `u`, `D`, `C` to `F`, two hex digits. */
function fitsLowEscape(place: i32, c: i32): bool {
  if (place == 0) return c == 0x5c;
  if (place == 1) return c == 0x75;
  const digit = hexDigit(c);
  return place == 2 ? digit == 13 : place == 3 ? digit >= 12 : digit >= 0;
}

function isUpperHex(c: i32): bool {
  return c >= 0x41 && c <= 0x46;
}

/** Writes an escaped string's unescaped bytes to the current region and their place into its node. */
export function unescape(value: Value): void {
  let from = textStart(value) + 1;
  const end = textStart(value) + <usize>textLength(value) - 1;
  const start = allocate(end - from);
  let to = start;
  while (from < end) {
    if (load<u8>(from) != 0x5c) {
      // What is copied past a backslash is overwritten; an unescaped text is never longer, so there is room.
      if (from + 16 <= end) {
        const block = v128.load(from);
        v128.store(to, block);
        const mask = i8x16.bitmask(i8x16.eq(block, i8x16.splat(0x5c)));
        const plain: usize = mask == 0 ? 16 : <usize>ctz(mask);
        from += plain;
        to += plain;
      } else {
        store<u8>(to++, load<u8>(from++));
      }
      continue;
    }
    const e = load<u8>(from + 1);
    from += 2;
    if (e == 0x75) {
      let point = hexQuad(from, end);
      from += 4;
      if (point >= 0xd800 && point <= 0xdbff) {
        point = 0x10000 + ((point - 0xd800) << 10) + (hexQuad(from + 2, end) - 0xdc00);
        from += 6;
      }
      to = storeCodePoint(to, point);
      continue;
    }
    store<u8>(to++, e == 0x62 ? 8 : e == 0x66 ? 12 : e == 0x6e ? 10 : e == 0x72 ? 13 : e == 0x74 ? 9 : e);
  }
  store<u32>(value, <u32>start, 16);
  store<i32>(value, <i32>(to - start), 20);
}

/** Stores a code point as UTF-8; an escape is never shorter than what it stands for, so there is room. */
function storeCodePoint(to: usize, point: i32): usize {
  if (point < 0x80) {
    store<u8>(to, <u8>point);
    return to + 1;
  }
  if (point < 0x800) {
    store<u8>(to, <u8>(0xc0 | (point >> 6)));
    store<u8>(to, <u8>(0x80 | (point & 0x3f)), 1);
    return to + 2;
  }
  if (point < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (point >> 12)));
    store<u8>(to, <u8>(0x80 | ((point >> 6) & 0x3f)), 1);
    store<u8>(to, <u8>(0x80 | (point & 0x3f)), 2);
    return to + 3;
  }
  store<u8>(to, <u8>(0xf0 | (point >> 18)));
  store<u8>(to, <u8>(0x80 | ((point >> 12) & 0x3f)), 1);
  store<u8>(to, <u8>(0x80 | ((point >> 6) & 0x3f)), 2);
  store<u8>(to, <u8>(0x80 | (point & 0x3f)), 3);
  return to + 4;
}

/** Prints a text as a canonical JSON string: quotes, the seven short escapes, `\u00xx` for other control characters. */
export function writeString(start: usize, length: i32, out: Buffer): void {
  const end = start + <usize>length;
  let to = out.reserve(length + 2);
  store<u8>(to++, 0x22);
  if (length >= 8 && length <= 16) {
    // The second eight bytes overlap the first.
    const block = v128.load64_lane(end - 8, v128.load64_zero(start), 1);
    if (!v128.any_true(specialIn(block))) {
      v128.store64_lane(to, block, 0);
      to += <usize>length;
      v128.store64_lane(to - 8, block, 1);
      store<u8>(to, 0x22);
      out.length += length + 2;
      return;
    }
  }
  let i = start;
  for (;;) {
    // Copied before it is judged: what stands after a character to escape is overwritten.
    while (i + 16 <= end) {
      const block = v128.load(i);
      v128.store(to, block);
      const mask = i8x16.bitmask(specialIn(block));
      const plain: usize = mask == 0 ? 16 : <usize>ctz(mask);
      to += plain;
      i += plain;
      if (mask != 0) break;
    }
    if (i >= end) break;
    const c = load<u8>(i++);
    if (c >= 0x20 && c != 0x22 && c != 0x5c) {
      store<u8>(to++, c);
      continue;
    }
    out.length = <i32>(to - out.start);
    to = storeEscape(out.reserve(<i32>(end - i) + 7), c);
  }
  store<u8>(to++, 0x22);
  out.length = <i32>(to - out.start);
}

/** Stores the escape of `"`, `\\` or a control character; returns its end. */
function storeEscape(to: usize, c: i32): usize {
  store<u8>(to, 0x5c);
  const short = c == 0x22 || c == 0x5c ? c : c == 8 ? 0x62 : c == 9 ? 0x74 : c == 10 ? 0x6e : c == 12 ? 0x66 : c == 13 ? 0x72 : 0;
  if (short != 0) {
    store<u8>(to, <u8>short, 1);
    return to + 2;
  }
  // "u00" and the first digit, which is 0 or 1.
  store<u32>(to + 1, 0x30303075 | (<u32>(c >> 4) << 24));
  const low = c & 15;
  store<u8>(to, <u8>(low < 10 ? low + 0x30 : low + 0x57), 5);
  return to + 6;
}
