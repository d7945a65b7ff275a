// Exact decimal arithmetic on number texts, for numbers that no double holds: comparing, dividing, hashing (chapter 4, the schema walk).
//
// A text is a valid JSON number of any length with any exponent. Exponents are never added up: only the difference of two
// matters, and that is worked out digit by digit and held to ±SATURATED.

import { allocate } from "../memory/region";
import { spend } from "../memory/steps";

/** Differences of exponents past this size are all the same to a text that fits memory. */
const SATURATED: i64 = 100000000000000000;

/** Base of the limbs of a long divisor. */
const BASE: u64 = 1000000000;
/** A divisor with so many digits leaves room for one digit more in 64 bits. */
const SHORT_DIVISOR: i32 = 18;

/** A text taken apart by `take`: value = digits × 10^power, no zero at either end of the digits. */
@unmanaged
class Decimal {
  negative: bool;
  /** Digits from the first to the last that is not zero; 0 for zero. */
  digits: i32;
  /** Where the first of them stands; a point may follow among them. */
  start: usize;
  /** The power of ten of the last of them, the text's exponent not counted. */
  power: i64;
  /** The exponent's digits after its leading zeros, and their sign; empty where there is none. */
  exponent: usize;
  exponentEnd: usize;
  exponentNegative: bool;
}

const first: Decimal = changetype<Decimal>(memory.data(offsetof<Decimal>(), 8));
const second: Decimal = changetype<Decimal>(memory.data(offsetof<Decimal>(), 8));

/**
 * Orders two numbers by their decimal values.
 * @returns negative, 0 or positive; `-0` and `0e9` are equal to `0`. Linear in the texts' lengths.
 */
export function compareDecimals(aStart: usize, aLength: i32, bStart: usize, bLength: i32): i32 {
  take(aStart, aLength, first);
  take(bStart, bLength, second);
  const aSign = signOf(first);
  const bSign = signOf(second);
  if (aSign != bSign) return aSign - bSign;
  if (aSign == 0) return 0;
  // The power of ten of the leading digit decides, then the digits.
  const tops = exponentDifference(first, second) + (first.power + <i64>first.digits) - (second.power + <i64>second.digits);
  if (tops != 0) return tops > 0 ? aSign : -aSign;
  let a = first.start;
  let b = second.start;
  const shorter = min(first.digits, second.digits);
  for (let i = 0; i < shorter; i++) {
    if (load<u8>(a) == 0x2e) a++;
    if (load<u8>(b) == 0x2e) b++;
    const order = <i32>load<u8>(a++) - <i32>load<u8>(b++);
    if (order != 0) return order > 0 ? aSign : -aSign;
  }
  if (first.digits == second.digits) return 0;
  return first.digits > second.digits ? aSign : -aSign;
}

/** Whether a number has no fraction: `1.0`, `1e2` and `120e-1` have none (JSON Schema's `integer`). */
export function isIntegral(start: usize, length: i32): bool {
  take(start, length, first);
  if (first.digits == 0) return true;
  return exponentDifference(first, null) + first.power >= 0;
}

/** A hash of the decimal value: `1`, `1.0` and `10e-1` have the same, and so have `0` and `-0.0`. */
export function hashDecimal(start: usize, length: i32): u32 {
  take(start, length, first);
  if (first.digits == 0) return 0;
  let hash: u32 = first.negative ? 0x9e3779b9 : 0x811c9dc5;
  const power = exponentDifference(first, null) + first.power;
  // Saturated powers of one value may differ by its digits' place; they share a hash.
  if (power > -(SATURATED >> 1) && power < SATURATED >> 1) hash = (hash ^ <u32>power) * 0x01000193;
  let at = first.start;
  for (let i = 0; i < first.digits; i++) {
    if (load<u8>(at) == 0x2e) at++;
    hash = (hash ^ <u32>load<u8>(at++)) * 0x01000193;
  }
  return hash ^ (hash >> 15);
}

/**
 * Whether `value` is a whole multiple of `divisor` (JSON Schema's `multipleOf`), by their decimal values; their signs do not matter.
 * Nothing but zero is a multiple of zero.
 *
 * Spends a step for each 16 digits and for each pair of limbs that is multiplied; false once the budget is passed (`exhausted`).
 */
