// The text of a pattern as it is read, with the first problem met, and its escapes: characters, classes, \p{…}.

import { afterCodePoint, codePointAt, equalBytes } from "../memory/bytes";
import { addProperty, isIdentifierPart, isIdentifierStart } from "../unicode/properties";
import { RangeList } from "../unicode/ranges";

/** What {@link readEscape} answers for an escape that stands for a set. */
export const ESCAPE_SET: i32 = -2;
/** What it answers where the escape is none. */
export const ESCAPE_NONE: i32 = -1;

/** A property escape that was read before: `p{…}` or `P{…}`, and what it stands for. */
@final
class KnownProperty {
  /** The set it was added to last: a class that says it again holds it already. */
  addedTo: RangeList;

  constructor(
    public start: usize,
    public length: i32,
    public ranges: RangeList,
    addedTo: RangeList,
  ) {
    this.addedTo = addedTo;
  }
}

/** A pattern being read. */
@final
export class PatternText {
  at: usize;
  /** What is wrong with it, or "". */
  message: string = "";
  /** Where, in bytes from the start. */
  offset: i32 = 0;
  properties: Array<KnownProperty> = [];

  constructor(
    public start: usize,
    public end: usize,
  ) {
    this.at = start;
  }

  /** Notes a problem, unless there is one, and ends the reading. */
  fail(where: usize, message: string): void {
    if (this.message.length == 0) {
      this.message = message;
      this.offset = <i32>(where - this.start);
    }
    this.at = this.end;
  }

  get failed(): bool {
    return this.message.length != 0;
  }

  /** The byte `distance` further, or -1 past the end. */
  // @ts-ignore: decorator
  @inline
  peek(distance: usize = 0): i32 {
    const at = this.at + distance;
    return at < this.end ? <i32>load<u8>(at) : -1;
  }

  /** Takes a code point; there is one. */
  take(): i32 {
    const value = codePointAt(this.at);
    this.at = afterCodePoint(this.at);
    return value;
  }

  /** Takes `byte` if it is next. */
  accept(byte: i32): bool {
    if (this.peek() != byte) return false;
    this.at++;
    return true;
  }
}

/** The value of a hexadecimal digit, or -1. */
function hexadecimal(byte: i32): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Takes exactly `count` hexadecimal digits; -1, taking none, where they are not there. */
function readHexadecimal(text: PatternText, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) {
    const digit = hexadecimal(text.peek(i));
    if (digit < 0) return -1;
    value = (value << 4) | digit;
  }
  text.at += count;
  return value;
}

/** Reads what follows `\u`: `{…}`, four digits, or the two escapes of a surrogate pair. -1 where it is none of them. */
export function readUnicodeEscape(text: PatternText): i32 {
  if (text.accept(0x7b)) {
    let value = 0;
    let digits = 0;
    while (true) {
      const digit = hexadecimal(text.peek());
      if (digit < 0) break;
      value = (value << 4) | digit;
      if (value > 0x10ffff) return -1;
      digits++;
      text.at++;
    }
    return digits > 0 && text.accept(0x7d) ? value : -1;
  }
  const lead = readHexadecimal(text, 4);
  if (lead < 0xd800 || lead > 0xdbff || text.peek() != 0x5c || text.peek(1) != 0x75) return lead;
  const back = text.at;
  text.at += 2;
  const trail = readHexadecimal(text, 4);
  if (trail >= 0xdc00 && trail <= 0xdfff) return 0x10000 + ((lead - 0xd800) << 10) + (trail - 0xdc00);
  text.at = back;
  return lead;
}

/** Whether a byte is one of `^ $ \ . * + ? ( ) [ ] { } |` or `/`. */
function isSyntax(byte: i32): bool {
  switch (byte) {
    case 0x24: case 0x28: case 0x29: case 0x2a: case 0x2b: case 0x2e: case 0x2f: case 0x3f:
    case 0x5b: case 0x5c: case 0x5d: case 0x5e: case 0x7b: case 0x7c: case 0x7d:
      return true;
    default:
      return false;
  }
}

/** Adds the digits. */
function addDigits(set: RangeList): void {
  set.add(0x30, 0x39);
}

/** Adds `\w`. */
function addWord(set: RangeList): void {
  set.add(0x30, 0x39);
  set.add(0x41, 0x5a);
  set.add(0x5f, 0x5f);
  set.add(0x61, 0x7a);
}

/** Adds `\s`: WhiteSpace and LineTerminator of ECMA-262 (sections 12.2, 12.3). */
function addSpace(set: RangeList): void {
  set.add(0x09, 0x0d);
  set.add(0x20, 0x20);
  set.add(0xa0, 0xa0);
  set.add(0x1680, 0x1680);
  set.add(0x2000, 0x200a);
  set.add(0x2028, 0x2029);
  set.add(0x202f, 0x202f);
  set.add(0x205f, 0x205f);
  set.add(0x3000, 0x3000);
  set.add(0xfeff, 0xfeff);
}

