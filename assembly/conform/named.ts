// The operations of the driver over named policies, key sets and session handles.

import { check } from "../check/check";
import { checkSession, closeSession, dropKeys, dropPolicy, keysOf, openSession, policyOf, refusal, registerKeys, registerPolicy, sessionOf, tablesRegion } from "../handles";
import { KeySet } from "../history/keys";
import { Report } from "../history/report";
import { headOf } from "../history/verify";
import { Failure } from "../json/failure";
import { writeString } from "../json/string";
import { OBJECT, Value, get, isKind, textLength, textStart } from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { NameTable } from "../memory/names";
import { allocate, enterRegion } from "../memory/region";
import { memberFailure, read, receipt, refuseInexact, refuseInexactText, report, sessionName, verify } from "../operations";
import { Policy } from "../policy/policy";
import { Line } from "./members";

/** Names of one kind and the handles they stand for (0: closed). They live in the tables' region. */
@final
class Names {
  table: NameTable = new NameTable();
  handles: Array<i32> = [];
}

let policyNames: Names | null = null;
let keyNames: Names | null = null;
let sessionNames: Names | null = null;

function open(): void {
  if (policyNames != null) return;
  const before = enterRegion(tablesRegion());
  policyNames = new Names();
  keyNames = new Names();
  sessionNames = new Names();
  enterRegion(before);
}

/** Gives a name a handle; returns the one it had, or 0. */
function bind(names: Names, name: Text, handle: i32): i32 {
  const index = names.table.find(name.start, name.length);
  if (index >= 0) {
    const had = names.handles[index];
    names.handles[index] = handle;
    return had;
  }
  const before = enterRegion(tablesRegion());
  const kept = allocate(<usize>name.length + 8);
  memory.copy(kept, name.start, <usize>name.length);
  names.table.add(kept, name.length);
  names.handles.push(handle);
  enterRegion(before);
  return 0;
}

/** The handle of the name a member holds; 0 with the line's failure. */
function named(names: Names, line: Line, member: string): i32 {
  const name = line.text(member);
  if (line.failure != null) return 0;
  const index = names.table.find(name.start, name.length);
  const handle = index < 0 ? 0 : names.handles[index];
  if (handle == 0) line.failure = new Failure("name_unknown", "nothing is kept under this name");
  return handle;
}

/** Runs the line if it is one of these; false where it is not. Failures are left in the line. */
export function runNamed(line: Line, out: Buffer): bool {
  open();
  if (line.is("keys")) keysOp(line, out);
  else if (line.is("register")) registerOp(line, out);
  else if (line.is("check")) checkOp(line, out);
  else if (line.is("open")) openOp(line, out);
  else if (line.is("close")) closeOp(line, out);
  else if (line.is("report")) reportOp(line, out);
  else if (line.is("verify") || line.is("receipt")) pairOp(line, out);
  else if (line.is("read")) readOp(line, out);
  else return false;
  return true;
}

function keysOp(line: Line, out: Buffer): void {
  const name = line.text("name");
  const keys = line.value("keys");
  if (line.failure == null) line.failure = refuseInexactText(keys);
  if (line.failure != null) return;
  const handle = registerKeys(keys);
  if (handle == 0) {
    line.failure = refusal;
    return;
  }
  dropKeys(bind(keyNames!, name, handle));
  const set = keysOf(handle)!;
  out.ascii('{"active":');
  const active = set.active;
  if (active == null) out.ascii("null");
  else writeString(active.kid.start, active.kid.length, out);
  out.ascii(',"preview":');
  out.ascii(set.preview ? "true}" : "false}");
}

