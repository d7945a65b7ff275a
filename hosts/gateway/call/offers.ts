// The tools that an agent may reach: in its policy, listed by a server that is up, with an approved listing and no kill switch.
import { GatewayError, type Offered } from "../gateway.ts";
import type { Parts, PolicyTool } from "./parts.ts";

export class Offers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Fails with `agent_required` where the policy has several agents and none of them is named. */
  async offered(tenant: string, agent: string | null): Promise<readonly Offered[]> {
    const { policies, upstream, listings, kills } = this.#parts;
    const policy = await policies.current(tenant);
    const names = Object.keys(policy.agents);
    const name = agent ?? (names.length === 1 ? (names[0] as string) : null);
    if (name === null || !Object.hasOwn(policy.agents, name)) throw new GatewayError(400, "agent_required", "name one of the policy's agents", { detail: { agents: names.sort() } });
    const reached = policy.agents[name]?.tools ?? [];
    const offered: Offered[] = [];
    for (const { tool: listed, digest, listing } of await upstream.listed(tenant)) {
      const tool = policy.tools.get(listed);
      if (tool === undefined || !(reached.includes("*") || reached.includes(listed))) continue;
      if ((await listings.standing(tenant, listed))?.approved?.digest !== digest) continue;
      if (kills.matching({ tenant, session: "", agent: name, tool: listed }) !== null) continue;
      offered.push(shown(tool, listing));
    }
    return offered;
  }
}

/** A tool as agents see it: the policy's words over the approved listing's. A write is said to destroy nothing only where its approved listing says so: without that word MCP takes it for destructive. */
function shown(tool: PolicyTool, listing: string): Offered {
  const { title, annotations } = JSON.parse(listing) as { title?: unknown; annotations?: { destructiveHint?: unknown } };
  const read = tool.effect === "read";
  return {
    tool: tool.name,
    title: typeof title === "string" ? title : null,
    description: tool.description,
    parameters: tool.parameters,
    result: tool.result ?? null,
    annotations: { readOnlyHint: read, ...(read ? {} : { destructiveHint: tool.irreversible || annotations?.destructiveHint !== false, idempotentHint: tool.idempotent }), openWorldHint: tool.reads_outside },
  };
}
