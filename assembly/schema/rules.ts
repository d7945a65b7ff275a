// The names of what a value may break, and the sentence that tells a person so.

import { Buffer } from "../memory/buffer";
import { STRING, Value, isKind, kind, stringLength, stringStart, textLength, textStart, ARRAY } from "../json/value";

export const RULE_ADDITIONAL_ITEMS: i32 = 0;
export const RULE_ADDITIONAL_PROPERTIES: i32 = 1;
export const RULE_ANY_OF: i32 = 2;
export const RULE_BYTES: i32 = 3;
export const RULE_CONST: i32 = 4;
export const RULE_CONTAINS: i32 = 5;
export const RULE_DEPENDENCIES: i32 = 6;
export const RULE_DEPENDENT_REQUIRED: i32 = 7;
export const RULE_ENUM: i32 = 8;
export const RULE_EXCLUSIVE_MAXIMUM: i32 = 9;
export const RULE_EXCLUSIVE_MINIMUM: i32 = 10;
export const RULE_FALSE: i32 = 11;
export const RULE_FORMAT: i32 = 12;
export const RULE_MAX_CONTAINS: i32 = 13;
export const RULE_MAX_ITEMS: i32 = 14;
export const RULE_MAX_LENGTH: i32 = 15;
export const RULE_MAX_PROPERTIES: i32 = 16;
export const RULE_MAXIMUM: i32 = 17;
export const RULE_MIN_CONTAINS: i32 = 18;
export const RULE_MIN_ITEMS: i32 = 19;
export const RULE_MIN_LENGTH: i32 = 20;
export const RULE_MIN_PROPERTIES: i32 = 21;
export const RULE_MINIMUM: i32 = 22;
export const RULE_MULTIPLE_OF: i32 = 23;
export const RULE_NOT: i32 = 24;
export const RULE_ONE_OF: i32 = 25;
export const RULE_PATTERN: i32 = 26;
export const RULE_PRECISION: i32 = 27;
export const RULE_PROPERTY_NAMES: i32 = 28;
export const RULE_REQUIRED: i32 = 29;
export const RULE_STEPS: i32 = 30;
export const RULE_TYPE: i32 = 31;
export const RULE_UNEVALUATED_ITEMS: i32 = 32;
export const RULE_UNEVALUATED_PROPERTIES: i32 = 33;
export const RULE_UNIQUE_ITEMS: i32 = 34;

/** The rules are numbered in the order of their names' UTF-16 code units, so that numbers sort as names do. */
const NAMES: StaticArray<string> = [
  "additionalItems", "additionalProperties", "anyOf", "bytes", "const", "contains", "dependencies", "dependentRequired", "enum",
  "exclusiveMaximum", "exclusiveMinimum", "false", "format", "maxContains", "maxItems", "maxLength", "maxProperties",
  "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
  "precision", "propertyNames", "required", "steps", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
];

/** The name of a rule (ASCII): the keyword, `false` for a false schema, or one of the check's own (`bytes`, `precision`, `steps`). */
export function ruleName(rule: i32): string {
  return NAMES[rule];
}

/** Appends the sentence for a rule; `operand` is the keyword's value in the schema, or 0. */
export function writeRuleMessage(rule: i32, operand: Value, out: Buffer): void {
  switch (rule) {
    case RULE_ADDITIONAL_ITEMS: out.ascii("is one element more than the list may have"); return;
    case RULE_ADDITIONAL_PROPERTIES: out.ascii("is not declared by the tool"); return;
    case RULE_ANY_OF: out.ascii("fits none of the forms allowed here"); return;
    case RULE_BYTES: out.ascii("the arguments are longer than the tool's limit"); return;
    case RULE_CONST: out.ascii("must be "); break;
    case RULE_CONTAINS: out.ascii("must hold an element of the form asked for"); return;
    case RULE_DEPENDENCIES:
    case RULE_DEPENDENT_REQUIRED: out.ascii("lacks a member that another of its members needs"); return;
    case RULE_ENUM: out.ascii("must be one of "); break;
    case RULE_EXCLUSIVE_MAXIMUM: out.ascii("must be less than "); break;
    case RULE_EXCLUSIVE_MINIMUM: out.ascii("must be more than "); break;
    case RULE_FALSE: out.ascii("is not allowed here"); return;
    case RULE_FORMAT: out.ascii("must be written as "); break;
    case RULE_MAX_CONTAINS: out.ascii("holds too many elements of the form asked for; at most "); break;
    case RULE_MAX_ITEMS: out.ascii("has too many elements; at most "); break;
    case RULE_MAX_LENGTH: out.ascii("has too many characters; at most "); break;
    case RULE_MAX_PROPERTIES: out.ascii("has too many members; at most "); break;
    case RULE_MAXIMUM: out.ascii("must be at most "); break;
    case RULE_MIN_CONTAINS: out.ascii("holds too few elements of the form asked for; at least "); break;
    case RULE_MIN_ITEMS: out.ascii("has too few elements; at least "); break;
    case RULE_MIN_LENGTH: out.ascii("has too few characters; at least "); break;
    case RULE_MIN_PROPERTIES: out.ascii("has too few members; at least "); break;
    case RULE_MINIMUM: out.ascii("must be at least "); break;
    case RULE_MULTIPLE_OF: out.ascii("must be a multiple of "); break;
    case RULE_NOT: out.ascii("has a form that is excluded"); return;
    case RULE_ONE_OF: out.ascii("must fit exactly one of the forms allowed here"); return;
    case RULE_PATTERN: out.ascii("must match the pattern "); break;
    case RULE_PRECISION: out.ascii("has more digits than a number can keep; send it as a string"); return;
    case RULE_PROPERTY_NAMES: out.ascii("has a member whose name is not allowed"); return;
    case RULE_REQUIRED: out.ascii("lacks a required member: "); break;
    case RULE_STEPS: out.ascii("takes more steps to check than the policy allows"); return;
    case RULE_TYPE: out.ascii("must be of type "); break;
    case RULE_UNEVALUATED_ITEMS:
    case RULE_UNEVALUATED_PROPERTIES: out.ascii("is not covered by any part of the schema"); return;
    case RULE_UNIQUE_ITEMS: out.ascii("holds the same element twice"); return;
    default: return;
  }
  writeOperand(operand, out);
}

/** The longest part of an operand that a message repeats, in bytes. */
const OPERAND_LIMIT: i32 = 200;

function writeOperand(operand: Value, out: Buffer): void {
  if (operand == 0) return;
  if (isKind(operand, STRING)) {
    writeClipped(stringStart(operand), stringLength(operand), out);
    return;
  }
  let start = textStart(operand);
  let length = textLength(operand);
  if (kind(operand) == ARRAY && length >= 2) {
    start++;
    length -= 2;
  }
  writeClipped(start, length, out);
}

function writeClipped(start: usize, length: i32, out: Buffer): void {
  let end = min(length, OPERAND_LIMIT);
  // Never in the middle of a code point.
  while (end < length && end > 0 && (load<u8>(start + <usize>end) & 0xc0) == 0x80) end--;
  out.bytes(start, end);
  if (end < length) out.ascii("...");
}
