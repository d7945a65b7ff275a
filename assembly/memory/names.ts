// A table from names to small integers: open addressing, so that a large catalogue costs a look-up no more than a small one.

import { Text } from "./buffer";
import { equalBytes } from "./bytes";

/** Eight bytes at a time; the last eight of a longer name overlap those before. */
function hash(start: usize, length: i32): u32 {
  let h: u64 = <u64>length * 0x9e3779b97f4a7c15;
  const bytes = <usize>length;
  if (length >= 8) {
    for (let i: usize = 0; i + 8 < bytes; i += 8) h = mix(h, load<u64>(start + i));
    h = mix(h, load<u64>(start + bytes - 8));
  } else if (length >= 4) {
    h = mix(h, <u64>load<u32>(start) | (<u64>load<u32>(start + bytes - 4) << 32));
  } else {
    for (let i: usize = 0; i < bytes; i++) h = mix(h, <u64>load<u8>(start + i));
  }
  return <u32>(h >> 32) ^ <u32>h;
}

// @ts-ignore: decorator
@inline
function mix(h: u64, word: u64): u64 {
  const product = (h ^ word) * 0x9e3779b97f4a7c15;
  return product ^ (product >> 29);
}

/** Names in the order they were added; each has its index. It belongs to the region in which it was made. */
@final
export class NameTable {
  names: Array<Text> = [];
  private slots: StaticArray<i32> = new StaticArray<i32>(16);

  /** The index of a name, or -1. */
  find(start: usize, length: i32): i32 {
    const mask = <u32>this.slots.length - 1;
    let at = hash(start, length) & mask;
    for (;;) {
      const index = unchecked(this.slots[at]) - 1;
      if (index < 0) return -1;
      const name = unchecked(this.names[index]);
      if (equalBytes(name.start, name.length, start, length)) return index;
      at = (at + 1) & mask;
    }
    return -1;
  }

  /** The index of a name, which is added where it is new. The text must live as long as the table. */
  add(start: usize, length: i32): i32 {
    const known = this.find(start, length);
    if (known >= 0) return known;
    const index = this.names.length;
    this.names.push(new Text(start, length));
    if (this.names.length * 2 > this.slots.length) {
      this.slots = new StaticArray<i32>(this.slots.length * 2);
      for (let i = 0; i < index; i++) this.place(i);
    }
    this.place(index);
    return index;
  }

  private place(index: i32): void {
    const name = unchecked(this.names[index]);
    const mask = <u32>this.slots.length - 1;
    let at = hash(name.start, name.length) & mask;
    while (unchecked(this.slots[at]) != 0) at = (at + 1) & mask;
    unchecked((this.slots[at] = index + 1));
  }
}
