// The history of chapter 3: its form, links and tokens, heads, outcomes, the report and `verify`.
import { argumentDigest, b64u, fromB64u, H, isDigest, type DigestScope } from "./digests.ts";
import { byUnits, canonical, isInteger, isObject, json, type Json, type JsonObject } from "./json.ts";
import { makeToken, verifyToken, type KeySet } from "./keys.ts";
import type { Policy } from "./policy.ts";

export interface Outcome { status: string; at?: number; result?: Map<string, string>; external_id?: string }

/** A history that was read; `entries` are the members as they stand, `links[i]` is link(i) and `origin` is link(-1). */
export interface History {
  session: string;
  entries: JsonObject[];
  reports: JsonObject; // pending: {"STEP": outcome}
  links: Buffer[];
  origin: Buffer;
}

export interface Head { step: number; link: string; state: string }
export type Verified = { valid: true; history: History } | { valid: false; detail?: Json };

/** The head of an entry's history, or of a session with no entry yet. */
export function headOf(history: History): Head {
  const n = history.entries.length - 1;
  return { step: n, link: b64u(linkAt(history, n)), state: b64u(stateOf(history)) };
}

export function linkAt(history: History, step: number): Buffer {
  return step < 0 ? history.origin : history.links[step];
}

/** link(-1) = H("qls-history/1\n" || JCS({"session": S, "tenant": T})) */
export function firstLink(session: string, tenant: string): Buffer {
  return H("qls-history/1\n", canonical(json({ session, tenant })));
}

/** prev(i) = JCS({"outcome": outcome(i) or null, "token": token(i)}), prev(-1) = "{}" */
function previous(entry: JsonObject | undefined): string {
  if (entry === undefined) return "{}";
  return canonical(json({ outcome: entry.get("outcome") ?? null, token: entry.get("token") ?? null }));
}

/** link(i) = H("qls-link/1\n" || link(i-1) || prev(i-1) || "\n" || JCS(body(i))) */
export function nextLink(before: Buffer, previousEntry: JsonObject | undefined, body: JsonObject): Buffer {
  return H("qls-link/1\n", before, previous(previousEntry), "\n", canonical(body));
}

/** What a token signs: "qls-token/1\n" || link(i). */
export function tokenMessage(link: Buffer): Buffer {
  return Buffer.concat([Buffer.from("qls-token/1\n"), link]);
}

/** state(n) = H("qls-state/1\n" || JCS({"outcome": outcome(n) or null, "reports": reports or {}})) */
function stateOf(history: History): Buffer {
  const last = history.entries.at(-1);
  return H("qls-state/1\n", canonical(json({ outcome: last?.get("outcome") ?? null, reports: history.reports })));
}

/** The body: the entry without `outcome` and `token`. */
function bodyOf(entry: JsonObject): JsonObject {
  return new Map([...entry].filter(([name]) => name !== "outcome" && name !== "token"));
}

export function scopeOf(policy: Policy, keys: KeySet, session: string): DigestScope {
  return { key: keys.digestKey, session, tenant: policy.tenant };
}

export function emptyHistory(policy: Policy, session: string): History {
  return { session, entries: [], reports: new Map(), links: [], origin: firstLink(session, policy.tenant) };
}

/** Who the entries must be for: `undefined` where the caller carries no principal (all the same then). */
export type Principal = string | null | undefined;

/** Chapter 3, "A history verifies when"; then its end is held against the head, where one is given. */
export function verifyHistory(policy: Policy, keys: KeySet, session: string, source: Json | undefined, principal: Principal, head: Head | null): Verified {
  const limit = policy.settings.history;
  const listed = isObject(source) ? source.get("entries") : undefined;
  if (Array.isArray(listed) && listed.length > limit) return { valid: false, detail: json({ limit }) };
  const history = readHistory(policy, session, source);
  if (history === null || !holds(history, keys, principal)) return { valid: false };
  const against = head === null ? null : headProblem(history, head);
  return against === null ? { valid: true, history } : { valid: false, detail: json({ head: against }) };
}

/** The first of behind, forked, ahead, rewritten; null where the history's end is that head. */
function headProblem(history: History, head: Head): string | null {
  const own = headOf(history);
  if (own.step < head.step) return "behind";
  if (head.step < -1 || b64u(linkAt(history, head.step)) !== head.link) return "forked";
  if (own.step > head.step) return "ahead";
  return own.state === head.state ? null : "rewritten";
}

