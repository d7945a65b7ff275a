// The agents of a policy: who they are, how far they are trusted, which tools they reach (chapter 2).

import { compareUtf16 } from "../memory/bytes";
import { Text } from "../memory/buffer";
import { OBJECT, Value, count, first, get, isKind, isString, next, stringText } from "../json/value";
import { Reading } from "./member";
import { Agent, NORMAL, Policy } from "./policy";
import { sorted } from "./sorted";

const AGENT_NAMES: StaticArray<string> = ["privilege", "tools", "defaults"];
export const PRIVILEGES: StaticArray<string> = ["low", "normal", "high"];

/** Reads `agents`; the tools must have been read. */
export function readAgents(reading: Reading, agents: Value, policy: Policy): void {
  if (!reading.object(agents)) return;
  if (count(agents) == 0) reading.problem("policy_missing", "at least one agent is needed: NAME: {tools: [...]}", agents);
  const end = next(agents);
  for (let name = first(agents); name < end; name = next(next(name))) readAgent(reading, stringText(name), next(name), policy);
  const all: Array<Text> = [];
  for (let i = 0; i < policy.agents.length; i++) all.push(policy.agents[i].name);
  policy.sortedAgents = sorted<Text>(all, byUnits);
}

function byUnits(a: Text, b: Text): i32 {
  return compareUtf16(a.start, a.length, b.start, b.length);
}

function readAgent(reading: Reading, name: Text, value: Value, policy: Policy): void {
  const agent = new Agent(name);
  policy.agentNames.add(name.start, name.length);
  policy.agents.push(agent);
  if (!reading.object(value)) return;
  reading.members(value, AGENT_NAMES);
  agent.privilege = reading.choice(value, "privilege", PRIVILEGES, NORMAL);
  const defaults = get(value, "defaults");
  if (defaults != 0 && !isKind(defaults, OBJECT)) reading.problem("policy_type", "an object is needed here", defaults);
  agent.defaults = defaults;
  agent.tools = new StaticArray<bool>(policy.tools.length);
  const names = reading.strings(value, "tools", true);
  for (let i = 0; i < names.length; i++) {
    if (isString(names[i], "*")) {
      agent.all = true;
      continue;
    }
    const tool = policy.tool(stringText(names[i]));
    if (tool == null) reading.problemNaming("policy_unknown_tool", "the catalogue has no tool", stringText(names[i]), names[i]);
    else agent.tools[tool.index] = true;
  }
}
