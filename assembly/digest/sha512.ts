// SHA-512 (FIPS 180-4), which Ed25519 hashes with: a streaming state and a one-shot digest.
//
//   state:  +0 chaining value, eight u64 in the machine's own order (64)   +64 bytes taken so far (u64)   +72 bytes waiting (128)

/** Bytes of a digest. */
export const SHA512_LENGTH: i32 = 64;
/** Bytes of a streaming state. */
export const SHA512_STATE: i32 = 200;

const TAKEN: usize = 64;
const WAITING: usize = 72;

/** FIPS 180-4 section 4.2.3. */
const K: usize = memory.data<u64>([
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
], 16);

const ONE_SHOT: usize = memory.data(200, 8);

/** Writes the 64-byte digest of `length` bytes at `start` to `out`. */
export function sha512(start: usize, length: i32, out: usize): void {
  sha512Begin(ONE_SHOT);
  sha512Update(ONE_SHOT, start, length);
  sha512End(ONE_SHOT, out);
}

/** Makes the `SHA512_STATE` bytes at `state` (8-aligned) a streaming state that has taken nothing. */
export function sha512Begin(state: usize): void {
  store<u64>(state, 0x6a09e667f3bcc908);
  store<u64>(state, 0xbb67ae8584caa73b, 8);
  store<u64>(state, 0x3c6ef372fe94f82b, 16);
  store<u64>(state, 0xa54ff53a5f1d36f1, 24);
  store<u64>(state, 0x510e527fade682d1, 32);
  store<u64>(state, 0x9b05688c2b3e6c1f, 40);
  store<u64>(state, 0x1f83d9abfb41bd6b, 48);
  store<u64>(state, 0x5be0cd19137e2179, 56);
  store<u64>(state, 0, TAKEN);
}

/** Takes `length` more bytes. */
export function sha512Update(state: usize, start: usize, length: i32): void {
  const waiting = <i32>load<u64>(state, TAKEN) & 127;
  store<u64>(state, load<u64>(state, TAKEN) + <u64>length, TAKEN);
  let at = start;
  let rest = length;
  if (waiting != 0) {
    const taken = min(128 - waiting, rest);
    memory.copy(state + WAITING + <usize>waiting, at, <usize>taken);
    if (waiting + taken < 128) return;
    compress(state, state + WAITING, 1);
    at += <usize>taken;
    rest -= taken;
  }
  const blocks = rest >> 7;
  if (blocks != 0) compress(state, at, blocks);
  memory.copy(state + WAITING, at + (<usize>blocks << 7), <usize>(rest & 127));
}

/** Writes the 64-byte digest of everything taken to `out`; the state is spent. Lengths stay below 2^61 bytes. */
export function sha512End(state: usize, out: usize): void {
  const taken = load<u64>(state, TAKEN);
  const block = state + WAITING;
  let waiting = <i32>taken & 127;
  store<u8>(block + <usize>waiting, 0x80);
  waiting++;
  if (waiting > 112) {
    memory.fill(block + <usize>waiting, 0, <usize>(128 - waiting));
    compress(state, block, 1);
    waiting = 0;
  }
  memory.fill(block + <usize>waiting, 0, <usize>(120 - waiting));
  store<u64>(block, bswap<u64>(taken << 3), 120);
  compress(state, block, 1);
  for (let i: usize = 0; i < 64; i += 8) store<u64>(out + i, bswap<u64>(load<u64>(state + i)));
}

// The functions of FIPS 180-4 section 4.1.3.

// @ts-ignore: decorator
@inline
function big0(x: u64): u64 {
  return rotr(x, 28) ^ rotr(x, 34) ^ rotr(x, 39);
}

// @ts-ignore: decorator
@inline
function big1(x: u64): u64 {
  return rotr(x, 14) ^ rotr(x, 18) ^ rotr(x, 41);
}

// @ts-ignore: decorator
@inline
function small0(x: u64): u64 {
  return rotr(x, 1) ^ rotr(x, 8) ^ (x >> 7);
}

// @ts-ignore: decorator
@inline
function small1(x: u64): u64 {
  return rotr(x, 19) ^ rotr(x, 61) ^ (x >> 6);
}

