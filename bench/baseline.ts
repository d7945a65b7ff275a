// The peer: the same decision written by hand for this one policy, tuned. Generated validators, one-shot hashes into one buffer, loops, printing in known order.
//
// It reads a request (chapter 4), verifies the history it carries (chapter 3: form, links, every token), checks arguments, destinations, order rules, rules and
// marks, makes the entry, links and signs it and prints the answer. What the benchmark's requests do not reach (undo, confirmations, heads, restarts) is left
// out, which favours it; a request that needs it throws.

/** One-shot hashing of a view's bytes; the digest comes as a latin-1 string, the form that node:crypto hands over fastest. */
export interface Hashes {
  sha256(message: Uint8Array): string;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };

interface Entry {
  agent: string | null; approved_by?: string[]; approves?: number; arguments: Record<string, string>; at: number; decision: string; digest: string; evidence: string;
  labels: string[]; origins: Record<string, string>; outcome?: Outcome; outside?: true; policy: string; principal: string | null; reason: string; reasons: string[];
  reports?: Record<string, Outcome>; restarted?: true; snapshot?: string; step: number; token: string; tool: string; undoes?: number;
}
interface Outcome { at?: number; external_id?: string; result?: Record<string, string>; status: string }
interface Request {
  agent: string; arguments: Members; confirmation?: string; context?: Record<string, boolean>; explain?: boolean; format: string; head?: Json;
  history?: { entries: Entry[]; format: string; reports?: Json; session: string }; labels?: Json; now: number; origins?: Record<string, string>;
  principal?: Members; resource?: Members; session: string; tool: string; turns?: string[]; undo?: Json; approvals?: Json;
}

/** What a rule sees. */
export interface Facts {
  args: Members; agent: string; tool: string; facts: Record<string, boolean>; principal: Members; resource: Members;
  allowed(tool: string): number; ran(tool: string): number; allowedWithin(tool: string, seconds: number): number;
}
export interface Rule { id: string; kind: "allow_if" | "refuse_if" | "ask_if"; because?: string; flow: string; holds(facts: Facts): boolean }

export interface Tool {
  name: string; write: boolean; snapshot: string; readsOutside: boolean; declared: Set<string>;
  /** A generated validator. */
  fits(args: Members): boolean;
  after: string[]; notAfter: string[]; atMost: number;
  rules: Rule[];
}
export interface Loaded {
  policy: string; tenant: string; tools: Map<string, Tool>; agents: Set<string>; kid: string;
  signing: Uint8Array; digests: Uint8Array;
  /** A generated validator of a request's members, the history aside. */
  isRequest(value: unknown): boolean;
  /** Decides the rules in another engine: the first refusing rule, or null. Absent: `Tool.rules` as functions. */
  gate?(tool: Tool, facts: Facts): Rule | null;
}

const ROOM = 1 << 20;
const STATUSES = new Set(["ran", "failed", "outcome_unknown", "compensated"]);
const DESTINATION = /:\/\/|[^\s@]@[^\s@]|\\\\[^\s\\]|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[a-z0-9-]+\.(?:com|net|org|io|dev|app|info|biz|co|ai|example|br|de|uk|fr)\b/i;
const ESCAPED = /["\\\u0000-\u001f]/;
const INEXACT = /[0-9]{16}|[0-9][eE]/;

/** A canonical JSON string. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

/** The canonical text of a value. */
function canonical(value: Json): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "0" : String(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += (i === 0 ? "" : ",") + canonical(value[i]!);
    return text + "]";
  }
  const names = Object.keys(value);
  if (!ascending(names)) names.sort();
  let text = "{";
  for (let i = 0; i < names.length; i++) text += (i === 0 ? "" : ",") + quoted(names[i]!) + ":" + canonical(value[names[i]!]!);
  return text + "}";
}

function ascending(names: string[]): boolean {
  for (let i = 1; i < names.length; i++) if (names[i - 1]! >= names[i]!) return false;
  return true;
}

