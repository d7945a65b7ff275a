// What is said when a text cannot be taken: code, message, offset, pointer (chapter 1, Reading).

import { Buffer, Text } from "../memory/buffer";
import { writePointer } from "./pointer";
import { JSON_NUMBER, JSON_SIZE, problem, problemCode, problemOffset, scan, writeProblemPointer } from "./scan";
import { writeString } from "./string";
import { NODE_SIZE, NUMBER, Value, holdsInexact, kind, textStart } from "./value";

/** An error: its code, a sentence that says what to do, its offset in bytes (-1: none) and its pointer. */
@final
export class Failure {
  offset: i32 = -1;
  pointer: Text | null = null;
  constructor(
    public code: string,
    public message: string,
  ) {}
}

/** The error that `scan` left. */
export function scanFailure(): Failure {
  const error = new Failure(problemCode(problem), scanMessage(problem));
  error.offset = problemOffset;
  const pointer = new Buffer(32);
  writeProblemPointer(pointer);
  error.pointer = pointer.view();
  return error;
}

function scanMessage(code: i32): string {
  switch (code) {
    case 1: return "the text is longer than limits.bytes";
    case 2: return "the text is not UTF-8, or begins with a byte-order mark";
    case 4: return "an escaped surrogate stands alone";
    case 5: return "an object has two members of this name";
    case 6: return "the value is nested deeper than limits.depth";
    case 7: return "a double would change this number; send it as a string";
    default: return "this is not JSON (RFC 8259)";
  }
}

/** The error of a text that is too long. */
export function sizeFailure(limit: i32): Failure {
  const error = new Failure(problemCode(JSON_SIZE), scanMessage(JSON_SIZE));
  error.offset = limit;
  error.pointer = new Text(0, 0);
  return error;
}

/** The error of the first inexact number in a value's tree. */
export function inexactFailure(root: Value, within: Value, base: usize): Failure {
  const number = firstInexact(within);
  const error = new Failure(problemCode(JSON_NUMBER), scanMessage(JSON_NUMBER));
  error.offset = <i32>(textStart(number) - base);
  const pointer = new Buffer(32);
  writePointer(root, number, pointer);
  error.pointer = pointer.view();
  return error;
}

/** The first inexact number of a tree that holds one. */
export function firstInexact(value: Value): Value {
  let at = value;
  // Nodes stand in document order, so the first inexact number is the first such node.
  while (kind(at) != NUMBER || !holdsInexact(at)) at += NODE_SIZE;
  return at;
}

/** Reads a document of the core's own boundary: strict JSON without inexact numbers; 0 with `failure` set where it is none. */
export function readDocument(start: usize, length: i32, depth: i32, bytes: i64): Value {
  failure = null;
  const root = scan(start, length, depth, bytes);
  if (root == 0) failure = scanFailure();
  else if (holdsInexact(root)) failure = inexactFailure(root, root, start);
  return failure == null ? root : 0;
}

/** Why `readDocument` returned 0. */
export let failure: Failure | null = null;

/** Appends `{"code","message","offset"?,"pointer"?}`. */
export function writeFailure(error: Failure, out: Buffer): void {
  out.ascii('{"code":"');
  out.ascii(error.code);
  out.ascii('","message":');
  const message = new Buffer(error.message.length);
  message.ascii(error.message);
  writeString(message.start, message.length, out);
  if (error.offset >= 0) {
    out.ascii(',"offset":');
    out.integer(error.offset);
  }
  const pointer = error.pointer;
  if (pointer != null) {
    out.ascii(',"pointer":');
    writeString(pointer.start, pointer.length, out);
  }
  out.byte(0x7d);
}
