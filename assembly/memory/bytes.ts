// Comparing, copying and searching byte strings: equality, UTF-16 order, ASCII literals.

/** Whether two byte strings are equal. */
export function equalBytes(a: usize, aLength: i32, b: usize, bLength: i32): bool {
  if (aLength != bLength) return false;
  const length = <usize>aLength;
  if (length >= 8) {
    // The last eight bytes overlap those before them.
    const last = length - 8;
    for (let i: usize = 0; i < last; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
    return load<u64>(a + last) == load<u64>(b + last);
  }
  if (length >= 4) return load<u32>(a) == load<u32>(b) && load<u32>(a + length - 4) == load<u32>(b + length - 4);
  for (let i: usize = 0; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** Copies bytes between places that do not overlap: short ones without the call that `memory.copy` costs. */
// @ts-ignore: decorator
@inline
export function copyBytes(to: usize, from: usize, length: usize): void {
  if (length >= 16) {
    if (length > 256) {
      memory.copy(to, from, length);
      return;
    }
    const last = length - 16;
    for (let i: usize = 0; i < last; i += 16) v128.store(to + i, v128.load(from + i));
    v128.store(to + last, v128.load(from + last));
  } else if (length >= 8) {
    store<u64>(to, load<u64>(from));
    store<u64>(to + length - 8, load<u64>(from + length - 8));
  } else if (length >= 4) {
    store<u32>(to, load<u32>(from));
    store<u32>(to + length - 4, load<u32>(from + length - 4));
  } else {
    for (let i: usize = 0; i < length; i++) store<u8>(to + i, load<u8>(from + i));
  }
}

/** Four letters of an ASCII literal as four bytes. */
// @ts-ignore: decorator
@inline
export function fourLetters(at: usize): u32 {
  const letters = v128.load64_zero(at);
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(letters, letters), 0);
}

/** Whether a byte string is the ASCII text `literal`. */
export function equalAscii(start: usize, length: i32, literal: string): bool {
  if (length != literal.length) return false;
  const text = changetype<usize>(literal);
  if (length >= 4) {
    // Four letters at a time; the last four overlap those before them.
    const last = <usize>length - 4;
    for (let i: usize = 0; i < last; i += 4) if (load<u32>(start + i) != fourLetters(text + (i << 1))) return false;
    return load<u32>(start + last) == fourLetters(text + (last << 1));
  }
  for (let i: usize = 0; i < <usize>length; i++) if (<u16>load<u8>(start + i) != load<u16>(text + (i << 1))) return false;
  return true;
}

/** Whether a byte string begins with the ASCII text `literal`. */
export function startsWithAscii(start: usize, length: i32, literal: string): bool {
  return length >= literal.length && equalAscii(start, literal.length, literal);
}

/**
 * Orders two UTF-8 texts by UTF-16 code units (RFC 8785 section 3.2.3): negative, 0 or positive.
 * It differs from byte order only where a 4-byte sequence meets U+E000…U+FFFF: as UTF-16 the former begins with a surrogate and is less.
 */
export function compareUtf16(a: usize, aLength: i32, b: usize, bLength: i32): i32 {
  const shorter = <usize>min(aLength, bLength);
  let i: usize = 0;
  while (i + 8 <= shorter && load<u64>(a + i) == load<u64>(b + i)) i += 8;
  for (; i < shorter; i++) {
    const x: i32 = load<u8>(a + i);
    const y: i32 = load<u8>(b + i);
    if (x != y) {
      if (x >= 0xf0 && (y == 0xee || y == 0xef)) return -1;
      if (y >= 0xf0 && (x == 0xee || x == 0xef)) return 1;
      return x - y;
    }
  }
  return aLength - bLength;
}

/** Where the code point after the one at `at` begins. The text is valid UTF-8. */
// @ts-ignore: decorator
@inline
export function afterCodePoint(at: usize): usize {
  const lead = load<u8>(at);
  return at + (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
}

/** The code point at `at`. The text is valid UTF-8. */
export function codePointAt(at: usize): i32 {
  const lead: i32 = load<u8>(at);
  if (lead < 0x80) return lead;
  const second: i32 = load<u8>(at, 1) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third: i32 = load<u8>(at, 2) & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | <i32>(load<u8>(at, 3) & 0x3f);
}

/** How many code points a valid UTF-8 text has. */
export function countCodePoints(start: usize, length: i32): i32 {
  let count = 0;
  for (let i: usize = 0; i < <usize>length; i++) if ((load<u8>(start + i) & 0xc0) != 0x80) count++;
  return count;
}
