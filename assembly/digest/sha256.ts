// SHA-256 (FIPS 180-4): the compression function, a one-shot digest, and a streaming state.
//
// A chaining value is eight u32 words in the machine's own order (32 bytes). A streaming state is
//
//   +0 chaining value (32)   +32 bytes taken so far (u64)   +40 bytes waiting for a full block (64)

import { copyBytes } from "../memory/bytes";

/** Bytes of a digest. */
export const SHA256_LENGTH: i32 = 32;
/** Bytes of one block. */
export const SHA256_BLOCK: i32 = 64;
/** Bytes of a streaming state. */
export const SHA256_STATE: i32 = 104;

const TAKEN: usize = 32;
const WAITING: usize = 40;

/** One block, its words in the machine's own order. */
const WORDS: usize = memory.data(64, 16);
/** The chaining value of the one-shot digest. */
const ONE_SHOT: usize = memory.data(32, 16);
/** Up to five blocks: the last bytes of a message and its padding. */
const TAIL: usize = memory.data(320, 16);

/** Writes the 32-byte digest of `length` bytes at `start` to `out`, which may lie within the message. */
export function sha256(start: usize, length: i32, out: usize): void {
  sha256Initial(ONE_SHOT);
  // The last blocks go with the padding, so that they are worked out together.
  const head = length & ~255;
  sha256Compress(ONE_SHOT, start, head >> 6);
  const tailBlocks = sha256Tail(start + <usize>head, length - head, <u64>length, TAIL);
  sha256Compress(ONE_SHOT, TAIL, tailBlocks);
  sha256Write(ONE_SHOT, out);
}

/** Makes the `SHA256_STATE` bytes at `state` (8-aligned) a streaming state that has taken nothing. */
export function sha256Begin(state: usize): void {
  sha256Initial(state);
  store<u64>(state, 0, TAKEN);
}

/** Takes `length` more bytes. */
export function sha256Update(state: usize, start: usize, length: i32): void {
  const waiting = <i32>load<u64>(state, TAKEN) & 63;
  store<u64>(state, load<u64>(state, TAKEN) + <u64>length, TAKEN);
  let at = start;
  let rest = length;
  if (waiting != 0) {
    const taken = min(64 - waiting, rest);
    memory.copy(state + WAITING + <usize>waiting, at, <usize>taken);
    if (waiting + taken < 64) return;
    sha256Compress(state, state + WAITING, 1);
    at += <usize>taken;
    rest -= taken;
  }
  const blocks = rest >> 6;
  if (blocks != 0) sha256Compress(state, at, blocks);
  copyBytes(state + WAITING, at + (<usize>blocks << 6), <usize>(rest & 63));
}

/** Writes the 32-byte digest of everything taken to `out`; the state is spent. */
export function sha256End(state: usize, out: usize): void {
  const taken = load<u64>(state, TAKEN);
  const tailBlocks = sha256Tail(state + WAITING, <i32>taken & 63, taken, TAIL);
  sha256Compress(state, TAIL, tailBlocks);
  sha256Write(state, out);
}

/**
 * Writes the last `length` bytes of a message with their padding to `out` (72 bytes more, at the most); `total` is what the whole
 * message has, in bytes. Returns how many blocks that makes.
 */
export function sha256Tail(start: usize, length: i32, total: u64, out: usize): i32 {
  const blocks = (length + 72) >> 6;
  const end = out + (<usize>blocks << 6);
  if (start != out) copyBytes(out, start, <usize>length);
  store<u8>(out + <usize>length, 0x80);
  // Up to eight bytes at a time; what goes too far is overwritten by the length.
  for (let at = out + <usize>length + 1; at < end - 8; at += 8) store<u64>(at, 0);
  store<u64>(end - 8, bswap<u64>(total << 3));
  return blocks;
}

/** Sets a chaining value to the one every digest begins with. */
export function sha256Initial(value: usize): void {
  store<u64>(value, 0xbb67ae856a09e667);
  store<u64>(value, 0xa54ff53a3c6ef372, 8);
  store<u64>(value, 0x9b05688c510e527f, 16);
  store<u64>(value, 0x5be0cd191f83d9ab, 24);
}

/** Writes a chaining value as the 32 bytes of a digest, each word most significant byte first. */
export function sha256Write(value: usize, out: usize): void {
  const first = bigEndian(v128.load(value));
  const second = bigEndian(v128.load(value, 16));
  v128.store(out, first);
  v128.store(out, second, 16);
}

