// Shims for the number tests: texts and doubles go in and out in batches, through one block of memory.

import "../../assembly/abort";
import { Buffer } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { powerHigh, powerLow, preparePowers } from "../../assembly/json/powers";
import { readDouble, readInexact, writeDouble } from "../../assembly/json/number";

let region: usize = 0;
let out: Buffer = changetype<Buffer>(0);

/** Empties the region and gives `size` bytes of it. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(<usize>size);
}

/** Prints `total` doubles that stand one after the other, each followed by a line feed. */
export function printAll(doubles: usize, total: i32): i32 {
  out = new Buffer(total * 26 + 64);
  for (let i = 0; i < total; i++) {
    writeDouble(load<f64>(doubles + (<usize>i << 3)), out);
    out.byte(0x0a);
  }
  return out.length;
}

export function printed(): usize {
  return out.start;
}

/** Reads texts that end in a line feed each; writes 16 bytes for each to `results`: the double, then 1 where it is inexact. */
export function readAll(texts: usize, length: i32, results: usize): i32 {
  const end = texts + <usize>length;
  let total = 0;
  let from = texts;
  for (let at = texts; at < end; at++) {
    if (load<u8>(at) != 0x0a) continue;
    store<f64>(results, readDouble(from, <i32>(at - from)));
    store<u64>(results, readInexact ? 1 : 0, 8);
    results += 16;
    total++;
    from = at + 1;
  }
  return total;
}

/** One half of the table's entry for 10^q. */
export function powerHalf(q: i32, high: i32): u64 {
  preparePowers();
  return high != 0 ? powerHigh(q) : powerLow(q);
}
