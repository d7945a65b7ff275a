// An agent without a model: it reads a turn, checks each step of the plan, asks a person, runs what is allowed, and reports what became of it.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from "./client.ts";
import { InterlockError } from "./errors.ts";
import { type JsonObject, jsonText, objectText, RawJson } from "./json.ts";
import type { Plan, PlanStep } from "./plan.ts";
import { fieldsOf, type Reply, refusedText, type StepReply, stepsReply, unrunReply, wentOn } from "./reply.ts";
import { type Arguments, type CallOptions, refuseUnknown, type Status } from "./request.ts";
import type { Session, SessionOptions } from "./session.ts";
import type { Question, ToolCheck } from "./tool-check.ts";
import { type Awaitable, aborted, coded, failed, refuseAborted, unlessAborted } from "./waiting.ts";

/** A call that the check allowed: its entry is in the history, and it is to run now, once. */
export interface AllowedCall {
  readonly tool: string;
  /** What was checked; nothing else may run. */
  readonly arguments: Record<string, unknown>;
  /** The same as canonical JSON text, every digit kept. */
  readonly argumentsText: string;
  /** Its entry in the history. With the session's id it names this attempt, for an idempotency key. */
  readonly step: number;
  readonly check: ToolCheck;
  /** Aborted when nobody waits for the call any longer; its outcome is then reported as unknown. */
  readonly signal: AbortSignal;
}

/** What the executor says of a call. */
export interface Executed {
  /** `ran` unless given. `failed` says that it did not happen and changed nothing; where that is not certain, it is `outcome_unknown`. */
  readonly status?: "ran" | "failed" | "outcome_unknown" | undefined;
  /** What it returned; later steps may take its fields. The history gets digests of them. */
  readonly result?: Readonly<Record<string, unknown>> | RawJson | undefined;
  /** The tool's own id of the call; kept as a digest. */
  readonly externalId?: string | undefined;
  /** What to tell the person; the result's text unless given. */
  readonly text?: string | undefined;
}

/** What a person is asked. */
export interface Asked {
  readonly tool: string;
  /** What reading the turn left in doubt, of a plan whose outcome is `confirm`; until a yes to it nothing of the plan runs. */
  readonly doubt?: string;
  /** What the check asks about the call (chapter 4); absent where only the doubt is asked about. */
  readonly question?: Question;
  /** The token that signed approvals are about (chapter 3). */
  readonly confirmation?: string;
  /** The plan, and the step's place in it; absent of a call or undo that is in no plan. */
  readonly plan?: Plan;
  readonly at?: number;
  /** Aborted when the answer is no longer waited for. */
  readonly signal: AbortSignal;
}

/**
 * A person's answer: `true` is a yes, `false` a no. Where the policy's `approval.mode` is `signed`, `{approvals}` is what was
 * signed, yes or no, and the check reads it. Anything else is no answer, and nothing runs.
 */
export type Approval = boolean | { readonly approvals: readonly string[] };

/** What the host knows about a call (chapter 4): facts, what it looked up, and marks. */
export type Evidence = Pick<CallOptions, "context" | "resource" | "labels">;

/** How an agent is made. */
export interface AgentOptions extends SessionOptions {
  /** Runs an allowed call, once. Where it throws, whether the call ran is not known: it is reported as `outcome_unknown`. */
  execute: (call: AllowedCall) => Awaitable<Executed | undefined | void>;
  /** Asks a person. Without it whatever needs a person does not run. */
  approve?: ((asked: Asked) => Awaitable<Approval | undefined | void>) | undefined;
  /** The longest plan that is taken, in steps; 100 unless given. Each check reads the whole turn for what was typed, so a long turn of many steps costs their product. */
  maxSteps?: number | undefined;
  /** How long a person's answer is waited for, in seconds; for ever unless given. */
  answerWithin?: number | undefined;
  /** Looks up what the check has to know; asked before every check, so again after a person's answer. Where it throws, nothing runs. */
  evidence?: ((call: { readonly tool: string; readonly arguments: Arguments }) => Awaitable<Evidence>) | undefined;
}

/** What one turn, call or undo may bring. */
export interface ChatOptions {
  /** `en` or `pt-BR`, for `chat`; the policy's setting unless given. */
  language?: string | undefined;
  /** Stops it: what waits is given up, what was given to the executor is reported as `outcome_unknown`, and nothing more runs. */
  signal?: AbortSignal | undefined;
}

