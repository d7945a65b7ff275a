// Compiles the keywords that assert something about the value itself, and looks at the shape of those that only describe.

import { codePointAt, afterCodePoint } from "../memory/bytes";
import { compareDecimals, isIntegral } from "../json/decimal";
import {
  ARRAY, NUMBER, OBJECT, STRING, TRUE, Value, count, first, isBoolean, isString, kind, next, numberValue, stringLength, stringStart, textLength, textStart,
} from "../json/value";
import { Compiler } from "./compile";
import { requiresUnknownVocabulary } from "./dialect";
import { formatOf, isFormatNotAsserted } from "./formats";
import {
  K_ANCHOR, K_COMMENT, K_CONST, K_CONTENT_ENCODING, K_CONTENT_MEDIA_TYPE, K_DEPENDENT_REQUIRED, K_DEPRECATED, K_DESCRIPTION, K_DYNAMIC_ANCHOR,
  K_ENUM, K_EXAMPLES, K_EXCLUSIVE_MAXIMUM, K_EXCLUSIVE_MINIMUM, K_FORMAT, K_ID, K_MAXIMUM, K_MAX_CONTAINS, K_MAX_ITEMS, K_MAX_LENGTH,
  K_MAX_PROPERTIES, K_MINIMUM, K_MIN_CONTAINS, K_MIN_ITEMS, K_MIN_LENGTH, K_MIN_PROPERTIES, K_MULTIPLE_OF, K_PATTERN, K_READ_ONLY, K_REQUIRED,
  K_TITLE, K_TYPE, K_UNIQUE_ITEMS, K_VOCABULARY, K_WRITE_ONLY, DRAFT_07, DRAFT_2020, VOCABULARY_FORMAT_ASSERTION,
} from "./keywords";
import { areNames, dependentNames } from "./members";
import { NumberPart, Outline, TextPart, ValuesPart } from "./outline";
import { ANY_KIND, PART_NUMBER, PART_TEXT, PART_VALUES } from "./program";
import { ENTRY_OPERAND, ENTRY_REQUIRED, PropertyTable } from "./properties";
import { Resource } from "./resources";
import { RULE_DEPENDENT_REQUIRED } from "./rules";
import { findFragment } from "./uri";

/** Lists of values up to this length are compared one by one. */
const ENUM_LINEAR: i32 = 8;

function textPart(node: Outline): TextPart {
  if ((node.parts & PART_TEXT) == 0) {
    node.parts |= PART_TEXT;
    node.text = new TextPart();
  }
  return node.text;
}

function numberPart(node: Outline): NumberPart {
  if ((node.parts & PART_NUMBER) == 0) {
    node.parts |= PART_NUMBER;
    node.number = new NumberPart();
  }
  return node.number;
}

function valuesPart(node: Outline): ValuesPart {
  if ((node.parts & PART_VALUES) == 0) {
    node.parts |= PART_VALUES;
    node.values = new ValuesPart();
  }
  return node.values;
}

/** Compiles one keyword that is no applicator. What has the wrong shape is a problem, and asserts nothing. */
export function compileAssertion(compiler: Compiler, node: Outline, resource: Resource, keyword: i32, value: Value): void {
  switch (keyword) {
    case K_TYPE: compileType(compiler, node, value); return;
    case K_ENUM: compileEnum(compiler, node, value); return;
    case K_CONST: valuesPart(node).constant = value; return;
    case K_MULTIPLE_OF:
    case K_MAXIMUM:
    case K_EXCLUSIVE_MAXIMUM:
    case K_MINIMUM:
    case K_EXCLUSIVE_MINIMUM: compileNumber(compiler, node, keyword, value); return;
    case K_MAX_LENGTH:
    case K_MIN_LENGTH:
    case K_MAX_ITEMS:
    case K_MIN_ITEMS:
    case K_MAX_PROPERTIES:
    case K_MIN_PROPERTIES:
    case K_MAX_CONTAINS:
    case K_MIN_CONTAINS: compileCount(compiler, node, keyword, value); return;
    case K_PATTERN: {
      if (!wants(compiler, node, value, STRING, "must be a string")) return;
      const part = textPart(node);
      part.pattern = compiler.pattern(value, value, node);
      part.patternOperand = value;
      return;
    }
    case K_FORMAT: {
      if (!wants(compiler, node, value, STRING, "must be a string")) return;
      if (!compiler.assertFormats && (resource.vocabularies & VOCABULARY_FORMAT_ASSERTION) == 0) return;
      const format = formatOf(stringStart(value), stringLength(value));
      if (format == 0) {
        if (isFormatNotAsserted(stringStart(value), stringLength(value))) compiler.notAsserted(value, "this format is not checked");
        return;
      }
      const part = textPart(node);
      part.format = format;
      part.formatOperand = value;
      return;
    }
    case K_UNIQUE_ITEMS: {
      if (!isBoolean(value)) compiler.problem(value, node.resource, "must be true or false");
      else if (kind(value) == TRUE) compiler.arrayPart(node).unique = true;
      return;
    }
    case K_REQUIRED: compileRequired(compiler, node, value); return;
    case K_DEPENDENT_REQUIRED: {
      if (!compiler.isMap(node, value) || count(value) == 0) return;
      for (let name = first(value); name < next(value); name = next(next(name))) dependentNames(compiler, node, name, next(name), RULE_DEPENDENT_REQUIRED);
      return;
    }
    default: checkAnnotation(compiler, node, resource, keyword, value);
  }
}