function registerOp(line: Line, out: Buffer): void {
  const name = line.text("name");
  const policy = line.value("policy");
  const documents = get(line.document, "documents");
  if (line.failure == null) line.failure = refuseInexactText(policy);
  if (line.failure == null && documents != 0) line.failure = refuseInexactText(documents);
  if (documents != 0 && !isKind(documents, OBJECT)) line.wrong("documents");
  if (line.failure != null) return;
  const registration = registerPolicy(policy, documents);
  if (registration.handle == 0) {
    line.problems = registration.problems;
    line.failure = registration.failure != null ? registration.failure : new Failure("policy_invalid", "");
    return;
  }
  dropPolicy(bind(policyNames!, name, registration.handle));
  out.ascii('{"partial":');
  out.bytes(registration.partial!.start, registration.partial!.length);
  out.ascii(',"policy":"');
  out.text(policyOf(registration.handle)!.id);
  out.ascii('","warnings":');
  out.bytes(registration.warnings!.start, registration.warnings!.length);
  out.byte(0x7d);
}

/** The bytes of a request: raw, or the member's text as it stands. */
function requestText(line: Line): Text {
  if (line.has("base64")) return line.bytes("base64");
  const value: Value = line.value("request");
  return value == 0 ? NO_TEXT : new Text(textStart(value), textLength(value));
}

function checkOp(line: Line, out: Buffer): void {
  if (line.has("handle")) {
    const handle = named(sessionNames!, line, "handle");
    const request = requestText(line);
    if (line.failure == null) line.failure = checkSession(handle, sessionOf(handle)!, request.start, request.length, out);
    return;
  }
  const policy = named(policyNames!, line, "policy");
  const keys = named(keyNames!, line, "keys");
  const request = requestText(line);
  if (line.failure == null) line.failure = check(policyOf(policy)!, keysOf(keys)!, request.start, request.length, null, out).error;
}

function openOp(line: Line, out: Buffer): void {
  const name = line.text("name");
  const policy = named(policyNames!, line, "policy");
  const keys = named(keyNames!, line, "keys");
  const session = sessionName(line.document);
  if (session == null) line.wrong("session");
  if (line.failure == null) line.failure = refuseInexact(line.document, "");
  if (line.failure != null) return;
  const handle = openSession(policyOf(policy)!, keysOf(keys)!, session!, get(line.document, "history"));
  if (handle == 0) {
    line.failure = refusal;
    return;
  }
  closeSession(bind(sessionNames!, name, handle));
  headOf(sessionOf(handle)!.history).write(out);
}

function closeOp(line: Line, out: Buffer): void {
  const handle = named(sessionNames!, line, "name");
  if (line.failure != null) return;
  headOf(sessionOf(handle)!.history).write(out);
  bind(sessionNames!, line.text("name"), 0);
  closeSession(handle);
}

function reportOp(line: Line, out: Buffer): void {
  if (line.has("handle")) {
    const handle = named(sessionNames!, line, "handle");
    if (line.failure == null) line.failure = refuseInexact(line.document, "result");
    if (line.failure != null) return;
    const told = new Report();
    const wrong = told.read(line.document);
    if (wrong != null) {
      line.failure = memberFailure(wrong);
      return;
    }
    const session = sessionOf(handle)!;
    line.failure = session.report(told);
    if (line.failure == null) headOf(session.history).write(out);
    return;
  }
  const policy = named(policyNames!, line, "policy");
  const keys = named(keyNames!, line, "keys");
  if (line.failure == null) line.failure = report(policyOf(policy)!, keysOf(keys)!, line.document, out);
}

function readOp(line: Line, out: Buffer): void {
  const policy = named(policyNames!, line, "policy");
  const request = requestText(line);
  if (line.failure == null) line.failure = read(policyOf(policy)!, request.start, request.length, false, out);
}

/** `verify` and `receipt`: a policy, a key set and a document. */
function pairOp(line: Line, out: Buffer): void {
  const policyHandle = named(policyNames!, line, "policy");
  if (line.is("receipt") && !line.has("keys")) {
    if (line.failure == null) line.failure = receipt(policyOf(policyHandle)!, null, line.document, out);
    return;
  }
  const keysHandle = named(keyNames!, line, "keys");
  if (line.failure != null) return;
  const policy: Policy = policyOf(policyHandle)!;
  const keys: KeySet = keysOf(keysHandle)!;
  line.failure = line.is("verify") ? verify(policy, keys, line.document, out) : receipt(policy, keys, line.document, out);
}
