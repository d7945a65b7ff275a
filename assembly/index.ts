// The boundary: what the module exports. A call is `alloc(n)`, the text written there, then one operation; its answer is at `result()`.

import "./abort";
import { ABI_VERSION, OUTER_BYTES, OUTER_DEPTH, STATUS_ERROR, STATUS_OK } from "./abi";
import { check as checkRequest } from "./check/check";
import { answerLine } from "./conform/line";
import {
  checkSession as checkOpened, closeSession, dropKeys, dropPolicy, keysOf, openSession, openTables, policyOf, refusal, registerKeys, registerPolicy, sessionOf,
} from "./handles";
import { Report } from "./history/report";
import { headOf } from "./history/verify";
import { Failure, failure, readDocument, scanFailure, writeFailure } from "./json/failure";
import { scan } from "./json/scan";
import { writeString } from "./json/string";
import { OBJECT, Value, get, isKind } from "./json/value";
import { Buffer } from "./memory/buffer";
import { allocate, createRegion, enterRegion, resetRegion } from "./memory/region";
import * as operations from "./operations";
import { writeCompiled } from "./policy/compiled";

/** The region of the current call. */
let call: usize = 0;
let out: Buffer = changetype<Buffer>(0);

/** The version of this boundary. */
export function abiVersion(): i32 {
  return ABI_VERSION;
}

/** Begins a call: everything of the last one is gone. Returns where `length` bytes of input go. */
export function alloc(length: i32): usize {
  if (call == 0) call = createRegion();
  enterRegion(call);
  resetRegion(call);
  openTables();
  enterRegion(call);
  const input = allocate(<usize>length + 16);
  out = new Buffer(256);
  return input;
}

/** Where the answer of the last operation is. */
export function result(): usize {
  return out.start;
}

/** Its length in bytes. */
export function resultLength(): i32 {
  return out.length;
}

function done(error: Failure | null): i32 {
  if (error == null) return STATUS_OK;
  out.clear();
  writeFailure(error, out);
  return STATUS_ERROR;
}

function unknownHandle(): i32 {
  return done(new Failure("name_unknown", "there is no such handle"));
}

/** Reads an envelope: a JSON object; 0 with the error written. */
function envelope(start: usize, length: i32): Value {
  const document = scan(start, length, OUTER_DEPTH, OUTER_BYTES);
  if (document != 0 && isKind(document, OBJECT)) return document;
  done(document == 0 ? scanFailure() : new Failure("request_invalid", "an object is needed here"));
  return 0;
}

/** Registers `{"policy":…,"documents"?:…}`: `{"handle","partial","policy","warnings"}`, or `policy_invalid` with its problems. */
export function register(start: usize, length: i32): i32 {
  const document = envelope(start, length);
  if (document == 0) return STATUS_ERROR;
  const inexact = operations.refuseInexact(document, "");
  if (inexact != null) return done(inexact);
  const policy = get(document, "policy");
  const documents = get(document, "documents");
  if (policy == 0) return done(operations.memberFailure("/policy"));
  if (documents != 0 && !isKind(documents, OBJECT)) return done(operations.memberFailure("/documents"));
  const registration = registerPolicy(policy, documents);
  if (registration.failure != null) return done(registration.failure);
  if (registration.handle == 0) {
    out.ascii('{"code":"policy_invalid","message":"the policy has problems","problems":');
    out.bytes(registration.problems!.start, registration.problems!.length);
    out.byte(0x7d);
    return STATUS_ERROR;
  }
  out.ascii('{"handle":');
  out.integer(registration.handle);
  out.ascii(',"partial":');
  out.bytes(registration.partial!.start, registration.partial!.length);
  out.ascii(',"policy":"');
  out.text(policyOf(registration.handle)!.id);
  out.ascii('","warnings":');
  out.bytes(registration.warnings!.start, registration.warnings!.length);
  out.byte(0x7d);
  return STATUS_OK;
}

/** The compiled form of a registered policy. */
export function compiled(policy: i32): i32 {
  const loaded = policyOf(policy);
  if (loaded == null) return unknownHandle();
  writeCompiled(loaded.source, loaded.documents, out);
  return STATUS_OK;
}

/** Reads a key set: `{"active","handle","preview"}`, or `keys_invalid`. */
export function keys(start: usize, length: i32): i32 {
  const document = readDocument(start, length, OUTER_DEPTH, OUTER_BYTES);
  if (document == 0) return done(failure);
  const handle = registerKeys(document);
  if (handle == 0) return done(refusal);
  const set = keysOf(handle)!;
  out.ascii('{"active":');
  const active = set.active;
  if (active == null) out.ascii("null");
  else writeString(active.kid.start, active.kid.length, out);
  out.ascii(',"handle":');
  out.integer(handle);
  out.ascii(',"preview":');
  out.ascii(set.preview ? "true}" : "false}");
  return STATUS_OK;
}

/** Decides one request that carries its history (chapter 4). */
export function check(policy: i32, keys: i32, start: usize, length: i32): i32 {
  const loaded = policyOf(policy);
  const set = keysOf(keys);
  if (loaded == null || set == null) return unknownHandle();
  return done(checkRequest(loaded, set, start, length, null, out).error);
}