function addInverted(set: RangeList, inner: RangeList): i32 {
  inner.normalise();
  set.addAll(inner.inverted());
  return ESCAPE_SET;
}

/** Reads what follows `\p` or `\P` and adds it to `set`. `escape` is where the escape begins. */
function readProperty(text: PatternText, escape: usize, inverted: bool, set: RangeList): i32 {
  if (!text.accept(0x7b)) {
    text.fail(escape, "a property escape has no {…}");
    return ESCAPE_NONE;
  }
  const name = text.at;
  let value: usize = 0;
  let nameEnd: usize = 0;
  while (true) {
    const byte = text.peek();
    if (byte == 0x7d) break;
    if (byte == 0x3d && value == 0) {
      nameEnd = text.at;
      value = text.at + 1;
    } else if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte == 0x5f)) {
      text.fail(escape, "a property name is not letters, digits and _");
      return ESCAPE_NONE;
    }
    text.at++;
  }
  const end = text.at++;
  if (value == 0) nameEnd = end;
  const length = <i32>(text.at - escape) - 1;
  for (let i = 0; i < text.properties.length; i++) {
    const known = text.properties[i];
    if (!equalBytes(known.start, known.length, escape + 1, length)) continue;
    if (known.addedTo !== set) set.addAll(known.ranges);
    known.addedTo = set;
    return ESCAPE_SET;
  }
  let inner = new RangeList(256);
  const known = addProperty(name, <i32>(nameEnd - name), value, value == 0 ? -1 : <i32>(end - value), inner);
  if (!known) {
    text.fail(escape, "this Unicode property is not known");
    return ESCAPE_NONE;
  }
  if (inverted) {
    inner.normalise();
    inner = inner.inverted();
  }
  text.properties.push(new KnownProperty(escape + 1, length, inner, set));
  set.addAll(inner);
  return ESCAPE_SET;
}

/**
 * Reads an escape whose backslash has been taken. Answers a code point, ESCAPE_SET after adding the escape's set to `set`, or
 * ESCAPE_NONE after noting the problem. Assertions and back-references are not its matter.
 */
export function readEscape(text: PatternText, inClass: bool, set: RangeList): i32 {
  const escape = text.at - 1;
  if (text.at == text.end) {
    text.fail(escape, "a backslash ends the pattern");
    return ESCAPE_NONE;
  }
  const letter = text.take();
  switch (letter) {
    case 0x64: addDigits(set); return ESCAPE_SET;
    case 0x77: addWord(set); return ESCAPE_SET;
    case 0x73: addSpace(set); return ESCAPE_SET;
    case 0x44: case 0x57: case 0x53: {
      const inner = new RangeList(16);
      if (letter == 0x44) addDigits(inner);
      else if (letter == 0x57) addWord(inner);
      else addSpace(inner);
      return addInverted(set, inner);
    }
    case 0x70: return readProperty(text, escape, false, set);
    case 0x50: return readProperty(text, escape, true, set);
    case 0x66: return 0x0c;
    case 0x6e: return 0x0a;
    case 0x72: return 0x0d;
    case 0x74: return 0x09;
    case 0x76: return 0x0b;
    case 0x30: {
      const next = text.peek();
      if (next >= 0x30 && next <= 0x39) break;
      return 0;
    }
    case 0x63: {
      const control = text.peek() | 0x20;
      if (control < 0x61 || control > 0x7a) break;
      text.at++;
      return control & 0x1f;
    }
    case 0x78: {
      const value = readHexadecimal(text, 2);
      if (value < 0) break;
      return value;
    }
    case 0x75: {
      const value = readUnicodeEscape(text);
      if (value < 0) break;
      return value;
    }
    default:
      if (isSyntax(letter)) return letter;
      if (inClass) {
        if (letter == 0x62) return 0x08;
        if (letter == 0x2d) return letter;
      }
  }
  text.fail(escape, "this escape does not exist");
  return ESCAPE_NONE;
}

/**
 * Reads a group's name and its `>`; the `<` has been taken. Adds its code points to `name`, one range each; false after noting
 * the problem.
 */
export function readGroupName(text: PatternText, name: RangeList): bool {
  const start = text.at;
  while (text.at < text.end) {
    const at = text.at;
    let value = text.take();
    if (value == 0x3e && name.count > 0) return true;
    if (value == 0x5c) value = text.accept(0x75) ? readUnicodeEscape(text) : -1;
    const fits = value >= 0 && (name.count == 0 ? isIdentifierStart(value) : isIdentifierPart(value));
    if (!fits) {
      text.fail(at, "a group name is not an identifier");
      return false;
    }
    name.add(value, value);
  }
  text.fail(start, "a group name does not end");
  return false;
}
