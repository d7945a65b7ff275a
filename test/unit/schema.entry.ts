// What the schema tests and benches call: schemas and documents from texts, and the walk over values.

import "../../assembly/abort";
import { Buffer, Text } from "../../assembly/memory/buffer";
import { allocate, createRegion, dropRegion, enterRegion, resetRegion } from "../../assembly/memory/region";
import { beginSteps, stepsLeft } from "../../assembly/memory/steps";
import { Value } from "../../assembly/json/value";
import { scan } from "../../assembly/json/scan";
import { writeString } from "../../assembly/json/string";
import { compileSchema } from "../../assembly/schema/compile";
import { declares, declaresResultField, undeclared } from "../../assembly/schema/declared";
import { Documents } from "../../assembly/schema/documents";
import { Errors, Violation } from "../../assembly/schema/errors";
import { Schema } from "../../assembly/schema/program";
import { validate } from "../../assembly/schema/walk";

/** The schema's region, and the region of one call. */
let policy: usize = 0;
let call: usize = 0;
let documents: Documents = changetype<Documents>(0);
let schema: Schema = changetype<Schema>(0);
let value: Value = 0;

/** Empties the memory of a call and gives it `size` bytes. */
export function input(size: i32): usize {
  if (call == 0) call = createRegion();
  enterRegion(call);
  resetRegion(call);
  return allocate(size);
}

/** Drops the schema and the documents before it. */
export function beginSchema(): void {
  if (policy != 0) {
    enterRegion(call);
    dropRegion(policy);
  }
  policy = createRegion();
  const old = enterRegion(policy);
  documents = new Documents();
  enterRegion(old);
}

function keep(start: usize, length: i32): usize {
  const copy = allocate(length);
  memory.copy(copy, start, length);
  return copy;
}

/** Registers a document; 0 where its text is no strict JSON. */
export function addDocument(uri: usize, uriLength: i32, start: usize, length: i32): i32 {
  const old = enterRegion(policy);
  const root = scan(keep(start, length), length, 512, 8388608);
  if (root != 0) documents.add(new Text(keep(uri, uriLength), uriLength), root);
  enterRegion(old);
  return root != 0 ? 1 : 0;
}

/** Compiles a schema. 0: no strict JSON; 1: valid; 2: invalid. */
export function compile(start: usize, length: i32, formats: bool, depth: i32): i32 {
  const old = enterRegion(policy);
  const root = scan(keep(start, length), length, depth, 8388608);
  if (root != 0) schema = compileSchema(root, documents, formats);
  enterRegion(old);
  return root == 0 ? 0 : schema.invalid ? 2 : 1;
}

/** Reads the value to check; false where it is no strict JSON. */
export function read(start: usize, length: i32, depth: i32): bool {
  value = scan(start, length, depth, 8388608);
  return value != 0;
}

/** The walk alone. */
export function check(steps: i64): bool {
  beginSteps(steps);
  return validate(schema, value, new Errors(value), false);
}

/** How many steps the last walk took. */
export function stepsTaken(budget: i64): i64 {
  return budget - stepsLeft();
}

/** How many bytes a walk takes of memory, counted in a region of its own; -1 where the value does not fit. */
export function memoryOf(steps: i64): i32 {
  const own = createRegion();
  enterRegion(own);
  const begin = allocate(0);
  const valid = check(steps);
  const end = allocate(0);
  enterRegion(call);
  dropRegion(own);
  return valid ? <i32>(end - begin) : -1;
}

/** The program's size in bytes. */
export function programSize(): i32 {
  return schema.size;
}

/** The walk `times` times over, for benches. */
export function checkMany(times: i32): i32 {
  let valid = 0;
  const sink = new Errors(value);
  for (let i = 0; i < times; i++) {
    beginSteps(1000000);
    if (validate(schema, value, sink, false)) valid++;
  }
  return valid;
}

let out: Buffer = changetype<Buffer>(0);

export function outStart(): usize {
  return out.start;
}

export function outLength(): i32 {
  return out.length;
}

function writeViolation(violation: Violation): void {
  out.ascii('{"pointer":');
  writeString(violation.pointer.start, violation.pointer.length, out);
  out.ascii(',"rule":"');
  out.ascii(violation.ruleName);
  out.ascii('","message":');
  const message = new Buffer(64);
  violation.writeMessage(message);
  writeString(message.start, message.length, out);
  out.byte(0x7d);
}

function writeViolations(sink: Errors, all: bool): void {
  out = new Buffer(256);
  out.byte(0x5b);
  if (all) {
    const list = sink.all();
    for (let i = 0; i < list.length; i++) {
      if (i != 0) out.byte(0x2c);
      writeViolation(list[i]);
    }
  } else {
    const found = sink.first();
    if (found !== null) writeViolation(found);
  }
  out.byte(0x5d);
}

/** The walk with its violations, as a JSON list. */
export function report(all: bool, steps: i64): bool {
  beginSteps(steps);
  const sink = new Errors(value);
  const valid = validate(schema, value, sink, all);
  writeViolations(sink, all);
  return valid;
}

/** The undeclared members, as a JSON list. */
export function reportUndeclared(deep: bool, steps: i64): bool {
  beginSteps(steps);
  const sink = new Errors(value);
  const valid = undeclared(schema, value, deep, sink);
  writeViolations(sink, true);
  return valid;
}

/** What compiling found: `{"partial":[pointers],"problems":[{pointer,message}]}`. */
export function findings(): void {
  out = new Buffer(256);
  out.ascii('{"partial":[');
  for (let i = 0; i < schema.unasserted.length; i++) {
    if (i != 0) out.byte(0x2c);
    writeString(schema.unasserted[i].pointer.start, schema.unasserted[i].pointer.length, out);
  }
  out.ascii('],"problems":[');
  for (let i = 0; i < schema.problems.length; i++) {
    if (i != 0) out.byte(0x2c);
    const problem = schema.problems[i];
    out.ascii('{"pointer":');
    writeString(problem.pointer.start, problem.pointer.length, out);
    out.ascii(',"message":"');
    problem.writeMessage(out);
    out.ascii('"}');
  }
  out.ascii("]}");
}

export function declared(start: usize, length: i32): bool {
  return declares(schema, start, length);
}

export function declaredResult(start: usize, length: i32): bool {
  return declaresResultField(schema, start, length);
}