// @ts-ignore: decorator
@inline
function bigEndian(words: v128): v128 {
  return i8x16.shuffle(words, words, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

// The functions of FIPS 180-4 section 4.1.2.

// @ts-ignore: decorator
@inline
function big0(x: u32): u32 {
  return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
}

// @ts-ignore: decorator
@inline
function big1(x: u32): u32 {
  return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
}

// @ts-ignore: decorator
@inline
function small0(x: u32): u32 {
  return rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
}

// @ts-ignore: decorator
@inline
function small1(x: u32): u32 {
  return rotr(x, 17) ^ rotr(x, 19) ^ (x >> 10);
}

// @ts-ignore: decorator
@inline
function choose(x: u32, y: u32, z: u32): u32 {
  return z ^ (x & (y ^ z));
}

// @ts-ignore: decorator
@inline
function majority(x: u32, y: u32, z: u32): u32 {
  return ((x ^ y) & (y ^ z)) ^ y;
}

/** The 64 round constants (FIPS 180-4 section 4.2.2). */
export const ROUND_CONSTANTS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
], 16);

/** The schedule of four blocks: word i of block j at 16 i + 4 j; and the same with the round constants added. */
const SCHEDULE: usize = memory.data(1024, 16);
export const SUMS: usize = memory.data(1024, 16);

// @ts-ignore: decorator
@inline
function right(x: v128, count: i32): v128 {
  return v128.or(i32x4.shr_u(x, count), i32x4.shl(x, 32 - count));
}

/** Words of the schedule from those 16, 15, 7 and 2 before them. */
// @ts-ignore: decorator
@inline
function extend(w16: v128, w15: v128, w7: v128, w2: v128): v128 {
  const sigma0 = v128.xor(v128.xor(right(w15, 7), right(w15, 18)), i32x4.shr_u(w15, 3));
  const sigma1 = v128.xor(v128.xor(right(w2, 17), right(w2, 19)), i32x4.shr_u(w2, 10));
  return i32x4.add(i32x4.add(w16, w7), i32x4.add(sigma0, sigma1));
}

/** Four words of each of four blocks, turned so that each vector holds one word of all four. */
// @ts-ignore: decorator
@inline
function turn(p0: usize, p1: usize, p2: usize, p3: usize, out: usize): void {
  const a = v128.load(p0);
  const b = v128.load(p1);
  const c = v128.load(p2);
  const d = v128.load(p3);
  const ab01 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const ab23 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cd01 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const cd23 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(out, bigEndian(v128.shuffle<i64>(ab01, cd01, 0, 2)));
  v128.store(out, bigEndian(v128.shuffle<i64>(ab01, cd01, 1, 3)), 16);
  v128.store(out, bigEndian(v128.shuffle<i64>(ab23, cd23, 0, 2)), 32);
  v128.store(out, bigEndian(v128.shuffle<i64>(ab23, cd23, 1, 3)), 48);
}

/** Works out the schedules of four blocks side by side, into `SUMS`. */
export function scheduleFour(p0: usize, p1: usize, p2: usize, p3: usize): void {
  for (let i: usize = 0; i < 64; i += 16) turn(p0 + i, p1 + i, p2 + i, p3 + i, SCHEDULE + (i << 2));
  let w: usize = 0;
  for (; w < 768; w += 16) {
    const word = v128.load(SCHEDULE + w);
    v128.store(SUMS + w, i32x4.add(word, v128.load32_splat(ROUND_CONSTANTS + (w >> 2))));
    v128.store(SCHEDULE + w, extend(word, v128.load(SCHEDULE + w, 16), v128.load(SCHEDULE + w, 144), v128.load(SCHEDULE + w, 224)), 256);
  }
  for (; w < 1024; w += 16) v128.store(SUMS + w, i32x4.add(v128.load(SCHEDULE + w), v128.load32_splat(ROUND_CONSTANTS + (w >> 2))));
}

/**
 * Takes `blocks` blocks of 64 bytes at `data` into the chaining value `value`: the schedules of up to four at once, then the rounds of
 * each. A block of four takes 161 ns, one alone 190 (written out in full 170, but an engine's first compiler makes that 2.7 µs, and its
 * second takes long over it).
 */
export function sha256Compress(value: usize, data: usize, blocks: i32): void {
  for (; blocks > 1; blocks -= 4, data += 256) {
    const many = min(blocks, 4);
    const last = data + (<usize>(many - 1) << 6);
    scheduleFour(data, data + 64, min(data + 128, last), last);
    for (let block = 0; block < many; block++) roundsOf(value, SUMS + (<usize>block << 2));
  }
  if (blocks == 1) compressOne(value, data);
}

/** The 64 rounds of a block whose schedule is worked out: a word every 16 bytes from `words` on. */
function roundsOf(value: usize, words: usize): void {
  let a: u32 = load<u32>(value);
  let b: u32 = load<u32>(value, 4);
  let c: u32 = load<u32>(value, 8);
  let d: u32 = load<u32>(value, 12);
  let e: u32 = load<u32>(value, 16);
  let f: u32 = load<u32>(value, 20);
  let g: u32 = load<u32>(value, 24);
  let h: u32 = load<u32>(value, 28);
  for (let w = words; w < words + 1024; w += 128) {
    h = h + load<u32>(w) + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    g = g + load<u32>(w, 16) + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    f = f + load<u32>(w, 32) + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    e = e + load<u32>(w, 48) + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    d = d + load<u32>(w, 64) + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    c = c + load<u32>(w, 80) + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    b = b + load<u32>(w, 96) + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    a = a + load<u32>(w, 112) + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
  }
  addTo(value, a, b, c, d, e, f, g, h);
}

