// Row H1: a session may not call the runtime's own tools this way.
import { type HarnessAnswer, type HarnessCall, PASSED } from "./harness-call.ts";

/** Ours, under whatever spelling a harness gives: `interlock`, `interlock_approve`, `mcp__interlock__…`. */
const OURS = /^(?:mcp__+)?interlock(?:$|[^a-z])/i;

export function runtimesOwnRequests({ name }: HarnessCall): HarnessAnswer {
  if (!OURS.test(name.normalize("NFKC"))) return PASSED;
  return { answer: "refuse", reason: "runtime_tool", message: "Interlock's own operations are not for the session it watches: a person uses them, through the inbox or the command line." };
}
