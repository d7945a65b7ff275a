// Points of the Ed25519 curve: adding, doubling, reading and writing them.
//
//   point (160 bytes):     +0 X   +40 Y   +80 Z   +120 T      x = X/Z, y = Y/Z, T = X Y/Z
//   addend (160 bytes):    +0 Y+X +40 Y-X +80 2 Z +120 2 d T  what is added to a point
//   affine addend (128):   +0 y+x +40 y-x +80 2 d x y         the same where Z is 1; the last 8 bytes are padding
//
// A sum or double first stands in four factors E F G H, with X = E F, Y = G H, Z = F G, T = E H; a doubling needs no T, so it
// is made only where an addition follows.

import {
  CURVE_2D, CURVE_D, FIELD, ROOT_OF_MINUS_ONE,
  add, copy, fromBytes, invert, isOdd, isZero, multiply, negate, rootPower, setSmall, square, subtract, toBytes,
} from "./field";

/** Bytes of a point, and of an addend. */
export const POINT: usize = 160;
/** Bytes of an affine addend. */
export const AFFINE: usize = 128;

const Y: usize = 40;
const Z: usize = 80;
const T: usize = 120;

/** The base point (RFC 8032 section 5.1). */
export const BASE: usize = memory.data<i32>([
  0x325d51a, 0x18b5823, 0xf6592a, 0x104a92d, 0x1a4b31d, 0x1d6dc5c, 0x27118fe, 0x7fd814, 0x13cd6e5, 0x85a4db,
  0x2666658, 0x1999999, 0xcccccc, 0x1333333, 0x1999999, 0x666666, 0x3333333, 0xcccccc, 0x2666666, 0x1999999,
  1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0x1b7dda3, 0x1a2ace9, 0x25eadbb, 0x3ba8a, 0x83c27e, 0xabe37d, 0x1274732, 0xccacdd, 0xfd78b7, 0x19e1d7c,
], 16);

const E: usize = memory.data(40, 16);
const F: usize = memory.data(40, 16);
const G: usize = memory.data(40, 16);
const H: usize = memory.data(40, 16);
const U: usize = memory.data(40, 16);
const V: usize = memory.data(40, 16);
const W: usize = memory.data(40, 16);

/** The neutral point. */
export function setNeutral(point: usize): void {
  setSmall(point, 0);
  setSmall(point + Y, 1);
  setSmall(point + Z, 1);
  setSmall(point + T, 0);
}

/** Takes the point out of E F G H, without T. */
export function takeProjective(point: usize): void {
  multiply(point, E, F);
  multiply(point + Y, G, H);
  multiply(point + Z, F, G);
}

/** Takes the point out of E F G H. */
export function takePoint(point: usize): void {
  takeProjective(point);
  multiply(point + T, E, H);
}

/** E F G H = 2 point. T is not looked at. */
export function double(point: usize): void {
  square(U, point);
  square(V, point + Y);
  square(W, point + Z);
  add(E, point, point + Y);
  square(E, E);
  subtract(G, V, U);
  add(H, U, V);
  subtract(E, E, H);
  negate(H, H);
  subtract(F, G, W);
  subtract(F, F, W);
}

/** E F G H = point + addend. */
export function addPoint(point: usize, addend: usize): void {
  multiply(W, point + Z, addend + Z);
  sumFactors(point, addend, addend + Y, addend + T);
  subtract(F, W, V);
  add(G, W, V);
}

/** E F G H = point - addend. */
export function subtractPoint(point: usize, addend: usize): void {
  multiply(W, point + Z, addend + Z);
  sumFactors(point, addend + Y, addend, addend + T);
  add(F, W, V);
  subtract(G, W, V);
}

/** E F G H = point + affine addend. */
export function addAffine(point: usize, addend: usize): void {
  add(W, point + Z, point + Z);
  sumFactors(point, addend, addend + Y, addend + 80);
  subtract(F, W, V);
  add(G, W, V);
}

/** E F G H = point - affine addend. */
export function subtractAffine(point: usize, addend: usize): void {
  add(W, point + Z, point + Z);
  sumFactors(point, addend + Y, addend, addend + 80);
  add(F, W, V);
  subtract(G, W, V);
}

/** E, H and V = T times `product`: what the four additions share. */
function sumFactors(point: usize, plus: usize, minus: usize, product: usize): void {
  subtract(U, point + Y, point);
  multiply(U, U, minus);
  add(V, point + Y, point);
  multiply(V, V, plus);
  subtract(E, V, U);
  add(H, V, U);
  multiply(V, point + T, product);
}

