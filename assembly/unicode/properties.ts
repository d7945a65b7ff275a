// Asks the Unicode tables: the ranges of a property named as in \p{…}, letters and digits, identifiers.

import { allocateCleared, createRegion, enterRegion } from "../memory/region";
import { equalAscii, equalBytes } from "../memory/bytes";
import {
  BINARY_NAMES, BINARY_PROPERTIES, CATEGORY_GROUP_MASKS, CATEGORY_GROUP_NAMES, CATEGORY_NAMES, CATEGORY_RUNS, EXTENSION_LISTS, EXTENSION_RUNS,
  ID_CONTINUE, ID_START, SCRIPT_NAMES, SCRIPT_RUNS, UNKNOWN_SCRIPT,
} from "./properties.gen";
import { LAST_CODE_POINT, RangeList } from "./ranges";

const CODE_POINTS: u32 = LAST_CODE_POINT + 1;
/** The categories of letters (Lu, Ll, Lt, Lm, Lo) and of numbers (Nd, Nl, No), a bit each. */
const LETTERS: u32 = 0x1f;
const NUMBERS: u32 = 0x700;
/** The category of unassigned code points (Cn). */
const UNASSIGNED: u32 = 0x20000000;
/** From this number on, a run's category stands for Lu and Ll in turn. */
const TURNS: u32 = 30;
/** The category of currency signs (Sc). */
const CURRENCY: u32 = 0x80000;

/** What the last readVariable read past. */
let variableEnd: usize = 0;

/** A number of seven bits a byte, the lowest first. */
function readVariable(at: usize): u32 {
  let value: u32 = 0;
  let shift: u32 = 0;
  while (true) {
    const byte: u32 = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
    shift += 7;
  }
  variableEnd = at;
  return value;
}

/** The number that a table of names gives a name, or -1. */
function lookUp(names: usize, start: usize, length: i32): i32 {
  let at = names;
  let number = -1;
  while (true) {
    const byte: i32 = load<u8>(at);
    if (byte == 0) return -1;
    const size = byte & 0x7f;
    if (byte < 0x80) number++;
    if (equalBytes(at + 1, size, start, length)) return number;
    at += <usize>size + 1;
  }
}

/** Adds the code points of the categories in `mask`, in order. */
function addCategories(mask: u32, into: RangeList): void {
  let at = CATEGORY_RUNS;
  let first: u32 = 0;
  while (first < CODE_POINTS) {
    const byte: u32 = load<u8>(at++);
    let length = byte >> 5;
    if (length == 0) {
      length = readVariable(at) + 8;
      at = variableEnd;
    }
    const category = byte & 31;
    if (category >= TURNS) {
      for (let i: u32 = 0; i < length; i++) {
        if ((mask >> ((category - TURNS + i) & 1)) & 1) into.add(first + i, first + i);
      }
    } else if ((mask >> category) & 1) {
      into.add(first, first + length - 1);
    }
    first += length;
  }
}

/** The mask of a category or group of categories, or 0. */
function categoryMask(start: usize, length: i32): u32 {
  const category = lookUp(CATEGORY_NAMES, start, length);
  if (category >= 0) return (<u32>1) << category;
  const group = lookUp(CATEGORY_GROUP_NAMES, start, length);
  return group >= 0 ? load<u32>(CATEGORY_GROUP_MASKS + (<usize>group << 2)) : 0;
}

