// A version of a policy, loaded: the core's client, and the members that the flow looks at; with the settings that a gateway forces.
import { Client } from "interlock";
import type { PolicyInForce, PolicyTool } from "../call/parts.ts";

/** The members of a policy as registration gives them; settings are the source's own. */
type Members = Record<string, unknown> & { readonly settings?: Record<string, unknown> };

/** The policy with what a gateway forces: heads are required, the answers of one turn come in any order, and approvals are signed unless the policy says `token`. */
export function forced(policy: Members): Members {
  const approval = (policy.settings?.["approval"] ?? {}) as Record<string, unknown>;
  return { ...policy, settings: { ...policy.settings, head: "required", confirmation_point: "turn", approval: { ...approval, mode: approval["mode"] ?? "signed" } } };
}

/** Loads a policy's text (JSON, with `documents` beside its members where it has remote schemas). Throws InterlockError where the core refuses it or the keys. */
export function load(text: string, keys: string): PolicyInForce {
  const { documents, ...policy } = JSON.parse(text) as Members & { documents?: Record<string, unknown> };
  const client = new Client({ policy, keys, isolated: true, ...(documents === undefined ? {} : { documents }) });
  const compiled = JSON.parse(client.compiled) as {
    agents: PolicyInForce["agents"];
    tools: readonly PolicyTool[];
    settings: PolicyInForce["settings"];
    rulebook: { flows: readonly { on: readonly string[]; rules: readonly { ask_if?: string }[] }[] };
  };
  const asks = new Set<string>();
  for (const { on, rules } of compiled.rulebook.flows) {
    if (!rules.some(({ ask_if }) => ask_if !== undefined)) continue;
    for (const name of on.includes("*") ? compiled.tools.map((tool) => tool.name) : on) asks.add(name);
  }
  return { id: client.policy, client, agents: compiled.agents, tools: new Map(compiled.tools.map((tool) => [tool.name, tool])), settings: compiled.settings, asks };
}