export function isMultipleOf(valueStart: usize, valueLength: i32, divisorStart: usize, divisorLength: i32): bool {
  take(valueStart, valueLength, first);
  take(divisorStart, divisorLength, second);
  if (!spend(<i64>(valueLength >> 4) + <i64>(divisorLength >> 4))) return false;
  if (first.digits == 0) return true;
  if (second.digits == 0) return false;
  const shift = exponentDifference(first, second) + first.power - second.power;
  // The divisor's last digit stands above the value's, so the quotient ends in a fraction: the value's digits end in no zero.
  if (shift < 0) return false;
  // A × 10^shift must be a multiple of B. Zeros only matter for B's factors of two and five: no more than B has bits.
  const zeros = <i32>min(shift, (<i64>second.digits * 10) / 3 + 1);
  if (second.digits <= SHORT_DIVISOR) return divides(readShort(second), first, zeros);
  return dividesLong(second, first, zeros);
}

/** Takes a number's text apart. */
function take(start: usize, length: i32, into: Decimal): void {
  const end = start + <usize>length;
  let at = start;
  into.negative = load<u8>(at) == 0x2d;
  if (into.negative) at++;
  let from: usize = 0;
  let digits = 0;
  let kept = 0;
  let fraction: i64 = 0;
  let step: i64 = 0;
  let power: i64 = 0;
  for (; at < end; at++) {
    const c = load<u8>(at);
    if (c == 0x2e) {
      step = 1;
      continue;
    }
    if (c > 0x39) break;
    fraction += step;
    if (c != 0x30) {
      if (digits == 0) from = at;
      digits++;
      kept = digits;
      power = fraction;
    } else if (digits != 0) {
      digits++;
    }
  }
  into.start = from;
  into.digits = kept;
  // Whole digits after the last one kept: zeros, or none.
  into.power = power != 0 ? -power : <i64>(digits - kept) - fraction;
  into.exponent = end;
  into.exponentEnd = end;
  into.exponentNegative = false;
  if (at >= end) return;
  at++;
  into.exponentNegative = load<u8>(at) == 0x2d;
  if (load<u8>(at) < 0x30) at++;
  while (at < end && load<u8>(at) == 0x30) at++;
  into.exponent = at;
}

// @ts-ignore: decorator
@inline
function signOf(number: Decimal): i32 {
  return number.digits == 0 ? 0 : number.negative ? -1 : 1;
}

/** The difference of two texts' exponents (of nothing: 0), held to ±SATURATED × 10. */
function exponentDifference(a: Decimal, b: Decimal | null): i64 {
  const aDigits = a.exponentEnd - a.exponent;
  const bDigits: usize = b === null ? 0 : b.exponentEnd - b.exponent;
  const aSign: i64 = a.exponentNegative ? -1 : 1;
  const bSign: i64 = b !== null && b.exponentNegative ? -1 : 1;
  let difference: i64 = 0;
  for (let place = max(aDigits, bDigits); place > 0; place--) {
    difference *= 10;
    if (place <= aDigits) difference += aSign * <i64>(load<u8>(a.exponentEnd - place) - 0x30);
    if (b !== null && place <= bDigits) difference -= bSign * <i64>(load<u8>(b.exponentEnd - place) - 0x30);
    // From here on each step multiplies it by at least eight: it cannot come back.
    if (difference > SATURATED || difference < -SATURATED) return difference;
  }
  return difference;
}

/** The digits of a number that has no more than 18. */
function readShort(number: Decimal): u64 {
  let value: u64 = 0;
  let at = number.start;
  for (let i = 0; i < number.digits; i++) {
    if (load<u8>(at) == 0x2e) at++;
    value = value * 10 + <u64>(load<u8>(at++) - 0x30);
  }
  return value;
}

/** Whether the value's digits with `zeros` zeros after them are a multiple of a divisor below 10^18. */
function divides(divisor: u64, value: Decimal, zeros: i32): bool {
  if (divisor == 1) return true;
  let rest: u64 = 0;
  let at = value.start;
  for (let i = 0; i < value.digits; i++) {
    if (load<u8>(at) == 0x2e) at++;
    rest = rest * 10 + <u64>(load<u8>(at++) - 0x30);
    if (rest >= divisor) rest %= divisor;
  }
  for (let i = 0; i < zeros && rest != 0; i++) rest = (rest * 10) % divisor;
  return rest == 0;
}

