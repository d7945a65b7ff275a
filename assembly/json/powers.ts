// Powers of ten to 128 bits, worked out at first use: what reading and printing doubles multiply by.
//
// The entry of q is the top 128 bits of 5^q, truncated: 10^q = 5^q × 2^q, and the power of two is left to the exponent.
// Truncation is exact, since the powers are made by long multiplication and the reciprocals by long division.

/** The least power: below it every text of 19 digits reads as 0. */
export const LEAST_POWER: i32 = -342;
/** The greatest power: printing the least double multiplies by 10^324. */
export const GREATEST_POWER: i32 = 324;
/** Entries from 0 to this one are exact: 5^55 is the last power of five below 2^128. */
export const LAST_EXACT_POWER: i32 = 55;

/** 16 bytes a power: the low half, the high half. Zero bytes take no room in the module. */
const table: usize = memory.data(667 * 16);
/** Limbs (u32, least first) while the table is made; four of zero stand before the number. */
const limbs: usize = memory.data(36 * 4);
let made: bool = false;

/** The high half of the 128 bits of 5^q; `preparePowers` came before. */
// @ts-ignore: decorator
@inline
export function powerHigh(q: i32): u64 {
  return load<u64>(table + (<usize>(q - LEAST_POWER) << 4), 8);
}

/** The low half of the 128 bits of 5^q. */
// @ts-ignore: decorator
@inline
export function powerLow(q: i32): u64 {
  return load<u64>(table + (<usize>(q - LEAST_POWER) << 4));
}

/** Makes the table where it is not made yet. */
// @ts-ignore: decorator
@inline
export function preparePowers(): void {
  if (!made) makePowers();
}

function makePowers(): void {
  made = true;
  const number = limbs + 16;
  let length = 1;
  store<u32>(number, 1);
  for (let q = 0; q <= GREATEST_POWER; q++) {
    keepTop(q, length);
    let carry: u64 = 0;
    for (let i = 0; i < length; i++) {
      const at = number + (<usize>i << 2);
      carry += <u64>load<u32>(at) * 5;
      store<u32>(at, <u32>carry);
      carry >>= 32;
    }
    if (carry != 0) {
      store<u32>(number + (<usize>length << 2), <u32>carry);
      length++;
    }
  }
  // 2^960 over 5^342 has 166 bits left. Dividing by five again and again truncates as one division by the whole power would.
  memory.fill(number, 0, 31 * 4);
  length = 31;
  store<u32>(number + 30 * 4, 1);
  for (let q = -1; q >= LEAST_POWER; q--) {
    let rest: u64 = 0;
    for (let i = length - 1; i >= 0; i--) {
      const at = number + (<usize>i << 2);
      rest = (rest << 32) | <u64>load<u32>(at);
      store<u32>(at, <u32>(rest / 5));
      rest %= 5;
    }
    while (load<u32>(number + (<usize>(length - 1) << 2)) == 0) length--;
    keepTop(q, length);
  }
}

/** Keeps the top 128 bits of the number in `limbs` as the entry of q. */
function keepTop(q: i32, length: i32): void {
  const top = limbs + 16 + (<usize>(length - 1) << 2);
  const shift: u64 = clz(load<u32>(top));
  const a = (<u64>load<u32>(top) << 32) | <u64>load<u32>(top - 4);
  const b = (<u64>load<u32>(top - 8) << 32) | <u64>load<u32>(top - 12);
  const c = <u64>load<u32>(top - 16);
  const entry = table + (<usize>(q - LEAST_POWER) << 4);
  store<u64>(entry, (b << shift) | (c >> (32 - shift)));
  store<u64>(entry, shift == 0 ? a : (a << shift) | (b >> (64 - shift)), 8);
}

/** The high half of a 64 × 64-bit product. */
// @ts-ignore: decorator
@inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const al = a & 0xffffffff;
  const ah = a >> 32;
  const bl = b & 0xffffffff;
  const bh = b >> 32;
  const mixed = ah * bl + ((al * bl) >> 32);
  return ah * bh + (mixed >> 32) + ((al * bh + (mixed & 0xffffffff)) >> 32);
}
