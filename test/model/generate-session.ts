// The state of one generated session: how its lines are written, its checks sent, and its answers taken over.
import type { Driver } from "./driver.ts";
import { makeKeys, type MadeKeys, type PlainObject } from "./generate-policy.ts";
import { makeCall, print, type Circumstances, type Printed, type Reported, type RequestLine } from "./generate-call.ts";
import { headOf, historyDocument, type Head } from "./history.ts";
import { canonical, isObject, NO_LIMITS, read, type Json, type JsonObject } from "./json.ts";
import type { Random } from "./random.ts";

export interface Answered { lines: string[]; answers: string[] }

/** When the sessions' licences and clocks begin, in seconds. */
export const START = 1764445000;

interface Question { token: string; request: RequestLine; at: number }
export interface Past { history: Json; head: Head; steps: number }

/** Keys, a policy, and one growing history with what was asked, allowed and reported in it. */
export class SessionState {
  readonly policyName: string;
  readonly keysName: string;
  readonly session: string;
  keys: MadeKeys;
  policy: PlainObject = {};
  now = START + 5;
  history: JsonObject | undefined;
  head: Head | null = null;
  entries: JsonObject[] = [];
  results: Reported[] = [];
  told = new Set<number>(); // steps with an outcome
  questions: Question[] = [];
  past: Past[] = [];
  handle: string | null = null;
  /** The last calls that were allowed, by step. */
  calls = new Map<number, RequestLine>();
  principal: Printed | undefined;

  constructor(readonly r: Random, readonly driver: Driver, readonly out: Answered, readonly index: number) {
    this.policyName = `p${index}`;
    this.keysName = `k${index}`;
    this.session = r.pick(["chat-17", `run ${index}`, "séance", "s/1"]);
    this.keys = makeKeys(r, START);
    this.principal = r.weighted<Printed | undefined>([[6, { id: "u-1", roles: ["manager"] }], [2, { id: "u-1" }], [1, undefined], [1, { id: "ü-2" }]]);
  }

  /** Writes one line and returns its answer. */
  line(members: { [name: string]: Printed | undefined }): JsonObject {
    return read(Buffer.from(this.write(print({ id: this.out.lines.length + 1, ...members })), "utf8"), NO_LIMITS) as JsonObject;
  }

  write(text: string): string {
    const answer = this.driver.answer(text);
    this.out.lines.push(text);
    this.out.answers.push(answer);
    return answer;
  }

  ok(members: { [name: string]: Printed | undefined }): JsonObject | null {
    const ok = this.line(members).get("ok");
    return isObject(ok) ? ok : null;
  }

  circumstances(tool: string): Circumstances {
    const agents = Object.keys(this.policy.agents as PlainObject);
    const agent = agents.length > 1 || this.r.chance(0.7) ? this.r.pick(["desk", ...agents]) : undefined;
    const settings = (this.policy.settings ?? {}) as PlainObject;
    return {
      tool, session: this.session, agent, now: this.now, language: String(settings.language ?? "en"),
      results: this.results, steps: this.entries.length, principal: this.principal,
    };
  }

  tools(): string[] {
    return (this.policy.tools as PlainObject[]).map((tool) => tool.name as string);
  }

  /** Sends a check over the session's history (or handle), and takes over what it answers. */
  check(request: RequestLine, history: Json | undefined = this.history, head: Head | null | undefined = undefined): JsonObject | null {
    const { r } = this;
    const sent: RequestLine = { ...request };
    if (head !== undefined) sent.head = head === null ? undefined : { ...head };
    else if (this.head !== null && (r.chance(0.4) || this.needsHead())) sent.head = { ...this.head };
    else if (this.needsHead() && r.chance(0.9)) sent.head = this.firstHead();
    const byHandle = this.handle !== null && history === this.history && r.chance(0.8);
    let ok: JsonObject | null;
    if (byHandle) ok = this.ok({ op: "check", handle: this.handle as string, request: sent });
    else {
      if (history !== undefined) sent.history = printed(history);
      const line = { op: "check", policy: this.policyName, keys: this.keysName };
      ok = r.chance(0.95) ? this.ok({ ...line, request: sent }) : this.ok({ ...line, base64: Buffer.from(print(sent)).toString("base64") });
    }
    if (ok === null) return null;
    if (!byHandle && this.handle !== null) this.closeHandle();
    this.take(sent, ok);
    return ok;
  }

