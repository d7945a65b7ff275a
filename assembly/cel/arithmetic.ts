// The operators that calculate: + - * / % and negation, each within one type; what overflows is an error.

import { allocate } from "../memory/region";
import { spend } from "../memory/steps";
import { beginWalk, isList, sizeOf, stepWalk } from "./collection";
import {
  BYTES, DOUBLE, DURATION, INT, LIST, SLOT_SIZE, STRING, Slot, TIMESTAMP, UINT, addressOf, asideOf, doubleOf, intOf, setAddress, setDouble, setDuration,
  setError, setInt, setUint, tagOf, uintOf,
} from "./slot";
import { addDuration, between } from "./time";

/** Bytes that a step pays for where text is put together. */
const BYTES_A_STEP: i32 = 8;

/** Charges the budget for a text of `length` bytes that is made. */
export function spendBytes(length: i32): bool {
  return spend(1 + length / BYTES_A_STEP);
}

// @ts-ignore: decorator
@inline
function addOverflows(a: i64, b: i64, sum: i64): bool {
  return ((a ^ sum) & (b ^ sum)) < 0;
}

// @ts-ignore: decorator
@inline
function subtractOverflows(a: i64, b: i64, difference: i64): bool {
  return ((a ^ b) & (a ^ difference)) < 0;
}

function multiplyOverflows(a: i64, b: i64): bool {
  if (a == 0 || b == 0) return false;
  if (a == -1) return b == i64.MIN_VALUE;
  if (b == -1) return a == i64.MIN_VALUE;
  return (a * b) / b != a;
}

/** Replaces `a` by a + b. */
export function add(a: Slot, b: Slot): void {
  const aTag = tagOf(a);
  const bTag = tagOf(b);
  if (aTag == TIMESTAMP && bTag == DURATION) {
    addDuration(a, intOf(b), false, a);
  } else if (aTag == DURATION && bTag == TIMESTAMP) {
    addDuration(b, intOf(a), false, a);
  } else if (aTag == bTag) {
    addSame(aTag, a, b);
  } else if (isList(a) && isList(b)) {
    concatenate(a, b);
  } else {
    setError(a);
  }
}

function addSame(tag: u32, a: Slot, b: Slot): void {
  switch (tag) {
    case DOUBLE:
      setDouble(a, doubleOf(a) + doubleOf(b));
      break;
    case INT: {
      const sum = intOf(a) + intOf(b);
      if (addOverflows(intOf(a), intOf(b), sum)) setError(a);
      else setInt(a, sum);
      break;
    }
    case UINT: {
      const sum = uintOf(a) + uintOf(b);
      if (sum < uintOf(a)) setError(a);
      else setUint(a, sum);
      break;
    }
    case DURATION: {
      const sum = intOf(a) + intOf(b);
      if (addOverflows(intOf(a), intOf(b), sum)) setError(a);
      else setDuration(a, sum);
      break;
    }
    case STRING:
    case BYTES:
      join(tag, a, b);
      break;
    default:
      if (isList(a)) concatenate(a, b);
      else setError(a);
  }
}

function join(tag: u32, a: Slot, b: Slot): void {
  const aLength = asideOf(a);
  const length = aLength + asideOf(b);
  if (length < 0 || !spendBytes(length)) {
    setError(a);
    return;
  }
  const at = allocate(<usize>length);
  memory.copy(at, addressOf(a), <usize>aLength);
  memory.copy(at + <usize>aLength, addressOf(b), <usize>asideOf(b));
  setAddress(a, tag, at, length);
}

function concatenate(a: Slot, b: Slot): void {
  const total = sizeOf(a) + sizeOf(b);
  if (total < 0 || !spend(1 + total)) {
    setError(a);
    return;
  }
  const elements = allocate(<usize>total * SLOT_SIZE);
  const middle = copyElements(a, elements);
  copyElements(b, middle);
  setAddress(a, LIST, elements, total);
}

