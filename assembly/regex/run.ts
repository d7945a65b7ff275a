// Matches a text against a compiled pattern, in steps that grow with text × pattern at most.

import { afterCodePoint, codePointAt } from "../memory/bytes";
import { spend } from "../memory/steps";
import { Automaton, STATE_MATCHED } from "./automaton";
import { isWord } from "./classes";
import { Pattern } from "./compile";
import {
  ASSERT_BOUNDARY, ASSERT_END, ASSERT_START, OP_ASSERT, OP_CHARACTER, OP_JUMP, OP_MATCH, OP_SET, OP_SPLIT,
} from "./program";
import { setHas, setHasAscii } from "../unicode/ranges";

/** The pattern matches somewhere in the text. */
export const MATCH_YES: i32 = 1;
/** It does not. */
export const MATCH_NO: i32 = 0;
/** The step budget was passed first. */
export const MATCH_STEPS: i32 = -1;

/**
 * Whether a pattern matches anywhere in a text.
 * In: a pattern without a problem (another answers MATCH_NO); UTF-8 bytes, valid. Out: MATCH_YES, MATCH_NO, or MATCH_STEPS where the
 * budget of memory/steps.ts is passed. A step is a byte of the text, or, for patterns without a table, an instruction reached at a
 * code point; the count depends on pattern and text alone. Allocates nothing.
 */
export function matchPattern(pattern: Pattern, start: usize, length: i32): i32 {
  if (pattern.problem != 0) return MATCH_NO;
  const end = start + <usize>length;
  if (pattern.runSet != 0) return matchRun(pattern, start, end);
  const automaton = pattern.automaton;
  if (automaton !== null) return matchTable(automaton, start, end);
  return matchThreads(pattern, start, end);
}

function matchRun(pattern: Pattern, start: usize, end: usize): i32 {
  const set = pattern.runSet;
  const maximum = pattern.runMaximum;
  let count = 0;
  let at = start;
  let result = MATCH_YES;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte < 0x80 ? !setHasAscii(set, byte) : !setHas(set, codePointAt(at))) {
      result = MATCH_NO;
      break;
    }
    at = afterCodePoint(at);
    count++;
  }
  if (count < pattern.runMinimum || (maximum >= 0 && count > maximum)) result = MATCH_NO;
  return spend(<i64>(at - start) + 1) ? result : MATCH_STEPS;
}

/** The class of a code point at or above U+0080. */
function classOf(automaton: Automaton, codePoint: u32): usize {
  let low = 0;
  let high = automaton.intervalCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (load<u32>(automaton.intervals + (<usize>middle << 2)) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return load<u8>(automaton.intervalClasses + <usize>low);
}

function matchTable(automaton: Automaton, start: usize, end: usize): i32 {
  const table = automaton.table;
  const ascii = automaton.ascii;
  const shift: usize = automaton.shift;
  let state: usize = automaton.initial;
  let at = start;
  while (at < end && state > <usize>STATE_MATCHED) {
    const byte: usize = load<u8>(at);
    if (byte < 0x80) {
      state = load<u8>(table + (state << shift) + <usize>load<u8>(ascii + byte));
      at++;
    } else {
      state = load<u8>(table + (state << shift) + classOf(automaton, codePointAt(at)));
      at = afterCodePoint(at);
    }
  }
  if (!spend(<i64>(at - start) + 1)) return MATCH_STEPS;
  if (state > <usize>STATE_MATCHED) return load<u8>(automaton.endings + state);
  return state == <usize>STATE_MATCHED ? MATCH_YES : MATCH_NO;
}

/** Bits of a position's context. */
const AT_START: i32 = 1;
const AT_END: i32 = 2;
const AT_BOUNDARY: i32 = 4;

/** What a call of reach found, beside the threads. */
let reachedMatch: bool = false;
let reachedSteps: i32 = 0;

/** Adds the threads that go on from `index` to those at `into`; answers how many there are now. */
function reach(pattern: Pattern, index: i32, context: i32, into: usize, count: i32): i32 {
  const code = pattern.code;
  const reached = pattern.reached;
  const stack = pattern.stack;
  const generation = pattern.generation;
  let depth: usize = 0;
  let at = index;
  while (true) {
    const mark = reached + (<usize>at << 2);
    let next = -1;
    if (load<u32>(mark) != generation) {
      store<u32>(mark, generation);
      reachedSteps++;
      const instruction = code + (<usize>at << 3);
      const operation = load<u32>(instruction);
      switch (operation) {
        case OP_MATCH:
          reachedMatch = true;
          return count;
        case OP_JUMP:
          next = at + load<i32>(instruction, 4);
          break;
        case OP_SPLIT:
          store<i32>(stack + (depth << 2), at + load<i32>(instruction, 4));
          depth++;
          next = at + 1;
          break;
        case OP_ASSERT: {
          const kind = load<i32>(instruction, 4);
          let holds: bool;
          if (kind == ASSERT_START) holds = (context & AT_START) != 0;
          else if (kind == ASSERT_END) holds = (context & AT_END) != 0;
          else holds = ((context & AT_BOUNDARY) != 0) == (kind == ASSERT_BOUNDARY);
          if (holds) next = at + 1;
          break;
        }
        default:
          store<i32>(into + (<usize>count << 2), at);
          count++;
      }
    }
    if (next < 0) {
      if (depth == 0) return count;
      depth--;
      next = load<i32>(stack + (depth << 2));
    }
    at = next;
  }
  return count;
}

/** Begins a new generation of marks. */
function nextGeneration(pattern: Pattern): void {
  pattern.generation++;
  if (pattern.generation == 0) {
    memory.fill(pattern.reached, 0, <usize>pattern.length << 2);
    pattern.generation = 1;
  }
}

function matchThreads(pattern: Pattern, start: usize, end: usize): i32 {
  let threads = pattern.threads;
  let nextThreads = pattern.nextThreads;
  reachedMatch = false;
  reachedSteps = 1;
  let at = start;
  let next = at < end ? codePointAt(at) : -1;
  let context = AT_START | (at == end ? AT_END : 0) | (isWord(next) ? AT_BOUNDARY : 0);
  nextGeneration(pattern);
  let count = reach(pattern, 0, context, threads, 0);
  while (true) {
    if (!spend(reachedSteps)) return MATCH_STEPS;
    if (reachedMatch) return MATCH_YES;
    if (at == end || (count == 0 && pattern.anchored)) return MATCH_NO;
    reachedSteps = 1;
    const current = next;
    at = afterCodePoint(at);
    next = at < end ? codePointAt(at) : -1;
    context = (at == end ? AT_END : 0) | (isWord(current) != isWord(next) ? AT_BOUNDARY : 0);
    nextGeneration(pattern);
    let nextCount = 0;
    for (let i = 0; i < count; i++) {
      const index = load<i32>(threads + (<usize>i << 2));
      const instruction = pattern.code + (<usize>index << 3);
      const argument = load<u32>(instruction, 4);
      const takes = load<u32>(instruction) == OP_CHARACTER ? argument == <u32>current : setHas(argument, <u32>current);
      if (takes) nextCount = reach(pattern, index + 1, context, nextThreads, nextCount);
    }
    if (!pattern.anchored) nextCount = reach(pattern, 0, context, nextThreads, nextCount);
    reachedSteps += count;
    const swap = threads;
    threads = nextThreads;
    nextThreads = swap;
    count = nextCount;
  }
  return MATCH_NO;
}
