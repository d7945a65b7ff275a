// Base64 both ways (RFC 4648): base64url without padding for everything the core says, padded base64 for the conformance lines.

import { Buffer } from "../memory/buffer";

/** The letters of base64url. */
const URL_LETTERS: usize = memory.data<u8>([
  0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50,
  0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
  0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76,
  0x77, 0x78, 0x79, 0x7a, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x2d, 0x5f,
]);

/** The letters of base64. */
const PLAIN_LETTERS: usize = memory.data<u8>([
  0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50,
  0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66,
  0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76,
  0x77, 0x78, 0x79, 0x7a, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x2b, 0x2f,
]);

const URL_ONLY: u32 = 0x40;
const PLAIN_ONLY: u32 = 0x80;

/** By ASCII byte: the six bits it stands for, with URL_ONLY or PLAIN_ONLY where one alphabet alone has it, with both where neither has. */
const BITS: usize = memory.data<u8>([
  0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0,
  0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0,
  0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xbe, 0xc0, 0x7e, 0xc0, 0xbf,
  0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0,
  0xc0, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e,
  0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0xc0, 0xc0, 0xc0, 0xc0, 0x7f,
  0xc0, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
  0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0,
]);

/** Appends `length` bytes as base64url without padding (RFC 4648 section 5). */
export function writeBase64url(start: usize, length: i32, out: Buffer): void {
  out.length += encode(start, length, out.reserve((length + 2) / 3 * 4), URL_LETTERS);
}

/** Writes `length` bytes as base64url without padding to `out`, which has room. */
export function storeBase64url(start: usize, length: i32, out: usize): void {
  encode(start, length, out, URL_LETTERS);
}

/** Appends `length` bytes as base64 with padding (RFC 4648 section 4). */
export function writeBase64(start: usize, length: i32, out: Buffer): void {
  const from = out.reserve((length + 2) / 3 * 4);
  let written = encode(start, length, from, PLAIN_LETTERS);
  for (; (written & 3) != 0; written++) store<u8>(from + <usize>written, 0x3d);
  out.length += written;
}

/** How many bytes `length` letters of base64url without padding stand for. */
// @ts-ignore: decorator
@inline
export function base64urlBytes(length: i32): i32 {
  return <i32>((<u32>length >> 2) * 3 + ((((<u32>length & 3) * 3) >> 2)));
}

/**
 * Reads base64url strictly (chapter 1): no padding, no other letters, unused trailing bits zero. Writes the bytes to `out`
 * (room for `base64urlBytes(length)`) and returns how many they are, or -1.
 */
export function readBase64url(start: usize, length: i32, out: usize): i32 {
  return decode(start, length, out, PLAIN_ONLY);
}

/** Reads padded base64 as strictly: a multiple of four letters, padding only where it is due, unused bits zero; bytes or -1. */
export function readBase64(start: usize, length: i32, out: usize): i32 {
  if ((length & 3) != 0) return -1;
  let letters = length;
  if (letters != 0 && load<u8>(start + <usize>letters - 1) == 0x3d) letters--;
  if (letters != length && load<u8>(start + <usize>letters - 1) == 0x3d) letters--;
  return decode(start, letters, out, URL_ONLY);
}

