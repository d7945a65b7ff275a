// The catalogue: what each tool does, needs and promises (chapter 2).

import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { countCodePoints, equalAscii, equalBytes, startsWithAscii } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { beginSteps } from "../memory/steps";
import { compileSchema } from "../schema/compile";
import { declares, declaresResultField } from "../schema/declared";
import { Documents } from "../schema/documents";
import { Schema, placeAt } from "../schema/program";
import { scan } from "../json/scan";
import {
  ARRAY, OBJECT, STRING, SortedMembers, Value,
  count, first, get, isBoolean, isKind, isString, kind, next, stringLength, stringStart, stringText,
} from "../json/value";
import { lowerCase } from "./letter-case";
import { Reading } from "./member";
import { AfterRule, NORMAL, Policy, Tool, UndoRule } from "./policy";
import { PRIVILEGES } from "./agents";

const TOOL_NAMES: StaticArray<string> = [
  "name", "description", "effect", "parameters", "result", "sends_out", "reads_outside", "subject_argument", "privilege", "after",
  "not_after", "at_most", "undo", "irreversible", "idempotent", "idempotency_key", "defaults", "also_called", "limits",
];
const BIND_NAMES: StaticArray<string> = ["tool", "bind"];
const LIMIT_NAMES: StaticArray<string> = ["bytes"];
const EFFECTS: StaticArray<string> = ["read", "write"];
const RESERVED: StaticArray<string> = ["__proto__", "constructor", "prototype"];

/** The longest tool name, in characters. */
export const NAME_MAXIMUM: i32 = 128;
const LARGEST: i64 = 9007199254740992;

/** What `parameters` is where a tool gives none. */
export const NO_PARAMETERS: string = '{"properties":{},"type":"object"}';

/** Reads `tools`: every tool's name first, so that rules may name later ones. */
export function readTools(reading: Reading, tools: Value, documents: Documents, policy: Policy): void {
  if (!reading.array(tools)) return;
  const values: Array<Value> = [];
  // A tool without a usable name has a place here too, so that its other problems are found.
  const read: Array<Tool> = [];
  const folded = new NameTable();
  const end = next(tools);
  for (let value = first(tools); value < end; value = next(value)) {
    if (!reading.object(value)) continue;
    const name = readName(reading, value, policy, folded);
    const tool = new Tool(name != null ? name : NO_TEXT, policy.tools.length);
    tool.source = value;
    if (name != null) {
      policy.tools.push(tool);
      policy.toolNames.add(name.start, name.length);
    }
    values.push(value);
    read.push(tool);
  }
  for (let i = 0; i < values.length; i++) readTool(reading, values[i], documents, read[i]);
  for (let i = 0; i < values.length; i++) readRules(reading, values[i], policy, read[i]);
}

/** The name under which a tool enters the catalogue, or null; `folded` holds the names before it in one letter case. */
function readName(reading: Reading, value: Value, policy: Policy, folded: NameTable): Text | null {
  const name = reading.string(value, "name", true);
  if (name == null) return null;
  const node = get(value, "name");
  const length = countCodePoints(name.start, name.length);
  if (length == 0 || length > NAME_MAXIMUM) reading.problem("policy_tool_name", "a tool's name has 1 to 128 characters", node);
  for (let i = 0; i < RESERVED.length; i++) {
    if (equalAscii(name.start, name.length, RESERVED[i])) reading.problem("policy_tool_name", "this name is reserved; give the tool another", node);
  }
  if (policy.toolNames.find(name.start, name.length) >= 0) {
    reading.problemNaming("policy_duplicate_tool", "there is a tool of this name already:", name, node);
    return null;
  }
  const lower = lowerCase(name);
  if (folded.find(lower.start, lower.length) >= 0) {
    reading.problemNaming("policy_tool_name", "another tool's name differs from this one only in letter case:", name, node);
  }
  folded.add(lower.start, lower.length);
  return name;
}

