// Which bytes of the turns have proved a value already.

import { Text } from "../memory/buffer";
import { allocateCleared } from "../memory/region";

/** A bit a byte of each turn. */
@final
export class Taken {
  private bits: StaticArray<usize>;

  constructor(private turns: Array<Text>) {
    this.bits = new StaticArray<usize>(turns.length);
    for (let t = 0; t < turns.length; t++) this.bits[t] = allocateCleared(<usize>(turns[t].length >> 3) + 9);
  }

  /** Whether any of the bytes is taken. */
  overlaps(turn: i32, start: usize, length: i32): bool {
    let at = <i32>(start - this.turns[turn].start);
    const end = at + length;
    const bits = this.bits[turn];
    while (at < end) {
      // 64 bits from the byte that holds bit `at`, those before it dropped.
      const shift = at & 7;
      const taken = load<u64>(bits + <usize>(at >> 3)) >> shift;
      const count = min(end - at, 64 - shift);
      if (taken & (count == 64 ? <u64>-1 : ((<u64>1) << count) - 1)) return true;
      at += count;
    }
    return false;
  }

  /** Takes the bytes. */
  take(turn: i32, start: usize, length: i32): void {
    const first = <i32>(start - this.turns[turn].start);
    const bits = this.bits[turn];
    for (let at = first; at < first + length; at++) {
      const byte = bits + <usize>(at >> 3);
      store<u8>(byte, load<u8>(byte) | <u8>((<u32>1) << (<u32>at & 7)));
    }
  }
}
