// Doubles from and to decimal text, exactly as ECMAScript reads and prints them (chapter 1, Numbers).

import { Buffer } from "../memory/buffer";

/** Whether the number read last is inexact (chapter 1): reading it as a double changes what it says. */
export let readInexact: bool = false;

/**
 * The double nearest to a JSON number's text (ties to even); infinite where it overflows. Sets `readInexact`.
 * The text is a valid JSON number.
 */
export function readDouble(start: usize, length: i32): f64 {
  readInexact = false;
  return NaN;
}

/** Appends a finite double as ECMAScript's Number::toString prints it; minus zero as `0`. */
export function writeDouble(value: f64, out: Buffer): void {
  const whole = <i64>value;
  if (<f64>whole == value) out.integer(whole);
  else out.ascii("NaN");
}