/** Compiles a schema of a tool; its problems are the policy's, what it does not assert a warning. */
function readSchema(reading: Reading, value: Value, documents: Documents, isParameters: bool, tool: Tool): Schema {
  const schema = compileSchema(value, documents, true);
  const base = reading.pointer(value);
  for (let i = 0; i < schema.problems.length; i++) {
    const problem = schema.problems[i];
    const pointer = new Buffer(64);
    placeAt(base, problem.pointer, pointer);
    const message = new Buffer(64);
    problem.writeMessage(message);
    reading.findings.add("policy_schema", message, pointer.view());
  }
  if (isParameters && schema.partial) warnOfPartial(reading, base, schema, tool);
  return schema;
}

/** How many parts of a schema that are not asserted the warning tells of, beside the first. */
const PARTS_TOLD: i32 = 8;

/** One warning a tool, at the first part that is not asserted; the others are named in it. */
function warnOfPartial(reading: Reading, base: Text | null, schema: Schema, tool: Tool): void {
  const list = schema.unasserted;
  const message = new Buffer(128);
  message.ascii("this part of the schema is not asserted: ");
  list[0].writeMessage(message);
  const told = min(list.length, 1 + PARTS_TOLD);
  for (let i = 1; i < told; i++) {
    message.ascii(i == 1 ? "; nor is " : ", nor ");
    placeAt(base, list[i].pointer, message);
    message.ascii(": ");
    list[i].writeMessage(message);
  }
  if (told < list.length) {
    message.ascii(", nor ");
    message.integer(list.length - told);
    message.ascii(" more");
  }
  message.ascii("; a write of ");
  message.text(tool.name);
  message.ascii(" says schema_partial");
  const pointer = new Buffer(64);
  placeAt(base, list[0].pointer, pointer);
  reading.warnings.add("schema_partial", message, pointer.view());
}

/** Whether a value may be a schema: an object, `true` or `false`; a problem where it is none. */
function isSchema(reading: Reading, value: Value): bool {
  if (isKind(value, OBJECT) || isBoolean(value)) return true;
  reading.problem("policy_type", "a JSON Schema is needed here: an object, true or false", value);
  return false;
}

function noParameters(): Value {
  const text = new Buffer(NO_PARAMETERS.length);
  text.ascii(NO_PARAMETERS);
  return scan(text.start, text.length, 8, 1024);
}

function readTool(reading: Reading, value: Value, documents: Documents, tool: Tool): void {
  reading.members(value, TOOL_NAMES);
  const description = reading.string(value, "description", false);
  if (description != null) tool.description = description;
  tool.write = reading.choice(value, "effect", EFFECTS, 1) == 1;
  let parameters = get(value, "parameters");
  if (parameters != 0 && !isSchema(reading, parameters)) parameters = 0;
  tool.parameters = readSchema(reading, parameters != 0 ? parameters : noParameters(), documents, true, tool);
  const result = get(value, "result");
  if (result != 0 && isSchema(reading, result)) tool.result = readSchema(reading, result, documents, false, tool);
  tool.sendsOut = reading.flag(value, "sends_out", false);
  tool.readsOutside = reading.flag(value, "reads_outside", false);
  tool.privilege = reading.choice(value, "privilege", PRIVILEGES, NORMAL);
  tool.atMost = reading.integer(value, "at_most", 1, LARGEST, 0);
  tool.irreversible = reading.flag(value, "irreversible", false);
  tool.idempotent = reading.flag(value, "idempotent", false);
  tool.idempotencyKey = reading.string(value, "idempotency_key", false);
  if (tool.idempotencyKey != null) refuseUndeclared(reading, tool, tool.idempotencyKey!, get(value, "idempotency_key"));
  const defaults = get(value, "defaults");
  if (defaults != 0 && !isKind(defaults, OBJECT)) reading.problem("policy_type", "an object is needed here", defaults);
  reading.strings(value, "also_called", false);
  const limits = get(value, "limits");
  if (reading.object(limits)) {
    reading.members(limits, LIMIT_NAMES);
    if (get(limits, "bytes") == 0) reading.missing(limits, "bytes");
    tool.bytesLimit = reading.integer(limits, "bytes", 1, LARGEST, -1);
  }
  const subject = get(value, "subject_argument");
  if (isKind(subject, STRING)) readSubject(reading, subject, tool);
  else if (isKind(subject, ARRAY)) {
    const names = reading.strings(value, "subject_argument", false);
    for (let i = 0; i < names.length; i++) readSubject(reading, names[i], tool);
  } else if (subject != 0) reading.problem("policy_type", "an argument's name or a list of them is needed here", subject);
}

