// The plan that a turn is read into (chapter 6): steps to check and run, or why nothing may run.
import { type JsonObject, objectText } from "./json.ts";

/** What comes of a turn. Only `run` runs without asking; `declined` runs nothing and goes to no model; `unread` may go to one where the policy's setting `unread` is `model`. */
export type PlanOutcome = "run" | "confirm" | "ask" | "declined" | "unread";

/** One call of a plan; the check decides about it before it runs. */
export interface PlanStep {
  readonly tool: string;
  /** What the turn and the defaults give; an argument whose origin is `result:STEP.FIELD` is not here: its value is that field of that step's result. */
  readonly arguments: JsonObject;
  /** Where each argument comes from, as a check takes it: `typed`, `context`, or `result:STEP.FIELD` with STEP counted in this plan. */
  readonly origins: Readonly<Record<string, string>>;
  /** The step of this plan that comes before it. */
  readonly after_step?: number;
  readonly decided_by: "tool: named" | "tool: also_called" | "tool: derived";
  /** Required arguments without a value. */
  readonly missing: readonly string[];
}

/** What a person is told of a declined plan: the sentence, and the first rule. */
export interface Refusal {
  readonly sentence: string;
  readonly rule: string;
}

export interface Plan {
  readonly format: "qls-plan/1";
  readonly outcome: PlanOutcome;
  /** Look at `outcome` first: of a declined plan no step runs. */
  readonly steps: readonly PlanStep[];
  /** Each rule that holds, `RULE name: what`, joined by `; `. */
  readonly declined_because?: string;
  readonly sentence?: string;
  /** What to ask the person, where the outcome is `ask` or `confirm`. */
  readonly question?: string;
  readonly language: string;
}

/** How a turn was read, clause by clause. */
export interface TurnExplanation {
  readonly clauses: readonly {
    readonly text: string;
    readonly tool?: string;
    /** Tools that the clause reaches alike. */
    readonly tools?: readonly string[];
    readonly decided_by?: PlanStep["decided_by"];
    /** The words of the clause that the tool knows. */
    readonly words: readonly string[];
    readonly arguments: Readonly<Record<string, { readonly origin: string; readonly value?: unknown }>>;
    /** Values of the clause that no argument took. */
    readonly unbound: readonly string[];
    /** The word or number that makes it a calculation. */
    readonly calculation?: string;
    readonly negated?: true;
    readonly conditional?: true;
  }[];
  readonly plan: Plan;
  /** Each rule that holds, and each that a tool cleared, with the part of the turn that it is about. */
  readonly rules: readonly { readonly rule: string; readonly result: "holds" | "cleared"; readonly said: string }[];
  /** Steps of work taken: it grows with the turn's length. */
  readonly work: number;
}

/** What reading a turn may bring besides the turn. */
export interface ReadOptions {
  /** Who is asked; may be left out where the policy has one agent. */
  agent?: string | undefined;
  /** `en` or `pt-BR`; the policy's setting unless given. */
  language?: string | undefined;
  session?: string | undefined;
  /** Turns before this one; they decide nothing. */
  turns?: readonly string[] | undefined;
  /** Seconds; the client's clock unless given. */
  now?: number | undefined;
}

/** The options of `read`. */
export const READ_OPTIONS: ReadonlySet<string> = new Set<keyof ReadOptions>(["agent", "language", "session", "turns", "now"]);

/** The text of a request to read a turn. */
export function readText(turn: string, options: ReadOptions, now: number): string {
  return objectText({
    format: "qls-plan/1",
    session: options.session ?? "",
    agent: options.agent,
    turn,
    turns: options.turns,
    language: options.language,
    now: options.now ?? now,
  });
}

/** What to tell the person of a declined plan; null of any other. */
export function refusalOf(plan: Plan): Refusal | null {
  if (plan.outcome !== "declined" || plan.sentence === undefined || plan.declined_because === undefined) return null;
  // "I can't do that: <declined_because>. (rule <first rule>)"
  const before = `I can't do that: ${plan.declined_because}. (rule `;
  return { sentence: plan.sentence, rule: plan.sentence.slice(before.length, -1) };
}
