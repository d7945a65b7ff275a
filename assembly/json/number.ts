// Doubles from and to decimal text, exactly as ECMAScript reads and prints them (chapter 1, Numbers).

import { Buffer } from "../memory/buffer";
import { compareWithMiddle } from "./bignum";
import { LEAST_POWER, multiplyHigh, powerHigh, powerLow, preparePowers } from "./powers";
import { shortest, shortestDigits, shortestPower } from "./shortest";

/** Whether the number read last is inexact (chapter 1): reading it as a double changes what it says. */
export let readInexact: bool = false;

/** Exponents are read up to this size; beyond it every text within memory is 0 or overflows. */
const EXPONENT_MOST: i64 = 1000000000000;
const INFINITE: u64 = 0x7ff0000000000000;
const SIGNIFICAND: u64 = 0xfffffffffffff;
/** As many digits always fit an unsigned 64-bit integer. */
const DIGITS_TAKEN: i32 = 19;

const EXACT_POWERS: StaticArray<f64> = [
  1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/**
 * The double nearest to a JSON number's text (ties to even); infinite where it overflows. Sets `readInexact`.
 * The text is a valid JSON number. Time is linear in its length.
 */
export function readDouble(start: usize, length: i32): f64 {
  const end = start + <usize>length;
  const negative = load<u8>(start) == 0x2d;
  let at = negative ? start + 1 : start;
  // The value is taken × 10^power, and a little more where `more`. Digits are counted from the first that is not zero.
  let taken: u64 = 0;
  let digits = 0;
  let lastNonZero = 0;
  let power: i64 = 0;
  let firstDigit: usize = 0;
  let step: i64 = 0;
  let more = false;
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) {
      if (load<u8>(at) != 0x2e) break;
      step = 1;
      continue;
    }
    power -= step;
    if (digits == 0) {
      if (digit == 0) continue;
      firstDigit = at;
    }
    digits++;
    if (digit != 0) lastNonZero = digits;
    if (digits <= DIGITS_TAKEN) {
      taken = taken * 10 + <u64>digit;
    } else {
      power++;
      if (digit != 0) more = true;
    }
  }
  const digitsEnd = at;
  if (at < end) power += readExponent(at + 1, end);
  readInexact = false;
  if (taken == 0) return negative ? -0.0 : 0.0;
  const kept = min(digits, DIGITS_TAKEN);
  let bits: u64;
  if (power + <i64>kept > 310) bits = INFINITE;
  else if (power + <i64>kept < -330) bits = 0;
  else if (!more) bits = nearest(taken, <i32>power);
  else bits = nearestOfLong(taken, <i32>power, firstDigit, digitsEnd, digits);
  if (bits == 0 || bits == INFINITE) readInexact = true;
  else if (lastNonZero > 15 && power + <i64>(kept - lastNonZero) >= 0) readInexact = printsOtherwise(bits, taken, kept, lastNonZero, <i32>power);
  return reinterpret<f64>(negative ? bits | 0x8000000000000000 : bits);
}

/** An exponent's value from its sign or first digit on, held to ±EXPONENT_MOST. */
function readExponent(at: usize, end: usize): i64 {
  const sign = load<u8>(at);
  if (sign == 0x2b || sign == 0x2d) at++;
  let value: i64 = 0;
  for (; at < end; at++) {
    value = value * 10 + <i64>(load<u8>(at) - 0x30);
    if (value > EXPONENT_MOST) {
      value = EXPONENT_MOST;
      break;
    }
  }
  return sign == 0x2d ? -value : value;
}

/**
 * Whether an integer text of 16 or more significant digits is another number than the shortest decimal of its double.
 * (With up to 15 it never is: no two decimals of 15 digits share a double, and the shortest has no more digits than the text.)
 */
function printsOtherwise(bits: u64, taken: u64, kept: i32, significant: i32, power: i32): bool {
  if (significant > 17) return true;
  for (let i = kept; i > significant; i--) taken /= 10;
  shortest(bits);
  let printed = shortestDigits;
  let ten = shortestPower;
  while (printed % 10 == 0) {
    printed /= 10;
    ten++;
  }
  return printed != taken || ten != power + kept - significant;
}

