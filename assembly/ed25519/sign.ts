// Signing with Ed25519 (RFC 8032 section 5.1.6).
//
//   signing key (96 bytes):  +0 secret scalar (32)   +32 prefix (32)   +64 public key (32)

import { SHA512_STATE, sha512, sha512Begin, sha512End, sha512Update } from "../digest/sha512";
import { multiplyBase } from "./base";
import { POINT, encodePoint } from "./point";
import { multiplyAdd, reduce } from "./scalar";

/** Bytes of a seed (the JWK's `d`). */
export const SEED_LENGTH: i32 = 32;
/** Bytes of a public key (the JWK's `x`). */
export const PUBLIC_KEY_LENGTH: i32 = 32;
/** Bytes of a signature. */
export const SIGNATURE_LENGTH: i32 = 64;
/** Bytes of an expanded signing key. */
export const SIGNING_KEY: i32 = 96;

const HASH: usize = memory.data(200, 8);
const WIDE: usize = memory.data(64, 8);
const NONCE: usize = memory.data(32, 8);
const CHALLENGE: usize = memory.data(32, 8);
const PRODUCT: usize = memory.data(160, 16);
const KEY: usize = memory.data(96, 8);

/** Expands a 32-byte seed into the signing key at `out` (96 bytes), which signs any number of messages. */
export function expandSeed(seed: usize, out: usize): void {
  sha512(seed, SEED_LENGTH, out);
  store<u8>(out, load<u8>(out) & 0xf8);
  store<u8>(out, (load<u8>(out, 31) & 0x7f) | 0x40, 31);
  multiplyBase(PRODUCT, out);
  encodePoint(out + 64, PRODUCT);
}

/** Writes the 32-byte public key of a seed to `out`. */
export function publicKey(seed: usize, out: usize): void {
  expandSeed(seed, KEY);
  memory.copy(out, KEY + 64, PUBLIC_KEY_LENGTH);
  memory.fill(KEY, 0, SIGNING_KEY);
}

/**
 * Writes the 64-byte signature of `length` bytes at `message` to `out`. The key comes from `expandSeed`, never from parts: to
 * sign with a public key that is not the seed's own would give the secret away.
 */
export function sign(signingKey: usize, message: usize, length: i32, out: usize): void {
  sha512Begin(HASH);
  sha512Update(HASH, signingKey + 32, 32);
  sha512Update(HASH, message, length);
  sha512End(HASH, WIDE);
  reduce(NONCE, WIDE);
  multiplyBase(PRODUCT, NONCE);
  encodePoint(out, PRODUCT);
  challenge(CHALLENGE, out, signingKey + 64, message, length);
  multiplyAdd(out + 32, CHALLENGE, signingKey, NONCE);
  memory.fill(NONCE, 0, 32);
  memory.fill(WIDE, 0, 64);
  memory.fill(HASH, 0, SHA512_STATE);
  memory.fill(PRODUCT, 0, POINT);
}

/** out = SHA-512(R || A || message) modulo L. */
export function challenge(out: usize, r: usize, a: usize, message: usize, length: i32): void {
  sha512Begin(HASH);
  sha512Update(HASH, r, 32);
  sha512Update(HASH, a, 32);
  sha512Update(HASH, message, length);
  sha512End(HASH, WIDE);
  reduce(out, WIDE);
}
