// Row H2: a tool that the agent does not declare is refused. Names of MCP functions are the next row's.
import { gateRow } from "interlock";
import { functionsOf, type HarnessAnswer, type HarnessCall, said } from "./harness-call.ts";

export function defaultDeny(call: HarnessCall): HarnessAnswer {
  const answered = gateRow("H2", { name: call.name, offered: functionsOf(call) });
  if (answered.answer === "passed") call.tool = answered.tool ?? null;
  return said(answered, { unknown_tool: "The agent's policy does not list this tool, and what is not listed is refused. Its owner can add it to the policy." });
}
