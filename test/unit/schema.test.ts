// Tests the schema room: findings at compile time, order and sentences of violations, declared arguments, and hostile schemas and values.

import { describe, expect, it } from "vitest";
import { SchemaUnit } from "./schema-unit";

const unit = new SchemaUnit();
const text = (value: unknown) => JSON.stringify(value);

/** Violations as `pointer rule`. */
function violations(schema: unknown, value: string, options: { formats?: boolean; documents?: Record<string, string> } = {}): string[] {
  expect(unit.compile(typeof schema === "string" ? schema : text(schema), { formats: true, ...options }), text(unit.findings().problems)).toBe(true);
  return unit.report(value).map(({ pointer, rule }) => `${pointer} ${rule}`);
}

function problems(schema: unknown): string[] {
  expect(unit.compile(text(schema))).toBe(false);
  return unit.findings().problems.map(({ pointer }) => pointer).sort();
}

function partial(schema: unknown, documents: Record<string, string> = {}): string[] {
  unit.compile(text(schema), { documents });
  return unit.findings().partial.sort();
}

describe("violations", () => {
  it("come by pointer in UTF-16 order, then by rule, each once", () => {
    const schema = { properties: { "a!": { type: "null" }, a: { minProperties: 5, additionalProperties: { type: "null", minLength: 9 } } }, required: ["x", "y"] };
    expect(violations(schema, '{"a!":1,"a":{"b":"s"}}')).toEqual([" required", "/a minProperties", "/a! type", "/a/b minLength", "/a/b type"]);
    const elements = { items: { type: "null" } };
    expect(violations(elements, text(Array(12).fill(0)))).toEqual(["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"].map((i) => `/${i} type`));
    const astral = { additionalProperties: false };
    expect(violations(astral, '{"\\ue000":1,"\\ud83d\\ude00":1}')).toEqual(["/😀 additionalProperties", "/\ue000 additionalProperties"]);
  });

  it("keep only the first where only that is asked for, whatever there are", () => {
    expect(unit.compile(text({ items: { items: { type: "null" } } }))).toBe(true);
    const value = text(Array(300).fill(Array(30).fill(0)));
    expect(unit.report(value, false)).toMatchObject([{ pointer: "/0/0", rule: "type" }]);
    expect(unit.report(value, true)).toHaveLength(9000);
  });

  it("name the keyword of a literal false, and `false` elsewhere", () => {
    expect(violations({ additionalProperties: false }, '{"a":1}')).toEqual(["/a additionalProperties"]);
    expect(violations({ items: false }, "[1]")).toEqual(["/0 false"]);
    expect(violations({ prefixItems: [true, false], unevaluatedItems: false }, "[1,2,3]")).toEqual(["/1 false", "/2 unevaluatedItems"]);
    expect(violations({ unevaluatedProperties: false }, '{"a":1}')).toEqual(["/a unevaluatedProperties"]);
    expect(violations({ $schema: "http://json-schema.org/draft-07/schema#", items: [true], additionalItems: false }, "[1,2]")).toEqual(["/1 additionalItems"]);
    expect(violations({ properties: { a: false }, patternProperties: { b: false } }, '{"a":1,"b":1}')).toEqual(["/a false", "/b false"]);
    expect(violations({ additionalProperties: { $ref: "#/$defs/no" }, $defs: { no: false } }, '{"a":1}')).toEqual(["/a false"]);
    expect(violations(false, "1")).toEqual([" false"]);
  });

  it("of anyOf, oneOf, not, contains and propertyNames are the keyword's own", () => {
    expect(violations({ anyOf: [{ type: "null" }, { minimum: 5 }] }, "1")).toEqual([" anyOf"]);
    expect(violations({ oneOf: [true, true] }, "1")).toEqual([" oneOf"]);
    expect(violations({ not: {} }, "1")).toEqual([" not"]);
    expect(violations({ contains: { const: 1 }, minContains: 2, maxContains: 2 }, "[0]")).toEqual([" contains", " minContains"]);
    expect(violations({ contains: { const: 1 }, minContains: 2 }, "[1]")).toEqual([" minContains"]);
    expect(violations({ contains: { const: 1 }, maxContains: 1 }, "[1,1]")).toEqual([" maxContains"]);
    expect(violations({ propertyNames: { maxLength: 1 } }, '{"ab":1,"cd":1}')).toEqual([" propertyNames"]);
    expect(violations({ if: { type: "number" }, then: { minimum: 5 }, else: { minLength: 3 } }, "1")).toEqual([" minimum"]);
  });

  it("say what is asked for", () => {
    unit.compile(text({ properties: { n: { maximum: 500 }, s: { enum: ["a", "b"] }, t: { type: ["string", "null"] } }, required: ["n", "missing"] }));
    expect(unit.report('{"n":501,"s":"c","t":1}').map(({ message }) => message)).toEqual([
      "lacks a required member: missing", "must be at most 500", 'must be one of "a","b"', 'must be of type "string","null"',
    ]);
    unit.compile(text({ const: "é".repeat(300) }));
    const [{ message }] = unit.report("1") as unknown as [{ message: string }];
    expect(message).toBe(`must be ${"é".repeat(100)}...`);
  });
});

