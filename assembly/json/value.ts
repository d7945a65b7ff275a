// The value model: one 24-byte node a JSON value, in a tape in document order, over the text it was read from.
//
//   +0  kind (u8)        +1 flags (u8)
//   +4  where its text begins (a string's at the quote)      +8  its text's length in bytes
//   +12 the next sibling: the address after this value's last node
//   +16 string: where its unescaped bytes are   array, object: how many elements or members   number: the double's low half
//   +20 string: their length   object: its members sorted (u32 each, the name's node), or 0 where they stand in order and are few   number: the high half
//
// An object's children alternate between a name (a string node) and its value. Address 0 stands for a value that is not there.

import { compareUtf16, equalAscii, equalBytes } from "../memory/bytes";
import { Text } from "../memory/buffer";

/** The address of a node, or 0. */
export type Value = usize;

export const NULL: i32 = 0;
export const FALSE: i32 = 1;
export const TRUE: i32 = 2;
export const NUMBER: i32 = 3;
export const STRING: i32 = 4;
export const ARRAY: i32 = 5;
export const OBJECT: i32 = 6;

/** The value's text is its canonical form already. */
export const CANONICAL: i32 = 1;
/** A number that its double would change (chapter 1), or a container that holds one. */
export const INEXACT: i32 = 2;

export const NODE_SIZE: usize = 24;

/** Objects with more members than this are searched by bisection. */
const LINEAR_SEARCH: i32 = 8;

// @ts-ignore: decorator
@inline
export function kind(value: Value): i32 {
  return <i32>load<u8>(value);
}

// @ts-ignore: decorator
@inline
export function flags(value: Value): i32 {
  return <i32>load<u8>(value, 1);
}

// @ts-ignore: decorator
@inline
export function isKind(value: Value, which: i32): bool {
  return value != 0 && <i32>load<u8>(value) == which;
}

export function isBoolean(value: Value): bool {
  return value != 0 && (kind(value) == TRUE || kind(value) == FALSE);
}

/** Whether a number in it (or it) is inexact. */
// @ts-ignore: decorator
@inline
export function holdsInexact(value: Value): bool {
  return (load<u8>(value, 1) & INEXACT) != 0;
}

/** Where the value's source text begins. */
// @ts-ignore: decorator
@inline
export function textStart(value: Value): usize {
  return load<u32>(value, 4);
}

/** The length of the value's source text in bytes. */
// @ts-ignore: decorator
@inline
export function textLength(value: Value): i32 {
  return load<i32>(value, 8);
}

/** The next sibling; compare with `next(parent)` to know the end. For a member's name it is its value. */
// @ts-ignore: decorator
@inline
export function next(value: Value): Value {
  return load<u32>(value, 12);
}

/** The first child of an array or object (a name, of an object); meaningful where `count` is not 0. */
// @ts-ignore: decorator
@inline
export function first(container: Value): Value {
  return container + NODE_SIZE;
}

/** How many elements or members it has. */
// @ts-ignore: decorator
@inline
export function count(container: Value): i32 {
  return load<i32>(container, 16);
}

/** Where a string's unescaped UTF-8 bytes are. */
// @ts-ignore: decorator
@inline
export function stringStart(value: Value): usize {
  return load<u32>(value, 16);
}

/** Their length in bytes. */
// @ts-ignore: decorator
@inline
export function stringLength(value: Value): i32 {
  return load<i32>(value, 20);
}

/** A string's unescaped text. */
export function stringText(value: Value): Text {
  return new Text(stringStart(value), stringLength(value));
}

/** A number's double. */
// @ts-ignore: decorator
@inline
export function numberValue(value: Value): f64 {
  return load<f64>(value, 16);
}

/** Whether it is a string equal to the ASCII text `literal`. */
export function isString(value: Value, literal: string): bool {
  return isKind(value, STRING) && equalAscii(stringStart(value), stringLength(value), literal);
}

/** Whether two string nodes hold the same text. */
export function sameString(a: Value, b: Value): bool {
  return equalBytes(stringStart(a), stringLength(a), stringStart(b), stringLength(b));
}

/** Walks an object's members in UTF-16 order of their names: `for (let m = new SortedMembers(o); m.name != 0; m.advance())`. */
@final
export class SortedMembers {
  /** The name's node, or 0 after the last one. */
  name: Value;
  private table: usize;
  private end: usize;

  constructor(object: Value) {
    this.table = load<u32>(object, 20);
    if (this.table != 0) {
      this.end = this.table + (<usize>count(object) << 2);
      this.name = load<u32>(this.table);
    } else {
      this.end = next(object);
      this.name = count(object) == 0 ? 0 : first(object);
    }
  }

  /** The member's value. */
  get value(): Value {
    return next(this.name);
  }

  advance(): void {
    if (this.table != 0) {
      this.table += 4;
      this.name = this.table < this.end ? <usize>load<u32>(this.table) : 0;
    } else {
      const after = next(next(this.name));
      this.name = after < this.end ? after : 0;
    }
  }
}

/** The value of the member whose name is the given text, or 0. */
export function member(object: Value, start: usize, length: i32): Value {
  const total = count(object);
  const table: usize = load<u32>(object, 20);
  if (total > LINEAR_SEARCH && table != 0) {
    let low = 0;
    let high = total - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const name: usize = load<u32>(table + (<usize>middle << 2));
      const order = compareUtf16(start, length, stringStart(name), stringLength(name));
      if (order == 0) return next(name);
      if (order < 0) high = middle - 1;
      else low = middle + 1;
    }
    return 0;
  }
  const end = next(object);
  for (let name = first(object); name < end; name = next(next(name))) {
    if (equalBytes(start, length, stringStart(name), stringLength(name))) return next(name);
  }
  return 0;
}

/** The value of the member named by an ASCII literal, or 0; 0 also where `object` is no object. */
export function get(object: Value, literal: string): Value {
  if (object == 0 || kind(object) != OBJECT) return 0;
  const end = next(object);
  for (let name = first(object); name < end; name = next(next(name))) {
    if (equalAscii(stringStart(name), stringLength(name), literal)) return next(name);
  }
  return 0;
}

/** Where a safe integer stands as a number; `otherwise` where the value is none (not there, another kind, a fraction, past 2^53). */
export function integerOr(value: Value, otherwise: i64): i64 {
  if (!isInteger(value)) return otherwise;
  return <i64>numberValue(value);
}

/** Whether it is a number with an integer value of at most 2^53 in size (`1.0` and `1e2` are). */
export function isInteger(value: Value): bool {
  if (!isKind(value, NUMBER) || holdsInexact(value)) return false;
  const d = numberValue(value);
  return d == Math.trunc(d) && Math.abs(d) <= 9007199254740992.0;
}
