// Code points in classes: two of one class are told apart by no instruction of a program.

import { allocate } from "../memory/region";
import { LAST_CODE_POINT, setHasAscii, setRangeCount, setRangeFirst, setRangeLast } from "../unicode/ranges";
import { OP_CHARACTER, Program } from "./program";

/** The most classes of a table. */
export const AUTOMATON_CLASS_LIMIT: i32 = 128;

/** Whether an ASCII code point is a word character. */
// @ts-ignore: decorator
@inline
export function isWord(codePoint: i32): bool {
  const lower = codePoint | 0x20;
  return (codePoint >= 0x30 && codePoint <= 0x39) || (lower >= 0x61 && lower <= 0x7a && codePoint < 0x80) || codePoint == 0x5f;
}

/** Code points in classes: two of one class are told apart by no instruction. */
@final
export class Classes {
  ascii: StaticArray<u16> = new StaticArray<u16>(128);
  starts: Array<u32> = [0x80];
  classes: Array<u16> = [0];
  used: i32 = 1;
  /** Which class the members of each class move to, or 0xffff. */
  private moved: Array<u16> = [];

  private moveTo(old: u16): u16 {
    const known = this.moved[old];
    if (known != 0xffff) return known;
    const made = <u16>(this.used++);
    this.moved[old] = made;
    return made;
  }

  private begin(): void {
    for (let i = 0; i < this.moved.length; i++) this.moved[i] = 0xffff;
    while (this.moved.length < this.used) this.moved.push(0xffff);
  }

  /** Tells the members of a packed set apart from the rest. */
  refine(set: usize): void {
    this.begin();
    for (let c = 0; c < 128; c++) if (setHasAscii(set, c)) this.ascii[c] = this.moveTo(this.ascii[c]);
    const ranges = setRangeCount(set);
    if (ranges > 0) this.refineIntervals(set, ranges);
  }

  private refineIntervals(set: usize, ranges: i32): void {
    const starts: Array<u32> = [];
    const classes: Array<u16> = [];
    let range = 0;
    for (let i = 0; i < this.starts.length; i++) {
      const end = i + 1 < this.starts.length ? this.starts[i + 1] : LAST_CODE_POINT + 1;
      const old = this.classes[i];
      let at = this.starts[i];
      while (at < end) {
        while (range < ranges && setRangeLast(set, range) < at) range++;
        const inside = range < ranges && setRangeFirst(set, range) <= at;
        let next = end;
        if (range < ranges) next = min(end, inside ? setRangeLast(set, range) + 1 : setRangeFirst(set, range));
        starts.push(at);
        classes.push(inside ? this.moveTo(old) : old);
        at = next;
      }
    }
    this.starts = starts;
    this.classes = classes;
  }

  /** Tells one code point apart from the rest; no set is refined afterwards. */
  isolate(codePoint: u32): void {
    if (codePoint < 0x80) {
      this.ascii[codePoint] = <u16>(this.used++);
      return;
    }
    let i = this.starts.length - 1;
    while (this.starts[i] > codePoint) i--;
    const end = i + 1 < this.starts.length ? this.starts[i + 1] : LAST_CODE_POINT + 1;
    const old = this.classes[i];
    const made = <u16>(this.used++);
    if (this.starts[i] == codePoint) {
      this.classes[i] = made;
    } else {
      i++;
      insertAt<u32>(this.starts, i, codePoint);
      insertAt<u16>(this.classes, i, made);
    }
    if (codePoint + 1 < end) {
      insertAt<u32>(this.starts, i + 1, codePoint + 1);
      insertAt<u16>(this.classes, i + 1, old);
    }
  }

  /** The class of a code point. */
  classOf(codePoint: u32): u16 {
    if (codePoint < 0x80) return this.ascii[codePoint];
    let i = this.starts.length - 1;
    while (this.starts[i] > codePoint) i--;
    return this.classes[i];
  }

  /** Numbers the classes that have members anew, and answers a member of each. */
  number(): Array<u32> {
    const members: Array<u32> = [];
    this.begin();
    for (let c = 0; c < 128; c++) this.ascii[c] = this.renumber(this.ascii[c], c, members);
    for (let i = 0; i < this.starts.length; i++) this.classes[i] = this.renumber(this.classes[i], this.starts[i], members);
    return members;
  }

  private renumber(old: u16, member: u32, members: Array<u32>): u16 {
    if (this.moved[old] == 0xffff) {
      this.moved[old] = <u16>members.length;
      members.push(member);
    }
    return this.moved[old];
  }
}

function insertAt<T>(array: Array<T>, index: i32, value: T): void {
  array.push(value);
  for (let i = array.length - 1; i > index; i--) array[i] = array[i - 1];
  array[index] = value;
}

/** Classes that the program's instructions do not tell apart, or null where there are too many. */
export function classify(program: Program, hasBoundaries: bool): Classes | null {
  const classes = new Classes();
  for (let i = 0; i < program.sets.length; i++) {
    classes.refine(program.sets[i]);
    if (classes.used > 4096 || classes.starts.length > 8192) return null;
  }
  if (hasBoundaries) classes.refine(wordSet());
  const seen = new Set<i32>();
  for (let i = 0; i < program.length; i++) {
    if (program.operation(i) != OP_CHARACTER) continue;
    const codePoint = program.argument(i);
    if (seen.has(codePoint)) continue;
    seen.add(codePoint);
    classes.isolate(codePoint);
    if (seen.size > AUTOMATON_CLASS_LIMIT) return null;
  }
  return classes;
}

/** `\w` as a packed set. */
function wordSet(): usize {
  const set = allocate(24);
  store<u64>(set, 0x03ff000000000000);
  store<u64>(set, 0x07fffffe87fffffe, 8);
  store<u64>(set, 0, 16);
  return set;
}