/** The letters of the first twelve of sixteen bytes. */
// @ts-ignore: decorator
@inline
function sixteenLetters(bytes: v128, letters: usize): v128 {
  // Each three bytes as a number, and from it four of six bits, in four bytes.
  const groups = i8x16.shuffle(bytes, i64x2.splat(0), 2, 1, 0, 16, 5, 4, 3, 16, 8, 7, 6, 16, 11, 10, 9, 16);
  const sixes = v128.or(
    v128.or(v128.and(i32x4.shr_u(groups, 18), i32x4.splat(0x3f)), v128.and(i32x4.shr_u(groups, 4), i32x4.splat(0x3f00))),
    v128.or(v128.and(i32x4.shl(groups, 10), i32x4.splat(0x3f0000)), v128.and(i32x4.shl(groups, 24), i32x4.splat(0x3f000000))),
  );
  // What a number has to be moved by: 13 for A to Z, 0 for a to z, 1 to 10 for digits, 11 and 12 for the last two letters.
  const place = v128.or(i8x16.sub_sat_u(sixes, i8x16.splat(51)), v128.and(i8x16.lt_u(sixes, i8x16.splat(26)), i8x16.splat(13)));
  let moves = i8x16(71, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 0, 0, 65, 0, 0);
  moves = i8x16.replace_lane(moves, 11, load<i8>(letters, 62) - 62);
  moves = i8x16.replace_lane(moves, 12, load<i8>(letters, 63) - 63);
  return i8x16.add(sixes, i8x16.swizzle(moves, place));
}

function encode(start: usize, length: i32, out: usize, letters: usize): i32 {
  const end = start + <usize>length;
  let from = start;
  let to = out;
  for (; from + 16 <= end; from += 12, to += 16) v128.store(to, sixteenLetters(v128.load(from), letters));
  for (; from + 3 <= end; from += 3, to += 4) {
    const group = (<u32>load<u8>(from) << 16) | (<u32>load<u8>(from, 1) << 8) | <u32>load<u8>(from, 2);
    const first: u32 = load<u8>(letters + <usize>(group >> 18));
    const second: u32 = load<u8>(letters + <usize>((group >> 12) & 63));
    const third: u32 = load<u8>(letters + <usize>((group >> 6) & 63));
    const fourth: u32 = load<u8>(letters + <usize>(group & 63));
    store<u32>(to, first | (second << 8) | (third << 16) | (fourth << 24));
  }
  if (from == end) return <i32>(to - out);
  const left: u32 = load<u8>(from);
  store<u8>(to++, load<u8>(letters + <usize>(left >> 2)));
  if (from + 1 == end) {
    store<u8>(to++, load<u8>(letters + <usize>((left & 3) << 4)));
    return <i32>(to - out);
  }
  const right: u32 = load<u8>(from, 1);
  store<u8>(to++, load<u8>(letters + <usize>(((left & 3) << 4) | (right >> 4))));
  store<u8>(to++, load<u8>(letters + <usize>((right & 15) << 2)));
  return <i32>(to - out);
}

/** The six bits of a byte with its flags. */
// @ts-ignore: decorator
@inline
function bitsOf(at: usize): u32 {
  const letter = load<u8>(at);
  return letter < 0x80 ? load<u8>(BITS + <usize>letter) : URL_ONLY | PLAIN_ONLY;
}

function decode(start: usize, length: i32, out: usize, refused: u32): i32 {
  const end = start + <usize>(length & ~3);
  let seen: u32 = 0;
  let from = start;
  let to = out;
  for (; from < end; from += 4, to += 3) {
    const first = bitsOf(from);
    const second = bitsOf(from + 1);
    const third = bitsOf(from + 2);
    const fourth = bitsOf(from + 3);
    seen |= first | second | third | fourth;
    const group = ((first & 63) << 18) | ((second & 63) << 12) | ((third & 63) << 6) | (fourth & 63);
    store<u8>(to, <u8>(group >> 16));
    store<u8>(to, <u8>(group >> 8), 1);
    store<u8>(to, <u8>group, 2);
  }
  const rest = length & 3;
  if (rest == 1) return -1;
  if (rest != 0) {
    const first = bitsOf(from);
    const second = bitsOf(from + 1);
    seen |= first | second;
    store<u8>(to++, <u8>((first << 2) | ((second & 63) >> 4)));
    if (rest == 2) {
      if ((second & 15) != 0) return -1;
    } else {
      const third = bitsOf(from + 2);
      seen |= third;
      if ((third & 3) != 0) return -1;
      store<u8>(to++, <u8>((second << 4) | ((third & 63) >> 2)));
    }
  }
  return (seen & refused) != 0 ? -1 : <i32>(to - out);
}
