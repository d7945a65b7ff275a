// The operations of the driver that need no policy: values, digests, signatures, schemas, evidence, conditions.

import { Environment, HistoryCounts } from "../cel/environment";
import { evaluate } from "../cel/evaluate";
import { parseCondition } from "../cel/parse";
import { writeBase64 } from "../digest/base64url";
import { HMAC_KEY_STATE, HMAC_LENGTH, hmac, hmacKey } from "../digest/hmac";
import { SHA256_LENGTH, sha256 } from "../digest/sha256";
import { verify } from "../ed25519/verify";
import { DestinationSink, findDestinations, kindName } from "../evidence/destinations";
import { TypedEvidence } from "../evidence/typed";
import { Failure, failure, readDocument, scanFailure } from "../json/failure";
import { writeCanonical } from "../json/canonical";
import { scan } from "../json/scan";
import { writeString } from "../json/string";
import {
  ARRAY, OBJECT, STRING, SortedMembers, TRUE, Value,
  first, get, isInteger, isKind, isString, kind, next, numberValue, stringText, textLength, textStart,
} from "../json/value";
import { Buffer, NO_TEXT, Text } from "../memory/buffer";
import { allocate } from "../memory/region";
import { beginSteps } from "../memory/steps";
import { refuseInexact } from "../operations";
import { Settings } from "../policy/policy";
import { compileSchema } from "../schema/compile";
import { Documents } from "../schema/documents";
import { Errors } from "../schema/errors";
import { placeAt } from "../schema/program";
import { validate } from "../schema/walk";
import { Line } from "./members";

/** Runs the line if it is one of these; false where it is not. Failures are left in the line. */
export function runStateless(line: Line, out: Buffer): bool {
  if (line.is("canonicalize")) canonicalizeOp(line, out);
  else if (line.is("sha256")) sha256Op(line, out);
  else if (line.is("hmac")) hmacOp(line, out);
  else if (line.is("ed25519")) ed25519Op(line, out);
  else if (line.is("schema")) schemaOp(line, out);
  else if (line.is("destinations")) destinationsOp(line, out);
  else if (line.is("typed")) typedOp(line, out);
  else if (line.is("rule")) ruleOp(line, out);
  else return false;
  return true;
}

function canonicalizeOp(line: Line, out: Buffer): void {
  const text = line.has("base64") ? line.bytes("base64") : line.text("text");
  if (line.failure != null) return;
  const settings = new Settings();
  const value = readDocument(text.start, text.length, settings.depth, settings.bytes);
  line.failure = failure;
  if (value == 0) return;
  const canonical = new Buffer(text.length + 16);
  writeCanonical(value, canonical);
  writeString(canonical.start, canonical.length, out);
}

function writeBytes(start: usize, length: i32, out: Buffer): void {
  out.byte(0x22);
  writeBase64(start, length, out);
  out.byte(0x22);
}

function sha256Op(line: Line, out: Buffer): void {
  const bytes = line.bytes("base64");
  const digest = allocate(SHA256_LENGTH);
  sha256(bytes.start, bytes.length, digest);
  writeBytes(digest, SHA256_LENGTH, out);
}

function hmacOp(line: Line, out: Buffer): void {
  const key = line.bytes("key");
  const bytes = line.bytes("base64");
  const state = allocate(HMAC_KEY_STATE);
  hmacKey(key.start, key.length, state);
  const mac = allocate(HMAC_LENGTH);
  hmac(state, bytes.start, bytes.length, mac);
  writeBytes(mac, HMAC_LENGTH, out);
}

function ed25519Op(line: Line, out: Buffer): void {
  const message = line.bytes("base64");
  const signature = line.bytes("signature");
  const key = line.bytes("public");
  const holds = signature.length == 64 && key.length == 32 && verify(key.start, message.start, message.length, signature.start);
  out.ascii(holds ? "true" : "false");
}

