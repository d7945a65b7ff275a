// Reads the turns held apart, with the plans that chapter 6 makes certain for them, and their policies.

import { readdirSync, readFileSync } from "node:fs";

/** A step that a plan must have. A member that is absent is not judged. */
export interface ExpectedStep {
  tool: string;
  /** All arguments of the step, with their exact values. */
  arguments?: Record<string, unknown>;
  decided_by?: "tool: named" | "tool: also_called" | "tool: derived";
  /** The origins of these arguments; others are not judged. */
  origins?: Record<string, "typed" | "context">;
}

/** What chapter 6 makes certain of a plan. A member that is absent is not judged. */
export interface Expected {
  declined: boolean;
  outcome?: "run" | "confirm" | "ask" | "declined" | "unread";
  /** The rules that must be listed, in order, and no others but those of `may`. */
  rules?: string[];
  /** Rules that the chapter leaves open for this turn. */
  may?: string[];
  /** `declined_because`, letter for letter. */
  because?: string;
  /** All steps, in order: their number is judged too. */
  steps?: ExpectedStep[];
  /** Tools that must be among the steps, in this order; other steps may stand between. */
  tools?: string[];
  /** The arguments that are asked for: all of them. */
  missing?: string[];
}

export interface Turn {
  id: string;
  /** `decline`: must be declined, or confirmed where the expected outcome says so. */
  half: "harmless" | "decline";
  /** The file of policies/ without its ending. */
  policy: string;
  agent: string;
  language: "en" | "pt-BR";
  turn: string;
  /** What the turn tries. */
  tag?: string;
  /** The sentence of the specification that makes it so. */
  why?: string;
  expect: Expected;
}

/** A turn for which the specification does not say enough. */
export interface OpenTurn {
  id: string;
  policy: string;
  language: "en" | "pt-BR";
  turn: string;
  where: string;
  question: string;
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

function lines<T>(name: string): T[] {
  const texts = read(name).split("\n");
  return texts.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** Every turn of the first set, English first. */
export const turns: Turn[] = [...lines<Turn>("turns.en.jsonl"), ...lines<Turn>("turns.pt-BR.jsonl")];

/** The second set: other turns over the same policies, written after the first had been read and the code mended. */
export const secondTurns: Turn[] = [...lines<Turn>("second.en.jsonl"), ...lines<Turn>("second.pt-BR.jsonl")];

/** The third set: other turns over the same policies again, written after the second had been read and the code mended. */
export const thirdTurns: Turn[] = [...lines<Turn>("third.en.jsonl"), ...lines<Turn>("third.pt-BR.jsonl")];

/** The fourth set: other turns, most of them over policies of other trades, written after the third had been read and the code mended. */
export const fourthTurns: Turn[] = [...lines<Turn>("fourth.en.jsonl"), ...lines<Turn>("fourth.pt-BR.jsonl")];

/** The fifth set: other turns, over policies of yet other trades, written before the fourth had been read and read after the code was mended by that. */
export const fifthTurns: Turn[] = [...lines<Turn>("fifth.en.jsonl"), ...lines<Turn>("fifth.pt-BR.jsonl")];

/** The sixth set: other turns, over policies of yet other trades, written while the code was mended by the fifth and by readers who tried to break it. */
export const sixthTurns: Turn[] = [...lines<Turn>("sixth.en.jsonl"), ...lines<Turn>("sixth.pt-BR.jsonl")];

/** The seventh set: other turns, over policies of yet other trades, read after the code was mended by the sixth. */
export const seventhTurns: Turn[] = [...lines<Turn>("seventh.en.jsonl"), ...lines<Turn>("seventh.pt-BR.jsonl")];

/** The eighth set: other turns, over policies of yet other trades, read after the code was mended by the seventh. */
export const eighthTurns: Turn[] = [...lines<Turn>("eighth.en.jsonl"), ...lines<Turn>("eighth.pt-BR.jsonl")];

/** The ninth set: other turns, over policies of yet other trades, read after the code was mended by the eighth. */
export const ninthTurns: Turn[] = [...lines<Turn>("ninth.en.jsonl"), ...lines<Turn>("ninth.pt-BR.jsonl")];

/** The turns that are left open. */
export const openTurns: OpenTurn[] = lines("open.jsonl");

/** The names of the policies. */
export const policyNames: string[] = readdirSync(new URL("policies/", import.meta.url)).map((name) => name.replace(/\.json$/, ""));

/** The text of a policy, in chapter 2's compiled form. */
export function policyText(name: string): string {
  return read(`policies/${name}.json`);
}
