// What an agent answers to a turn: the plan, what became of each step, and one text for people.
import type { InterlockError } from "./errors.ts";
import { type JsonObject, type RawJson, rawMembers } from "./json.ts";
import { type Plan, type Refusal, refusalOf } from "./plan.ts";
import type { ToolCheck } from "./tool-check.ts";

/**
 * What became of one step.
 * `ran`, `failed`, `outcome_unknown`: it was allowed, and this outcome is in the history (with an `error`: as far as it could be reported).
 * `refused`: by the check. `denied`: a person said no. `unanswered`: nobody said yes, or the yes did not cover the call. `missing`: an earlier step's result
 * lacks the field that an argument comes from. `error`: see `error`. `not_reached`: a step before it did not run. Of all these nothing ran.
 */
export type StepStatus = "ran" | "failed" | "outcome_unknown" | "refused" | "denied" | "unanswered" | "missing" | "error" | "not_reached";

/** One step of a plan, or one call, as it ended. */
export interface StepReply {
  readonly tool: string;
  readonly status: StepStatus;
  /** The last answer of the check; absent where it was not asked. */
  readonly check?: ToolCheck;
  /** What the executor gave back of a step that ran. */
  readonly result?: Readonly<Record<string, unknown>> | RawJson;
  /** For people: the executor's text, or why the step did not run. What tools return is in it as it is: a terminal should escape it. */
  readonly text: string;
  /** `executor_failed`, `approver_failed`, `evidence_failed` (each with its `cause`), `aborted`, or an error of the core or the binding. Nothing runs after a step that has one. */
  readonly error?: InterlockError;
}

/** `done`: every step ran. `stopped`: one did not, and none after it. `ask`, `declined`, `unread`: the plan's own outcome; nothing was checked and nothing ran. */
export type ReplyOutcome = "done" | "stopped" | "ask" | "declined" | "unread";

/** An agent's reply to a turn. */
export interface Reply {
  readonly outcome: ReplyOutcome;
  /** For people. Of a declined plan the one sentence of chapter 6, of `ask` the question. */
  readonly text: string;
  /** Of a declined plan the sentence and the first rule, as data; else null. */
  readonly refusal: Refusal | null;
  /** Whether this turn may be handed to a model: an unread one, where the policy's setting `unread` is `model`. Never a declined one. */
  readonly forModel: boolean;
  readonly plan: Plan;
  /** One for each step of the plan, in its order; none where nothing was to run. */
  readonly steps: readonly StepReply[];
}

/** The reply to a plan of which nothing runs. */
export function unrunReply(plan: Plan, outcome: "ask" | "declined" | "unread", forModel: boolean): Reply {
  const refusal = refusalOf(plan);
  const text = refusal?.sentence ?? plan.question ?? "I can't read that.";
  return { outcome, text, refusal, forModel: outcome === "unread" && forModel, plan, steps: [] };
}

/** The reply to a plan whose steps were taken, as far as they went. */
export function stepsReply(plan: Plan, taken: readonly StepReply[]): Reply {
  const steps = plan.steps.map(({ tool }, at) => taken[at] ?? { tool, status: "not_reached" as const, text: `${tool} was not reached.` });
  const done = steps.every(wentOn);
  const text = (taken.length === 0 ? steps : taken).map((step) => step.text).join("\n");
  return { outcome: done ? "done" : "stopped", text, refusal: null, forModel: false, plan, steps };
}

/** Whether the step after this one may run. */
export function wentOn(step: StepReply | undefined): boolean {
  return step !== undefined && step.status === "ran" && step.error === undefined;
}

/** Why a call that the check refused did not run: the check's hint, which says what to declare; else the reason, in the policy's own words where it has some. */
export function refusedText(tool: string, check: ToolCheck): string {
  const detail: JsonObject = check.detail ?? {};
  if (typeof detail["hint"] === "string") return detail["hint"];
  const said = [detail["because"], detail["message"], detail["rule"], detail["mismatch"]].find((text) => typeof text === "string" && text !== "" && text !== check.reason);
  return `${tool} did not run: ${check.reason}${said === undefined ? "" : ` (${said as string})`}.`;
}

/** The top-level fields of a result, or the members of arguments, with their digits. What is no object has none. */
export function fieldsOf(text: RawJson | undefined): ReadonlyMap<string, RawJson> {
  return new Map((text === undefined ? [] : (rawMembers(text.text) ?? [])).map(({ name, value }) => [name, value]));
}
