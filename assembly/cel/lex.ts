// Splits a condition's text into tokens (cel-spec, Syntax), literals read into their values.

import { readDouble } from "../json/number";
import { Buffer, Text } from "../memory/buffer";
import { afterCodePoint } from "../memory/bytes";

export const TOKEN_END: i32 = 0;
export const TOKEN_NAME: i32 = 1;
/** Its magnitude is in `magnitude`: the sign is an operator. */
export const TOKEN_INT: i32 = 2;
export const TOKEN_UINT: i32 = 3;
export const TOKEN_DOUBLE: i32 = 4;
export const TOKEN_STRING: i32 = 5;
export const TOKEN_BYTES: i32 = 6;
/** `$name` */
export const TOKEN_FACT: i32 = 7;
/** A name between backticks, after a dot. */
export const TOKEN_QUOTED: i32 = 8;
/** The lexer has a problem. */
export const TOKEN_PROBLEM: i32 = 9;
export const TOKEN_AND: i32 = 256;
export const TOKEN_OR: i32 = 257;
export const TOKEN_EQUAL: i32 = 258;
export const TOKEN_UNEQUAL: i32 = 259;
export const TOKEN_LESS_EQUAL: i32 = 260;
export const TOKEN_GREATER_EQUAL: i32 = 261;

// @ts-ignore: decorator
@inline
function isDigit(c: i32): bool {
  return c >= 0x30 && c <= 0x39;
}

// @ts-ignore: decorator
@inline
function isNameStart(c: i32): bool {
  return ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || c == 0x5f;
}

