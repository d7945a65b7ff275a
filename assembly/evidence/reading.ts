// Reading a text as a person's program would (chapter 5): its units, what each counts as, and where in the text it came from.
//
// A unit is a byte: an ASCII character, LETTER for any other letter, mark or digit, SYMBOL for a symbol, OTHER for anything else. A text
// of plain ASCII without escapes is its own units; of any other a copy is made, with, for each unit, where it begins and ends (u32 each).

import { afterCodePoint, codePointAt } from "../memory/bytes";
import { allocate } from "../memory/region";
import { escapeEnd, readEscape } from "./escapes";
import { isIgnored, lookalikeOf } from "./lookalikes";

/** The unit of a letter, mark or digit that is not ASCII. */
export const LETTER: u32 = 0x80;
/** The unit of anything else that is not ASCII: punctuation, invisible characters. */
export const OTHER: u32 = 0x81;
/** The unit of arrows, signs of mathematics, dingbats and emoji, of which a label may be made. */
export const SYMBOL: u32 = 0x82;

/** May stand in a label: letters, digits, hyphen. */
export const LABEL: u32 = 0x01;
export const DIGIT: u32 = 0x02;
export const HEX: u32 = 0x04;
/** May stand in a scheme: ASCII letters, digits, `+ . -`. */
export const SCHEME: u32 = 0x08;
/** May stand in the local part of an address: RFC 5322's atext and the dot. */
export const LOCAL: u32 = 0x10;
/** Ends a word: white space, controls, `" < >` and the backquote. */
export const END: u32 = 0x20;
export const ALPHA: u32 = 0x40;
/** Every kind of destination but localhost has one: `. : @ / \`. */
export const SIGN: u32 = 0x80;

/** By unit: the classes it is in. */
const CLASSES: usize = memory.data<u8>([
  0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
  0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
  0x20, 0x10, 0x20, 0x10, 0x10, 0x10, 0x10, 0x10, 0x00, 0x00, 0x10, 0x18, 0x00, 0x19, 0x98, 0x90,
  0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x1f, 0x80, 0x00, 0x20, 0x10, 0x20, 0x10,
  0x80, 0x5d, 0x5d, 0x5d, 0x5d, 0x5d, 0x5d, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59,
  0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x00, 0x80, 0x00, 0x10, 0x10,
  0x20, 0x5d, 0x5d, 0x5d, 0x5d, 0x5d, 0x5d, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59,
  0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x59, 0x10, 0x10, 0x10, 0x10, 0x20,
  0x51, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
]);

/** The units, how many they are, and where they came from (0 where a unit is its byte). */
let units: usize = 0;
let count: i32 = 0;
let places: usize = 0;
let skipped: bool = false;
let hiding: bool = false;
/** Units before this one came from an escape or precede one: they begin no other. */
let undone: i32 = 0;

/** The unit at `i`; beyond the end, a space. */
// @ts-ignore: decorator
@inline
export function unitAt(i: i32): u32 {
  return <u32>i < <u32>count ? load<u8>(units + <usize>i) : 0x20;
}

/** The classes of the unit at `i`. */
// @ts-ignore: decorator
@inline
export function classAt(i: i32): u32 {
  return load<u8>(CLASSES + <usize>unitAt(i));
}

/** The classes of an ASCII byte. */
// @ts-ignore: decorator
@inline
export function classOf(byte: u32): u32 {
  return load<u8>(CLASSES + <usize>byte);
}

/** How many units there are. */
// @ts-ignore: decorator
@inline
export function unitCount(): i32 {
  return count;
}

/** Where unit `i` begins in the text, in bytes. */
export function beginOf(i: i32): i32 {
  return places == 0 ? i : load<i32>(places + (<usize>i << 3));
}

/** Where unit `i` ends. */
export function endOf(i: i32): i32 {
  return places == 0 ? i + 1 : load<i32>(places + (<usize>i << 3), 4);
}

/** Whether the last reading skipped anything. */
export function skippedAny(): bool {
  return skipped;
}

/** Whether the last reading met what only a wide one undoes. */
export function mayHide(): bool {
  return hiding;
}

/** Whether units `from` … `to` are the lower-case ASCII text `literal`, letters without case. */
export function unitsAre(from: i32, to: i32, literal: string): bool {
  if (to - from != literal.length) return false;
  for (let i = 0; i < literal.length; i++) if (lower(unitAt(from + i)) != <u32>load<u16>(changetype<usize>(literal) + (<usize>i << 1))) return false;
  return true;
}

/** An ASCII letter's lower case; other units as they are. */
// @ts-ignore: decorator
@inline
export function lower(unit: u32): u32 {
  return unit - 0x41 < 26 ? unit + 0x20 : unit;
}

/** Takes a text that is plain: printable ASCII without `%`. */
export function readPlain(start: usize, length: i32): void {
  units = start;
  count = length;
  places = 0;
  skipped = false;
  hiding = false;
}

