// A compiled schema: what registration learns about it, and the flat program that the walk runs.
//
// A program is one block of records; records name each other by address. A schema's record comes first, then the records of its
// parts and their lists, then the next schema's, breadth first from the root. Only what the root can reach is in it.
//
//   list of schemas:      +0 how many   then an address each
//   list of patterns:     +0 how many   then 8 bytes each, at +8: the pattern (regex), the schema
//   list by resource:     +0 how many   then 8 bytes each, at +8: the number of a resource, ascending, and the schema
//   list of dependents:   +0 how many   then, at +8, a DependentRecord each

import { Buffer, Text } from "../memory/buffer";
import { Value } from "../json/value";
import { NamesRecord } from "./properties";

/** What is wrong at a place of a schema, or why the walk does not assert it. */
@final
export class SchemaProblem {
  /** Of a pattern: what in it (ASCII), and where, in bytes from its start; -1 where no pattern is meant. */
  inPattern: string = "";
  offset: i32 = -1;

  constructor(
    /** Where, for `placeAt`. */
    public pointer: Text,
    /** ASCII; "" where `inPattern` says it all. */
    public message: string,
  ) {}

  /** Appends the whole sentence part. */
  writeMessage(out: Buffer): void {
    out.ascii(this.message);
    if (this.offset < 0) return;
    if (this.message.length != 0) out.ascii(": ");
    out.ascii(this.inPattern);
    out.ascii(" (at byte ");
    out.integer(this.offset);
    out.ascii(" of the pattern)");
  }
}

/**
 * Appends the JSON Pointer of a place in a schema that stands at `base`. A place is a pointer from the schema's root, or, in a
 * registered document, `#` and a pointer from what was registered: `#/documents/URI/…`.
 */
export function placeAt(base: Text | null, place: Text, out: Buffer): void {
  if (place.length != 0 && load<u8>(place.start) == 0x23) {
    out.bytes(place.start + 1, place.length - 1);
    return;
  }
  if (base != null) out.text(base);
  out.text(place);
}

/** A schema compiled for the walk. It lies in the region that was current, and points into the values it was compiled from. */
@final
export class Schema {
  /** It is not a valid schema: `problems` says why, and it must not be run. */
  invalid: bool = false;
  problems: Array<SchemaProblem> = [];
  /** It holds something that the walk does not assert: `unasserted` says where and why. */
  partial: bool = false;
  unasserted: Array<SchemaProblem> = [];
  /** Where the walk begins. */
  entry: NodeRecord = changetype<NodeRecord>(0);
  /** The record of the root itself; where that only refers, the walk begins further on. */
  own: NodeRecord = changetype<NodeRecord>(0);
  /** The walk has to remember which resources it went through: there is a `$dynamicRef` that depends on them. */
  dynamic: bool = false;
  /** Where the program is, and its size in bytes. */
  program: usize = 0;
  size: i32 = 0;

  constructor(
    /** The schema's value. */
    public root: Value,
  ) {}
}

/** Every kind of value: a bit for each. */
export const ANY_KIND: u32 = 0x7f;
export const KINDS: i32 = 7;

export const PART_VALUES: u32 = 1;
export const PART_TEXT: u32 = 2;
export const PART_NUMBER: u32 = 4;
export const PART_OBJECT: u32 = 8;
export const PART_ARRAY: u32 = 16;
export const PART_PLACE: u32 = 32;
export const PART_REST_OF_OBJECT: u32 = 64;
export const PART_REST_OF_ARRAY: u32 = 128;
/** The parts from which the walk goes on to other schemas. */
export const PARTS_DEEP: u32 = PART_OBJECT | PART_ARRAY | PART_PLACE | PART_REST_OF_OBJECT | PART_REST_OF_ARRAY;

/** The parts that can say something about each kind of value. */
export const PARTS_OF: StaticArray<u32> = [
  PART_VALUES | PART_PLACE, PART_VALUES | PART_PLACE, PART_VALUES | PART_PLACE,
  PART_VALUES | PART_PLACE | PART_NUMBER, PART_VALUES | PART_PLACE | PART_TEXT,
  PART_VALUES | PART_PLACE | PART_ARRAY | PART_REST_OF_ARRAY, PART_VALUES | PART_PLACE | PART_OBJECT | PART_REST_OF_OBJECT,
];

/** What a schema asks of a kind of value: nothing. */
export const ASKS_NOTHING: u32 = 0;
/** It refuses the kind. */
export const ASKS_OTHER_KIND: u32 = 1;
/** A number without a fraction, and no more. */
export const ASKS_WHOLE: u32 = 2;
/** What one part alone says. */
export const ASKS_NUMBER: u32 = 3;
export const ASKS_TEXT: u32 = 4;
export const ASKS_VALUES: u32 = 5;
/** What its parts say. */
export const ASKS_PARTS: u32 = 6;
/** An object by `properties`, `required` and `additionalProperties` alone; an array by `items` and its length alone. */
export const ASKS_MEMBERS: u32 = 7;
export const ASKS_ELEMENTS: u32 = 8;