/** Decides one request of an open session. */
export function checkSession(session: i32, start: usize, length: i32): i32 {
  const opened = sessionOf(session);
  if (opened == null) return unknownHandle();
  return done(checkOpened(session, opened, start, length, out));
}

/** Opens a session on `{"session","history"?}`: `{"handle","head"}`. */
export function open(policy: i32, keys: i32, start: usize, length: i32): i32 {
  const loaded = policyOf(policy);
  const set = keysOf(keys);
  if (loaded == null || set == null) return unknownHandle();
  const document = envelope(start, length);
  if (document == 0) return STATUS_ERROR;
  const inexact = operations.refuseInexact(document, "");
  if (inexact != null) return done(inexact);
  const name = operations.sessionName(document);
  if (name == null) return done(operations.memberFailure("/session"));
  const handle = openSession(loaded, set, name, get(document, "history"));
  if (handle == 0) return done(refusal);
  out.ascii('{"handle":');
  out.integer(handle);
  out.ascii(',"head":');
  headOf(sessionOf(handle)!.history).write(out);
  out.byte(0x7d);
  return STATUS_OK;
}

/** Reports an outcome: `{"session","history","step","status",…}` → the history. */
export function report(policy: i32, keys: i32, start: usize, length: i32): i32 {
  return run(policy, keys, start, length, 0);
}

/** Reports an outcome to an open session: `{"step","status",…}` → `{"head","outcome"}`, the outcome as the history now has it. */
export function reportSession(session: i32, start: usize, length: i32): i32 {
  const opened = sessionOf(session);
  if (opened == null) return unknownHandle();
  const document = envelope(start, length);
  if (document == 0) return STATUS_ERROR;
  const inexact = operations.refuseInexact(document, "result");
  if (inexact != null) return done(inexact);
  const told = new Report();
  const wrong = told.read(document);
  if (wrong != null) return done(operations.memberFailure(wrong));
  const failed = opened.report(told);
  if (failed != null) return done(failed);
  out.ascii('{"head":');
  headOf(opened.history).write(out);
  out.ascii(',"outcome":');
  out.text(opened.history.entries[<i32>told.step].outcome);
  out.byte(0x7d);
  return STATUS_OK;
}

/** Verifies `{"session","history","head"?}`. */
export function verify(policy: i32, keys: i32, start: usize, length: i32): i32 {
  return run(policy, keys, start, length, 1);
}

/** Answers a receipt's question: `{"session","history","tool","arguments","now",…}`. */
export function receipt(policy: i32, keys: i32, start: usize, length: i32): i32 {
  return run(policy, keys, start, length, 2);
}

/** Answers a receipt's question on an open session, whose history and session it does not bring: `{"tool","arguments","now",…}`. */
export function receiptSession(session: i32, start: usize, length: i32): i32 {
  const opened = sessionOf(session);
  if (opened == null) return unknownHandle();
  const document = envelope(start, length);
  return document == 0 ? STATUS_ERROR : done(operations.receiptOn(opened, document, out));
}

function run(policy: i32, keys: i32, start: usize, length: i32, which: i32): i32 {
  const loaded = policyOf(policy);
  const set = keysOf(keys);
  if (loaded == null || set == null) return unknownHandle();
  const document = envelope(start, length);
  if (document == 0) return STATUS_ERROR;
  if (which == 0) return done(operations.report(loaded, set, document, out));
  if (which == 1) return done(operations.verify(loaded, set, document, out));
  return done(operations.receipt(loaded, set, document, out));
}

/** Reads a turn into a plan (chapter 6). */
export function read(policy: i32, start: usize, length: i32): i32 {
  const loaded = policyOf(policy);
  return loaded == null ? unknownHandle() : done(operations.read(loaded, start, length, false, out));
}

/** Reads a turn and says why: `{"clauses","plan","rules"}`. */
export function explainTurn(policy: i32, start: usize, length: i32): i32 {
  const loaded = policyOf(policy);
  return loaded == null ? unknownHandle() : done(operations.read(loaded, start, length, true, out));
}

/** Asks one of the pipeline's pure rows (chapter 7): `{"row",…}` → `{"answer","reason"?,"tool"?}`. */
export function gate(start: usize, length: i32): i32 {
  const document = envelope(start, length);
  return document == 0 ? STATUS_ERROR : done(operations.gate(document, out));
}

/** The head of an open session. */
export function head(session: i32): i32 {
  const opened = sessionOf(session);
  if (opened == null) return unknownHandle();
  headOf(opened.history).write(out);
  return STATUS_OK;
}

/** Gives a policy, a key set or a session up. */
export function releasePolicy(policy: i32): void {
  dropPolicy(policy);
}

export function releaseKeys(keys: i32): void {
  dropKeys(keys);
}

export function close(session: i32): void {
  closeSession(session);
}

/** Answers one line of the conformance protocol (chapter 8). */
export function conform(start: usize, length: i32): i32 {
  answerLine(start, length, out);
  return STATUS_OK;
}
