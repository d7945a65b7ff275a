// Turns a small program into a table: subset construction over classes of code points that the program does not tell apart.

import { allocate, enterRegion } from "../memory/region";
import { setHas } from "../unicode/ranges";
import { AUTOMATON_CLASS_LIMIT, Classes, classify, isWord } from "./classes";
import {
  ASSERT_BOUNDARY, ASSERT_END, ASSERT_START, OP_ASSERT, OP_CHARACTER, OP_JUMP, OP_MATCH, OP_SET, OP_SPLIT, Program,
} from "./program";

/** The most instructions of a program that is turned into a table. */
export const AUTOMATON_PROGRAM_LIMIT: i32 = 1024;
/** The most states of a table. */
export const AUTOMATON_STATE_LIMIT: i32 = 255;
/** The most instructions visited while a table is made. */
export const AUTOMATON_WORK_LIMIT: i32 = 30000;

/** The state from which nothing matches any more. */
export const STATE_DEAD: i32 = 0;
/** The state that has matched, whatever follows. */
export const STATE_MATCHED: i32 = 1;

/** The context of a position: what its assertions ask. */
const AT_START: i32 = 1;
const AT_END: i32 = 2;
const AT_BOUNDARY: i32 = 4;
/** Both neighbours are known; without it, assertions that need the next code point wait. */
const KNOWN: i32 = 8;

/** A table: a state is one byte, a row is the next states by class. */
@final
export class Automaton {
  /** The first state. */
  initial: i32 = 0;
  /** Rows of 1 << shift bytes. */
  table: usize = 0;
  shift: i32 = 0;
  /** One byte a state: whether it matches at the end of the text. */
  endings: usize = 0;
  /** 128 bytes: the class of each code point below U+0080. */
  ascii: usize = 0;
  /** The other code points: where each interval of one class begins (u32), and its class (u8). */
  intervalCount: i32 = 0;
  intervals: usize = 0;
  intervalClasses: usize = 0;
}

/** A set of instruction indices: bits, and the members in the order they came. */
@final
class InstructionSet {
  bits: usize;
  members: StaticArray<u16>;
  count: i32 = 0;
  /** Whether the match instruction was reached. */
  matched: bool = false;

  constructor(public words: i32) {
    this.bits = allocate(<usize>words << 3);
    this.members = new StaticArray<u16>(words << 6);
    this.clear();
  }

  clear(): void {
    memory.fill(this.bits, 0, <usize>this.words << 3);
    this.count = 0;
    this.matched = false;
  }

  /** Adds an index; false where it was in. */
  add(index: i32): bool {
    const at = this.bits + (<usize>(index >> 6) << 3);
    const bit = (<u64>1) << (index & 63);
    const word = load<u64>(at);
    if (word & bit) return false;
    store<u64>(at, word | bit);
    this.members[this.count++] = <u16>index;
    return true;
  }
}

/** A state: its instructions that take a code point or wait for an assertion. */
@final
class State {
  constructor(
    public members: StaticArray<u16>,
    public bits: usize,
    /** AT_START, and AFTER_WORD where the last code point was of a word and that matters. */
    public flags: i32,
  ) {}
}

const AFTER_WORD: i32 = 16;

/** The construction. */
@final
class Builder {
  states: Array<State> = [];
  rows: Array<StaticArray<u8>> = [];
  work: i32 = 0;
  private words: i32 = 0;
  private hashes: StaticArray<u64> = new StaticArray<u64>(AUTOMATON_STATE_LIMIT);
  private stack: usize = 0;
  private reached: InstructionSet = new InstructionSet(0);
  private kept: InstructionSet = new InstructionSet(0);
  private resolved: InstructionSet = new InstructionSet(0);
  /** Two words an instruction: a bit for each class it takes. */
  private takes: StaticArray<u64> = [];
  /** The target of each signature met in the row being made: a bit a member of this.resolved. */
  private signatures: StaticArray<u64> = new StaticArray<u64>(AUTOMATON_CLASS_LIMIT);
  private targets: StaticArray<i32> = new StaticArray<i32>(AUTOMATON_CLASS_LIMIT);

  constructor(
    public program: Program,
    public hasBoundaries: bool,
    classes: Classes,
    /** A code point of each class. */
    public examples: Array<u32>,
  ) {
    this.words = (program.length + 63) >> 6;
    this.reached = new InstructionSet(this.words);
    this.kept = new InstructionSet(this.words);
    this.resolved = new InstructionSet(this.words);
    // An instruction is pushed when it is first reached, and by a split that is.
    this.stack = allocate(<usize>(2 * program.length + 2) << 2);
    this.takes = new StaticArray<u64>(2 * program.length);
    this.fillTakes(classes);
  }