/** The printed members of one entry but `outcome` and `token`, in canonical order. */
function bodyText(e: Entry): string {
  let text = `{"agent":${e.agent === null ? "null" : quoted(e.agent)}`;
  if (e.approved_by !== undefined) text += `,"approved_by":${canonical(e.approved_by)}`;
  if (e.approves !== undefined) text += `,"approves":${e.approves}`;
  text += `,"arguments":${canonical(e.arguments)},"at":${e.at},"decision":"${e.decision}","digest":"${e.digest}","evidence":"${e.evidence}","labels":`;
  text += e.labels.length === 0 ? "[]" : canonical(e.labels);
  text += `,"origins":${canonical(e.origins)}`;
  if (e.outside === true) text += ',"outside":true';
  text += `,"policy":"${e.policy}","principal":${e.principal === null ? "null" : `"${e.principal}"`},"reason":${quoted(e.reason)},"reasons":${canonical(e.reasons)}`;
  if (e.reports !== undefined) text += `,"reports":${canonical(e.reports as unknown as Json)}`;
  if (e.restarted === true) text += ',"restarted":true';
  if (e.snapshot !== undefined) text += `,"snapshot":"${e.snapshot}"`;
  text += `,"step":${e.step},"tool":${quoted(e.tool)}`;
  if (e.undoes !== undefined) text += `,"undoes":${e.undoes}`;
  return text + "}";
}

function outcomeText(o: Outcome | undefined): string {
  if (o === undefined) return "null";
  let text = "{";
  if (o.at !== undefined) text += `"at":${o.at},`;
  if (o.external_id !== undefined) text += `"external_id":"${o.external_id}",`;
  if (o.result !== undefined) text += `"result":${canonical(o.result)},`;
  return text + `"status":"${o.status}"}`;
}

const isWhole = (n: unknown): boolean => typeof n === "number" && Number.isSafeInteger(n);

/** Whether a text is 43 letters of strict base64url: the last letter's low two bits are zero. */
function isDigest(text: unknown): boolean {
  if (typeof text !== "string" || text.length !== 43) return false;
  for (let i = 0; i < 43; i++) {
    const c = text.charCodeAt(i);
    if (!((c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 45 || c === 95)) return false;
  }
  return "AEIMQUYcgkosw048".includes(text[42]!);
}

function areDigests(map: unknown): boolean {
  if (typeof map !== "object" || map === null || Array.isArray(map)) return false;
  for (const name in map) if (!isDigest((map as Members)[name])) return false;
  return true;
}

function isSorted(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) if (typeof list[i] !== "string" || (i > 0 && list[i - 1] >= list[i])) return false;
  return true;
}

function isOutcome(o: unknown): boolean {
  if (typeof o !== "object" || o === null) return false;
  for (const name in o) {
    const value = (o as Members)[name];
    if (name === "status") { if (!STATUSES.has(value as string)) return false; }
    else if (name === "at") { if (!isWhole(value)) return false; }
    else if (name === "external_id") { if (!isDigest(value)) return false; }
    else if (name === "result") { if (!areDigests(value)) return false; }
    else return false;
  }
  return (o as Members)["status"] !== undefined;
}

/** Whether the members of an entry are those of chapter 3 and of their types. */
function isEntry(e: Entry, step: number): boolean {
  let known = 0;
  for (const name in e) {
    switch (name) {
      case "agent": if (e.agent !== null && typeof e.agent !== "string") return false; known++; break;
      case "arguments": if (!areDigests(e.arguments)) return false; known++; break;
      case "at": if (!isWhole(e.at)) return false; known++; break;
      case "decision": if (e.decision !== "allow" && e.decision !== "confirm" && e.decision !== "refuse") return false; known++; break;
      case "digest": if (!isDigest(e.digest)) return false; known++; break;
      case "evidence": if (!isDigest(e.evidence)) return false; known++; break;
      case "labels": if (!isSorted(e.labels)) return false; known++; break;
      case "origins": if (typeof e.origins !== "object" || e.origins === null) return false; known++; break;
      case "policy": if (!isDigest(e.policy)) return false; known++; break;
      case "principal": if (e.principal !== null && !isDigest(e.principal)) return false; known++; break;
      case "reason": if (typeof e.reason !== "string") return false; known++; break;
      case "reasons": if (!Array.isArray(e.reasons) || e.reasons.length === 0) return false; known++; break;
      case "step": if (e.step !== step) return false; known++; break;
      case "token": if (typeof e.token !== "string") return false; known++; break;
      case "tool": if (typeof e.tool !== "string") return false; known++; break;
      case "approved_by": if (!isSorted(e.approved_by)) return false; break;
      case "approves": if (!isWhole(e.approves)) return false; break;
      case "outcome": if (e.decision !== "allow" || !isOutcome(e.outcome)) return false; break;
      case "outside": if (e.outside !== true) return false; break;
      case "reports": if (typeof e.reports !== "object" || e.reports === null) return false; break;
      case "restarted": if (e.restarted !== true) return false; break;
      case "snapshot": if (!isDigest(e.snapshot)) return false; break;
      case "undoes": if (!isWhole(e.undoes)) return false; break;
      default: return false;
    }
  }
  if (known !== 15 || e.reasons[0] !== e.reason) return false;
  for (const reason of e.reasons) if (typeof reason !== "string") return false;
  let names = 0;
  for (const name in e.origins) {
    if (e.arguments[name] === undefined || typeof e.origins[name] !== "string") return false;
    names++;
  }
  for (const name in e.arguments) if (e.origins[name] !== undefined) names--;
  return names === 0;
}

