// A call of a harness's own tool, as the rows H1 to H2a see it, and what they answer.
import type { OfferedFunction as Functions, RowAnswer } from "interlock";

/** One function that a session was offered: the policy's tool, and the MCP server and function it is where it is one. */
export interface OfferedFunction {
  readonly tool: string;
  readonly mcp: { readonly server: string; readonly name: string } | null;
}

/** What a harness wants to run. `tool` is the policy's name once a row has found it. */
export interface HarnessCall {
  readonly name: string;
  readonly offered: readonly OfferedFunction[];
  tool: string | null;
}

export type HarnessAnswer = { readonly answer: "passed" } | { readonly answer: "refuse"; readonly reason: string; readonly message: string };

export const PASSED: HarnessAnswer = { answer: "passed" };

/** The core's answer as a row says it, with the sentence of its reason. */
export function said(answered: RowAnswer, sentences: Readonly<Record<string, string>>): HarnessAnswer {
  if (answered.answer === "passed") return PASSED;
  return { answer: "refuse", reason: answered.reason, message: sentences[answered.reason] ?? "It is refused." };
}

/** The offered functions as the core is asked about them. */
export function functionsOf({ offered }: HarnessCall): Functions[] {
  return offered.map(({ tool, mcp }) => (mcp === null ? { tool } : { tool, server: mcp.server, function: mcp.name }));
}