function readSubject(reading: Reading, name: Value, tool: Tool): void {
  tool.subjectArguments.push(stringText(name));
  refuseUndeclared(reading, tool, stringText(name), name);
}

function refuseUndeclared(reading: Reading, tool: Tool, name: Text, at: Value): void {
  // As in a check: which names are declared does not depend on what another call left of its steps.
  beginSteps(i64.MAX_VALUE);
  if (!declares(tool.parameters, name.start, name.length)) {
    const text = new Buffer(64);
    text.ascii("the parameters of ");
    text.text(tool.name);
    text.ascii(" declare no argument \"");
    text.text(name);
    text.byte(0x22);
    reading.findings.add("policy_unknown_argument", text, reading.pointer(at));
  }
}

/** Refuses a field that a tool's result schema does not declare. */
function refuseUndeclaredField(reading: Reading, tool: Tool, start: usize, length: i32, at: Value): void {
  const schema = tool.result;
  if (schema != null && declaresResultField(schema, start, length)) return;
  const text = new Buffer(64);
  text.ascii("the result schema of ");
  if (tool.name.length == 0) text.ascii("that tool");
  else text.text(tool.name);
  text.ascii(" declares no field \"");
  text.bytes(start, length);
  text.byte(0x22);
  reading.findings.add("policy_unknown_argument", text, reading.pointer(at));
}

/** The rules of a tool that name others: after, not_after, undo. */
function readRules(reading: Reading, value: Value, policy: Policy, tool: Tool): void {
  const after = get(value, "after");
  if (reading.array(after)) {
    const end = next(after);
    for (let element = first(after); element < end; element = next(element)) readAfter(reading, element, policy, tool);
  }
  const notAfter = reading.strings(value, "not_after", false);
  for (let i = 0; i < notAfter.length; i++) {
    const name = stringText(notAfter[i]);
    if (!isString(notAfter[i], "untrusted")) knownTool(reading, name, notAfter[i], policy);
    tool.notAfter.push(name);
  }
  const undo = get(value, "undo");
  if (reading.object(undo)) readUndo(reading, undo, policy, tool);
  if (tool.undo == null && !tool.irreversible && tool.write) {
    reading.warnings.say("write_without_undo", "say how this write is undone (undo) or that nothing undoes it (irreversible: true)", reading.pointer(value));
  }
}

function knownTool(reading: Reading, name: Text, at: Value, policy: Policy): Tool | null {
  const tool = policy.tool(name);
  if (tool == null) reading.problemNaming("policy_unknown_tool", "the catalogue has no tool", name, at);
  return tool;
}

function readAfter(reading: Reading, element: Value, policy: Policy, tool: Tool): void {
  if (kind(element) == STRING) {
    if (knownTool(reading, stringText(element), element, policy) != null) tool.after.push(new AfterRule(stringText(element)));
    return;
  }
  if (kind(element) != OBJECT) {
    reading.problem("policy_type", "a tool's name, or {tool: T, bind: {ARGUMENT: FIELD}}, is needed here", element);
    return;
  }
  reading.members(element, BIND_NAMES);
  const name = reading.string(element, "tool", true);
  if (name == null) return;
  const other = knownTool(reading, name, get(element, "tool"), policy);
  const rule = new AfterRule(name);
  const bind = get(element, "bind");
  if (reading.object(bind)) {
    for (const m = new SortedMembers(bind); m.name != 0; m.advance()) {
      if (kind(m.value) != STRING) {
        reading.problem("policy_type", "a field's name is needed here", m.value);
        continue;
      }
      refuseUndeclared(reading, tool, stringText(m.name), m.value);
      if (other != null) refuseUndeclaredField(reading, other, stringStart(m.value), stringLength(m.value), m.value);
      rule.arguments.push(stringText(m.name));
      rule.fields.push(stringText(m.value));
    }
  }
  tool.after.push(rule);
}

