// A compiled schema: what registration learns about it, and the program that the walk runs.

import { Buffer, Text } from "../memory/buffer";
import { Pattern } from "../regex/compile";
import { Value } from "../json/value";
import { PropertyTable } from "./properties";
import { RULE_TYPE } from "./rules";

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
  entry: Node = changetype<Node>(0);
  /** The node of the root itself; where that only refers, the walk begins further on. */
  own: Node = changetype<Node>(0);
  /** The walk has to remember which resources it went through: there is a `$dynamicRef` that depends on them. */
  dynamic: bool = false;
  /** How many nodes the program has. */
  size: i32 = 0;

  constructor(
    /** The schema's value. */
    public root: Value,
  ) {}
}

/** Every kind of value: a bit for each. */
export const ANY_KIND: u32 = 0x7f;

export const PART_VALUES: u32 = 1;
export const PART_TEXT: u32 = 2;
export const PART_NUMBER: u32 = 4;
export const PART_OBJECT: u32 = 8;
export const PART_ARRAY: u32 = 16;
export const PART_PLACE: u32 = 32;
export const PART_REST_OF_OBJECT: u32 = 64;
export const PART_REST_OF_ARRAY: u32 = 128;
/** The parts from which the walk goes on to other nodes. */
export const PARTS_DEEP: u32 = PART_OBJECT | PART_ARRAY | PART_PLACE | PART_REST_OF_OBJECT | PART_REST_OF_ARRAY;

/** The parts that can say something about each kind of value. */
export const PARTS_OF: StaticArray<u32> = [
  PART_VALUES | PART_PLACE, PART_VALUES | PART_PLACE, PART_VALUES | PART_PLACE,
  PART_VALUES | PART_PLACE | PART_NUMBER, PART_VALUES | PART_PLACE | PART_TEXT,
  PART_VALUES | PART_PLACE | PART_ARRAY | PART_REST_OF_ARRAY, PART_VALUES | PART_PLACE | PART_OBJECT | PART_REST_OF_OBJECT,
];

/** One schema object or boolean: its type test here, its other keywords in parts by the kind of value they speak of. */
@final
export class Node {
  /** A bit for each kind of value that `type` allows. */
  types: u32 = ANY_KIND;
  /** Of numbers only whole ones: `integer`. */
  whole: bool = false;
  /** A bit for each kind of value that fits whatever it is. */
  quick: u32 = 0;
  /** What failing `types` is called: `type`, or `false` where the schema is false. */
  typeRule: i32 = RULE_TYPE;
  /** The value of `type`, or 0. */
  typeOperand: Value = 0;
  /** PART_… of the parts that are there. */
  parts: u32 = 0;
  values: ValuesPart = changetype<ValuesPart>(0);
  text: TextPart = changetype<TextPart>(0);
  number: NumberPart = changetype<NumberPart>(0);
  object: ObjectPart = changetype<ObjectPart>(0);
  array: ArrayPart = changetype<ArrayPart>(0);
  place: PlacePart = changetype<PlacePart>(0);
  /** `unevaluatedProperties` and `unevaluatedItems`. */
  restOfObject: Rest = changetype<Rest>(0);
  restOfArray: Rest = changetype<Rest>(0);
  /** The last gathering (declared.ts) that met the node. */
  gathered: u32 = 0;

  constructor(
    /** The schema's value. */
    public source: Value,
    /** The index of the resource it belongs to. */
    public resource: i32,
  ) {}
}

/** `enum` and `const`. */
@final
export class ValuesPart {
  /** The list, or 0. */
  enumeration: Value = 0;
  /** The strings of a long list; a string is then looked for here alone. */
  strings: PropertyTable | null = null;
  /** The constant, or 0. */
  constant: Value = 0;
}

/** What speaks of strings. */
@final
export class TextPart {
  /** Code points. */
  minimum: i32 = 0;
  maximum: i32 = i32.MAX_VALUE;
  pattern: Pattern | null = null;
  /** FORMAT_… of formats.ts, or 0. */
  format: i32 = 0;
  minimumOperand: Value = 0;
  maximumOperand: Value = 0;
  patternOperand: Value = 0;
  formatOperand: Value = 0;
}

/** What speaks of numbers: the operands, each 0 where it is not there. */
@final
export class NumberPart {
  minimum: Value = 0;
  maximum: Value = 0;
  exclusiveMinimum: Value = 0;
  exclusiveMaximum: Value = 0;
  multipleOf: Value = 0;
  /** The divisor where it is a short whole number, else 0. */
  shortDivisor: i64 = 0;
}

/** A schema for what no other keyword spoke of (`additionalProperties`, `items`, `unevaluated…`). */
@final
export class Rest {
  constructor(
    /** Its node; of a literal false it is never walked. */
    public node: Node,
    /** It is the literal false: each such value breaks `rule`. */
    public none: bool,
    public rule: i32,
  ) {}
}

/** One member of `patternProperties`. */
@final
export class PatternProperty {
  constructor(
    public pattern: Pattern,
    public node: Node,
  ) {}
}

/** One member of `dependentRequired` or `dependentSchemas` (in draft-07, `dependencies`). */
@final
export class Dependent {
  /** The names needed, or 0. */
  names: Value = 0;
  /** The schema that applies, or null. */
  node: Node | null = null;

  constructor(
    /** The name that calls for it (a string node). */
    public name: Value,
    public rule: i32,
  ) {}
}

/** What speaks of objects. */
@final
export class ObjectPart {
  /** `properties` is there, if only empty. */
  listsProperties: bool = false;
  /** The names of `properties` and of `required`. */
  table: PropertyTable = new PropertyTable();
  required: i32 = 0;
  /** There is a `minProperties` or `maxProperties`. */
  limited: bool = false;
  minimum: i32 = 0;
  maximum: i32 = i32.MAX_VALUE;
  minimumOperand: Value = 0;
  maximumOperand: Value = 0;
  patterns: StaticArray<PatternProperty> = [];
  additional: Rest = changetype<Rest>(0);
  /** `additionalProperties` is an object: it declares every name. */
  declaresRest: bool = false;
  names: Node | null = null;
  dependents: Array<Dependent> = [];
}

/** What speaks of arrays. */
@final
export class ArrayPart {
  minimum: i32 = 0;
  maximum: i32 = i32.MAX_VALUE;
  minimumOperand: Value = 0;
  maximumOperand: Value = 0;
  unique: bool = false;
  prefix: StaticArray<Node> = [];
  /** For the elements after the prefix. */
  rest: Rest = changetype<Rest>(0);
  contains: Node | null = null;
  /** -1: without `minContains`, which is 1. */
  minimumContains: i32 = -1;
  maximumContains: i32 = i32.MAX_VALUE;
  minimumContainsOperand: Value = 0;
  maximumContainsOperand: Value = 0;
}

/** A `$dynamicRef` whose target the resources that were gone through decide. */
@final
export class DynamicTarget {
  /** The node of that anchor in each resource, by index, or null. */
  nodes: StaticArray<Node | null> = [];

  constructor(
    public name: Text,
    public fallback: Node,
  ) {}
}

/** What applies other schemas to the same value. */
@final
export class PlacePart {
  /** `$ref` and `allOf`, and a `$dynamicRef` that is as good as a `$ref`. */
  all: StaticArray<Node> = [];
  dynamic: DynamicTarget | null = null;
  any: StaticArray<Node> = [];
  one: StaticArray<Node> = [];
  not: Node | null = null;
  condition: Node | null = null;
  then: Node | null = null;
  otherwise: Node | null = null;
}