// @ts-ignore: decorator
@inline
function choose(x: u64, y: u64, z: u64): u64 {
  return z ^ (x & (y ^ z));
}

// @ts-ignore: decorator
@inline
function majority(x: u64, y: u64, z: u64): u64 {
  return ((x ^ y) & (y ^ z)) ^ y;
}

function compress(value: usize, data: usize, blocks: i32): void {
  let a: u64 = load<u64>(value);
  let b: u64 = load<u64>(value, 8);
  let c: u64 = load<u64>(value, 16);
  let d: u64 = load<u64>(value, 24);
  let e: u64 = load<u64>(value, 32);
  let f: u64 = load<u64>(value, 40);
  let g: u64 = load<u64>(value, 48);
  let h: u64 = load<u64>(value, 56);
  for (; blocks > 0; blocks--, data += 128) {
    let w0: u64 = bswap<u64>(load<u64>(data));
    let w1: u64 = bswap<u64>(load<u64>(data, 8));
    let w2: u64 = bswap<u64>(load<u64>(data, 16));
    let w3: u64 = bswap<u64>(load<u64>(data, 24));
    let w4: u64 = bswap<u64>(load<u64>(data, 32));
    let w5: u64 = bswap<u64>(load<u64>(data, 40));
    let w6: u64 = bswap<u64>(load<u64>(data, 48));
    let w7: u64 = bswap<u64>(load<u64>(data, 56));
    let w8: u64 = bswap<u64>(load<u64>(data, 64));
    let w9: u64 = bswap<u64>(load<u64>(data, 72));
    let w10: u64 = bswap<u64>(load<u64>(data, 80));
    let w11: u64 = bswap<u64>(load<u64>(data, 88));
    let w12: u64 = bswap<u64>(load<u64>(data, 96));
    let w13: u64 = bswap<u64>(load<u64>(data, 104));
    let w14: u64 = bswap<u64>(load<u64>(data, 112));
    let w15: u64 = bswap<u64>(load<u64>(data, 120));
    const a0 = a;
    const b0 = b;
    const c0 = c;
    const d0 = d;
    const e0 = e;
    const f0 = f;
    const g0 = g;
    const h0 = h;
    let k = K;
    while (true) {
      h += load<u64>(k) + w0 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
      g += load<u64>(k, 8) + w1 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
      f += load<u64>(k, 16) + w2 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
      e += load<u64>(k, 24) + w3 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
      d += load<u64>(k, 32) + w4 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
      c += load<u64>(k, 40) + w5 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
      b += load<u64>(k, 48) + w6 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
      a += load<u64>(k, 56) + w7 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
      h += load<u64>(k, 64) + w8 + choose(e, f, g) + big1(e); d += h; h += majority(a, b, c) + big0(a);
      g += load<u64>(k, 72) + w9 + choose(d, e, f) + big1(d); c += g; g += majority(h, a, b) + big0(h);
      f += load<u64>(k, 80) + w10 + choose(c, d, e) + big1(c); b += f; f += majority(g, h, a) + big0(g);
      e += load<u64>(k, 88) + w11 + choose(b, c, d) + big1(b); a += e; e += majority(f, g, h) + big0(f);
      d += load<u64>(k, 96) + w12 + choose(a, b, c) + big1(a); h += d; d += majority(e, f, g) + big0(e);
      c += load<u64>(k, 104) + w13 + choose(h, a, b) + big1(h); g += c; c += majority(d, e, f) + big0(d);
      b += load<u64>(k, 112) + w14 + choose(g, h, a) + big1(g); f += b; b += majority(c, d, e) + big0(c);
      a += load<u64>(k, 120) + w15 + choose(f, g, h) + big1(f); e += a; a += majority(b, c, d) + big0(b);
      k += 128;
      if (k == K + 640) break;
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
    a += a0;
    b += b0;
    c += c0;
    d += d0;
    e += e0;
    f += f0;
    g += g0;
    h += h0;
  }
  store<u64>(value, a);
  store<u64>(value, b, 8);
  store<u64>(value, c, 16);
  store<u64>(value, d, 24);
  store<u64>(value, e, 32);
  store<u64>(value, f, 40);
  store<u64>(value, g, 48);
  store<u64>(value, h, 56);
}