// @ts-ignore: decorator
@inline
function addTo(value: usize, a: u32, b: u32, c: u32, d: u32, e: u32, f: u32, g: u32, h: u32): void {
  store<u32>(value, load<u32>(value) + a);
  store<u32>(value, load<u32>(value, 4) + b, 4);
  store<u32>(value, load<u32>(value, 8) + c, 8);
  store<u32>(value, load<u32>(value, 12) + d, 12);
  store<u32>(value, load<u32>(value, 16) + e, 16);
  store<u32>(value, load<u32>(value, 20) + f, 20);
  store<u32>(value, load<u32>(value, 24) + g, 24);
  store<u32>(value, load<u32>(value, 28) + h, 28);
}

/** Takes one block, its schedule in locals. */
function compressOne(value: usize, data: usize): void {
  for (let i: usize = 0; i < 64; i += 16) v128.store(WORDS + i, bigEndian(v128.load(data + i)));
  let w0: u32 = load<u32>(WORDS);
  let w1: u32 = load<u32>(WORDS, 4);
  let w2: u32 = load<u32>(WORDS, 8);
  let w3: u32 = load<u32>(WORDS, 12);
  let w4: u32 = load<u32>(WORDS, 16);
  let w5: u32 = load<u32>(WORDS, 20);
  let w6: u32 = load<u32>(WORDS, 24);
  let w7: u32 = load<u32>(WORDS, 28);
  let w8: u32 = load<u32>(WORDS, 32);
  let w9: u32 = load<u32>(WORDS, 36);
  let w10: u32 = load<u32>(WORDS, 40);
  let w11: u32 = load<u32>(WORDS, 44);
  let w12: u32 = load<u32>(WORDS, 48);
  let w13: u32 = load<u32>(WORDS, 52);
  let w14: u32 = load<u32>(WORDS, 56);
  let w15: u32 = load<u32>(WORDS, 60);
  let a: u32 = load<u32>(value);
  let b: u32 = load<u32>(value, 4);
  let c: u32 = load<u32>(value, 8);
  let d: u32 = load<u32>(value, 12);
  let e: u32 = load<u32>(value, 16);
  let f: u32 = load<u32>(value, 20);
  let g: u32 = load<u32>(value, 24);
  let h: u32 = load<u32>(value, 28);
  for (let k = ROUND_CONSTANTS; ; k += 64) {
    h = h + (load<u32>(k) + w0) + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    g = g + (load<u32>(k, 4) + w1) + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    f = f + (load<u32>(k, 8) + w2) + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    e = e + (load<u32>(k, 12) + w3) + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    d = d + (load<u32>(k, 16) + w4) + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    c = c + (load<u32>(k, 20) + w5) + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    b = b + (load<u32>(k, 24) + w6) + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    a = a + (load<u32>(k, 28) + w7) + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    h = h + (load<u32>(k, 32) + w8) + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    g = g + (load<u32>(k, 36) + w9) + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    f = f + (load<u32>(k, 40) + w10) + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    e = e + (load<u32>(k, 44) + w11) + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    d = d + (load<u32>(k, 48) + w12) + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    c = c + (load<u32>(k, 52) + w13) + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    b = b + (load<u32>(k, 56) + w14) + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    a = a + (load<u32>(k, 60) + w15) + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    if (k == ROUND_CONSTANTS + 192) break;
    w0 += small0(w1) + w9 + small1(w14);
    w1 += small0(w2) + w10 + small1(w15);
    w2 += small0(w3) + w11 + small1(w0);
    w3 += small0(w4) + w12 + small1(w1);
    w4 += small0(w5) + w13 + small1(w2);
    w5 += small0(w6) + w14 + small1(w3);
    w6 += small0(w7) + w15 + small1(w4);
    w7 += small0(w8) + w0 + small1(w5);
    w8 += small0(w9) + w1 + small1(w6);
    w9 += small0(w10) + w2 + small1(w7);
    w10 += small0(w11) + w3 + small1(w8);
    w11 += small0(w12) + w4 + small1(w9);
    w12 += small0(w13) + w5 + small1(w10);
    w13 += small0(w14) + w6 + small1(w11);
    w14 += small0(w15) + w7 + small1(w12);
    w15 += small0(w0) + w8 + small1(w13);
  }
  addTo(value, a, b, c, d, e, f, g, h);
}
