// Registration over real lists of tools: what is asserted in part is what the naive model says, and each fault is told at its line and column.

import { readdirSync, readFileSync } from "node:fs";
import { policyJudge } from "interlock";
import { register } from "interlock/register";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { read } from "../model/json";
import { register as registerByModel } from "../model/policy";
import { Random } from "../unit/random";
import { describeShared, shared } from "../vectors/shared";
import { TYPES_OF_BFCL } from "./bfcl";
import { vector, vectorLines } from "./calls";

const FAULTS = Number(process.env.FAULTS ?? 6);
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const folder = () => shared("vectors/mcp-tools");
const listings = () => readdirSync(folder()).filter((file) => file.endsWith(".json"));

interface Listed {
  name: string;
  inputSchema: unknown;
}

const registerListing = (file: string, text: string) =>
  register(
    [
      { path: "policy.yaml", text: `tenant: t\nagents: {a: {tools: ["*"]}}\ntools:\n  - mcp: ./${file}\n` },
      { path: file, text },
    ],
    policyJudge,
  );

/**
 * Each schema of a schema, itself first. Only the members named here hold schemas: what stands in `default` or `enum` is a value. A schema with `$ref` is
 * left out: in draft-07 nothing beside it counts.
 */
function schemasOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [];
  if ("$ref" in schema) return [];
  const { properties, patternProperties, $defs, definitions, anyOf, allOf, oneOf, items, additionalProperties } = schema as Record<string, unknown>;
  const below = [properties, patternProperties, $defs, definitions].flatMap((named) => Object.values(named ?? {}));
  const listed = [anyOf, allOf, oneOf, items].flatMap((list) => (Array.isArray(list) ? list : [list]));
  return [schema as Record<string, unknown>, ...[...below, ...listed, additionalProperties].flatMap(schemasOf)];
}

/** Faults of one keyword each, with the keyword whose value is at fault: the problem stands at that value. */
const faults: [string, (mark: string) => unknown][] = [
  ["type", (mark) => mark],
  ["pattern", (mark) => `(${mark}`],
  ["minimum", (mark) => mark],
  ["required", (mark) => mark],
  ["propertyNames", (mark) => mark],
  ["maxLength", (mark) => mark],
  ["enum", (mark) => mark],
];

/** Where a text stands first: line and column from 1. */
function placeOf(text: string, wanted: string): [number, number] {
  const at = text.indexOf(wanted);
  if (at < 0) throw new Error(`${wanted} is not in the text`);
  const before = text.slice(0, at).split("\n");
  return [before.length, before.at(-1)!.length + 1];
}

describeShared("real lists of tools", () => {
  it("are registered as the naive model has it: the id, and what is asserted in part", async () => {
    const partial: Record<string, string[]> = {};
    for (const file of listings()) {
      const answer = await registerListing(file, readFileSync(`${folder()}/${file}`, "utf8"));
      const model = registerByModel(read(new TextEncoder().encode(answer.text)), null);
      expect([answer.id, answer.partial], file).toEqual([model.policy.id, model.partial]);
      if (answer.partial.length > 0) partial[file] = answer.partial;
      const warned = answer.problems.filter(({ code }) => code === "schema_partial").map(({ file }) => file);
      expect(warned, "the warning stands in the listing").toEqual(answer.partial.map(() => file));
    }
    // A list of properties stands one level too deep there: "parent" is taken for a keyword.
    expect(partial).toEqual({ "roychri-mcp-server-asana-1.8.0.json": ["asana_set_parent_for_task"] });
  });

  it.each(["JSON", "JSON on one line", "YAML"])(`tell ${FAULTS} faults in each, made at random, each at its line and column: %s`, async (form) => {
    const random = new Random();
    let told = 0;
    for (const file of listings()) {
      const listing = vector<{ tools: Listed[] }>(`mcp-tools/${file}`);
      const schemas = [...new Set(listing.tools.flatMap((tool) => schemasOf(tool.inputSchema)))];
      const marks: string[] = [];
      for (let number = 0; number < FAULTS && schemas.length > 0; number++) {
        const [schema] = schemas.splice(random.below(schemas.length), 1);
        const mark = `fault-${number}-`;
        const [keyword, make] = random.of(faults);
        schema![keyword] = make(mark);
        marks.push(mark);
      }
      const name = form === "YAML" ? "listing.yaml" : "listing.json";
      const text = form === "YAML" ? stringify({ tools: listing.tools }, { lineWidth: 0, aliasDuplicateObjects: false }) : JSON.stringify({ tools: listing.tools }, null, form === "JSON" ? 2 : 0);
      const { id, problems } = await registerListing(name, text);
      const errors = problems.filter(({ severity }) => severity === "error");
      expect(id, file).toBeNull();
      const places = errors.map((problem) => [problem.file, problem.code, problem.line, problem.column]);
      const wanted = marks.map((mark) => {
        // A pattern's fault stands inside of its text, at the group that does not end; any other one at the value.
        const [found] = new RegExp(`\\(${mark}|["']?${mark}`).exec(text)!;
        return [name, "policy_schema", ...placeOf(text, found)];
      });
      const sorted = (list: unknown[][]) => list.map((place) => JSON.stringify(place)).sort();
      expect(sorted(places), `SEED=${random.seed} ${file}: ${errors.map(({ message }) => message).join("; ")}`).toEqual(sorted(wanted));
      for (const problem of errors) expect(problem.frame.split("\n")[0], file).not.toBe("");
      told += errors.length;
    }
    expect(told).toBeGreaterThan(100);
  });

  it("in Python's words are told every word that JSON Schema does not have, at the word", async () => {
    let told = 0;
    for (const file of readdirSync(shared("vectors/bfcl")).filter((file) => file.endsWith(".jsonl") && !file.includes("multi_turn"))) {
      const questions = vectorLines<{ function: { name: string; parameters: unknown }[] }>(`bfcl/${file}`);
      const tools = questions.flatMap((question, number) => question.function.map((tool, index) => ({ name: `q${number}_${index}_${tool.name}`.slice(0, 128), inputSchema: tool.parameters })));
      const text = JSON.stringify({ tools }, null, 1);
      const { problems } = await registerListing("listing.json", text);
      const errors = problems.filter(({ severity }) => severity === "error");
      const words = tools.flatMap((tool) => schemasOf(tool.inputSchema)).filter(({ type }) => typeof type === "string" && !TYPES.has(type));
      const lines = text.split("\n");
      expect(errors.length, file).toBe(words.length);
      for (const { code, line, column, hint } of errors) {
        expect(code).toBe("policy_schema");
        const word = /^"(.*?)"/.exec(lines[line - 1]!.slice(column - 1))?.[1];
        expect([word !== undefined && !TYPES.has(word), lines[line - 1]!.slice(0, column - 1).trim()], `${file}:${line}:${column}`).toEqual([true, '"type":']);
        const meant = TYPES_OF_BFCL[word!];
        expect(hint, word).toMatch(meant === null ? /^Leave type out/ : new RegExp(` ${meant}[.?]$`));
      }
      told += errors.length;
    }
    expect(told).toBeGreaterThan(3000);
  });
});
