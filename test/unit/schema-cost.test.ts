// What a walk costs: no memory for what fits, and steps that bound the work done, whatever schema and value; the table of hostile cases is the room's README's.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { instrument } from "../differential/counted";
import { HOSTILE } from "./schema-hostile";
import { SchemaUnit, schemaBytes } from "./schema-unit";

const STEPS = 1_000_000;
/** Work of the counting module for a byte of a schema's text. */
const COMPILE_WORK = 300;
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Schemas with every keyword between them, and an element that fits. */
const FITTING: [name: string, element: unknown, make: (i: number) => unknown][] = [
  ["type and limits", { type: "integer", minimum: 0, exclusiveMaximum: 1e9, multipleOf: 1 }, (i) => i],
  ["decimals", { type: "number", multipleOf: 0.01, maximum: 1e9 }, (i) => i / 100],
  ["strings", { type: "string", minLength: 1, maxLength: 20, pattern: "^[a-z]+[0-9]*$" }, (i) => `s${i}`],
  ["formats", { format: "date-time" }, () => "2026-11-30T00:00:00Z"],
  ["enum and const", { enum: ["a", { b: [1] }, 3], not: { const: 3 } }, (i) => (i % 2 === 0 ? "a" : { b: [1] })],
  ["objects", { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } }, required: ["id"], additionalProperties: false }, (i) => ({ id: i, name: "n" })],
  ["patterns and names", { patternProperties: { "^x": { type: "integer" } }, propertyNames: { maxLength: 3 }, minProperties: 1, maxProperties: 3 }, (i) => ({ x: i, xy: 1 })],
  ["what depends", { dependentRequired: { a: ["b"] }, dependentSchemas: { a: { required: ["b"] } } }, () => ({ a: 1, b: 2 })],
  ["arrays", { prefixItems: [{ type: "integer" }], items: { type: "string" }, contains: { const: "y" }, minContains: 1, maxContains: 2, minItems: 1 }, (i) => [i, "x", "y"]],
  ["unique items", { uniqueItems: true }, (i) => [i, "x", "y", { a: 1 }]],
  ["branches", { anyOf: [{ type: "string" }, { type: "integer" }], oneOf: [{ type: "integer" }, { type: "null" }], allOf: [{ minimum: 0 }], not: { type: "string" }, if: { minimum: 5 }, then: { minimum: 2 }, else: true }, (i) => i],
  ["branches by a constant", { oneOf: list(4, (i) => ({ properties: { type: { const: `t${i}` }, [`v${i}`]: {} }, required: ["type"] })) }, (i) => ({ type: `t${i % 4}` })],
  ["references", { $ref: "#/$defs/node" }, () => ({ next: { next: { next: {} } } })],
  ["dynamic references", { $ref: "urn:tree" }, () => ({ data: 1, children: [{ data: 2 }] })],
  ["what is left", { allOf: [{ properties: { a: true } }], anyOf: [{ required: ["zz"] }, { properties: { b: true } }], unevaluatedProperties: false }, () => ({ a: 1, b: 2 })],
  ["elements left", { prefixItems: [true], contains: { const: 2 }, unevaluatedItems: { type: "string" } }, () => [1, 2, "s"]],
];
const DEFS = {
  node: { properties: { next: { $ref: "#/$defs/node" } }, additionalProperties: false },
  tree: { $id: "urn:tree", $dynamicAnchor: "node", properties: { data: true, children: { items: { $dynamicRef: "#node" } } }, unevaluatedProperties: false },
};

const MASK = (1n << 64n) - 1n;

/** Names of eight letters that a table's first hash (properties.ts) puts into few neighbouring slots. */
function colliding(count: number): string[] {
  const found: string[] = [];
  for (let i = 0; found.length < count; i++) {
    const name = i.toString(36).padStart(8, "x");
    let hash = (8n * 0x9e3779b97f4a7c15n) & MASK;
    hash ^= Buffer.from(name).readBigUInt64LE();
    hash = ((hash ^ (hash >> 29n)) * 0xc4ceb9fe1a85ec53n) & MASK;
    if (((hash >> 32n) & 0xfffn) < 32n) found.push(name);
  }
  return found;
}