/** The bits of the double nearest to a number with more digits than `taken` holds. */
function nearestOfLong(taken: u64, power: i32, firstDigit: usize, digitsEnd: usize, digits: i32): u64 {
  const least = nearest(taken, power);
  if (least == nearest(taken + 1, power)) return least;
  // The two are neighbours: exact comparison with the middle between them decides.
  const biased = <i32>(least >> 52);
  const significand = biased != 0 ? (least & SIGNIFICAND) | (SIGNIFICAND + 1) : least & SIGNIFICAND;
  const exponent = (biased != 0 ? biased : 1) - 1076;
  const order = compareWithMiddle(firstDigit, digitsEnd, power - (digits - DIGITS_TAKEN), (significand << 1) | 1, exponent);
  return order > 0 || (order == 0 && (least & 1) != 0) ? least + 1 : least;
}

/**
 * The bits of the double nearest to w × 10^q, w not 0 and at most 10^19 (Lemire, "Number parsing at a gigabyte per second";
 * that no fallback is needed: Mushtak and Lemire, "Fast number parsing without fallback").
 */
function nearest(w: u64, q: i32): u64 {
  if (w <= 9007199254740992 && q >= -22 && q <= 22) {
    // Both are exact doubles, so one operation rounds once.
    const whole = <f64>w;
    return reinterpret<u64>(q < 0 ? whole / unchecked(EXACT_POWERS[-q]) : whole * unchecked(EXACT_POWERS[q]));
  }
  if (q < LEAST_POWER) return 0;
  if (q > 308) return INFINITE;
  preparePowers();
  const zeros = <i32>clz(w);
  const factor = w << <u64>zeros;
  let powerTop = powerHigh(q);
  let powerRest = powerLow(q);
  // Small reciprocals are wanted rounded up, so that a quotient that is exact is not missed from below.
  if (q < 0 && q >= -27) {
    powerRest++;
    if (powerRest == 0) powerTop++;
  }
  let high = multiplyHigh(factor, powerTop);
  let low = factor * powerTop;
  if ((high & 0x1ff) == 0x1ff) {
    const extra = multiplyHigh(factor, powerRest);
    low += extra;
    if (low < extra) high++;
  }
  const top = <i32>(high >> 63);
  // 54 bits: the significand and one to round by.
  const shift = <u64>(top + 9);
  let significand = high >> shift;
  let exponent = ((217706 * q) >> 16) + 63 + top - zeros + 1023;
  if (exponent <= 0) {
    if (1 - exponent >= 64) return 0;
    significand >>= <u64>(1 - exponent);
    significand = (significand + (significand & 1)) >> 1;
    // Rounding up to 2^52 makes the least normal double, and the bits say so by themselves.
    return significand;
  }
  // A tie: only where the power is small can w × 10^q lie exactly in the middle.
  if (low <= 1 && q >= -4 && q <= 23 && (significand & 3) == 1 && significand << shift == high) significand &= ~(<u64>1);
  significand = (significand + (significand & 1)) >> 1;
  if (significand >= (<u64>1 << 53)) {
    significand = <u64>1 << 52;
    exponent++;
  }
  if (exponent >= 0x7ff) return INFINITE;
  return (significand & SIGNIFICAND) | (<u64>exponent << 52);
}

/** Two ASCII digits for each number below 100. */
const PAIRS: usize = memory.data<u8>([
  48, 48, 48, 49, 48, 50, 48, 51, 48, 52, 48, 53, 48, 54, 48, 55, 48, 56, 48, 57, 49, 48, 49, 49, 49, 50, 49, 51, 49, 52, 49, 53, 49, 54,
  49, 55, 49, 56, 49, 57, 50, 48, 50, 49, 50, 50, 50, 51, 50, 52, 50, 53, 50, 54, 50, 55, 50, 56, 50, 57, 51, 48, 51, 49, 51, 50, 51, 51,
  51, 52, 51, 53, 51, 54, 51, 55, 51, 56, 51, 57, 52, 48, 52, 49, 52, 50, 52, 51, 52, 52, 52, 53, 52, 54, 52, 55, 52, 56, 52, 57, 53, 48,
  53, 49, 53, 50, 53, 51, 53, 52, 53, 53, 53, 54, 53, 55, 53, 56, 53, 57, 54, 48, 54, 49, 54, 50, 54, 51, 54, 52, 54, 53, 54, 54, 54, 55,
  54, 56, 54, 57, 55, 48, 55, 49, 55, 50, 55, 51, 55, 52, 55, 53, 55, 54, 55, 55, 55, 56, 55, 57, 56, 48, 56, 49, 56, 50, 56, 51, 56, 52,
  56, 53, 56, 54, 56, 55, 56, 56, 56, 57, 57, 48, 57, 49, 57, 50, 57, 51, 57, 52, 57, 53, 57, 54, 57, 55, 57, 56, 57, 57,
]);

