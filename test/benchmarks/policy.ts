// The policies of this folder, registered over the tools that they import.

import { readFileSync } from "node:fs";
import { policyJudge } from "interlock";
import { register } from "interlock/register";
import { type Tool, vector } from "./calls";

/** The suites that have a policy, and where their tools are listed. */
export const POLICIES = ["banking", "slack", "travel", "workspace", "injecagent"] as const;
export type PolicyName = (typeof POLICIES)[number];

/** The tools of a suite. */
export function listing(name: PolicyName): Tool[] {
  const file = name === "injecagent" ? "injecagent/tools-jsonschema.json" : "agentdojo/tools.json";
  const servers = vector<{ server: string; tools: Tool[] }[]>(file);
  return servers.filter(({ server }) => name === "injecagent" || server === `agentdojo-${name}`).flatMap(({ tools }) => tools);
}

/** The text of a policy of policies/. */
export function policyText(name: PolicyName): string {
  return readFileSync(new URL(`policies/${name}.yaml`, import.meta.url), "utf8");
}

/** Registers a policy, its text changed where a test wants another one, with its listing beside it. */
export function registered(name: PolicyName, change: (text: string) => string = (text) => text) {
  return register(
    [
      { path: `${name}.yaml`, text: change(policyText(name)) },
      { path: `${name}.json`, text: JSON.stringify({ tools: listing(name) }) },
    ],
    policyJudge,
  );
}
