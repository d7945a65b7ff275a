// Whole numbers of a few thousand bits: decides a decimal text against the middle between two doubles.

/** 192 limbs of 32 bits each, least first: a text of 801 digits needs 84, a middle of that size with its powers no more than 90. */
const left: usize = memory.data(192 * 4);
const right: usize = memory.data(192 * 4);
let leftLength: i32 = 0;
let rightLength: i32 = 0;

/** Digits past this many only count as "more than nothing": no middle between two doubles has more than 767. */
const DIGITS_KEPT: i32 = 800;

/** number × factor + more, in place; returns the new length. */
function multiplyAdd(number: usize, length: i32, factor: u32, more: u32): i32 {
  let carry: u64 = more;
  for (let i = 0; i < length; i++) {
    const at = number + (<usize>i << 2);
    carry += <u64>load<u32>(at) * <u64>factor;
    store<u32>(at, <u32>carry);
    carry >>= 32;
  }
  if (carry == 0) return length;
  store<u32>(number + (<usize>length << 2), <u32>carry);
  return length + 1;
}

/** number × 5^power. */
function multiplyByFives(number: usize, length: i32, power: i32): i32 {
  for (; power >= 13; power -= 13) length = multiplyAdd(number, length, 1220703125, 0);
  let factor: u32 = 1;
  for (; power > 0; power--) factor *= 5;
  return factor == 1 ? length : multiplyAdd(number, length, factor, 0);
}

/** number × 2^bits. */
function shiftLeft(number: usize, length: i32, bits: i32): i32 {
  const whole = bits >> 5;
  if (length == 0) return 0;
  if ((bits & 31) != 0) length = multiplyAdd(number, length, <u32>1 << (bits & 31), 0);
  if (whole != 0) {
    memory.copy(number + (<usize>whole << 2), number, <usize>length << 2);
    memory.fill(number, 0, <usize>whole << 2);
  }
  return length + whole;
}

/** Reads the digits of a number's text from `at` (a non-zero one) to `end`, a point among them skipped; returns how many of them it left out. */
function readDigits(at: usize, end: usize): i32 {
  let kept = 0;
  let dropped = 0;
  let more = false;
  let chunk: u32 = 0;
  let scale: u32 = 1;
  leftLength = 0;
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) continue;
    if (kept == DIGITS_KEPT) {
      dropped++;
      if (digit != 0) more = true;
      continue;
    }
    kept++;
    chunk = chunk * 10 + digit;
    scale *= 10;
    if (scale == 1000000000) {
      leftLength = multiplyAdd(left, leftLength, scale, chunk);
      chunk = 0;
      scale = 1;
    }
  }
  // One digit more stands for all that was left out, so that the sum is above what was kept and below its successor.
  if (more) {
    chunk = chunk * 10 + 1;
    scale *= 10;
    dropped--;
  }
  if (scale != 1) leftLength = multiplyAdd(left, leftLength, scale, chunk);
  return dropped;
}

/**
 * Compares a decimal text with a middle between two doubles: negative, 0 or positive.
 * @param at the text's first digit that is not zero
 * @param end where its digits end; a point may stand among them
 * @param power the power of ten of the last digit; the text's value lies within the doubles' range
 * @param middle the middle's significand, at most 54 bits
 * @param exponent its power of two
 */
export function compareWithMiddle(at: usize, end: usize, power: i32, middle: u64, exponent: i32): i32 {
  const ten = power + readDigits(at, end);
  store<u64>(right, middle);
  rightLength = middle >> 32 != 0 ? 2 : 1;
  // digits × 5^ten × 2^ten against middle × 2^exponent, each power on the side where it is no divisor.
  if (ten >= 0) leftLength = multiplyByFives(left, leftLength, ten);
  else rightLength = multiplyByFives(right, rightLength, -ten);
  const two = ten - exponent;
  if (two >= 0) leftLength = shiftLeft(left, leftLength, two);
  else rightLength = shiftLeft(right, rightLength, -two);
  if (leftLength != rightLength) return leftLength - rightLength;
  for (let i = leftLength - 1; i >= 0; i--) {
    const a = load<u32>(left + (<usize>i << 2));
    const b = load<u32>(right + (<usize>i << 2));
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}
