// Runs a condition's code on the variables of a call: one loop over a stack of slots, in a region of its own that is emptied afterwards.

import { Text } from "../memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../memory/region";
import { exhausted, spend } from "../memory/steps";
import { Pattern } from "../regex/compile";
import { add, divide, multiply, negate, remainder, subtract } from "./arithmetic";
import {
  EXISTS_ONE, INSTRUCTION_SIZE, OP_ADD, OP_AGENT, OP_AND, OP_ARGS, OP_BRANCH, OP_CALL, OP_CONSTANT, OP_DIVIDE, OP_END, OP_EQUAL, OP_FACTS,
  OP_GREATER, OP_GREATER_EQUAL, OP_HAS, OP_IN, OP_INDEX, OP_ITERATE, OP_JUMP, OP_JUMP_FALSE, OP_JUMP_TRUE, OP_KEEP, OP_LABELS, OP_LESS,
  OP_LESS_EQUAL, OP_LIST, OP_LOCAL, OP_MAP, OP_MATCHES, OP_MULTIPLY, OP_NEGATE, OP_NEXT, OP_NOT, OP_NOW, OP_OR, OP_ORIGINS, OP_PRINCIPAL,
  OP_REMAINDER, OP_RESOURCE, OP_RETURN, OP_SELECT, OP_STEP_ALL, OP_STEP_EXISTS, OP_STEP_EXISTS_ONE, OP_STEP_FILTER, OP_STEP_MAP, OP_SUBTRACT,
  OP_TOOL, OP_TURN, OP_UNEQUAL,
} from "./code";
import { contains, has, index, isList, isMap, select, stepWalk, useOrigins } from "./collection";
import { NO_ORDER, UNORDERED, beginCompare, compareSlots, equalSlots, tooDeep } from "./compare";
import { beginComprehension, takeTurn } from "./comprehension";
import { Condition } from "./condition";
import { Environment } from "./environment";
import { call, matchCompiled } from "./functions";
import {
  BOOL, DOUBLE, ERROR, FACTS, INT, JSON_MAP, LIST, MAP, ORIGINS, SLOT_SIZE, STRING, Slot, UINT, copySlot, doubleOf, intOf, isFalse, isTrue,
  setAddress, setBool, setError, setText, tagOf,
} from "./slot";
import { timestampOfSeconds } from "./time";

let scratch: usize = 0;

/**
 * Evaluates a condition that has no problem: 1 true, 0 false, -1 where it fails (a missing member, a type error, overflow, a value
 * that is no bool, or the step budget passed, which nothing absorbs). The caller has begun the budget with `beginSteps`.
 * Steps: 1 a turn of a comprehension (more for a body over 16 instructions), 1 for 8 bytes of text put together, 1 an element
 * copied or compared, 1 for 32 bytes compared or searched, and what `matches` takes.
 */
export function evaluate(condition: Condition, environment: Environment): i32 {
  if (condition.problem) return -1;
  if (scratch == 0) scratch = createRegion();
  const back = enterRegion(scratch);
  resetRegion(scratch);
  useOrigins(environment);
  beginCompare();
  const base = allocate(<usize>condition.slots * SLOT_SIZE);
  run(condition.code, base, environment);
  let result = -1;
  if (!exhausted() && !tooDeep && tagOf(base) == BOOL) result = isTrue(base) ? 1 : 0;
  resetRegion(scratch);
  enterRegion(back);
  return result;
}

