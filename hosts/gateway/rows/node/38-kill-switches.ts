// Row 38, kill switches: one that stops the tool, the agent, the session or the tenant refuses the call.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `kill_switch`. */
export function killSwitches(call: CallRecord, world: World): Answer {
  return killed(call, world) ?? PASSED;
}

/** The refusal of the switch that stops the call now; null where none does. */
export function killed(call: CallRecord, world: World): Extract<Answer, { answer: "refuse" }> | null {
  const names = Object.keys(world.policy.agents);
  const agent = call.agent ?? (names.length === 1 ? (names[0] as string) : null);
  const kill = world.parts.kills.matching({ tenant: call.tenant, session: call.session, tool: call.tool, agent });
  if (kill === null) return null;
  return { answer: "refuse", reason: "kill_switch", message: `Calls like this one are stopped: ${kill.why}`, detail: { kill: kill.id } };
}
