// Row H2: a tool that the agent does not declare is refused.
import { type HarnessAnswer, type HarnessCall, PASSED } from "./harness-call.ts";

export function defaultDeny(call: HarnessCall): HarnessAnswer {
  // Names of MCP functions are the next row's.
  if (call.name.startsWith("mcp__")) return PASSED;
  const found = call.offered.find(({ tool, mcp }) => mcp === null && tool === call.name);
  if (found === undefined) return { answer: "refuse", reason: "unknown_tool", message: "The agent's policy does not list this tool, and what is not listed is refused. Its owner can add it to the policy." };
  call.tool = found.tool;
  return PASSED;
}