/** Reads the form: `format`, members and their types, `session`, steps 0, 1, 2 …; null where malformed. Links are computed on the way. */
export function readHistory(policy: Policy, session: string, source: Json | undefined): History | null {
  const history = emptyHistory(policy, session);
  if (source === undefined) return history;
  if (!isObject(source)) return null;
  for (const name of source.keys()) if (!["format", "session", "entries", "reports"].includes(name)) return null;
  if (source.get("format") !== "qls-history/1" || source.get("session") !== session) return null;
  const entries = source.get("entries");
  if (!Array.isArray(entries)) return null;
  for (const [i, entry] of entries.entries()) {
    if (!isEntry(entry, i)) return null;
    history.links.push(nextLink(linkAt(history, i - 1), history.entries[i - 1], bodyOf(entry)));
    history.entries.push(entry);
  }
  const reports = source.get("reports");
  if (reports === undefined) return history;
  if (!isObject(reports)) return null;
  for (const outcome of reports.values()) if (!isOutcome(outcome)) return null;
  history.reports = reports;
  return history;
}

function isOutcome(value: Json | undefined): value is JsonObject {
  if (!isObject(value)) return false;
  for (const name of value.keys()) if (!["status", "at", "result", "external_id"].includes(name)) return false;
  if (!["ran", "failed", "outcome_unknown", "compensated"].includes(value.get("status") as string)) return false;
  if (value.has("at") && !isInteger(value.get("at"))) return false;
  if (value.has("external_id") && !isDigest(value.get("external_id"))) return false;
  const result = value.get("result");
  return !value.has("result") || (isObject(result) && [...result.values()].every(isDigest));
}

const text = (v: Json | undefined) => typeof v === "string";
const texts = (v: Json | undefined) => Array.isArray(v) && v.every(text);
const step = (v: Json | undefined) => isInteger(v) && v.value >= 0;
const ALWAYS: Record<string, (v: Json | undefined) => boolean> = {
  step, tool: text, agent: (v) => v === null || text(v), principal: (v) => v === null || isDigest(v), digest: isDigest,
  arguments: (v) => isObject(v) && [...v.values()].every(isDigest), origins: (v) => isObject(v) && [...v.values()].every(text),
  labels: texts, evidence: isDigest, decision: (v) => ["allow", "confirm", "refuse"].includes(v as string), reason: text, reasons: texts,
  at: isInteger, policy: isDigest, token: (v) => v === null || text(v),
};
const SOMETIMES: Record<string, (v: Json | undefined) => boolean> = {
  snapshot: isDigest, outside: (v) => v === true, undoes: isInteger, approves: step, approved_by: texts, restarted: (v) => v === true,
  reports: (v) => isObject(v) && v.size > 0 && [...v.values()].every(isOutcome), outcome: isOutcome,
};

function isEntry(entry: Json, index: number): entry is JsonObject {
  if (!isObject(entry)) return false;
  for (const name of Object.keys(ALWAYS)) if (!entry.has(name)) return false;
  for (const [name, value] of entry) {
    const is = ALWAYS[name] ?? SOMETIMES[name];
    if (is === undefined || !is(value)) return false;
  }
  if (entry.get("restarted") === true && index !== 0) return false;
  return (entry.get("step") as { value: number } | null)?.value === index;
}

/** Times, principals, tokens, and where outcomes may stand. */
function holds(history: History, keys: KeySet, principal: Principal): boolean {
  const { entries } = history;
  const who = principal === undefined ? (entries[0]?.get("principal") ?? null) : principal;
  for (const [i, entry] of entries.entries()) {
    if (i > 0 && atOf(entry) < atOf(entries[i - 1])) return false;
    if (entry.get("principal") !== who || !isConsistent(entry)) return false;
    const token = entry.get("token") as string | null;
    if (token === null ? !keys.preview : !verifyToken(keys, token, tokenMessage(history.links[i]))) return false;
    if (entry.has("outcome") && !isAllowed(entry)) return false;
    if (!reportsHold(entries, entry.get("reports"), i)) return false;
  }
  if (!reportsHold(entries, history.reports, entries.length)) return false;
  return entries.every((_, i) => new Set(outcomesSaid(history, i).map(canonical)).size <= 1);
}

/** What the table of entries says of its members together: origins for the same names, sorted lists without repeats, the first reason. */
function isConsistent(entry: JsonObject): boolean {
  const names = (member: string) => [...(entry.get(member) as JsonObject).keys()].sort().join("\u0000");
  const sorted = (list: string[]) => list.every((item, i) => i === 0 || byUnits(list[i - 1], item) < 0);
  const reasons = entry.get("reasons") as string[];
  return names("arguments") === names("origins") && sorted(entry.get("labels") as string[]) && sorted((entry.get("approved_by") as string[] | undefined) ?? []) &&
    reasons.length > 0 && reasons[0] === entry.get("reason");
}

/** A report's key is the decimal of an earlier allowed step. */
function reportsHold(entries: JsonObject[], reports: Json | undefined, before: number): boolean {
  for (const key of isObject(reports) ? reports.keys() : []) {
    if (!/^(0|[1-9][0-9]*)$/.test(key) || Number(key) >= before || !isAllowed(entries[Number(key)])) return false;
  }
  return true;
}

