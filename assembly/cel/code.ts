// The flat code of a condition: its instructions, and the builder that lays them down and counts the stack they need.
//
// An instruction is 16 bytes: +0 which   +4 a   +8 b   +12 unused. A label is the address of an instruction, as an offset into the code.
// Every expression leaves exactly one slot on the stack, so the height before each instruction is known when it is laid down.

import { allocate, reallocate } from "../memory/region";

export const INSTRUCTION_SIZE: usize = 16;

/** The end: the slot on top is the result. */
export const OP_RETURN: i32 = 0;
/** Pushes the slot at address a. */
export const OP_CONSTANT: i32 = 1;
/** Push a variable. */
export const OP_TOOL: i32 = 2;
export const OP_AGENT: i32 = 3;
export const OP_ARGS: i32 = 4;
export const OP_FACTS: i32 = 5;
export const OP_PRINCIPAL: i32 = 6;
export const OP_RESOURCE: i32 = 7;
export const OP_ORIGINS: i32 = 8;
export const OP_LABELS: i32 = 9;
export const OP_NOW: i32 = 10;
export const OP_TURN: i32 = 11;
/** Pushes the slot at height a. */
export const OP_LOCAL: i32 = 12;
/** Field a (address), b (length) of what is on top; HAS: whether it is there. */
export const OP_SELECT: i32 = 13;
export const OP_HAS: i32 = 14;
/** `a[b]` */
export const OP_INDEX: i32 = 15;
export const OP_NOT: i32 = 16;
export const OP_NEGATE: i32 = 17;
export const OP_ADD: i32 = 18;
export const OP_SUBTRACT: i32 = 19;
export const OP_MULTIPLY: i32 = 20;
export const OP_DIVIDE: i32 = 21;
export const OP_REMAINDER: i32 = 22;
export const OP_EQUAL: i32 = 23;
export const OP_UNEQUAL: i32 = 24;
export const OP_LESS: i32 = 25;
export const OP_LESS_EQUAL: i32 = 26;
export const OP_GREATER: i32 = 27;
export const OP_GREATER_EQUAL: i32 = 28;
export const OP_IN: i32 = 29;
/** Go to label a where the top is false (true), keeping it. */
export const OP_JUMP_FALSE: i32 = 30;
export const OP_JUMP_TRUE: i32 = 31;
/** Two operands to one, absorbing an error beside what decides. */
export const OP_AND: i32 = 32;
export const OP_OR: i32 = 33;
/** Takes a condition: true goes on, false goes to label a; anything else leaves an error and goes to label b. */
export const OP_BRANCH: i32 = 34;
export const OP_JUMP: i32 = 35;
/** a elements to a list; a keys and values to a map. */
export const OP_LIST: i32 = 36;
export const OP_MAP: i32 = 37;
/** Begins a comprehension of kind a over what is on top; where that can't be, leaves an error and goes to label b. */
export const OP_ITERATE: i32 = 38;
/** Takes the next element, or goes to label a; one turn costs b steps. */
export const OP_NEXT: i32 = 39;
/** Takes a predicate: false goes to label a, no bool ends the comprehension with an error at label b. */
export const OP_KEEP: i32 = 40;
/** Takes the body's value and goes to label a, or to label b where it decides. */
export const OP_STEP_ALL: i32 = 41;
export const OP_STEP_EXISTS: i32 = 42;
export const OP_STEP_EXISTS_ONE: i32 = 43;
export const OP_STEP_FILTER: i32 = 44;
export const OP_STEP_MAP: i32 = 45;
/** Ends a comprehension of kind a, leaving its result. */
export const OP_END: i32 = 46;
/** Calls function a with b operands. */
export const OP_CALL: i32 = 47;
/** Matches the pattern a, compiled at registration. */
export const OP_MATCHES: i32 = 48;

/** The kinds of comprehension, in the order of their steps. */
export const ALL: i32 = 0;
export const EXISTS: i32 = 1;
export const EXISTS_ONE: i32 = 2;
export const FILTER: i32 = 3;
export const TRANSFORM: i32 = 4;

/**
 * What a comprehension keeps on the stack: its range, its state, its result so far, its variable.
 *   state: +0 index (i32)  +4 capacity of the result's list (i32)  +8 where the next element is  +12 how many elements
 */
export const FRAME_SLOTS: i32 = 4;

/** Code being laid down, in the current region. */
@final
export class Code {
  start: usize;
  /** Bytes. */
  length: i32 = 0;
  private capacity: i32 = 256;
  /** Slots on the stack before the next instruction. */
  height: i32 = 0;
  /** The most there ever are. */
  most: i32 = 0;

  constructor() {
    this.start = allocate(256);
  }

  /** Lays an instruction down that changes the height by `change`; returns its label. */
  emit(op: i32, a: i32, b: i32, change: i32): i32 {
    if (this.length == this.capacity) {
      this.start = reallocate(this.start, <usize>this.capacity, <usize>(this.capacity * 2));
      this.capacity *= 2;
    }
    const at = this.start + <usize>this.length;
    store<i32>(at, op);
    store<i32>(at, a, 4);
    store<i32>(at, b, 8);
    store<i32>(at, 0, 12);
    const label = this.length;
    this.length += <i32>INSTRUCTION_SIZE;
    this.height += change;
    if (this.height > this.most) this.most = this.height;
    return label;
  }

  op(label: i32): i32 {
    return load<i32>(this.start + <usize>label);
  }

  a(label: i32): i32 {
    return load<i32>(this.start + <usize>label, 4);
  }

  b(label: i32): i32 {
    return load<i32>(this.start + <usize>label, 8);
  }

  setA(label: i32, value: i32): void {
    store<i32>(this.start + <usize>label, value, 4);
  }

  setB(label: i32, value: i32): void {
    store<i32>(this.start + <usize>label, value, 8);
  }

  /** Takes back everything from `label` on, which pushed `pushed` slots. */
  truncate(label: i32, pushed: i32): void {
    this.length = label;
    this.height -= pushed;
  }
}
