// Row H2a: `mcp__TOOL__FUNCTION` must name exactly one offered function by the harness's spelling; two that would be spelt alike are both left out.
import { gateRow } from "interlock";
import { functionsOf, type HarnessAnswer, type HarnessCall, said } from "./harness-call.ts";

export function mcpName(call: HarnessCall): HarnessAnswer {
  const answered = gateRow("H2a", { name: call.name, offered: functionsOf(call) });
  if (answered.answer === "passed") call.tool ??= answered.tool ?? null;
  return said(answered, {
    ambiguous_name: "Two functions are spelt like this, so that neither can be called by it. Rename one of them, or its server.",
    unknown_tool: "The session was not offered a function of this name.",
  });
}
