// The turns of comprehensions: `all`, `exists`, `exists_one`, `filter`, `map` over a list's elements or a map's keys.

import { allocate, reallocate } from "../memory/region";
import { ALL, EXISTS, EXISTS_ONE, OP_STEP_ALL, OP_STEP_EXISTS, OP_STEP_EXISTS_ONE, OP_STEP_MAP } from "./code";
import { beginWalk, sizeOf } from "./collection";
import {
  BOOL, ERROR, LIST, NULL, SLOT_SIZE, Slot, addressOf, asideOf, copySlot, intOf, isFalse, isTrue, setAddress, setBool, setError, setInt, tagOf,
} from "./slot";

/** Lays a comprehension's frame (code.ts) over its range. */
export function beginComprehension(kind: i32, range: Slot): void {
  const state = range + SLOT_SIZE;
  const result = state + SLOT_SIZE;
  store<i32>(state, 0);
  store<i32>(state, 0, 4);
  store<u32>(state, <u32>beginWalk(range), 8);
  store<i32>(state, sizeOf(range), 12);
  store<u32>(result + SLOT_SIZE, NULL);
  if (kind == ALL) setBool(result, true);
  else if (kind == EXISTS) setBool(result, false);
  else if (kind == EXISTS_ONE) setInt(result, 0);
  else setAddress(result, LIST, 0, 0);
}

/** Takes the body's value, on top of the frame, into the result; false where that decides it. */
export function takeTurn(op: i32, value: Slot): bool {
  const element = value - SLOT_SIZE;
  const result = element - SLOT_SIZE;
  const state = result - SLOT_SIZE;
  switch (op) {
    case OP_STEP_ALL:
      if (isFalse(value)) {
        setBool(result, false);
        return false;
      }
      if (!isTrue(value)) setError(result);
      return true;
    case OP_STEP_EXISTS:
      if (isTrue(value)) {
        setBool(result, true);
        return false;
      }
      if (!isFalse(value)) setError(result);
      return true;
    default:
      break;
  }
  if (tagOf(value) == ERROR || (op != OP_STEP_MAP && tagOf(value) != BOOL)) {
    setError(result);
    return false;
  }
  if (op == OP_STEP_EXISTS_ONE) {
    if (isTrue(value)) setInt(result, intOf(result) + 1);
  } else if (op == OP_STEP_MAP) {
    append(state, result, value);
  } else if (isTrue(value)) {
    append(state, result, element);
  }
  return true;
}

function append(state: Slot, result: Slot, value: Slot): void {
  const size = asideOf(result);
  const room = load<i32>(state, 4);
  let elements = addressOf(result);
  if (size == room) {
    const more = room == 0 ? 8 : room * 2;
    if (room == 0) elements = allocate(<usize>more * SLOT_SIZE);
    else elements = reallocate(elements, <usize>room * SLOT_SIZE, <usize>more * SLOT_SIZE);
    store<i32>(state, more, 4);
  }
  copySlot(elements + <usize>size * SLOT_SIZE, value);
  setAddress(result, LIST, elements, size + 1);
}
