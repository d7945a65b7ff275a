// Verifying Ed25519 signatures, strictly (chapter 1; RFC 8032 section 5.1.7 without the cofactor).
//
//   verifying key:  +0 public key (32)   +32 the addends -1 A, -3 A … -15 A, and the same of 2^64 A, 2^128 A, 2^192 A (4 x 8 x 160)

import { BASE_WIDTH, PIECES, PIECE_BITS, basePiece } from "./base";
import {
  AFFINE, POINT, addAffine, addPoint, decodePoint, double, doubleTimes, encodePoint, hasSmallOrder, negatePoint, oddMultiples,
  setNeutral, subtractAffine, subtractPoint, takePoint, takeProjective, toAddend,
} from "./point";
import { isReduced, windowDigits } from "./scalar";
import { challenge } from "./sign";

/** Bytes of a verifying key. */
export const VERIFYING_KEY: i32 = 5152;

/** Window width of the public key's digits: odd multiples up to 15. */
const KEY_WIDTH: i32 = 5;
const KEY_COLUMNS: i32 = 8;
/** From one piece's digits to the next's. */
const DIGIT_ROW: usize = 272;

const NEGATED: usize = memory.data(160, 16);
const MULTIPLES: usize = memory.data(1280, 16);
/** The addends of a public key that is used once. */
const ADDENDS: usize = memory.data(1280, 16);
const CHALLENGE: usize = memory.data(32, 8);
const KEY_DIGITS: usize = memory.data(1088, 8);
const BASE_DIGITS: usize = memory.data(1088, 8);
const SUM: usize = memory.data(160, 16);
const ENCODED: usize = memory.data(32, 8);

/**
 * Whether the 64-byte `signature` is the 32-byte `publicKey`'s over `length` bytes at `message`. S must be below L, A and R
 * canonically encoded and not of small order, and S B = R + h A exactly.
 */
export function verify(publicKey: usize, message: usize, length: i32, signature: usize): bool {
  if (!isReduced(signature + 32)) return false;
  if (!decodeKey(publicKey)) return false;
  addendsOf(ADDENDS);
  return equationHolds(publicKey, ADDENDS, 1, message, length, signature);
}

/**
 * Expands a public key into `VERIFYING_KEY` bytes at `out` (8-aligned), with which a signature costs a third less; false where
 * the key is not canonical or of small order, so that nothing it signed verifies. Worth it from the third signature on.
 */
export function expandPublicKey(publicKey: usize, out: usize): bool {
  if (!decodeKey(publicKey)) return false;
  memory.copy(out, publicKey, 32);
  for (let piece: usize = 0; piece < <usize>PIECES; piece++) {
    addendsOf(out + 32 + piece * <usize>KEY_COLUMNS * POINT);
    if (piece != <usize>PIECES - 1) doubleTimes(NEGATED, PIECE_BITS);
  }
  return true;
}

/** `verify` with a key from `expandPublicKey`. */
export function verifyExpanded(verifyingKey: usize, message: usize, length: i32, signature: usize): bool {
  if (!isReduced(signature + 32)) return false;
  return equationHolds(verifyingKey, verifyingKey + 32, PIECES, message, length, signature);
}

/** NEGATED = -A, or false. */
function decodeKey(publicKey: usize): bool {
  if (!decodePoint(NEGATED, publicKey) || hasSmallOrder(NEGATED)) return false;
  negatePoint(NEGATED);
  return true;
}

/** Writes the addends of the odd multiples of NEGATED. */
function addendsOf(addends: usize): void {
  oddMultiples(MULTIPLES, NEGATED, KEY_COLUMNS);
  for (let i: usize = 0; i < <usize>KEY_COLUMNS; i++) toAddend(addends + i * POINT, MULTIPLES + i * POINT);
}

/** Whether the encoding of S B - h A is R's, and R is not of small order. (The encoding is canonical, so R's then is.) */
function equationHolds(publicKey: usize, addends: usize, pieces: i32, message: usize, length: i32, signature: usize): bool {
  challenge(CHALLENGE, signature, publicKey, message, length);
  const keyBits = 256 / pieces;
  for (let piece = 0; piece < pieces; piece++) windowDigits(KEY_DIGITS + <usize>piece * DIGIT_ROW, CHALLENGE, piece * keyBits, keyBits, KEY_WIDTH);
  for (let piece = 0; piece < PIECES; piece++) windowDigits(BASE_DIGITS + <usize>piece * DIGIT_ROW, signature + 32, piece * PIECE_BITS, PIECE_BITS, BASE_WIDTH);
  multiplyBoth(addends, pieces, keyBits);
  encodePoint(ENCODED, SUM);
  for (let i: usize = 0; i < 32; i += 8) if (load<u64>(ENCODED + i) != load<u64>(signature + i)) return false;
  return !hasSmallOrder(SUM);
}

/** SUM = the sum of every digit times its addend times two to its place: one run of doublings serves all pieces. */
function multiplyBoth(addends: usize, pieces: i32, keyBits: i32): void {
  const base = basePiece(0);
  const columns = <usize>((1 << (BASE_WIDTH - 2)) * <i32>AFFINE);
  setNeutral(SUM);
  let place = keyBits;
  while (place >= 0 && !anyDigit(place, pieces)) place--;
  for (; place >= 0; place--) {
    double(SUM);
    if (!anyDigit(place, pieces)) {
      takeProjective(SUM);
      continue;
    }
    takePoint(SUM);
    for (let piece = 0; piece < pieces; piece++) {
      const digit: i32 = load<i8>(KEY_DIGITS + <usize>piece * DIGIT_ROW + <usize>place);
      if (digit == 0) continue;
      const table = addends + <usize>(piece * KEY_COLUMNS) * POINT;
      if (digit > 0) addPoint(SUM, table + <usize>(digit >> 1) * POINT);
      else subtractPoint(SUM, table + <usize>(-digit >> 1) * POINT);
      takePoint(SUM);
    }
    if (place > PIECE_BITS) continue;
    for (let piece = 0; piece < PIECES; piece++) {
      const digit: i32 = load<i8>(BASE_DIGITS + <usize>piece * DIGIT_ROW + <usize>place);
      if (digit == 0) continue;
      const table = base + <usize>piece * columns;
      if (digit > 0) addAffine(SUM, table + <usize>(digit >> 1) * AFFINE);
      else subtractAffine(SUM, table + <usize>(-digit >> 1) * AFFINE);
      takePoint(SUM);
    }
  }
}

function anyDigit(place: i32, pieces: i32): bool {
  let seen: i32 = 0;
  for (let piece = 0; piece < pieces; piece++) seen |= load<i8>(KEY_DIGITS + <usize>piece * DIGIT_ROW + <usize>place);
  if (place <= PIECE_BITS) for (let piece = 0; piece < PIECES; piece++) seen |= load<i8>(BASE_DIGITS + <usize>piece * DIGIT_ROW + <usize>place);
  return seen != 0;
}
