// The names an object schema knows, searched by a hash of their bytes: first where the last name was found, since arguments mostly come in order.
//
//   entry (64 bytes):  +0 the name's first eight bytes, 0 after its end   +8 which of the eight are its own   +16 name start
//                      +20 name length   +24 payload (an address or 0)   +28 1 where the name is required
//                      +32 the name's node in `required`, or 0   +36 1 where it stands in `properties`
//                      +40 in a program: what its schema asks of each kind of value (ASKS_…), a byte each   +48 what its schema asks of numbers (an address), or 0   +52 0
//                      +56 the last eight bytes of a longer name
//
// In a program an entry before the first stands for every other name, and one after the last ends the search for the next one; no
// name has their length.

import { copyBytes } from "../memory/bytes";
import { allocate, allocateCleared, reallocate } from "../memory/region";
import { spend } from "../memory/steps";

/** Bytes of an entry, and where its fields are. */
export const ENTRY_SIZE: usize = 64;
export const ENTRY_MASK: usize = 8;
export const ENTRY_START: usize = 16;
export const ENTRY_LENGTH: usize = 20;
export const ENTRY_PAYLOAD: usize = 24;
export const ENTRY_REQUIRED: usize = 28;
export const ENTRY_OPERAND: usize = 32;
export const ENTRY_LISTED: usize = 36;
export const ENTRY_ASKS: usize = 40;
export const ENTRY_NUMBER: usize = 48;
export const ENTRY_TAIL: usize = 56;

/** A lookup that meets more names than this pays a step for each further one. */
const FREE_PROBES: i32 = 16;
/** A table in which a name meets so many others is made anew with another seed, so often. */
const MANY_PROBES: i32 = 64;
const SEEDS: u32 = 8;

/** A hash of all bytes of a name, eight at a time. */
// @ts-ignore: decorator
@inline
function hashName(start: usize, length: i32, seed: u32): u32 {
  let h: u64 = (<u64>length + (<u64>seed << 32)) * 0x9e3779b97f4a7c15;
  if (length >= 8) {
    const last = start + <usize>length - 8;
    for (let at = start; at < last; at += 8) h = rotl<u64>((h ^ load<u64>(at)) * 0xff51afd7ed558ccd, 29);
    h ^= load<u64>(last);
  } else {
    h ^= load<u64>(start) & maskOf(length);
  }
  h = (h ^ (h >> 29)) * 0xc4ceb9fe1a85ec53;
  return <u32>(h >> 32);
}

/** The bits of the first `length` of eight bytes. */
// @ts-ignore: decorator
@inline
function maskOf(length: i32): u64 {
  return length >= 8 ? u64.MAX_VALUE : ((<u64>1) << (<u64>length << 3)) - 1;
}

/** Whether two names of one length are equal. */
// @ts-ignore: decorator
@inline
export function sameName(a: usize, b: usize, length: i32): bool {
  return ((load<u64>(a) ^ load<u64>(b)) & maskOf(length)) == 0 && (length <= 8 || sameTail(a, b, length));
}

/** The same for more than eight bytes, the first eight of which are equal. */
function sameTail(a: usize, b: usize, length: i32): bool {
  const last = <usize>length - 8;
  for (let at: usize = 8; at < last; at += 8) if (load<u64>(a + at) != load<u64>(b + at)) return false;
  return load<u64>(a + last) == load<u64>(b + last);
}

/** Whether an entry has a name of more than eight bytes whose first eight and length are the entry's. */
export function sameRest(entry: usize, start: usize, length: i32): bool {
  return sameTail(load<u32>(entry, ENTRY_START), start, length);
}

/** Whether an entry has a name. */
// @ts-ignore: decorator
@inline
export function isEntry(entry: usize, start: usize, length: i32): bool {
  return load<i32>(entry, ENTRY_LENGTH) == length && (load<u64>(start) & load<u64>(entry, ENTRY_MASK)) == load<u64>(entry)
    && (length <= 8 || sameRest(entry, start, length));
}

/** Names as a program holds them: the entries in the order they were added, and the slots of the hash table. */
@unmanaged
export class NamesRecord {
  entries: usize;
  end: usize;
  /** Numbers of entries from 1, or 0; one slot more than `mask`. */
  slots: usize;
  mask: u32;
  /** Which of the hashes its slots go by. */
  seed: u32;
  unused: u32;
}

/** The entry of an index. */
export function entryAt(names: NamesRecord, index: i32): usize {
  return names.entries + <usize>index * ENTRY_SIZE;
}

/** The entry that stands for every name that has none. */
export function otherNames(names: NamesRecord): usize {
  return names.entries - ENTRY_SIZE;
}

/** The entry of a name, or 0. Spends steps where many names share a slot; 0 once the budget is passed. */
export function findName(names: NamesRecord, start: usize, length: i32): usize {
  let at = hashName(start, length, names.seed) & names.mask;
  for (let probes = 0; ; probes++) {
    if (probes > FREE_PROBES && !spend(1)) return 0;
    const index: usize = load<u32>(names.slots + (<usize>at << 2));
    if (index == 0) return 0;
    const entry = names.entries + (index - 1) * ENTRY_SIZE;
    if (isEntry(entry, start, length)) return entry;
    at = (at + 1) & names.mask;
  }
  return 0;
}

