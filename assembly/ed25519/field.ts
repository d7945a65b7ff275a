// Arithmetic modulo p = 2^255 - 19, on elements of ten limbs.
//
// An element is 40 bytes: ten i32 limbs, least significant first, of 26 and 25 bits in turn (limb i counts 2^ceil(25.5 i)).
// Products leave limbs carried: at least 0, at most a little over 2^26 or 2^25. Sums and differences are not carried. With
// |limb| at most u times that, two factors may have u and v with u v < 16: no 64-bit sum of products then overflows.

/** Bytes of an element. */
export const FIELD: usize = 40;

const EVEN: i64 = 0x3ffffff;
const ODD: i64 = 0x1ffffff;

/** d of the curve's equation, -121665/121666. */
export const CURVE_D: usize = memory.data<i32>([0x35978a3, 0xd37284, 0x3156ebd, 0x6a0a0e, 0x1c029, 0x179e898, 0x3a03cbb, 0x1ce7198, 0x2e2b6ff, 0x1480db3], 16);
/** 2 d. */
export const CURVE_2D: usize = memory.data<i32>([0x2b2f159, 0x1a6e509, 0x22add7a, 0xd4141d, 0x38052, 0xf3d130, 0x3407977, 0x19ce331, 0x1c56dff, 0x901b67], 16);
/** A square root of -1. */
export const ROOT_OF_MINUS_ONE: usize = memory.data<i32>([0x20ea0b0, 0x186c9d2, 0x8f189d, 0x35697f, 0xbd0c60, 0x1fbd7a7, 0x2804c9e, 0x1e16569, 0x4fc1d, 0xae0c92], 16);

/** out = n, a small number. */
export function setSmall(out: usize, n: i32): void {
  memory.fill(out, 0, FIELD);
  store<i32>(out, n);
}

export function copy(out: usize, f: usize): void {
  memory.copy(out, f, FIELD);
}

/** out = f + g, not carried. */
export function add(out: usize, f: usize, g: usize): void {
  v128.store(out, i32x4.add(v128.load(f), v128.load(g)));
  v128.store(out, i32x4.add(v128.load(f, 16), v128.load(g, 16)), 16);
  store<i32>(out, load<i32>(f, 32) + load<i32>(g, 32), 32);
  store<i32>(out, load<i32>(f, 36) + load<i32>(g, 36), 36);
}

/** out = f - g, not carried. */
export function subtract(out: usize, f: usize, g: usize): void {
  v128.store(out, i32x4.sub(v128.load(f), v128.load(g)));
  v128.store(out, i32x4.sub(v128.load(f, 16), v128.load(g, 16)), 16);
  store<i32>(out, load<i32>(f, 32) - load<i32>(g, 32), 32);
  store<i32>(out, load<i32>(f, 36) - load<i32>(g, 36), 36);
}

/** out = -f. */
export function negate(out: usize, f: usize): void {
  v128.store(out, i32x4.neg(v128.load(f)));
  v128.store(out, i32x4.neg(v128.load(f, 16)), 16);
  store<i32>(out, -load<i32>(f, 32), 32);
  store<i32>(out, -load<i32>(f, 36), 36);
}

