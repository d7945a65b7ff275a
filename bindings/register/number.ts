// Tells whether reading a number's text as a double would change what it says (chapter 1, Numbers).

/** Why a number's text is inexact: too large, too small, or an integer that a double cannot hold. `null` where it is exact. */
export type Inexactness = 'overflow' | 'underflow' | 'integer' | null;

/**
 * Judges a decimal text (`-?digits[.digits][e[+-]digits]`, a leading `+`, `.5` and `1.` allowed) by chapter 1's rule.
 * The value it is read as is `Number(text)`.
 */
export function inexactness(text: string): Inexactness {
  const value = Number(text);
  const said = decimal(text);
  if (!Number.isFinite(value)) return 'overflow';
  if (said.digits === '') return null;
  if (value === 0) return 'underflow';
  if (said.exponent < 0) return null;
  const kept = decimal(String(value));
  return said.digits === kept.digits && said.exponent === kept.exponent ? null : 'integer';
}

/** A sentence that says what is wrong with an inexact number, and what to write instead. */
export function inexactMessage(text: string, why: Exclude<Inexactness, null>): { message: string; hint: string } {
  const shown = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  if (why === 'overflow') return { message: `${shown} is larger than a double can hold.`, hint: 'Write a smaller number, or leave the bound out.' };
  if (why === 'underflow') return { message: `${shown} is not zero, but a double would read it as zero.`, hint: 'Write 0, or a number of at least 5e-324.' };
  return {
    message: `${shown} is an integer that a double cannot hold: it would be read as ${String(Number(text))}.`,
    hint: 'Keep to integers from -9007199254740991 to 9007199254740991, or write the number that is meant as a string.',
  };
}

/** Significant digits without leading or trailing zeros, and the power of ten of the last one. */
function decimal(text: string): { digits: string; exponent: number } {
  const parts = /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts) return { digits: '', exponent: 0 };
  const fraction = parts[2] ?? '';
  const all = (parts[1] ?? '') + fraction;
  const trimmed = all.replace(/0+$/, '');
  const digits = trimmed.replace(/^0+/, '');
  return { digits, exponent: digits === '' ? 0 : Number(parts[3] ?? 0) - fraction.length + (all.length - trimmed.length) };
}
