// Arithmetic modulo L, the order of Ed25519's base point, and the digit forms in which scalars multiply points.
//
// A scalar is 32 bytes, least significant first. Inside, numbers are i64 limbs of 28 bits, of which nine reach exactly 2^252:
// L = 2^252 + c, so what stands above the ninth limb is taken off again c times. Nothing here branches on a scalar's value,
// but for the digits of verification, which are public.

/** The five limbs of c = L - 2^252. */
const C0: i64 = 0xcf5d3ed;
const C1: i64 = 0x12631a5;
const C2: i64 = 0x79cd658;
const C3: i64 = 0xf9dea2f;
const C4: i64 = 0x14de;

const MASK: i64 = 0xfffffff;
/** Limbs of a product. */
const LIMBS: usize = memory.data(160, 8);
const LEFT: usize = memory.data(80, 8);
const RIGHT: usize = memory.data(80, 8);
/** Bytes with room for a load past their end. */
const PADDED: usize = memory.data(72, 8);

/** Whether a scalar is below L (the check S < L of RFC 8032 section 5.1.7). */
export function isReduced(scalar: usize): bool {
  const top = load<u64>(scalar, 24);
  if (top != 0x1000000000000000) return top < 0x1000000000000000;
  const third = load<u64>(scalar, 16);
  if (third != 0) return false;
  const second = load<u64>(scalar, 8);
  if (second != 0x14def9dea2f79cd6) return second < 0x14def9dea2f79cd6;
  return load<u64>(scalar) < 0x5812631a5cf5d3ed;
}

/** out = the 64 bytes at `wide` modulo L. */
export function reduce(out: usize, wide: usize): void {
  memory.copy(PADDED, wide, 64);
  store<u64>(PADDED, 0, 64);
  spread(LIMBS, PADDED, 19);
  store<i64>(LIMBS, 0, 19 * 8);
  reduceLimbs(out);
}

/** out = a b + c modulo L; a, b, c are any 32 bytes. */
export function multiplyAdd(out: usize, a: usize, b: usize, c: usize): void {
  spread32(LEFT, a);
  spread32(RIGHT, b);
  spread32(LIMBS, c);
  memory.fill(LIMBS + 80, 0, 80);
  for (let i: usize = 0; i < 80; i += 8) {
    const left = load<i64>(LEFT + i);
    const to = LIMBS + i;
    for (let j: usize = 0; j < 80; j += 8) store<i64>(to + j, load<i64>(to + j) + left * load<i64>(RIGHT + j));
  }
  carry(20);
  reduceLimbs(out);
}

function spread32(limbs: usize, bytes: usize): void {
  memory.copy(PADDED, bytes, 32);
  store<u64>(PADDED, 0, 32);
  spread(limbs, PADDED, 10);
}

/** Cuts bytes into limbs of 28 bits: two for seven bytes. */
function spread(limbs: usize, bytes: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const bit = <u32>(i * 28);
    store<i64>(limbs + (<usize>i << 3), (<i64>load<u32>(bytes + <usize>(bit >> 3)) >> (bit & 7)) & MASK);
  }
}

/** Carries the first `count` limbs of LIMBS; the last keeps what is left over, with its sign. */
function carry(count: i32): void {
  let over: i64 = 0;
  const last = LIMBS + (<usize>(count - 1) << 3);
  for (let at = LIMBS; at < last; at += 8) {
    const limb = load<i64>(at) + over;
    store<i64>(at, limb & MASK);
    over = limb >> 28;
  }
  store<i64>(last, load<i64>(last) + over);
}

/** Takes limbs `from` … `to` of LIMBS, each worth 2^252 times the limb nine below, off again c times. */
function foldLimbs(from: i32, to: i32): void {
  for (let i = from; i <= to; i++) {
    const high = LIMBS + (<usize>i << 3);
    const low = high - 72;
    const limb = load<i64>(high);
    store<i64>(high, 0);
    store<i64>(low, load<i64>(low) - limb * C0);
    store<i64>(low, load<i64>(low, 8) - limb * C1, 8);
    store<i64>(low, load<i64>(low, 16) - limb * C2, 16);
    store<i64>(low, load<i64>(low, 24) - limb * C3, 24);
    store<i64>(low, load<i64>(low, 32) - limb * C4, 32);
  }
}