function run(code: usize, base: Slot, environment: Environment): void {
  let at = code;
  // The slot on top; before the first push, one below the stack.
  let top = base - SLOT_SIZE;
  while (true) {
    const a = load<i32>(at, 4);
    const op = load<i32>(at);
    at += INSTRUCTION_SIZE;
    switch (op) {
      case OP_RETURN:
        return;
      case OP_CONSTANT:
        top += SLOT_SIZE;
        copySlot(top, a);
        break;
      case OP_TOOL:
      case OP_AGENT:
      case OP_ARGS:
      case OP_FACTS:
      case OP_PRINCIPAL:
      case OP_RESOURCE:
      case OP_ORIGINS:
      case OP_LABELS:
      case OP_NOW:
      case OP_TURN:
        top += SLOT_SIZE;
        pushVariable(op, top, environment);
        break;
      case OP_LOCAL:
        top += SLOT_SIZE;
        copySlot(top, base + <usize>a * SLOT_SIZE);
        break;
      case OP_SELECT:
        select(top, a, load<i32>(at - INSTRUCTION_SIZE, 8));
        break;
      case OP_HAS:
        has(top, a, load<i32>(at - INSTRUCTION_SIZE, 8));
        break;
      case OP_NOT:
        if (tagOf(top) == BOOL) setBool(top, !isTrue(top));
        else setError(top);
        break;
      case OP_NEGATE:
        negate(top);
        break;
      case OP_INDEX:
      case OP_ADD:
      case OP_SUBTRACT:
      case OP_MULTIPLY:
      case OP_DIVIDE:
      case OP_REMAINDER:
      case OP_IN:
        top -= SLOT_SIZE;
        if (tagOf(top) == ERROR || tagOf(top + SLOT_SIZE) == ERROR) setError(top);
        else operate(op, top, top + SLOT_SIZE);
        break;
      case OP_EQUAL:
      case OP_UNEQUAL:
        top -= SLOT_SIZE;
        if (tagOf(top) == ERROR || tagOf(top + SLOT_SIZE) == ERROR) setError(top);
        else setBool(top, equalSlots(top, top + SLOT_SIZE) == (op == OP_EQUAL));
        break;
      case OP_LESS:
      case OP_LESS_EQUAL:
      case OP_GREATER:
      case OP_GREATER_EQUAL:
        top -= SLOT_SIZE;
        relate(op, top, top + SLOT_SIZE);
        break;
      case OP_JUMP_FALSE:
        if (isFalse(top)) at = code + <usize>a;
        break;
      case OP_JUMP_TRUE:
        if (isTrue(top)) at = code + <usize>a;
        break;
      case OP_AND: {
        const right = top;
        top -= SLOT_SIZE;
        // A false one decides, whatever the other is.
        if (isFalse(right)) setBool(top, false);
        else if (!isTrue(right) || tagOf(top) != BOOL) setError(top);
        break;
      }
      case OP_OR: {
        const right = top;
        top -= SLOT_SIZE;
        if (isTrue(right)) setBool(top, true);
        else if (!isFalse(right) || tagOf(top) != BOOL) setError(top);
        break;
      }
      case OP_BRANCH:
        if (isTrue(top)) {
          top -= SLOT_SIZE;
        } else if (isFalse(top)) {
          top -= SLOT_SIZE;
          at = code + <usize>a;
        } else {
          setError(top);
          at = code + <usize>load<i32>(at - INSTRUCTION_SIZE, 8);
        }
        break;
      case OP_JUMP:
        at = code + <usize>a;
        break;
      case OP_LIST:
        top -= <usize>(a - 1) * SLOT_SIZE;
        makeList(top, a);
        break;
      case OP_MAP:
        top -= <usize>(2 * a - 1) * SLOT_SIZE;
        makeMap(top, a);
        break;
      case OP_ITERATE:
        if (isList(top) || isMap(top)) {
          beginComprehension(a, top);
          top += 3 * SLOT_SIZE;
        } else {
          setError(top);
          at = code + <usize>load<i32>(at - INSTRUCTION_SIZE, 8);
        }
        break;
      case OP_NEXT: {
        const state = top - 2 * SLOT_SIZE;
        const turn = load<i32>(state);
        if (turn == load<i32>(state, 12)) {
          at = code + <usize>a;
          break;
        }
        if (!spend(<i64>load<i32>(at - INSTRUCTION_SIZE, 8))) return;
        store<i32>(state, turn + 1);
        store<u32>(state, <u32>stepWalk(state - SLOT_SIZE, load<u32>(state, 8), top), 8);
        break;
      }
      case OP_KEEP:
        if (isTrue(top)) {
          top -= SLOT_SIZE;
        } else if (isFalse(top)) {
          top -= SLOT_SIZE;
          at = code + <usize>a;
        } else {
          top -= SLOT_SIZE;
          setError(top - SLOT_SIZE);
          at = code + <usize>load<i32>(at - INSTRUCTION_SIZE, 8);
        }
        break;
      case OP_STEP_ALL:
      case OP_STEP_EXISTS:
      case OP_STEP_EXISTS_ONE:
      case OP_STEP_FILTER:
      case OP_STEP_MAP: {
        const goesOn = takeTurn(op, top);
        top -= SLOT_SIZE;
        at = code + <usize>(goesOn ? a : load<i32>(at - INSTRUCTION_SIZE, 8));
        break;
      }
      case OP_END:
        top -= 3 * SLOT_SIZE;
        if (a == EXISTS_ONE && tagOf(top + 2 * SLOT_SIZE) == INT) setBool(top, intOf(top + 2 * SLOT_SIZE) == 1);
        else copySlot(top, top + 2 * SLOT_SIZE);
        break;
      case OP_CALL: {
        const operands = load<i32>(at - INSTRUCTION_SIZE, 8);
        top -= <usize>(operands - 1) * SLOT_SIZE;
        call(a, operands, top, environment);
        break;
      }
      case OP_MATCHES:
        matchCompiled(top, changetype<Pattern>(<usize>a));
        break;
      default:
        unreachable();
    }
  }
}

