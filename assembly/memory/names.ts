// A table from names to small integers: open addressing over FNV-1a, so that a large catalogue costs a look-up no more than a small one.

import { Text } from "./buffer";
import { equalBytes } from "./bytes";

function hash(start: usize, length: i32): u32 {
  let h: u32 = 0x811c9dc5;
  for (let i: usize = 0; i < <usize>length; i++) h = (h ^ <u32>load<u8>(start + i)) * 0x01000193;
  return h ^ (h >> 15);
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
