// Row H1: a session may not call the runtime's own tools this way.
import { gateRow } from "interlock";
import { type HarnessAnswer, type HarnessCall, said } from "./harness-call.ts";

export function runtimesOwnRequests({ name }: HarnessCall): HarnessAnswer {
  return said(gateRow("H1", { name }), { runtime_tool: "Interlock's own operations are not for the session it watches: a person uses them, through the inbox or the command line." });
}
