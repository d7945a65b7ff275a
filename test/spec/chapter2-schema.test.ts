// Chapter 2's schema walk, as the `schema` operation shows it and as step 3 of a check uses it.

import { describe, expect, it } from "vitest";
import { Core, keySet, raw, text } from "./conform-core.ts";

const core = new Core();
const walk = (schema: unknown, value: unknown, more: object = {}) => core.send("schema", { schema, value, ...more }).ok as { valid: boolean; partial: boolean; errors: { pointer: string; rule: string }[] };
const errors = (schema: unknown, value: unknown, more: object = {}): string[] => walk(schema, value, more).errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
const draft7 = "http://json-schema.org/draft-07/schema#";

describe("the plain walk", () => {
  it("each assertion keyword names itself, at the offending value", () => {
    const cases: [unknown, unknown, string[]][] = [
      [{ type: "string" }, 5, [" type"]], [{ type: ["string", "null"] }, 5, [" type"]], [{ type: "integer" }, raw("1.0"), []], [{ type: "integer" }, raw("1.5"), [" type"]], [{ enum: [1, "a"] }, 2, [" enum"]], [{ enum: [raw("1.0")] }, 1, []], [{ const: { a: 1 } }, { a: raw("1.0") }, []], [{ const: 1 }, true, [" const"]],
      [{ multipleOf: raw("0.01") }, raw("19.99"), []], [{ multipleOf: raw("0.01") }, raw("19.999"), [" multipleOf"]], [{ multipleOf: raw("1e-8") }, raw("12391239123"), []], [{ multipleOf: 3 }, raw("1e30"), [" multipleOf"]], [{ maximum: 5 }, 6, [" maximum"]], [{ maximum: raw("0.3") }, raw("0.30000000000000001"), [" maximum"]], [{ exclusiveMaximum: 5 }, 5, [" exclusiveMaximum"]], [{ minimum: 5 }, 4, [" minimum"]], [{ exclusiveMinimum: 5 }, 5, [" exclusiveMinimum"]],
      [{ maxLength: 1 }, "😀", []], [{ maxLength: 1 }, "ab", [" maxLength"]], [{ minLength: 2 }, "😀", [" minLength"]], [{ pattern: "^a" }, "ba", [" pattern"]], [{ pattern: "a" }, "bab", []], [{ pattern: "^\\p{L}$" }, "é", []], [{ pattern: "^.$" }, "😀", []], [{ pattern: "\\d" }, "٣", [" pattern"]],
      [{ maxItems: 1 }, [1, 2], [" maxItems"]], [{ minItems: 2 }, [1], [" minItems"]], [{ uniqueItems: true }, [1, raw("1.0")], [" uniqueItems"]], [{ uniqueItems: true }, [1, true, "1", null], []], [{ contains: { type: "number" } }, ["a"], [" contains"]], [{ contains: { type: "number" }, minContains: 2 }, [1], [" minContains"]], [{ contains: { type: "number" }, maxContains: 1 }, [1, 2], [" maxContains"]], [{ contains: {}, minContains: 0 }, [], []],
      [{ items: { type: "number" } }, [1, "a"], ["/1 type"]], [{ prefixItems: [{ type: "number" }], items: false }, [1, 2], ["/1 false"]], [{ prefixItems: [{ type: "string" }] }, [1], ["/0 type"]],
      [{ maxProperties: 1 }, { a: 1, b: 2 }, [" maxProperties"]], [{ minProperties: 1 }, {}, [" minProperties"]], [{ required: ["a"] }, {}, [" required"]], [{ dependentRequired: { a: ["b"] } }, { a: 1 }, [" dependentRequired"]], [{ properties: { a: { type: "string" } } }, { a: 1 }, ["/a type"]], [{ properties: { "a/b~": { type: "string" } } }, { "a/b~": 1 }, ["/a~1b~0 type"]], [{ patternProperties: { "^x": { type: "string" } } }, { xy: 1, y: 1 }, ["/xy type"]],
      [{ properties: { a: false } }, { a: 1 }, ["/a false"]], [false, 1, [" false"]], [true, 1, []], [{ not: {} }, 1, [" not"]], [{ oneOf: [{}, {}] }, 1, [" oneOf"]],
      [{ $ref: "#/$defs/s", $defs: { s: { type: "string" } } }, 1, [" type"]], [{ $ref: "#s", $defs: { x: { $anchor: "s", type: "string" } } }, 1, [" type"]], [{ properties: { n: { $ref: "#" }, v: { type: "number" } } }, { n: { n: { v: "x" } } }, ["/n/n/v type"]], [{ if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 5 } }, "a", [" minLength"]], [{ if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 5 } }, 1, [" minimum"]], [{ if: false, then: false }, 1, []],
      [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, [" required"]], [{ allOf: [{ type: "string" }] }, 1, [" type"]],
    ];
    for (const [schema, value, expected] of cases) {
      const got = walk(schema, value);
      expect([text(schema), text(value), got.errors.map(({ pointer, rule }) => `${pointer} ${rule}`)]).toEqual([text(schema), text(value), expected]);
      expect(got.valid).toBe(expected.length === 0);
      expect(got.partial).toBe(false);
    }
  });
  it("an additional or unevaluated member that is false, a name that is wrong: invalid, by some rule", () => {
    for (const [schema, value] of [[{ additionalProperties: false }, { a: 1 }], [{ unevaluatedProperties: false }, { a: 1 }], [{ unevaluatedItems: false }, [1]], [{ propertyNames: { maxLength: 1 } }, { ab: 1 }], [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1], [{ oneOf: [{ type: "string" }] }, 1]]) {
      const got = walk(schema, value);
      expect([text(schema), got.valid, got.errors.length > 0]).toEqual([text(schema), false, true]);
    }
    expect(walk({ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }).valid).toBe(true);
    expect(walk({ properties: { a: true }, additionalProperties: { type: "string" } }, { a: 1, b: "x" }).valid).toBe(true);
  });
  it("keywords of another type say nothing", () => {
    expect(errors({ minLength: 5, minimum: 5, minItems: 5, minProperties: 5, required: ["a"], pattern: "z" }, true)).toEqual([]);
  });
  it("draft-07's own forms where $schema says so", () => {
    const seven = (schema: object, value: unknown) => walk({ $schema: draft7, ...schema }, value).valid;
    expect(seven({ items: [{ type: "string" }], additionalItems: false }, ["a", 1])).toBe(false);
    expect(seven({ items: [{ type: "string" }], additionalItems: { type: "number" } }, ["a", 1])).toBe(true);
    expect(seven({ dependencies: { a: ["b"] } }, { a: 1 })).toBe(false);
    expect(seven({ dependencies: { a: { required: ["b"] } } }, { a: 1 })).toBe(false);
    expect(seven({ definitions: { s: { type: "string" } }, properties: { a: { $ref: "#/definitions/s" } } }, { a: 1 })).toBe(false);
    expect(seven({ properties: { a: { $ref: "#/definitions/n", minimum: 10 } }, definitions: { n: { type: "number" } } }, { a: 1 })).toBe(true); // siblings of $ref are ignored
    expect(seven({ $id: "http://x/", definitions: { s: { $id: "#s", type: "string" } }, $ref: "#s" } as object, 1)).toBe(false);
    expect(seven({ prefixItems: [false] }, [1])).toBe(true);
    expect(walk({ properties: { a: { $ref: "#/$defs/n", minimum: 10 } }, $defs: { n: { type: "number" } } }, { a: 1 }).valid).toBe(false);
  });
  it("$dynamicRef", () => {
    const schema = { $id: "http://x/strict", $ref: "tree", $dynamicAnchor: "node", unevaluatedProperties: false, $defs: { tree: { $id: "http://x/tree", $dynamicAnchor: "node", properties: { data: true, children: { items: { $dynamicRef: "#node" } } } } } };
    expect(walk(schema, { children: [{ data: 1 }] }).valid).toBe(true);
    expect(walk(schema, { children: [{ daat: 1 }] }).valid).toBe(false);
  });
  it("remote $ref to a document given beside; else partial", () => {
    const documents = { "http://x/y": { $defs: { s: { type: "string" } }, $ref: "#/$defs/s" } };
    expect(errors({ $ref: "http://x/y" }, 1, { documents })).toEqual([" type"]);
    expect(errors({ $ref: "http://x/y#/$defs/s" }, 1, { documents })).toEqual([" type"]);
    expect(errors({ $id: "http://x/z", $ref: "y" }, 1, { documents })).toEqual([" type"]);
    expect(walk({ $ref: "http://x/none" }, 1)).toEqual({ valid: true, partial: true, errors: [] });
  });
  it("a pattern with look-around or back-references is not asserted: partial", () => {
    for (const pattern of ["(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"]) expect(walk({ pattern }, "zzz"), pattern).toEqual({ valid: true, partial: true, errors: [] });
    expect(walk({ patternProperties: { "(?=a)": false } }, { a: 1 })).toMatchObject({ partial: true });
  });
  it("errors are by pointer, then keyword", () => {
    const schema = { properties: { b: { type: "string", minimum: 5 }, a: { enum: ["x"], const: "y" }, "10": { type: "string" }, "9": { type: "string" } }, required: ["z"] };
    expect(errors(schema, { b: 1, a: 1, "10": 1, "9": 1 })).toEqual([" required", "/10 type", "/9 type", "/a const", "/a enum", "/b minimum", "/b type"]);
  });
  it("no undeclared-argument rule", () => {
    expect(walk({ type: "object", properties: {} }, { a: 1 }).valid).toBe(true);
  });
  it("formats are annotations unless asserted; the listed ones are asserted", () => {
    const listed: Record<string, [string, string]> = {
      "date-time": ["2025-11-29T23:00:00Z", "2025-11-29 23:00"], date: ["2025-02-28", "2025-02-30"], time: ["23:00:00Z", "25:00:00Z"], duration: ["P1DT2H", "1D"], email: ["a@b.co", "a@"], hostname: ["a.b", "-a.b"], ipv4: ["127.0.0.1", "256.0.0.1"], ipv6: ["::1", "1::2::3"], uri: ["http://a/b", "/a"], "uri-reference": ["/a", "\\a"], uuid: ["123e4567-e89b-12d3-a456-426614174000", "123e4567"], "json-pointer": ["/a~0", "a"], "relative-json-pointer": ["1/a", "/a"], regex: ["^a", "("],
    };
    for (const [format, [good, bad]] of Object.entries(listed)) {
      expect(errors({ format }, good, { formats: true }), format).toEqual([]);
      expect(errors({ format }, bad, { formats: true }), format).toEqual([" format"]);
      expect(errors({ format }, bad), format).toEqual([]);
      expect(errors({ format }, 5, { formats: true }), format).toEqual([]);
    }
    // Of the others those that the drafts define are not asserted, so the schema is partial; what no draft defines asserts nothing.
    for (const format of ["idn-email", "idn-hostname", "iri", "iri-reference", "uri-template"]) {
      expect(walk({ format }, "\\", { formats: true })).toEqual({ valid: true, partial: true, errors: [] });
      expect(walk({ format }, "\\")).toEqual({ valid: true, partial: false, errors: [] });
    }
    for (const format of ["binary", "nonsense"]) expect(walk({ format }, "\\", { formats: true })).toEqual({ valid: true, partial: false, errors: [] });
  });
  it("a value in base64 is read like a request: duplicates, inexact numbers", () => {
    const send = (value: string) => core.send("schema", { schema: true, base64: Buffer.from(value).toString("base64") });
    expect(send('{"a":1,"a":2}').error?.code).toBe("json_duplicate");
    expect(send("1e400").ok.valid).toBe(true);
    expect(core.send("schema", { schema: { type: "strin" }, value: 1 }).error).toBeDefined();
  });
});