/** out = f g. */
export function multiply(out: usize, f: usize, g: usize): void {
  const f0: i64 = load<i32>(f);
  const f1: i64 = load<i32>(f, 4);
  const f2: i64 = load<i32>(f, 8);
  const f3: i64 = load<i32>(f, 12);
  const f4: i64 = load<i32>(f, 16);
  const f5: i64 = load<i32>(f, 20);
  const f6: i64 = load<i32>(f, 24);
  const f7: i64 = load<i32>(f, 28);
  const f8: i64 = load<i32>(f, 32);
  const f9: i64 = load<i32>(f, 36);
  const g0: i64 = load<i32>(g);
  const g1: i64 = load<i32>(g, 4);
  const g2: i64 = load<i32>(g, 8);
  const g3: i64 = load<i32>(g, 12);
  const g4: i64 = load<i32>(g, 16);
  const g5: i64 = load<i32>(g, 20);
  const g6: i64 = load<i32>(g, 24);
  const g7: i64 = load<i32>(g, 28);
  const g8: i64 = load<i32>(g, 32);
  const g9: i64 = load<i32>(g, 36);
  const d1 = f1 << 1;
  const d3 = f3 << 1;
  const d5 = f5 << 1;
  const d7 = f7 << 1;
  const d9 = f9 << 1;
  const n1 = g1 * 19;
  const n2 = g2 * 19;
  const n3 = g3 * 19;
  const n4 = g4 * 19;
  const n5 = g5 * 19;
  const n6 = g6 * 19;
  const n7 = g7 * 19;
  const n8 = g8 * 19;
  const n9 = g9 * 19;
  let h0 = f0 * g0 + d1 * n9 + f2 * n8 + d3 * n7 + f4 * n6 + d5 * n5 + f6 * n4 + d7 * n3 + f8 * n2 + d9 * n1;
  let h1 = f0 * g1 + f1 * g0 + f2 * n9 + f3 * n8 + f4 * n7 + f5 * n6 + f6 * n5 + f7 * n4 + f8 * n3 + f9 * n2;
  let h2 = f0 * g2 + d1 * g1 + f2 * g0 + d3 * n9 + f4 * n8 + d5 * n7 + f6 * n6 + d7 * n5 + f8 * n4 + d9 * n3;
  let h3 = f0 * g3 + f1 * g2 + f2 * g1 + f3 * g0 + f4 * n9 + f5 * n8 + f6 * n7 + f7 * n6 + f8 * n5 + f9 * n4;
  let h4 = f0 * g4 + d1 * g3 + f2 * g2 + d3 * g1 + f4 * g0 + d5 * n9 + f6 * n8 + d7 * n7 + f8 * n6 + d9 * n5;
  let h5 = f0 * g5 + f1 * g4 + f2 * g3 + f3 * g2 + f4 * g1 + f5 * g0 + f6 * n9 + f7 * n8 + f8 * n7 + f9 * n6;
  let h6 = f0 * g6 + d1 * g5 + f2 * g4 + d3 * g3 + f4 * g2 + d5 * g1 + f6 * g0 + d7 * n9 + f8 * n8 + d9 * n7;
  let h7 = f0 * g7 + f1 * g6 + f2 * g5 + f3 * g4 + f4 * g3 + f5 * g2 + f6 * g1 + f7 * g0 + f8 * n9 + f9 * n8;
  let h8 = f0 * g8 + d1 * g7 + f2 * g6 + d3 * g5 + f4 * g4 + d5 * g3 + f6 * g2 + d7 * g1 + f8 * g0 + d9 * n9;
  let h9 = f0 * g9 + f1 * g8 + f2 * g7 + f3 * g6 + f4 * g5 + f5 * g4 + f6 * g3 + f7 * g2 + f8 * g1 + f9 * g0;
  h1 += h0 >> 26; h0 &= EVEN;
  h6 += h5 >> 25; h5 &= ODD;
  h2 += h1 >> 25; h1 &= ODD;
  h7 += h6 >> 26; h6 &= EVEN;
  h3 += h2 >> 26; h2 &= EVEN;
  h8 += h7 >> 25; h7 &= ODD;
  h4 += h3 >> 25; h3 &= ODD;
  h9 += h8 >> 26; h8 &= EVEN;
  h5 += h4 >> 26; h4 &= EVEN;
  h0 += (h9 >> 25) * 19; h9 &= ODD;
  h1 += h0 >> 26; h0 &= EVEN;
  h6 += h5 >> 25; h5 &= ODD;
  store<i32>(out, <i32>h0);
  store<i32>(out, <i32>h1, 4);
  store<i32>(out, <i32>h2, 8);
  store<i32>(out, <i32>h3, 12);
  store<i32>(out, <i32>h4, 16);
  store<i32>(out, <i32>h5, 20);
  store<i32>(out, <i32>h6, 24);
  store<i32>(out, <i32>h7, 28);
  store<i32>(out, <i32>h8, 32);
  store<i32>(out, <i32>h9, 36);
}

