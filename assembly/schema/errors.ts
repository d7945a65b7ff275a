// What a walk found wrong: where, which rule, and in which order it is told.
//
// A violation is noted by the address of its value, and pointers are made only when it is told:
//
//   record:  +0 order of noting (24 bits), rule (8 bits), the value's address (32 bits), as one u64   +8 operand   +12 0

import { Buffer, Text } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { allocate, reallocate } from "../memory/region";
import { spend } from "../memory/steps";
import { OBJECT, Value, count, first, kind, next, stringLength, stringStart } from "../json/value";
import { writePointer, writePointerToken } from "../json/pointer";
import { RULE_STEPS, ruleName, writeRuleMessage } from "./rules";

/** One violation, ready to be told. */
@final
export class Violation {
  constructor(
    /** JSON Pointer (RFC 6901) to the offending value, from the value that was checked. */
    public pointer: Text,
    /** The rule's number (rules.ts). */
    public rule: i32,
    /** The keyword's value in the schema, or 0. */
    public operand: Value,
  ) {}

  /** The rule's name, ASCII. */
  get ruleName(): string {
    return ruleName(this.rule);
  }

  /** Appends the sentence for people. */
  writeMessage(out: Buffer): void {
    writeRuleMessage(this.rule, this.operand, out);
  }
}

/** Whether one violation is told before another. */
function isBefore(a: Violation, b: Violation): bool {
  const order = compareUtf16(a.pointer.start, a.pointer.length, b.pointer.start, b.pointer.length);
  return order != 0 ? order < 0 : a.rule < b.rule;
}

