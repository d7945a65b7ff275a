// The keywords of both drafts: which dialect and vocabulary each belongs to, and where schemas stand in its value.

import { equalAscii } from "../memory/bytes";

export const DRAFT_07: i32 = 1;
export const DRAFT_2020: i32 = 2;

/** The vocabularies of draft 2020-12 that a metaschema can leave out, a bit each; the others are always there. */
export const VOCABULARY_APPLICATOR: u32 = 1;
export const VOCABULARY_UNEVALUATED: u32 = 2;
export const VOCABULARY_VALIDATION: u32 = 4;
export const VOCABULARY_FORMAT: u32 = 8;
/** `format` is asserted because the metaschema says so. */
export const VOCABULARY_FORMAT_ASSERTION: u32 = 16;
export const VOCABULARY_CONTENT: u32 = 32;
export const VOCABULARY_META_DATA: u32 = 64;
/** What counts where no metaschema says otherwise. */
export const VOCABULARY_ALL: u32 = 1 | 2 | 4 | 8 | 32 | 64;

/** Where schemas stand in a keyword's value. */
export const HOLDS_NONE: i32 = 0;
export const HOLDS_SCHEMA: i32 = 1;
export const HOLDS_LIST: i32 = 2;
export const HOLDS_MAP: i32 = 3;
/** A schema or a list of schemas (draft-07's `items`). */
export const HOLDS_EITHER: i32 = 4;
/** A map whose values are schemas or lists of names. */
export const HOLDS_DEPENDENCIES: i32 = 5;

export const K_UNKNOWN: i32 = -1;
export const K_ID: i32 = 0;
export const K_SCHEMA: i32 = 1;
export const K_REF: i32 = 2;
export const K_ANCHOR: i32 = 3;
export const K_DYNAMIC_REF: i32 = 4;
export const K_DYNAMIC_ANCHOR: i32 = 5;
export const K_VOCABULARY: i32 = 6;
export const K_COMMENT: i32 = 7;
export const K_DEFS: i32 = 8;
export const K_DEFINITIONS: i32 = 9;
export const K_ALL_OF: i32 = 10;
export const K_ANY_OF: i32 = 11;
export const K_ONE_OF: i32 = 12;
export const K_NOT: i32 = 13;
export const K_IF: i32 = 14;
export const K_THEN: i32 = 15;
export const K_ELSE: i32 = 16;
export const K_PROPERTIES: i32 = 17;
export const K_PATTERN_PROPERTIES: i32 = 18;
export const K_ADDITIONAL_PROPERTIES: i32 = 19;
export const K_PROPERTY_NAMES: i32 = 20;
export const K_DEPENDENT_SCHEMAS: i32 = 21;
export const K_DEPENDENCIES: i32 = 22;
export const K_PREFIX_ITEMS: i32 = 23;
export const K_ITEMS: i32 = 24;
export const K_ADDITIONAL_ITEMS: i32 = 25;
export const K_CONTAINS: i32 = 26;
export const K_UNEVALUATED_ITEMS: i32 = 27;
export const K_UNEVALUATED_PROPERTIES: i32 = 28;
export const K_TYPE: i32 = 29;
export const K_ENUM: i32 = 30;
export const K_CONST: i32 = 31;
export const K_MULTIPLE_OF: i32 = 32;
export const K_MAXIMUM: i32 = 33;
export const K_EXCLUSIVE_MAXIMUM: i32 = 34;
export const K_MINIMUM: i32 = 35;
export const K_EXCLUSIVE_MINIMUM: i32 = 36;
export const K_MAX_LENGTH: i32 = 37;
export const K_MIN_LENGTH: i32 = 38;
export const K_PATTERN: i32 = 39;
export const K_MAX_ITEMS: i32 = 40;
export const K_MIN_ITEMS: i32 = 41;
export const K_UNIQUE_ITEMS: i32 = 42;
export const K_MAX_CONTAINS: i32 = 43;
export const K_MIN_CONTAINS: i32 = 44;
export const K_MAX_PROPERTIES: i32 = 45;
export const K_MIN_PROPERTIES: i32 = 46;
export const K_REQUIRED: i32 = 47;
export const K_DEPENDENT_REQUIRED: i32 = 48;
export const K_FORMAT: i32 = 49;
export const K_CONTENT_ENCODING: i32 = 50;
export const K_CONTENT_MEDIA_TYPE: i32 = 51;
export const K_CONTENT_SCHEMA: i32 = 52;
export const K_TITLE: i32 = 53;
export const K_DESCRIPTION: i32 = 54;
export const K_DEFAULT: i32 = 55;
export const K_DEPRECATED: i32 = 56;
export const K_READ_ONLY: i32 = 57;
export const K_WRITE_ONLY: i32 = 58;
export const K_EXAMPLES: i32 = 59;

