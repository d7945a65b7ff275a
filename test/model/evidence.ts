// Where a call's arguments come from and what marks they carry: origins, agreement with results, marks, trust (chapter 4).
import { argumentDigest, type DigestScope } from "./digests.ts";
import { isAllowed, isOutsideRead, reported, statusOf, toolOf, type History } from "./history.ts";
import { byUnits, isObject, type Json, type JsonObject } from "./json.ts";
import type { Level, Policy, Tool } from "./policy.ts";
import type { Request } from "./request.ts";
import { provedTyped } from "./typed.ts";

/** One call against one history: what the steps look at. */
export interface Call {
  policy: Policy;
  request: Request;
  history: History;
  scope: DigestScope;
  /** The catalogue's tool; undefined where it is unknown. */
  tool: Tool | undefined;
  /** Arguments whose claim `typed` is proved. */
  typed: Set<string>;
}

export function callOf(policy: Policy, request: Request, history: History, scope: DigestScope): Call {
  const names = [...request.arguments.keys()].sort(byUnits);
  const claimed = names.filter((name) => request.origins.get(name) === "typed");
  const typed = provedTyped(claimed.map((name) => ({ name, value: request.arguments.get(name) as Json })), request.turns, policy.settings.language as "en" | "pt-BR");
  return { policy, request, history, scope, tool: policy.tools.get(request.tool), typed };
}

/** The call's arguments by name. */
export function argumentNames(call: Call): string[] {
  return [...call.request.arguments.keys()].sort(byUnits);
}

/** A missing claim is `model`. */
export function originOf(call: Call, name: string): string {
  return call.request.origins.get(name) ?? "model";
}

/** `result:STEP` or `result:STEP.FIELD`; null for another origin. `field` is null where none is named. */
export function resultOrigin(origin: string): { step: number; field: string | null } | null {
  const found = /^result:(0|[1-9][0-9]*)(?:\.(.+))?$/s.exec(origin);
  return found ? { step: Number(found[1]), field: found[2] ?? null } : null;
}

export function digestOf(call: Call, name: string): string {
  return argumentDigest(call.scope, call.request.arguments.get(name) as Json);
}

/** The reported result agrees: no `result` at all and digests are not required, or FIELD (any field, where none is named) has the digest. */
export function agrees(call: Call, step: number, field: string | null, digest: string): boolean {
  const outcome = reported(call.history, step);
  if (outcome === null) return false;
  if (!outcome.has("result")) return call.policy.settings.resultDigests === "if_reported";
  const result = outcome.get("result") as Map<string, string>;
  return field === null ? [...result.values()].includes(digest) : result.get(field) === digest;
}

/** Chapter 4, Origins: trusted or not. */
export function isTrusted(call: Call, name: string): boolean {
  const origin = originOf(call, name);
  if (origin === "reply" || origin === "context" || origin === "computed") return true;
  if (origin === "typed") return call.typed.has(name);
  const result = resultOrigin(origin);
  const entry = result ? call.history.entries[result.step] : undefined;
  if (result === null || entry === undefined) return false;
  if (!isAllowed(entry) || statusOf(call.history, result.step) !== "ran") return false;
  const schema = call.policy.tools.get(toolOf(entry))?.result;
  if (schema === undefined) return false;
  if (result.field !== null) {
    const properties = isObject(schema) ? schema.get("properties") : undefined;
    if (!isObject(properties) || !properties.has(result.field)) return false;
  }
  return agrees(call, result.step, result.field, digestOf(call, name));
}

/** Where two agents are compared, an absent one means the policy's only agent; null where there are several. */
export function comparedAgent(policy: Policy, agent: string | null): string | null {
  if (agent !== null) return agent;
  return policy.agents.size === 1 ? [...policy.agents.keys()][0] : null;
}

/** Marks derived from one argument (chapter 4, step 8, the first two lines). */
function derivedFrom(call: Call, name: string): string[] {
  const { policy, history } = call;
  const marks: string[] = [];
  const origin = originOf(call, name);
  const result = resultOrigin(origin);
  const entry = result ? history.entries[result.step] : undefined;
  if (entry !== undefined) {
    marks.push(...(entry.get("labels") as string[]));
    if (isOutsideRead(policy, entry)) marks.push(`untrusted:${toolOf(entry)}`);
    const its = comparedAgent(policy, entry.get("agent") as string | null);
    if (its !== null && its !== comparedAgent(policy, call.request.agent)) marks.push(`agent:${its}`);
  }
  const exempt = call.typed.has(name) || origin === "reply" || origin === "context" || entry !== undefined;
  if (!exempt) marks.push(...outsideMarks(call));
  return marks;
}

/** `untrusted:<tool>` for every earlier allowed outside read. */
function outsideMarks(call: Call): string[] {
  return call.history.entries.filter((entry) => isOutsideRead(call.policy, entry)).map((entry) => `untrusted:${toolOf(entry)}`);
}

/** The marks of one argument's own: given for it or derived from it. */
export function ownMarks(call: Call, name: string): string[] {
  return [...(call.request.argumentLabels.get(name) ?? []), ...derivedFrom(call, name)];
}

/** Every mark on the call, without repeats, sorted. */
export function marksOf(call: Call): string[] {
  const marks = [...call.request.callLabels];
  for (const name of argumentNames(call)) marks.push(...ownMarks(call, name));
  if (call.policy.settings.taintScope === "session") marks.push(...outsideMarks(call));
  const name = comparedAgent(call.policy, call.request.agent);
  const agent = name === null ? undefined : call.policy.agents.get(name);
  if (agent !== undefined && call.tool !== undefined && rank(agent.privilege) < rank(call.tool.privilege)) marks.push(`agent:${name}`);
  return [...new Set(marks)].sort(byUnits);
}

export function rank(level: Level): number {
  return ["low", "normal", "high"].indexOf(level);
}

/** `untrusted:…` is below `low`; `agent:<name>` has that agent's privilege (`low` if it no longer exists); any other mark is `low`. */
export function trustOf(policy: Policy, mark: string): number {
  if (mark.startsWith("untrusted:")) return -1;
  if (mark.startsWith("agent:")) return rank(policy.agents.get(mark.slice("agent:".length))?.privilege ?? "low");
  return rank("low");
}

/** The marks that hold a write: those with less trust than the tool's privilege. */
export function holding(policy: Policy, tool: Tool, marks: string[]): string[] {
  return marks.filter((mark) => trustOf(policy, mark) < rank(tool.privilege));
}

/** The evidence member's digest (chapter 3, An entry). */
export function evidenceDigest(scope: DigestScope, evidence: JsonObject): string {
  return argumentDigest(scope, evidence);
}
