// What the destination tests call: the findings of a text that the test puts into memory.

import "../../assembly/abort";
import { DestinationSink, findDestinations, holdsDestination, isWholeAddress, kindName } from "../../assembly/evidence/destinations";
import { Buffer, Text } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";

let region: usize = 0;

/** Empties the memory of the test and gives it `size` bytes. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(size);
}

/** Writes a line `kind start length` for each finding; returns where the lines are and their length in one number. */
export function find(start: usize, length: i32, name: usize, nameLength: i32): i64 {
  const sink = new DestinationSink();
  findDestinations(start, length, name == 0 ? null : new Text(name, nameLength), sink);
  const out = new Buffer(64);
  for (let i = 0; i < sink.count; i++) {
    out.ascii(kindName(sink.kind(i)));
    out.byte(0x20);
    out.integer(sink.begin(i));
    out.byte(0x20);
    out.integer(sink.length(i));
    out.byte(0x0a);
  }
  return (<i64>out.start << 32) | out.length;
}

export function holds(start: usize, length: i32): bool {
  return holdsDestination(start, length, null);
}

export { isWholeAddress };