/** out = f^2. */
export function square(out: usize, f: usize): void {
  const f0: i64 = load<i32>(f);
  const f1: i64 = load<i32>(f, 4);
  const f2: i64 = load<i32>(f, 8);
  const f3: i64 = load<i32>(f, 12);
  const f4: i64 = load<i32>(f, 16);
  const f5: i64 = load<i32>(f, 20);
  const f6: i64 = load<i32>(f, 24);
  const f7: i64 = load<i32>(f, 28);
  const f8: i64 = load<i32>(f, 32);
  const f9: i64 = load<i32>(f, 36);
  const d0 = f0 << 1;
  const d1 = f1 << 1;
  const q1 = f1 << 2;
  const d2 = f2 << 1;
  const d3 = f3 << 1;
  const q3 = f3 << 2;
  const d4 = f4 << 1;
  const d5 = f5 << 1;
  const q5 = f5 << 2;
  const n5 = f5 * 19;
  const d6 = f6 << 1;
  const n6 = f6 * 19;
  const d7 = f7 << 1;
  const q7 = f7 << 2;
  const n7 = f7 * 19;
  const d8 = f8 << 1;
  const n8 = f8 * 19;
  const d9 = f9 << 1;
  const n9 = f9 * 19;
  let h0 = f0 * f0 + q1 * n9 + d2 * n8 + q3 * n7 + d4 * n6 + d5 * n5;
  let h1 = d0 * f1 + d2 * n9 + d3 * n8 + d4 * n7 + d5 * n6;
  let h2 = d0 * f2 + d1 * f1 + q3 * n9 + d4 * n8 + q5 * n7 + f6 * n6;
  let h3 = d0 * f3 + d1 * f2 + d4 * n9 + d5 * n8 + d6 * n7;
  let h4 = d0 * f4 + q1 * f3 + f2 * f2 + q5 * n9 + d6 * n8 + d7 * n7;
  let h5 = d0 * f5 + d1 * f4 + d2 * f3 + d6 * n9 + d7 * n8;
  let h6 = d0 * f6 + q1 * f5 + d2 * f4 + d3 * f3 + q7 * n9 + f8 * n8;
  let h7 = d0 * f7 + d1 * f6 + d2 * f5 + d3 * f4 + d8 * n9;
  let h8 = d0 * f8 + q1 * f7 + d2 * f6 + q3 * f5 + f4 * f4 + d9 * n9;
  let h9 = d0 * f9 + d1 * f8 + d2 * f7 + d3 * f6 + d4 * f5;
  h1 += h0 >> 26; h0 &= EVEN;
  h6 += h5 >> 25; h5 &= ODD;
  h2 += h1 >> 25; h1 &= ODD;
  h7 += h6 >> 26; h6 &= EVEN;
  h3 += h2 >> 26; h2 &= EVEN;
  h8 += h7 >> 25; h7 &= ODD;
  h4 += h3 >> 25; h3 &= ODD;
  h9 += h8 >> 26; h8 &= EVEN;
  h5 += h4 >> 26; h4 &= EVEN;
  h0 += (h9 >> 25) * 19; h9 &= ODD;
  h1 += h0 >> 26; h0 &= EVEN;
  h6 += h5 >> 25; h5 &= ODD;
  store<i32>(out, <i32>h0);
  store<i32>(out, <i32>h1, 4);
  store<i32>(out, <i32>h2, 8);
  store<i32>(out, <i32>h3, 12);
  store<i32>(out, <i32>h4, 16);
  store<i32>(out, <i32>h5, 20);
  store<i32>(out, <i32>h6, 24);
  store<i32>(out, <i32>h7, 28);
  store<i32>(out, <i32>h8, 32);
  store<i32>(out, <i32>h9, 36);
}

/** out = f^(2^count), count at least 1. */
export function squareTimes(out: usize, f: usize, count: i32): void {
  square(out, f);
  for (let i = 1; i < count; i++) square(out, out);
}

/** Reads the low 255 bits of 32 bytes, least significant first, as an element. */
export function fromBytes(out: usize, bytes: usize): void {
  store<i32>(out, <i32>(load<u64>(bytes) & EVEN));
  store<i32>(out, <i32>((load<u64>(bytes, 3) >> 2) & ODD), 4);
  store<i32>(out, <i32>((load<u64>(bytes, 6) >> 3) & EVEN), 8);
  store<i32>(out, <i32>((load<u64>(bytes, 9) >> 5) & ODD), 12);
  store<i32>(out, <i32>((load<u64>(bytes, 12) >> 6) & EVEN), 16);
  store<i32>(out, <i32>((load<u64>(bytes, 16)) & ODD), 20);
  store<i32>(out, <i32>((load<u64>(bytes, 19) >> 1) & EVEN), 24);
  store<i32>(out, <i32>((load<u64>(bytes, 22) >> 3) & ODD), 28);
  store<i32>(out, <i32>((load<u64>(bytes, 24) >> 12) & EVEN), 32);
  store<i32>(out, <i32>((load<u64>(bytes, 24) >> 38) & ODD), 36);
}