/** The value of a hexadecimal digit, or -1. */
function hexadecimal(c: i32): i32 {
  if (isDigit(c)) return c - 0x30;
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The tokens of a text, one at a time; every other byte of punctuation is its own token. */
@final
export class Lexer {
  /** The current token. */
  token: i32 = TOKEN_END;
  /** Where it begins. */
  start: usize = 0;
  /** Where it ends. */
  at: usize;
  private end: usize;
  /** A name's or string's bytes. */
  text: Text;
  magnitude: u64 = 0;
  double: f64 = 0;
  /** What is wrong with the text, and where. */
  problem: string = "";
  problemAt: usize = 0;

  constructor(start: usize, length: i32) {
    this.at = start;
    this.end = start + <usize>length;
    this.text = new Text(0, 0);
  }

  // @ts-ignore: decorator
  @inline
  private byte(distance: usize): i32 {
    return this.at + distance < this.end ? <i32>load<u8>(this.at + distance) : -1;
  }

  private fail(at: usize, problem: string): void {
    if (this.problem.length == 0) {
      this.problem = problem;
      this.problemAt = at;
    }
    this.token = TOKEN_PROBLEM;
    this.at = this.end;
  }

  private skipSpace(): void {
    while (this.at < this.end) {
      const c = load<u8>(this.at);
      if (c == 0x20 || c == 0x09 || c == 0x0a || c == 0x0c || c == 0x0d) {
        this.at++;
      } else if (c == 0x2f && this.byte(1) == 0x2f) {
        while (this.at < this.end && load<u8>(this.at) != 0x0a) this.at++;
      } else {
        return;
      }
    }
  }

  /** Takes the next token. */
  next(): void {
    if (this.token == TOKEN_PROBLEM) return;
    this.skipSpace();
    this.start = this.at;
    const c = this.byte(0);
    if (c < 0) {
      this.token = TOKEN_END;
      return;
    }
    if (isNameStart(c)) {
      if (!this.prefixedString(c)) this.name(TOKEN_NAME);
      return;
    }
    if (isDigit(c) || (c == 0x2e && isDigit(this.byte(1)))) {
      this.number();
      return;
    }
    if (c == 0x22 || c == 0x27) {
      this.string(false, false);
      return;
    }
    if (c == 0x60) {
      this.quotedName();
      return;
    }
    if (c == 0x24) {
      this.at++;
      if (!isNameStart(this.byte(0))) {
        this.fail(this.start, "`$` needs the name of a fact behind it, as in `$card_on_file`");
        return;
      }
      this.name(TOKEN_FACT);
      return;
    }
    this.punctuation(c);
  }

  /** Whether a byte follows the current token, but for white space. */
  isFollowedBy(byte: i32): bool {
    const back = this.at;
    this.skipSpace();
    const follows = this.byte(0) == byte;
    this.at = back;
    return follows;
  }

  private punctuation(c: i32): void {
    const follows = this.byte(1);
    let wide = 0;
    if (c == 0x26 && follows == 0x26) wide = TOKEN_AND;
    else if (c == 0x7c && follows == 0x7c) wide = TOKEN_OR;
    else if (c == 0x3d && follows == 0x3d) wide = TOKEN_EQUAL;
    else if (c == 0x21 && follows == 0x3d) wide = TOKEN_UNEQUAL;
    else if (c == 0x3c && follows == 0x3d) wide = TOKEN_LESS_EQUAL;
    else if (c == 0x3e && follows == 0x3d) wide = TOKEN_GREATER_EQUAL;
    if (wide != 0) {
      this.token = wide;
      this.at += 2;
      return;
    }
    switch (c) {
      case 0x21: case 0x25: case 0x28: case 0x29: case 0x2a: case 0x2b: case 0x2c: case 0x2d: case 0x2e: case 0x2f:
      case 0x3a: case 0x3c: case 0x3e: case 0x3f: case 0x5b: case 0x5d: case 0x7b: case 0x7d:
        this.token = c;
        this.at++;
        return;
      case 0x26:
        this.fail(this.at, "`&` is no operator; write `&&`");
        return;
      case 0x7c:
        this.fail(this.at, "`|` is no operator; write `||`");
        return;
      case 0x3d:
        this.fail(this.at, "`=` is no operator; write `==` to compare");
        return;
      default:
        this.fail(this.at, "a character that begins nothing in a condition");
    }
  }

  private name(token: i32): void {
    const start = this.at;
    while (isNameStart(this.byte(0)) || isDigit(this.byte(0))) this.at++;
    this.token = token;
    this.text = new Text(start, <i32>(this.at - start));
  }

  private quotedName(): void {
    this.at++;
    const start = this.at;
    for (;;) {
      const c = this.byte(0);
      if (c == 0x60) break;
      if (!(isNameStart(c) || isDigit(c) || c == 0x2e || c == 0x2d || c == 0x2f || c == 0x20)) {
        this.fail(this.start, "a name between backticks may hold letters, digits, `_`, `.`, `-`, `/` and spaces");
        return;
      }
      this.at++;
    }
    if (this.at == start) {
      this.fail(this.start, "a name between backticks is empty");
      return;
    }
    this.token = TOKEN_QUOTED;
    this.text = new Text(start, <i32>(this.at - start));
    this.at++;
  }

  private number(): void {
    if (this.byte(0) == 0x30 && (this.byte(1) | 0x20) == 0x78) {
      this.at += 2;
      this.integer(16);
      return;
    }
    let ahead: usize = 0;
    while (isDigit(this.byte(ahead))) ahead++;
    let isDouble = false;
    if (this.byte(ahead) == 0x2e && isDigit(this.byte(ahead + 1))) {
      isDouble = true;
      ahead++;
      while (isDigit(this.byte(ahead))) ahead++;
    }
    if ((this.byte(ahead) | 0x20) == 0x65) {
      let behind = ahead + 1;
      if (this.byte(behind) == 0x2b || this.byte(behind) == 0x2d) behind++;
      if (isDigit(this.byte(behind))) {
        isDouble = true;
        ahead = behind;
        while (isDigit(this.byte(ahead))) ahead++;
      }
    }
    if (!isDouble) {
      this.integer(10);
      return;
    }
    this.double = readDecimal(this.at, <i32>ahead);
    this.at += ahead;
    this.token = TOKEN_DOUBLE;
    if (!isFinite(this.double)) this.fail(this.start, "a number too large for a double");
    else this.endOfNumber();
  }

  private integer(base: u64): void {
    const start = this.at;
    let value: u64 = 0;
    for (;;) {
      const c = this.byte(0);
      const digit = base == 16 ? hexadecimal(c) : isDigit(c) ? c - 0x30 : -1;
      if (digit < 0) break;
      if (value > (u64.MAX_VALUE - <u64>digit) / base) {
        this.fail(this.start, "an integer too large; write it as a double, with `.0` behind it");
        return;
      }
      value = value * base + <u64>digit;
      this.at++;
    }
    if (this.at == start) {
      this.fail(this.start, "`0x` needs hexadecimal digits behind it");
      return;
    }
    this.magnitude = value;
    this.token = TOKEN_INT;
    if ((this.byte(0) | 0x20) == 0x75) {
      this.token = TOKEN_UINT;
      this.at++;
    }
    this.endOfNumber();
  }

  /** A letter or digit right behind a number is a mistake, never a token of its own, but for the operator `in`. */
  private endOfNumber(): void {
    const c = this.byte(0);
    const isIn = c == 0x69 && this.byte(1) == 0x6e && !isNameStart(this.byte(2)) && !isDigit(this.byte(2));
    if (isNameStart(c) && !isIn) this.fail(this.start, "a number runs into a name");
  }

  /** A string with `r`, `b` or `br` in front of it, in either case. */
  private prefixedString(c: i32): bool {
    const bytes = (c | 0x20) == 0x62;
    let ahead: usize = bytes ? 1 : 0;
    const raw = (this.byte(ahead) | 0x20) == 0x72;
    if (raw) ahead++;
    const quote = this.byte(ahead);
    if (ahead == 0 || (quote != 0x22 && quote != 0x27)) return false;
    this.at += ahead;
    this.string(raw, bytes);
    return true;
  }

  private string(raw: bool, bytes: bool): void {
    const quote = this.byte(0);
    const triple = this.byte(1) == quote && this.byte(2) == quote;
    this.at += triple ? 3 : 1;
    const out = new Buffer(16);
    for (;;) {
      const c = this.byte(0);
      if (c < 0 || (!triple && (c == 0x0a || c == 0x0d))) {
        this.fail(this.start, "a string does not end");
        return;
      }
      if (c == quote && (!triple || (this.byte(1) == quote && this.byte(2) == quote))) break;
      if (c == 0x5c && !raw) {
        if (!this.escape(out, bytes)) {
          this.fail(this.at, "an escape that does not exist; write `\\\\` for a backslash, or put `r` before the quote");
          return;
        }
      } else {
        out.byte(c);
        this.at++;
      }
    }
    this.at += triple ? 3 : 1;
    this.token = bytes ? TOKEN_BYTES : TOKEN_STRING;
    this.text = out.view();
  }

  /** Reads the escape at the cursor; false, with the cursor at it, where there is none. */
  private escape(out: Buffer, bytes: bool): bool {
    const c = this.byte(1);
    let plain = -1;
    switch (c) {
      case 0x5c: case 0x3f: case 0x22: case 0x27: case 0x60: plain = c; break;
      case 0x61: plain = 0x07; break;
      case 0x62: plain = 0x08; break;
      case 0x66: plain = 0x0c; break;
      case 0x6e: plain = 0x0a; break;
      case 0x72: plain = 0x0d; break;
      case 0x74: plain = 0x09; break;
      case 0x76: plain = 0x0b; break;
    }
    if (plain >= 0) {
      out.byte(plain);
      this.at += 2;
      return true;
    }
    let value: u32 = 0;
    let length: usize = 0;
    if (c >= 0x30 && c <= 0x33) {
      for (let i: usize = 1; i <= 3; i++) {
        const digit = this.byte(i);
        if (digit < 0x30 || digit > 0x37) return false;
        value = value * 8 + <u32>(digit - 0x30);
      }
      length = 4;
    } else {
      const digits: usize = (c | 0x20) == 0x78 ? 2 : c == 0x75 ? 4 : c == 0x55 ? 8 : 0;
      if (digits == 0 || (bytes && digits > 2)) return false;
      for (let i: usize = 0; i < digits; i++) {
        const digit = hexadecimal(this.byte(2 + i));
        if (digit < 0 || value > 0x0fffffff) return false;
        value = (value << 4) | <u32>digit;
      }
      if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return false;
      length = 2 + digits;
    }
    if (bytes) out.byte(<i32>value);
    else out.codePoint(<i32>value);
    this.at += length;
    return true;
  }

  /** Where the first character after the current token's beginning ends: what an error quotes of a token that is none. */
  afterFirst(): usize {
    return this.start < this.end ? afterCodePoint(this.start) : this.start;
  }
}

/** The double of a decimal text, digits on one side of the point at least; surplus zeros and a missing digit are allowed for. */
export function readDecimal(start: usize, length: i32): f64 {
  const out = new Buffer(length + 2);
  let at = start;
  const end = start + <usize>length;
  while (at < end && load<u8>(at) == 0x30) at++;
  if (at == end || !isDigit(<i32>load<u8>(at))) out.byte(0x30);
  while (at < end) {
    const c = <i32>load<u8>(at);
    // A point that nothing follows.
    if (c == 0x2e && (at + 1 == end || !isDigit(<i32>load<u8>(at, 1)))) {
      at++;
      continue;
    }
    out.byte(c);
    at++;
  }
  return readDouble(out.start, out.length);
}
