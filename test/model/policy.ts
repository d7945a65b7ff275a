// Registration of chapter 2: a policy with its defaults left out becomes the compiled form, its id, its problems and warnings.
import { parseCondition, type Condition } from "./cel.ts";
import { b64u, H } from "./digests.ts";
import { byUnits, canonical, escapeToken, isInteger, isObject, json, type Json, type JsonObject } from "./json.ts";
import { compilePattern } from "./pattern.ts";
import { AGENT, APPROVAL, BINDING, FLOW, LIMITS, POLICY, RULE, RULEBOOK, SETTINGS, TOOL, TOOL_LIMITS, type Shape } from "./policy-shapes.ts";
import { isOwnReason } from "./reasons.ts";
import { schemaProblem, walk } from "./schema.ts";

export interface Problem { code: string; message: string; pointer: string }
export type Level = "low" | "normal" | "high";
export interface Agent { privilege: Level; tools: string[] }
export interface AfterRule { tool: string; bind: [string, string][] }
export interface Undo { tool: string; bind: [string, string][] }

export interface Tool {
  name: string;
  effect: "read" | "write";
  parameters: Json;
  result: Json | undefined;
  sendsOut: boolean;
  readsOutside: boolean;
  subjectArguments: string[];
  privilege: Level;
  after: AfterRule[];
  notAfter: string[];
  atMost: number | null;
  undo: Undo | null;
  irreversible: boolean;
  idempotent: boolean;
  idempotencyKey: string | null;
  limitBytes: number | null;
  partial: boolean;
  snapshot: string;
}

export interface Rule { id: string; kind: "allow_if" | "refuse_if" | "ask_if"; condition: Condition; because: string | undefined }
export interface Flow { name: string; on: string[]; rules: Rule[] }

export interface Policy {
  id: string;
  tenant: string;
  compiled: JsonObject;
  agents: Map<string, Agent>;
  tools: Map<string, Tool>;
  flows: Flow[];
  documents: Map<string, Json>;
  settings: Settings;
}

export interface Settings {
  taintPolicy: string; taintScope: string; confirmationTtl: number; confirmationPoint: string;
  approvalMode: string; approvalCount: number; deciders: string[];
  receiptTtl: number; resultDigests: string; head: string; onLapse: string; language: string; undeclared: string;
  depth: number; bytes: number; history: number; steps: number;
}

export class PolicyInvalid extends Error {
  readonly code = "policy_invalid";
  constructor(readonly problems: Problem[]) { super("policy_invalid"); }
}

export interface Registered { policy: Policy; warnings: Problem[]; partial: string[] }

/** Registers a policy; throws PolicyInvalid with every problem, by pointer. `documents` are remote schemas by URI. */
export function register(source: Json, documents: Map<string, Json> | null): Registered {
  return new Registration(documents).run(source);
}

/** A name in one letter case: each capital as its simple lower case. */
const lowerCase = (name: string) => [...name].map((letter) => [...letter.toLowerCase()][0]).join("");

/** The names a schema's own `properties` lists. */
function propertiesOf(schema: Json | undefined): JsonObject {
  const properties = isObject(schema) ? schema.get("properties") : undefined;
  return isObject(properties) ? properties : new Map();
}

/** True where the tool declares this top-level argument: `properties`, `patternProperties`, or a schema object in `additionalProperties`. */
export function declares(parameters: Json, name: string): boolean {
  if (!isObject(parameters)) return false;
  if (propertiesOf(parameters).has(name)) return true;
  const patterns = parameters.get("patternProperties");
  for (const text of isObject(patterns) ? patterns.keys() : []) {
    const pattern = compilePattern(text);
    if (pattern.kind === "ok" && pattern.test(name)) return true;
  }
  return isObject(parameters.get("additionalProperties"));
}

class Registration {
  problems: Problem[] = [];
  aloneNamed = new Set<JsonObject>(); // tools whose subject_argument is a string, not a list
  names = new Map<string, JsonObject>(); // the catalogue by name, first of a name

  constructor(readonly documents: Map<string, Json> | null) {}

  bad(code: string, pointer: string, message = code): void {
    if (this.problems.some((problem) => problem.code === code && problem.pointer === pointer)) return;
    this.problems.push({ code, message, pointer });
  }