/** Writes an element's least value, 32 bytes, least significant first. */
export function toBytes(out: usize, f: usize): void {
  let h0: i64 = load<i32>(f);
  let h1: i64 = load<i32>(f, 4);
  let h2: i64 = load<i32>(f, 8);
  let h3: i64 = load<i32>(f, 12);
  let h4: i64 = load<i32>(f, 16);
  let h5: i64 = load<i32>(f, 20);
  let h6: i64 = load<i32>(f, 24);
  let h7: i64 = load<i32>(f, 28);
  let h8: i64 = load<i32>(f, 32);
  let h9: i64 = load<i32>(f, 36);
  // Two rounds of carries bring the value to 0 … 2^255 + a little, whatever the signs; the third subtracts p if it is due.
  for (let i = 0; i < 2; i++) {
    h1 += h0 >> 26; h0 &= EVEN;
    h2 += h1 >> 25; h1 &= ODD;
    h3 += h2 >> 26; h2 &= EVEN;
    h4 += h3 >> 25; h3 &= ODD;
    h5 += h4 >> 26; h4 &= EVEN;
    h6 += h5 >> 25; h5 &= ODD;
    h7 += h6 >> 26; h6 &= EVEN;
    h8 += h7 >> 25; h7 &= ODD;
    h9 += h8 >> 26; h8 &= EVEN;
    h0 += (h9 >> 25) * 19; h9 &= ODD;
  }
  let over = (h0 + 19) >> 26;
  over = (h1 + over) >> 25;
  over = (h2 + over) >> 26;
  over = (h3 + over) >> 25;
  over = (h4 + over) >> 26;
  over = (h5 + over) >> 25;
  over = (h6 + over) >> 26;
  over = (h7 + over) >> 25;
  over = (h8 + over) >> 26;
  over = (h9 + over) >> 25;
  h0 += over * 19;
  h1 += h0 >> 26; h0 &= EVEN;
  h2 += h1 >> 25; h1 &= ODD;
  h3 += h2 >> 26; h2 &= EVEN;
  h4 += h3 >> 25; h3 &= ODD;
  h5 += h4 >> 26; h4 &= EVEN;
  h6 += h5 >> 25; h5 &= ODD;
  h7 += h6 >> 26; h6 &= EVEN;
  h8 += h7 >> 25; h7 &= ODD;
  h9 += h8 >> 26; h8 &= EVEN;
  h9 &= ODD;
  store<u64>(out, h0 | (h1 << 26) | (h2 << 51));
  store<u64>(out, (h2 >> 13) | (h3 << 13) | (h4 << 38), 8);
  store<u64>(out, h5 | (h6 << 25) | (h7 << 51), 16);
  store<u64>(out, (h7 >> 13) | (h8 << 12) | (h9 << 38), 24);
}

const ENCODED: usize = memory.data(32, 8);

export function isZero(f: usize): bool {
  toBytes(ENCODED, f);
  return (load<u64>(ENCODED) | load<u64>(ENCODED, 8) | load<u64>(ENCODED, 16) | load<u64>(ENCODED, 24)) == 0;
}

/** Whether the least value is odd, which is what the sign bit of an encoded point says. */
export function isOdd(f: usize): bool {
  toBytes(ENCODED, f);
  return (load<u8>(ENCODED) & 1) != 0;
}

const A: usize = memory.data(40, 16);
const B: usize = memory.data(40, 16);
const C: usize = memory.data(40, 16);
const ELEVENTH: usize = memory.data(40, 16);

/** out = f^(2^250 - 1); leaves f^11 in ELEVENTH. */
function power250(out: usize, f: usize): void {
  square(A, f);
  squareTimes(B, A, 2);
  multiply(B, B, f);
  multiply(ELEVENTH, A, B);
  square(A, ELEVENTH);
  multiply(A, A, B);
  // A = f^(2^5 - 1); each step joins two runs of ones.
  squareTimes(B, A, 5);
  multiply(A, B, A);
  squareTimes(B, A, 10);
  multiply(B, B, A);
  squareTimes(C, B, 20);
  multiply(B, C, B);
  squareTimes(B, B, 10);
  multiply(A, B, A);
  squareTimes(B, A, 50);
  multiply(B, B, A);
  squareTimes(C, B, 100);
  multiply(B, C, B);
  squareTimes(B, B, 50);
  multiply(out, B, A);
}

const POWER: usize = memory.data(40, 16);

/** out = 1/f, and 0 for 0: f^(p - 2). */
export function invert(out: usize, f: usize): void {
  power250(POWER, f);
  squareTimes(POWER, POWER, 5);
  multiply(out, POWER, ELEVENTH);
}

/** out = f^((p - 5)/8), from which square roots come (RFC 8032 section 5.1.3). */
export function rootPower(out: usize, f: usize): void {
  power250(POWER, f);
  squareTimes(POWER, POWER, 2);
  multiply(out, POWER, f);
}
