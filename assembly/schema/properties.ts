// The names an object schema knows, searched by a hash of their bytes: first where the last name was found, since arguments mostly come in order.
//
//   entry (24 bytes):  +0 name start   +4 name length   +8 payload (an address or 0)   +12 1 where the name is required
//                      +16 the name's node in `required`, or 0   +20 0

import { allocate, allocateCleared, reallocate } from "../memory/region";

/** Bytes of an entry. */
export const ENTRY_SIZE: usize = 24;

/** A hash of all bytes of a name, eight at a time. */
// @ts-ignore: decorator
@inline
function hashName(start: usize, length: i32): u32 {
  let h: u64 = <u64>length * 0x9e3779b97f4a7c15;
  if (length >= 8) {
    const last = start + <usize>length - 8;
    for (let at = start; at < last; at += 8) h = rotl<u64>((h ^ load<u64>(at)) * 0xff51afd7ed558ccd, 29);
    h ^= load<u64>(last);
  } else if (length >= 4) {
    h ^= <u64>load<u32>(start) | ((<u64>load<u32>(start + <usize>length - 4)) << 32);
  } else if (length > 0) {
    h ^= <u64>load<u8>(start) | ((<u64>load<u8>(start + (<usize>length >> 1))) << 8) | ((<u64>load<u8>(start + <usize>length - 1)) << 16);
  }
  return <u32>((h * 0xc4ceb9fe1a85ec53) >> 32);
}

/** Whether two names of one length are equal. */
// @ts-ignore: decorator
@inline
export function sameName(a: usize, b: usize, length: i32): bool {
  if (length >= 8) {
    const last = <usize>length - 8;
    for (let at: usize = 0; at < last; at += 8) if (load<u64>(a + at) != load<u64>(b + at)) return false;
    return load<u64>(a + last) == load<u64>(b + last);
  }
  if (length >= 4) {
    const last = <usize>length - 4;
    return load<u32>(a) == load<u32>(b) && load<u32>(a + last) == load<u32>(b + last);
  }
  if (length >= 2) return load<u16>(a) == load<u16>(b) && load<u8>(a + <usize>length - 1) == load<u8>(b + <usize>length - 1);
  return length == 0 || load<u8>(a) == load<u8>(b);
}

/** Names with a payload each, in the order they were added. It belongs to the region in which it grew. */
@final
export class PropertyTable {
  entries: usize = 0;
  count: i32 = 0;
  private capacity: i32 = 0;
  private slots: usize = 0;
  private mask: u32 = 0;

  /** Where the entries end. */
  // @ts-ignore: decorator
  @inline
  get end(): usize {
    return this.entries + <usize>this.count * ENTRY_SIZE;
  }

  /** The entry of a name, or 0. */
  find(start: usize, length: i32): usize {
    if (this.count == 0) return 0;
    let at = hashName(start, length) & this.mask;
    for (;;) {
      const index: usize = load<u32>(this.slots + (<usize>at << 2));
      if (index == 0) return 0;
      const entry = this.entries + (index - 1) * ENTRY_SIZE;
      if (load<i32>(entry, 4) == length && sameName(load<u32>(entry), start, length)) return entry;
      at = (at + 1) & this.mask;
    }
    return 0;
  }

  /** The entry of a name, tried at `guess` (an entry or the end) first; 0 where there is none. */
  // @ts-ignore: decorator
  @inline
  findFrom(guess: usize, start: usize, length: i32): usize {
    if (guess < this.end && load<i32>(guess, 4) == length && sameName(load<u32>(guess), start, length)) return guess;
    return this.find(start, length);
  }

  /** The entry of a name, which is added where it is new. The name must live as long as the table. */
  add(start: usize, length: i32): usize {
    const known = this.find(start, length);
    if (known != 0) return known;
    if (this.count == this.capacity) this.grow();
    const entry = this.end;
    store<u32>(entry, <u32>start);
    store<i32>(entry, length, 4);
    memory.fill(entry + 8, 0, ENTRY_SIZE - 8);
    this.count++;
    this.place(this.count);
    return entry;
  }

  private grow(): void {
    const capacity = this.capacity == 0 ? 8 : this.capacity * 2;
    const from = <usize>this.capacity * ENTRY_SIZE;
    const to = <usize>capacity * ENTRY_SIZE;
    this.entries = this.entries == 0 ? allocate(to) : reallocate(this.entries, from, to);
    this.capacity = capacity;
    this.mask = <u32>capacity * 2 - 1;
    this.slots = allocateCleared(<usize>capacity << 3);
    for (let i = 1; i <= this.count; i++) this.place(i);
  }

  private place(index: i32): void {
    const entry = this.entries + (<usize>index - 1) * ENTRY_SIZE;
    let at = hashName(load<u32>(entry), load<i32>(entry, 4)) & this.mask;
    while (load<u32>(this.slots + (<usize>at << 2)) != 0) at = (at + 1) & this.mask;
    store<u32>(this.slots + (<usize>at << 2), <u32>index);
  }
}