describe("numbers", () => {
  it("are compared by their decimal value", () => {
    expect(violations({ multipleOf: 0.01 }, "19.99")).toEqual([]);
    expect(violations({ multipleOf: 0.01 }, "19.995")).toEqual([" multipleOf"]);
    expect(unit.compile('{"maximum":9007199254740992}')).toBe(true);
    expect(unit.report("9007199254740993")).toHaveLength(1);
    expect(unit.report("9007199254740992.0")).toEqual([]);
    expect(unit.compile('{"const":100000000000000000001,"type":"integer"}')).toBe(true);
    expect(unit.report("100000000000000000002")).toHaveLength(1);
    expect(unit.report("1.00000000000000000001e20")).toEqual([]);
    expect(unit.compile('{"minimum":1e400}')).toBe(true);
    expect(unit.report("1e399")).toHaveLength(1);
    expect(unit.report("1e401")).toEqual([]);
    expect(violations({ enum: [-0] }, "0")).toEqual([]);
    expect(violations({ uniqueItems: true }, "[1,1.0]")).toEqual([" uniqueItems"]);
    expect(violations({ uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":10e-1}]')).toEqual([" uniqueItems"]);
    expect(violations({ uniqueItems: true }, "[1,true,0,false]")).toEqual([]);
  });
});

describe("what a well-known validator answers otherwise", () => {
  const draft07 = "http://json-schema.org/draft-07/schema#";
  it("is answered by the letter of the specification", () => {
    expect(violations('{"properties":{"__proto__":{"type":"string"}}}', '{"__proto__":1}')).toEqual(["/__proto__ type"]);
    expect(violations({ required: [""] }, "{}")).toEqual([" required"]);
    expect(violations({ multipleOf: 10 }, "1e308")).toEqual([]);
    expect(violations({ multipleOf: 2 }, "100000000000000000001")).toEqual([" multipleOf"]);
    expect(violations({ $schema: draft07, items: [{}, {}], contains: { type: "number" } }, "[]")).toEqual([" contains"]);
    expect(violations({ $schema: draft07, properties: { a: { $ref: "#/definitions/n", maximum: 1 } }, definitions: { n: { type: "number" } } }, '{"a":5}')).toEqual([]);
    // `if` evaluates what its own `unevaluatedProperties` lets pass, so that nothing is left.
    expect(violations({ if: { unevaluatedProperties: {} }, then: true, unevaluatedProperties: false }, '{"a":1}')).toEqual([]);
    expect(violations({ items: { $dynamicRef: "#node" }, $defs: { one: { $dynamicAnchor: "node", maxLength: 2 } } }, '["abc"]')).toEqual(["/0 maxLength"]);
  });
});

describe("what is no valid schema", () => {
  it("is found everywhere at once, with its place", () => {
    expect(problems({ type: "strin", properties: { a: { minLength: -1, required: ["x", "x"] }, b: 5 }, $defs: { c: { pattern: "(" } } })).toEqual([
      "/$defs/c/pattern", "/properties/a/minLength", "/properties/a/required", "/properties/b", "/type",
    ]);
    expect(problems({ allOf: [], anyOf: {}, multipleOf: 0, enum: 1, uniqueItems: 1, format: 1, minItems: 1.5 })).toHaveLength(7);
    expect(problems({ items: [{}] })).toEqual(["/items"]);
    expect(problems({ title: 1, examples: {}, deprecated: "no", $anchor: "1a" })).toHaveLength(4);
    expect(problems({ $ref: "#/$defs/none" })).toEqual(["/$ref"]);
    expect(problems({ $ref: "#none" })).toEqual(["/$ref"]);
    expect(problems({ $ref: "#/title", title: "text" })).toEqual(["/$ref"]);
    expect(problems({ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } })).toEqual(["/$defs/b/$anchor"]);
    expect(problems({ pattern: "a{1,100000}" })).toEqual(["/pattern"]);
    expect(problems(5)).toEqual([""]);
  });
});

describe("what is not asserted", () => {
  it("is told with its place", () => {
    expect(partial({ nullable: true, "x-note": 1, properties: { a: { discriminator: {} } } })).toEqual(["/nullable", "/properties/a/discriminator"]);
    expect(partial({ pattern: "(?=a)b", patternProperties: { "(a)\\1": {} } })).toEqual(["/pattern", "/patternProperties/(a)\\1"]);
    expect(partial({ $ref: "http://elsewhere.example/schema" })).toEqual(["/$ref"]);
    expect(partial({ $ref: "http://elsewhere.example/schema" }, { "http://elsewhere.example/schema": "{}" })).toEqual([]);
    expect(partial({ $ref: "http://elsewhere.example/schema" }, { "http://elsewhere.example/schema": '{"strange":1}' })).toEqual(["#/documents/http:~1~1elsewhere.example~1schema/strange"]);
    expect(partial({ $schema: "http://json-schema.org/draft-04/schema#" })).toEqual(["/$schema"]);
    expect(partial({ $schema: "http://json-schema.org/draft-07/schema#", $defs: {}, prefixItems: [] })).toEqual(["/prefixItems"]);
    expect(partial({ $schema: "http://json-schema.org/draft-07/schema#", $ref: "#/definitions/a", minLength: 1, title: "t", definitions: { a: true } })).toEqual(["/minLength"]);
    const annotations = { title: "", description: "", default: 1, examples: [], deprecated: true, readOnly: true, writeOnly: true, $comment: "", contentEncoding: "", contentMediaType: "", contentSchema: {}, format: "whatever" };
    expect(partial(annotations)).toEqual([]);
  });

  it("are formats of the drafts that chapter 2 does not name, and what draft-07 lets assert of contents", () => {
    const formats = { properties: Object.fromEntries(["idn-email", "idn-hostname", "iri", "iri-reference", "uri-template", "date", "int64", "own"].map((format) => [format, { format }])) };
    unit.compile(text(formats), { formats: true });
    expect(unit.findings().partial.sort()).toEqual(["idn-email", "idn-hostname", "iri-reference", "iri", "uri-template"].map((format) => `/properties/${format}/format`));
    expect(partial(formats)).toEqual([]);
    const contents = { contentEncoding: "base64", contentMediaType: "application/json" };
    expect(partial(contents)).toEqual([]);
    expect(partial({ $schema: "http://json-schema.org/draft-07/schema#", ...contents })).toEqual(["/contentEncoding", "/contentMediaType"]);
  });
});

describe("declared arguments", () => {
  const declares = (schema: unknown, name: string) => {
    unit.compile(text(schema));
    return unit.declares(name);
  };

  it("are those of the root's own keywords", () => {
    const schema = { properties: { a: {} }, patternProperties: { "^x": {} }, required: ["r"], additionalProperties: true, allOf: [{ properties: { b: {} } }] };
    expect(["a", "xy", "b", "r", "c"].filter((name) => declares(schema, name))).toEqual(["a", "xy"]);
    expect(declares({ additionalProperties: {} }, "c")).toBe(true);
    expect(declares({ additionalProperties: { type: "string" } }, "c")).toBe(true);
    expect(declares({ additionalProperties: false }, "c")).toBe(false);
    expect(declares({ $ref: "#/$defs/a", $defs: { a: { properties: { c: {} } } } }, "c")).toBe(false);
    expect(declares(true, "c")).toBe(false);
    unit.compile(text({ properties: { a: {} }, patternProperties: { b: {} }, additionalProperties: {} }));
    expect(["a", "b", "c"].filter((name) => unit.declaresResult(name))).toEqual(["a"]);
  });

  const undeclared = (schema: unknown, value: unknown, deep: boolean) => {
    unit.compile(text(schema));
    return unit.undeclared(text(value), deep).map(({ pointer, rule }) => `${pointer} ${rule}`);
  };

  it("are asked for at the top, and deep where a nested schema lists properties", () => {
    const schema = {
      properties: {
        a: { properties: { b: {} } },
        free: { type: "object" },
        list: { items: { $ref: "#/$defs/row" } },
        both: { anyOf: [{ properties: { x: {} } }, { properties: { y: {} }, patternProperties: { "^z": {} } }] },
        open: { properties: { x: {} }, additionalProperties: { properties: { k: {} } } },
        first: { prefixItems: [{ properties: { p: {} } }], items: { properties: { q: {} } } },
      },
      $defs: { row: { allOf: [{ properties: { id: {} } }], if: {}, then: { properties: { then: {} } }, not: { properties: { no: {} } } } },
    };
    expect(undeclared(schema, { a: 1, other: { b: 1 } }, false)).toEqual(["/other additionalProperties"]);
    expect(undeclared(schema, { a: { b: 1, c: 1 } }, false)).toEqual([]);
    expect(undeclared(schema, { a: { b: 1, c: 1 }, free: { any: { thing: 1 } } }, true)).toEqual(["/a/c additionalProperties"]);
    expect(undeclared(schema, { list: [{ id: 1 }, { id: 1, then: 2, no: 3 }] }, true)).toEqual(["/list/1/no additionalProperties"]);
    expect(undeclared(schema, { both: { x: 1, y: 1, z1: 1, w: 1 } }, true)).toEqual(["/both/w additionalProperties"]);
    expect(undeclared(schema, { open: { x: 1, y: { k: 1, l: 1 } } }, true)).toEqual(["/open/y/l additionalProperties"]);
    expect(undeclared(schema, { first: [{ p: 1, q: 1 }, { q: 1 }] }, true)).toEqual(["/first/0/q additionalProperties"]);
    expect(undeclared(schema, [{ other: 1 }, { more: 2 }, 3], true)).toEqual([]);
    expect(undeclared(schema, { a: { "s/~": 1 } }, true)).toEqual(["/a/s~1~0 additionalProperties"]);
  });

  it("follow recursive schemas as deep as the value goes", () => {
    const schema = { properties: { child: { $ref: "#" }, name: {} } };
    const value = { child: { child: { child: { nam: 1 } } } };
    expect(undeclared(schema, value, true)).toEqual(["/child/child/child/nam additionalProperties"]);
  });
});

describe("hostile schemas and values", () => {
  const STEPS = 1_000_000;

  it("that refer to themselves at the same value answer the rule steps", () => {
    const rings: unknown[] = [
      { $ref: "#" }, { allOf: [{ $ref: "#" }] }, { anyOf: [{ $ref: "#" }] }, { oneOf: [{ $ref: "#" }] }, { not: { $ref: "#" } }, { if: { $ref: "#" } },
      { if: true, then: { $ref: "#" } }, { dependentSchemas: { a: { $ref: "#" } } }, { $dynamicAnchor: "x", $dynamicRef: "#x" },
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      { allOf: [{ $ref: "#" }, { $ref: "#" }] }, { anyOf: [{ $ref: "#" }, { $ref: "#" }], unevaluatedProperties: false },
      { oneOf: [{ not: { $ref: "#" } }, { not: { $ref: "#" } }] },
    ];
    for (const schema of rings) {
      for (const value of ['{"a":1}', text({ a: Array(1000).fill({ a: 1 }) })]) {
        expect(unit.compile(text(schema)), text(schema)).toBe(true);
        expect(unit.report(value), text(schema)).toMatchObject([{ pointer: "", rule: "steps" }]);
        expect(unit.report(value, false)).toMatchObject([{ pointer: "", rule: "steps" }]);
      }
    }
  });

  it("that branch at every level stop at the step budget, at the place reached", () => {
    unit.compile(text({ properties: { a: { anyOf: [{ $ref: "#" }, { $ref: "#" }, { $ref: "#" }] } }, required: ["a"] }));
    const deep = `${'{"a":'.repeat(100)}1${"}".repeat(100)}`;
    const found = unit.report(deep, true, 10_000);
    if (found.length > 0) expect(found).toHaveLength(1);
    unit.compile(text({ items: { type: "integer", minimum: 0 } }));
    expect(unit.report(text(Array(50).fill(1)), true, 75)).toMatchObject([{ rule: "steps" }]);
    expect(unit.report(text(Array(50).fill(1)), true, 200)).toEqual([]);
  });

  it("of depth 512 are walked by a schema that follows them", () => {
    unit.compile(text({ items: { $ref: "#" } }), { depth: 512 });
    expect(unit.report(`${"[".repeat(512)}${"]".repeat(512)}`)).toEqual([]);
    unit.compile(text({ properties: { a: { $ref: "#" } }, unevaluatedProperties: false }));
    expect(unit.report(`${'{"a":'.repeat(511)}{}${"}".repeat(511)}`)).toEqual([]);
    unit.compile(text({ uniqueItems: true, items: { $ref: "#" } }));
    expect(unit.report(`[${"[".repeat(500)}${"]".repeat(500)},${"[".repeat(500)}1${"]".repeat(500)}]`)).toEqual([]);
  });

  it("of depth 10,000 are refused by the reader", () => {
    unit.compile("{}");
    expect(unit.read(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).toBe(false);
    expect(() => unit.compile(`${'{"not":'.repeat(10_000)}{}${"}".repeat(10_000)}`, { depth: 512 })).toThrow(/strict JSON/);
    expect(unit.compile(`${'{"not":'.repeat(511)}{}${"}".repeat(511)}`, { depth: 512 })).toBe(true);
    expect(unit.report("1").length).toBeLessThanOrEqual(1);
  });

  it("with 100,000 elements to hold apart take steps in proportion", () => {
    unit.compile(text({ uniqueItems: true }));
    for (const make of [(i: number) => i, (i: number) => `s${i}`, (i: number) => ({ b: i, a: [i] }), (i: number) => i / 7]) {
      const list = Array.from({ length: 100_000 }, (_, i) => make(i));
      expect(unit.report(text(list), false, STEPS)).toEqual([]);
      expect(unit.report(text([...list, make(77)]), false, STEPS)).toMatchObject([{ pointer: "", rule: "uniqueItems" }]);
    }
  });

  it("with many members and patterns are counted", () => {
    const patterns = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`^m${i}[0-9]*$`, { type: "integer" }]));
    unit.compile(text({ patternProperties: patterns, additionalProperties: false }));
    const members = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`m${i}`, i]));
    expect(unit.report(text(members), false, STEPS)).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`m${i}`, i]));
    expect(unit.report(text(many), false, STEPS)).toMatchObject([{ rule: "steps" }]);
  });

  it("with many members are not looked up one by one against each other", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `name${i}`);
    unit.compile(text({ required: names, properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])), additionalProperties: false }));
    const value = Object.fromEntries(names.map((name, i) => [name, i]));
    expect(unit.report(text(value), false, 100_000)).toEqual([]);
    expect(unit.report(text(Object.fromEntries(Object.entries(value).reverse())), false, 100_000)).toEqual([]);
    delete value["name19999"];
    expect(unit.report(text(value))).toMatchObject([{ rule: "required", message: "lacks a required member: name19999" }]);
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${String(i).padStart(6, "0")}`, i]));
    unit.compile(text({ const: wide }));
    expect(unit.report(text(wide), false, STEPS)).toEqual([]);
  });

  it("with many violations stay within memory and steps", () => {
    unit.compile(text({ items: { type: "null" } }));
    const list = text(Array(100_000).fill(1));
    expect(unit.report(list, false)).toMatchObject([{ pointer: "/0", rule: "type" }]);
    expect(unit.report(list, true)).toHaveLength(100_000);
    const name = "n".repeat(50_000);
    unit.compile(text({ additionalProperties: { items: { type: "null" } } }));
    // 100,000 pointers of 50,000 bytes each would be 5 GB.
    expect(unit.report(`{"${name}":${list}}`, true)).toMatchObject([{ rule: "steps" }]);
    expect(unit.report(`{"${name}":${list}}`, false)).toMatchObject([{ pointer: `/${name}/0`, rule: "type" }]);
  });

  it("cannot hold the walk up with formats", () => {
    unit.compile(text({ items: { format: "regex" } }), { formats: true });
    expect(unit.report(text(Array(30_000).fill("(a{1,9}){1,9}")), false)).toMatchObject([{ rule: "steps" }]);
    unit.compile(text({ format: "email" }), { formats: true });
    expect(unit.report(text(`${"a.".repeat(500_000)}a@b`), false)).toEqual([]);
  });
});
