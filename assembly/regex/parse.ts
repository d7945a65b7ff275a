// Reads a pattern: ECMA-262 (edition of 2024) section 22.2.1 with the `u` flag, straight into a program, without recursion.

import { equalBytes } from "../memory/bytes";
import { readClass } from "./class";
import { ESCAPE_NONE, ESCAPE_SET, PatternText, readEscape, readGroupName } from "./escape";
import {
  ASSERT_BOUNDARY, ASSERT_END, ASSERT_NO_BOUNDARY, ASSERT_START, OP_ASSERT, OP_CHARACTER, OP_JUMP, OP_MATCH, OP_SET, OP_SPLIT, Program,
} from "./program";
import { RangeList, packSet } from "../unicode/ranges";

/** Where a count in a quantifier stops growing: more than any program holds. */
const COUNT_CEILING: i32 = 1 << 24;

/** The pattern is more than one quantified set between `^` and `$`. */
export const SHAPE_OTHER: i32 = -1;
/** The pattern is `^`, one set with a quantifier or without, `$`. */
export const SHAPE_WHOLE_RUN: i32 = 3;

/** A group that is open, or the pattern itself. */
@final
class Group {
  /** The last jump to the group's end that waits for its length, or -1. */
  jumps: i32 = -1;

  constructor(
    /** Its parenthesis. */
    public where: usize,
    /** Its first instruction. */
    public codeStart: i32,
    /** The first instruction of the alternative being read. */
    public alternative: i32,
    public lookAround: bool,
  ) {}
}

/** A reference by name, `\k<…>`. */
@final
class NameReference {
  constructor(
    public where: usize,
    public name: RangeList,
  ) {}
}

/** Reads one pattern. Everything it makes lies in the current region. */
@final
export class PatternParser {
  text: PatternText;
  program: Program = new Program();
  /** The first part that is valid and not supported, or 0. */
  unsupported: usize = 0;
  unsupportedMessage: string = "";
  /** The first part that made the program too large, or 0. */
  large: usize = 0;
  /** SHAPE_WHOLE_RUN, or something else. */
  shape: i32 = 0;
  /** Of a whole run: the index of its set, and how often (-1: without bound). */
  runSet: i32 = 0;
  runMinimum: i32 = 1;
  runMaximum: i32 = 1;

  private groups: Array<Group> = [];
  private lastQuantifier: usize = 0;
  private captures: i32 = 0;
  private names: Array<RangeList> = [];
  private nameReferences: Array<NameReference> = [];
  private highestReference: i32 = 0;
  private highestReferenceWhere: usize = 0;

  constructor(start: usize, end: usize) {
    this.text = new PatternText(start, end);
  }

  /** Reads the whole pattern; `text.failed` tells whether it is one. */
  parse(): void {
    const text = this.text;
    this.groups.push(new Group(text.start, 0, 0, false));
    while (text.at < text.end) {
      const where = text.at;
      this.readTerm(text.take(), where);
      if (this.program.large && this.large == 0) this.large = max(where, this.lastQuantifier);
    }
    if (text.failed) return;
    if (this.groups.length > 1) {
      text.fail(this.groups[this.groups.length - 1].where, "a group does not end");
      return;
    }
    this.endGroup(this.groups[0]);
    this.program.emit(OP_MATCH, 0);
    if (this.program.large && this.large == 0) this.large = text.end;
    this.checkReferences();
  }

  private readTerm(first: i32, where: usize): void {
    const text = this.text;
    switch (first) {
      case 0x28: this.openGroup(where); return;
      case 0x29: this.closeGroup(where); return;
      case 0x7c: this.alternate(); return;
      case 0x5e: this.emitAssertion(ASSERT_START); return;
      case 0x24: this.emitAssertion(ASSERT_END); return;
      case 0x2a: case 0x2b: case 0x3f: case 0x7b: text.fail(where, "nothing to repeat"); return;
      case 0x5d: case 0x7d: text.fail(where, "a bracket closes nothing"); return;
      case 0x2e: this.emitSet(anyButLineEnds()); break;
      case 0x5b: {
        const set = readClass(text);
        if (set === null) return;
        this.emitSet(set);
        break;
      }
      case 0x5c: {
        if (this.readAssertion()) return;
        if (this.readReference(where)) {
          this.readQuantifier(this.program.length, -1);
          return;
        }
        const set = new RangeList(16);
        const value = readEscape(text, false, set);
        if (value == ESCAPE_NONE) return;
        if (value == ESCAPE_SET) {
          set.normalise();
          this.emitSet(set);
        } else {
          this.emitCharacter(value);
        }
        break;
      }
      default: this.emitCharacter(first);
    }
    this.readQuantifier(this.program.length - 1, this.shape == 2 ? 2 : -1);
  }

