// The twelve steps of chapter 4 over one request, its marks, its entry and its answer.
import { evaluateCondition } from "./cel.ts";
import { covers, makeConfirmation, type Covered, type Now } from "./confirmation.ts";
import { destinations, isWholeAddress } from "./destinations.ts";
import { argumentDigest, b64u } from "./digests.ts";
import {
  agrees, argumentNames, callOf, comparedAgent, digestOf, evidenceDigest, holding, isTrusted, marksOf, originOf, ownMarks, resultOrigin, type Call,
} from "./evidence.ts";
import {
  atOf, emptyHistory, isAllowed, isCompensated, isOutsideRead, isUndone, reported, scopeOf, signEntry, statusOf, toolOf, undoesOf, verifyHistory, type History,
} from "./history.ts";
import { byUnits, canonicalBytes, escapeToken, inexactNumbers, json, type Json, type JsonObject } from "./json.ts";
import type { KeySet } from "./keys.ts";
import { declares, type Policy, type Tool } from "./policy.ts";
import type { Request } from "./request.ts";
import { walk } from "./schema.ts";

interface Answer { decision: "allow" | "confirm" | "refuse"; reasons: string[]; detail?: Json; pointer?: string; approves?: number; approvedBy?: string[] }
interface TraceItem { order: number; check: string; result: "passed" | "refused" | "asks" | "skipped"; detail?: Json }

/** What a check gives: the answer document, and the history with the new entry where the answer has one. */
export interface Checked { answer: JsonObject; history: History | null }

const CHECKS = ["", "tool", "history", "arguments", "destinations", "order", "undo", "gate", "marks", "approval", "person", "compensation", "allow"];
const refuse = (reason: string, detail?: unknown, pointer?: string): Answer =>
  ({ decision: "refuse", reasons: [reason], ...(detail === undefined ? {} : { detail: json(detail) }), ...(pointer === undefined ? {} : { pointer }) });

/** Decides one request (chapter 4). The key set must be able to sign, or be a preview. */
export function check(policy: Policy, keys: KeySet, request: Request): Checked {
  const scope = scopeOf(policy, keys, request.session);
  const id = request.principal?.get("id");
  const principal = id === undefined ? null : argumentDigest(scope, id);
  const verified = verifyHistory(policy, keys, request.session, request.history, principal, request.head);
  const history = verified.valid ? verified.history : emptyHistory(policy, request.session);
  const last = history.entries.at(-1);
  const at = last === undefined ? request.now : Math.max(request.now, atOf(last));
  const call = callOf(policy, request, history, scope);
  const now: Now = { at, digest: argumentDigest(scope, request.arguments), principal, marks: marksOf(call), reasons: [] };
  const steps = new Steps(call, keys, now);
  const answer = steps.run(verified.valid ? null : { detail: verified.detail });

  const out: JsonObject = new Map<string, Json>([
    ["format", "qls-tool-check/1"], ["decision", answer.decision], ["reason", answer.reasons[0]], ["reasons", answer.reasons], ["policy", policy.id],
  ]);
  if (answer.pointer !== undefined) out.set("pointer", answer.pointer);
  if (answer.detail !== undefined) out.set("detail", answer.detail);
  if (answer.decision === "allow") out.set("arguments", request.arguments);
  if (request.explain) out.set("trace", json(steps.trace));
  if (!verified.valid && request.head !== null) {
    // A kept head and a history that does not verify: nothing restarts.
    for (const name of ["entry", "step", "link"]) out.set(name, null);
    return { answer: out, history: null };
  }
  const { entry, link } = signEntry(history, keys, bodyOf(call, now, answer, !verified.valid));
  out.set("entry", entry);
  out.set("step", entry.get("step") as Json);
  out.set("link", b64u(link));
  if (answer.decision === "confirm") {
    out.set("confirmation", makeConfirmation(keys, request.session, policy.settings.confirmationTtl, entry, link));
    out.set("question", questionOf(call, now, answer));
  }
  const grown: History = { ...history, entries: [...history.entries, entry], links: [...history.links, link], reports: new Map() };
  return { answer: out, history: grown };
}

