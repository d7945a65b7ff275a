// Row 38, kill switches: one that stops the tool, the agent, the session or the tenant refuses the call.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { Kills, PolicyInForce } from "../../call/parts.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import type { Kill } from "../../gateway.ts";

/** Refuses with `kill_switch`. */
export function killSwitches(call: CallRecord, world: World): Answer {
  return killed(call, world) ?? PASSED;
}

/** The refusal of the switch that stops the call now; null where none does. */
export function killed(call: CallRecord, world: World): Extract<Answer, { answer: "refuse" }> | null {
  const kill = switchOf(call, world.policy, world.parts.kills);
  return kill === null ? null : { answer: "refuse", reason: "kill_switch", message: stoppedSentence(kill), detail: { kill: kill.id } };
}

/** The switch that stops a call now; an absent agent means the policy's only one (chapter 3). */
export function switchOf({ tenant, session, tool, agent }: Pick<CallRecord, "tenant" | "session" | "tool" | "agent">, { agents }: Pick<PolicyInForce, "agents">, kills: Pick<Kills, "matching">): Kill | null {
  const names = Object.keys(agents);
  return kills.matching({ tenant, session, tool, agent: agent ?? (names.length === 1 ? (names[0] as string) : null) });
}

export function stoppedSentence({ why }: Kill): string {
  return `Calls like this one are stopped: ${why}`;
}