/** HMAC-SHA-256 under one key: the padded keys stand before the room for messages, so that each MAC is two one-shot hashes. */
class Mac {
  private inner = Buffer.alloc(64 + 4096);
  private outer = Buffer.alloc(96);
  constructor(private hashes: Hashes, key: Uint8Array | string) {
    const raw = typeof key === "string" ? Buffer.from(key, "latin1") : key;
    for (let i = 0; i < 64; i++) {
      const byte = i < raw.length ? raw[i]! : 0;
      this.inner[i] = byte ^ 0x36;
      this.outer[i] = byte ^ 0x5c;
    }
  }
  /** Where a message of up to `length` bytes goes: at 64 of what this returns. */
  room(length: number): Buffer {
    if (64 + length > this.inner.length) {
      const wider = Buffer.allocUnsafe(2 * length + 64);
      this.inner.copy(wider, 0, 0, 64);
      this.inner = wider;
    }
    return this.inner;
  }
  end(length: number): string {
    this.outer.latin1Write(this.hashes.sha256(this.inner.subarray(0, 64 + length)), 64, 32);
    return this.hashes.sha256(this.outer);
  }
  /** The MAC of a text. */
  ofText(text: string): string {
    const room = this.room(text.length * 3);
    return this.end(room.utf8Write(text, 64, room.length - 64));
  }
}

const base64url = (latin1: string): string => Buffer.from(latin1, "latin1").base64urlSlice(0, 32);

/** What the history says, gathered while it is verified. */
class Past {
  link = "";
  token = "";
  outcome = "null";
  at = -Infinity;
  entries: Entry[] = [];
  times = new Map<string, number[]>();
  ranCounts = new Map<string, number>();
  failedCounts = new Map<string, number>();
  outside = false;
  restarted = false;
}

export class Baseline {
  private message = Buffer.alloc(ROOM);
  private tokens: Mac;
  private scope: Mac;

  constructor(private loaded: Loaded, private hashes: Hashes, private everyToken = true) {
    this.tokens = new Mac(hashes, loaded.signing);
    this.scope = new Mac(hashes, loaded.digests);
  }

  /** Writes a link's message and hashes it. Texts that are latin-1 are written as such. */
  private linkOf(past: Past, body: string): string {
    const prev = past.entries.length === 0 ? "{}" : `{"outcome":${past.outcome},"token":"${past.token}"}`;
    const message = this.message;
    let at = message.latin1Write("qls-link/1\n", 0, 11);
    at += message.latin1Write(past.link, at, 32);
    at += message.utf8Write(prev + "\n" + body, at, ROOM - at);
    return this.hashes.sha256(message.subarray(0, at));
  }

  private tokenOf(link: string): string {
    const room = this.tokens.room(44);
    room.latin1Write("qls-token/1\n", 64, 12);
    room.latin1Write(link, 76, 32);
    return `${this.loaded.kid}.${base64url(this.tokens.end(44))}`;
  }

  private begin(session: string): Past {
    const past = new Past();
    past.link = this.hashes.sha256(Buffer.from(`qls-history/1\n{"session":${quoted(session)},"tenant":${quoted(this.loaded.tenant)}}`));
    return past;
  }

