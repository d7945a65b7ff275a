// The members of a policy's parts: their types, and the defaults that the compiled form fills in (chapter 2's tables).
import { isInteger, isObject, type Json } from "./json.ts";

/** What a member of an object has to be, with the default that the compiled form fills in. */
export interface Shape { is: (value: Json) => boolean; each?: (value: Json) => boolean; required?: boolean; fill?: unknown }

const string = (v: Json) => typeof v === "string";
const boolean = (v: Json) => typeof v === "boolean";
const object = (v: Json) => isObject(v);
const list = (v: Json) => Array.isArray(v);
/** A list of strings: an element that is none is told of alone. */
const strings = { is: list, each: string };
const oneOf = (...names: string[]) => (v: Json) => typeof v === "string" && names.includes(v);
const atLeast = (n: number, most = Infinity) => (v: Json) => isInteger(v) && v.value >= n && v.value <= most;
const level = oneOf("low", "normal", "high");
const schema = (v: Json) => isObject(v) || typeof v === "boolean";

export const POLICY: Record<string, Shape> = {
  format: { is: (v) => v === "qls-policy/1", required: true },
  tenant: { is: string, required: true },
  agents: { is: object, required: true },
  tools: { is: list, required: true },
  rulebook: { is: object, fill: { flows: [] } },
  settings: { is: object, fill: {} },
  documents: { is: object },
};

export const AGENT: Record<string, Shape> = {
  privilege: { is: level, fill: "normal" },
  tools: { ...strings, required: true },
  defaults: { is: object, fill: {} },
};

export const TOOL: Record<string, Shape> = {
  name: { is: string, required: true },
  description: { is: string, fill: "" },
  effect: { is: oneOf("read", "write"), fill: "write" },
  parameters: { is: schema, fill: { type: "object", properties: {} } },
  result: { is: schema },
  sends_out: { is: boolean, fill: false },
  reads_outside: { is: boolean, fill: false },
  subject_argument: { is: (v) => string(v) || list(v), each: string },
  privilege: { is: level, fill: "normal" },
  after: { is: list, fill: [] },
  not_after: { ...strings, fill: [] },
  at_most: { is: atLeast(1) },
  undo: { is: object },
  irreversible: { is: boolean, fill: false },
  idempotent: { is: boolean, fill: false },
  idempotency_key: { is: string },
  defaults: { is: object, fill: {} },
  also_called: { ...strings, fill: [] },
  limits: { is: object },
};

export const BINDING: Record<string, Shape> = { tool: { is: string, required: true }, bind: { is: object } };
export const TOOL_LIMITS: Record<string, Shape> = { bytes: { is: atLeast(1), required: true } };

export const SETTINGS: Record<string, Shape> = {
  taint_policy: { is: oneOf("confirm", "refuse"), fill: "confirm" },
  taint_scope: { is: oneOf("value", "session"), fill: "value" },
  confirmation_ttl: { is: atLeast(0), fill: 86400 },
  confirmation_point: { is: oneOf("head", "turn"), fill: "head" },
  approval: { is: object, fill: {} },
  receipt_ttl: { is: atLeast(0), fill: 300 },
  result_digests: { is: oneOf("if_reported", "required"), fill: "if_reported" },
  head: { is: oneOf("optional", "required"), fill: "optional" },
  on_lapse: { is: oneOf("refuse_writes", "refuse"), fill: "refuse_writes" },
  language: { is: oneOf("en", "pt-BR"), fill: "en" },
  unread: { is: oneOf("refuse", "model"), fill: "refuse" },
  undeclared_arguments: { is: oneOf("refuse", "schema", "deep"), fill: "refuse" },
  limits: { is: object, fill: {} },
};
export const APPROVAL: Record<string, Shape> = {
  mode: { is: oneOf("token", "signed"), fill: "token" },
  count: { is: atLeast(1), fill: 1 },
  deciders: { ...strings, fill: [] },
};
export const LIMITS: Record<string, Shape> = {
  depth: { is: atLeast(1, 512), fill: 128 },
  bytes: { is: atLeast(1), fill: 8388608 },
  history: { is: atLeast(1), fill: 10000 },
  steps: { is: atLeast(1), fill: 1000000 },
};
export const RULEBOOK: Record<string, Shape> = { facts: strings, flows: { is: list, fill: [] } };
export const FLOW: Record<string, Shape> = { name: { is: string, required: true }, on: { ...strings, required: true }, rules: { is: list, required: true } };
export const RULE: Record<string, Shape> = {
  id: { is: (v) => string(v) && v !== "", required: true },
  allow_if: { is: string }, refuse_if: { is: string }, ask_if: { is: string },
  because: { is: string }, question: { is: string },
};
