// Row 22, approved arguments: a call is made only with the arguments that were decided, and that people approved.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `digest_mismatch`. */
export function approvedArguments(call: CallRecord, world: World): Answer {
  if (world.observes) return PASSED;
  const decided = world.answered?.entry?.digest ?? call.digest;
  const approved = call.approval === null ? decided : (world.approval?.digest ?? null);
  if (call.canonical !== null && call.digest !== null && decided === call.digest && approved === call.digest) return PASSED;
  return { answer: "refuse", reason: "digest_mismatch", message: "The arguments are not those that were approved. Propose the call again." };
}
