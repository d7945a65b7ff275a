// Random arguments for the tools of every real listing: step 3 passes exactly what ajv finds to fit.

import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { Random } from "../unit/random";
import { describeShared, shared } from "../vectors/shared";
import { type Tool, vector } from "./calls";
import { clientOver, stepThree } from "./catalogue";
import { misfit } from "./own-schema";

const CALLS = Number(process.env.CALLS ?? 40);

type Schema = Record<string, any>;

/** Texts that formats and patterns of real tools take, and some that they do not. */
const TEXTS = [
  "",
  "a",
  "2024-01-01",
  "2024-01-01T10:00:00Z",
  "https://example.com/a?b#c",
  "a@b.co",
  "123",
  "00000000-0000-4000-8000-000000000000",
  "é😀",
  "x".repeat(300),
  "#ff00FF",
  "10:00",
  "owner/repo",
  "P1D",
];
const JUNK = [null, true, 1, -1, 1.5, "x", [], {}, [1], { a: 1 }];

/** Makes values that mostly fit a schema, and miss it in one place or another. */
class Maker {
  readonly #random: Random;
  readonly #root: Schema;

  constructor(random: Random, root: Schema) {
    this.#random = random;
    this.#root = root;
  }

  value(schema: unknown, depth = 0): unknown {
    const random = this.#random;
    if (random.below(25) === 0 || depth > 6 || typeof schema !== "object" || schema === null) return random.of(JUNK);
    const { $ref, enum: choices, anyOf, oneOf, type, properties } = schema as Schema;
    if ($ref !== undefined) return this.value(this.#target($ref), depth + 1);
    if ("const" in schema) return schema.const;
    if (choices !== undefined && random.below(6) > 0) return random.of(choices);
    if ((anyOf ?? oneOf) !== undefined && random.below(8) > 0) return this.value(random.of(anyOf ?? oneOf), depth + 1);
    const wanted = Array.isArray(type) ? random.of(type) : (type ?? (properties ? "object" : random.of(["string", "number", "object", "array"])));
    return this.#ofType(wanted as string, schema as Schema, depth);
  }

  #target(reference: string): unknown {
    if (!reference.startsWith("#/")) return this.#root;
    const names = reference.slice(2).split("/").map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));
    return names.reduce((schema: any, name) => schema?.[name], this.#root);
  }

  #ofType(type: string, schema: Schema, depth: number): unknown {
    const random = this.#random;
    const { minimum = 0, maximum = 5, multipleOf = 1, maxLength = 10 } = schema;
    if (type === "string") return random.below(4) > 0 ? random.of(TEXTS) : "y".repeat(random.below(Math.min(maxLength, 2000) + 2));
    if (type === "integer") return random.of([minimum, maximum, 1, 2, 10, maximum + 1, minimum - 1, 1.5, 3, schema.default ?? 7]);
    if (type === "number") return random.of([minimum, maximum, 1.5, -2.25, 0.1, multipleOf * 3, maximum + 0.5, schema.default ?? 7]);
    if (type === "boolean") return random.of<unknown>([true, false, true, false, "true"]);
    if (type === "null") return null;
    return type === "array" ? this.#list(schema, depth) : this.#object(schema, depth);
  }

  #list({ items, prefixItems, minItems = 1, maxItems = 3 }: Schema, depth: number): unknown[] {
    const length = this.#random.of([0, 1, 2, minItems, Math.min(maxItems, 20), Math.min(maxItems + 1, 21)]);
    return Array.from({ length }, (_, at) => this.value(Array.isArray(items) ? items[at] : (prefixItems?.[at] ?? items), depth + 1));
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): Record<string, unknown> {
    const random = this.#random;
    const named = Object.entries(properties).filter(([name]) => random.below(60) < (required.includes(name) ? 57 : 20));
    const out = Object.fromEntries(named.map(([name, schema]) => [name, this.value(schema, depth + 1)]));
    if (typeof additionalProperties === "object" || random.below(15) === 0) out[random.of(["extra", "x-y", "propertyName"])] = this.value(additionalProperties, depth + 1);
    return out;
  }
}

describeShared("random arguments for real tools", () => {
  it("pass step 3 where ajv finds them to fit, and nowhere else", async () => {
    const random = new Random();
    let [made, fitting] = [0, 0];
    for (const file of readdirSync(shared("vectors/mcp-tools")).filter((name) => name.endsWith(".json"))) {
      const { tools } = vector<{ tools: Tool[] }>(`mcp-tools/${file}`);
      const client = await clientOver(tools, "{undeclared_arguments: schema}");
      for (const tool of tools) {
        const maker = new Maker(random, tool.inputSchema as Schema);
        for (let number = 0; number < CALLS; number++) {
          const args = maker.value(tool.inputSchema);
          if (typeof args !== "object" || args === null || Array.isArray(args)) continue;
          const call = { id: String(number), tool: tool.name, arguments: args as Record<string, unknown> };
          const faults = misfit(tool, call);
          const fit = stepThree(client, call);
          made++;
          if (faults.length === 0) fitting++;
          if (fit.passes !== (faults.length === 0)) expect.fail(`SEED=${random.seed} ${file} ${tool.name} ${JSON.stringify(args)}: ajv says ${JSON.stringify(faults)}, step 3 ${JSON.stringify(fit)}`);
        }
      }
      client.close();
    }
    console.log(`random arguments: ${made} calls, ${fitting} fit`);
    expect(Math.min(fitting, made - fitting)).toBeGreaterThan(made / 10);
  });
});