function schemaOp(line: Line, out: Buffer): void {
  const schema = line.value("schema");
  let value: Value = 0;
  if (line.has("base64")) {
    const text = line.bytes("base64");
    if (line.failure != null) return;
    const settings = new Settings();
    value = scan(text.start, text.length, settings.depth, settings.bytes);
    if (value == 0) line.failure = scanFailure();
  } else {
    value = line.value("value");
    // Read again, so that the value has its own limits.
    if (value != 0) {
      const settings = new Settings();
      value = scan(textStart(value), textLength(value), settings.depth, settings.bytes);
      if (value == 0) line.failure = scanFailure();
    }
  }
  const documents = new Documents();
  const registered = get(line.document, "documents");
  if (registered != 0 && !isKind(registered, OBJECT)) line.wrong("documents");
  if (line.failure != null) return;
  if (registered != 0) for (const m = new SortedMembers(registered); m.name != 0; m.advance()) documents.add(stringText(m.name), m.value);
  const deep = scan(textStart(schema), textLength(schema), 256, 1 << 30);
  if (deep == 0) {
    line.failure = scanFailure();
    return;
  }
  const compiled = compileSchema(deep, documents, isKind(get(line.document, "formats"), TRUE));
  if (compiled.invalid) {
    const invalid = new Failure("schema_invalid", compiled.problems[0].message);
    const place = new Buffer(64);
    placeAt(null, compiled.problems[0].pointer, place);
    invalid.pointer = place.view();
    line.failure = invalid;
    return;
  }
  const errors = new Errors(value);
  beginSteps(new Settings().steps);
  validate(compiled, value, errors, true);
  const all = errors.all();
  out.ascii('{"errors":[');
  for (let i = 0; i < all.length; i++) {
    if (i != 0) out.byte(0x2c);
    out.ascii('{"pointer":');
    writeString(all[i].pointer.start, all[i].pointer.length, out);
    out.ascii(',"rule":"');
    out.ascii(all[i].ruleName);
    out.ascii('"}');
  }
  out.ascii('],"partial":');
  out.ascii(compiled.partial ? "true" : "false");
  out.ascii(',"valid":');
  out.ascii(all.length == 0 ? "true" : "false");
  out.byte(0x7d);
}

function destinationsOp(line: Line, out: Buffer): void {
  const value = line.text("value");
  const argument: Text | null = line.has("argument") ? line.text("argument") : null;
  if (line.failure != null) return;
  const found = new DestinationSink();
  findDestinations(value.start, value.length, argument, found);
  out.byte(0x5b);
  for (let i = 0; i < found.count; i++) {
    if (i != 0) out.byte(0x2c);
    out.ascii('{"kind":"');
    out.ascii(kindName(found.kind(i)));
    out.ascii('","text":');
    writeString(value.start + <usize>found.begin(i), found.length(i), out);
    out.byte(0x7d);
  }
  out.byte(0x5d);
}

function typedOp(line: Line, out: Buffer): void {
  const value = line.value("value");
  const list = line.value("turns");
  if (list != 0 && !isKind(list, ARRAY)) line.wrong("turns");
  const language = get(line.document, "language");
  if (language != 0 && !isString(language, "en") && !isString(language, "pt-BR")) line.wrong("language");
  if (line.failure != null) return;
  const turns: Array<Text> = [];
  const end = next(list);
  for (let turn = first(list); turn < end; turn = next(turn)) {
    if (kind(turn) != STRING) line.wrong("turns");
    else turns.push(stringText(turn));
  }
  beginSteps(new Settings().steps);
  const evidence = new TypedEvidence(turns, language != 0 && isString(language, "pt-BR"));
  out.ascii(evidence.prove(value) ? "true" : "false");
}

/** No history stands behind a `rule` line. */
@final
class NoHistory extends HistoryCounts {
  ran(start: usize, length: i32): i64 {
    return 0;
  }
  allowed(start: usize, length: i32): i64 {
    return 0;
  }
  allowedWithin(start: usize, length: i32, seconds: i64): i64 {
    return 0;
  }
}

function objectOr0(value: Value): Value {
  return isKind(value, OBJECT) ? value : 0;
}

function textOf(value: Value): Text {
  return isKind(value, STRING) ? stringText(value) : NO_TEXT;
}

function ruleOp(line: Line, out: Buffer): void {
  const text = line.text("condition");
  const variables = get(line.document, "variables");
  if (variables != 0 && !isKind(variables, OBJECT)) line.wrong("variables");
  if (line.failure == null) line.failure = refuseInexact(line.document, "");
  if (line.failure != null) return;
  const condition = parseCondition(text.start, text.length, 0);
  if (condition.problem) {
    out.ascii('{"error":');
    writeString(condition.message.start, condition.message.length, out);
    out.byte(0x7d);
    return;
  }
  const environment = new Environment(textOf(get(variables, "tool")), new NoHistory());
  environment.agent = textOf(get(variables, "agent"));
  environment.args = objectOr0(get(variables, "args"));
  environment.facts = objectOr0(get(variables, "facts"));
  environment.principal = objectOr0(get(variables, "principal"));
  environment.resource = objectOr0(get(variables, "resource"));
  environment.origins = objectOr0(get(variables, "origins"));
  const labels = get(variables, "labels");
  if (isKind(labels, ARRAY)) {
    const end = next(labels);
    for (let label = first(labels); label < end; label = next(label)) if (kind(label) == STRING) environment.labels.push(stringText(label));
  }
  const now = get(variables, "now");
  if (isInteger(now)) environment.now = <i64>numberValue(now);
  environment.turn = textOf(get(variables, "turn"));
  beginSteps(new Settings().steps);
  const value = evaluate(condition, environment);
  if (value < 0) out.ascii('{"error":"the condition could not be evaluated"}');
  else out.ascii(value == 1 ? '{"value":true}' : '{"value":false}');
}
