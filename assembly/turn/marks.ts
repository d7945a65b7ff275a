// Which marks join the characters of words, which close a quotation, which are digits and spaces.

import { codePointAt } from "../memory/bytes";

/** Whether a byte is a letter or digit of ASCII. */
export function isAscii(byte: u32): bool {
  return byte - 0x30 <= 9 || (byte | 0x20) - 0x61 < 26;
}

/** Whether a code point is a digit, wide ones too. */
export function isDigitOf(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || (c >= 0xff10 && c <= 0xff19);
}

/** Whether a space stands at `at`, or a mark that may close a sentence. */
export function isSpaceAt(at: usize): bool {
  const c = codePointAt(at);
  return c <= 0x20 || c == 0xa0 || c == 0x2028 || c == 0x3000 || c == 0x22 || c == 0x27 || c == 0x29 || c == 0x201d;
}

/** Whether `c` between two characters of words is part of one word. */
export function joins(c: i32, before: i32, after: i32, digits: bool, letters: i32): bool {
  if (c == 0x2d || c == 0x2010 || c == 0x2011) return digits || isDigitOf(after) || letters <= 2;
  if (c == 0x5f) return digits || isDigitOf(after);
  if (c == 0x27 || c == 0x2019) return !isDigitOf(before) && !isDigitOf(after);
  if (c == 0x2e || c == 0x2c || c == 0x2f || c == 0x3a) return isDigitOf(before) && isDigitOf(after);
  return false;
}

/** The mark that closes a quotation that `c` opens, or 0. */
export function closing(c: i32): i32 {
  switch (c) {
    case 0x22: case 0x27: case 0x60: return c;
    case 0x201c: case 0x201f: return 0x201d;
    case 0x201e: return 0x201c;
    case 0x2018: return 0x2019;
    case 0xab: return 0xbb;
    case 0x300c: return 0x300d;
    case 0xff02: return 0xff02;
    default: return 0;
  }
}
