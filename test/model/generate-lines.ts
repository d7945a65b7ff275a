// Lines of chapter 8 that need no session: texts to canonicalize, digests, signatures, schemas, destinations, typed values, rules, broken lines.
import { sign as signEd } from "./generate-sign.ts";
import { print, type Printed } from "./generate-call.ts";
import { JsonNumber } from "./json.ts";
import type { Random } from "./random.ts";

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString("base64");
type Made = { [name: string]: Printed | undefined };

const TEXTS = [
  "1", "-0", "1e21", "1e-7", "0.1", "333333333.33333329", "9007199254740993", "1e400", "1e-400", "01", "+1", ".5", "1.", "-", "", " ", "nul", "nulx", "true false",
  "[1,]", "[1 2]", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"b\":[1,{\"c\":null}],\"a\":\"\\ud83d\\ude00\"}", "\"\\ud800\"", "\"\\udc00x\"", "\"a\u0001\"",
  "{\"a\":}", "{\"a\"", "[", "[[[[", "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\u0080\":5,\"\\u00f6\":6}", "'a'", "[1e+1,1E-2,12.50]", "\"\\x\"", "\"\\/\\b\\f\"",
  "[\"\\u00e9\",\"e\\u0301\",\"\\ufdd0\",\"\\uffff\"]", "{\"a\":{\"b\":[1,{\"c\":01}]}}", "\ufeff1", "[\ufeff]", "truefalse", "1true", "[1.]", "1e5x", "/*c*/1",
];

/** One such line, without its id. */
export function looseLine(r: Random): Made {
  return r.weighted<() => Made>([
    [3, () => ({ op: "canonicalize", text: r.pick(TEXTS) })],
    [2, () => ({ op: "canonicalize", base64: base64(r.chance(0.5) ? r.bytes(r.below(6)) : Buffer.concat([Buffer.from(r.pick(TEXTS)), r.bytes(r.below(2))])) })],
    [1, () => ({ op: "canonicalize", text: "[".repeat(100 + r.below(60)) + "]".repeat(128) })],
    [1, () => ({ op: "sha256", base64: base64(r.bytes(r.below(150))) })],
    [1, () => ({ op: "hmac", base64: base64(r.bytes(r.below(150))), key: base64(r.bytes(r.below(100))) })],
    [1, () => ed25519(r)],
    [2, () => ({ op: "typed", value: r.pick<Printed>(["4411", 40, 40.5, "résumé", -40, 1000, ["4411", 40], { a: "4411" }, true, [], "", "-", new JsonNumber("40.00")]),
      turns: [r.pick(["charge order 4411 40.00", "v4411 4411/2 44112 -40", "pay R$40,50 for 4411.", "Résumé 4411 $19.99", "total:40,", "1,000 or 1.000", "A-77 40kg 4411-4411"])],
      ...(r.chance(0.5) ? { language: r.pick(["en", "pt-BR"]) } : {}) })],
    [2, () => ({ op: "rule", condition: r.pick(RULES), variables: { tool: "charge_card", agent: "desk", args: { amount: r.pick([40, 40.5, "x"] as Printed[]), tags: ["a", "b"] },
      facts: { card: r.chance(0.5) }, principal: { id: "u-1" }, resource: {}, origins: { amount: "typed" }, labels: ["secret"], now: 1764445000, turn: "charge 40" } })],
    [2, () => ({ op: "destinations", value: r.pick(PLACES), ...(r.chance(0.3) ? { argument: r.pick(["host", "to", "note"]) } : {}) })],
    [2, () => ({ op: "schema", schema: r.pick(SCHEMAS), value: r.pick<Printed>([1, 1.5, "a", "ab", null, [1, 1], [1, 2, 3], { a: 1 }, { a: "x", b: 2 }, {}, true, new JsonNumber("9007199254740993")]) })],
  ])();
}

function ed25519(r: Random): Made {
  const made = signEd(r);
  if (r.chance(0.3)) made.signature[r.below(64)] ^= 1 << r.below(8);
  if (r.chance(0.1)) made.public = Buffer.from(r.pick(["00".repeat(32), `01${"00".repeat(31)}`, "ff".repeat(32), `${"ec"}${"ff".repeat(30)}7f`]), "hex");
  if (r.chance(0.1)) made.signature = made.signature.subarray(0, 63);
  return { op: "ed25519", base64: base64(made.message), signature: base64(made.signature), public: base64(made.public) };
}

const RULES = [
  "args.amount > 40.0", "args.amount == 40", "$card", "facts.other", "args.none", "size(args.tags) == 2 && 'a' in args.tags", "now > timestamp('2025-01-01T00:00:00Z')",
  "has(resource.owner) ? resource.owner == principal.id : false", "args.tags.exists_one(t, t == 'a')", "1 / 0 == 1", "'x' + 1 == 'x1'", "turn.matches('^charge [0-9]+$')",
  "labels[0] == 'secret'", "origins.amount == 'typed'", "ran('x') == 0", "tool", "1 +", "unknown == 1", "[1, 2].map(x, x * 2) == [2, 4]", "{'a': 1}.a == 1", "!false || args.none",
  "args.none || true", "duration('90s') == duration('1m30s')", "int('7') + 1 == 8", "9223372036854775807 + 1 > 0", "1u + 2u == 3u", "-1 < 1u", "1 < 1.5",
];

const PLACES = [
  "see https://a.example/x, ok", "ana@example.com", "10.0.0.1", "1.2.3", "note: call back", "10:30", "main.rs", "www.main.rs", "example.com", "mailto:a@b.co", "\\\\host\\share", "C:", "Dr.Silva",
  "４４１１＠ｅｘ．ｃｏｍ", "a@b", "localhost:80", "[::1]", "javascript:alert(1)", "4411.20", "",
];

const SCHEMAS: Printed[] = [
  { type: "integer" }, { type: ["string", "null"], minLength: 2 }, { enum: [1, "a", null] }, { properties: { a: { type: "number" } }, required: ["b"], additionalProperties: false },
  { items: { type: "integer" }, uniqueItems: true, maxItems: 2 }, { anyOf: [{ type: "string" }, { minimum: 2 }] }, { not: {} }, true, false, { $ref: "#/$defs/x", $defs: { x: { const: 1 } } },
  { multipleOf: 0.5 }, { pattern: "^(?=a)" }, { pattern: "^a.?$" }, { if: { type: "number" }, then: { minimum: 1.2 }, else: { minLength: 2 } }, { prefixItems: [{ const: 1 }], items: false }, { dependentRequired: { a: ["b"] } },
  { maximum: new JsonNumber("9007199254740992") }, { minProperties: 1, propertyNames: { pattern: "^a" } }, { contains: { const: 2 }, minContains: 1 }, { format: "email" }, { unevaluatedProperties: false, properties: { a: true } },
];

/** A line that is no request: its answer's id is null, or its op or a name is unknown. */
export function brokenLine(r: Random, id: number): string {
  return r.pick([
    "", "nonsense", "[]", "{\"op\":\"sha256\"}", `{"id":${id}}`, `{"id":${id},"op":7}`, `{"id":${id},"id":${id},"op":"sha256"}`, `{"id":${id},"op":"sha256","base64":"",}`,
    print({ id, op: "nonsense" }), print({ id, op: "constructor" }), print({ id, op: "check", policy: "nobody", keys: "nobody", request: {} }), print({ id: "é", op: "close", name: "nobody" }),
    print({ id: [id, null], op: "verify", policy: "nobody", keys: "k", session: "s", history: null }),
  ]);
}
