// Exact decimal numbers read from their texts, compared and divided without a double in between.

/** The number `digits × 10^exponent`; `digits` carries the sign. Zero is `{0n, 0}` and other numbers end in no zero. */
export interface Decimal {
  digits: bigint;
  exponent: bigint;
}

/** Reads a text of JSON's number grammar. */
export function decimal(text: string): Decimal {
  const m = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (!m) throw new Error(`not a number's text: ${text}`);
  const fraction = m[3] ?? '';
  const whole = (m[2]! + fraction).replace(/^0+(?=.)/, '');
  const stripped = whole.replace(/0+$/, '');
  if (stripped === '') return { digits: 0n, exponent: 0n };
  const exponent = BigInt((m[4] ?? '0').replace('+', '')) - BigInt(fraction.length) + BigInt(whole.length - stripped.length);
  return { digits: BigInt(m[1]! + stripped), exponent };
}

export const isInteger = (a: Decimal): boolean => a.exponent >= 0n;

/** The same number has the same key. */
export const decimalKey = (a: Decimal): string => `${a.digits}e${a.exponent}`;

/** -1, 0 or 1. Powers of ten are only written out where the magnitudes are near. */
export function compareDecimal(a: Decimal, b: Decimal): number {
  const signA = a.digits < 0n ? -1 : a.digits > 0n ? 1 : 0;
  const signB = b.digits < 0n ? -1 : b.digits > 0n ? 1 : 0;
  if (signA !== signB) return signA < signB ? -1 : 1;
  if (signA === 0) return 0;
  const topA = magnitude(a);
  const topB = magnitude(b);
  if (topA !== topB) return topA < topB === signA > 0 ? -1 : 1;
  const low = a.exponent < b.exponent ? a.exponent : b.exponent;
  const x = a.digits * 10n ** (a.exponent - low);
  const y = b.digits * 10n ** (b.exponent - low);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The power of ten just above the number's size. */
function magnitude(a: Decimal): bigint {
  const size = a.digits < 0n ? -a.digits : a.digits;
  return BigInt(size.toString().length) + a.exponent;
}

/** Whether `a` is a whole multiple of `b`, which is not zero. */
export function isMultiple(a: Decimal, b: Decimal): boolean {
  if (a.digits === 0n) return true;
  const shift = a.exponent - b.exponent;
  if (shift >= 0n) {
    // a × 10^shift modulo b's digits, by repeated squaring so that a large exponent costs little.
    const modulus = b.digits < 0n ? -b.digits : b.digits;
    return (a.digits * powerModulo(10n, shift, modulus)) % modulus === 0n;
  }
  // b has powers of ten to spare, and a does not end in a zero: ten divides 10^-shift × b's digits, so it must divide a's.
  return false;
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (let b = base % modulus, e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % modulus;
    b = (b * b) % modulus;
  }
  return result;
}

/** The double nearest to a number's text, or null where reading it so would change what it says (chapter 1, "Numbers"). */
export function exactDouble(text: string): number | null {
  const value = Number(text);
  const said = decimal(text);
  if (!Number.isFinite(value)) return null;
  if (value === 0) return said.digits === 0n ? value : null;
  if (!isInteger(said)) return value;
  const printed = decimal(String(value).replace('e+', 'e'));
  return isInteger(printed) && compareDecimal(printed, said) !== 0 ? null : value;
}