/** The same with a divisor of any length: long division in base 10^9, keeping the remainder only (Knuth, volume 2, 4.3.1, algorithm D). */
function dividesLong(divisor: Decimal, value: Decimal, zeros: i32): bool {
  const limbs = (divisor.digits + 8) / 9;
  const chunks = (<i64>value.digits + <i64>zeros + 8) / 9;
  if (!spend(chunks * <i64>limbs)) return false;
  // Limbs stand least first. The divisor is aligned so that its first limb holds nine digits: a power of ten changes no remainder's being zero
  // as long as the value is multiplied by the same.
  const padding = limbs * 9 - divisor.digits;
  const v = allocate(<usize>limbs << 3);
  readLimbs(divisor, limbs, v);
  // Normalised: the leading limb is at least half the base.
  const scale = BASE / (load<u64>(v + (<usize>(limbs - 1) << 3)) + 1);
  scaleLimbs(v, limbs, scale);
  // The remainder, one limb longer; it begins as 0 and takes in nine digits a step.
  const rest = allocate(<usize>(limbs + 1) << 3);
  memory.fill(rest, 0, <usize>(limbs + 1) << 3);
  let at = value.start;
  let left: i64 = <i64>value.digits;
  const total = <i64>value.digits + <i64>zeros + <i64>padding;
  let size = <i32>(total % 9);
  if (size == 0) size = 9;
  for (let done: i64 = 0; done < total; size = 9) {
    let chunk: u64 = 0;
    for (let i = 0; i < size; i++) {
      let digit: u64 = 0;
      if (left > 0) {
        if (load<u8>(at) == 0x2e) at++;
        digit = <u64>(load<u8>(at++) - 0x30);
        left--;
      }
      chunk = chunk * 10 + digit;
    }
    takeChunk(rest, v, limbs, chunk * scale);
    done += size;
  }
  for (let i = 0; i <= limbs; i++) if (load<u64>(rest + (<usize>i << 3)) != 0) return false;
  return true;
}

/** Reads a number's digits into limbs, nine zeros or fewer appended so that the first limb is full. */
function readLimbs(number: Decimal, limbs: i32, to: usize): void {
  let at = number.start;
  let left = number.digits;
  for (let i = limbs - 1; i >= 0; i--) {
    let limb: u64 = 0;
    for (let k = 0; k < 9; k++) {
      limb *= 10;
      if (left == 0) continue;
      if (load<u8>(at) == 0x2e) at++;
      limb += <u64>(load<u8>(at++) - 0x30);
      left--;
    }
    store<u64>(to + (<usize>i << 3), limb);
  }
}

function scaleLimbs(number: usize, limbs: i32, factor: u64): void {
  let carry: u64 = 0;
  for (let i = 0; i < limbs; i++) {
    const at = number + (<usize>i << 3);
    carry += load<u64>(at) * factor;
    store<u64>(at, carry % BASE);
    carry /= BASE;
  }
}

/** rest = (rest × 10^9 + chunk) mod v, where rest is below v and has a limb more; `chunk` may be as large as 10^18. */
function takeChunk(rest: usize, v: usize, limbs: i32, chunk: u64): void {
  memory.copy(rest + 8, rest, <usize>limbs << 3);
  // The chunk was scaled like the divisor, so it may carry into the limbs above.
  store<u64>(rest, chunk % BASE);
  let carry = chunk / BASE;
  for (let i = 1; carry != 0; i++) {
    const at = rest + (<usize>i << 3);
    const sum = load<u64>(at) + carry;
    carry = sum >= BASE ? 1 : 0;
    store<u64>(at, sum >= BASE ? sum - BASE : sum);
  }
  const top = load<u64>(rest + (<usize>limbs << 3)) * BASE + load<u64>(rest + (<usize>(limbs - 1) << 3));
  // At most two too many.
  let quotient = min(top / load<u64>(v + (<usize>(limbs - 1) << 3)), BASE - 1);
  let borrow: i64 = 0;
  for (let i = 0; i < limbs; i++) {
    const at = rest + (<usize>i << 3);
    const less = <i64>load<u64>(at) - <i64>(quotient * load<u64>(v + (<usize>i << 3))) + borrow;
    let limb = less % <i64>BASE;
    borrow = less / <i64>BASE;
    if (limb < 0) {
      limb += <i64>BASE;
      borrow--;
    }
    store<u64>(at, <u64>limb);
  }
  let high = <i64>load<u64>(rest + (<usize>limbs << 3)) + borrow;
  while (high < 0) {
    let carryUp: u64 = 0;
    for (let i = 0; i < limbs; i++) {
      const at = rest + (<usize>i << 3);
      const sum = load<u64>(at) + load<u64>(v + (<usize>i << 3)) + carryUp;
      carryUp = sum >= BASE ? 1 : 0;
      store<u64>(at, sum >= BASE ? sum - BASE : sum);
    }
    high += <i64>carryUp;
  }
  store<u64>(rest + (<usize>limbs << 3), <u64>high);
}