const AGENT_OPTIONS: ReadonlySet<string> = new Set<keyof AgentOptions>(["execute", "approve", "answerWithin", "maxSteps", "evidence", "session", "history", "principal", "turns"]);
const CHAT_OPTIONS: ReadonlySet<string> = new Set<keyof ChatOptions>(["language", "signal"]);
const CALL_OPTIONS: ReadonlySet<string> = new Set(["origins", "signal"]);
const UNDO_OPTIONS: ReadonlySet<string> = new Set(["signal"]);
const EVIDENCE: ReadonlySet<string> = new Set<keyof Evidence>(["context", "resource", "labels"]);
const EXECUTED: ReadonlySet<string> = new Set<keyof Executed>(["status", "result", "externalId", "text"]);
const MAX_STEPS = 100;
const ENDS: ReadonlySet<unknown> = new Set<Executed["status"]>([undefined, "ran", "failed", "outcome_unknown"]);

/** What of the compiled policy (chapter 2) an agent goes by. */
interface Rules {
  tools: { name: string; effect: "read" | "write"; undo?: { tool: string; bind?: Record<string, string> } }[];
  settings: { unread: string; approval: { mode: string } };
}

/** A call on its way. */
interface Wanted {
  tool: string;
  args: Arguments;
  origins: Readonly<Record<string, string>>;
  undo?: number;
  place: Pick<Asked, "plan" | "at" | "doubt">;
}

/** What an undo takes its arguments from. */
interface Undoable {
  tool: string;
  arguments: ReadonlyMap<string, unknown>;
  result: ReadonlyMap<string, unknown>;
  origins: Readonly<Record<string, string>>;
}

type Taken = StepReply & { fields?: ReadonlyMap<string, unknown> };

/**
 * One conversation with an agent that has no model: turns are read (chapter 6), each call is checked (chapter 4), and what is allowed runs through `execute`.
 * Turns, calls and undos of one agent are taken one after the other, in the order they were asked for; so neither `execute` nor `approve` may wait for another
 * `chat` of the same agent.
 */
export class Agent {
  /** The session: its history, its turns. Calls checked past the agent while a person is asked may take the answer's cover away. */
  readonly session: Session;
  readonly #options: AgentOptions;
  readonly #rules: Rules;
  readonly #undoable = new Map<number, Undoable>();
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param name the policy's agent; may be undefined where the policy has one
   * @throws InterlockError `request_invalid` (an option that there is not, no executor), `keys_cannot_sign` (a preview or a set that only verifies: nothing may run on it), `history_invalid`
   */
  constructor(client: Client, name: string | undefined, options: AgentOptions) {
    refuseUnknown(options ?? {}, AGENT_OPTIONS);
    for (const part of ["execute", "approve", "evidence"] as const) {
      const given: unknown = options?.[part];
      if (typeof given !== "function" && (given !== undefined || part === "execute")) throw new InterlockError("request_invalid", `${part} is a function`, { pointer: `/${part}` });
    }
    if (client.activeKey === null) throw new InterlockError("keys_cannot_sign", "the key set signs nothing, so nothing may run: give one with an active key");
    const { execute, approve, answerWithin, maxSteps, evidence, ...session } = options;
    this.#options = { execute, approve, answerWithin, maxSteps, evidence };
    this.#rules = JSON.parse(client.compiled) as Rules;
    this.session = client.session(name, session);
  }

  /**
   * Takes what the person wrote. A plan that is declined, unread or asks runs nothing; of any other the steps run in order, up to the first that does not.
   * @returns how it ended, whatever happened once the turn was read: a rejection means that nothing was checked and nothing ran
   * @throws InterlockError `request_invalid`, `json_size`, `json_surrogate` (the turn cannot be read), `plan_steps` (it has more than `maxSteps`), `aborted` (before it was), `handle_closed`
   */
  chat(turn: string, options: ChatOptions = {}): Promise<Reply> {
    return this.#inTurn(options, CHAT_OPTIONS, async (signal) => {
      if (typeof turn !== "string") throw new InterlockError("request_invalid", "a turn is a text", { pointer: "/turn" });
      const plan = this.session.read(turn, { language: options.language });
      if (plan.outcome !== "run" && plan.outcome !== "confirm") return unrunReply(plan, plan.outcome, this.#rules.settings.unread === "model");
      const most = this.#options.maxSteps ?? MAX_STEPS;
      if (plan.steps.length > most)
        throw new InterlockError("plan_steps", `the turn asks for ${plan.steps.length} steps, and at most ${most} are taken: say less at once`, { pointer: "/turn" });
      return stepsReply(plan, await this.#steps(plan, signal));
    });
  }