/** The body of the entry that an answer adds (chapter 3, An entry). */
function bodyOf(call: Call, now: Now, answer: Answer, restarted: boolean): JsonObject {
  const { policy, request, history, scope, tool } = call;
  const declared = argumentNames(call).filter((name) => tool !== undefined && declares(tool.parameters, name));
  const { reports } = history;
  return json({
    step: history.entries.length,
    tool: request.tool,
    agent: request.agent,
    principal: now.principal,
    digest: now.digest,
    arguments: new Map(declared.map((name) => [name, digestOf(call, name)])),
    origins: new Map(declared.map((name) => [name, originOf(call, name)])),
    labels: now.marks,
    evidence: evidenceDigest(scope, request.evidence),
    decision: answer.decision,
    reason: answer.reasons[0],
    reasons: answer.reasons,
    at: now.at,
    policy: policy.id,
    snapshot: tool?.snapshot,
    outside: tool?.readsOutside ? true : undefined,
    undoes: request.undo ?? undefined,
    approves: answer.approves,
    approved_by: answer.approvedBy,
    restarted: restarted ? true : undefined,
    reports: reports.size > 0 ? reports : undefined,
  }) as JsonObject;
}

/** What a person is shown, as data; its sentences are not the model's. */
function questionOf(call: Call, now: Now, answer: Answer): Json {
  return json({
    tool: call.request.tool,
    arguments: argumentNames(call).map((name) => ({ name, value: call.request.arguments.get(name), origin: originOf(call, name), typed: call.typed.has(name) })),
    reasons: answer.reasons.map((reason) => ({ reason })),
    marks: now.marks.map((label) => ({ label })),
    undo: call.tool?.undo ? { tool: call.tool.undo.tool } : null,
  });
}

class Steps {
  trace: TraceItem[] = [];
  asked = false; // a rule asked at step 7
  held: string[] = []; // the marks that hold, at step 8

  constructor(readonly call: Call, readonly keys: KeySet, readonly now: Now) {}

  note(order: number, result: TraceItem["result"], detail?: Json): void {
    this.trace.push({ order, check: CHECKS[order], result, ...(detail === undefined ? {} : { detail }) });
  }

  /** Notes what a step found; true where it answered. */
  answered(order: number, answer: Answer | null): answer is Answer {
    this.note(order, answer === null ? "passed" : answer.decision === "refuse" ? "refused" : answer.decision === "confirm" ? "asks" : "passed", answer?.detail);
    return answer !== null;
  }

  /** The first step that answers ends the check. `broken` says that the history does not verify. */
  run(broken: { detail?: Json } | null): Answer {
    let answer = this.toolAndAgent();
    if (this.answered(1, answer)) return answer;
    const tool = this.call.tool as Tool;
    answer = broken ? refuse("history_invalid", broken.detail) : null;
    if (this.answered(2, answer)) return answer;
    for (const [order, step] of [[3, this.arguments], [4, this.destinations], [5, this.orderRules]] as const) {
      answer = step.call(this, tool);
      if (this.answered(order, answer)) return answer;
    }
    const undoing = this.call.request.undo;
    if (undoing === null) this.note(6, "skipped");
    else {
      answer = this.undo(tool, undoing);
      if (this.answered(6, answer)) return answer;
    }
    answer = this.gate();
    if (answer !== null) return this.answered(7, answer), answer;
    this.note(7, this.asked ? "asks" : "passed");
    answer = this.marks(tool);
    if (answer !== null) return this.answered(8, answer), answer;
    this.note(8, this.held.length > 0 ? "asks" : "passed");
    return this.approvalAndAfter(tool);
  }

  // 1 · The tool and the agent.
  toolAndAgent(): Answer | null {
    const { policy, request, tool } = this.call;
    if (tool === undefined) return refuse("unknown_tool");
    const names = [...policy.agents.keys()].sort(byUnits);
    const name = comparedAgent(policy, request.agent);
    const agent = name === null ? undefined : policy.agents.get(name);
    if (agent === undefined) return names.length > 1 ? refuse("agent_required", { agents: names }) : refuse("unknown_tool");
    if (!agent.tools.includes("*") && !agent.tools.includes(tool.name)) return refuse("unknown_tool");
    return isLapsed(policy, this.keys, tool, this.now.at) ? refuse("licence_lapsed") : null;
  }

