// The canonical form (RFC 8785) of a value; a value whose text is canonical already is copied.

import { Buffer } from "../memory/buffer";
import { copyBytes } from "../memory/bytes";
import { allocate, reallocate } from "../memory/region";
import { writeDouble } from "./number";
import { writeString } from "./string";
import {
  ARRAY, CANONICAL, FALSE, INEXACT, NULL, NUMBER, OBJECT, STRING, TRUE, Value,
  count, first, flags, kind, next, numberValue, stringLength, stringStart, textLength, textStart,
} from "./value";

/** Appends a value that is no container; an inexact number as its source text. */
function writeScalar(value: Value, out: Buffer): void {
  switch (kind(value)) {
    case NULL: out.ascii("null"); break;
    case FALSE: out.ascii("false"); break;
    case TRUE: out.ascii("true"); break;
    case NUMBER:
      if ((flags(value) & INEXACT) != 0) out.bytes(textStart(value), textLength(value));
      else writeDouble(numberValue(value), out);
      break;
    case STRING: writeString(stringStart(value), stringLength(value), out); break;
    default: break;
  }
}

/** The table of an object's sorted names, or 0 where its children stand in the order to print. */
// @ts-ignore: decorator
@inline
function tableOf(container: Value): usize {
  return kind(container) == OBJECT ? <usize>load<u32>(container, 20) : 0;
}

/**
 * Appends the canonical text of a value; an inexact number stands as its source text (chapter 1).
 *
 * Only numbers can grow when printed, so room for the source text is asked for once, and again after each number.
 * Containers wait on a stack of their own (8 bytes each: node, position), so depth costs memory and not calls.
 */
export function writeCanonical(value: Value, out: Buffer): void {
  if ((flags(value) & CANONICAL) != 0) {
    out.bytes(textStart(value), textLength(value));
    return;
  }
  if (kind(value) < ARRAY) {
    writeScalar(value, out);
    return;
  }
  const room = textLength(value) + 64;
  let to = out.reserve(room);
  let capacity: usize = 16 * 8;
  let stack = allocate(capacity);
  let top: usize = 0;
  let container = value;
  let table = tableOf(value);
  let position = table != 0 ? table : first(value);
  let end = table != 0 ? table + (<usize>count(value) << 2) : next(value);
  let begun = false;
  store<u8>(to++, kind(value) == OBJECT ? 0x7b : 0x5b);
  for (;;) {
    const object = kind(container) == OBJECT;
    if (position >= end) {
      store<u8>(to++, object ? 0x7d : 0x5d);
      if (top == 0) break;
      top -= 8;
      container = load<u32>(stack + top);
      position = load<u32>(stack + top, 4);
      table = tableOf(container);
      end = table != 0 ? table + (<usize>count(container) << 2) : next(container);
      begun = true;
      continue;
    }
    if (begun) store<u8>(to++, 0x2c);
    begun = true;
    let child: Value = position;
    let from: usize = 0;
    if (object) {
      const name: Value = table != 0 ? <usize>load<u32>(position) : position;
      child = next(name);
      if ((flags(name) & CANONICAL) == 0) {
        out.length = <i32>(to - out.start);
        writeString(stringStart(name), stringLength(name), out);
        to = out.reserve(room);
        store<u8>(to++, 0x3a);
      } else if ((flags(child) & CANONICAL) != 0 && textStart(child) == textStart(name) + <usize>textLength(name) + 1) {
        // Name, colon and value in one piece, as they stand in the source.
        from = textStart(name);
      } else {
        copyBytes(to, textStart(name), textLength(name));
        to += <usize>textLength(name);
        store<u8>(to++, 0x3a);
      }
      position = table != 0 ? position + 4 : next(child);
    } else {
      position = next(child);
    }
    if ((flags(child) & CANONICAL) != 0) {
      if (from == 0) from = textStart(child);
      const length = textStart(child) + <usize>textLength(child) - from;
      copyBytes(to, from, length);
      to += length;
    } else if (kind(child) < ARRAY) {
      out.length = <i32>(to - out.start);
      writeScalar(child, out);
      to = out.reserve(room);
    } else {
      if (top + 8 > capacity) {
        stack = reallocate(stack, capacity, capacity * 2);
        capacity *= 2;
      }
      store<u32>(stack + top, <u32>container);
      store<u32>(stack + top, <u32>position, 4);
      top += 8;
      container = child;
      table = tableOf(child);
      position = table != 0 ? table : first(child);
      end = table != 0 ? table + (<usize>count(child) << 2) : next(child);
      begun = false;
      store<u8>(to++, kind(child) == OBJECT ? 0x7b : 0x5b);
    }
  }
  out.length = <i32>(to - out.start);
}