/** Names with a payload each, in the order they were added. It belongs to the region in which it grew. */
@final
export class PropertyTable {
  count: i32 = 0;
  private capacity: i32 = 0;
  /** What `findName` searches. */
  private names: NamesRecord = changetype<NamesRecord>(0);

  /** The entry of a name, or 0. */
  find(start: usize, length: i32): usize {
    if (this.count == 0) return 0;
    const names = this.names;
    let at = hashName(start, length, names.seed) & names.mask;
    for (;;) {
      const index: usize = load<u32>(names.slots + (<usize>at << 2));
      if (index == 0) return 0;
      const entry = names.entries + (index - 1) * ENTRY_SIZE;
      if (isEntry(entry, start, length)) return entry;
      at = (at + 1) & names.mask;
    }
    return 0;
  }

  /** The entry of an index. */
  entry(index: i32): usize {
    return entryAt(this.names, index);
  }

  /** The index of an entry. */
  indexOf(entry: usize): i32 {
    return <i32>((entry - this.names.entries) / ENTRY_SIZE);
  }

  /** The entry of a name, which is added where it is new. The name must live as long as the table. */
  add(start: usize, length: i32): usize {
    const known = this.find(start, length);
    if (known != 0) return known;
    if (this.count == this.capacity) this.grow();
    const entry = this.names.end;
    memory.fill(entry, 0, ENTRY_SIZE);
    store<u64>(entry, load<u64>(start) & maskOf(length));
    store<u64>(entry, maskOf(length), ENTRY_MASK);
    if (length > 8) store<u64>(entry, load<u64>(start + <usize>length - 8), ENTRY_TAIL);
    store<u32>(entry, <u32>start, ENTRY_START);
    store<i32>(entry, length, ENTRY_LENGTH);
    this.names.end += ENTRY_SIZE;
    this.count++;
    const names = this.names;
    if (!place(names, this.count) && names.seed < SEEDS) {
      names.seed++;
      memory.fill(names.slots, 0, (<usize>names.mask + 1) << 2);
      fillSlots(names, names.slots, names.mask, this.count);
    }
    return entry;
  }

  private grow(): void {
    const capacity = this.capacity == 0 ? 8 : this.capacity * 2;
    if (this.capacity == 0) this.names = changetype<NamesRecord>(allocateCleared(offsetof<NamesRecord>()));
    const names = this.names;
    const from = <usize>this.capacity * ENTRY_SIZE;
    const to = <usize>capacity * ENTRY_SIZE;
    names.entries = this.capacity == 0 ? allocate(to) : reallocate(names.entries, from, to);
    names.end = names.entries + <usize>this.count * ENTRY_SIZE;
    this.capacity = capacity;
    fillSlots(names, allocateCleared(<usize>capacity << 3), <u32>capacity * 2 - 1, this.count);
  }

  /** Slots of a table of its own size, at least half of them empty. */
  private get slotCount(): u32 {
    let slots: u32 = 2;
    while (slots < <u32>this.count * 2) slots *= 2;
    return slots;
  }

  /** How many bytes `layOut` takes. */
  get layoutSize(): i32 {
    return <i32>offsetof<NamesRecord>() + (this.count + 2) * <i32>ENTRY_SIZE + <i32>(this.slotCount << 2);
  }

  /** Writes the names at `at`, cleared memory, 8-aligned. */
  layOut(at: usize): NamesRecord {
    const names = changetype<NamesRecord>(at);
    const size = <usize>this.count * ENTRY_SIZE;
    names.entries = at + offsetof<NamesRecord>() + ENTRY_SIZE;
    names.end = names.entries + size;
    if (size != 0) copyBytes(names.entries, this.names.entries, size);
    store<i32>(names.entries - ENTRY_SIZE, -1, ENTRY_LENGTH);
    store<i32>(names.end, -1, ENTRY_LENGTH);
    fillSlots(names, names.end + ENTRY_SIZE, this.slotCount - 1, this.count);
    return names;
  }
}

/** Makes the slots anew from the entries; `slots` is cleared. */
function fillSlots(names: NamesRecord, slots: usize, mask: u32, count: i32): void {
  names.slots = slots;
  names.mask = mask;
  for (let i = 1; i <= count; i++) {
    if (place(names, i) || names.seed >= SEEDS) continue;
    // Names that were chosen to meet do not meet under every seed.
    names.seed++;
    memory.fill(slots, 0, (<usize>mask + 1) << 2);
    i = 0;
  }
}

/** Puts an entry into a slot; false where it meets many others before. */
function place(names: NamesRecord, index: i32): bool {
  const entry = names.entries + (<usize>index - 1) * ENTRY_SIZE;
  let at = hashName(load<u32>(entry, ENTRY_START), load<i32>(entry, ENTRY_LENGTH), names.seed) & names.mask;
  let probes = 0;
  while (load<u32>(names.slots + (<usize>at << 2)) != 0) {
    at = (at + 1) & names.mask;
    probes++;
  }
  store<u32>(names.slots + (<usize>at << 2), <u32>index);
  return probes <= MANY_PROBES;
}