/** Merges ever longer runs of violations: n log n comparisons. */
function sortViolations(list: Array<Violation>): Array<Violation> {
  const total = list.length;
  let from = list;
  let to = list.slice(0);
  for (let width = 1; width < total; width *= 2) {
    for (let low = 0; low < total; low += 2 * width) {
      const middle = min(low + width, total);
      const high = min(low + 2 * width, total);
      let a = low;
      let b = middle;
      for (let k = low; k < high; k++) {
        const left = a < middle && (b >= high || !isBefore(from[b], from[a]));
        to[k] = from[left ? a++ : b++];
      }
    }
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

const RECORD_SIZE: usize = 16;
/** More than this are not noted in one walk. */
const RECORD_LIMIT: i32 = 1 << 24;
/** Where only the first is wanted, the others are dropped at every so many. */
const FIRST_ONLY_LIMIT: i32 = 4096;

/** The violations of one walk over one value; it belongs to the region in which it was made. */
@final
export class Errors {
  /** Only the first is wanted. */
  firstOnly: bool = false;
  private records: usize = 0;
  private count: i32 = 0;
  private capacity: i32 = 0;
  private sorted: bool = true;

  constructor(
    /** The value that pointers start from. */
    public root: Value,
  ) {}

  get empty(): bool {
    return this.count == 0;
  }

  /** Notes that `value` (a node in root's tree) breaks a rule; `operand` is the keyword's value in the schema, or 0. */
  add(value: Value, rule: i32, operand: Value): void {
    if (this.count == this.capacity) this.makeRoom();
    if (this.count >= RECORD_LIMIT) return;
    const at = this.records + <usize>this.count * RECORD_SIZE;
    store<u64>(at, (<u64>value << 32) | (<u64>rule << 24) | <u64>this.count);
    store<u64>(at, <u64>operand, 8);
    this.count++;
    this.sorted = false;
  }

  /** Drops what was noted and notes one violation alone. */
  only(value: Value, rule: i32): void {
    this.count = 0;
    this.add(value, rule, 0);
  }

  private makeRoom(): void {
    if (this.firstOnly && this.count >= FIRST_ONLY_LIMIT) {
      const at = this.firstRecord();
      memory.copy(this.records, at, RECORD_SIZE);
      this.count = 1;
      return;
    }
    const wanted = max(16, this.capacity * 2);
    const size = <usize>wanted * RECORD_SIZE;
    this.records = this.records == 0 ? allocate(size) : reallocate(this.records, <usize>this.capacity * RECORD_SIZE, size);
    this.capacity = wanted;
  }

  // @ts-ignore: decorator
  @inline
  private key(index: i32): u64 {
    return load<u64>(this.records + <usize>index * RECORD_SIZE);
  }

  /** Sorts the records by address, then rule, then order of noting, and drops repeated ones. */
  private sort(): void {
    if (this.sorted) return;
    this.sorted = true;
    for (let i = (this.count >> 1) - 1; i >= 0; i--) this.sift(i, this.count);
    for (let end = this.count - 1; end > 0; end--) {
      this.swap(0, end);
      this.sift(0, end);
    }
    let kept = 1;
    for (let i = 1; i < this.count; i++) {
      if (this.key(i) >> 24 == this.key(kept - 1) >> 24) continue;
      if (i != kept) memory.copy(this.records + <usize>kept * RECORD_SIZE, this.records + <usize>i * RECORD_SIZE, RECORD_SIZE);
      kept++;
    }
    this.count = kept;
  }

  private swap(i: i32, j: i32): void {
    const a = this.records + <usize>i * RECORD_SIZE;
    const b = this.records + <usize>j * RECORD_SIZE;
    const low = load<u64>(a);
    const high = load<u64>(a, 8);
    store<u64>(a, load<u64>(b));
    store<u64>(a, load<u64>(b, 8), 8);
    store<u64>(b, low);
    store<u64>(b, high, 8);
  }

  private sift(from: i32, end: i32): void {
    let hole = from;
    for (;;) {
      let child = (hole << 1) + 1;
      if (child >= end) return;
      if (child + 1 < end && this.key(child + 1) > this.key(child)) child++;
      if (this.key(child) <= this.key(hole)) return;
      this.swap(hole, child);
      hole = child;
    }
  }

  // @ts-ignore: decorator
  @inline
  private valueAt(index: i32): Value {
    return <usize>(this.key(index) >> 32);
  }

  private tell(at: usize, pointer: Text): Violation {
    return new Violation(pointer, <i32>(load<u64>(at) >> 24) & 0xff, load<u32>(at, 8));
  }

  /** The record whose violation comes first. */
  private firstRecord(): usize {
    this.sort();
    let value = this.root;
    let low = 0;
    let high = this.count;
    let best = new Buffer(32);
    let candidate = new Buffer(32);
    while (this.valueAt(low) != value) {
      // Of the children that hold a violation, the one whose pointers are smallest.
      let chosen: Value = 0;
      let chosenLow = 0;
      let chosenHigh = 0;
      let at = low;
      const object = kind(value) == OBJECT;
      const end = next(value);
      let index = 0;
      for (let child = first(value); child < end && at < high; index++) {
        const name = child;
        if (object) child = next(child);
        const after = next(child);
        const from = at;
        while (at < high && this.valueAt(at) < after) at++;
        if (at != from) {
          candidate.clear();
          if (object) writePointerToken(stringStart(name), stringLength(name), candidate);
          else candidate.integer(index);
          if (this.valueAt(from) != child) candidate.byte(0x2f);
          if (chosen == 0 || compareUtf16(candidate.start, candidate.length, best.start, best.length) < 0) {
            chosen = child;
            chosenLow = from;
            chosenHigh = at;
            const swap = best;
            best = candidate;
            candidate = swap;
          }
        }
        child = after;
      }
      if (chosen == 0) break;
      value = chosen;
      low = chosenLow;
      high = chosenHigh;
    }
    return this.records + <usize>low * RECORD_SIZE;
  }

  /** The violation with the smallest pointer (UTF-16 code units), then rule name; null where there is none. */
  first(): Violation | null {
    if (this.count == 0) return null;
    const at = this.firstRecord();
    const pointer = new Buffer(64);
    writePointer(this.root, <usize>(load<u64>(at) >> 32), pointer);
    return this.tell(at, pointer.view());
  }

  /**
   * All of them in that order, each (pointer, rule) once. A step is spent for each 64 bytes of pointers; where that passes the
   * budget, one violation with the rule `steps` stands for all.
   */
  all(): Array<Violation> {
    const list: Array<Violation> = [];
    if (this.count == 0) return list;
    this.sort();
    if (this.count == 1) return [this.first()!];
    this.at = 0;
    this.collect(this.root, new Buffer(64), list);
    if (this.at < this.count) return [new Violation(list[list.length - 1].pointer, RULE_STEPS, 0)];
    return sortViolations(list);
  }

  /** The record that `collect` tells next. */
  private at: i32 = 0;
  /** The budget was passed while pointers were made. */
  private over: bool = false;

  /** Tells the violations at and below a value, whose pointer is in `path`. Recursion is bounded by the value's depth. */
  private collect(value: Value, path: Buffer, list: Array<Violation>): void {
    if (this.valueAt(this.at) == value) {
      this.over = !spend(<i64>(path.length >> 6) + 1);
      const start = allocate(<usize>path.length);
      memory.copy(start, path.start, <usize>path.length);
      const pointer = new Text(start, path.length);
      while (this.at < this.count && this.valueAt(this.at) == value) {
        list.push(this.tell(this.records + <usize>this.at * RECORD_SIZE, pointer));
        this.at++;
      }
    }
    const end = next(value);
    if (this.at >= this.count || this.valueAt(this.at) >= end || this.over) return;
    const object = kind(value) == OBJECT;
    const had = path.length;
    let index = 0;
    let child = count(value) == 0 ? end : first(value);
    while (child < end && this.at < this.count && !this.over) {
      const name = child;
      if (object) child = next(child);
      if (this.valueAt(this.at) < next(child)) {
        if (object) {
          writePointerToken(stringStart(name), stringLength(name), path);
        } else {
          path.byte(0x2f);
          path.integer(index);
        }
        this.collect(child, path, list);
        path.length = had;
      }
      child = next(child);
      index++;
    }
  }
}
