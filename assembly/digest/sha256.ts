// SHA-256 (FIPS 180-4): the compression function, a one-shot digest, and a streaming state.
//
// A chaining value is eight u32 words in the machine's own order (32 bytes). A streaming state is
//
//   +0 chaining value (32)   +32 bytes taken so far (u64)   +40 bytes waiting for a full block (64)

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
/** The state of the one-shot digest. */
const ONE_SHOT: usize = memory.data(104, 8);
/** Two blocks: the last bytes of a message and its padding. */
const TAIL: usize = memory.data(128, 8);

/** Writes the 32-byte digest of `length` bytes at `start` to `out`, which may lie within the message. */
export function sha256(start: usize, length: i32, out: usize): void {
  sha256Begin(ONE_SHOT);
  sha256Update(ONE_SHOT, start, length);
  sha256End(ONE_SHOT, out);
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
  memory.copy(state + WAITING, at + (<usize>blocks << 6), <usize>(rest & 63));
}

/** Writes the 32-byte digest of everything taken to `out`; the state is spent. */
export function sha256End(state: usize, out: usize): void {
  const taken = load<u64>(state, TAKEN);
  const tailBlocks = sha256Tail(state + WAITING, <i32>taken & 63, taken, TAIL);
  sha256Compress(state, TAIL, tailBlocks);
  sha256Write(state, out);
}

/**
 * Writes the last `length` (< 64) bytes of a message with their padding to `out` (128 bytes); `total` is what the whole
 * message has, in bytes. Returns how many blocks that makes, 1 or 2.
 */