  // What is emitted

  private emitAssertion(kind: i32): void {
    if (kind == ASSERT_START && this.shape == 0) this.shape = 1;
    else if (kind == ASSERT_END && this.shape == 2) this.shape = SHAPE_WHOLE_RUN;
    else this.shape = SHAPE_OTHER;
    this.program.emit(OP_ASSERT, kind);
  }

  private emitCharacter(value: i32): void {
    this.shape = SHAPE_OTHER;
    this.program.emit(OP_CHARACTER, value);
  }

  private emitSet(ranges: RangeList): void {
    const index = this.program.intern(packSet(ranges));
    if (this.shape == 1) {
      this.shape = 2;
      this.runSet = index;
    } else {
      this.shape = SHAPE_OTHER;
    }
    this.program.emit(OP_SET, index);
  }

  // Groups and alternatives

  private openGroup(where: usize): void {
    const text = this.text;
    this.shape = SHAPE_OTHER;
    let lookAround = false;
    if (text.accept(0x3f)) {
      const kind = text.peek();
      if (kind == 0x3a) {
        text.at++;
      } else if (kind == 0x3d || kind == 0x21) {
        text.at++;
        lookAround = true;
        this.noteUnsupported(where, "look-ahead is not supported");
      } else if (kind == 0x3c) {
        text.at++;
        const next = text.peek();
        if (next == 0x3d || next == 0x21) {
          text.at++;
          lookAround = true;
          this.noteUnsupported(where, "look-behind is not supported");
        } else if (!this.nameGroup(where)) {
          return;
        }
      } else {
        text.fail(where, "this kind of group does not exist");
        return;
      }
    } else {
      this.captures++;
    }
    this.groups.push(new Group(where, this.program.length, this.program.length, lookAround));
  }

  private nameGroup(where: usize): bool {
    const name = new RangeList();
    if (!readGroupName(this.text, name)) return false;
    if (this.isNamed(name)) {
      this.text.fail(where, "two groups have one name");
      return false;
    }
    this.names.push(name);
    this.captures++;
    return true;
  }

  private isNamed(name: RangeList): bool {
    for (let i = 0; i < this.names.length; i++) {
      const known = this.names[i];
      if (equalBytes(known.start, known.count << 3, name.start, name.count << 3)) return true;
    }
    return false;
  }

  private closeGroup(where: usize): void {
    if (this.groups.length == 1) {
      this.text.fail(where, "a parenthesis closes nothing");
      return;
    }
    const group = this.groups.pop();
    this.endGroup(group);
    if (!group.lookAround) this.readQuantifier(group.codeStart, -1);
  }

  private alternate(): void {
    this.shape = SHAPE_OTHER;
    const group = this.groups[this.groups.length - 1];
    const program = this.program;
    program.insert(group.alternative, OP_SPLIT, program.length - group.alternative + 2);
    const jump = program.length;
    program.emit(OP_JUMP, group.jumps);
    group.jumps = jump;
    group.alternative = program.length;
  }

  private endGroup(group: Group): void {
    if (this.program.large) return;
    let jump = group.jumps;
    while (jump >= 0) {
      const before = this.program.argument(jump);
      this.program.setArgument(jump, this.program.length - jump);
      jump = before;
    }
  }

  // Assertions and references behind a backslash

  private readAssertion(): bool {
    const letter = this.text.peek();
    if (letter != 0x62 && letter != 0x42) return false;
    this.text.at++;
    this.emitAssertion(letter == 0x62 ? ASSERT_BOUNDARY : ASSERT_NO_BOUNDARY);
    return true;
  }