  private fillTakes(classes: Classes): void {
    const program = this.program;
    const sets = program.sets;
    const setTakes = new StaticArray<u64>(2 * sets.length);
    for (let i = 0; i < sets.length; i++) {
      for (let c = 0; c < this.examples.length; c++) {
        if (setHas(sets[i], this.examples[c])) setTakes[2 * i + (c >> 6)] |= (<u64>1) << (c & 63);
      }
    }
    for (let i = 0; i < program.length; i++) {
      const argument = program.argument(i);
      const operation = program.operation(i);
      if (operation == OP_SET) {
        this.takes[2 * i] = setTakes[2 * argument];
        this.takes[2 * i + 1] = setTakes[2 * argument + 1];
      } else if (operation == OP_CHARACTER) {
        const c = <i32>classes.classOf(argument);
        this.takes[2 * i + (c >> 6)] = (<u64>1) << (c & 63);
      }
    }
  }

  /** Adds to `into` what can be reached from `index` without taking a code point; this.reached holds what was seen. */
  private reach(index: i32, context: i32, into: InstructionSet): void {
    const program = this.program;
    const reached = this.reached;
    const stack = this.stack;
    let depth: usize = 1;
    store<i32>(stack, index);
    while (depth > 0) {
      depth--;
      const at = load<i32>(stack + (depth << 2));
      this.work++;
      if (!reached.add(at)) continue;
      const operation = program.operation(at);
      let next = -1;
      if (operation == OP_MATCH) {
        into.matched = true;
      } else if (operation == OP_JUMP) {
        next = at + program.argument(at);
      } else if (operation == OP_SPLIT) {
        store<i32>(stack + (depth++ << 2), at + program.argument(at));
        next = at + 1;
      } else if (operation == OP_ASSERT) {
        const kind = program.argument(at);
        let holds = false;
        if (kind == ASSERT_START) holds = (context & AT_START) != 0;
        else if (!(context & KNOWN)) into.add(at);
        else if (kind == ASSERT_END) holds = (context & AT_END) != 0;
        else holds = ((context & AT_BOUNDARY) != 0) == (kind == ASSERT_BOUNDARY);
        if (holds) next = at + 1;
      } else {
        into.add(at);
      }
      if (next >= 0) store<i32>(stack + (depth++ << 2), next);
    }
  }

