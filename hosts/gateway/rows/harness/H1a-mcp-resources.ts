// Row H1a: tools that list or read MCP servers' resources are refused under any of their names, whatever the agent declares.
import { gateRow } from "interlock";
import { type HarnessAnswer, type HarnessCall, said } from "./harness-call.ts";

export function mcpResources({ name }: HarnessCall): HarnessAnswer {
  return said(gateRow("H1a", { name }), { mcp_resources: "A session is offered the functions of MCP servers, and not their resources." });
}
