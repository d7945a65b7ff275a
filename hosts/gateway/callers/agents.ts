// Which agents a caller acts for: its own, and any where it was granted `agent`.
import { type Caller, GatewayError } from "../gateway.ts";

/** Whether a caller acts for an agent; null is a call that named none. */
export function actsFor({ agents, may }: Pick<Caller, "agents" | "may">, agent: string | null): boolean {
  return agent === null || agents.includes(agent) || may.has("agent");
}

/** Fails with `agent_not_granted` where a caller does not act for an agent. */
export function requireActsFor(caller: Pick<Caller, "agents" | "may">, agent: string | null, pointer?: string): void {
  if (!actsFor(caller, agent)) throw new GatewayError(403, "agent_not_granted", "this caller does not act for this agent", { pointer });
}
