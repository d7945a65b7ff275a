// What is known of each schema while it is compiled: one outline for each schema object or boolean, in parts by the kind of value they speak of.
//
// Outlines live as long as one compilation; what the walk needs of them is laid out in program.ts.

import { Text } from "../memory/buffer";
import { Pattern } from "../regex/compile";
import { Value } from "../json/value";
import { ANY_KIND } from "./program";
import { PropertyTable } from "./properties";
import { RULE_TYPE } from "./rules";

/** One schema object or boolean: its type test here, its other keywords in parts by the kind of value they speak of. */
@final
export class Outline {
  /** A bit for each kind of value that `type` allows. */
  types: u32 = ANY_KIND;
  /** Of numbers only whole ones: `integer`. */
  whole: bool = false;
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
  /** Where it leads if it only refers (link.ts), once that is known. */
  target: Outline | null = null;
  /** Its record in the program, or 0. */
  record: usize = 0;

  constructor(
    /** The schema's value, or 0. */
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
    public node: Outline,
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
    public node: Outline,
  ) {}
}

/** One member of `dependentRequired` or `dependentSchemas` (in draft-07, `dependencies`). */
@final
export class Dependent {
  /** The names needed, or 0. */
  names: Value = 0;
  /** The schema that applies, or null. */
  node: Outline | null = null;

  constructor(
    /** The name that calls for it (a string node). */
    public name: Value,
    public rule: i32,
  ) {}
}

/** What speaks of objects. */
@final
export class ObjectPart {
  /** The value of `properties`, or 0. */
  properties: Value = 0;
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
  names: Outline | null = null;
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
  prefix: StaticArray<Outline> = [];
  /** For the elements after the prefix. */
  rest: Rest = changetype<Rest>(0);
  contains: Outline | null = null;
  /** -1: without `minContains`, which is 1. */
  minimumContains: i32 = -1;
  maximumContains: i32 = i32.MAX_VALUE;
  minimumContainsOperand: Value = 0;
  maximumContainsOperand: Value = 0;
}

/** A `$dynamicAnchor` that some `$dynamicRef` names: its schema in each resource that has one. */
@final
export class DynamicAnchor {
  /** Numbers of resources, ascending, and the schemas. */
  resources: Array<i32> = [];
  nodes: Array<Outline> = [];
  /** Its list in the program, or 0. */
  list: usize = 0;
}

/** A `$dynamicRef` whose target the resources that were gone through decide. */
@final
export class DynamicTarget {
  constructor(
    public anchor: DynamicAnchor,
    public fallback: Outline,
  ) {}
}

/** What applies other schemas to the same value. */
@final
export class PlacePart {
  /** `$ref` and `allOf`, and a `$dynamicRef` that is as good as a `$ref`. */
  all: StaticArray<Outline> = [];
  dynamic: DynamicTarget | null = null;
  any: StaticArray<Outline> = [];
  one: StaticArray<Outline> = [];
  not: Outline | null = null;
  condition: Outline | null = null;
  then: Outline | null = null;
  otherwise: Outline | null = null;
}