const NAMES: StaticArray<string> = [
  "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "definitions",
  "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
  "properties", "patternProperties", "additionalProperties", "propertyNames", "dependentSchemas", "dependencies",
  "prefixItems", "items", "additionalItems", "contains", "unevaluatedItems", "unevaluatedProperties",
  "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
  "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required", "dependentRequired",
  "format", "contentEncoding", "contentMediaType", "contentSchema",
  "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
];

const BOTH: i32 = 3;

/** For each keyword: dialects, vocabulary << 4, what its value holds << 12. */
const FACTS: StaticArray<i32> = [
  BOTH, BOTH, BOTH, DRAFT_2020, DRAFT_2020, DRAFT_2020, BOTH, BOTH, BOTH | (3 << 12), BOTH | (3 << 12),
  BOTH | (1 << 4) | (2 << 12), BOTH | (1 << 4) | (2 << 12), BOTH | (1 << 4) | (2 << 12), BOTH | (1 << 4) | (1 << 12),
  BOTH | (1 << 4) | (1 << 12), BOTH | (1 << 4) | (1 << 12), BOTH | (1 << 4) | (1 << 12),
  BOTH | (1 << 4) | (3 << 12), BOTH | (1 << 4) | (3 << 12), BOTH | (1 << 4) | (1 << 12), BOTH | (1 << 4) | (1 << 12),
  DRAFT_2020 | (1 << 4) | (3 << 12), BOTH | (1 << 4) | (5 << 12),
  DRAFT_2020 | (1 << 4) | (2 << 12), BOTH | (1 << 4) | (4 << 12), DRAFT_07 | (1 << 4) | (1 << 12), BOTH | (1 << 4) | (1 << 12),
  DRAFT_2020 | (2 << 4) | (1 << 12), DRAFT_2020 | (2 << 4) | (1 << 12),
  BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4),
  BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4),
  BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), DRAFT_2020 | (4 << 4), DRAFT_2020 | (4 << 4),
  BOTH | (4 << 4), BOTH | (4 << 4), BOTH | (4 << 4), DRAFT_2020 | (4 << 4),
  BOTH | (8 << 4), BOTH | (32 << 4), BOTH | (32 << 4), BOTH | (32 << 4) | (1 << 12),
  BOTH | (64 << 4), BOTH | (64 << 4), BOTH | (64 << 4), BOTH | (64 << 4), BOTH | (64 << 4), BOTH | (64 << 4), BOTH | (64 << 4),
];

/** Which keyword a member's name is in a dialect with the given vocabularies; K_UNKNOWN where it is none there. */
export function keywordOf(start: usize, length: i32, dialect: i32, vocabularies: u32): i32 {
  for (let i = 0; i < NAMES.length; i++) {
    const name = unchecked(NAMES[i]);
    if (name.length != length || !equalAscii(start, length, name)) continue;
    const facts = unchecked(FACTS[i]);
    if ((facts & dialect) == 0) return K_UNKNOWN;
    const vocabulary = <u32>(facts >> 4) & 0xff;
    // What only describes is known everywhere; what asserts or applies needs its vocabulary.
    if (vocabulary >= VOCABULARY_CONTENT || vocabulary == VOCABULARY_FORMAT || vocabulary == 0) return i;
    return (vocabulary & vocabularies) != 0 ? i : K_UNKNOWN;
  }
  return K_UNKNOWN;
}

/** HOLDS_… of a keyword. */
export function holds(keyword: i32): i32 {
  return unchecked(FACTS[keyword]) >> 12;
}

/** Whether a keyword asserts something or applies schemas that do, in its own dialect. */
export function asserts(keyword: i32): bool {
  const vocabulary = <u32>(unchecked(FACTS[keyword]) >> 4) & 0xff;
  return keyword == K_REF || keyword == K_DYNAMIC_REF || (vocabulary & (VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED | VOCABULARY_VALIDATION)) != 0;
}
