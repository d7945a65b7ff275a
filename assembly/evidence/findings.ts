// What was found in a text: the kinds of destinations, a list of findings, and which of overlapping ones stand.

import { allocate, allocateCleared, reallocate } from "../memory/region";

/** The kinds, in the order of chapter 5's table. */
export const enum DestinationKind {
  Url,
  Email,
  Ip,
  Host,
  Unc,
}

/** The name of a kind. */
export function kindName(kind: DestinationKind): string {
  switch (kind) {
    case DestinationKind.Url: return "url";
    case DestinationKind.Email: return "email";
    case DestinationKind.Ip: return "ip";
    case DestinationKind.Host: return "host";
    default: return "unc";
  }
}

/** Bytes of one finding: kind, where it begins, where it ends without trailing punctuation, where it ends with it. */
const FINDING: usize = 16;

/** Collects findings by where they start. Offsets are bytes from the text's start. */
@final
export class DestinationSink {
  count: i32 = 0;
  private at: usize = 0;
  private capacity: i32 = 0;

  kind(i: i32): DestinationKind {
    return load<i32>(this.at + <usize>i * FINDING);
  }

  /** Where finding `i` begins. */
  begin(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 4);
  }

  /** Where finding `i` ends, without trailing punctuation. */
  end(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 8);
  }

  /** How many bytes finding `i` has, without trailing punctuation. */
  length(i: i32): i32 {
    return this.end(i) - this.begin(i);
  }

  /** Where finding `i` ends, with the punctuation that belongs to it (a trailing dot, the bracket of an address literal). */
  wholeEnd(i: i32): i32 {
    return load<i32>(this.at + <usize>i * FINDING, 12);
  }

  add(kind: DestinationKind, begin: i32, end: i32, wholeEnd: i32): void {
    if (this.count == this.capacity) {
      const had = <usize>this.capacity * FINDING;
      this.capacity = max(8, this.capacity * 2);
      this.at = had == 0 ? allocate(<usize>this.capacity * FINDING) : reallocate(this.at, had, <usize>this.capacity * FINDING);
    }
    const to = this.at + <usize>this.count * FINDING;
    this.count++;
    store<i32>(to, kind);
    store<i32>(to, begin, 4);
    store<i32>(to, end, 8);
    store<i32>(to, wholeEnd, 12);
  }

  /** Adds finding `i` of another. */
  addFrom(other: DestinationSink, i: i32): void {
    this.add(other.kind(i), other.begin(i), other.end(i), other.wholeEnd(i));
  }
}

/**
 * Of overlapping candidates in a text of `length` bytes the longest stands, of equal ones the first kind, then the first in the text;
 * those that stand are added to `findings` by where they begin.
 */
export function settle(candidates: DestinationSink, length: i32, findings: DestinationSink): void {
  const count = candidates.count;
  const order = allocate(<usize>count << 3);
  const places = allocate(<usize>count << 3);
  for (let i = 0; i < count; i++) store<u64>(places + (<usize>i << 3), (<u64>candidates.begin(i) << 32) | <u64>i);
  sortKeys(places, count);
  for (let place = 0; place < count; place++) {
    const i = <i32>(load<u64>(places + (<usize>place << 3)) & 0xfffffff);
    store<u64>(order + (<usize>place << 3), (<u64>(0xfffffff - candidates.length(i)) << 32) | (<u64>candidates.kind(i) << 28) | <u64>place);
  }
  sortKeys(order, count);
  // Nothing that stands is shorter than what comes after it: if they overlap, it covers one of its ends.
  const covered = allocateCleared(<usize>length);
  let standing = 0;
  for (let k = 0; k < count; k++) {
    const place = <i32>(load<u64>(order + (<usize>k << 3)) & 0xfffffff);
    const i = <i32>(load<u64>(places + (<usize>place << 3)) & 0xfffffff);
    const begin = candidates.begin(i);
    const end = candidates.end(i);
    if ((load<u8>(covered + <usize>begin) | load<u8>(covered + <usize>end - 1)) != 0) continue;
    memory.fill(covered + <usize>begin, 1, <usize>(end - begin));
    store<u64>(order + (<usize>standing << 3), (<u64>begin << 32) | <u64>i);
    standing++;
  }
  sortKeys(order, standing);
  for (let k = 0; k < standing; k++) findings.addFrom(candidates, <i32>(load<u64>(order + (<usize>k << 3)) & 0xfffffff));
}

/** Sorts `count` u64 at `keys`, in place: a heap, so that no order of theirs is slow. */
function sortKeys(keys: usize, count: i32): void {
  for (let root = (count >> 1) - 1; root >= 0; root--) sink(keys, root, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = load<u64>(keys);
    store<u64>(keys, load<u64>(keys + (<usize>end << 3)));
    store<u64>(keys + (<usize>end << 3), largest);
    sink(keys, 0, end);
  }
}

/** Moves the key at `root` down to its place in the heap of `count`. */
function sink(keys: usize, root: i32, count: i32): void {
  const key = load<u64>(keys + (<usize>root << 3));
  let at = root;
  while (true) {
    let child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && load<u64>(keys + (<usize>child << 3)) < load<u64>(keys + (<usize>child << 3), 8)) child++;
    const below = load<u64>(keys + (<usize>child << 3));
    if (below <= key) break;
    store<u64>(keys + (<usize>at << 3), below);
    at = child;
  }
  store<u64>(keys + (<usize>at << 3), key);
}
