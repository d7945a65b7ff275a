// Schemas and values made to keep a walk busy or to drive it deep, each in two sizes, and what the walk has to answer.

const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const object = <T>(count: number, make: (i: number) => [string, T]): Record<string, T> => Object.fromEntries(list(count, make));
const nested = (count: number, open: string, inner: string, close: string): string => open.repeat(count) + inner + close.repeat(count);

export interface Hostile {
  name: string;
  /** Schema and value, as values or as JSON text, `scale` times as large. */
  make(scale: number): [schema: unknown, value: unknown];
  /** `fits`, or the rule of the first violation; `steps` where the budget of a million steps or the bound on depth is met. */
  answer: string;
}

/** Schemas of which each refers to the one before `width` times. */
const doubling = (levels: number, keyword: string, last: unknown) => ({
  $ref: `#/$defs/l${levels}`,
  $defs: object(levels + 1, (i) => [`l${i}`, i === 0 ? last : { [keyword]: [{ $ref: `#/$defs/l${i - 1}` }, { $ref: `#/$defs/l${i - 1}` }] }]),
});

/** Names that a hash of eight bytes may well throw together: they differ in few bits. */
const alike = (i: number) => `n${i.toString(2).padStart(14, "0")}`;

export const HOSTILE: readonly Hostile[] = [
  { name: "`$ref` to itself", make: (k) => [{ $ref: "#" }, list(100 * k, () => 1)], answer: "steps" },
  { name: "two `$ref` in a ring, below `properties`", make: (k) => [{ properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, { a: list(100 * k, () => 1) }], answer: "steps" },
  {
    name: "two `$dynamicRef` that lead to each other",
    make: (k) => [{ $id: "urn:a", $dynamicAnchor: "x", $ref: "urn:b", $defs: { b: { $id: "urn:b", $dynamicAnchor: "x", $dynamicRef: "#x" } } }, list(100 * k, () => 1)],
    answer: "steps",
  },
  { name: "a chain of `$ref`", make: (k) => [{ $ref: "#/$defs/r0", $defs: object(1000 * k, (i) => [`r${i}`, i === 1000 * k - 1 ? { type: "null" } : { $ref: `#/$defs/r${i + 1}` }]) }, 1], answer: "type" },
  { name: "a value as deep as the reader lets through, each level by `$ref`", make: (k) => [{ items: { $ref: "#" } }, nested(250 * k, "[", "", "]")], answer: "fits" },
  { name: "the same with `unevaluatedItems` at each level", make: (k) => [{ items: { $ref: "#" }, unevaluatedItems: false }, nested(250 * k, "[", "", "]")], answer: "fits" },
  { name: "two ways down at each level of a deep value", make: (k) => [{ anyOf: [{ type: "null" }, { items: { $ref: "#" }, allOf: [{ items: { $ref: "#" } }] }] }, nested(30 * k, "[", "", "]")], answer: "steps" },
  { name: "`allOf` in `allOf`, 60 deep", make: (k) => [nested(60 * k, '{"allOf":[', '{"type":"null"}', "]}"), "1"], answer: "type" },
  { name: "`not` in `not`, 100 deep", make: (k) => [nested(100 * k, '{"not":', "{}", "}"), "1"], answer: "fits" },
  { name: "`oneOf` of two alike, each of two alike, 40 levels", make: (k) => [doubling(40 * k, "oneOf", { type: "null" }), "1"], answer: "steps" },
  { name: "`anyOf` of two alike, each of two alike, 40 levels", make: (k) => [doubling(40 * k, "anyOf", { type: "null" }), "1"], answer: "steps" },
  { name: "`allOf` of two alike, each of two alike, 40 levels", make: (k) => [doubling(40 * k, "allOf", {}), "1"], answer: "steps" },
  { name: "100 `$ref` to one object schema", make: (k) => [{ allOf: list(100 * k, () => ({ $ref: "#/$defs/o" })), $defs: { o: { properties: { m0: { type: "integer" } } } } }, object(100 * k, (i) => [`m${i}`, i])], answer: "fits" },
  {
    name: "`unevaluatedProperties` in `unevaluatedProperties`, 20 deep",
    make: (k) => [nested(20 * k, '{"unevaluatedProperties":{"type":"integer"},"allOf":[', '{"patternProperties":{"^a":{}}}', "]}"), object(50 * k, (i) => [`${i % 2 === 0 ? "a" : "b"}${i}`, i])],
    answer: "fits",
  },
  { name: "`unevaluatedProperties` over 100 branches of `anyOf`", make: (k) => [{ anyOf: list(100 * k, (i) => ({ properties: { [`m${i}`]: {} } })), unevaluatedProperties: false }, object(100 * k, (i) => [`m${i}`, i])], answer: "fits" },
  { name: "`unevaluatedItems` over 100 branches with `contains`", make: (k) => [{ anyOf: list(100 * k, (i) => ({ contains: { const: i } })), unevaluatedItems: false }, list(100 * k, (i) => i)], answer: "fits" },
  { name: "`enum` of 200 objects against 200 elements that differ at the end", make: (k) => [{ items: { enum: list(200 * k, (i) => ({ a: [1, 2, 3, i] })) } }, list(200 * k, () => ({ a: [1, 2, 3, -1] }))], answer: "enum" },
  { name: "`enum` of 8 long strings that differ at the end, 50 times", make: (k) => [{ allOf: list(50 * k, () => ({ $ref: "#/$defs/e" })), $defs: { e: { enum: list(8, (i) => `${"x".repeat(2000 * k)}${i}`) } } }, `"${"x".repeat(2000 * k)}9"`], answer: "enum" },
  { name: "`const` of 2,000 elements, 20 times", make: (k) => [{ allOf: list(20 * k, () => ({ $ref: "#/$defs/c" })), $defs: { c: { const: list(2000 * k, (i) => i) } } }, list(2000 * k, (i) => i)], answer: "fits" },
  { name: "100 patterns of names and 100 members", make: (k) => [{ patternProperties: object(100 * k, (i) => [`^a*b${i}$`, { type: "null" }]) }, object(100 * k, (i) => [`${"a".repeat(20)}${i}`, i])], answer: "fits" },
  { name: "a pattern that backtracks elsewhere", make: (k) => [{ pattern: "^(a+)+$" }, `"${"a".repeat(5000 * k)}!"`], answer: "pattern" },
  { name: "`propertyNames` with a pattern over long names", make: (k) => [{ propertyNames: { pattern: "^(a|aa)+$" } }, object(50 * k, (i) => [`${"a".repeat(200)}${"aa".repeat(i)}`, 1])], answer: "fits" },
  { name: "2,000 names required of 2,000 members in the other order", make: (k) => [{ required: list(2000 * k, (i) => `m${i}`) }, object(2000 * k, (i) => [`m${2000 * k - 1 - i}`, i])], answer: "fits" },
  { name: "names that a hash may throw together", make: (k) => [{ properties: object(4000 * k, (i) => [alike(i), { type: "integer" }]) }, object(4000 * k, (i) => [alike(i * 2), i])], answer: "fits" },
  { name: "100 members that each need 100", make: (k) => [{ dependentRequired: object(100 * k, (i) => [`m${i}`, list(100 * k, (n) => `m${n}`)]) }, object(100 * k, (i) => [`m${i}`, i])], answer: "fits" },
  { name: "100 members that each bring a schema", make: (k) => [{ dependentSchemas: object(100 * k, (i) => [`m${i}`, { $ref: "#/$defs/o" }]), $defs: { o: { properties: { m0: { type: "integer" } } } } }, object(100 * k, (i) => [`m${i}`, i])], answer: "fits" },
  { name: "`uniqueItems` of 5,000 objects", make: (k) => [{ uniqueItems: true }, list(5000 * k, (i) => ({ a: i, b: [i] }))], answer: "fits" },
  { name: "`uniqueItems` of 2,000 numbers that are one double", make: (k) => [{ uniqueItems: true }, `[${list(2000 * k, (i) => `1.00000000000000000${i + 1e6}`).join(",")}]`], answer: "fits" },
  { name: "a name of 20,000 letters, 100 times", make: (k) => [{ allOf: list(100 * k, () => ({ $ref: "#/$defs/o" })), $defs: { o: { properties: { [`${"n".repeat(20_000 * k)}x`]: {} }, additionalProperties: { type: "integer" } } } }, { [`${"n".repeat(20_000 * k)}y`]: 1 }], answer: "fits" },
  { name: "a text of 20,000 letters measured 100 times", make: (k) => [{ allOf: list(100 * k, () => ({ $ref: "#/$defs/s" })), $defs: { s: { maxLength: 19_999 * k * 2 } } }, `"${"é".repeat(20_000 * k)}"`], answer: "fits" },
  { name: "a number of 2,000 digits, 50 times", make: (k) => [`{"allOf":[${list(50 * k, () => '{"$ref":"#/$defs/n"}').join(",")}],"$defs":{"n":{"minimum":${"1".repeat(2000 * k)}.5,"multipleOf":0.5}}}`, `${"1".repeat(2000 * k)}.50`], answer: "fits" },
  { name: "a divisor of 1,000 digits", make: (k) => [`{"multipleOf":${"3".repeat(1000 * k)}}`, "9".repeat(2000 * k)], answer: "fits" },
  { name: "a format over a long text, 50 times", make: (k) => [{ allOf: list(50 * k, () => ({ $ref: "#/$defs/f" })), $defs: { f: { format: "uri" } } }, `"http://a/${"b/".repeat(2000 * k)}"`], answer: "fits" },
  { name: "`contains` with both bounds, 100 `anyOf` branches each", make: (k) => [{ contains: { anyOf: list(100 * k, (i) => ({ const: -1 - i })) }, minContains: 0, maxContains: 5 }, list(200 * k, (i) => i)], answer: "fits" },
  { name: "a constant that 500 branches of `oneOf` share", make: (k) => [{ items: { oneOf: list(500 * k, () => ({ properties: { type: { enum: ["a", "b"] }, v: { type: "null" } }, required: ["type"] })) } }, list(20 * k, () => ({ type: "a", v: 1 }))], answer: "oneOf" },
];
