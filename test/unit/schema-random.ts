// Random schemas, and values that often fit them, for holding the schema room against the naive model.

import { Random } from "./random";

type Schema = boolean | { [keyword: string]: unknown };

const NAMES = ["a", "a", "b", "ab", "long_member_name", "a/b~c", "", "~x", "~01", "%25", "__proto__", "constructor", "a\\b\u0000", "é", "😀"];
const STRINGS = ["", "a", "ab", "abc", "b-1", "é", "😀😀", "2026-11-29", "x@y.org"];
const NUMBERS = ["0", "-0", "1", "1.0", "2", "2.5", "3", "10", "1e1", "-1", "0.1", "0.30", "19.99", "100000000000000000001", "1e400"];
const PATTERNS = ["^a", "b$", "^.$", "[0-9]", "\\p{L}+", "^(a|b)*$"];
const KINDS = ["null", "boolean", "number", "string", "array", "object", "integer"];

/** A text that `JSON.stringify` leaves as it is, so that numbers keep their digits. */
class Digits {
  constructor(readonly text: string) {}
}

/** Prints a value; numbers made as `Digits` stand as they were written. */
export function print(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  if (typeof value === "object" && value !== null) return `{${Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${print(inner)}`).join(",")}}`;
  return JSON.stringify(value);
}

/** Numbers and divisors on which doubles and decimals agree. */
const PEER_NUMBERS = ["0", "-0", "1", "1.0", "2", "2.5", "3", "10", "1e1", "-1", "0.30", "19.99", "9007199254740991", "-4e9"];
const PEER_DIVISORS = ["1", "2", "2.5", "1e1", "0.5", "4096"];

/** Makes schemas of one draft whose references all lead somewhere. */
export class SchemaMaker {
  /** @param peer only what a validator on doubles answers by the letter too: no long numbers, nothing beside draft-07's `$ref`, no `$dynamicRef`, no `unevaluated…`, no members `__proto__` and ``, no empty lists */
  constructor(
    private readonly random: Random,
    private readonly draft07: boolean,
    private readonly peer = false,
  ) {}

  private chance(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  private number(): Digits {
    return new Digits(this.random.of(this.peer ? PEER_NUMBERS : NUMBERS));
  }

  private name(): string {
    const name = this.random.of(NAMES);
    return this.peer && (name === "__proto__" || name === "") ? "a" : name;
  }

  /** A value of up to a few levels. */
  value(depth: number): unknown {
    const which = this.random.below(depth > 0 ? 9 : 6);
    if (which === 0) return null;
    if (which === 1) return this.chance(50);
    if (which < 4) return this.number();
    if (which < 6) return this.random.of(STRINGS);
    if (which < 7) return Array.from({ length: this.peer ? 1 + this.random.below(4) : this.random.below(5) }, () => this.value(depth - 1));
    return Object.fromEntries(Array.from({ length: this.random.below(5) }, () => [this.name(), this.value(depth - 1)]));
  }

  private map(depth: number, name: () => string): Record<string, Schema> {
    return Object.fromEntries(Array.from({ length: this.random.below(4) }, () => [name(), this.schema(depth - 1)]));
  }

  private list(depth: number): Schema[] {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.schema(depth - 1));
  }

  /** Schemas that a member tells apart, or nearly. */
  private branches(depth: number): Schema[] {
    const name = this.random.of(["a", "b", "a/b~c"]);
    const string = () => (this.chance(95) ? this.random.of(STRINGS.slice(0, 4)) : 1);
    return Array.from({ length: 2 + this.random.below(3) }, () => ({
      ...(this.chance(70) ? { required: [name] } : {}),
      ...(this.chance(50) ? { type: "object" } : {}),
      properties: Object.fromEntries([
        [name, this.chance(60) ? { const: string() } : this.chance(95) ? { enum: Array.from({ length: 1 + this.random.below(3) }, string) } : true],
        [this.name(), this.schema(depth - 1)],
      ]),
    }));
  }

  private names(): string[] {
    return [...new Set(Array.from({ length: this.random.below(3) }, () => this.name()))];
  }

  private count(): Digits {
    return new Digits(this.random.of(["0", "1", "2", "2.0", "3"]));
  }

  private readonly keywords: [string, (depth: number) => unknown][] = [
    ["type", () => (this.chance(70) ? this.random.of(KINDS) : [...new Set([this.random.of(KINDS), this.random.of(KINDS)])])],
    ["enum", () => [this.value(1), this.value(1), this.value(0)]],
    ["const", () => this.value(1)],
    ["minimum", () => this.number()],
    ["maximum", () => this.number()],
    ["exclusiveMinimum", () => this.number()],
    ["exclusiveMaximum", () => this.number()],
    ["multipleOf", () => new Digits(this.random.of(this.peer ? PEER_DIVISORS : ["1", "2", "0.1", "0.01", "2.5", "1e1"]))],
    ["minLength", () => this.count()],
    ["maxLength", () => this.count()],
    ["pattern", () => this.random.of(PATTERNS)],
    ["minItems", () => this.count()],
    ["maxItems", () => this.count()],
    ["uniqueItems", () => this.chance(80)],
    ["minProperties", () => this.count()],
    ["maxProperties", () => this.count()],
    ["required", () => this.names()],
    ["properties", (depth) => this.map(depth, () => this.name())],
    ["properties", (depth) => this.map(depth, () => this.name())],
    ["patternProperties", (depth) => this.map(depth, () => this.random.of(PATTERNS))],
    ["additionalProperties", (depth) => this.schema(depth - 1)],
    ["propertyNames", (depth) => this.schema(depth - 1)],
    ["items", (depth) => this.schema(depth - 1)],
    ["contains", (depth) => this.schema(depth - 1)],
    ["allOf", (depth) => this.list(depth)],
    ["anyOf", (depth) => this.list(depth)],
    ["oneOf", (depth) => this.list(depth)],
    ["oneOf", (depth) => this.branches(depth)],
    ["anyOf", (depth) => this.branches(depth)],
    ["not", (depth) => this.schema(depth - 1)],
    ["if", (depth) => this.schema(depth - 1)],
    ["then", (depth) => this.schema(depth - 1)],
    ["else", (depth) => this.schema(depth - 1)],
    ["$ref", () => this.random.of(["#/definitions/one", "#/definitions/two", "#"])],
  ];

  private readonly newKeywords: [string, (depth: number) => unknown][] = [
    ["prefixItems", (depth) => this.list(depth)],
    ["minContains", () => this.count()],
    ["maxContains", () => this.count()],
    ["unevaluatedItems", (depth) => this.schema(depth - 1)],
    ["unevaluatedProperties", (depth) => this.schema(depth - 1)],
    ["unevaluatedProperties", () => false],
    ["unevaluatedItems", () => false],
    ["dependentRequired", () => Object.fromEntries([[this.name(), this.names()]])],
    ["dependentSchemas", (depth) => this.map(depth, () => this.name())],
    ["$dynamicRef", () => "#node"],
  ];

  private readonly oldKeywords: [string, (depth: number) => unknown][] = [
    ["items", (depth) => this.list(depth)],
    ["additionalItems", (depth) => this.schema(depth - 1)],
    ["dependencies", (depth) => Object.fromEntries([[this.name(), this.chance(50) ? this.names() : this.schema(depth - 1)]])],
  ];

  schema(depth: number): Schema {
    if (depth <= 0 || this.chance(8)) return this.chance(60) ? true : this.chance(50) ? false : {};
    const keywords = this.keywords.concat(this.draft07 ? this.oldKeywords : this.newKeywords);
    const made: { [keyword: string]: unknown } = {};
    for (let i = 1 + this.random.below(4); i > 0; i--) {
      const [keyword, make] = this.random.of(keywords);
      if (this.peer && (keyword === "$dynamicRef" || keyword.startsWith("unevaluated"))) continue;
      made[keyword] = make(depth);
      if (this.peer && this.draft07 && keyword === "$ref") return { $ref: made.$ref };
    }
    return made;
  }

  /** A whole schema, with what its references name. */
  root(): Schema {
    const made = this.schema(3);
    if (typeof made === "boolean") return made;
    if (this.peer && this.draft07) delete made.$ref;
    const draft = this.draft07 ? { $schema: "http://json-schema.org/draft-07/schema#" } : {};
    const one = this.schema(2);
    if (!this.draft07 && typeof one === "object") one.$dynamicAnchor = "node";
    const two = this.draft07 ? this.schema(1) : { $id: "urn:two", $dynamicAnchor: "node", ...(this.schema(1) as object) };
    if (typeof two === "object" && !this.draft07) fixReferences(two);
    return { ...draft, ...made, definitions: { one: this.draft07 || typeof one === "object" ? one : { $dynamicAnchor: "node" }, two } };
  }
}

/** In a resource of its own, a reference to the definitions would lead nowhere. */
function fixReferences(schema: object): void {
  for (const [name, value] of Object.entries(schema)) {
    if (name === "$ref") (schema as Record<string, unknown>)[name] = "#";
    else if (typeof value === "object" && value !== null && !(value instanceof Digits)) fixReferences(value);
  }
}