function addBinary(index: i32, into: RangeList): void {
  let at = BINARY_PROPERTIES;
  for (let i = 0; i < index; i++) {
    at += 4;
    while (load<u8>(at) != 0) {
      readVariable(at);
      at = variableEnd;
    }
    at++;
  }
  const base = new RangeList(64);
  addCategories(load<u32>(at), base);
  base.normalise();
  at += 4;
  // The property is the base's changes of membership and the table's, less those that are in both.
  let change: u32 = 0;
  let changes = load<u8>(at) != 0;
  if (changes) {
    change = readVariable(at) - 1;
    at = variableEnd;
  }
  let side = 0;
  let inside = false;
  let from: u32 = 0;
  while (changes || side < base.count << 1) {
    let baseChange = CODE_POINTS;
    if (side < base.count << 1) baseChange = side & 1 ? base.last(side >> 1) + 1 : base.first(side >> 1);
    const here = changes ? min(change, baseChange) : baseChange;
    const fromTable = changes && change == here;
    const fromBase = baseChange == here && side < base.count << 1;
    if (fromBase) side++;
    if (fromTable) {
      changes = load<u8>(at) != 0;
      if (changes) {
        change += readVariable(at) - 1;
        at = variableEnd;
      }
    }
    if (fromTable != fromBase) {
      if (inside) into.add(from, here - 1);
      inside = !inside;
      from = here;
    }
  }
  if (inside && from < CODE_POINTS) into.add(from, LAST_CODE_POINT);
}

/** Whether list `number` of EXTENSION_LISTS names a script. */
function listHas(number: u32, script: u32): bool {
  let at = EXTENSION_LISTS;
  for (let i: u32 = 1; i < number; i++) at += <usize>load<u8>(at) + 1;
  const count: u32 = load<u8>(at);
  for (let i: u32 = 1; i <= count; i++) if (<u32>load<u8>(at + <usize>i) == script) return true;
  return false;
}

/** Adds the code points of a script, or those whose script extensions name it. */
function addScript(script: u32, extensions: bool, into: RangeList): void {
  const unassigned = new RangeList(1024);
  addCategories(UNASSIGNED, unassigned);
  let gap = 0;
  let at = SCRIPT_RUNS;
  let extension = EXTENSION_RUNS;
  let own: u32 = 0;
  let list: u32 = 0;
  let ownEnd: u32 = 0;
  let listEnd: u32 = 0;
  let first: u32 = 0;
  while (first < CODE_POINTS) {
    if (first == ownEnd) {
      ownEnd += readVariable(at);
      at = variableEnd;
      own = load<u8>(at++);
    }
    if (first == listEnd) {
      listEnd += readVariable(extension);
      extension = variableEnd;
      list = load<u8>(extension++);
    }
    while (gap < unassigned.count && unassigned.last(gap) < first) gap++;
    const inGap = gap < unassigned.count && unassigned.first(gap) <= first;
    const gapEnd = gap == unassigned.count ? CODE_POINTS : inGap ? unassigned.last(gap) + 1 : unassigned.first(gap);
    const next = min(min(ownEnd, listEnd), gapEnd);
    const known = inGap ? UNKNOWN_SCRIPT : own;
    if (extensions && list != 0 ? listHas(list, script) : known == script) into.add(first, next - 1);
    first = next;
  }
}

/**
 * Adds the ranges of a Unicode property, named as between the braces of \p{name} or \p{name=value} in ECMA-262.
 * In: ASCII bytes; `valueLength` is -1 where there is no `=`. Out: false where there is no such property.
 */
export function addProperty(name: usize, nameLength: i32, value: usize, valueLength: i32, into: RangeList): bool {
  if (valueLength < 0) {
    const mask = categoryMask(name, nameLength);
    if (mask != 0) {
      addCategories(mask, into);
      return true;
    }
    const binary = lookUp(BINARY_NAMES, name, nameLength);
    if (binary < 0) return false;
    addBinary(binary, into);
    return true;
  }
  if (equalAscii(name, nameLength, "General_Category") || equalAscii(name, nameLength, "gc")) {
    const mask = categoryMask(value, valueLength);
    if (mask == 0) return false;
    addCategories(mask, into);
    return true;
  }
  const extensions = equalAscii(name, nameLength, "Script_Extensions") || equalAscii(name, nameLength, "scx");
  if (!extensions && !equalAscii(name, nameLength, "Script") && !equalAscii(name, nameLength, "sc")) return false;
  const script = lookUp(SCRIPT_NAMES, value, valueLength);
  if (script < 0) return false;
  addScript(script, extensions, into);
  return true;
}

