// What each parameter of a tool takes, read from its schema and the words of its name.

import { Text } from "../memory/buffer";
import { equalBytes } from "../memory/bytes";
import { NameTable } from "../memory/names";
import { enterRegion, createRegion } from "../memory/region";
import { ARRAY, OBJECT, STRING, TRUE, Value, count, first, get, isKind, isString, kind, next, stringLength, stringStart, stringText } from "../json/value";
import { folded } from "./fold";
import { PARAMETER_LENGTH, PARAMETER_WORDS } from "./words.gen";

// What a parameter's name says it takes; the letters of words.gen.ts are `A` and the bit.
export const NAMES_EMAIL: u32 = 1 << 0;
export const NAMES_URL: u32 = 1 << 1;
export const NAMES_HOST: u32 = 1 << 2;
export const NAMES_IP: u32 = 1 << 3;
export const NAMES_PATH: u32 = 1 << 4;
export const NAMES_ID: u32 = 1 << 5;
export const NAMES_MONEY: u32 = 1 << 6;
export const NAMES_TEXT: u32 = 1 << 7;
export const NAMES_DATE: u32 = 1 << 8;
export const NAMES_TIME: u32 = 1 << 9;
export const NAMES_PERCENT: u32 = 1 << 10;
/** It is the ending of a file's name. */
export const EXTENSION: u32 = 1 << 12;
/** It says where something goes. */
export const NAMES_GOAL: u32 = 1 << 11;
export const NAMES_ADDRESS: u32 = NAMES_EMAIL | NAMES_URL | NAMES_HOST | NAMES_IP | NAMES_PATH;

// The types it accepts.
export const TAKES_STRING: u32 = 1;
export const TAKES_NUMBER: u32 = 2;
export const TAKES_INTEGER: u32 = 4;
export const TAKES_BOOLEAN: u32 = 8;
/** A list of strings. */
export const TAKES_LIST: u32 = 16;

/** Formats that decide what it takes. */
export const enum Format {
  None,
  Email,
  Uri,
  Host,
  Ip,
  Date,
  DateTime,
  Time,
  Other,
}

/** How deep references and alternatives of a property are followed. */
const DEPTH: i32 = 4;
/** A member of an enumeration longer than this is not looked for in a turn. */
const LONGEST_MEMBER: i32 = 128;

@final
export class Parameter {
  types: u32 = 0;
  format: Format = Format.None;
  /** What its name says. */
  names: u32 = 0;
  required: bool = false;
  /** Its address says whose data is read (chapter 2, subject_argument). */
  subject: bool = false;
  /** The strings of its enumeration, and the folded words of each. */
  members: Array<Value> = [];
  memberWords: Array<Array<Text>> = [];
  /** The numbers of its name's words in the vocabulary; those that only say what kind of thing it is left out. */
  words: Array<i32> = [];
  /** The folded words of its name. */
  spoken: Array<Text> = [];
  constructor(public name: Text) {}

  /** Whether a word is one of an enumeration's members, or in one. */
  hasWord(word: Text): bool {
    for (let i = 0; i < this.memberWords.length; i++) {
      const words = this.memberWords[i];
      for (let k = 0; k < words.length; k++) if (equalBytes(words[k].start, words[k].length, word.start, word.length)) return true;
    }
    return false;
  }

  get isNumeric(): bool {
    return (this.types & (TAKES_NUMBER | TAKES_INTEGER)) != 0 && (this.types & TAKES_STRING) == 0;
  }
}

/** The parameters of a tool by their order in its schema. */
export function readParameters(tool: Value): Array<Parameter> {
  const list: Array<Parameter> = [];
  const schema = get(tool, "parameters");
  const properties = get(schema, "properties");
  if (!isKind(properties, OBJECT) || count(properties) == 0) return list;
  const required = get(schema, "required");
  const subject = get(tool, "subject_argument");
  const end = next(properties);
  for (let name = first(properties); name < end; name = next(next(name))) {
    const parameter = new Parameter(stringText(name));
    readProperty(schema, next(name), parameter, 0);
    parameter.required = holds(required, name);
    parameter.subject = isKind(subject, STRING) ? same(subject, name) : holds(subject, name);
    list.push(parameter);
  }
  return list;
}

function same(a: Value, b: Value): bool {
  return equalBytes(stringStart(a), stringLength(a), stringStart(b), stringLength(b));
}

/** Whether a list holds a name. */
function holds(list: Value, name: Value): bool {
  if (!isKind(list, ARRAY) || count(list) == 0) return false;
  const end = next(list);
  for (let element = first(list); element < end; element = next(element)) if (kind(element) == STRING && same(element, name)) return true;
  return false;
}

