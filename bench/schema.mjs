// Measures the schema walk against ajv's generated code on ordinary tool arguments, and prints the ratios.
//
// Both sides check a value that was read already; node bench/schema.mjs, after dist/unit/schema.wasm was built.

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const CASES = {
  "charge: 2 members": {
    schema: {
      type: "object",
      properties: { order_id: { type: "string", maxLength: 40 }, amount: { type: "number", exclusiveMinimum: 0, maximum: 10000 } },
      required: ["order_id", "amount"],
      additionalProperties: false,
    },
    value: { order_id: "4411", amount: 40 },
  },
  "event: 8 members, nested": {
    schema: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, maxLength: 200 },
        start: { type: "string", format: "date-time" },
        end: { type: "string", format: "date-time" },
        attendees: { type: "array", items: { type: "object", properties: { email: { type: "string" }, optional: { type: "boolean" } }, required: ["email"] } },
        location: { type: "string" },
        visibility: { enum: ["public", "private", "default"] },
        reminders: { type: "array", items: { type: "integer", minimum: 0, maximum: 40320 }, maxItems: 5 },
        color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
      },
      required: ["title", "start", "end"],
      additionalProperties: false,
    },
    value: {
      title: "Quarterly review with the finance team",
      start: "2026-11-29T10:00:00Z",
      end: "2026-11-29T11:30:00+01:00",
      attendees: [{ email: "ana@example.com" }, { email: "bo@example.com", optional: true }, { email: "caro@example.com" }],
      location: "Room 4, second floor",
      visibility: "private",
      reminders: [10, 60],
      color: "#00ff7f",
    },
  },
  "search: 12 members, strings and enums": {
    schema: {
      type: "object",
      properties: Object.fromEntries([
        ...["query", "language", "region", "site", "after", "before"].map((name) => [name, { type: "string", maxLength: 500 }]),
        ...["limit", "offset"].map((name) => [name, { type: "integer", minimum: 0, maximum: 1000 }]),
        ["safe", { type: "boolean" }],
        ["sort", { enum: ["relevance", "date", "popularity"] }],
        ["kind", { type: "string", enum: ["web", "news", "image", "video"] }],
        ["fields", { type: "array", items: { type: "string" }, uniqueItems: true }],
      ]),
      required: ["query"],
    },
    value: {
      query: "linear time regular expressions", language: "en", region: "us", site: "example.org", after: "2025-01-01", before: "2026-01-01",
      limit: 25, offset: 50, safe: true, sort: "date", kind: "news", fields: ["title", "url", "snippet"],
    },
  },
  "rows: 200 objects of 4 members": {
    schema: {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: { $ref: "#/$defs/row" },
        },
      },
      $defs: {
        row: {
          type: "object",
          properties: { id: { type: "integer" }, name: { type: "string" }, price: { type: "number", minimum: 0 }, tags: { type: "array", items: { type: "string" } } },
          required: ["id", "name"],
        },
      },
    },
    value: { rows: Array.from({ length: 200 }, (_, i) => ({ id: i, name: `row ${i}`, price: i / 4, tags: ["a", "b"] })) },
  },
  "union: oneOf with constants": {
    schema: {
      type: "object",
      properties: {
        action: {
          oneOf: ["create", "update", "delete", "move"].map((type) => ({
            type: "object",
            properties: { type: { const: type }, path: { type: "string" }, [`${type}_note`]: { type: "string" } },
            required: ["type", "path"],
          })),
        },
      },
      required: ["action"],
    },
    value: { action: { type: "delete", path: "notes/today.md", delete_note: "done" } },
  },
};

const exports = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL("../dist/unit/schema.wasm", import.meta.url)))).exports;
const encoder = new TextEncoder();

function place(text) {
  const bytes = encoder.encode(text);
  const at = exports.input(bytes.length + 8);
  new Uint8Array(exports.memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

/** Nanoseconds of one run: the best of 60 rounds of a few milliseconds, short enough to find the machine idle in some. */
function measure(run) {
  let times = 64;
  for (;;) {
    const begin = process.hrtime.bigint();
    run(times);
    if (process.hrtime.bigint() - begin > 3_000_000n) break;
    times *= 2;
  }
  let best = Infinity;
  for (let round = 0; round < 60; round++) {
    const begin = process.hrtime.bigint();
    run(times);
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / times);
  }
  return best;
}

const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
console.log("case                                       ours ns    ajv ns   ratio");
for (const [name, { schema, value }] of Object.entries(CASES)) {
  exports.input(8);
  exports.beginSchema();
  if (exports.compile(...place(JSON.stringify(schema)), true, 128) !== 1) throw new Error(`${name}: the schema does not compile`);
  exports.read(...place(JSON.stringify(value)), 128);
  if (!exports.check(1_000_000n)) throw new Error(`${name}: the value does not fit`);
  const ours = measure((times) => exports.checkMany(times));
  const validate = ajv.compile(schema);
  if (!validate(value)) throw new Error(`${name}: ajv says no`);
  let fits = 0;
  const theirs = measure((times) => {
    for (let i = 0; i < times; i++) if (validate(value)) fits++;
  });
  console.log(`${name.padEnd(40)} ${ours.toFixed(0).padStart(9)} ${theirs.toFixed(0).padStart(9)}   ${(ours / theirs).toFixed(2)}`);
}