  // 3 · The arguments.
  arguments(tool: Tool): Answer | null {
    const { policy, request } = this.call;
    const value = request.arguments;
    type Wrong = { pointer: string; rule: string };
    const bytes: Wrong[] = tool.limitBytes !== null && canonicalBytes(value).length > tool.limitBytes ? [{ pointer: "", rule: "bytes" }] : [];
    const precision: Wrong[] = inexactNumbers(value).map(({ pointer }) => ({ pointer, rule: "precision" }));
    const { errors, undeclared } = schemaErrors(policy, tool, value);
    const all = [bytes, precision, undeclared, errors].flatMap((kind) =>
      kind.sort((a, b) => byUnits(a.pointer, b.pointer) || byUnits(a.rule, b.rule)));
    if (all.length === 0) return null;
    return refuse("argument_schema", { pointer: all[0].pointer, rule: all[0].rule }, all[0].pointer);
  }

  // 4 · Destinations.
  destinations(tool: Tool): Answer | null {
    if (tool.sendsOut) return null;
    const found: { pointer: string; text: string }[] = [];
    const look = (value: Json, pointer: string, argument: string | null) => {
      if (typeof value === "string") {
        const exempt = argument !== null && tool.subjectArguments.includes(argument) && isWholeAddress(value);
        if (!exempt) for (const { text } of destinations(value, argument)) found.push({ pointer, text });
      } else if (Array.isArray(value)) value.forEach((item, i) => look(item, `${pointer}/${i}`, null));
      else if (value instanceof Map) {
        for (const [name, item] of value) {
          const at = `${pointer}/${escapeToken(name)}`;
          for (const { text } of destinations(name, null)) found.push({ pointer: at, text });
          look(item, at, null);
        }
      }
    };
    for (const [name, value] of this.call.request.arguments) {
      const at = `/${escapeToken(name)}`;
      for (const { text } of destinations(name, null)) found.push({ pointer: at, text });
      look(value, at, name);
    }
    if (found.length === 0) return null;
    found.sort((a, b) => byUnits(a.pointer, b.pointer)); // stable: then by position
    return refuse("undeclared_destination", { destinations: found.map((f) => f.text), pointers: found.map((f) => f.pointer) });
  }

  // 5 · Order rules.
  orderRules(tool: Tool): Answer | null {
    const { policy, history, request } = this.call;
    const { entries } = history;
    const allowed = entries.map((entry, step) => ({ entry, step })).filter(({ entry }) => isAllowed(entry));
    const restarted = entries[0]?.get("restarted") === true;
    for (const rule of tool.after) {
      const ran = allowed.filter(({ entry, step }) => toolOf(entry) === rule.tool && statusOf(history, step) === "ran");
      if (ran.length === 0) return refuse("order_rule", { rule: `after ${rule.tool}` });
      for (const [argument, field] of [...rule.bind].sort((a, b) => byUnits(a[0], b[0]))) {
        const origin = request.arguments.has(argument) ? resultOrigin(originOf(this.call, argument)) : null;
        const bound = origin !== null && origin.field === field && ran.some(({ step }) => step === origin.step)
          && agrees(this.call, origin.step, field, digestOf(this.call, argument));
        if (!bound) return refuse("order_rule", { rule: `after ${rule.tool}`, bind: argument });
      }
    }
    for (const name of tool.notAfter) {
      const broken = name === "untrusted"
        ? allowed.some(({ entry }) => isOutsideRead(policy, entry) || (entry.get("labels") as string[]).some((mark) => mark.startsWith("untrusted:")))
          || this.now.marks.some((mark) => mark.startsWith("untrusted:"))
        : allowed.some(({ entry }) => toolOf(entry) === name);
      if (restarted) return refuse("order_rule", { rule: `not_after ${name}`, restarted: true });
      if (broken) return refuse("order_rule", { rule: `not_after ${name}` });
    }
    if (tool.atMost !== null) {
      const counted = allowed.filter(({ entry, step }) => toolOf(entry) === tool.name && statusOf(history, step) !== "failed");
      if (restarted) return refuse("order_rule", { rule: `at_most ${tool.atMost}`, restarted: true });
      if (counted.length >= tool.atMost) return refuse("order_rule", { rule: `at_most ${tool.atMost}` });
    }
    return null;
  }