  /** Verifies a history; null where it does not. */
  private verify(request: Request, principal: string | null): Past | null {
    const past = this.begin(request.session);
    const history = request.history;
    if (history === undefined) return past;
    if (history.format !== "qls-history/1" || history.session !== request.session || !Array.isArray(history.entries) || history.entries.length > 10000) return null;
    for (const name in history) if (name !== "format" && name !== "session" && name !== "entries") return null;
    const entries = history.entries;
    const last = entries.length - 1;
    for (let step = 0; step <= last; step++) {
      const entry = entries[step]!;
      if (!isEntry(entry, step) || entry.at < past.at || entry.principal !== principal) return null;
      past.link = this.linkOf(past, bodyText(entry));
      if ((this.everyToken || step === last) && this.tokenOf(past.link) !== entry.token) return null;
      past.token = entry.token;
      past.outcome = outcomeText(entry.outcome);
      past.at = entry.at;
      past.entries.push(entry);
      if (entry.decision === "allow") this.count(past, entry);
    }
    return past;
  }

  private count(past: Past, entry: Entry): void {
    const times = past.times.get(entry.tool);
    if (times === undefined) past.times.set(entry.tool, [entry.at]);
    else times.push(entry.at);
    if (entry.outside === true || this.loaded.tools.get(entry.tool)?.readsOutside === true) past.outside = true;
    if (entry.undoes !== undefined || entry.reports !== undefined) throw new Error("not in this benchmark");
    const status = entry.outcome?.status;
    if (status === "ran") past.ranCounts.set(entry.tool, (past.ranCounts.get(entry.tool) ?? 0) + 1);
    else if (status === "failed") past.failedCounts.set(entry.tool, (past.failedCounts.get(entry.tool) ?? 0) + 1);
  }

  /** Whether a turn holds a value, with neither side a letter or digit. */
  private typed(value: Json, turns: string[], taken: Set<string>): boolean {
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
    if (text === "") return false;
    for (let t = 0; t < turns.length; t++) {
      const turn = turns[t]!;
      for (let at = turn.indexOf(text); at >= 0; at = turn.indexOf(text, at + 1)) {
        if (isWordAt(turn, at - 1) || isWordAt(turn, at + text.length) || taken.has(`${t}:${at}`)) continue;
        taken.add(`${t}:${at}`);
        return true;
      }
    }
    return false;
  }

  /** The chain step alone: reads a request's text and verifies its history. */
  verifyText(text: string): boolean {
    const request = JSON.parse(text) as Request;
    return this.verify(request, request.history!.entries[0]!.principal) !== null;
  }

