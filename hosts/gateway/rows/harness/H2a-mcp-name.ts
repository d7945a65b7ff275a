// Row H2a: `mcp__TOOL__FUNCTION` must name exactly one offered function by the harness's spelling; two that would be spelt alike are both left out.
import { type HarnessAnswer, type HarnessCall, PASSED } from "./harness-call.ts";

/** A name as harnesses spell it: every character outside `[A-Za-z0-9_-]` is written `_`. */
export function spelt(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, "_");
}

export function mcpName(call: HarnessCall): HarnessAnswer {
  if (!call.name.startsWith("mcp__")) return PASSED;
  const named = call.offered.filter(({ mcp }) => mcp !== null && `mcp__${spelt(mcp.server)}__${spelt(mcp.name)}` === call.name);
  const [only] = named;
  if (only !== undefined && named.length === 1) {
    call.tool = only.tool;
    return PASSED;
  }
  if (named.length > 1) return { answer: "refuse", reason: "ambiguous_name", message: "Two functions are spelt like this, so that neither can be called by it. Rename one of them, or its server." };
  return { answer: "refuse", reason: "unknown_tool", message: "The session was not offered a function of this name." };
}