/** Makes a point an addend. */
export function toAddend(addend: usize, point: usize): void {
  add(addend, point + Y, point);
  subtract(addend + Y, point + Y, point);
  add(addend + Z, point + Z, point + Z);
  multiply(addend + T, point + T, CURVE_2D);
}

/** Makes `count` points affine addends, with one inversion for all: `scratch` holds FIELD bytes for each. */
export function toAffine(addends: usize, points: usize, count: i32, scratch: usize): void {
  // scratch[i] = Z0 … Zi; then from the last down, U = 1/(Z0 … Zi).
  copy(scratch, points + Z);
  for (let i: usize = 1; i < <usize>count; i++) multiply(scratch + i * FIELD, scratch + (i - 1) * FIELD, points + i * POINT + Z);
  invert(U, scratch + <usize>(count - 1) * FIELD);
  for (let i = <usize>count - 1; ; i--) {
    const point = points + i * POINT;
    const addend = addends + i * AFFINE;
    if (i == 0) copy(V, U);
    else multiply(V, U, scratch + (i - 1) * FIELD);
    multiply(U, U, point + Z);
    multiply(E, point, V);
    multiply(F, point + Y, V);
    add(addend, F, E);
    subtract(addend + Y, F, E);
    multiply(addend + 80, E, F);
    multiply(addend + 80, addend + 80, CURVE_2D);
    store<u64>(addend, 0, 120);
    if (i == 0) break;
  }
}

/** Writes the odd multiples 1, 3, 5 … of a point as `count` points. */
export function oddMultiples(points: usize, point: usize, count: i32): void {
  memory.copy(points, point, POINT);
  double(point);
  takePoint(TWICE);
  toAddend(TWICE_ADDEND, TWICE);
  for (let i: usize = 1; i < <usize>count; i++) {
    addPoint(points + (i - 1) * POINT, TWICE_ADDEND);
    takePoint(points + i * POINT);
  }
}

const TWICE: usize = memory.data(160, 16);
const TWICE_ADDEND: usize = memory.data(160, 16);

/** point = 2^count point. */
export function doubleTimes(point: usize, count: i32): void {
  for (let i = 1; i < count; i++) {
    double(point);
    takeProjective(point);
  }
  double(point);
  takePoint(point);
}

/** Whether a point's order divides 8: x = 0, y = 0, or (as twice it then has y = 0) x^2 + y^2 = 0. T is not looked at. */
export function hasSmallOrder(point: usize): bool {
  if (isZero(point) || isZero(point + Y)) return true;
  square(U, point);
  square(V, point + Y);
  add(U, U, V);
  return isZero(U);
}

/** Writes the 32 bytes that encode a point (RFC 8032 section 5.1.2). T is not looked at. */
export function encodePoint(out: usize, point: usize): void {
  invert(U, point + Z);
  multiply(V, point, U);
  multiply(W, point + Y, U);
  toBytes(out, W);
  if (isOdd(V)) store<u8>(out, load<u8>(out, 31) | 0x80, 31);
}

const REENCODED: usize = memory.data(32, 8);

/**
 * Reads an encoded point (RFC 8032 section 5.1.3) strictly: false where y is not below p, where no x belongs to it, and where
 * the sign of x = 0 is set.
 */
export function decodePoint(point: usize, bytes: usize): bool {
  const sign = load<u8>(bytes, 31) >> 7;
  fromBytes(point + Y, bytes);
  toBytes(REENCODED, point + Y);
  store<u8>(REENCODED, load<u8>(REENCODED, 31) | (sign << 7), 31);
  for (let i: usize = 0; i < 32; i += 8) if (load<u64>(REENCODED + i) != load<u64>(bytes + i)) return false;

  // x^2 = u/v with u = y^2 - 1, v = d y^2 + 1; the candidate root is u v^3 (u v^7)^((p-5)/8).
  setSmall(point + Z, 1);
  square(U, point + Y);
  multiply(V, U, CURVE_D);
  subtract(U, U, point + Z);
  add(V, V, point + Z);
  square(W, V);
  multiply(W, W, V);
  square(E, W);
  multiply(E, E, V);
  multiply(E, E, U);
  rootPower(E, E);
  multiply(E, E, W);
  multiply(point, E, U);

  square(E, point);
  multiply(E, E, V);
  subtract(F, E, U);
  if (!isZero(F)) {
    add(F, E, U);
    if (!isZero(F)) return false;
    multiply(point, point, ROOT_OF_MINUS_ONE);
  }
  if (isZero(point) && sign != 0) return false;
  if (isOdd(point) != (sign != 0)) negate(point, point);
  multiply(point + T, point, point + Y);
  return true;
}

/** point = -point. */
export function negatePoint(point: usize): void {
  negate(point, point);
  negate(point + T, point + T);
}