/** Copies a list's elements to `to`; returns where they end. */
function copyElements(list: Slot, to: usize): usize {
  const size = sizeOf(list);
  let at = beginWalk(list);
  let out = to;
  for (let i = 0; i < size; i++) {
    at = stepWalk(list, at, out);
    out += SLOT_SIZE;
  }
  return out;
}

/** Replaces `a` by a − b. */
export function subtract(a: Slot, b: Slot): void {
  const aTag = tagOf(a);
  const bTag = tagOf(b);
  if (aTag == TIMESTAMP && bTag == DURATION) {
    addDuration(a, intOf(b), true, a);
    return;
  }
  if (aTag != bTag) {
    setError(a);
    return;
  }
  switch (aTag) {
    case DOUBLE:
      setDouble(a, doubleOf(a) - doubleOf(b));
      break;
    case INT: {
      const difference = intOf(a) - intOf(b);
      if (subtractOverflows(intOf(a), intOf(b), difference)) setError(a);
      else setInt(a, difference);
      break;
    }
    case UINT:
      if (uintOf(b) > uintOf(a)) setError(a);
      else setUint(a, uintOf(a) - uintOf(b));
      break;
    case DURATION: {
      const difference = intOf(a) - intOf(b);
      if (subtractOverflows(intOf(a), intOf(b), difference)) setError(a);
      else setDuration(a, difference);
      break;
    }
    case TIMESTAMP:
      between(a, b, a);
      break;
    default:
      setError(a);
  }
}

/** Replaces `a` by a × b. */
export function multiply(a: Slot, b: Slot): void {
  const tag = tagOf(a);
  if (tag != tagOf(b)) {
    setError(a);
  } else if (tag == DOUBLE) {
    setDouble(a, doubleOf(a) * doubleOf(b));
  } else if (tag == INT) {
    if (multiplyOverflows(intOf(a), intOf(b))) setError(a);
    else setInt(a, intOf(a) * intOf(b));
  } else if (tag == UINT) {
    if (uintOf(b) != 0 && uintOf(a) > u64.MAX_VALUE / uintOf(b)) setError(a);
    else setUint(a, uintOf(a) * uintOf(b));
  } else {
    setError(a);
  }
}

/** Replaces `a` by a / b; whole numbers are cut off towards zero. */
export function divide(a: Slot, b: Slot): void {
  const tag = tagOf(a);
  if (tag != tagOf(b)) {
    setError(a);
  } else if (tag == DOUBLE) {
    setDouble(a, doubleOf(a) / doubleOf(b));
  } else if (tag == INT) {
    if (intOf(b) == 0 || (intOf(a) == i64.MIN_VALUE && intOf(b) == -1)) setError(a);
    else setInt(a, intOf(a) / intOf(b));
  } else if (tag == UINT) {
    if (uintOf(b) == 0) setError(a);
    else setUint(a, uintOf(a) / uintOf(b));
  } else {
    setError(a);
  }
}

/** Replaces `a` by a % b, which has the sign of a. */
export function remainder(a: Slot, b: Slot): void {
  const tag = tagOf(a);
  if (tag != tagOf(b)) {
    setError(a);
  } else if (tag == INT) {
    if (intOf(b) == 0 || (intOf(a) == i64.MIN_VALUE && intOf(b) == -1)) setError(a);
    else setInt(a, intOf(a) % intOf(b));
  } else if (tag == UINT) {
    if (uintOf(b) == 0) setError(a);
    else setUint(a, uintOf(a) % uintOf(b));
  } else {
    setError(a);
  }
}

/** Replaces a number by its negative. */
export function negate(a: Slot): void {
  const tag = tagOf(a);
  if (tag == DOUBLE) setDouble(a, -doubleOf(a));
  else if (tag == INT && intOf(a) != i64.MIN_VALUE) setInt(a, -intOf(a));
  else setError(a);
}