/** Eight digits of a number below 10^8, zeros in front. */
// @ts-ignore: decorator
@inline
function storeEight(at: usize, value: u32): void {
  const high = value / 10000;
  const low = value % 10000;
  store<u16>(at, load<u16>(PAIRS + (<usize>(high / 100) << 1)));
  store<u16>(at, load<u16>(PAIRS + (<usize>(high % 100) << 1)), 2);
  store<u16>(at, load<u16>(PAIRS + (<usize>(low / 100) << 1)), 4);
  store<u16>(at, load<u16>(PAIRS + (<usize>(low % 100) << 1)), 6);
}

/** The 24 digits of the number printed last, zeros in front. */
const scratch: usize = memory.data(24);

/** Writes a number below 10^17 to the end of `scratch`; returns where its first digit that is not zero stands. */
function storeDigits(value: u64): usize {
  const top = <u32>(value / 10000000000000000);
  const rest = value % 10000000000000000;
  store<u8>(scratch + 7, <u8>(0x30 + top));
  storeEight(scratch + 8, <u32>(rest / 100000000));
  storeEight(scratch + 16, <u32>(rest % 100000000));
  let at = scratch + 7;
  while (load<u8>(at) == 0x30) at++;
  return at;
}

/** The longest text: sign, 17 digits, point, "e-324"; `0.00000` and 17 digits; 21 digits. */
const LONGEST: i32 = 32;

/** Appends a finite double as ECMAScript's Number::toString prints it; minus zero as `0`. */
export function writeDouble(value: f64, out: Buffer): void {
  const begin = out.reserve(LONGEST);
  let to = begin;
  let bits = reinterpret<u64>(value);
  if (bits << 1 == 0) {
    store<u8>(to, 0x30);
    out.length++;
    return;
  }
  if (bits >> 63 != 0) {
    store<u8>(to++, 0x2d);
    bits &= 0x7fffffffffffffff;
  }
  const size = reinterpret<f64>(bits);
  let first: usize;
  let point: i32;
  if (size < 9007199254740992 && Math.trunc(size) == size) {
    first = storeDigits(<u64>size);
    point = <i32>(scratch + 24 - first);
  } else {
    shortest(bits);
    first = storeDigits(shortestDigits);
    point = <i32>(scratch + 24 - first) + shortestPower;
  }
  let last = scratch + 24;
  while (load<u8>(last - 1) == 0x30) last--;
  out.length += <i32>(layOut(to, first, <i32>(last - first), point) - begin);
}

/** Writes `digits` significant digits whose decimal point stands after the first `point` of them; returns the end. */
function layOut(to: usize, from: usize, digits: i32, point: i32): usize {
  if (point > 0 && point <= 21) {
    if (digits <= point) {
      memory.copy(to, from, <usize>digits);
      memory.fill(to + <usize>digits, 0x30, <usize>(point - digits));
      return to + <usize>point;
    }
    memory.copy(to, from, <usize>point);
    store<u8>(to + <usize>point, 0x2e);
    memory.copy(to + <usize>point + 1, from + <usize>point, <usize>(digits - point));
    return to + <usize>digits + 1;
  }
  if (point > -6 && point <= 0) {
    store<u16>(to, 0x2e30);
    memory.fill(to + 2, 0x30, <usize>-point);
    memory.copy(to + 2 + <usize>-point, from, <usize>digits);
    return to + 2 + <usize>(digits - point);
  }
  store<u8>(to++, load<u8>(from));
  if (digits > 1) {
    store<u8>(to++, 0x2e);
    memory.copy(to, from + 1, <usize>(digits - 1));
    to += <usize>(digits - 1);
  }
  store<u8>(to++, 0x65);
  let exponent = point - 1;
  store<u8>(to++, exponent < 0 ? 0x2d : 0x2b);
  if (exponent < 0) exponent = -exponent;
  if (exponent >= 100) store<u8>(to++, <u8>(0x30 + exponent / 100));
  if (exponent >= 10) store<u8>(to++, <u8>(0x30 + (exponent / 10) % 10));
  store<u8>(to++, <u8>(0x30 + exponent % 10));
  return to;
}
