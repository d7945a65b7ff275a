// The boundary (design: ARCHITECTURE): what the module exports, and nothing else.

import "./abort";
import { Buffer } from "./memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "./memory/region";
import { problem, problemCode, problemOffset, scan, writeProblemPointer } from "./json/scan";
import { writeCanonical } from "./json/canonical";

let call: usize = 0;
let out: Buffer = changetype<Buffer>(0);

export function alloc(n: i32): usize {
  if (call == 0) call = createRegion();
  enterRegion(call);
  resetRegion(call);
  return allocate(<usize>n);
}

export function canonicalize(start: usize, length: i32): i32 {
  const root = scan(start, length, 128, 8388608);
  out = new Buffer(256);
  if (root == 0) {
    out.ascii(problemCode(problem));
    out.byte(32);
    out.integer(problemOffset);
    out.byte(32);
    writeProblemPointer(out);
    return 1;
  }
  writeCanonical(root, out);
  return 0;
}
export function result(): usize { return out.start; }
export function resultLength(): i32 { return out.length; }