function pushVariable(op: i32, top: Slot, environment: Environment): void {
  switch (op) {
    case OP_TOOL:
      setText(top, environment.tool);
      break;
    case OP_AGENT:
      setText(top, environment.agent);
      break;
    case OP_ARGS:
      setObject(top, environment.args);
      break;
    case OP_FACTS:
      setAddress(top, FACTS, environment.facts, 0);
      break;
    case OP_PRINCIPAL:
      setObject(top, environment.principal);
      break;
    case OP_RESOURCE:
      setObject(top, environment.resource);
      break;
    case OP_ORIGINS:
      setAddress(top, ORIGINS, 0, 0);
      break;
    case OP_LABELS:
      setLabels(top, environment.labels);
      break;
    case OP_NOW:
      timestampOfSeconds(environment.now, top);
      break;
    default:
      setText(top, environment.turn);
  }
}

function setObject(top: Slot, object: usize): void {
  if (object == 0) setAddress(top, MAP, 0, 0);
  else setAddress(top, JSON_MAP, object, 0);
}

function setLabels(top: Slot, labels: Array<Text>): void {
  const size = labels.length;
  spend(size);
  const elements = allocate(<usize>size * SLOT_SIZE);
  for (let i = 0; i < size; i++) setText(elements + <usize>i * SLOT_SIZE, labels[i]);
  setAddress(top, LIST, elements, size);
}

/** The operators that take two values, neither of them an error. */
function operate(op: i32, left: Slot, right: Slot): void {
  switch (op) {
    case OP_INDEX:
      index(left, right);
      break;
    case OP_ADD:
      add(left, right);
      break;
    case OP_SUBTRACT:
      subtract(left, right);
      break;
    case OP_MULTIPLY:
      multiply(left, right);
      break;
    case OP_DIVIDE:
      divide(left, right);
      break;
    case OP_REMAINDER:
      remainder(left, right);
      break;
    default:
      contains(left, right);
  }
}

function relate(op: i32, left: Slot, right: Slot): void {
  if (tagOf(left) == DOUBLE && tagOf(right) == DOUBLE) {
    const x = doubleOf(left);
    const y = doubleOf(right);
    setBool(left, op == OP_LESS ? x < y : op == OP_LESS_EQUAL ? x <= y : op == OP_GREATER ? x > y : x >= y);
    return;
  }
  const order = compareSlots(left, right);
  if (order == NO_ORDER) setError(left);
  else if (order == UNORDERED) setBool(left, false);
  else setBool(left, op == OP_LESS ? order < 0 : op == OP_LESS_EQUAL ? order <= 0 : op == OP_GREATER ? order > 0 : order >= 0);
}

/** Whether one of `size` slots is an error. */
function holdsError(at: Slot, size: i32): bool {
  for (let i = 0; i < size; i++) if (tagOf(at + <usize>i * SLOT_SIZE) == ERROR) return true;
  return false;
}

function makeList(at: Slot, size: i32): void {
  if (holdsError(at, size)) {
    setError(at);
    return;
  }
  spend(size >> 1);
  const elements = allocate(<usize>size * SLOT_SIZE);
  memory.copy(elements, at, <usize>size * SLOT_SIZE);
  setAddress(at, LIST, elements, size);
}

/** A map of keys and values; a key twice, or one that is no int, uint, bool or string, is an error. */
function makeMap(at: Slot, size: i32): void {
  if (holdsError(at, 2 * size)) {
    setError(at);
    return;
  }
  for (let i = 0; i < size; i++) {
    const key = at + <usize>(2 * i) * SLOT_SIZE;
    const tag = tagOf(key);
    if (!spend(1 + (i >> 3)) || (tag != INT && tag != UINT && tag != BOOL && tag != STRING)) {
      setError(at);
      return;
    }
    for (let j = 0; j < i; j++) {
      if (equalSlots(key, at + <usize>(2 * j) * SLOT_SIZE)) {
        setError(at);
        return;
      }
    }
  }
  const entries = allocate(<usize>(2 * size) * SLOT_SIZE);
  memory.copy(entries, at, <usize>(2 * size) * SLOT_SIZE);
  setAddress(at, MAP, entries, size);
}
