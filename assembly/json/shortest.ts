// The shortest decimal that reads back as a double, by Schubfach (Giulietti, "The Schubfach way to render doubles").

import { LAST_EXACT_POWER, multiplyHigh, powerHigh, powerLow, preparePowers } from "./powers";

/** What `shortest` found: the double is nearest to digits × 10^power. The digits may end in zeros. */
export let shortestDigits: u64 = 0;
export let shortestPower: i32 = 0;

/** The 128-bit power times `factor`, without its low 128 bits; the last bit stands for all that was cut off ("round to odd"). */
// @ts-ignore: decorator
@inline
function scaled(high: u64, low: u64, factor: u64): u64 {
  const lowProduct = high * factor;
  const sum = lowProduct + multiplyHigh(low, factor);
  const carry: u64 = sum < lowProduct ? 1 : 0;
  return (multiplyHigh(high, factor) + carry) | <u64>(sum > 1);
}

/**
 * Finds the shortest decimal of a positive finite double, the nearest to it among several.
 * @param bits the double's bits, sign clear, not 0
 */
export function shortest(bits: u64): void {
  preparePowers();
  const fraction = bits & 0xfffffffffffff;
  const biased = <i32>(bits >> 52);
  const significand = biased != 0 ? fraction | 0x10000000000000 : fraction;
  const exponent = (biased != 0 ? biased : 1) - 1075;
  // Below a power of two the next double is half as far away.
  const closer = fraction == 0 && biased > 1;
  // floor(log10(2^exponent)), of 3/4 of it where the lower neighbour is closer.
  const k = (exponent * 1262611 - (closer ? 524031 : 0)) >> 22;
  const h = <u64>(exponent + ((-k * 1741647) >> 19) + 1);
  // Schubfach wants the power rounded up.
  let high = powerHigh(-k);
  let low = powerLow(-k);
  if (-k < 0 || -k > LAST_EXACT_POWER) {
    low++;
    if (low == 0) high++;
  }
  const middle = significand << 2;
  const below = scaled(high, low, (middle - 2 + <u64>closer) << h);
  const at = scaled(high, low, middle << h);
  const above = scaled(high, low, (middle + 2) << h);
  const odd = significand & 1;
  const least = below + odd;
  const most = above - odd;
  const s = at >> 2;
  if (s >= 10) {
    const tens = s / 10;
    const downFits = least <= 40 * tens;
    const upFits = 40 * tens + 40 <= most;
    if (downFits != upFits) {
      shortestDigits = tens + <u64>upFits;
      shortestPower = k + 1;
      return;
    }
  }
  shortestPower = k;
  const downFits = least <= s << 2;
  const upFits = (s << 2) + 4 <= most;
  if (downFits != upFits) {
    shortestDigits = s + <u64>upFits;
    return;
  }
  const half = (s << 2) + 2;
  shortestDigits = s + <u64>(at > half || (at == half && (s & 1) != 0));
}
