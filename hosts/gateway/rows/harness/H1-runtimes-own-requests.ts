// Row H1: a session may not call the runtime's own tools this way.
import { gateRow } from "interlock";
import { type HarnessAnswer, type HarnessCall, said } from "./harness-call.ts";

export function runtimesOwnRequests({ name }: HarnessCall): HarnessAnswer {
  const renamed = /^mcp__/i.test(name) ? " An MCP server of yours that the harness knows by a name that begins with `interlock` is taken for Interlock's own: give it another name in the harness's settings." : "";
  return said(gateRow("H1", { name }), { runtime_tool: `Interlock's own operations are not for the session it watches: a person uses them, through the inbox or the command line.${renamed}` });
}
