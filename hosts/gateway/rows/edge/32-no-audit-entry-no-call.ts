// Row 32, no audit entry, no call: the intent is on disk before the bytes go out. Found again as it is left here, the call may have run.
import { createHash } from "node:crypto";
import type { Answer } from "../../call/answer.ts";
import { auditBody } from "../../call/audit.ts";
import { onceKey, unknownKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { numberUsed } from "../gate/key-argument.ts";
import { hasPlace } from "./places.ts";
import { isSafeAgain } from "../after/43-unknown-outcome.ts";

/**
 * Puts the intent into the unit, which the walk commits at once: the state `sending`, the permit spent, the log's entry, and that no equal call's outcome is
 * unknown. Holds with `tool_busy` where the tool has no place free.
 */
export async function noAuditEntryNoCall(call: CallRecord, world: World): Promise<Answer> {
  if (world.blocked !== null) return world.blocked;
  if (!(await hasPlace(call, world))) {
    if (world.once !== null) world.unit.drop(onceKey(world.once));
    return { answer: "hold", reason: "tool_busy" };
  }
  await numberUsed(call, world, "sent");
  call.operation = operationOf(call);
  if (world.once !== null) call.once = world.once;
  call.state = "sending";
  world.mustKeep = true;
  if (call.digest !== null && !isSafeAgain(call, world)) world.unit.add({ key: unknownKey(call.session, call.agent, call.tool, call.digest), expect: null });
  world.unit.tell(
    auditBody(world, call, "call.intent", {
      actor: "gateway",
      row: "32",
      ...(world.once === null ? {} : { once: world.once }),
      ...(world.approval === null ? {} : { approvers: world.approval.answers.map(({ approver }) => approver) }),
    }),
  );
  return { answer: "records" };
}

/** The operation's key: the same session, step, tool and digest are the same operation. */
function operationOf({ session, decided, tool, digest, id }: CallRecord): string {
  const operation = [session, decided?.step ?? id, tool, digest];
  return createHash("sha256").update(`interlock-operation/1\n${JSON.stringify(operation)}`).digest("base64url");
}