  /** Checks an object's members against shapes; what is wrong is left out of the copy, defaults are filled in. */
  members(source: JsonObject, shapes: Record<string, Shape>, pointer: string): JsonObject {
    const out: JsonObject = new Map();
    for (const [name, value] of source) {
      const at = `${pointer}/${escapeToken(name)}`;
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      if (name.startsWith("x-")) out.set(name, value);
      else if (shape === undefined) this.bad("policy_unknown_member", at);
      else if (!shape.is(value)) this.bad("policy_type", at);
      else out.set(name, shape.each && Array.isArray(value) ? this.each(value, shape.each, at) : value);
    }
    for (const [name, shape] of Object.entries(shapes)) {
      if (source.has(name)) continue;
      if (shape.required) this.bad("policy_missing", `${pointer}/${name}`);
      else if (shape.fill !== undefined) out.set(name, json(shape.fill));
    }
    return out;
  }

  /** The elements of a list that are what they should be. */
  each(list: Json[], is: (value: Json) => boolean, pointer: string): Json[] {
    return list.filter((item, i) => is(item) || (this.bad("policy_type", `${pointer}/${i}`), false));
  }

  run(source: Json): Registered {
    if (!isObject(source)) {
      this.bad("policy_type", "");
      throw new PolicyInvalid(this.problems);
    }
    const compiled = this.members(source, POLICY, "");
    const tools = (compiled.get("tools") as Json[] | undefined) ?? [];
    const filled = tools.map((tool, i) => this.tool(tool, `/tools/${i}`));
    this.catalogue(filled);
    filled.forEach((tool, i) => tool && this.references(tool, `/tools/${i}`));
    compiled.set("tools", filled.filter((tool) => tool !== null) as Json[]);
    compiled.set("agents", this.agents((compiled.get("agents") as JsonObject | undefined) ?? null));
    const flows = this.rulebook(compiled);
    compiled.set("settings", this.settings(compiled.get("settings") as JsonObject | undefined));
    this.remote(compiled);
    if (this.problems.length > 0) {
      this.problems.sort((a, b) => byUnits(a.pointer, b.pointer) || byUnits(a.code, b.code));
      throw new PolicyInvalid(this.problems);
    }
    return this.loaded(compiled, flows);
  }

  /** `documents: {URI: digest}` of the documents registered beside the policy; a policy that lists digests must list these. */
  remote(compiled: JsonObject): void {
    const given = this.documents ?? new Map<string, Json>();
    const digests: JsonObject = new Map([...given].map(([uri, document]) => [uri, b64u(H("qls-document/1\n", canonical(document)))]));
    for (const [uri, document] of given) {
      if (schemaProblem(document) !== null) this.bad("policy_document", `/documents/${escapeToken(uri)}`);
    }
    const listed = compiled.get("documents");
    for (const [uri, digest] of isObject(listed) ? listed : []) {
      if (digests.get(uri) !== digest) this.bad("policy_document", `/documents/${escapeToken(uri)}`);
    }
    if (digests.size > 0) compiled.set("documents", digests);
    else compiled.delete("documents");
  }

  tool(value: Json, pointer: string): JsonObject | null {
    if (!isObject(value)) return this.bad("policy_type", pointer), null;
    const tool = this.members(value, TOOL, pointer);
    const subject = tool.get("subject_argument");
    if (typeof subject === "string") {
      tool.set("subject_argument", [subject]);
      this.aloneNamed.add(tool);
    }
    for (const member of ["parameters", "result"]) {
      const given = tool.get(member);
      if (given !== undefined && schemaProblem(given) !== null) this.bad("policy_schema", `${pointer}/${member}`);
    }
    if (tool.has("limits")) tool.set("limits", this.members(tool.get("limits") as JsonObject, TOOL_LIMITS, `${pointer}/limits`));
    if (tool.has("undo")) this.members(tool.get("undo") as JsonObject, BINDING, `${pointer}/undo`);
    (tool.get("after") as Json[] | undefined)?.forEach((rule, i) => {
      if (isObject(rule)) this.members(rule, BINDING, `${pointer}/after/${i}`);
      else if (typeof rule !== "string") this.bad("policy_type", `${pointer}/after/${i}`);
    });
    return tool;
  }

