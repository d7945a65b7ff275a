// Step 1: the tool and the agent; the licence.

import { isLapsed } from "../history/licence";
import { writeString } from "../json/string";
import { Buffer } from "../memory/buffer";
import { Call } from "./call";

/** Whether the step answered. */
export function toolAndAgent(call: Call): bool {
  const tool = call.tool;
  if (tool == null) return call.refuse("unknown_tool");
  const agent = call.agent;
  if (agent == null) {
    const names = call.policy.sortedAgents;
    if (names.length == 1) return call.refuse("unknown_tool");
    const detail = new Buffer(64);
    detail.ascii('{"agents":[');
    for (let i = 0; i < names.length; i++) {
      if (i != 0) detail.byte(0x2c);
      writeString(names[i].start, names[i].length, detail);
    }
    detail.ascii("]}");
    return call.refuse("agent_required", detail);
  }
  if (!agent.all && !unchecked(agent.tools[tool.index])) return call.refuse("unknown_tool");
  if (isLapsed(call.keys, call.policy.settings, tool, call.at)) return call.refuse("licence_lapsed");
  return false;
}
