// A growing byte buffer: everything the core prints is written through one.

import { copyBytes, fourLetters } from "./bytes";
import { allocate, reallocate } from "./region";

/** A text that stays where it is: UTF-8 bytes of some region. */
@final
export class Text {
  constructor(
    /** Where it begins. */
    public start: usize,
    /** Bytes. */
    public length: i32,
  ) {}
}

/** Stores eight letters of an ASCII literal as eight bytes. */
// @ts-ignore: decorator
@inline
function eightLetters(from: usize, to: usize): void {
  const letters = v128.load(from);
  v128.store64_lane(to, i8x16.narrow_i16x8_u(letters, letters), 0);
}

/** The empty text. It is made before any region is current and is never freed. */
export const NO_TEXT: Text = changetype<Text>(memory.data(8, 8));

/** Bytes that grow at the end. It belongs to the region that was current when it last grew. */
@final
export class Buffer {
  start: usize = 0;
  length: i32 = 0;
  capacity: i32 = 0;

  constructor(capacity: i32 = 64) {
    this.start = allocate(<usize>capacity);
    this.capacity = capacity;
  }

  /** Makes room for `more` bytes after the end and returns where they go; the length is not changed. */
  // @ts-ignore: decorator
  @inline
  reserve(more: i32): usize {
    if (this.length + more > this.capacity) this.grow(more);
    return this.start + <usize>this.length;
  }

  private grow(more: i32): void {
    const wanted = max(this.length + more, min(this.capacity * 2, this.capacity + 16777216));
    if (wanted < 0) unreachable();
    this.start = reallocate(this.start, <usize>this.capacity, <usize>wanted);
    this.capacity = wanted;
  }

  byte(value: i32): void {
    store<u8>(this.reserve(1), <u8>value);
    this.length++;
  }

  bytes(start: usize, length: i32): void {
    copyBytes(this.reserve(length), start, <usize>length);
    this.length += length;
  }

  /** Appends an ASCII literal. */
  ascii(literal: string): void {
    const length = literal.length;
    const to = this.reserve(length);
    const from = changetype<usize>(literal);
    if (length >= 8) {
      // The last eight overlap those before them.
      const last = <usize>length - 8;
      for (let i: usize = 0; i < last; i += 8) eightLetters(from + (i << 1), to + i);
      eightLetters(from + (last << 1), to + last);
    } else if (length >= 4) {
      const last = <usize>length - 4;
      store<u32>(to, fourLetters(from));
      store<u32>(to + last, fourLetters(from + (last << 1)));
    } else {
      for (let i: usize = 0; i < <usize>length; i++) store<u8>(to + i, <u8>load<u16>(from + (i << 1)));
    }
    this.length += length;
  }

  text(value: Text): void {
    this.bytes(value.start, value.length);
  }

  /** Appends an integer in decimal. */
  integer(value: i64): void {
    let rest: u64 = value < 0 ? <u64>0 - <u64>value : <u64>value;
    let digits = 1;
    for (let n = rest; n >= 10; n /= 10) digits++;
    if (value < 0) this.byte(0x2d);
    let at = this.reserve(digits) + <usize>digits;
    for (let i = 0; i < digits; i++) {
      at--;
      store<u8>(at, <u8>(0x30 + <u32>(rest % 10)));
      rest /= 10;
    }
    this.length += digits;
  }

  /** Appends a code point as UTF-8. */
  codePoint(value: i32): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    const to = this.reserve(4);
    if (value < 0x800) {
      store<u8>(to, <u8>(0xc0 | (value >> 6)));
      store<u8>(to, <u8>(0x80 | (value & 0x3f)), 1);
      this.length += 2;
    } else if (value < 0x10000) {
      store<u8>(to, <u8>(0xe0 | (value >> 12)));
      store<u8>(to, <u8>(0x80 | ((value >> 6) & 0x3f)), 1);
      store<u8>(to, <u8>(0x80 | (value & 0x3f)), 2);
      this.length += 3;
    } else {
      store<u8>(to, <u8>(0xf0 | (value >> 18)));
      store<u8>(to, <u8>(0x80 | ((value >> 12) & 0x3f)), 1);
      store<u8>(to, <u8>(0x80 | ((value >> 6) & 0x3f)), 2);
      store<u8>(to, <u8>(0x80 | (value & 0x3f)), 3);
      this.length += 4;
    }
  }

  clear(): void {
    this.length = 0;
  }

  /** What was written, as a text; later writes may move it. */
  view(): Text {
    return new Text(this.start, this.length);
  }
}
