// Registers a benchmark's tools as they are listed, and checks calls of them with the real package.

import { Client, policyJudge } from "interlock";
import { register } from "interlock/register";
import { keys, NOW } from "../unit/bindings-shop";
import type { Call, Tool } from "./calls";

/** What step 3 of the check (chapter 4) says of a call. */
export interface Fit {
  passes: boolean;
  /** Of a call that does not pass: `unknown_tool`, or the rule and the pointer. */
  why?: string;
}

/** A client over a list of tools: one agent, all tools, and the settings given. Throws where the list does not register. */
export async function clientOver(tools: readonly Tool[], settings = "{}"): Promise<Client> {
  const text = `tenant: benchmark\nagents: {assistant: {tools: ["*"]}}\nsettings: ${settings}\ntools:\n  - mcp: ./tools.json\n`;
  const policy = await register(
    [
      { path: "policy.yaml", text },
      { path: "tools.json", text: JSON.stringify({ tools }) },
    ],
    policyJudge,
  );
  if (policy.id === null) throw new Error(JSON.stringify(policy.problems.filter(({ severity }) => severity === "error")));
  return new Client({ policy, keys, clock: () => NOW });
}

/** Checks one call without a history, and looks at step 3 alone. */
export function stepThree(client: Client, call: Call): Fit {
  const check = client.checkToolCall(call.tool, call.arguments, { session: "benchmark", explain: true });
  const step = check.trace?.find(({ order }) => order === 3);
  if (step?.result === "passed") return { passes: true };
  if (step === undefined) return { passes: false, why: check.reason };
  return { passes: false, why: `${(check.detail as { rule: string }).rule} at ${check.pointer}` };
}
