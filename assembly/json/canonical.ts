// The canonical form (RFC 8785) of a value; a value whose text is canonical already is copied.

import { Buffer } from "../memory/buffer";
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

/** Where a container's children begin: its table of sorted names, else its first child. */
// @ts-ignore: decorator
@inline
function startOf(container: Value): usize {
  const table: usize = kind(container) == OBJECT ? <usize>load<u32>(container, 20) : 0;
  return table != 0 ? table : first(container);
}

// @ts-ignore: decorator
@inline
function endOf(container: Value): usize {
  const table: usize = kind(container) == OBJECT ? <usize>load<u32>(container, 20) : 0;
  return table != 0 ? table + (<usize>count(container) << 2) : next(container);
}

/**
 * Appends the canonical text of a value; an inexact number stands as its source text (chapter 1).
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
  let capacity: usize = 16 * 8;
  let stack = allocate(capacity);
  let top: usize = 0;
  let container = value;
  let position = startOf(value);
  out.byte(kind(value) == OBJECT ? 0x7b : 0x5b);
  for (;;) {
    const object = kind(container) == OBJECT;
    if (position >= endOf(container)) {
      out.byte(object ? 0x7d : 0x5d);
      if (top == 0) return;
      top -= 8;
      container = load<u32>(stack + top);
      position = load<u32>(stack + top, 4);
      continue;
    }
    if (position != startOf(container)) out.byte(0x2c);
    let child: Value = position;
    if (object) {
      const sorted = load<u32>(container, 20) != 0;
      const name: Value = sorted ? <usize>load<u32>(position) : position;
      if ((flags(name) & CANONICAL) != 0) out.bytes(textStart(name), textLength(name));
      else writeString(stringStart(name), stringLength(name), out);
      out.byte(0x3a);
      child = next(name);
      position = sorted ? position + 4 : next(child);
    } else {
      position = next(child);
    }
    if ((flags(child) & CANONICAL) != 0) out.bytes(textStart(child), textLength(child));
    else if (kind(child) < ARRAY) writeScalar(child, out);
    else {
      if (top + 8 > capacity) {
        stack = reallocate(stack, capacity, capacity * 2);
        capacity *= 2;
      }
      store<u32>(stack + top, <u32>container);
      store<u32>(stack + top, <u32>position, 4);
      top += 8;
      container = child;
      position = startOf(child);
      out.byte(kind(child) == OBJECT ? 0x7b : 0x5b);
    }
  }
}
