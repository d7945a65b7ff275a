// Questions about calls that a kill switch stops now: shown so while they are open, and no yes is taken to one. They stand, and a no is taken: the switch may be lifted.
import type { Kills } from "../call/parts.ts";
import { GatewayError, type Kill } from "../gateway.ts";
import { stoppedSentence } from "../rows/node/38-kill-switches.ts";
import type { ApprovalRecord } from "./record.ts";

/** A question with the switch that stops its call, where it is open and one does. */
export function withStop(approval: ApprovalRecord, kills: Pick<Kills, "matching">): ApprovalRecord {
  const kill = stopOf(approval, kills);
  return kill === null ? approval : { ...approval, stopped: { kill: kill.id, why: kill.why, by: kill.by, at: kill.at } };
}

/** Fails with `kill_switch` where a switch stops an open question's call. */
export function requireGoing(approval: ApprovalRecord | null, kills: Pick<Kills, "matching">): void {
  const kill = approval === null ? null : stopOf(approval, kills);
  if (kill !== null) throw new GatewayError(409, "kill_switch", `No yes is taken now, and the question stands: lift the switch first, or say no. ${stoppedSentence(kill)}`, { detail: { kill: kill.id } });
}

/** `agent` is never absent in a question where the policy has one agent. */
function stopOf(approval: ApprovalRecord, kills: Pick<Kills, "matching">): Kill | null {
  return approval.state === "open" ? kills.matching(approval) : null;
}