function wants(compiler: Compiler, node: Outline, value: Value, which: i32, message: string): bool {
  if (kind(value) == which) return true;
  compiler.problem(value, node.resource, message);
  return false;
}

const TYPE_NAMES: StaticArray<string> = ["null", "boolean", "number", "string", "array", "object", "integer"];
/** The kinds each name stands for, a bit each. */
const TYPE_KINDS: StaticArray<u32> = [1, 6, 8, 16, 32, 64, 8];
const TYPE_NUMBER: i32 = 2;
const TYPE_INTEGER: i32 = 6;

function typeOf(value: Value): i32 {
  for (let i = 0; i < TYPE_NAMES.length; i++) if (isString(value, TYPE_NAMES[i])) return i;
  return -1;
}

function compileType(compiler: Compiler, node: Outline, value: Value): void {
  let seen: u32 = 0;
  let good = true;
  if (kind(value) == ARRAY && count(value) > 0) {
    for (let element = first(value); element < next(value); element = next(element)) {
      const type = typeOf(element);
      if (type < 0 || (seen & (1 << type)) != 0) good = false;
      else seen |= 1 << type;
    }
  } else {
    const type = typeOf(value);
    if (type < 0) good = false;
    else seen = 1 << type;
  }
  if (!good) {
    compiler.problem(value, node.resource, "must be null, boolean, object, array, number, string or integer, or a list of different ones");
    return;
  }
  let kinds: u32 = 0;
  for (let i = 0; i < TYPE_KINDS.length; i++) if ((seen & (1 << i)) != 0) kinds |= TYPE_KINDS[i];
  node.types = kinds & ANY_KIND;
  node.whole = (seen & (1 << TYPE_INTEGER)) != 0 && (seen & (1 << TYPE_NUMBER)) == 0;
  node.typeOperand = value;
}

function compileEnum(compiler: Compiler, node: Outline, value: Value): void {
  if (!wants(compiler, node, value, ARRAY, "must be a list")) return;
  const part = valuesPart(node);
  part.enumeration = value;
  if (count(value) <= ENUM_LINEAR) return;
  const strings = new PropertyTable();
  for (let element = first(value); element < next(value); element = next(element)) {
    if (kind(element) == STRING) strings.add(stringStart(element), stringLength(element));
  }
  part.strings = strings;
}

/** The most digits that a double and an i64 hold alike. */
const SHORT_DIGITS: i32 = 15;

/** Whether a number's text is a whole number of at most 15 digits, without sign, point or exponent. */
export function isShortWhole(value: Value): bool {
  const length = textLength(value);
  if (length > SHORT_DIGITS) return false;
  const start = textStart(value);
  for (let i: usize = 0; i < <usize>length; i++) if (load<u8>(start + i) < 0x30 || load<u8>(start + i) > 0x39) return false;
  return true;
}

const ZERO = memory.data<u8>([0x30]);

function compileNumber(compiler: Compiler, node: Outline, keyword: i32, value: Value): void {
  if (!wants(compiler, node, value, NUMBER, "must be a number")) return;
  const part = numberPart(node);
  switch (keyword) {
    case K_MAXIMUM: part.maximum = value; return;
    case K_EXCLUSIVE_MAXIMUM: part.exclusiveMaximum = value; return;
    case K_MINIMUM: part.minimum = value; return;
    case K_EXCLUSIVE_MINIMUM: part.exclusiveMinimum = value; return;
    default: break;
  }
  if (compareDecimals(textStart(value), textLength(value), ZERO, 1) <= 0) {
    compiler.problem(value, node.resource, "must be more than 0");
    return;
  }
  part.multipleOf = value;
  if (isShortWhole(value)) part.shortDivisor = <i64>numberValue(value);
}