/**
 * Reads a text of valid UTF-8. Tabs, CR, LF and zero-width characters are skipped; full-width forms and compatibility dots count as
 * their ASCII; percent-escapes of ASCII are undone once. That is the chapter's reading. With `breaks`, what is skipped counts as a
 * space. With `wide`, also every other ignorable character is skipped, characters that names are read with as ASCII count as it, and
 * the escapes of JSON, JavaScript and HTML are undone.
 */
export function readText(start: usize, length: i32, breaks: bool, wide: bool): void {
  units = allocate(<usize>length);
  places = allocate(<usize>length << 3);
  count = 0;
  undone = 0;
  skipped = false;
  hiding = false;
  const end = start + <usize>length;
  let at = start;
  while (at < end) {
    let after = afterCodePoint(at);
    let character = <u32>codePointAt(at);
    if (character == 0x5c || character == 0x26) {
      const meant = readEscape(at, end);
      if (meant >= 0) {
        if (wide) {
          character = <u32>meant;
          after = escapeEnd();
        } else {
          hiding = true;
        }
      }
    }
    const from = <u32>(at - start);
    const to = <u32>(after - start);
    let unit = unitOf(character);
    if (unit >= LETTER && unit != SKIPPED) {
      if (wide) {
        let ascii = lookalikeOf(character);
        if (ascii != 0) {
          // No more units than the character has bytes.
          for (; ascii > 0xff; ascii >>= 8) append(ascii & 0xff, from, to);
          unit = ascii;
        } else if (isIgnored(character)) {
          unit = SKIPPED;
        }
      } else if (!hiding) {
        hiding = lookalikeOf(character) != 0 || isIgnored(character);
      }
    }
    if (unit == SKIPPED) skipped = true;
    if (unit != SKIPPED) append(unit, from, to);
    else if (breaks) append(0x20, from, to);
    at = after;
  }
}

/** Adds a unit that stands at `from` … `to` of the text. */
function append(unit: u32, from: u32, to: u32): void {
  store<u8>(units + <usize>count, <u8>unit);
  store<u32>(places + (<usize>count << 3), from);
  store<u32>(places + (<usize>count << 3), to, 4);
  count++;
  undoEscape();
}

/** Stands for no unit. */
const SKIPPED: u32 = 0x100;

/** The unit of a character, or SKIPPED. */
function unitOf(character: u32): u32 {
  if (character < 0x80) return character == 9 || character == 10 || character == 13 ? SKIPPED : character;
  if (character - 0xff01 <= 0x5d) return character - 0xfee0;
  if (character == 0x3002 || character == 0xff61) return 0x2e;
  if (character - 0x200b <= 2 || character == 0x2060 || character == 0xfeff || character == 0xad) return SKIPPED;
  if (character <= 0xa0 || character == 0x1680 || character - 0x2000 <= 0x0a || character - 0x2028 <= 1 || character == 0x202f || character == 0x205f || character == 0x3000) return 0x20;
  if (!isSymbol(character)) return LETTER;
  return character - 0x2190 < 0xa70 || character - 0x1f000 < 0xc00 ? SYMBOL : OTHER;
}

/** Whether a character is of the blocks of punctuation, symbols and controls rather than of letters, marks and digits. */
function isSymbol(character: u32): bool {
  if (character < 0x300) return (character < 0xc0 && character != 0xaa && character != 0xb5 && character != 0xba) || character == 0xd7 || character == 0xf7;
  if (character < 0x2000) return character == 0x37e || character == 0x387 || character == 0x589 || character == 0x5be || character == 0x60c || character == 0x61b || character == 0x61f || character == 0x6d4 || character == 0x964 || character == 0x965;
  if (character < 0x2e80) return character < 0x2070 || character - 0x20a0 < 0x30 || character - 0x2190 < 0x2d0 || character - 0x24ea < 0x716 || character >= 0x2e00;
  if (character < 0x3100) return character - 0x3001 < 4 || character - 0x3008 < 0x19 || character == 0x3030 || character - 0x303d < 4 || character == 0x30fb;
  if (character < 0x10000) return character - 0xd800 < 0x2100 || character - 0xfe10 < 0x10 || character - 0xfe30 < 0x40 || character > 0xff5e && (character < 0xff66 || character > 0xffdf);
  return character - 0x1f000 < 0xc00 || character >= 0xe0000;
}

/** Where the last three units are `%` and two digits of an ASCII byte, puts that byte in their place. It is not looked at again. */
function undoEscape(): void {
  if (count < 3) return;
  const last = units + <usize>count - 1;
  if (load<u8>(last - 2) != 0x25 || count - 3 < undone) return;
  const high: u32 = load<u8>(last - 1);
  const low: u32 = load<u8>(last);
  if (high - 0x30 > 7 || (classOf(low) & HEX) == 0) return;
  store<u8>(last - 2, <u8>(((high - 0x30) << 4) | hexValue(low)));
  const place = places + (<usize>(count - 3) << 3);
  store<u32>(place, load<u32>(place, 20), 4);
  count -= 2;
  undone = count;
}

/** The value of a hexadecimal digit. */
// @ts-ignore: decorator
@inline
export function hexValue(digit: u32): u32 {
  return digit < 0x40 ? digit - 0x30 : (digit | 0x20) - 0x57;
}
