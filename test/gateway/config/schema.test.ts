// The published JSON Schema of the gateway's file and the reader agree, with ajv as the judge of the schema.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { gatewaySchemaText } from "../../../hosts/gateway/config/schema.ts";
import { ofOneTenant, ofTenants } from "../../../hosts/gateway/config/shape.ts";
import { BAD, BETWEEN, GOOD } from "./files.ts";

const schema = JSON.parse(gatewaySchemaText()) as object;
const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);

/** Whether the reader's own description takes a value. */
function taken(value: unknown): boolean {
  const several = typeof value === "object" && value !== null && Object.hasOwn(value, "tenants");
  return (several ? ofTenants : ofOneTenant).safeParse(value).success;
}

/** JavaScript's own name is judged before the shape, and YAML's reading makes no member of it here. */
const SHAPES = Object.entries(BAD).filter(([name]) => name !== "JavaScript's own name");

describe("what the reader takes, the schema allows", () => {
  it.each(Object.entries({ ...GOOD, ...Object.fromEntries(Object.entries(BETWEEN).map(([name, { text }]) => [name, text])) }))("%s", (_, text) => {
    const value: unknown = parse(text);
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(taken(value)).toBe(true);
  });
});

describe("what the shape refuses, the schema refuses", () => {
  it.each(SHAPES)("%s", (_, { text }) => {
    const value: unknown = parse(text);
    expect(validate(value)).toBe(false);
    expect(taken(value)).toBe(false);
  });
});

it("they agree on every good file with one value changed", () => {
  const others = [null, true, 0, -1, 1.5, 70_000, 1e12, "", "x", "a b", "http://x", [], ["x"], [3], {}, { x: 1 }, { env: "A" }, { file: "f" }, { env: "A", file: "f" }, { "*": [] }];
  let allowed = 0;
  let refused = 0;
  for (const [name, text] of Object.entries(GOOD)) {
    const whole: unknown = parse(text);
    for (const path of places(whole, [])) {
      for (const other of others) {
        const value = replaced(whole, path, other);
        const answer = validate(value);
        expect(taken(value), `${name} with ${JSON.stringify(other)} at ${path.join("/")}: ${JSON.stringify(validate.errors)}`).toBe(answer);
        if (answer) allowed++;
        else refused++;
      }
    }
  }
  expect(allowed).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(1000);
});

function places(value: unknown, path: string[]): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function replaced(value: unknown, path: readonly string[], other: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return other;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === head ? replaced(item, rest, other) : item));
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, key === head ? replaced(inner, rest, other) : inner]));
}