/** out = the twenty carried limbs of LIMBS modulo L. Each fold leaves about 127 bits less above 2^252. */
function reduceLimbs(out: usize): void {
  // Each pass folds fewer limbs than it could, so that no sum passes 2^60.
  foldLimbs(14, 19);
  carry(15);
  foldLimbs(9, 14);
  carry(10);
  foldLimbs(9, 9);
  carry(10);
  foldLimbs(9, 9);
  carry(10);
  // Now -L < value < L + 2^252: add L where it is negative, subtract L, and add it again where that went below zero.
  addOrder(load<i64>(LIMBS, 72) >> 63);
  addOrder(-1, -1);
  addOrder(load<i64>(LIMBS, 72) >> 63);
  for (let pair: usize = 0; pair < 4; pair++) {
    const value = load<i64>(LIMBS + (pair << 4)) | (load<i64>(LIMBS + (pair << 4), 8) << 28);
    store<u32>(out + pair * 7, <u32>value);
    store<u32>(out + pair * 7, <u32>(value >> 24), 3);
  }
  store<u32>(out, <u32>(load<i64>(LIMBS, 64) | (load<i64>(LIMBS, 72) << 28)), 28);
}

/** Adds `sign` L to LIMBS where `mask` is all ones, nothing where it is 0. */
function addOrder(mask: i64, sign: i64 = 1): void {
  store<i64>(LIMBS, load<i64>(LIMBS) + sign * (C0 & mask));
  store<i64>(LIMBS, load<i64>(LIMBS, 8) + sign * (C1 & mask), 8);
  store<i64>(LIMBS, load<i64>(LIMBS, 16) + sign * (C2 & mask), 16);
  store<i64>(LIMBS, load<i64>(LIMBS, 24) + sign * (C3 & mask), 24);
  store<i64>(LIMBS, load<i64>(LIMBS, 32) + sign * (C4 & mask), 32);
  store<i64>(LIMBS, load<i64>(LIMBS, 72) + sign * (1 & mask), 72);
  carry(10);
}

/**
 * Writes the scalar in 64 digits of -8 … 8 to the base 16, one i8 each: scalar = sum of digit i times 16^i. The scalar is
 * below 2^255. Takes the same time for every scalar.
 */
export function digits16(out: usize, scalar: usize): void {
  let over: i32 = 0;
  for (let i: usize = 0; i < 64; i++) {
    const nibble: i32 = (<i32>load<u8>(scalar + (i >> 1)) >> (<i32>(i & 1) << 2)) & 15;
    const digit = nibble + over;
    over = (digit + 8) >> 4;
    if (i == 63) over = 0;
    store<i8>(out + i, <i8>(digit - (over << 4)));
  }
}

/**
 * Writes `bits` bits of a scalar, from bit `first` on, as a sliding-window form: one i8 for each bit and one more, nearly all
 * 0, the others odd and below 2^(width - 1) in size, with at least `width` - 1 zeros after each. For public scalars only.
 */
export function windowDigits(out: usize, scalar: usize, first: i32, bits: i32, width: i32): void {
  memory.fill(out, 0, <usize>bits + 1);
  memory.copy(PADDED, scalar, 32);
  store<u64>(PADDED, 0, 32);
  const full: u32 = (1 << width) - 1;
  let over: u32 = 0;
  let at = 0;
  while (at < bits) {
    const position = <u32>(first + at);
    let window = (load<u32>(PADDED + <usize>(position >> 3)) >> (position & 7)) & full;
    // Bits past the piece's end belong to the next piece.
    if (at + width > bits) window &= (1 << (bits - at)) - 1;
    if ((window & 1) == over) {
      at++;
      continue;
    }
    let digit = <i32>(window + over);
    over = <u32>digit >> (width - 1);
    digit -= <i32>(over << width);
    store<i8>(out + <usize>at, <i8>digit);
    at += width;
  }
  // A window that ends past the piece is positive, so a carry is left only exactly at its end.
  if (over != 0) store<i8>(out + <usize>bits, 1);
}