describe("memory", () => {
  const unit = new SchemaUnit();

  /** Bytes that a walk takes. */
  function taken(schema: string, value: string): number {
    expect(unit.compile(schema, { formats: true }), schema).toBe(true);
    expect(unit.read(value)).toBe(true);
    const bytes = unit.memoryOf(STEPS);
    expect(bytes, schema).toBeGreaterThan(0);
    return bytes;
  }

  it.each(FITTING)("%s: ten elements and ten thousand that fit take the same", (_, element, make) => {
    const schema = text({ items: element, $defs: DEFS });
    const [few, many] = [taken(schema, text(list(10, make))), taken(schema, text(list(10_000, make)))];
    expect(many).toBe(few);
    // What notes violations, and the sets and tables of `unevaluated…` and `uniqueItems`, which grow once.
    expect(few).toBeLessThan(8_192);
  });

  it("one list or object that is looked at twice takes a set or a table once", () => {
    const left = text({ properties: { a: true }, unevaluatedProperties: true });
    const wide = (members: number) => text(Object.fromEntries(list(members, (i) => [`m${i}`, 1])));
    expect(taken(left, wide(10))).toBe(taken(left, wide(5_000)));
    expect(taken(left, wide(50_000)) - taken(left, wide(10))).toBeLessThan(2 * (50_000 / 8));
  });
});

describe("steps", () => {
  const module = instrument(schemaBytes(), true);
  const counted = new SchemaUnit(module);
  const work = (counted.call as unknown as { work: WebAssembly.Global }).work;
  const readme = readFileSync(new URL("../../assembly/schema/README.md", import.meta.url), "utf8");
  const number = (value: number) => value.toLocaleString("en-US");
  const rows: string[] = [];

  it.each(HOSTILE)("$name", ({ name, make, answer }) => {
    const sizes: number[] = [];
    for (const scale of [1, 2]) {
      const [schema, value] = make(scale).map(text) as [string, string];
      work.value = 0n;
      expect(counted.compile(schema, { formats: true, depth: 256 }), text(counted.findings().problems)).toBe(true);
      // Reading and compiling a schema: in proportion to its text.
      expect(Number(work.value as bigint), `${name}: work to compile ${schema.length} bytes`).toBeLessThan(COMPILE_WORK * schema.length + 300_000);
      expect(counted.read(value)).toBe(true);
      work.value = 0n;
      const valid = Boolean(counted.call.check!(BigInt(STEPS)));
      const steps = counted.taken(STEPS);
      const said = valid ? "fits" : counted.report(value, false, STEPS)[0]!.rule;
      // Nothing is done for nothing: function calls, turns of loops and bytes moved.
      expect(Number(work.value as bigint), `${name}: work for ${steps} steps`).toBeLessThan(100 * steps + 20_000);
      expect(said, `${name}: ${steps} steps`).toBe(answer);
      // Past the budget only what was being paid for is over it.
      if (said !== "steps") expect(steps).toBeLessThanOrEqual(Math.max(schema.length, 64) * Math.max(value.length, 64));
      sizes.push(steps);
      if (scale === 1) rows.push(`| ${name} | ${number(schema.length)} | ${number(value.length)} | ${said === "steps" ? "the budget" : number(steps)} | \`${said}\` |`);
    }
    // Twice the schema and twice the value: at most four times the steps, and a little.
    if (answer !== "steps") expect(sizes[1]!).toBeLessThanOrEqual(4.5 * sizes[0]! + 100);
  });

  it("bound the work for names that were chosen to share a slot", () => {
    const names = colliding(3_000);
    const schema = text({ properties: Object.fromEntries(names.slice(0, 2_000).map((name) => [name, { type: "integer" }])) });
    work.value = 0n;
    expect(counted.compile(schema)).toBe(true);
    expect(Number(work.value as bigint)).toBeLessThan(COMPILE_WORK * schema.length + 300_000);
    expect(counted.read(text(Object.fromEntries(names.reverse().map((name) => [name, 1]))))).toBe(true);
    work.value = 0n;
    expect(Boolean(counted.call.check!(BigInt(STEPS)))).toBe(true);
    const steps = counted.taken(STEPS);
    expect(Number(work.value as bigint)).toBeLessThan(100 * steps + 20_000);
    // One for each member, and hardly a look more: under another seed they are apart.
    expect(steps).toBeLessThan(6_000);
  });

  it("are those of the table in the room's README", () => {
    expect(rows).toHaveLength(HOSTILE.length);
    for (const row of rows) expect(readme, `the table should be:\n${rows.join("\n")}`).toContain(`\n${row}\n`);
  });
});
