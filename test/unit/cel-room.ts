// Drives the CEL room's module for its tests: a condition and variables in, its value, failure or problem out.

import { Unit } from "./instance";

const unit = new Unit("cel");

/** What a condition may see; whatever is left out is empty. */
export interface Given {
  tool?: string;
  agent?: string;
  args?: unknown;
  facts?: unknown;
  principal?: unknown;
  resource?: unknown;
  origins?: Record<string, string>;
  labels?: string[];
  now?: number;
  turn?: string;
  history?: { tool: string; at: number; ran?: boolean }[];
}

export interface Problem {
  message: string;
  offset: number;
  /** The fact that is not listed. */
  fact: string | null;
}

const LIMIT = 1000000;

/** Registers a condition, with the rulebook's facts or without; what is wrong with it, or null. */
export function register(condition: string, facts?: string[]): Problem | null {
  const text = Buffer.from(condition);
  const list = Buffer.from(facts ? JSON.stringify(facts) : "");
  const [start, listStart] = unit.place(text, list) as [number, number];
  if (unit.call.parse!(start, text.length, listStart, list.length) === 0) return null;
  const read = (at: number, length: number): string => unit.bytes(at, length).toString("utf8");
  return {
    message: read(unit.call.messageStart!(), unit.call.messageLength!()),
    offset: unit.call.offset!(),
    fact: unit.call.factLength!() < 0 ? null : read(unit.call.factStart!(), unit.call.factLength!()),
  };
}

/** Evaluates the condition registered last: its value, or "fails". */
export function evaluate(given: Given | string = {}, limit = LIMIT): boolean | "fails" {
  const text = Buffer.from(typeof given === "string" ? given : JSON.stringify(given));
  const [start] = unit.place(text) as [number];
  if (unit.call.variables!(start, text.length) === 0) throw new Error("the variables are no JSON");
  const result = unit.call.run!(BigInt(limit));
  return result < 0 ? "fails" : result === 1;
}

/** Registers and evaluates: a value, "fails", or the problem's message. */
export function answer(condition: string, given: Given | string = {}, limit = LIMIT): boolean | string {
  const problem = register(condition);
  return problem === null ? evaluate(given, limit) : problem.message;
}

/** The steps the last evaluation took. */
export function steps(): number {
  return Number(unit.call.steps!());
}

/** Bytes of the module's memory. */
export function memory(): number {
  return unit.view().byteLength;
}
