// The strict reader (chapter 1): UTF-8 JSON text to a tape of nodes, or one error with its offset.

import { compareUtf16 } from "../memory/bytes";
import { allocate } from "../memory/region";
import { checkUtf8, structureMarks } from "./encoding";
import { forgetShapes, sortMembers, tableInOrder } from "./order";
import { JSON_DEPTH, JSON_DUPLICATE, JSON_ENCODING, JSON_SIZE, JSON_SYNTAX, clearProblem, fail } from "./problem";
import { putNode, putString, readScalar, readString, stopAt, stopCode } from "./token";
import { ARRAY, CANONICAL, INEXACT, NODE_SIZE, NUMBER, OBJECT, Value, count, flags, kind, next, stringLength, stringStart, textStart } from "./value";

export {
  JSON_DEPTH, JSON_DUPLICATE, JSON_ENCODING, JSON_NUMBER, JSON_OK, JSON_SIZE, JSON_SURROGATE, JSON_SYNTAX,
  problem, problemCode, problemOffset, writeProblemPointer,
} from "./problem";

/** Flag of an open object: a name did not sort after the one before it. */
const UNSORTED: i32 = 4;

/** The first byte that is not white space at or after `at`. */
function skipSpace(at: usize, end: usize): usize {
  while (at < end) {
    const c = load<u8>(at);
    if (c > 0x20 || (c != 0x20 && c != 0x0a && c != 0x0d && c != 0x09)) break;
    at++;
  }
  return at;
}