/** Every outcome that the history tells of a step: its entry's, what later entries' `reports` say, the pending ones. */
function outcomesSaid(history: History, step: number): JsonObject[] {
  const said: (Json | undefined)[] = [history.entries[step].get("outcome")];
  for (const entry of history.entries.slice(step + 1)) said.push((entry.get("reports") as JsonObject | undefined)?.get(String(step)));
  said.push(history.reports.get(String(step)));
  return said.filter((outcome) => outcome !== undefined) as JsonObject[];
}

export const isAllowed = (entry: JsonObject) => entry.get("decision") === "allow";
export const atOf = (entry: JsonObject) => (entry.get("at") as { value: number }).value;
export const toolOf = (entry: JsonObject) => entry.get("tool") as string;

/** The outcome reported of a step, whatever rules make of it; null where none was. */
export function reported(history: History, step: number): JsonObject | null {
  return outcomesSaid(history, step)[0] ?? null;
}

/** Undone: an allowed undo of it has outcome `ran`. */
export function isUndone(history: History, step: number): boolean {
  return history.entries.some((entry, j) => isAllowed(entry) && undoesOf(entry) === step && statusOf(history, j) === "ran");
}

/** Compensated: undone, or `compensated` is its reported outcome. */
export function isCompensated(history: History, step: number): boolean {
  return isUndone(history, step) || reported(history, step)?.get("status") === "compensated";
}

/** The status that rules and trust go by; null where nothing was reported. */
export function statusOf(history: History, step: number): string | null {
  if (isCompensated(history, step)) return "compensated";
  return (reported(history, step)?.get("status") as string | undefined) ?? null;
}

export function undoesOf(entry: JsonObject): number | null {
  return (entry.get("undoes") as { value: number } | undefined)?.value ?? null;
}

export function approvesOf(entry: JsonObject): number | null {
  return (entry.get("approves") as { value: number } | undefined)?.value ?? null;
}

/** An outside read: an allowed entry whose `outside` is true, or whose tool reads outside now. */
export function isOutsideRead(policy: Policy, entry: JsonObject): boolean {
  return isAllowed(entry) && (entry.get("outside") === true || policy.tools.get(toolOf(entry))?.readsOutside === true);
}

/** Signs a body as the next entry of a history and returns it with its link. */
export function signEntry(history: History, keys: KeySet, body: JsonObject): { entry: JsonObject; link: Buffer } {
  const link = nextLink(linkAt(history, history.entries.length - 1), history.entries.at(-1), body);
  return { entry: new Map([...body, ["token", makeToken(keys, tokenMessage(link))]]), link };
}

/** The history as a document. */
export function historyDocument(history: History): JsonObject {
  const document: JsonObject = new Map<string, Json>([["format", "qls-history/1"], ["session", history.session], ["entries", history.entries]]);
  if (history.reports.size > 0) document.set("reports", history.reports);
  return document;
}

export class ReportRefused extends Error {
  constructor(readonly code: string, readonly pointer = "") { super(code); }
}

export interface Report { step: number; status: string; result?: Json; external_id?: Json; at?: number }

/** Adds an outcome (chapter 3, Reporting); throws ReportRefused with the code that the chapter names. */
export function report(policy: Policy, keys: KeySet, history: History, told: Report): History {
  const entry = history.entries[told.step];
  if (entry === undefined) throw new ReportRefused("outcome_no_step");
  if (!isAllowed(entry)) throw new ReportRefused("outcome_not_allowed");
  if (reported(history, told.step) !== null) throw new ReportRefused("outcome_already_reported");
  const scope = scopeOf(policy, keys, history.session);
  const outcome: JsonObject = new Map<string, Json>([["status", told.status]]);
  if (told.at !== undefined) outcome.set("at", json(told.at));
  if (told.result !== undefined) outcome.set("result", resultDigests(scope, told.result));
  if (told.external_id !== undefined) outcome.set("external_id", argumentDigest(scope, told.external_id));
  if (told.step === history.entries.length - 1) {
    const entries = [...history.entries];
    entries[told.step] = new Map([...entry, ["outcome", outcome]]);
    return { ...history, entries };
  }
  return { ...history, reports: new Map([...history.reports, [String(told.step), outcome]]) };
}

/** Digests of the top-level fields; a field that holds an inexact number is left out (chapter 1, Numbers). */
function resultDigests(scope: DigestScope, result: Json): JsonObject {
  const out: JsonObject = new Map();
  for (const [field, value] of isObject(result) ? result : []) {
    if (!holdsInexact(value)) out.set(field, argumentDigest(scope, value));
  }
  return out;
}

function holdsInexact(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsInexact);
  if (isObject(value)) return [...value.values()].some(holdsInexact);
  return value !== null && typeof value === "object" && "inexact" in value && value.inexact;
}

/** The raw bytes of a link as a document carries it; null where malformed. */
export function linkBytes(value: Json | undefined): Buffer | null {
  return typeof value === "string" ? fromB64u(value) : null;
}
