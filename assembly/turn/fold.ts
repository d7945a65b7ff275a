// Folds words, so that letter case, accents, invisible characters and look-alike letters do not tell two apart.

import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint, codePointAt } from "../memory/bytes";
import { isIgnored, lookalikeOf } from "../evidence/lookalikes";
import { lowerOf } from "../policy/letter-case";
import { isLetterOrDigit } from "../unicode/properties";
import { ALIKE, ALIKE_COUNT, LATIN } from "./words.gen";

/** Whether a code point is part of no word's spelling: zero-width characters (chapter 5), marks, variation selectors, directions, tags. */
export function isInvisible(c: i32): bool {
  if (c < 0x300) return c == 0xad;
  if (c < 0x370) return true;
  if ((c >= 0x1ab0 && c < 0x1b00) || (c >= 0x1dc0 && c < 0x1e00) || (c >= 0x20d0 && c < 0x2100) || (c >= 0xfe20 && c <= 0xfe2f)) return true;
  return (c >= 0x200b && c <= 0x200d) || c == 0x2060 || c == 0xfeff || isIgnored(c);
}

/** Whether a code point may stand in a word: a letter or digit, or one of the forms that are read as one. */
export function isWordPart(c: i32): bool {
  if (c < 0x80) return isAsciiWord(c);
  return isLetterOrDigit(c) || isAsciiWord(lookalikeOf(c) & 0xff);
}

function isAsciiWord(c: i32): bool {
  return (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a);
}

/** What a code point that is not ASCII counts as. */
function plain(c: i32): i32 {
  if (c >= 0xff01 && c <= 0xff5e) return plainAscii(c - 0xfee0);
  if (c >= 0xc0 && c < 0x180) {
    const letter = load<u8>(LATIN + <usize>(c - 0xc0));
    return letter != 0 ? letter : lowerOf(c);
  }
  const small = lowerOf(c);
  if (small < 0x500) {
    let low = 0;
    let high = ALIKE_COUNT;
    while (low < high) {
      const middle = (low + high) >> 1;
      const code: i32 = load<u16>(ALIKE + (<usize>middle << 2));
      if (code == small) return load<u16>(ALIKE + (<usize>middle << 2), 2);
      if (code < small) low = middle + 1;
      else high = middle;
    }
  }
  return small;
}

// @ts-ignore: decorator
@inline
function plainAscii(c: i32): i32 {
  return c >= 0x41 && c <= 0x5a ? c + 0x20 : c;
}

/** Appends the folded form of a text: small letters without marks; hyphens and apostrophes left out. */
export function fold(start: usize, end: usize, out: Buffer): void {
  for (let at = start; at < end; at = afterCodePoint(at)) {
    const c = codePointAt(at);
    if (c < 0x80) {
      if (c != 0x2d && c != 0x27) out.byte(plainAscii(c));
    } else if (!isInvisible(c) && c != 0x2019 && c != 0x2010 && c != 0x2011) {
      // Letters of mathematics, in circles, ligatures: no more letters than the character has bytes.
      let ascii = c < 0x180 ? 0 : lookalikeOf(c);
      if (ascii == 0) out.codePoint(plain(c));
      for (; ascii != 0; ascii >>= 8) out.byte(ascii & 0xff);
    }
  }
}

/** The folded form of a text, in the current region. */
export function folded(start: usize, end: usize): Text {
  const out = new Buffer(<i32>(end - start) + 8);
  fold(start, end, out);
  return out.view();
}