/** The closing quote of the string at `at` where nothing before it needs a closer look; else 0. */
// @ts-ignore: decorator
@inline
function plainEnd(at: usize, end: usize): usize {
  for (let i = at + 1; i + 16 <= end; i += 16) {
    const block = v128.load(i);
    const special = v128.or(
      v128.or(i8x16.eq(block, i8x16.splat(0x22)), i8x16.eq(block, i8x16.splat(0x5c))),
      i8x16.lt_u(block, i8x16.splat(0x20)),
    );
    const mask = i8x16.bitmask(special);
    if (mask != 0) {
      i += <usize>ctz(mask);
      return load<u8>(i) == 0x22 ? i : 0;
    }
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function clearFlag(container: Value, flag: i32): void {
  store<u8>(container, <u8>(flags(container) & ~flag), 1);
}

/** A container takes over from a child what counts for the whole of it. */
// @ts-ignore: decorator
@inline
function inherit(container: Value, child: Value): void {
  const given = flags(child);
  if (given != CANONICAL) store<u8>(container, <u8>((flags(container) & (given | ~CANONICAL)) | (given & INEXACT)), 1);
}

/** Whether a name does not sort after the one before it. */
// @ts-ignore: decorator
@inline
function outOfOrder(before: Value, name: Value): bool {
  const a = load<u8>(stringStart(before));
  const b = load<u8>(stringStart(name));
  if (a != b && (a | b) < 0x80 && stringLength(before) != 0 && stringLength(name) != 0) return a > b;
  return compareUtf16(stringStart(before), stringLength(before), stringStart(name), stringLength(name)) >= 0;
}

/**
 * Reads a whole text.
 *
 * While a container is open its `next` field holds its parent and +20 the name read last; `count` counts what was begun.
 * @param start where it begins; the tape points into it, so it must stay
 * @param length its length in bytes
 * @param depthLimit how many containers may be open at once
 * @param bytesLimit the longest text, in bytes
 * @returns the root's node in the current region, or 0 with `problem` and `problemOffset` set
 */
export function scan(start: usize, length: i32, depthLimit: i32, bytesLimit: i64): Value {
  clearProblem();
  if (<i64>length > bytesLimit) return fail(JSON_SIZE, start + <usize>bytesLimit, start, 0, 0, false);
  const wrong = checkUtf8(start, length);
  if (wrong >= 0) return fail(JSON_ENCODING, start + <usize>wrong, start, 0, 0, false);
  forgetShapes();
  // A node follows each of `[ { , :`, and there is the root. But for the containers left open at the end, a node takes two bytes at the least.
  const nodes = min(<i64>structureMarks + 2, <i64>(length >> 1) + <i64>depthLimit + 2);
  const root: Value = allocate(<usize>nodes * NODE_SIZE);
  const end = start + <usize>length;
  let tape = root;
  let open: Value = 0;
  let object = false;
  let depth = 0;
  let at = skipSpace(start, end);
  for (;;) {
    if (object) {
      // A member's name and its colon.
      if (at >= end || load<u8>(at) != 0x22) return fail(JSON_SYNTAX, at, start, open, tape, false);
      const quote = plainEnd(at, end);
      const name = tape;
      if (quote != 0) {
        putString(name, CANONICAL, at, quote + 1);
        at = quote + 1;
      } else {
        at = readString(at, end, name);
        if (at == 0) return fail(stopCode, stopAt, start, open, tape, false);
        inherit(open, name);
      }
      tape += NODE_SIZE;
      const members = count(open);
      if (members != 0 && (flags(open) & UNSORTED) == 0 && outOfOrder(load<u32>(open, 20), name)) {
        store<u8>(open, <u8>((flags(open) | UNSORTED) & ~CANONICAL), 1);
      }
      store<i32>(open, members + 1, 16);
      store<u32>(open, <u32>name, 20);
      if (at < end && load<u8>(at) <= 0x20) {
        at = skipSpace(at, end);
        clearFlag(open, CANONICAL);
      }
      if (at >= end || load<u8>(at) != 0x3a) return fail(JSON_SYNTAX, at, start, open, tape, false);
      at++;
      if (at < end && load<u8>(at) <= 0x20) {
        at = skipSpace(at, end);
        clearFlag(open, CANONICAL);
      }
    }
    // A value begins at `at`.
    if (at >= end) return fail(JSON_SYNTAX, end, start, open, tape, true);
    const c = <i32>load<u8>(at);
    let closes = false;
    if ((c | 0x20) == 0x7b) {
      if (depth >= depthLimit) return fail(JSON_DEPTH, at, start, open, tape, true);
      object = c == 0x7b;
      putNode(tape, object ? OBJECT : ARRAY, CANONICAL, at, 0);
      store<u32>(tape, <u32>open, 12);
      store<u64>(tape, 0, 16);
      open = tape;
      tape += NODE_SIZE;
      depth++;
      at++;
      if (at < end && load<u8>(at) <= 0x20) {
        at = skipSpace(at, end);
        clearFlag(open, CANONICAL);
      }
      closes = at < end && <i32>load<u8>(at) == c + 2;
      if (!closes) {
        if (!object) store<i32>(open, 1, 16);
        continue;
      }
    } else {
      const quote = c == 0x22 ? plainEnd(at, end) : 0;
      if (quote != 0) {
        putString(tape, CANONICAL, at, quote + 1);
        at = quote + 1;
      } else {
        const after = shortInteger(c, at, end, tape);
        at = after != 0 ? after : readScalar(c, at, end, tape);
        if (at == 0) return fail(stopCode, stopAt, start, open, tape, true);
        if (open != 0) inherit(open, tape);
      }
      tape += NODE_SIZE;
    }
    // A value ended at `at`, or the container just opened closes there: close what closes, then the next one.
    for (;;) {
      if (at < end && load<u8>(at) <= 0x20) {
        at = skipSpace(at, end);
        if (open != 0) clearFlag(open, CANONICAL);
      }
      if (open == 0) return at < end ? fail(JSON_SYNTAX, at, start, 0, tape, false) : root;
      if (at >= end) return fail(JSON_SYNTAX, end, start, open, tape, false);
      const mark = <i32>load<u8>(at);
      if (mark == 0x2c && !closes) {
        at++;
        if (at < end && load<u8>(at) <= 0x20) {
          at = skipSpace(at, end);
          clearFlag(open, CANONICAL);
        }
        if (!object) store<i32>(open, count(open) + 1, 16);
        break;
      }
      if (mark != (object ? 0x7d : 0x5d)) return fail(JSON_SYNTAX, at, start, open, tape, false);
      closes = false;
      at++;
      const closed = open;
      if (object) {
        if ((flags(closed) & UNSORTED) != 0) {
          const repeat = sortMembers(closed, count(closed), tape);
          if (repeat != 0) return fail(JSON_DUPLICATE, textStart(repeat), start, open, tape, false);
          clearFlag(closed, UNSORTED);
        } else {
          tableInOrder(closed, count(closed), tape);
        }
      }
      open = next(closed);
      store<u32>(closed, <u32>tape, 12);
      store<i32>(closed, <i32>(at - textStart(closed)), 8);
      depth--;
      if (open != 0) {
        inherit(open, closed);
        object = kind(open) == OBJECT;
      } else {
        object = false;
      }
    }
  }
  return 0;
}

/** Reads an integer of up to 15 digits without sign or leading zero that a comma or a closing bracket follows; 0 where it is another token. */
// @ts-ignore: decorator
@inline
function shortInteger(c: i32, at: usize, end: usize, node: Value): usize {
  if (c < 0x31 || c > 0x39) return 0;
  let value: i64 = <i64>(c - 0x30);
  let i = at + 1;
  for (; i < end; i++) {
    const digit = <u32>load<u8>(i) - 0x30;
    if (digit > 9) break;
    value = value * 10 + <i64>digit;
  }
  if (i >= end || i - at > 15) return 0;
  const after = load<u8>(i);
  if (after != 0x2c && after != 0x7d && after != 0x5d) return 0;
  putNode(node, NUMBER, CANONICAL, at, <i32>(i - at));
  store<f64>(node, <f64>value, 16);
  return i;
}
