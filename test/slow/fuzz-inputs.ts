// The fuzzer's inputs: sessions of the generator with their lines spoilt, and small inputs for each reader of the core.

import { generate } from "../model/generate.ts";
import { Random } from "../model/random.ts";
import { spoilBytes, spoilJson, spoilText } from "./fuzz-mutate.ts";

const CONDITIONS = [
  "args.amount > 500 && agent == 'desk'", "$card_on_file", "has(args.a) ? args.a.b[0] == 1 : false", "args.list.all(x, x > 0) || args.list.exists(y, y.matches('a+b'))",
  "allowed_within('look', 60) < 3", "timestamp('2025-11-29T00:00:00Z') < now", "duration('1h') + duration('2m') == duration('62m')", "labels.exists_one(l, l.startsWith('untrusted:'))",
  "string(1.5) + 'é' in [turn, 'a']", "int('9') % 2 == 1 && -1 < uint(3)", "args.map(k, args[k]).size() == 2", "'%s' == resource.x.y", "{'a': [1, 2.0, null]} == {'a': [1, 2, null]}",
];
const PATTERNS = ["^[0-9a-z-]{1,12}$", "(a|ab)(c|bcd)*$", "\\p{Lu}\\p{Script=Greek}+", "^(?:a{2,5}b?)+\\b", "[^\\d\\s\\]]|\\u{1f600}|\\cA", "(?<n>x)+?y*?", "a{3}{2}", "\\u00e9|[\\u0000-\\uffff]"];
const SCHEMAS = [
  { type: "object", properties: { a: { type: ["string", "null"], minLength: 1 }, b: { $ref: "#/$defs/n" } }, required: ["a"], $defs: { n: { multipleOf: 0.01, maximum: 10 } }, additionalProperties: false },
  { allOf: [{ anyOf: [{ const: 1 }, { enum: ["a", { x: [1] }] }] }, { not: { oneOf: [true, { type: "array", uniqueItems: true, contains: { minimum: 3 }, maxContains: 2 }] } }], unevaluatedProperties: false },
  { $schema: "http://json-schema.org/draft-07/schema#", items: [{ format: "date-time" }, { format: "email" }], additionalItems: { format: "uri" }, dependencies: { a: ["b"] } },
  { prefixItems: [{ type: "integer" }], items: { $ref: "#" }, if: { minItems: 2 }, then: { maxItems: 3 }, else: false, $anchor: "x", $dynamicRef: "#x" },
  { patternProperties: { "^x-": { format: "ipv6" } }, propertyNames: { pattern: "^.{1,3}$" }, dependentSchemas: { a: { required: ["b"] } }, minProperties: 1 },
];
const VALUES = [1, "a", null, { a: "x", b: 0.03 }, [1, 2, 3], { "x-a": "::1" }, ["2025-11-29T00:00:00Z", "a@b.co", "http://x"], { a: { b: [1, { c: 2 }] } }, 9.99, "é"];
const STRINGS = ["see http://a.example/x?y=1 and a@b.co, 10.0.0.1:80", "\\\\host\\share", "ｗｗｗ．example．com", "mail to: ana(at)x", "[::ffff:1.2.3.4]:80", "xn--a.example.", "a%40b%2eco", "data:,x", "v1.2.3 main.rs"];
const TURNS = ["charge order 4411 R$40,00", "paguei 1.234,56 em 29/11/2025", "A-77 40kg v40 total:40,", "é 40% -3 +3 1,234.5"];

/** Members of one line, as conformance wants them. */
type Members = Record<string, unknown>;

/** One input, what kind it is, and whether it is a line of a session as generated (which later ones build on). */
export interface Input { line: string | Uint8Array; kind: string; plain: boolean }

/** An endless row of inputs for a seed. */
export class Inputs {
  private readonly r: Random;
  private session: string[] = [];
  /** The lines last sent, to spoil. */
  private recent: string[] = [];

  constructor(private seed: number) {
    this.r = new Random(seed);
  }

  next(): Input {
    const { r } = this;
    if (r.chance(0.02)) return this.sessionLine();
    return r.weighted<() => Input>([
      [6, () => this.spoilt()], [8, () => ({ line: r.chance(0.5) ? bytes(r) : spoilBytes(r, Buffer.from(this.small())), kind: "bytes", plain: false })],
      [10, () => ({ line: this.small(), kind: "small", plain: false })],
    ])();
  }

  /** The next line of a generated session. */
  private sessionLine(): Input {
    if (this.session.length === 0) this.session = generate(this.seed++, 60).reverse();
    const line = this.session.pop()!;
    this.recent.push(line);
    if (this.recent.length > 12) this.recent.shift();
    return { line, kind: "session", plain: true };
  }

  /** A recent line, spoilt in its bytes or in its values. */
  private spoilt(): Input {
    const { r } = this;
    if (this.recent.length === 0) return this.sessionLine();
    const line = r.pick(this.recent);
    if (r.chance(0.4)) return { line: spoilBytes(r, Buffer.from(line)), kind: "session bytes", plain: false };
    try {
      return { line: JSON.stringify(spoilJson(r, JSON.parse(line))), kind: "session values", plain: false };
    } catch {
      return { line: spoilBytes(r, Buffer.from(line)), kind: "session bytes", plain: false };
    }
  }

  /** A line for one of the core's readers alone. */
  private small(): string {
    const { r } = this;
    const made = r.pick<() => Members>([
      () => ({ op: "rule", condition: spoilText(r, r.pick(CONDITIONS)), variables: { tool: "t", args: r.pick(VALUES), turn: r.pick(STRINGS), now: 1764445000, labels: ["untrusted:x"], facts: { card_on_file: true } } }),
      () => ({ op: "schema", schema: spoilJson(r, structuredClone(r.pick(SCHEMAS))), value: r.chance(0.5) ? r.pick(VALUES) : spoilJson(r, structuredClone(r.pick(VALUES))), formats: r.chance(0.5) }),
      () => ({ op: "schema", schema: { pattern: spoilText(r, r.pick(PATTERNS)) }, value: r.pick([...STRINGS, "aabcdbcd", "ΑΒ", ""]) }),
      () => ({ op: "destinations", value: spoilText(r, r.pick(STRINGS)), argument: r.pick(["to", "url", "note", undefined]) }),
      () => ({ op: "typed", value: r.pick([40, 1234.56, "4411", ["a", 40], { a: "é", b: 3 }, -3]), turns: [spoilText(r, r.pick(TURNS))], language: r.pick(["en", "pt-BR"]) }),
      () => ({ op: "canonicalize", base64: Buffer.from(spoilBytes(r, Buffer.from(JSON.stringify(r.pick(VALUES))))).toString("base64") }),
      () => ({ op: "ed25519", base64: "", signature: Buffer.from(bytes(r, 64)).toString("base64"), public: Buffer.from(bytes(r, 32)).toString("base64") }),
      () => ({ op: "keys", name: "m", keys: spoilJson(r, { format: "qls-keys/1", active: "a", keys: [{ kid: "a", kty: "oct", alg: "HS256", k: "A".repeat(43) }], digest_key: "A".repeat(43) }) }),
    ]);
    return JSON.stringify({ id: 1, ...made() });
  }
}

/** Random bytes, mostly short. */
function bytes(r: Random, length = r.below(r.pick([8, 64, 512]))): Uint8Array {
  return Uint8Array.from({ length }, () => (r.chance(0.5) ? r.below(256) : 32 + r.below(95)));
}
