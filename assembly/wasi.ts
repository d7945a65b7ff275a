// The WASI command: conformance lines from standard input, answers to standard output, with the whole core behind it (chapter 8).
//
// Of all modules only this one imports anything: reading, writing and ending, of wasi_snapshot_preview1. It asks for no clock, no randomness,
// no arguments, no environment and no file. A line that makes the core trap ends the process; the lines before it have been answered.

import { errno, fd_read, fd_write, proc_exit } from "bindings/wasi_snapshot_preview1";
import { alloc, conform, result, resultLength } from "./index";
import { Buffer } from "./memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "./memory/region";

const INPUT: u32 = 0;
const OUTPUT: u32 = 1;
/** Bytes that are read at once, and about as many that are written at once. */
const PIECE: i32 = 65536;
/** A buffer that one long line made larger than this is given up after it. */
const LARGE: i32 = 16 << 20;
const LINE_FEED: i32 = 10;
/** The exit code where standard input or output fails. */
const FAILED: u32 = 1;

/** A buffer in a region of its own, so that it outlives the calls. */
@final
class Kept {
  region: usize = createRegion();
  buffer: Buffer = bufferIn(this.region);

  append(start: usize, length: i32): void {
    const before = enterRegion(this.region);
    this.buffer.bytes(start, length);
    enterRegion(before);
  }

  empty(): void {
    this.buffer.length = 0;
    if (this.buffer.capacity <= LARGE) return;
    resetRegion(this.region);
    this.buffer = bufferIn(this.region);
  }
}

function bufferIn(region: usize): Buffer {
  const before = enterRegion(region);
  const buffer = new Buffer(PIECE);
  enterRegion(before);
  return buffer;
}

/** One vector (where, how long) and the count that a call answers. */
const VECTOR: usize = memory.data(16, 8);

/** Reads what there is, at most PIECE bytes; 0 at the end. */
function readPiece(to: usize): i32 {
  let failed: u16;
  do {
    store<u32>(VECTOR, <u32>to);
    store<u32>(VECTOR, PIECE, 4);
    failed = fd_read(INPUT, VECTOR, 1, VECTOR + 8);
  } while (failed == errno.AGAIN || failed == errno.INTR);
  if (failed != errno.SUCCESS) proc_exit(FAILED);
  return load<i32>(VECTOR, 8);
}

/** Writes the whole, however little is taken at a time. */
function writeAll(start: usize, length: i32): void {
  while (length > 0) {
    store<u32>(VECTOR, <u32>start);
    store<u32>(VECTOR, length, 4);
    const failed = fd_write(OUTPUT, VECTOR, 1, VECTOR + 8);
    if (failed == errno.AGAIN || failed == errno.INTR) continue;
    if (failed != errno.SUCCESS) proc_exit(FAILED);
    const written = load<i32>(VECTOR, 8);
    start += <usize>written;
    length -= written;
  }
}

/** Answers one line, and writes the answers where they have become many. */
function answer(start: usize, length: i32, out: Kept): void {
  const input = alloc(length);
  memory.copy(input, start, <usize>length);
  conform(input, length);
  out.append(result(), resultLength());
  store<u8>(VECTOR, LINE_FEED);
  out.append(VECTOR, 1);
  if (out.buffer.length >= PIECE) flush(out);
}

function flush(out: Kept): void {
  writeAll(out.buffer.start, out.buffer.length);
  out.empty();
}

/** Answers are written before more is waited for, so that whoever sends line by line is answered line by line. */
function main(): void {
  const pieces = createRegion();
  enterRegion(pieces);
  const piece = allocate(PIECE);
  const line = new Kept();
  const out = new Kept();
  for (;;) {
    const got = readPiece(piece);
    if (got == 0) break;
    let begin = 0;
    for (let i = 0; i < got; i++) {
      if (load<u8>(piece + <usize>i) != LINE_FEED) continue;
      if (line.buffer.length == 0) answer(piece + <usize>begin, i - begin, out);
      else {
        line.append(piece + <usize>begin, i - begin);
        answer(line.buffer.start, line.buffer.length, out);
        line.empty();
      }
      begin = i + 1;
    }
    line.append(piece + <usize>begin, got - begin);
    flush(out);
  }
  // The last line may lack its line feed.
  if (line.buffer.length > 0) answer(line.buffer.start, line.buffer.length, out);
  flush(out);
}

main();