  private readReference(where: usize): bool {
    const text = this.text;
    const letter = text.peek();
    if (letter >= 0x31 && letter <= 0x39) {
      let value = 0;
      for (let digit = letter; digit >= 0x30 && digit <= 0x39; digit = text.peek()) {
        value = min(value * 10 + (digit - 0x30), COUNT_CEILING);
        text.at++;
      }
      if (value > this.highestReference) {
        this.highestReference = value;
        this.highestReferenceWhere = where;
      }
    } else if (letter == 0x6b) {
      text.at++;
      const name = new RangeList();
      if (!text.accept(0x3c)) {
        text.fail(where, "a reference has no <name>");
        return true;
      }
      if (!readGroupName(text, name)) return true;
      this.nameReferences.push(new NameReference(where, name));
    } else {
      return false;
    }
    this.shape = SHAPE_OTHER;
    this.noteUnsupported(where, "a back-reference is not supported");
    return true;
  }

  private noteUnsupported(where: usize, message: string): void {
    if (this.unsupported != 0) return;
    this.unsupported = where;
    this.unsupportedMessage = message;
  }

  private checkReferences(): void {
    if (this.highestReference > this.captures) {
      this.text.fail(this.highestReferenceWhere, "a back-reference names no group");
      return;
    }
    for (let i = 0; i < this.nameReferences.length; i++) {
      const reference = this.nameReferences[i];
      if (!this.isNamed(reference.name)) {
        this.text.fail(reference.where, "a back-reference names no group");
        return;
      }
    }
  }

  // Quantifiers

  /** Reads a quantifier, if there is one, of the instructions from `codeStart` on. `shape` is 2 where they are a run's set. */
  private readQuantifier(codeStart: i32, shape: i32): void {
    const text = this.text;
    const where = text.at;
    let minimum = 0;
    let maximum = -1;
    switch (text.peek()) {
      case 0x2a: text.at++; break;
      case 0x2b: text.at++; minimum = 1; break;
      case 0x3f: text.at++; maximum = 1; break;
      case 0x7b: {
        text.at++;
        const minimumStart = text.at;
        minimum = this.readCount();
        const minimumEnd = text.at;
        maximum = minimum;
        let ordered = true;
        if (minimum >= 0 && text.accept(0x2c)) {
          if (text.peek() == 0x7d) {
            maximum = -1;
          } else {
            const maximumStart = text.at;
            maximum = this.readCount();
            ordered = maximum >= 0 && !exceeds(minimumStart, minimumEnd, maximumStart, text.at);
            if (maximum < 0) minimum = -1;
          }
        }
        if (minimum < 0 || !text.accept(0x7d)) {
          text.fail(where, "a quantifier is not {n}, {n,} or {n,m}");
          return;
        }
        if (!ordered) {
          text.fail(where, "a quantifier's numbers are out of order");
          return;
        }
        break;
      }
      default: return;
    }
    this.lastQuantifier = where;
    text.accept(0x3f);
    if (shape == 2) {
      this.runMinimum = minimum;
      this.runMaximum = maximum;
    }
    this.program.repeat(codeStart, minimum, maximum);
  }

  /** Takes decimal digits; -1 where there are none. */
  private readCount(): i32 {
    const text = this.text;
    let value = -1;
    while (true) {
      const digit = text.peek() - 0x30;
      if (digit < 0 || digit > 9) return value;
      value = min(max(value, 0) * 10 + digit, COUNT_CEILING);
      text.at++;
    }
  }
}

/** Whether the first run of decimal digits is the greater number. */
function exceeds(a: usize, aEnd: usize, b: usize, bEnd: usize): bool {
  while (a < aEnd && load<u8>(a) == 0x30) a++;
  while (b < bEnd && load<u8>(b) == 0x30) b++;
  if (aEnd - a != bEnd - b) return aEnd - a > bEnd - b;
  for (; a < aEnd; a++, b++) if (load<u8>(a) != load<u8>(b)) return load<u8>(a) > load<u8>(b);
  return false;
}

/** What `.` takes: everything but the line terminators of ECMA-262. */
function anyButLineEnds(): RangeList {
  const ends = new RangeList();
  ends.add(0x0a, 0x0a);
  ends.add(0x0d, 0x0d);
  ends.add(0x2028, 0x2029);
  return ends.inverted();
}
