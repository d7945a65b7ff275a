// Row 36, the tool: its server is up, and lists it.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `tool_not_there`. */
export async function theTool(call: CallRecord, world: World): Promise<Answer> {
  world.listed = await world.parts.upstream.tool(call.tenant, call.tool);
  if (world.listed !== null) return PASSED;
  return { answer: "refuse", reason: "tool_not_there", message: "The tool's server is down, or does not list this tool now. Try again later or do without." };
}