  /** The state of what this.kept holds; -1 where there are too many. */
  private stateOf(flags: i32): i32 {
    const kept = this.kept;
    if (kept.matched) return STATE_MATCHED;
    if (kept.count == 0) return STATE_DEAD;
    if (flags & AFTER_WORD) {
      let waits = false;
      for (let i = 0; i < kept.count; i++) if (this.program.operation(kept.members[i]) == OP_ASSERT) waits = true;
      if (!waits) flags &= ~AFTER_WORD;
    }
    let hash: u64 = <u64>flags;
    for (let i = 0; i < this.words; i++) {
      hash = (hash ^ load<u64>(kept.bits + (<usize>i << 3))) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    const bytes = <usize>this.words << 3;
    for (let i = 0; i < this.states.length; i++) {
      if (this.hashes[i] != hash) continue;
      const state = this.states[i];
      if (state.flags == flags && memory.compare(state.bits, kept.bits, bytes) == 0) return i + 2;
    }
    if (this.states.length + 2 >= AUTOMATON_STATE_LIMIT) return -1;
    const bits = allocate(bytes);
    memory.copy(bits, kept.bits, bytes);
    const members = new StaticArray<u16>(kept.count);
    for (let i = 0; i < kept.count; i++) members[i] = kept.members[i];
    this.hashes[this.states.length] = hash;
    this.states.push(new State(members, bits, flags));
    return this.states.length + 1;
  }

  /** Fills this.resolved with what a state takes, its assertions answered. */
  private resolve(state: State, context: i32): void {
    this.reached.clear();
    this.resolved.clear();
    for (let i = 0; i < state.members.length; i++) this.reach(state.members[i], context, this.resolved);
  }

  private contextOf(state: State, nextIsWord: bool, end: bool): i32 {
    let context = KNOWN | (state.flags & AT_START);
    if (end) context |= AT_END;
    if (((state.flags & AFTER_WORD) != 0) != nextIsWord) context |= AT_BOUNDARY;
    return context;
  }

  /** Makes all states from the first; answers the first, or -1 past a limit. */
  build(): i32 {
    this.reached.clear();
    this.kept.clear();
    this.reach(0, AT_START, this.kept);
    const initial = this.stateOf(AT_START);
    for (let s = 0; s < this.states.length; s++) {
      const row = new StaticArray<u8>(this.examples.length);
      this.rows.push(row);
      if (!this.fillRow(this.states[s], row, false)) return -1;
      if (this.hasBoundaries && !this.fillRow(this.states[s], row, true)) return -1;
    }
    return initial;
  }

  /** Fills the targets of the classes of word characters, or of the others; where it does not matter, of all. */
  private fillRow(state: State, row: StaticArray<u8>, word: bool): bool {
    this.resolve(state, this.contextOf(state, word, false));
    const resolved = this.resolved;
    const small = resolved.count <= 64;
    let met = 0;
    for (let c = 0; c < row.length; c++) {
      if (this.hasBoundaries && isWord(this.examples[c]) != word) continue;
      if (resolved.matched) {
        row[c] = <u8>STATE_MATCHED;
        continue;
      }
      let next = -2;
      let signature: u64 = 0;
      if (small) {
        for (let i = 0; i < resolved.count; i++) signature |= this.takesClass(resolved.members[i], c) << i;
        for (let i = 0; i < met; i++) if (this.signatures[i] == signature) next = this.targets[i];
      }
      if (next == -2) {
        next = this.follow(c, word);
        if (next < 0 || this.work > AUTOMATON_WORK_LIMIT) return false;
        this.signatures[met] = signature;
        this.targets[met++] = next;
      }
      row[c] = <u8>next;
    }
    return true;
  }

  /** 1 where an instruction takes the code points of class `c`. */
  // @ts-ignore: decorator
  @inline
  private takesClass(at: i32, c: i32): u64 {
    return (this.takes[2 * at + (c >> 6)] >> (c & 63)) & 1;
  }

  /** The state after this.resolved has taken a code point of class `c`. */
  private follow(c: i32, word: bool): i32 {
    this.reached.clear();
    this.kept.clear();
    for (let i = 0; i < this.resolved.count; i++) {
      const at: i32 = this.resolved.members[i];
      if (this.takesClass(at, c)) this.reach(at + 1, 0, this.kept);
    }
    this.reach(0, 0, this.kept);
    return this.stateOf(word ? AFTER_WORD : 0);
  }

  /** Whether a state matches where the text ends. */
  endsWell(index: i32): bool {
    const state = this.states[index];
    this.resolve(state, this.contextOf(state, false, true));
    return this.resolved.matched;
  }
}

/**
 * Makes the table of a program, in region `owner`; scratch goes to the current region. Null past a limit: the program then runs
 * as it is.
 */
export function buildAutomaton(program: Program, owner: usize): Automaton | null {
  if (program.length > AUTOMATON_PROGRAM_LIMIT) return null;
  let hasBoundaries = false;
  for (let i = 0; i < program.length; i++) {
    if (program.operation(i) == OP_ASSERT && program.argument(i) >= ASSERT_BOUNDARY) hasBoundaries = true;
  }
  const classes = classify(program, hasBoundaries);
  if (classes === null) return null;
  const members = classes.number();
  if (members.length > AUTOMATON_CLASS_LIMIT) return null;
  const builder = new Builder(program, hasBoundaries, classes, members);
  const initial = builder.build();
  if (initial < 0) return null;
  const stateCount = builder.states.length + 2;
  const endings: StaticArray<u8> = new StaticArray<u8>(stateCount);
  for (let s = 2; s < stateCount; s++) endings[s] = builder.endsWell(s - 2) ? 1 : 0;

  const scratch = enterRegion(owner);
  const automaton = new Automaton();
  automaton.initial = initial;
  let shift = 0;
  while (1 << shift < members.length) shift++;
  automaton.shift = shift;
  automaton.table = allocate(<usize>stateCount << shift);
  for (let s = 2; s < stateCount; s++) {
    const row = builder.rows[s - 2];
    for (let c = 0; c < row.length; c++) store<u8>(automaton.table + (<usize>s << shift) + <usize>c, row[c]);
  }
  automaton.endings = allocate(stateCount);
  memory.copy(automaton.endings, changetype<usize>(endings), stateCount);
  automaton.ascii = allocate(128);
  for (let c = 0; c < 128; c++) store<u8>(automaton.ascii + <usize>c, <u8>classes.ascii[c]);
  const intervalCount = classes.starts.length;
  automaton.intervals = allocate(<usize>intervalCount << 2);
  automaton.intervalClasses = allocate(<usize>intervalCount);
  let kept = 0;
  for (let i = 0; i < intervalCount; i++) {
    if (kept > 0 && load<u8>(automaton.intervalClasses + <usize>(kept - 1)) == <u8>classes.classes[i]) continue;
    store<u32>(automaton.intervals + (<usize>kept << 2), classes.starts[i]);
    store<u8>(automaton.intervalClasses + <usize>kept, <u8>classes.classes[i]);
    kept++;
  }
  automaton.intervalCount = kept;
  enterRegion(scratch);
  return automaton;
}