describe("step 3 of a check", () => {
  core.send("keys", { name: "k", keys: keySet });
  const register = (parameters: unknown, settings: object = {}, tool: object = {}, more: object = {}) => {
    const answer = core.send("register", { name: "p", policy: { format: "qls-policy/1", tenant: "t", agents: { a: { tools: ["*"] } }, tools: [{ name: "r", effect: "read", parameters, ...tool }], settings }, ...more });
    expect(answer.error).toBeUndefined();
  };
  const check = (argumentsText: unknown, more: object = {}) => core.send("check", { policy: "p", keys: "k", request: { format: "qls-tool-check/1", session: "s", tool: "r", arguments: argumentsText, now: 5, ...more } }).ok;
  const rule = (argumentsText: unknown) => {
    const { decision, reason, pointer, detail } = check(argumentsText);
    if (decision === "allow") return "allow";
    expect(reason).toBe("argument_schema");
    expect(detail.pointer).toBe(pointer);
    expect(typeof detail.message).toBe("string");
    return `${pointer} ${detail.rule}`;
  };
  it("the smallest pointer by UTF-16 code units, then the keyword's name; a message", () => {
    register({ type: "object", properties: { b: { type: "string" }, a: { type: "string", const: "x" }, "10": {}, "😀": { type: "string" }, "\uffff": { type: "string" } }, required: ["10"] });
    expect(rule({ b: 1, a: 1, 10: 1 })).toBe("/a const");
    expect(rule({ b: 1, a: 1 })).toBe(" required");
    expect(rule({ 10: 1, b: 1 })).toBe("/b type");
    expect(rule({ 10: 1, "\uffff": 1, "😀": 1 })).toBe("/😀 type");
    expect(rule({ 10: 1 })).toBe("allow");
  });
  it("the order: bytes, precision, undeclared, then the walk", () => {
    register({ type: "object", properties: { a: { type: "string" } } }, {}, { limits: { bytes: 40 } });
    expect(rule({ a: raw("1e400"), z: 1, pad: "x".repeat(40) })).toBe(" bytes");
    expect(rule({ a: raw("1e400"), "0z": 1 })).toBe("/a precision");
    expect(rule({ a: 1, z: 1 })).toBe("/z additionalProperties");
    expect(rule({ a: 1 })).toBe("/a type");
  });
  it("limits.bytes of a tool: the canonical arguments, inexact numbers as their source text", () => {
    register({ type: "object", properties: { a: {} } }, {}, { limits: { bytes: 10 } });
    expect(rule(raw('{ "a" :  1234.0 }'))).toBe("allow"); // {"a":1234}
    expect(rule({ a: 12345 })).toBe(" bytes");
    expect(rule(raw('{"a":1e400}'))).toBe(" bytes"); // {"a":1e400} is 11 bytes
    expect(rule(raw('{"a":1e99}'))).toBe(" bytes"); // {"a":1e+99} is 11 bytes
    expect(rule(raw('{"a":9e999}'))).toBe(" bytes");
    expect(rule({ a: "é" })).toBe("allow"); // {"a":"é"} is 10 bytes
    expect(rule({ a: "éa" })).toBe(" bytes");
  });
  it("undeclared: neither the root's own properties nor patternProperties; a schema object in additionalProperties declares all, true does not", () => {
    register({ type: "object", properties: { a: {} }, patternProperties: { "^x-": {} } });
    expect(rule({ a: 1, "x-b": 2 })).toBe("allow");
    expect(rule({ b: 1, c: 1 })).toBe("/b additionalProperties");
    expect(rule({ "ax-": 1 })).toBe("/ax- additionalProperties");
    register({ type: "object", additionalProperties: true });
    expect(rule({ b: 1 })).toBe("/b additionalProperties");
    register({ type: "object", additionalProperties: { type: "number" } });
    expect(rule({ b: 1 })).toBe("allow");
    expect(rule({ b: "x" })).toBe("/b type");
    register({ type: "object", additionalProperties: {} });
    expect(rule({ b: "x" })).toBe("allow");
    register({ allOf: [{ properties: { a: {} } }], $defs: { d: { properties: { b: {} } } }, $ref: "#/$defs/d" });
    expect(rule({ a: 1 })).toBe("/a additionalProperties"); // the root's own only
    expect(rule({ b: 1 })).toBe("/b additionalProperties");
    register({});
    expect(rule({})).toBe("allow");
    expect(rule({ b: 1 })).toBe("/b additionalProperties");
  });
  it("undeclared_arguments: schema leaves it to the schema", () => {
    register({ type: "object", properties: { a: {} } }, { undeclared_arguments: "schema" });
    expect(rule({ b: 1 })).toBe("allow");
    register({ type: "object", properties: { a: {} }, additionalProperties: false }, { undeclared_arguments: "schema" });
    expect(rule({ b: 1 })).not.toBe("allow");
  });
  it("undeclared_arguments: deep asks the same of members of nested objects whose schema lists properties", () => {
    const parameters = { type: "object", properties: { a: { type: "object", properties: { b: {} } }, free: { type: "object" }, list: { type: "array", items: { properties: { c: {} }, additionalProperties: {} } }, rows: { items: { properties: { d: {} } } } } };
    register(parameters, { undeclared_arguments: "deep" });
    expect(rule({ a: { b: 1 }, free: { z: 1 }, list: [{ z: 1 }], rows: [{ d: 1 }] })).toBe("allow");
    expect(rule({ a: { z: 1 } })).toBe("/a/z additionalProperties");
    expect(rule({ rows: [{ d: 1 }, { d: 1, e: 2 }] })).toBe("/rows/1/e additionalProperties");
    expect(rule({ z: 1, a: { z: 1 } })).toBe("/a/z additionalProperties");
    register(parameters);
    expect(rule({ a: { z: 1 } })).toBe("allow");
  });
  it("formats are asserted", () => {
    register({ type: "object", properties: { e: { type: "string", format: "date" } } });
    expect(rule({ e: "2025-02-30" })).toBe("/e format");
    expect(rule({ e: "2025-02-28" })).toBe("allow");
  });
  it("a false schema is rule `false`; required points to the object that lacks a member", () => {
    register({ type: "object", properties: { a: false, o: { type: "object", required: ["x"] } } });
    expect(rule({ a: 1 })).toBe("/a false");
    expect(rule({ o: {} })).toBe("/o required");
  });
  it("past limits.steps the walk refuses, rule `steps`", () => {
    register({ type: "object", properties: { a: { items: { type: "number" } } } }, { limits: { steps: 100 } });
    expect(rule({ a: [1] })).toBe("allow");
    expect(rule({ a: Array(1000).fill(1) }).endsWith(" steps")).toBe(true);
  });
  it("explain lists them all", () => {
    register({ type: "object", properties: { a: { type: "string" }, b: { type: "string" } } });
    const { trace } = check({ a: 1, b: 2, c: 3 }, { explain: true });
    const shown = text(trace);
    for (const pointer of ["/a", "/b", "/c"]) expect(shown).toContain(`"${pointer}"`);
  });
  it("a schema that holds anything not asserted: a write of that tool says schema_partial, a read does not", () => {
    const parameters = { type: "object", properties: { a: { pattern: "(?=b)" } } };
    register(parameters, {}, { effect: "write", irreversible: true });
    expect(check({ a: "zz" }, { origins: { a: "context" } }).reasons).toEqual(["schema_partial"]);
    register(parameters);
    expect(check({ a: "zz" }).decision).toBe("allow");
    register({ type: "object", properties: { a: { $ref: "http://x/y" } } }, {}, { effect: "write", irreversible: true }, { documents: { "http://x/y": { type: "string" } } });
    expect(check({ a: "zz" }, { origins: { a: "context" } }).reasons).toEqual(["write"]);
    expect(rule({ a: 5 })).toBe("/a type");
  });
});