  /** Names: 1–128 characters, not reserved, unique, not differing only in letter case. */
  catalogue(tools: (JsonObject | null)[]): void {
    const folded = new Map<string, string>();
    tools.forEach((tool, i) => {
      const name = tool?.get("name");
      if (tool === null || typeof name !== "string") return;
      const at = `/tools/${i}/name`;
      if ([...name].length < 1 || [...name].length > 128) this.bad("policy_tool_name", at);
      if (["__proto__", "constructor", "prototype"].includes(name)) this.bad("policy_tool_name", at);
      const fold = lowerCase(name);
      if (this.names.has(name)) this.bad("policy_duplicate_tool", at);
      else if (folded.has(fold)) this.bad("policy_tool_name", at);
      if (!this.names.has(name)) this.names.set(name, tool);
      folded.set(fold, name);
    });
  }

  /** Order rules, binds, undo, idempotency_key and subject_argument name what exists. */
  references(tool: JsonObject, pointer: string): void {
    const parameters = tool.get("parameters") as Json;
    (tool.get("after") as Json[] | undefined)?.forEach((rule, i) => {
      const at = `${pointer}/after/${i}`;
      if (typeof rule === "string") return this.known(rule, at);
      if (!isObject(rule) || typeof rule.get("tool") !== "string") return;
      const earlier = this.known(rule.get("tool") as string, `${at}/tool`);
      const bind = rule.get("bind");
      for (const [argument, field] of isObject(bind) ? bind : []) {
        const where = `${at}/bind/${escapeToken(argument)}`;
        if (typeof field !== "string") this.bad("policy_type", where);
        else if (!declares(parameters, argument)) this.bad("policy_unknown_argument", where);
        else if (earlier && !propertiesOf(earlier.get("result")).has(field)) this.bad("policy_unknown_argument", where);
      }
    });
    (tool.get("not_after") as Json[] | undefined)?.forEach((name, i) => {
      if (name !== "untrusted") this.known(name as string, `${pointer}/not_after/${i}`);
    });
    this.undo(tool, pointer);
    const key = tool.get("idempotency_key");
    if (typeof key === "string" && !declares(parameters, key)) this.bad("policy_unknown_argument", `${pointer}/idempotency_key`);
    (tool.get("subject_argument") as Json[] | undefined)?.forEach((name, i) => {
      if (!declares(parameters, name as string)) this.bad("policy_unknown_argument", `${pointer}/subject_argument${this.aloneNamed.has(tool) ? "" : `/${i}`}`);
    });
  }

  undo(tool: JsonObject, pointer: string): void {
    const undo = tool.get("undo");
    if (!isObject(undo)) return;
    if (tool.get("effect") === "read") this.bad("policy_undo_of_read", `${pointer}/undo`);
    if (tool.get("irreversible") === true) this.bad("policy_undo_irreversible", `${pointer}/undo`);
    const name = undo.get("tool");
    const by = typeof name === "string" ? this.known(name, `${pointer}/undo/tool`) : undefined;
    const bind = undo.get("bind");
    for (const [argument, source] of isObject(bind) ? bind : []) {
      const where = `${pointer}/undo/bind/${escapeToken(argument)}`;
      const [, kind, field] = (typeof source === "string" && /^(arguments|result)\.(.+)$/s.exec(source)) || [];
      if (kind === undefined) this.bad("policy_type", where);
      else if (by && !declares(by.get("parameters") as Json, argument)) this.bad("policy_unknown_argument", where);
      else if (kind === "arguments" && !declares(tool.get("parameters") as Json, field)) this.bad("policy_unknown_argument", where);
      else if (kind === "result" && !propertiesOf(tool.get("result")).has(field)) this.bad("policy_unknown_argument", where);
    }
  }

  known(name: string, pointer: string): JsonObject | undefined {
    const tool = this.names.get(name);
    if (tool === undefined) this.bad("policy_unknown_tool", pointer);
    return tool;
  }