function readUndo(reading: Reading, undo: Value, policy: Policy, tool: Tool): void {
  reading.members(undo, BIND_NAMES);
  if (!tool.write) reading.problem("policy_undo_of_read", "a read changes nothing, so nothing undoes it; drop undo, or make the effect write", undo);
  if (tool.irreversible) reading.problem("policy_undo_irreversible", "a tool is either undone or irreversible; drop one of them", undo);
  const name = reading.string(undo, "tool", true);
  if (name == null) return;
  const other = knownTool(reading, name, get(undo, "tool"), policy);
  const rule = new UndoRule(name);
  tool.undo = rule;
  const bind = get(undo, "bind");
  if (!reading.object(bind)) return;
  for (const m = new SortedMembers(bind); m.name != 0; m.advance()) {
    if (kind(m.value) != STRING) {
      reading.problem("policy_type", "arguments.NAME or result.FIELD is needed here", m.value);
      continue;
    }
    if (other != null) refuseUndeclared(reading, other, stringText(m.name), m.value);
    readSource(reading, m, rule, tool);
  }
}

/** One `ARGUMENT: "arguments.NAME"` or `"result.FIELD"`. */
function readSource(reading: Reading, m: SortedMembers, rule: UndoRule, tool: Tool): void {
  const start = stringStart(m.value);
  const length = stringLength(m.value);
  const fromArguments = startsWithAscii(start, length, "arguments.");
  if (!fromArguments && !startsWithAscii(start, length, "result.")) {
    reading.problem("policy_type", "arguments.NAME or result.FIELD is needed here", m.value);
    return;
  }
  const skip = fromArguments ? 10 : 7;
  const field = new Text(start + <usize>skip, length - skip);
  if (fromArguments) refuseUndeclared(reading, tool, field, m.value);
  else refuseUndeclaredField(reading, tool, field.start, field.length, m.value);
  rule.arguments.push(stringText(m.name));
  rule.fromResult.push(!fromArguments);
  rule.fields.push(field);
}

/** Warns of tools that read from outside and that no rule mentions. */
export function warnOutside(reading: Reading, tools: Value, policy: Policy, mentioned: StaticArray<bool>): void {
  let i = 0;
  const end = next(tools);
  for (let value = first(tools); value < end; value = next(value), i++) {
    const tool = policy.tools[i];
    if (!tool.readsOutside || mentioned[i] || count(value) == 0) continue;
    reading.warnings.say("outside_unmentioned", "it reads what somebody outside wrote, and no rule mentions it: not_after, or a rule of the rulebook", reading.pointer(value));
  }
}

/** Which tools a rule mentions by name, in `after` or `not_after`; all of them where one says `untrusted`. */
export function mentionedTools(policy: Policy): StaticArray<bool> {
  const mentioned = new StaticArray<bool>(policy.tools.length);
  for (let i = 0; i < policy.tools.length; i++) {
    const tool = policy.tools[i];
    for (let j = 0; j < tool.notAfter.length; j++) {
      const name = tool.notAfter[j];
      if (equalAscii(name.start, name.length, "untrusted")) {
        for (let k = 0; k < mentioned.length; k++) mentioned[k] = true;
        return mentioned;
      }
      mentioned[policy.toolNames.find(name.start, name.length)] = true;
    }
    for (let j = 0; j < tool.after.length; j++) {
      const name = tool.after[j].tool;
      mentioned[policy.toolNames.find(name.start, name.length)] = true;
    }
  }
  return mentioned;
}
