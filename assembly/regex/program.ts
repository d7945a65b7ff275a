// The program of a pattern while it is written: instructions with relative jumps, so that a repeated piece is a copy.
//
//   instruction:  +0 operation   +4 argument (a code point, a set, an assertion, or how far to jump)

import { equalBytes } from "../memory/bytes";
import { allocate, reallocate } from "../memory/region";
import { setSize } from "../unicode/ranges";

/** The most instructions a pattern may need, bounded quantifiers written out: `a{n}` takes n, `a{0,n}` takes 2n. */
export const PROGRAM_LIMIT: i32 = 32768;

/** The pattern has matched. */
export const OP_MATCH: u32 = 0;
/** Takes the code point that is the argument. */
export const OP_CHARACTER: u32 = 1;
/** Takes a code point of the set that is the argument. */
export const OP_SET: u32 = 2;
/** Goes on where the assertion that is the argument holds. */
export const OP_ASSERT: u32 = 3;
/** Goes on `argument` instructions further. */
export const OP_JUMP: u32 = 4;
/** Goes on both at the next instruction and `argument` instructions further. */
export const OP_SPLIT: u32 = 5;

export const ASSERT_START: i32 = 0;
export const ASSERT_END: i32 = 1;
export const ASSERT_BOUNDARY: i32 = 2;
export const ASSERT_NO_BOUNDARY: i32 = 3;

/** Instructions in the order they are emitted. Once `large` is set nothing more is written. */
@final
export class Program {
  code: usize;
  length: i32 = 0;
  capacity: i32 = 64;
  large: bool = false;
  /** Packed sets, each once; OP_SET's argument is an index into them until the program is finished. */
  sets: Array<usize> = [];

  constructor() {
    this.code = allocate(<usize>64 << 3);
  }

  operation(index: i32): u32 {
    return load<u32>(this.code + (<usize>index << 3));
  }

  argument(index: i32): i32 {
    return load<i32>(this.code + (<usize>index << 3), 4);
  }

  setArgument(index: i32, value: i32): void {
    store<i32>(this.code + (<usize>index << 3), value, 4);
  }

  private reserve(more: i32): bool {
    if (this.large) return false;
    const wanted = this.length + more;
    if (wanted > PROGRAM_LIMIT) {
      this.large = true;
      return false;
    }
    if (wanted > this.capacity) {
      const capacity = max(wanted, this.capacity << 1);
      this.code = reallocate(this.code, <usize>this.capacity << 3, <usize>capacity << 3);
      this.capacity = capacity;
    }
    return true;
  }

  private put(index: i32, operation: u32, argument: i32): void {
    const at = this.code + (<usize>index << 3);
    store<u32>(at, operation);
    store<i32>(at, argument, 4);
  }

  emit(operation: u32, argument: i32): void {
    if (!this.reserve(1)) return;
    this.put(this.length++, operation, argument);
  }

  /** Puts an instruction before the one at `index`; nothing outside index…length may jump into it. */
  insert(index: i32, operation: u32, argument: i32): void {
    if (!this.reserve(1)) return;
    const at = this.code + (<usize>index << 3);
    memory.copy(at + 8, at, <usize>(this.length - index) << 3);
    this.length++;
    this.put(index, operation, argument);
  }

  /** The index of a packed set, which is dropped where an equal one is known. */
  intern(set: usize): i32 {
    const size = <i32>setSize(set);
    for (let i = 0; i < this.sets.length; i++) {
      const known = this.sets[i];
      if (known == set || equalBytes(known, <i32>setSize(known), set, size)) return i;
    }
    this.sets.push(set);
    return this.sets.length - 1;
  }

  /** Repeats the instructions from `start` to the end at least `minimum` and at most `maximum` times (-1: without bound). */
  repeat(start: i32, minimum: i32, maximum: i32): void {
    const size = this.length - start;
    if (size <= 0 || this.large) return;
    if (maximum == 0) {
      this.length = start;
      return;
    }
    if (minimum == 0 && maximum < 0) {
      this.insert(start, OP_SPLIT, size + 2);
      this.emit(OP_JUMP, -(size + 1));
      return;
    }
    if (minimum == 0 && maximum == 1) {
      this.insert(start, OP_SPLIT, size + 1);
      return;
    }
    if (minimum == 1 && maximum < 2) {
      if (maximum < 0) this.emit(OP_SPLIT, -size);
      return;
    }
    const optional: i64 = maximum < 0 ? 0 : <i64>maximum - <i64>minimum;
    const total: i64 = <i64>minimum * <i64>size + (maximum < 0 ? 1 : optional * <i64>(size + 1));
    if (total - <i64>size > <i64>(PROGRAM_LIMIT - this.length)) {
      this.large = true;
      return;
    }
    if (!this.reserve(<i32>total - size)) return;
    const bytes = <usize>size << 3;
    const body = allocate(bytes);
    memory.copy(body, this.code + (<usize>start << 3), bytes);
    this.length = start;
    for (let i = 0; i < minimum; i++) this.append(body, size);
    if (maximum < 0) {
      this.put(this.length++, OP_SPLIT, -size);
      return;
    }
    for (let i = <i32>optional; i > 0; i--) {
      this.put(this.length++, OP_SPLIT, i * (size + 1));
      this.append(body, size);
    }
  }

  private append(body: usize, size: i32): void {
    memory.copy(this.code + (<usize>this.length << 3), body, <usize>size << 3);
    this.length += size;
  }
}