  needsHead(): boolean {
    return ((this.policy.settings ?? {}) as PlainObject).head === "required";
  }

  firstHead(): Printed {
    const verified = this.ok({ op: "verify", policy: this.policyName, keys: this.keysName, session: this.session, history: this.history === undefined ? undefined : printed(this.history) });
    const head = verified?.get("head");
    return isObject(head) ? printed(head) : undefined as unknown as Printed;
  }

  /** Takes over the history that an answer made. */
  take(request: RequestLine, ok: JsonObject): void {
    const made = this.driver.lastHistory;
    const entry = ok.get("entry");
    if (made === null || !isObject(entry)) return;
    if (entry.get("restarted") === true) {
      this.results = [];
      this.told.clear();
      this.calls.clear();
      this.past = [];
    }
    this.keep(historyDocument(made), headOf(made), made.entries);
    const step = (ok.get("step") as { value: number } | null)?.value ?? 0;
    const call = { ...request, history: undefined, head: undefined };
    if (ok.get("decision") === "allow") this.calls.set(step, call);
    const token = ok.get("confirmation");
    if (typeof token === "string") this.questions.push({ token, request: call, at: this.now });
  }

  keep(history: JsonObject, head: Head, entries: JsonObject[]): void {
    this.history = history;
    this.head = head;
    this.entries = entries;
    this.past.push({ history, head, steps: entries.length });
  }

  isSigned(): boolean {
    const approval = ((this.policy.settings ?? {}) as PlainObject).approval;
    return isPlainObject(approval) && approval.mode === "signed";
  }

  other(): RequestLine {
    const c = this.circumstances(this.r.pick(this.tools()));
    return makeCall(this.r, c);
  }

  allowedSteps(): number[] {
    return this.entries.flatMap((entry, step) => (entry.get("decision") === "allow" ? [step] : []));
  }

  /** The history as a line sends it: an empty one where there is none yet. */
  sentHistory(): Printed {
    return this.history === undefined ? { format: "qls-history/1", session: this.session, entries: [] } : printed(this.history);
  }

  resultOf(tool: string): { [name: string]: Printed } {
    const { r } = this;
    if (tool === "get_order") return { order_id: r.pick(["4411", "4412"]), total: 40, amount: 40, email: "ana@example.com" };
    if (tool === "charge_card") return { charge_id: "ch_1", order_id: "4411", ...(r.chance(0.1) ? { big: [9007199254740992, { n: 1 }] } : {}) };
    return { order_id: "4411", subject: "hi", ...(r.chance(0.2) ? { body: null } : {}) };
  }

  reportStep(step: number, tool: string, status = "ran"): void {
    const result = this.r.chance(0.7) ? this.resultOf(tool) : undefined;
    if (this.handle !== null) this.closeHandle();
    const ok = this.ok({ op: "report", policy: this.policyName, keys: this.keysName, session: this.session, history: this.sentHistory(), step, status, result });
    const made = this.driver.lastHistory;
    if (ok !== null && made !== null) {
      this.told.add(step);
      this.keep(historyDocument(made), headOf(made), made.entries);
      if (status === "ran") for (const [field, value] of Object.entries(result ?? {})) this.results.push({ step, field, value });
    }
  }

  closeHandle(): void {
    this.line({ op: "close", name: this.handle as string });
    this.handle = null;
  }
}

export function isPlainObject(value: unknown): value is PlainObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A model value as plain data that prints the same. */
export function printed(value: Json): Printed {
  return JSON.parse(canonical(value)) as Printed;
}