/** Reads a count; what is past 2^31 - 1 stands for that, which no value reaches. -1: a problem. */
function readCount(compiler: Compiler, node: Outline, value: Value): i32 {
  if (kind(value) != NUMBER || !isIntegral(textStart(value), textLength(value)) || numberValue(value) < 0) {
    compiler.problem(value, node.resource, "must be a whole number, 0 or more");
    return -1;
  }
  const d = numberValue(value);
  return d >= 2147483647.0 ? i32.MAX_VALUE : <i32>d;
}

function compileCount(compiler: Compiler, node: Outline, keyword: i32, value: Value): void {
  const limit = readCount(compiler, node, value);
  if (limit < 0) return;
  switch (keyword) {
    case K_MAX_LENGTH: {
      const part = textPart(node);
      part.maximum = limit;
      part.maximumOperand = value;
      return;
    }
    case K_MIN_LENGTH: {
      const part = textPart(node);
      part.minimum = limit;
      part.minimumOperand = value;
      return;
    }
    case K_MAX_PROPERTIES: {
      const part = compiler.objectPart(node);
      part.limited = true;
      part.maximum = limit;
      part.maximumOperand = value;
      return;
    }
    case K_MIN_PROPERTIES: {
      const part = compiler.objectPart(node);
      part.limited = true;
      part.minimum = limit;
      part.minimumOperand = value;
      return;
    }
    default: break;
  }
  const part = compiler.arrayPart(node);
  switch (keyword) {
    case K_MAX_ITEMS:
      part.maximum = limit;
      part.maximumOperand = value;
      return;
    case K_MIN_ITEMS:
      part.minimum = limit;
      part.minimumOperand = value;
      return;
    case K_MAX_CONTAINS:
      part.maximumContains = limit;
      part.maximumContainsOperand = value;
      return;
    default:
      part.minimumContains = limit;
      part.minimumContainsOperand = value;
  }
}

function compileRequired(compiler: Compiler, node: Outline, value: Value): void {
  if (!areNames(compiler, node, value) || count(value) == 0) return;
  const part = compiler.objectPart(node);
  part.required = count(value);
  for (let name = first(value); name < next(value); name = next(name)) {
    const entry = part.table.add(stringStart(name), stringLength(name));
    store<u32>(entry, 1, ENTRY_REQUIRED);
    store<u32>(entry, <u32>name, ENTRY_OPERAND);
  }
}

/** Whether a text is `[A-Za-z_][-A-Za-z0-9._]*`. */
function isAnchor(start: usize, length: i32): bool {
  if (length == 0) return false;
  const end = start + <usize>length;
  for (let at = start; at < end; at = afterCodePoint(at)) {
    const c = codePointAt(at);
    const letter = ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || c == 0x5f;
    const later = c == 0x2d || c == 0x2e || (c >= 0x30 && c <= 0x39);
    if (!letter && (at == start || !later)) return false;
  }
  return true;
}

/** What only describes must still have the shape that the metaschema gives it. */
function checkAnnotation(compiler: Compiler, node: Outline, resource: Resource, keyword: i32, value: Value): void {
  switch (keyword) {
    case K_ID: {
      if (!wants(compiler, node, value, STRING, "must be a string")) return;
      const mark = findFragment(stringStart(value), stringLength(value));
      if (resource.dialect == DRAFT_2020 && mark + 1 < stringLength(value)) compiler.problem(value, node.resource, "must have no fragment; use $anchor");
      return;
    }
    case K_ANCHOR:
    case K_DYNAMIC_ANCHOR: {
      if (kind(value) != STRING || !isAnchor(stringStart(value), stringLength(value))) {
        compiler.problem(value, node.resource, "must be a letter or _, then letters, digits, - . or _");
      }
      return;
    }
    case K_VOCABULARY: {
      if (wants(compiler, node, value, OBJECT, "must be an object") && requiresUnknownVocabulary(value)) compiler.notAsserted(value, "a vocabulary that it requires is not known");
      return;
    }
    case K_COMMENT:
    case K_TITLE:
    case K_DESCRIPTION: wants(compiler, node, value, STRING, "must be a string"); return;
    case K_CONTENT_ENCODING:
    case K_CONTENT_MEDIA_TYPE: {
      // Draft-07 lets them assert, draft 2020-12 does not.
      if (wants(compiler, node, value, STRING, "must be a string") && resource.dialect == DRAFT_07) compiler.notAsserted(value, "what the text holds is not checked");
      return;
    }
    case K_DEPRECATED:
    case K_READ_ONLY:
    case K_WRITE_ONLY: {
      if (!isBoolean(value)) compiler.problem(value, node.resource, "must be true or false");
      return;
    }
    case K_EXAMPLES: wants(compiler, node, value, ARRAY, "must be a list"); return;
    default: return;
  }
}