/** No letter stands at or after this code point, and no number at or after the second (a test asks them all). */
const LETTER_BITS: u32 = 0x34000;
const NUMBER_BITS: u32 = 0x20000;
/** A bit a code point: whether it is a letter or number, whether it is a number. Filled once, in a region of its own that stays. */
let letterBits: usize = 0;
let numberBits: usize = 0;
let currencySigns: RangeList = changetype<RangeList>(0);

function fillBits(mask: u32, size: u32): usize {
  const bits = allocateCleared(<usize>size >> 3);
  const ranges = new RangeList(1024);
  addCategories(mask, ranges);
  for (let i = 0; i < ranges.count; i++) {
    const last = min(ranges.last(i), size - 1);
    for (let c = ranges.first(i); c <= last; c++) {
      const at = bits + <usize>(c >> 3);
      store<u8>(at, load<u8>(at) | <u8>((<u32>1) << (c & 7)));
    }
  }
  return bits;
}

function fill(): void {
  const owner = enterRegion(createRegion());
  letterBits = fillBits(LETTERS | NUMBERS, LETTER_BITS);
  numberBits = fillBits(NUMBERS, NUMBER_BITS);
  currencySigns = new RangeList(32);
  addCategories(CURRENCY, currencySigns);
  if (owner != 0) enterRegion(owner);
}

// @ts-ignore: decorator
@inline
function hasBit(bits: usize, codePoint: i32): bool {
  return <bool>((load<u8>(bits + <usize>(codePoint >> 3)) >> (codePoint & 7)) & 1);
}

/** Whether a code point is a letter or digit: of general category L* or N* (chapter 4, "As typed"). */
export function isLetterOrDigit(codePoint: i32): bool {
  if (codePoint < 0x80) {
    const lower = codePoint | 0x20;
    return (codePoint >= 0x30 && codePoint <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
  }
  if (letterBits == 0) fill();
  return <u32>codePoint < LETTER_BITS && hasBit(letterBits, codePoint);
}

/** Whether a code point is a digit in that sense: of general category N*. */
export function isDigit(codePoint: i32): bool {
  if (codePoint < 0x80) return codePoint >= 0x30 && codePoint <= 0x39;
  if (numberBits == 0) fill();
  return <u32>codePoint < NUMBER_BITS && hasBit(numberBits, codePoint);
}

/** Whether a code point is a currency sign: of general category Sc. */
export function isCurrencySign(codePoint: i32): bool {
  if (codePoint < 0x80) return codePoint == 0x24;
  if (letterBits == 0) fill();
  for (let i = 0; i < currencySigns.count; i++) {
    if (<u32>codePoint <= currencySigns.last(i)) return <u32>codePoint >= currencySigns.first(i);
  }
  return false;
}

/** Whether a code point has the binary property of a number; slow, for rare questions. */
function hasBinary(property: i32, codePoint: i32): bool {
  const ranges = new RangeList(512);
  addBinary(property, ranges);
  for (let i = 0; i < ranges.count; i++) if (<u32>codePoint <= ranges.last(i)) return <u32>codePoint >= ranges.first(i);
  return false;
}

/** Whether an identifier of ECMA-262 can begin with a code point (ID_Start, `$`, `_`). */
export function isIdentifierStart(codePoint: i32): bool {
  if (codePoint >= 0x80) return hasBinary(ID_START, codePoint);
  const lower = codePoint | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || codePoint == 0x24 || codePoint == 0x5f;
}

/** Whether it can go on with one (ID_Continue, `$`, and the two joiners). */
export function isIdentifierPart(codePoint: i32): bool {
  if (codePoint >= 0x80) return codePoint == 0x200c || codePoint == 0x200d || hasBinary(ID_CONTINUE, codePoint);
  return isIdentifierStart(codePoint) || (codePoint >= 0x30 && codePoint <= 0x39);
}