/** One schema object or boolean. */
@unmanaged
export class NodeRecord {
  /** ASKS_… for each kind of value, a byte each. */
  asks: u64;
  /** A bit for each kind of value that `type` allows. */
  types: u32;
  /** 1: of numbers only whole ones (`integer`). */
  whole: u32;
  /** What failing `types` is called: `type`, or where the schema is a false one `false` or the keyword that it is the value of. */
  typeRule: i32;
  /** The value of `type`, or 0. */
  typeOperand: Value;
  /** PART_… of the parts that are there. */
  parts: u32;
  /** The index of the resource it belongs to. */
  resource: i32;
  values: ValuesRecord;
  text: TextRecord;
  number: NumberRecord;
  object: ObjectRecord;
  array: ArrayRecord;
  place: PlaceRecord;
  /** The schemas of `unevaluatedProperties` and `unevaluatedItems`. */
  restOfObject: NodeRecord;
  restOfArray: NodeRecord;
  /** The last gathering (declared.ts) that met it. */
  gathered: u32;
  unused: u32;
}

/** What a schema asks of a kind of value: ASKS_…. */
// @ts-ignore: decorator
@inline
export function asks(node: NodeRecord, kind: i32): u32 {
  return <u32>load<u8>(changetype<usize>(node) + <usize>kind);
}

/** `enum` and `const`. */
@unmanaged
export class ValuesRecord {
  /** The list, or 0. */
  enumeration: Value;
  /** The constant, or 0. */
  constant: Value;
  /** The strings of a long list, or 0; a string is then looked for here alone. */
  strings: NamesRecord;
  unused: u32;
}

/** What speaks of strings. */
@unmanaged
export class TextRecord {
  /** Code points. */
  minimum: i32;
  maximum: i32;
  minimumOperand: Value;
  maximumOperand: Value;
  /** The pattern (regex), or 0. */
  pattern: usize;
  patternOperand: Value;
  /** FORMAT_… of formats.ts, or 0. */
  format: i32;
  formatOperand: Value;
}

/** What speaks of numbers: the operands, each 0 where it is not there. */
@unmanaged
export class NumberRecord {
  /** A double strictly between these breaks no limit. */
  above: f64;
  below: f64;
  /** The divisor where it is a short whole number, else 0. */
  shortDivisor: i64;
  minimum: Value;
  maximum: Value;
  exclusiveMinimum: Value;
  exclusiveMaximum: Value;
  multipleOf: Value;
  unused: u32;
}

/** What speaks of objects. */
@unmanaged
export class ObjectRecord {
  /** The names of `properties` and of `required`, in that order. The payload of each is the schema that its member is held against. */
  names: NamesRecord;
  /** Where they begin. */
  entries: usize;
  /** The schema of members that are not listed in `properties` nor matched by a pattern. */
  additional: NodeRecord;
  /** How many names are required. */
  required: i32;
  minimum: i32;
  maximum: i32;
  minimumOperand: Value;
  maximumOperand: Value;
  /** The list of patterns, or 0. */
  patterns: usize;
  /** The list of dependents, or 0. */
  dependents: usize;
  /** `propertyNames`, or 0. */
  propertyNames: NodeRecord;
  /** 1: `properties` is there, if only empty. */
  listsProperties: u32;
  /** 1: there is an `additionalProperties`. */
  hasAdditional: u32;
  /** 1: `additionalProperties` is an object: it declares every name. */
  declaresRest: u32;
}

/** One member of `dependentRequired` or `dependentSchemas` (in draft-07, `dependencies`). */
@unmanaged
export class DependentRecord {
  /** The name that calls for it (a string node). */
  name: Value;
  /** The names needed, or 0, and the rule that is broken where one is not there. */
  names: Value;
  rule: i32;
  /** The schema that applies, or 0. */
  node: NodeRecord;
}

/** What speaks of arrays. */
@unmanaged
export class ArrayRecord {
  minimum: i32;
  maximum: i32;
  minimumOperand: Value;
  maximumOperand: Value;
  /** The list of schemas for the first elements, or 0. */
  prefix: usize;
  /** The schema of the elements after the prefix, or 0. */
  rest: NodeRecord;
  contains: NodeRecord;
  /** -1: without `minContains`, which is 1. */
  minimumContains: i32;
  maximumContains: i32;
  minimumContainsOperand: Value;
  maximumContainsOperand: Value;
  /** 1: `uniqueItems`. */
  unique: u32;
}

/** A `$dynamicRef` whose target the resources that were gone through decide. */
@unmanaged
export class DynamicRecord {
  fallback: NodeRecord;
  /** The list of the schemas of that anchor by resource, or 0. */
  nodes: usize;
}

/** What tells the schemas of `anyOf` or `oneOf` apart: a member that each of them holds to strings of its own. */
@unmanaged
export class ChoiceRecord {
  /** The member's name (a string node). */
  name: Value;
  /** 1: each of them requires it. */
  required: u32;
  /** The strings; the payload of each is the list of the schemas that allow it. */
  strings: NamesRecord;
  unused: u32;
}

/** What applies other schemas to the same value. Lists are 0 where they are empty. */
@unmanaged
export class PlaceRecord {
  /** `$ref` and `allOf`, and a `$dynamicRef` that is as good as a `$ref`. */
  all: usize;
  any: usize;
  one: usize;
  anyChoice: ChoiceRecord;
  oneChoice: ChoiceRecord;
  dynamic: DynamicRecord;
  not: NodeRecord;
  condition: NodeRecord;
  then: NodeRecord;
  otherwise: NodeRecord;
}

/** How many a list has; `list` may be 0. */
// @ts-ignore: decorator
@inline
export function listCount(list: usize): i32 {
  return list == 0 ? 0 : load<i32>(list);
}

/** One of a list of schemas. */
// @ts-ignore: decorator
@inline
export function listNode(list: usize, index: i32): NodeRecord {
  return changetype<NodeRecord>(<usize>load<u32>(list + (<usize>index << 2), 4));
}
