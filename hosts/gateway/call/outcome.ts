// What a front door reads of a call: one of its ends, or that people are asked.
import type { ApprovalRecord } from "../approvals/record.ts";
import type { CallRecord, Outcome } from "./record.ts";

const UNKNOWN = "Whether this call ran is not known. Do not try it again: a person has to settle it.";

/** The call's end; null while it goes on by itself. `asked` is the question that it waits for, its own or of another call of its turn. */
export function outcomeOf(call: CallRecord, asked: ApprovalRecord | null): Outcome | null {
  if (call.purpose === "check" && call.released !== null) return { kind: "checked", call, answer: call.released };
  if (call.refusal !== null) {
    const { reason, message, detail } = call.refusal;
    if (reason === "outcome_unknown") return { kind: "unknown", call, message };
    return { kind: "refused", call, reason, message, ...(detail === undefined ? {} : { detail }) };
  }
  if (call.state === "unknown") return { kind: "unknown", call, message: UNKNOWN };
  if (call.state === "done" && call.released !== null) {
    if (call.sent?.status === "outcome_unknown" && !call.read) return { kind: "unknown", call, message: "Whether this call ran is not known. Do not try it again." };
    return { kind: "result", call, result: call.released, failed: call.sent?.status !== "ran" || call.sent.error !== undefined };
  }
  if ((call.state === "asked" || call.state === "admitted") && asked?.state === "open") {
    return { kind: "pending", call, approval: asked.id, question: asked.question, expiresAt: asked.expiresAt };
  }
  return null;
}

/** What a result that was erased reads as (operations/erasing.ts). */
export const ERASED = '{"erased":true}';

/** Whether nothing more happens to the call. */
export function hasEnded({ state, released, refusal }: CallRecord): boolean {
  if (state === "done") return released !== null || refusal !== null;
  return state === "refused" || state === "denied" || state === "expired" || state === "withdrawn";
}
