// Step 3: the arguments against the tool's schema.

import { Places } from "../json/places";
import { writeString } from "../json/string";
import { NODE_SIZE, NUMBER, Value, holdsInexact, kind, next } from "../json/value";
import { Buffer, Text } from "../memory/buffer";
import { compareUtf16 } from "../memory/bytes";
import { beginSteps } from "../memory/steps";
import { Tool, UNDECLARED_DEEP, UNDECLARED_SCHEMA } from "../policy/policy";
import { undeclared } from "../schema/declared";
import { Errors, Violation } from "../schema/errors";
import { RULE_BYTES, RULE_PRECISION } from "../schema/rules";
import { validate } from "../schema/walk";
import { Call } from "./call";

/** Whether the step answered. */
export function argumentsFit(call: Call, tool: Tool): bool {
  const value = call.arguments;
  if (tool.bytesLimit >= 0 && <i64>call.canonical.length > tool.bytesLimit) {
    const message = new Buffer(64);
    message.ascii("the canonical arguments are longer than the tool's limits.bytes, ");
    message.integer(tool.bytesLimit);
    return refuseAt(call, tool, new Buffer(1).view(), "bytes", message.view());
  }
  if (holdsInexact(value)) {
    const message = new Buffer(64);
    message.ascii("a double would change this number; send it as a string");
    return refuseAt(call, tool, smallestInexact(value), "precision", message.view());
  }
  const setting = call.policy.settings.undeclared;
  beginSteps(call.policy.settings.steps);
  const errors = new Errors(value);
  if (setting != UNDECLARED_SCHEMA && !undeclared(tool.parameters, value, setting == UNDECLARED_DEEP, errors)) return refuseFirst(call, tool, errors);
  beginSteps(call.policy.settings.steps);
  if (validate(tool.parameters, value, errors, call.explain)) return false;
  return refuseFirst(call, tool, errors);
}

/** The smallest pointer to an inexact number. */
function smallestInexact(value: Value): Text {
  let least: Text | null = null;
  const places = new Places(value);
  for (let at = value; at < next(value); at += NODE_SIZE) {
    if (kind(at) != NUMBER || !holdsInexact(at)) continue;
    const out = new Buffer(32);
    places.write(at, out);
    const pointer = out.view();
    if (least == null || compareUtf16(pointer.start, pointer.length, least.start, least.length) < 0) least = pointer;
  }
  return least != null ? least : new Buffer(1).view();
}

function refuseFirst(call: Call, tool: Tool, errors: Errors): bool {
  const violation = errors.first();
  if (violation == null) return false;
  const message = new Buffer(96);
  violation.writeMessage(message);
  return refuseAt(call, tool, violation.pointer, violation.ruleName, message.view());
}

function refuseAt(call: Call, tool: Tool, pointer: Text, rule: string, message: Text): bool {
  const detail = new Buffer(128);
  detail.ascii('{"message":');
  writeString(message.start, message.length, detail);
  writeWhere(pointer, rule, detail);
  call.pointer = pointer;
  call.refuse("argument_schema", detail);
  if (call.explain) listAll(call, tool);
  return true;
}

function writeWhere(pointer: Text, rule: string, out: Buffer): void {
  out.ascii(',"pointer":');
  writeString(pointer.start, pointer.length, out);
  out.ascii(',"rule":"');
  out.ascii(rule);
  out.ascii('"}');
}

/** For `explain`: every error there is, in the order in which they count; the trace's detail. */
function listAll(call: Call, tool: Tool): void {
  const value = call.arguments;
  const steps = call.policy.settings.steps;
  const list = new ErrorList();
  if (tool.bytesLimit >= 0 && <i64>call.canonical.length > tool.bytesLimit) list.add(new Violation(new Buffer(1).view(), RULE_BYTES, 0));
  const inexact = new Errors(value);
  for (let at = value; at < next(value); at += NODE_SIZE) if (kind(at) == NUMBER && holdsInexact(at)) inexact.add(at, RULE_PRECISION, 0);
  beginSteps(steps);
  list.addAll(inexact.all(), []);
  let undeclaredOnes: Array<Violation> = [];
  const setting = call.policy.settings.undeclared;
  if (setting != UNDECLARED_SCHEMA) {
    const errors = new Errors(value);
    beginSteps(steps);
    undeclared(tool.parameters, value, setting == UNDECLARED_DEEP, errors);
    undeclaredOnes = errors.all();
    list.addAll(undeclaredOnes, []);
  }
  const errors = new Errors(value);
  beginSteps(steps);
  validate(tool.parameters, value, errors, true);
  list.addAll(errors.all(), undeclaredOnes);
  call.schemaErrors = list.end();
}

/** Prints errors as they are found: `{"errors":[…]}`. */
@final
class ErrorList {
  private out: Buffer = new Buffer(256);
  private any: bool = false;

  constructor() {
    this.out.ascii('{"errors":[');
  }

  add(violation: Violation): void {
    const out = this.out;
    if (this.any) out.byte(0x2c);
    this.any = true;
    const message = new Buffer(64);
    violation.writeMessage(message);
    out.ascii('{"message":');
    writeString(message.start, message.length, out);
    writeWhere(violation.pointer, violation.ruleName, out);
  }

  /** Adds those that are not among `told`; both are sorted by pointer. */
  addAll(violations: Array<Violation>, told: Array<Violation>): void {
    let at = 0;
    for (let i = 0; i < violations.length; i++) {
      const violation = violations[i];
      const pointer = violation.pointer;
      while (at < told.length && compareUtf16(told[at].pointer.start, told[at].pointer.length, pointer.start, pointer.length) < 0) at++;
      const same = at < told.length && compareUtf16(told[at].pointer.start, told[at].pointer.length, pointer.start, pointer.length) == 0;
      if (!same || told[at].rule != violation.rule) this.add(violation);
    }
  }

  end(): Text {
    this.out.ascii("]}");
    return this.out.view();
  }
}
