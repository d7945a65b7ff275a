// Compiles a pattern for matching: the public face of the room, with what may be wrong with a pattern.

import { allocate, allocateCleared, createRegion, dropRegion, enterRegion } from "../memory/region";
import { Automaton, buildAutomaton } from "./automaton";
import { PatternParser, SHAPE_WHOLE_RUN } from "./parse";
import { OP_ASSERT, OP_SET, ASSERT_START, Program } from "./program";
import { setSize } from "../unicode/ranges";

/** The longest pattern, in bytes. */
export const PATTERN_LIMIT: i32 = 16384;

/** The pattern can be matched. */
export const PATTERN_OK: i32 = 0;
/** The text is no pattern of ECMA-262 with the `u` flag. */
export const PATTERN_INVALID: i32 = 1;
/** It is one, and holds a back-reference or look-around. */
export const PATTERN_UNSUPPORTED: i32 = 2;
/** It is one, and passes PATTERN_LIMIT (bytes) or PROGRAM_LIMIT (instructions). */
export const PATTERN_LARGE: i32 = 3;

/** A compiled pattern; it lies in the region that was current when it was compiled. */
@final
export class Pattern {
  /** PATTERN_OK, PATTERN_INVALID, PATTERN_UNSUPPORTED or PATTERN_LARGE; only with PATTERN_OK can it be matched. */
  problem: i32 = 0;
  /** Where the problem is, in bytes from the pattern's start. */
  offset: i32 = 0;
  /** What the problem is: an ASCII sentence part for people, "" without one. */
  message: string = "";

  // One set from the text's start to its end: matched by counting.
  /** The packed set, or 0. */
  runSet: usize = 0;
  runMinimum: i32 = 0;
  /** -1: without bound. */
  runMaximum: i32 = 0;

  // A small program: matched by its table.
  automaton: Automaton | null = null;

  // Any other: matched by running all its threads at once.
  code: usize = 0;
  length: i32 = 0;
  /** It begins with `^`. */
  anchored: bool = false;
  /** Threads before and after a code point, a stack, and the generation each instruction was last reached in (u32 each). */
  threads: usize = 0;
  nextThreads: usize = 0;
  stack: usize = 0;
  reached: usize = 0;
  generation: u32 = 0;

  fail(problem: i32, offset: i32, message: string): Pattern {
    this.problem = problem;
    this.offset = offset;
    this.message = message;
    return this;
  }
}

/**
 * Compiles a pattern (chapter 2, "What the schema walk asserts"): ECMA-262 with the `u` flag.
 * In: UTF-8 bytes, valid. Out: the pattern, in the current region; `problem` tells whether it can be matched. Of several problems
 * PATTERN_INVALID is told before PATTERN_UNSUPPORTED, and that before PATTERN_LARGE; a text over PATTERN_LIMIT is not read at all.
 * Without `shortcuts` it runs as threads whatever its size, which answers the same (for tests).
 */
export function compilePattern(start: usize, length: i32, shortcuts: bool = true): Pattern {
  const pattern = new Pattern();
  if (length > PATTERN_LIMIT) return pattern.fail(PATTERN_LARGE, PATTERN_LIMIT, "the pattern is longer than 16384 bytes");
  const scratch = createRegion();
  const owner = enterRegion(scratch);
  const parser = new PatternParser(start, start + <usize>length);
  parser.parse();
  const text = parser.text;
  if (text.failed) {
    pattern.fail(PATTERN_INVALID, text.offset, text.message);
  } else if (parser.unsupported != 0) {
    pattern.fail(PATTERN_UNSUPPORTED, <i32>(parser.unsupported - start), parser.unsupportedMessage);
  } else if (parser.program.large) {
    pattern.fail(PATTERN_LARGE, <i32>(min(parser.large, start + <usize>length) - start), "the pattern needs more than 32768 instructions");
  } else {
    finish(pattern, parser, owner, shortcuts);
  }
  enterRegion(owner);
  dropRegion(scratch);
  return pattern;
}

/** Chooses how the pattern is matched, and copies what that needs to region `owner`. */
function finish(pattern: Pattern, parser: PatternParser, owner: usize, shortcuts: bool): void {
  const program = parser.program;
  if (shortcuts && parser.shape == SHAPE_WHOLE_RUN) {
    const scratch = enterRegion(owner);
    pattern.runSet = copySet(program.sets[parser.runSet]);
    pattern.runMinimum = parser.runMinimum;
    pattern.runMaximum = parser.runMaximum;
    enterRegion(scratch);
    return;
  }
  if (shortcuts) pattern.automaton = buildAutomaton(program, owner);
  if (pattern.automaton === null) {
    const scratch = enterRegion(owner);
    copyProgram(pattern, program);
    enterRegion(scratch);
  }
}

function copySet(set: usize): usize {
  const size = setSize(set);
  const copy = allocate(size);
  memory.copy(copy, set, size);
  return copy;
}

function copyProgram(pattern: Pattern, program: Program): void {
  const length = program.length;
  const sets = new StaticArray<usize>(program.sets.length);
  for (let i = 0; i < sets.length; i++) sets[i] = copySet(program.sets[i]);
  pattern.length = length;
  pattern.code = allocate(<usize>length << 3);
  memory.copy(pattern.code, program.code, <usize>length << 3);
  for (let i = 0; i < length; i++) {
    const at = pattern.code + (<usize>i << 3);
    if (load<u32>(at) == OP_SET) store<u32>(at, <u32>sets[load<i32>(at, 4)], 4);
  }
  pattern.anchored = program.operation(0) == OP_ASSERT && program.argument(0) == ASSERT_START;
  const bytes = <usize>length << 2;
  pattern.threads = allocate(bytes);
  pattern.nextThreads = allocate(bytes);
  pattern.stack = allocate(bytes + 8);
  pattern.reached = allocateCleared(bytes);
}