export function sha256Tail(start: usize, length: i32, total: u64, out: usize): i32 {
  const blocks = length < 56 ? 1 : 2;
  const end = out + (<usize>blocks << 6);
  memory.copy(out, start, <usize>length);
  store<u8>(out + <usize>length, 0x80);
  const from = out + <usize>length + 1;
  memory.fill(from, 0, end - 8 - from);
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

/**
 * Takes `blocks` blocks of 64 bytes at `data` into the chaining value `value`. Written out in full, with the round constants
 * as immediates and the message schedule in locals: 178 ns a block where the same in a loop over 16 rounds took 190.
 */
export function sha256Compress(value: usize, data: usize, blocks: i32): void {
  let a: u32 = load<u32>(value);
  let b: u32 = load<u32>(value, 4);
  let c: u32 = load<u32>(value, 8);
  let d: u32 = load<u32>(value, 12);
  let e: u32 = load<u32>(value, 16);
  let f: u32 = load<u32>(value, 20);
  let g: u32 = load<u32>(value, 24);
  let h: u32 = load<u32>(value, 28);
  for (; blocks > 0; blocks--, data += 64) {
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
    const a0 = a;
    const b0 = b;
    const c0 = c;
    const d0 = d;
    const e0 = e;
    const f0 = f;
    const g0 = g;
    const h0 = h;

    h += 0x428a2f98 + w0 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    g += 0x71374491 + w1 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    f += 0xb5c0fbcf + w2 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    e += 0xe9b5dba5 + w3 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    d += 0x3956c25b + w4 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    c += 0x59f111f1 + w5 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    b += 0x923f82a4 + w6 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    a += 0xab1c5ed5 + w7 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    h += 0xd807aa98 + w8 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    g += 0x12835b01 + w9 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    f += 0x243185be + w10 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    e += 0x550c7dc3 + w11 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    d += 0x72be5d74 + w12 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    c += 0x80deb1fe + w13 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    b += 0x9bdc06a7 + w14 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    a += 0xc19bf174 + w15 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w0 += small0(w1) + w9 + small1(w14);
    h += 0xe49b69c1 + w0 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w1 += small0(w2) + w10 + small1(w15);
    g += 0xefbe4786 + w1 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w2 += small0(w3) + w11 + small1(w0);
    f += 0x0fc19dc6 + w2 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w3 += small0(w4) + w12 + small1(w1);
    e += 0x240ca1cc + w3 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w4 += small0(w5) + w13 + small1(w2);
    d += 0x2de92c6f + w4 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w5 += small0(w6) + w14 + small1(w3);
    c += 0x4a7484aa + w5 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w6 += small0(w7) + w15 + small1(w4);
    b += 0x5cb0a9dc + w6 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w7 += small0(w8) + w0 + small1(w5);
    a += 0x76f988da + w7 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w8 += small0(w9) + w1 + small1(w6);
    h += 0x983e5152 + w8 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w9 += small0(w10) + w2 + small1(w7);
    g += 0xa831c66d + w9 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w10 += small0(w11) + w3 + small1(w8);
    f += 0xb00327c8 + w10 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w11 += small0(w12) + w4 + small1(w9);
    e += 0xbf597fc7 + w11 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w12 += small0(w13) + w5 + small1(w10);
    d += 0xc6e00bf3 + w12 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w13 += small0(w14) + w6 + small1(w11);
    c += 0xd5a79147 + w13 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w14 += small0(w15) + w7 + small1(w12);
    b += 0x06ca6351 + w14 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w15 += small0(w0) + w8 + small1(w13);
    a += 0x14292967 + w15 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w0 += small0(w1) + w9 + small1(w14);
    h += 0x27b70a85 + w0 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w1 += small0(w2) + w10 + small1(w15);
    g += 0x2e1b2138 + w1 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w2 += small0(w3) + w11 + small1(w0);
    f += 0x4d2c6dfc + w2 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w3 += small0(w4) + w12 + small1(w1);
    e += 0x53380d13 + w3 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w4 += small0(w5) + w13 + small1(w2);
    d += 0x650a7354 + w4 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w5 += small0(w6) + w14 + small1(w3);
    c += 0x766a0abb + w5 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w6 += small0(w7) + w15 + small1(w4);
    b += 0x81c2c92e + w6 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w7 += small0(w8) + w0 + small1(w5);
    a += 0x92722c85 + w7 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w8 += small0(w9) + w1 + small1(w6);
    h += 0xa2bfe8a1 + w8 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w9 += small0(w10) + w2 + small1(w7);
    g += 0xa81a664b + w9 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w10 += small0(w11) + w3 + small1(w8);
    f += 0xc24b8b70 + w10 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w11 += small0(w12) + w4 + small1(w9);
    e += 0xc76c51a3 + w11 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w12 += small0(w13) + w5 + small1(w10);
    d += 0xd192e819 + w12 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w13 += small0(w14) + w6 + small1(w11);
    c += 0xd6990624 + w13 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w14 += small0(w15) + w7 + small1(w12);
    b += 0xf40e3585 + w14 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w15 += small0(w0) + w8 + small1(w13);
    a += 0x106aa070 + w15 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w0 += small0(w1) + w9 + small1(w14);
    h += 0x19a4c116 + w0 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w1 += small0(w2) + w10 + small1(w15);
    g += 0x1e376c08 + w1 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w2 += small0(w3) + w11 + small1(w0);
    f += 0x2748774c + w2 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w3 += small0(w4) + w12 + small1(w1);
    e += 0x34b0bcb5 + w3 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w4 += small0(w5) + w13 + small1(w2);
    d += 0x391c0cb3 + w4 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w5 += small0(w6) + w14 + small1(w3);
    c += 0x4ed8aa4a + w5 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w6 += small0(w7) + w15 + small1(w4);
    b += 0x5b9cca4f + w6 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w7 += small0(w8) + w0 + small1(w5);
    a += 0x682e6ff3 + w7 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
    w8 += small0(w9) + w1 + small1(w6);
    h += 0x748f82ee + w8 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
    w9 += small0(w10) + w2 + small1(w7);
    g += 0x78a5636f + w9 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
    w10 += small0(w11) + w3 + small1(w8);
    f += 0x84c87814 + w10 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
    w11 += small0(w12) + w4 + small1(w9);
    e += 0x8cc70208 + w11 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
    w12 += small0(w13) + w5 + small1(w10);
    d += 0x90befffa + w12 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
    w13 += small0(w14) + w6 + small1(w11);
    c += 0xa4506ceb + w13 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
    w14 += small0(w15) + w7 + small1(w12);
    b += 0xbef9a3f7 + w14 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
    w15 += small0(w0) + w8 + small1(w13);
    a += 0xc67178f2 + w15 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);

    a += a0;
    b += b0;
    c += c0;
    d += d0;
    e += e0;
    f += f0;
    g += g0;
    h += h0;
  }
  store<u32>(value, a);
  store<u32>(value, b, 4);
  store<u32>(value, c, 8);
  store<u32>(value, d, 12);
  store<u32>(value, e, 16);
  store<u32>(value, f, 20);
  store<u32>(value, g, 24);
  store<u32>(value, h, 28);
}
