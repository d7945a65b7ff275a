// What was wrong with the text read last: code, offset, and the pointer of the value that was being read.

import { Buffer } from "../memory/buffer";
import { allocate } from "../memory/region";
import { firstRepeat } from "./order";
import { writePointerToken } from "./pointer";
import { NODE_SIZE, OBJECT, Value, count, first, kind, next, stringLength, stringStart, textStart } from "./value";

export const JSON_OK: i32 = 0;
export const JSON_SIZE: i32 = 1;
export const JSON_ENCODING: i32 = 2;
export const JSON_SYNTAX: i32 = 3;
export const JSON_SURROGATE: i32 = 4;
export const JSON_DUPLICATE: i32 = 5;
export const JSON_DEPTH: i32 = 6;
export const JSON_NUMBER: i32 = 7;

/** What was wrong with the text read last (JSON_OK: nothing). */
export let problem: i32 = JSON_OK;
/** Where, in bytes from the start of the text. */
export let problemOffset: i32 = 0;
/** The innermost container that was open there, or 0. */
let problemContainer: Value = 0;
/** Whether it went wrong in the value of the container's last member or in its last element, and not in the container itself. */
let problemInValue: bool = false;

/** Forgets the problem of the text before. */
export function clearProblem(): void {
  problem = JSON_OK;
  problemOffset = 0;
  problemContainer = 0;
  problemInValue = false;
}

/**
 * Keeps a problem; a name that was given twice in a container still open stands before it and is kept instead.
 * @param code one of the constants above
 * @param at the first byte of the offending token
 * @param source where the text begins
 * @param open the innermost open container or 0; open containers hold their parent in `next` and their last name at +20
 * @param tape where the nodes read so far end
 * @param inValue whether a value of `open` was being read, and not `open` itself
 * @returns 0
 */
export function fail(code: i32, at: usize, source: usize, open: Value, tape: usize, inValue: bool): Value {
  problem = code;
  problemContainer = open;
  problemInValue = inValue;
  for (let container = open; container != 0; container = next(container)) {
    if (kind(container) != OBJECT || count(container) < 2) continue;
    const second = earliestRepeat(container, tape);
    if (second != 0 && textStart(second) < at) {
      problem = JSON_DUPLICATE;
      at = textStart(second);
      problemContainer = container;
      problemInValue = false;
    }
  }
  problemOffset = <i32>(at - source);
  return 0;
}

/** The first name that repeats an earlier one of an open object whose nodes end at `end`, or 0. */
function earliestRepeat(object: Value, end: usize): Value {
  const total = count(object);
  const table = allocate(<usize>total << 2);
  let name = first(object);
  for (let i = 0; i < total; i++) {
    store<u32>(table + (<usize>i << 2), <u32>name);
    // The value of the last member may be open still, or not there: its `next` is not asked for.
    if (i + 1 < total) name = next(name + NODE_SIZE);
  }
  return firstRepeat(table, total);
}

/** Appends the JSON Pointer (RFC 6901) of the innermost value that was being read where the text went wrong. */
export function writeProblemPointer(out: Buffer): void {
  const chain: Array<usize> = [];
  for (let container = problemContainer; container != 0; container = next(container)) chain.push(container);
  for (let i = chain.length - 1; i >= 0; i--) {
    if (i == 0 && !problemInValue) break;
    const container = unchecked(chain[i]);
    if (kind(container) == OBJECT) {
      const name: Value = load<u32>(container, 20);
      if (name == 0) break;
      writePointerToken(stringStart(name), stringLength(name), out);
    } else {
      out.byte(0x2f);
      out.integer(max(count(container) - 1, 0));
    }
  }
}

/** The error's code as text. */
export function problemCode(code: i32): string {
  switch (code) {
    case JSON_SIZE: return "json_size";
    case JSON_ENCODING: return "json_encoding";
    case JSON_SURROGATE: return "json_surrogate";
    case JSON_DUPLICATE: return "json_duplicate";
    case JSON_DEPTH: return "json_depth";
    case JSON_NUMBER: return "json_number";
    default: return "json_syntax";
  }
}
