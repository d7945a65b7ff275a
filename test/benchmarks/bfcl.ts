// What BFCL has besides calls.json: the other values it accepts, its conversations, and the questions that no tool answers.

import { readdirSync } from "node:fs";
import { shared } from "../vectors/shared";
import { type Call, type Group, type Question, type Tool, vector, vectorLines } from "./calls";
import { readPythonCall } from "./python-call";

/** BFCL's types, which are Python's and Java's words, as JSON Schema has them; `any` and what has no counterpart constrain nothing. */
export const TYPES_OF_BFCL: Record<string, string | null> = {
  dict: "object",
  HashMap: "object",
  Hashtable: "object",
  float: "number",
  double: "number",
  long: "integer",
  int: "integer",
  byte: "integer",
  short: "integer",
  char: "string",
  String: "string",
  Boolean: "boolean",
  Bigint: "integer",
  tuple: "array",
  Array: "array",
  ArrayList: "array",
  Set: "array",
  Queue: "array",
  Stack: "array",
  any: null,
  "": null,
};

/** A schema in BFCL's words as JSON Schema: types renamed, everything else as it stands. */
export function converted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(converted);
  if (typeof schema !== "object" || schema === null) return schema;
  const out: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(schema)) {
    if (name === "properties") out[name] = Object.fromEntries(Object.entries(inner as object).map(([key, value]) => [key, converted(value)]));
    else if (name === "type" && typeof inner === "string") {
      const type = inner in TYPES_OF_BFCL ? TYPES_OF_BFCL[inner] : inner;
      if (type !== null) out[name] = type;
    } else out[name] = name === "enum" || name === "default" ? inner : converted(inner);
  }
  return out;
}

interface Source {
  name: string;
  description: string;
  parameters: unknown;
}

const toolOf = ({ name, description, parameters }: Source): Tool => ({ name, description, inputSchema: converted(parameters) });

interface Accepted {
  id: string;
  ground_truth: Record<string, Record<string, unknown[]>>[];
}

/**
 * For each accepted value of an argument that calls.json passed over, the call with that value instead of the first one.
 * `""` stands for an argument that may be left out. Values inside of objects are lists of choices themselves, and stay with calls.json.
 */
export function alternatives(): Group[] {
  const accepted = new Map<string, Accepted>();
  for (const file of readdirSync(shared("vectors/bfcl/possible_answer"))) {
    if (file.includes("multi_turn")) continue;
    for (const answer of vectorLines<Accepted>(`bfcl/possible_answer/${file}`)) accepted.set(answer.id, answer);
  }
  return vector<Question[]>("bfcl/calls.json").flatMap(({ id, tools, calls }) => {
    const truth = accepted.get(id)?.ground_truth ?? [];
    const others = calls.flatMap((call, index) => othersOf(call, truth[index]?.[call.name] ?? {}, `${id} ${index}`));
    return others.length > 0 ? [{ tools, calls: others }] : [];
  });
}

function othersOf(call: { name: string; arguments: Record<string, unknown> }, accepted: Record<string, unknown[]>, id: string): Call[] {
  return Object.entries(accepted).flatMap(([argument, values]) =>
    values.flatMap((value, index) => {
      if (JSON.stringify(value) === JSON.stringify(call.arguments[argument]) || holdsObject(value)) return [];
      const { [argument]: _, ...rest } = call.arguments;
      if (value === "" && !(argument in call.arguments)) return [];
      return [{ id: `${id} ${argument} ${index}`, tool: call.name, arguments: value === "" ? rest : { ...rest, [argument]: value } }];
    }),
  );
}

function holdsObject(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsObject);
  return typeof value === "object" && value !== null;
}

/** The calls of the conversations, over the functions of the services they use. Values given by place are named by the order of the parameters. */
export function conversations(): Group {
  const tools = readdirSync(shared("vectors/bfcl/multi_turn_func_doc")).flatMap((file) => vectorLines<Source>(`bfcl/multi_turn_func_doc/${file}`).map(toolOf));
  const byName = new Map<string, Tool>();
  // The memory services share names (core_memory_add …): the first description of a name stands.
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  const calls = vectorLines<{ id: string; ground_truth: string[][] }>("bfcl/possible_answer/BFCL_v4_multi_turn_base.jsonl").flatMap(({ id, ground_truth }) =>
    ground_truth.flat().map((text, index) => {
      const { name, positional, named } = readPythonCall(text);
      const parameters = Object.keys((byName.get(name)?.inputSchema as { properties?: object } | undefined)?.properties ?? {});
      const placed = Object.fromEntries(positional.map((value, place) => [parameters[place] ?? `argument ${place}`, value]));
      return { id: `${id} ${index}`, tool: name, arguments: { ...placed, ...named } };
    }),
  );
  return { tools: [...byName.values()], calls };
}

/** The tools of the questions that none of them answers. */
export function irrelevant(): Group[] {
  return vectorLines<{ function: Source[] }>("bfcl/BFCL_v4_irrelevance.jsonl").map((question) => ({ tools: question.function.map(toolOf), calls: [] }));
}