  agents(agents: JsonObject | null): JsonObject {
    const out: JsonObject = new Map();
    if (agents === null) return out;
    if (agents.size === 0) this.bad("policy_missing", "/agents");
    for (const [name, value] of agents) {
      const pointer = `/agents/${escapeToken(name)}`;
      if (!isObject(value)) {
        this.bad("policy_type", pointer);
        continue;
      }
      const agent = this.members(value, AGENT, pointer);
      (agent.get("tools") as Json[] | undefined)?.forEach((tool, i) => {
        if (tool !== "*") this.known(tool as string, `${pointer}/tools/${i}`);
      });
      out.set(name, agent);
    }
    return out;
  }

  rulebook(compiled: JsonObject): Flow[] {
    const source = compiled.get("rulebook");
    if (!isObject(source)) return [];
    const book = this.members(source, RULEBOOK, "/rulebook");
    compiled.set("rulebook", book);
    const facts = (book.get("facts") as string[] | undefined) ?? null;
    const flows: Flow[] = [];
    ((book.get("flows") as Json[] | undefined) ?? []).forEach((value, f) => {
      const pointer = `/rulebook/flows/${f}`;
      if (!isObject(value)) return this.bad("policy_type", pointer);
      const flow = this.members(value, FLOW, pointer);
      const on = (flow.get("on") as string[] | undefined) ?? [];
      on.forEach((name, i) => name !== "*" && this.known(name, `${pointer}/on/${i}`));
      const rules = ((flow.get("rules") as Json[] | undefined) ?? []).map((rule, r) => this.rule(rule, `${pointer}/rules/${r}`, facts));
      flows.push({ name: String(flow.get("name")), on, rules: rules.filter((rule) => rule !== null) as Rule[] });
    });
    return flows;
  }

  rule(value: Json, pointer: string, facts: string[] | null): Rule | null {
    if (!isObject(value)) return this.bad("policy_type", pointer), null;
    const rule = this.members(value, RULE, pointer);
    const id = rule.get("id");
    if (typeof id === "string") {
      if (isOwnReason(id)) this.bad("policy_rule_id", `${pointer}/id`);
    }
    const kinds = (["allow_if", "refuse_if", "ask_if"] as const).filter((kind) => value.has(kind));
    if (kinds.length === 0) this.bad("policy_missing", pointer);
    for (const kind of kinds.slice(1)) this.bad("policy_type", `${pointer}/${kind}`);
    for (const kind of kinds) {
      const text = rule.get(kind);
      if (typeof text !== "string") continue;
      const condition = parseCondition(text, facts);
      if ("error" in condition) this.bad(condition.fact !== undefined ? "policy_fact" : "policy_condition", `${pointer}/${kind}`);
      else if (typeof id === "string") return { id, kind, condition, because: rule.get("because") as string | undefined };
    }
    return null;
  }

  settings(source: JsonObject | undefined): JsonObject {
    const settings = this.members(source ?? new Map(), SETTINGS, "/settings");
    for (const [name, shapes] of [["approval", APPROVAL], ["limits", LIMITS]] as const) {
      settings.set(name, this.members((settings.get(name) as JsonObject | undefined) ?? new Map(), shapes, `/settings/${name}`));
    }
    return settings;
  }

  loaded(compiled: JsonObject, flows: Flow[]): Registered {
    const documents = this.documents ?? new Map<string, Json>();
    const tools = new Map<string, Tool>();
    const warnings: Problem[] = [];
    (compiled.get("tools") as JsonObject[]).forEach((source, i) => {
      const tool = loadTool(source, documents);
      tools.set(tool.name, tool);
      const warn = (code: string, at: string) => warnings.push({ code, message: code, pointer: `/tools/${i}${at}` });
      if (tool.effect === "write" && tool.undo === null && !tool.irreversible) warn("write_without_undo", "");
      if (tool.partial) warn("schema_partial", "/parameters");
      if (tool.readsOutside && !isMentioned(tool.name, compiled)) warn("outside_unmentioned", "");
    });
    warnings.sort((a, b) => byUnits(a.pointer, b.pointer) || byUnits(a.code, b.code));
    const agents = new Map<string, Agent>();
    for (const [name, agent] of compiled.get("agents") as Map<string, JsonObject>) {
      agents.set(name, { privilege: agent.get("privilege") as Level, tools: agent.get("tools") as string[] });
    }
    const policy: Policy = {
      id: b64u(H("qls-policy/1\n", canonical(compiled))),
      tenant: compiled.get("tenant") as string,
      compiled, agents, tools, flows, documents,
      settings: loadSettings(compiled.get("settings") as JsonObject),
    };
    return { policy, warnings, partial: [...tools.values()].filter((tool) => tool.partial).map((tool) => tool.name) };
  }
}