  /** Decides a request's text; the answer's text. */
  check(text: string): string {
    const request = JSON.parse(text) as Request;
    if (!this.loaded.isRequest(request)) throw new Error("request_invalid");
    if (request.undo !== undefined || request.confirmation !== undefined || request.head !== undefined || request.labels !== undefined) throw new Error("not in this benchmark");
    const args = request.arguments;
    const argsText = canonical(args);
    const digests = new Mac(this.hashes, this.scope.ofText(`qls-digest-key/1\n{"session":${quoted(request.session)},"tenant":${quoted(this.loaded.tenant)}}`));
    const digest = (canonicalText: string): string => base64url(digests.ofText("qls-argument/1\n" + canonicalText));
    const id = request.principal?.["id"];
    const principal = id === undefined ? null : digest(canonical(id));
    const past = this.verify(request, principal);
    if (past === null) throw new Error("history_invalid: not in this benchmark");
    const at = Math.max(request.now, past.at);
    const tool = this.loaded.tools.get(request.tool);
    if (tool === undefined || !this.loaded.agents.has(request.agent)) throw new Error("unknown_tool: not in this benchmark");

    const names = Object.keys(args);
    if (!ascending(names)) names.sort();
    const origins = request.origins ?? {};
    const taken = new Set<string>();
    const typed = new Set<string>();
    for (const name of names) if (origins[name] === "typed" && this.typed(args[name]!, request.turns ?? [], taken)) typed.add(name);
    const marks: string[] = [];

    let reason = "allow";
    let detail = "";
    // Digits past a double's precision can only be seen in the text.
    if (INEXACT.test(argsText) && namesInexact(args)) throw new Error("precision: not in this benchmark");
    if (!tool.fits(args)) throw new Error("argument_schema: not in this benchmark");
    if (holdsDestination(args)) throw new Error("undeclared_destination: not in this benchmark");
    const facts: Facts = {
      args, agent: request.agent, tool: request.tool, facts: request.context ?? {}, principal: request.principal ?? {}, resource: request.resource ?? {},
      allowed: (name) => past.times.get(name)?.length ?? 0,
      ran: (name) => past.ranCounts.get(name) ?? 0,
      allowedWithin: (name, seconds) => {
        const times = past.times.get(name);
        if (times === undefined) return 0;
        let count = 0;
        for (let i = times.length - 1; i >= 0 && times[i]! >= at - seconds; i--) count++;
        return count;
      },
    };
    for (const after of tool.after) if (facts.ran(after) === 0) { reason = "order_rule"; detail = `{"rule":${quoted("after " + after)}}`; }
    if (reason === "allow") for (const other of tool.notAfter) if (facts.allowed(other) !== 0) { reason = "order_rule"; detail = `{"rule":${quoted("not_after " + other)}}`; }
    if (reason === "allow" && tool.atMost > 0 && facts.allowed(tool.name) - (past.failedCounts.get(tool.name) ?? 0) >= tool.atMost) {
      reason = "order_rule";
      detail = `{"rule":"at_most ${tool.atMost}"}`;
    }
    if (reason === "allow") {
      const refusing = this.loaded.gate !== undefined ? this.loaded.gate(tool, facts) : firstRefusal(tool, facts);
      if (refusing !== null) {
        reason = refusing.id;
        detail = `{${refusing.because === undefined ? "" : `"because":${quoted(refusing.because)},`}"flow":${quoted(refusing.flow)},"rule":${quoted(refusing.id)}}`;
      }
    }
    if (reason === "allow" && tool.write) throw new Error("confirm: not in this benchmark");
    const decision = reason === "allow" ? "allow" : "refuse";

    let argumentDigests = "{";
    let originTexts = "{";
    for (const name of names) {
      if (!tool.declared.has(name)) continue;
      const comma = argumentDigests.length === 1 ? "" : ",";
      argumentDigests += `${comma}${quoted(name)}:"${digest(canonical(args[name]!))}"`;
      originTexts += `${comma}${quoted(name)}:${quoted(origins[name] ?? "model")}`;
    }
    let evidence = "{";
    if (request.context !== undefined) evidence += `"context":${canonical(request.context)}`;
    if (request.principal !== undefined) evidence += `,"principal":${canonical(request.principal)}`;
    if (request.resource !== undefined) evidence += `,"resource":${canonical(request.resource)}`;
    if (request.turns !== undefined) evidence += `,"turns":${canonical(request.turns)}`;
    const step = past.entries.length;
    const front = `{"agent":${quoted(request.agent)},"arguments":${argumentDigests}},"at":${at},"decision":"${decision}","digest":"${digest(argsText)}","evidence":"${digest(evidence + "}")}","labels":${canonical(marks)},"origins":${originTexts}}${tool.readsOutside ? ',"outside":true' : ""},"policy":"${this.loaded.policy}","principal":${principal === null ? "null" : `"${principal}"`},"reason":${quoted(reason)},"reasons":[${quoted(reason)}],"snapshot":"${tool.snapshot}","step":${step}`;
    const back = `,"tool":${quoted(tool.name)}}`;
    const link = this.linkOf(past, front + back);
    const entry = `${front},"token":"${this.tokenOf(link)}"${back}`;
    return `{${decision === "allow" ? `"arguments":${argsText},` : ""}"decision":"${decision}"${detail === "" ? "" : `,"detail":${detail}`},"entry":${entry},"format":"qls-tool-check/1","link":"${base64url(link)}","policy":"${this.loaded.policy}","reason":${quoted(reason)},"reasons":[${quoted(reason)}],"step":${step}}`;
  }
}

function firstRefusal(tool: Tool, facts: Facts): Rule | null {
  for (const rule of tool.rules) {
    let value = false;
    let failed = false;
    try {
      value = rule.holds(facts);
    } catch {
      failed = true;
    }
    if (rule.kind === "ask_if") {
      if (failed || value) throw new Error("confirm: not in this benchmark");
    } else if (failed || value !== (rule.kind === "allow_if")) return rule;
  }
  return null;
}

function isWordAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const c = text.charCodeAt(at);
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || (c >= 0x80 && /[\p{L}\p{N}]/u.test(text[at]!));
}

function namesInexact(value: Json): boolean {
  if (typeof value === "number") return !Number.isSafeInteger(value) && Number.isInteger(value);
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some(namesInexact);
}

/** Whether a string in a value, property names included, holds a destination. */
function holdsDestination(value: Json): boolean {
  if (typeof value === "string") return DESTINATION.test(value);
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (holdsDestination(value[i]!)) return true;
    return false;
  }
  for (const name in value) if (DESTINATION.test(name) || holdsDestination(value[name]!)) return true;
  return false;
}