  /**
   * One call that something else proposes, such as a model with an unread turn: checked, asked about, run and reported as a plan's steps are.
   * @param args a plain value, or `rawJson(text)` to keep every digit of what the model wrote
   * @throws InterlockError `request_invalid` (an option that there is not), `aborted` (before it was checked)
   */
  call(tool: string, args: Arguments, options: Pick<CallOptions, "origins"> & Pick<ChatOptions, "signal"> = {}): Promise<StepReply> {
    return this.#inTurn(options, CALL_OPTIONS, (signal) => this.#perform({ tool, args, origins: options.origins ?? {}, place: {} }, signal).then(withoutFields));
  }

  /**
   * Undoes a step that this agent ran, by the undo that its tool declares, bound as the policy says (chapter 4, step 6).
   * @param step the entry in the history: `reply.steps[i].check.step`
   * @throws InterlockError `compensation_unknown` (no step that this agent ran, or its tool declares no undo), `aborted` (before it was checked)
   */
  undo(step: number, options: Pick<ChatOptions, "signal"> = {}): Promise<StepReply> {
    return this.#inTurn(options, UNDO_OPTIONS, async (signal) => {
      const done = this.#undoable.get(step);
      const undo = done === undefined ? undefined : this.#tool(done.tool)?.undo;
      if (done === undefined || undo === undefined) throw new InterlockError("compensation_unknown", `step ${step} is none that this agent ran and that has a declared undo`);
      const args = new Map<string, unknown>();
      const origins = new Map<string, string>();
      for (const [name, from] of Object.entries(undo.bind ?? {})) {
        const [place, field] = halves(from);
        const value = (place === "result" ? done.result : done.arguments).get(field);
        if (value === undefined) continue; // The check says which one is lacking.
        args.set(name, value);
        origins.set(name, place === "result" ? `result:${step}.${field}` : (done.origins[field] ?? "model"));
      }
      return withoutFields(await this.#perform({ tool: undo.tool, ...given(args, origins), undo: step, place: {} }, signal));
    });
  }

  /** Gives the session's handle up; its history stays. Anything else afterwards is the error `handle_closed`. */
  close(): void {
    this.session.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Works when what was asked for before has ended. */
  #inTurn<T>(options: { signal?: AbortSignal | undefined }, known: ReadonlySet<string>, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = options.signal ?? new AbortController().signal;
    const done = this.#last.then(() => {
      refuseUnknown(options, known);
      refuseAborted(signal);
      return work(signal);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** The plan's steps in order, up to the first that does not run. */
  async #steps(plan: Plan, signal: AbortSignal): Promise<StepReply[]> {
    const taken: Taken[] = [];
    let doubt = plan.outcome === "confirm" ? (plan.question ?? "Shall I do that?") : undefined;
    for (const [at, step] of plan.steps.entries()) {
      // A write is asked about anyway, and the doubt with it. A read might run unasked: there the doubt comes first, before an entry says that it is allowed.
      if (doubt !== undefined && this.#tool(step.tool)?.effect === "read") {
        const answer = await this.#answer({ tool: step.tool, doubt, plan, at }, signal);
        if (answer.status !== undefined) taken.push({ tool: step.tool, ...answer });
        else doubt = undefined;
      }
      if (taken.length === at) taken.push(await this.#step(step, { plan, at, ...(doubt === undefined ? {} : { doubt }) }, taken, signal));
      if (!wentOn(taken[at])) break;
      doubt = undefined;
    }
    return taken.map(withoutFields);
  }

  async #step(step: PlanStep, place: Wanted["place"], taken: readonly Taken[], signal: AbortSignal): Promise<Taken> {
    const { tool } = step;
    const args = new Map<string, unknown>(Object.entries(step.arguments));
    const origins = new Map(Object.entries(step.origins));
    for (const [name, origin] of Object.entries(step.origins)) {
      const from = /^result:(\d+)\.(.+)$/s.exec(origin);
      if (from === null) continue;
      const source = taken[Number(from[1])];
      const value = source?.fields?.get(from[2] as string);
      if (source?.check === undefined || value === undefined)
        return { tool, status: "missing", text: `${tool} did not run: ${source?.tool ?? "the step before"} gave no ${from[2]}.` };
      args.set(name, value);
      origins.set(name, `result:${source.check.step}.${from[2]}`);
    }
    return this.#perform({ tool, ...given(args, origins), place }, signal);
  }

  /** Checks a call, asks where a person must answer, and runs it where it is allowed. */
  async #perform(wanted: Wanted, signal: AbortSignal): Promise<Taken> {
    const { tool, place } = wanted;
    let check: ToolCheck | undefined;
    try {
      check = await this.#check(wanted, signal, {});
      if (check.decision === "confirm") {
        const { question, confirmation } = check;
        const asked = { tool, ...place, ...(question === undefined ? {} : { question }), ...(typeof confirmation === "string" ? { confirmation } : {}) };
        const answer = await this.#answer(asked, signal);
        if (answer.status !== undefined) return { tool, check, ...answer };
        check = await this.#check(wanted, signal, { confirmation, approvals: answer.approvals });
      }
    } catch (error) {
      const known = coded(error, `the call of ${tool} cannot be put together`);
      return { tool, status: "error", ...(check === undefined ? {} : { check }), text: `${tool} did not run: ${known.message}.`, error: known };
    }
    if (check.decision === "allow") return this.#executed(check, wanted, signal);
    if (check.decision === "refuse") return { tool, status: "refused", check, text: refusedText(tool, check) };
    const ignored = (check.detail?.["confirmation"] as JsonObject | undefined)?.["ignored"];
    return { tool, status: "unanswered", check, text: `${tool} did not run: the answer does not cover the call${typeof ignored === "string" ? ` (${ignored})` : ""}.` };
  }

  async #check({ tool, args, origins, undo }: Wanted, signal: AbortSignal, answer: Pick<CallOptions, "confirmation" | "approvals">): Promise<ToolCheck> {
    let evidence: Evidence = {};
    const look = this.#options.evidence;
    if (look !== undefined) {
      evidence = await unlessAborted(signal, () => look({ tool, arguments: args })).catch((cause: unknown) => {
        throw failed("evidence_failed", `what the check has to know about ${tool} could not be looked up`, cause);
      });
      refuseUnknown(evidence ?? {}, EVIDENCE);
    }
    refuseAborted(signal);
    return this.session.checkToolCall(tool, args, { ...evidence, ...answer, origins, undo, head: this.session.head });
  }

  /** Asks the person. Without a `status` the answer is a yes. */
  async #answer(
    asked: Omit<Asked, "signal">,
    signal: AbortSignal,
  ): Promise<{ status?: undefined; approvals?: readonly string[] } | { status: "denied" | "unanswered"; text: string; error?: InterlockError }> {
    const { approve, answerWithin } = this.#options;
    const unanswered = `${asked.tool} did not run: nobody answered.`;
    if (approve === undefined) return { status: "unanswered", text: unanswered };
    const limit = new AbortController();
    const give = () => limit.abort();
    const timer = answerWithin === undefined ? undefined : setTimeout(give, answerWithin * 1000);
    signal.addEventListener("abort", give, { once: true });
    try {
      refuseAborted(signal);
      const answer: unknown = await unlessAborted(limit.signal, () => approve({ ...asked, signal: limit.signal }));
      refuseAborted(limit.signal);
      if (answer === true) return {};
      if (answer === false) return { status: "denied", text: `${asked.tool} did not run: it was not approved.` };
      const approvals = (answer as { approvals?: unknown } | null | undefined)?.approvals;
      const signed = this.#rules.settings.approval.mode === "signed" && asked.question !== undefined;
      return signed && Array.isArray(approvals) && approvals.length > 0 ? { approvals: approvals as string[] } : { status: "unanswered", text: unanswered };
    } catch (cause) {
      return { status: "unanswered", text: unanswered, error: failed("approver_failed", `whoever is asked about ${asked.tool} could not answer`, cause) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", give);
    }
  }

  /** Runs what was allowed and reports what became of it. */
  async #executed(check: ToolCheck, { tool, undo }: Wanted, signal: AbortSignal): Promise<Taken> {
    const argumentsText = check.argumentsText as string;
    const step = check.step as number;
    if (signal.aborted) return { tool, status: "failed", check, text: `${tool} was stopped before it ran.`, error: this.#report(step, "failed", {}) ?? aborted() };
    let said: Executed;
    try {
      const call = { tool, arguments: JSON.parse(argumentsText) as Record<string, unknown>, argumentsText, step, check, signal };
      said = executedOf(await unlessAborted(signal, () => this.#options.execute(call)));
    } catch (cause) {
      const error = failed("executor_failed", `whether ${tool} ran is not known: its executor did not say`, cause);
      return { tool, status: "outcome_unknown", check, text: `Whether ${tool} ran is not known.`, error: this.#report(step, "outcome_unknown", {}) ?? error };
    }
    const { status = "ran", result, text } = said;
    let written: RawJson | undefined;
    let error: InterlockError | undefined;
    try {
      // Read once: what is reported, and what later steps take, is the same.
      written = result === undefined ? undefined : new RawJson(jsonText(result, "/result"));
    } catch (cause) {
      error = coded(cause, `what ${tool} returned cannot be read`);
    }
    error = this.#report(step, status, { result: written, externalId: said.externalId }) ?? error;
    if (error !== undefined) return { tool, status, check, text: `${tool} ended (${status}), but that cannot be reported whole: ${error.message}.`, error };
    if (status === "outcome_unknown") return { tool, status, check, text: text ?? `Whether ${tool} ran is not known.` };
    if (status === "failed") return { tool, status, check, text: text ?? `${tool} failed.` };
    const fields = fieldsOf(written);
    if (undo === undefined && this.#tool(tool)?.undo !== undefined) {
      this.#undoable.set(step, { tool, arguments: fieldsOf(new RawJson(argumentsText)), result: fields, origins: check.entry?.origins ?? {} });
    }
    return { tool, status, check, ...(result === undefined ? {} : { result }), text: text ?? written?.text ?? `${tool} ran.`, fields };
  }

  /** Writes an outcome into the history; where the result is none that can be, the outcome alone. */
  #report(step: number, status: Status, { result, externalId }: Executed): InterlockError | undefined {
    try {
      this.session.ran(step, status, { result, externalId });
      return undefined;
    } catch (error) {
      if (result !== undefined || externalId !== undefined) this.#report(step, status, {});
      return coded(error, "what became of the call cannot be reported");
    }
  }

  #tool(name: string): Rules["tools"][number] | undefined {
    return this.#rules.tools.find((tool) => tool.name === name);
  }
}

/** What the executor said, read once; nothing at all says that it ran. Throws InterlockError `executor_outcome` of anything that is no such answer: then nobody knows. */
function executedOf(said: unknown): Executed {
  if (said === undefined) return {};
  const members = typeof said === "object" && said !== null ? { ...said } : { said };
  const { status, result, externalId, text } = members as Executed;
  const known = Object.keys(members).every((name) => EXECUTED.has(name)) && ENDS.has(status) && isText(externalId) && isText(text);
  if (!known) throw new InterlockError("executor_outcome", `an executor answers nothing, or an object of ${[...EXECUTED].join(", ")}`);
  return { status, result, externalId, text };
}

function isText(given: unknown): boolean {
  return given === undefined || typeof given === "string";
}

/** Arguments and origins for a check; of a parameter of any name, `__proto__` too. */
function given(args: ReadonlyMap<string, unknown>, origins: ReadonlyMap<string, string>): Pick<Wanted, "args" | "origins"> {
  return { args: new RawJson(objectText(Object.fromEntries(args))), origins: Object.fromEntries(origins) };
}

function withoutFields({ fields: _, ...step }: Taken): StepReply {
  return step;
}

/** The two halves of what an undo binds: `arguments.NAME` or `result.FIELD`. */
function halves(from: string): [string, string] {
  const at = from.indexOf(".");
  return [from.slice(0, at), from.slice(at + 1)];
}