function readProperty(root: Value, schema: Value, parameter: Parameter, depth: i32): void {
  if (!isKind(schema, OBJECT)) {
    if (isKind(schema, TRUE)) parameter.types |= TAKES_STRING | TAKES_NUMBER;
    return;
  }
  const reference = get(schema, "$ref");
  if (isKind(reference, STRING)) {
    const target = resolve(root, reference);
    if (target != 0 && depth < DEPTH) readProperty(root, target, parameter, depth + 1);
    return;
  }
  readAlternatives(root, get(schema, "anyOf"), parameter, depth);
  readAlternatives(root, get(schema, "oneOf"), parameter, depth);
  readAlternatives(root, get(schema, "allOf"), parameter, depth);
  const format = get(schema, "format");
  if (isKind(format, STRING)) parameter.format = formatOf(format);
  const members = get(schema, "enum");
  if (isKind(members, ARRAY) && count(members) != 0) {
    const end = next(members);
    for (let member = first(members); member < end; member = next(member)) addMember(member, parameter);
    return;
  }
  const constant = get(schema, "const");
  if (constant != 0) return addMember(constant, parameter);
  const type = get(schema, "type");
  if (isKind(type, STRING)) readType(root, schema, type, parameter, depth);
  else if (isKind(type, ARRAY) && count(type) != 0) {
    const end = next(type);
    for (let one = first(type); one < end; one = next(one)) readType(root, schema, one, parameter, depth);
  } else if (type == 0 && parameter.types == 0 && parameter.members.length == 0 && get(schema, "properties") == 0) parameter.types |= TAKES_STRING | TAKES_NUMBER;
}

function addMember(member: Value, parameter: Parameter): void {
  if (!isKind(member, STRING) || stringLength(member) == 0 || stringLength(member) > LONGEST_MEMBER) return;
  parameter.members.push(member);
  parameter.memberWords.push(wordsOf(member));
}

/** The folded words of an enumeration's member. */
function wordsOf(member: Value): Array<Text> {
  const words: Array<Text> = [];
  const start = stringStart(member);
  const end = start + <usize>stringLength(member);
  for (let at = start; at < end; ) {
    let stop = at;
    while (stop < end && load<u8>(stop) != 0x20 && load<u8>(stop) != 0x5f && load<u8>(stop) != 0x2d) stop++;
    if (stop > at) words.push(folded(at, stop));
    at = stop + 1;
  }
  return words;
}

function readAlternatives(root: Value, list: Value, parameter: Parameter, depth: i32): void {
  if (!isKind(list, ARRAY) || count(list) == 0 || depth >= DEPTH) return;
  const end = next(list);
  for (let element = first(list); element < end; element = next(element)) readProperty(root, element, parameter, depth + 1);
}

function readType(root: Value, schema: Value, type: Value, parameter: Parameter, depth: i32): void {
  if (isString(type, "string")) parameter.types |= TAKES_STRING;
  else if (isString(type, "number")) parameter.types |= TAKES_NUMBER;
  else if (isString(type, "integer")) parameter.types |= TAKES_INTEGER;
  else if (isString(type, "boolean")) parameter.types |= TAKES_BOOLEAN;
  else if (isString(type, "array") && depth < DEPTH) {
    const element = new Parameter(parameter.name);
    const items = get(schema, "items");
    if (items == 0) element.types = TAKES_STRING;
    else readProperty(root, items, element, depth + 1);
    if ((element.types & TAKES_STRING) == 0) return;
    parameter.types |= TAKES_LIST;
    if (element.format != Format.None) parameter.format = element.format;
  }
}

function formatOf(format: Value): Format {
  if (isString(format, "email") || isString(format, "idn-email")) return Format.Email;
  if (isString(format, "uri") || isString(format, "uri-reference") || isString(format, "url") || isString(format, "iri")) return Format.Uri;
  if (isString(format, "hostname") || isString(format, "idn-hostname")) return Format.Host;
  if (isString(format, "ipv4") || isString(format, "ipv6") || isString(format, "ip")) return Format.Ip;
  if (isString(format, "date")) return Format.Date;
  if (isString(format, "date-time")) return Format.DateTime;
  if (isString(format, "time")) return Format.Time;
  return Format.Other;
}

/** The value a local reference `#/a/b` names, or 0. */
function resolve(root: Value, reference: Value): Value {
  const start = stringStart(reference);
  const end = start + <usize>stringLength(reference);
  if (stringLength(reference) < 2 || load<u16>(start) != 0x2f23) return 0;
  let value = root;
  for (let at = start + 2; at <= end && value != 0; ) {
    let stop = at;
    while (stop < end && load<u8>(stop) != 0x2f) stop++;
    value = memberNamed(value, at, <i32>(stop - at));
    at = stop + 1;
  }
  return value;
}

function memberNamed(object: Value, start: usize, length: i32): Value {
  if (!isKind(object, OBJECT) || count(object) == 0) return 0;
  const end = next(object);
  for (let name = first(object); name < end; name = next(next(name))) if (equalBytes(stringStart(name), stringLength(name), start, length)) return next(name);
  return 0;
}

/** The words of parameters' names and what they say, in a region of their own that is never emptied. */
let table: NameTable | null = null;
let kinds: Array<u32> = [];

function readKinds(): void {
  const before = enterRegion(createRegion());
  const words = new NameTable();
  kinds = [];
  let at = PARAMETER_WORDS;
  const end = at + <usize>PARAMETER_LENGTH;
  let bit: u32 = 0;
  for (let fresh = true; at < end; at++) {
    if (fresh) bit = <u32>1 << (<u32>load<u8>(at++) - 0x41);
    let stop = at;
    while (load<u8>(stop) != 0x2c && load<u8>(stop) != 0x0a) stop++;
    const index = words.add(at, <i32>(stop - at));
    if (index == kinds.length) kinds.push(bit);
    else kinds[index] |= bit;
    fresh = load<u8>(stop) == 0x0a;
    at = stop;
  }
  table = words;
  enterRegion(before);
}

/** What a folded word of a parameter's name says it takes. */
export function kindsOf(word: Text): u32 {
  if (table === null) readKinds();
  const index = table!.find(word.start, word.length);
  return index < 0 ? 0 : kinds[index];
}