  // 6 · Undo.
  undo(tool: Tool, k: number): Answer | null {
    const { policy, history, request } = this.call;
    const mismatch = (why: string) => refuse("compensation_mismatch", { step: k, mismatch: why });
    const entry = history.entries[k];
    if (entry === undefined) return mismatch("no_such_step");
    const status = statusOf(history, k);
    if (!isAllowed(entry) || (status !== "ran" && status !== "compensated")) return mismatch("not_run");
    const declared = policy.tools.get(toolOf(entry))?.undo ?? null;
    if (undoesOf(entry) !== null || declared === null || declared.tool !== tool.name) return mismatch("not_declared");
    if (comparedAgent(policy, entry.get("agent") as string | null) !== comparedAgent(policy, request.agent)) return mismatch("agent");
    const bind = [...declared.bind].sort((a, b) => byUnits(a[0], b[0]));
    for (const [argument, source] of bind) if (!this.comesFrom(argument, source, k, entry)) return mismatch(`bind:${argument}`);
    for (const argument of argumentNames(this.call)) {
      if (bind.some(([name]) => name === argument)) continue;
      if (!isTrusted(this.call, argument) || holding(policy, tool, ownMarks(this.call, argument)).length > 0) return mismatch(`unbound:${argument}`);
    }
    const tried = history.entries.some((e, j) => isAllowed(e) && undoesOf(e) === k && statusOf(history, j) !== "failed");
    return isCompensated(history, k) || tried ? refuse("compensation_spent") : null;
  }

  /** A bound argument comes from step k: by the entry's digest of that argument, or by origin and the reported result. */
  comesFrom(argument: string, source: string, k: number, entry: JsonObject): boolean {
    if (!this.call.request.arguments.has(argument)) return false;
    const digest = digestOf(this.call, argument);
    if (source.startsWith("arguments.")) return (entry.get("arguments") as JsonObject).get(source.slice("arguments.".length)) === digest;
    const field = source.slice("result.".length);
    const origin = resultOrigin(originOf(this.call, argument));
    return origin !== null && origin.step === k && origin.field === field && agrees(this.call, k, field, digest);
  }

  // 7 · The gate.
  gate(): Answer | null {
    const { policy, request, history } = this.call;
    const count = (tool: string, is: (entry: JsonObject, step: number) => boolean) =>
      history.entries.filter((entry, step) => isAllowed(entry) && toolOf(entry) === tool && is(entry, step)).length;
    const variables = {
      tool: request.tool,
      agent: request.agent ?? "",
      args: request.arguments,
      facts: request.context,
      principal: request.principal ?? new Map<string, Json>(),
      resource: request.resource,
      origins: new Map(argumentNames(this.call).map((name) => [name, originOf(this.call, name)])),
      labels: this.now.marks,
      now: this.now.at,
      turn: request.turns.at(-1) ?? "",
      ran: (tool: string) => count(tool, (_, step) => statusOf(history, step) === "ran"),
      allowed: (tool: string) => count(tool, () => true),
      allowedWithin: (tool: string, seconds: number) => count(tool, (entry) => atOf(entry) >= this.now.at - seconds),
    };
    for (const flow of policy.flows) {
      if (!flow.on.includes("*") && !flow.on.includes(request.tool)) continue;
      for (const rule of flow.rules) {
        const result = evaluateCondition(rule.condition, variables);
        const failed = "error" in result;
        if (rule.kind === "ask_if") this.asked ||= failed || result.value;
        else if (failed || result.value !== (rule.kind === "allow_if")) {
          return refuse(rule.id, { flow: flow.name, rule: rule.id, because: rule.because, error: failed ? true : undefined });
        }
      }
    }
    return null;
  }