function loadTool(source: JsonObject, documents: Map<string, Json>): Tool {
  const bindOf = (rule: JsonObject) => [...((rule.get("bind") as Map<string, string> | undefined) ?? new Map<string, string>())];
  const undo = source.get("undo") as JsonObject | undefined;
  const number = (value: Json | undefined) => (isInteger(value) ? value.value : null);
  return {
    name: source.get("name") as string,
    effect: source.get("effect") as Tool["effect"],
    parameters: source.get("parameters") as Json,
    result: source.get("result"),
    sendsOut: source.get("sends_out") as boolean,
    readsOutside: source.get("reads_outside") as boolean,
    subjectArguments: (source.get("subject_argument") as string[] | undefined) ?? [],
    privilege: source.get("privilege") as Level,
    after: (source.get("after") as Json[]).map((rule) =>
      isObject(rule) ? { tool: rule.get("tool") as string, bind: bindOf(rule) } : { tool: rule as string, bind: [] }),
    notAfter: source.get("not_after") as string[],
    atMost: number(source.get("at_most")),
    undo: undo ? { tool: undo.get("tool") as string, bind: bindOf(undo) } : null,
    irreversible: source.get("irreversible") as boolean,
    idempotent: source.get("idempotent") as boolean,
    idempotencyKey: (source.get("idempotency_key") as string | undefined) ?? null,
    limitBytes: number((source.get("limits") as JsonObject | undefined)?.get("bytes")),
    partial: walk(source.get("parameters") as Json, new Map(), { documents, formats: true, deep: false }).partial,
    snapshot: b64u(H("qls-tool/1\n", canonical(source))),
  };
}

function loadSettings(source: JsonObject): Settings {
  const text = (name: string) => source.get(name) as string;
  const number = (name: string, of: JsonObject = source) => (of.get(name) as { value: number }).value;
  const approval = source.get("approval") as JsonObject;
  const limits = source.get("limits") as JsonObject;
  return {
    taintPolicy: text("taint_policy"), taintScope: text("taint_scope"),
    confirmationTtl: number("confirmation_ttl"), confirmationPoint: text("confirmation_point"),
    approvalMode: approval.get("mode") as string, approvalCount: number("count", approval), deciders: approval.get("deciders") as string[],
    receiptTtl: number("receipt_ttl"), resultDigests: text("result_digests"), head: text("head"), onLapse: text("on_lapse"),
    language: text("language"), undeclared: text("undeclared_arguments"),
    depth: number("depth", limits), bytes: number("bytes", limits), history: number("history", limits), steps: number("steps", limits),
  };
}

/** True where a rule mentions a tool that reads outside: an order rule or a flow names it, a condition spells its name; `untrusted` is every such tool. */
function isMentioned(name: string, compiled: JsonObject): boolean {
  const named = (text: string) => text.includes(name) || text.includes("untrusted");
  for (const tool of compiled.get("tools") as JsonObject[]) {
    const notAfter = tool.get("not_after") as string[];
    if (notAfter.includes(name) || notAfter.includes("untrusted")) return true;
    for (const rule of tool.get("after") as Json[]) if (rule === name || (isObject(rule) && rule.get("tool") === name)) return true;
  }
  for (const flow of (compiled.get("rulebook") as JsonObject).get("flows") as JsonObject[]) {
    if ((flow.get("on") as string[]).some((on) => on === name || on === "untrusted")) return true;
    for (const rule of flow.get("rules") as JsonObject[]) {
      for (const kind of ["allow_if", "refuse_if", "ask_if"]) if (named(String(rule.get(kind) ?? ""))) return true;
    }
  }
  return false;
}
