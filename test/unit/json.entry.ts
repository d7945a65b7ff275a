// Shims for the JSON tests: a text in; its canonical form, or its error as three lines, out.

import "../../assembly/abort";
import { Buffer } from "../../assembly/memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { problem, problemCode, problemOffset, scan, writeProblemPointer } from "../../assembly/json/scan";
import { writeCanonical } from "../../assembly/json/canonical";
import { writePointer } from "../../assembly/json/pointer";
import { INEXACT, NUMBER, Value, flags, holdsInexact, kind, member, next } from "../../assembly/json/value";

let region: usize = 0;
let out: Buffer = changetype<Buffer>(0);
let root: Value = 0;
/** What the benchmark prints into. */
let printing: usize = 0;

/** Empties the region and gives `size` bytes of it. */
export function input(size: i32): usize {
  if (region == 0) region = createRegion();
  enterRegion(region);
  resetRegion(region);
  return allocate(<usize>size);
}

/** Reads a text. 0: `output` holds its canonical form; 1: the same, and a number in it is inexact; 2: code, offset and pointer, a line each. */
export function read(start: usize, length: i32, depth: i32, bytes: i64): i32 {
  root = scan(start, length, depth, bytes);
  out = new Buffer(256);
  if (root == 0) {
    out.ascii(problemCode(problem));
    out.byte(0x0a);
    out.integer(problemOffset);
    out.byte(0x0a);
    writeProblemPointer(out);
    return 2;
  }
  writeCanonical(root, out);
  return holdsInexact(root) ? 1 : 0;
}

export function output(): usize {
  return out.start;
}

export function outputLength(): i32 {
  return out.length;
}

/** The pointers of the inexact numbers of the value read last, in document order, a byte 0xff after each; returns their length. */
export function inexactPointers(): i32 {
  out = new Buffer(256);
  const end = next(root);
  for (let at = root; at < end; at += 24) {
    if (kind(at) != NUMBER || (flags(at) & INEXACT) == 0) continue;
    writePointer(root, at, out);
    out.byte(0xff);
  }
  return out.length;
}

/** Looks a member of the root up by its name: its canonical form, or -1 where there is none. */
export function lookUp(start: usize, length: i32): i32 {
  const found = member(root, start, length);
  if (found == 0) return -1;
  out = new Buffer(64);
  writeCanonical(found, out);
  return out.length;
}

/** Reads a text and nothing else, for the benchmark; 1 where it was read. */
export function onlyRead(start: usize, length: i32): i32 {
  root = scan(start, length, 128, 1 << 30);
  return root != 0 ? 1 : 0;
}

/** Prints the value read last to an empty buffer, for the benchmark; returns the length. */
export function onlyPrint(): i32 {
  if (printing == 0) printing = createRegion();
  const reading = enterRegion(printing);
  resetRegion(printing);
  out = new Buffer(256);
  writeCanonical(root, out);
  enterRegion(reading);
  return out.length;
}
