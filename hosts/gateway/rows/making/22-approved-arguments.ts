// Row 22, approved arguments: a call is made only with the arguments that were decided, and that people approved.
import { gateRow } from "interlock";
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";

/** Refuses with `digest_mismatch`. */
export function approvedArguments(call: CallRecord, world: World): Answer {
  if (world.observes) return PASSED;
  const decided = world.answered?.entry?.digest ?? call.digest;
  const approved = call.approval === null ? decided : (world.approval?.digest ?? null);
  const digest = call.canonical === null ? null : call.digest;
  // An approval that is not at hand approves nothing.
  const answered = call.approval !== null && approved === null ? MISSING : gateRow("22", { digest, decided, approved });
  if (answered.answer === "passed") return PASSED;
  return { answer: "refuse", reason: answered.reason, message: "The arguments are not those that were approved. Propose the call again." };
}

const MISSING = { answer: "refuse", reason: "digest_mismatch" } as const;