  // 8 · Marks.
  marks(tool: Tool): Answer | null {
    if (tool.effect === "read" || this.call.request.undo !== null) return null;
    this.held = holding(this.call.policy, tool, this.now.marks);
    return this.held.length > 0 && this.call.policy.settings.taintPolicy === "refuse" ? refuse("tainted_call", { labels: this.held }) : null;
  }

  // 9 to 12.
  approvalAndAfter(tool: Tool): Answer {
    const { request } = this.call;
    const reasons = this.personReasons(tool);
    this.now.reasons = reasons;
    let detail: Json | undefined;
    if (request.confirmation === null) this.note(9, "skipped");
    else {
      const covered: Covered = covers(this.call, this.keys, this.now);
      if (covered.covers) {
        this.note(9, "passed");
        return { decision: "allow", reasons: ["confirmed"], approves: covered.step, ...(covered.approvedBy ? { approvedBy: covered.approvedBy } : {}) };
      }
      if (covered.denied) return this.note(9, "refused"), refuse("denied");
      detail = json({ confirmation: { ignored: covered.ignored } });
      this.note(9, "skipped", detail);
    }
    const more = detail === undefined ? {} : { detail };
    if (reasons.length > 0) return this.note(10, "asks"), { decision: "confirm", reasons, ...more };
    this.note(10, "passed");
    if (request.undo !== null) return this.note(11, "passed"), { decision: "allow", reasons: ["compensation"], ...more };
    this.note(11, "skipped");
    this.note(12, "passed");
    return { decision: "allow", reasons: ["allow"], ...more };
  }

  // 10 · What a person must see.
  personReasons(tool: Tool): string[] {
    const { policy, history, request } = this.call;
    const reasons: string[] = [];
    if (this.asked) reasons.push("gate_clarify");
    if (tool.effect === "read" || request.undo !== null) return reasons;
    for (const name of argumentNames(this.call)) if (!isTrusted(this.call, name)) reasons.push(`argument_origin: ${name}`);
    if (this.held.length > 0) reasons.push("tainted_call");
    const pivot = history.entries.some((entry, step) => {
      const its = policy.tools.get(toolOf(entry));
      const status = reported(history, step)?.get("status");
      return isAllowed(entry) && its?.effect === "write" && its.undo !== null && (status === "ran" || status === "compensated") && !isUndone(history, step);
    });
    if (tool.irreversible && pivot) reasons.push("irreversible_pivot");
    if (tool.partial) reasons.push("schema_partial");
    if (reasons.length === 0) reasons.push("write");
    return reasons;
  }
}

/** `licence.expires <= at`: a write is refused, with `on_lapse: refuse` every call. */
export function isLapsed(policy: Policy, keys: KeySet, tool: Tool, at: number): boolean {
  if (keys.licenceExpires === null || keys.licenceExpires > at) return false;
  return tool.effect === "write" || policy.settings.onLapse === "refuse";
}

type Wrong = { pointer: string; rule: string };

/** Undeclared arguments, and what the schema walk finds. */
function schemaErrors(policy: Policy, tool: Tool, value: JsonObject): { undeclared: Wrong[]; errors: Wrong[] } {
  const { undeclared: setting } = policy.settings;
  const options = { documents: policy.documents, formats: true };
  const errors = walk(tool.parameters, value, { ...options, deep: false }).errors.map(({ pointer, rule }) => ({ pointer, rule }));
  const undeclared: Wrong[] = [];
  if (setting !== "schema") {
    for (const name of value.keys()) if (!declares(tool.parameters, name)) undeclared.push({ pointer: `/${escapeToken(name)}`, rule: "additionalProperties" });
  }
  if (setting === "deep") {
    const nested = (wrong: Wrong) => wrong.rule === "additionalProperties" && wrong.pointer.split("/").length > 2;
    undeclared.push(...walk(tool.parameters, value, { ...options, deep: true }).errors.filter(nested).map(({ pointer, rule }) => ({ pointer, rule })));
  }
  return { undeclared, errors };
}
