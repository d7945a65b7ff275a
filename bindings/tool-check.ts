// The answer of a check: the decision, why, what to show a person and what to run. It has no truth value.
import { memberText } from "./cut.ts";
import { InterlockError } from "./errors.ts";
import { type Entry, History } from "./history.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export type Decision = "allow" | "confirm" | "refuse";

/** What a person is shown (chapter 4). Control characters in its values are escaped visibly. */
export interface Question {
  readonly tool: string;
  readonly title: string;
  readonly target?: string;
  readonly arguments: readonly { readonly name: string; readonly value: JsonValue; readonly origin: string; readonly typed: boolean }[];
  readonly reasons: readonly { readonly reason: string; readonly text: string }[];
  readonly marks: readonly { readonly label: string; readonly text: string }[];
  readonly undo: { readonly tool: string } | null;
  readonly text: string;
}

/** One step that the check took; only with `explain: true`. */
export interface TraceItem {
  readonly order: number;
  readonly check: string;
  readonly result: "passed" | "refused" | "asks" | "skipped";
  readonly detail?: JsonValue;
}

interface Answer {
  decision: Decision;
  reason: string;
  reasons: string[];
  pointer?: string;
  detail?: JsonObject;
  question?: Question;
  confirmation?: string | null;
  arguments?: Record<string, unknown>;
  entry: Entry | null;
  step: number | null;
  link: string | null;
  policy: string;
  trace?: TraceItem[];
}

/**
 * Makes a bare condition an error of the compiler: `if (check) …` tests a function that is never called (TS2774), `check === true` compares what cannot
 * be equal (TS2367), `const ok: boolean = check` does not fit (TS2322). It cannot be called. What the compiler lets through: `!check`, and a condition whose
 * branch uses the check; there a linter's rule for strict boolean expressions helps.
 */
export interface NoTruthValue {
  (decide: never): never;
}

/** An answer as callers see it. */
export type ToolCheck = Answered & NoTruthValue;

/** The answer's members. `confirm` is neither yes nor no: look at `decision`. */
export class Answered {
  /** The whole answer, canonical JSON text (chapter 4). */
  readonly text: string;
  /** The history to carry on with: this answer's entry in it. */
  readonly history: History;
  #answer: Answer | null = null;

  constructor(text: string, history: History) {
    this.text = text;
    this.history = history;
  }

  get #read(): Answer {
    this.#answer ??= JSON.parse(this.text) as Answer;
    return this.#answer;
  }

  get decision(): Decision {
    return this.#read.decision;
  }

  /** The first reason; a refusal has no other. */
  get reason(): string {
    return this.#read.reason;
  }

  get reasons(): readonly string[] {
    return this.#read.reasons;
  }

  /** The argument that decided it, as a JSON Pointer (RFC 6901). */
  get pointer(): string | undefined {
    return this.#read.pointer;
  }

  get detail(): JsonObject | undefined {
    return this.#read.detail;
  }

  /** What to show a person, of a confirm. */
  get question(): Question | undefined {
    return this.#read.question;
  }

  /** The token to send back with the person's yes; null in a preview, undefined where nothing is asked. */
  get confirmation(): string | null | undefined {
    return this.#read.confirmation;
  }

  /** The arguments to run, of an allow; read from `argumentsText`. */
  get arguments(): Record<string, unknown> | undefined {
    return this.#read.arguments;
  }

  /** The arguments to run, of an allow, as canonical JSON text: what was checked. */
  get argumentsText(): string | undefined {
    return memberText(this.text, "arguments");
  }

  /** The entry in the history; null where a kept head did not fit. */
  get entry(): Entry | null {
    return this.#read.entry;
  }

  get step(): number | null {
    return this.#read.step;
  }

  /** The entry's link, base64url. */
  get link(): string | null {
    return this.#read.link;
  }

  /** The id of the policy that decided. */
  get policy(): string {
    return this.#read.policy;
  }

  /** The steps taken, where `explain` asked for them. */
  get trace(): readonly TraceItem[] | undefined {
    return this.#read.trace;
  }

  /** For JSON.stringify: the answer. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }

  /** An answer in an expression that wants a value is a mistake. Throws InterlockError `check_truth_value`. */
  [Symbol.toPrimitive](): never {
    throw new InterlockError("check_truth_value", "a ToolCheck has no truth value and no order: look at its decision (allow, confirm or refuse)");
  }
}

/** The answer's text as callers see it, with the history it leads to: the one before and the entry, or a new one of the session. */
export function toolCheck(text: string, before: History, session: string): ToolCheck {
  return new Answered(text, after(memberText(text, "entry"), before, session)) as ToolCheck;
}

function after(entry: string | undefined, before: History, session: string): History {
  if (entry === undefined || entry === "null") return before;
  const restarted = memberText(entry, "restarted") === "true";
  return (restarted || before.isNew ? History.empty(session) : before).after(entry);
}
