// Row 17, the person: where anything above asks, the call waits for people's approval, or their answer is applied.
import { type Answer, PASSED } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import { deniedSentence } from "../../call/sentences.ts";
import type { World } from "../../call/world.ts";
import { ask } from "./asking.ts";

/** Holds with `approval_pending`; refuses with `denied`, `approval_expired`, `approval_edited`, `approval_withdrawn`. */
export async function thePerson(call: CallRecord, world: World): Promise<Answer> {
  if (world.observes) return PASSED;
  if (call.approval === null) {
    const escalated = call.trace.some(({ row, answer }) => row === "12" && answer === "ask");
    return call.decided?.decision === "confirm" || escalated ? ask(call, world) : PASSED;
  }
  const approval = world.approval?.id === call.approval ? world.approval : await world.parts.approvals.approval(call.tenant, call.approval);
  if (approval === null) return { answer: "refuse", reason: "approval_missing", message: "The question about this call is gone. Propose the call again." };
  world.approval = approval;
  const detail = { approval: approval.id };
  switch (approval.state) {
    case "open":
      return { answer: "hold", reason: "approval_pending", detail };
    case "approved":
    case "spent":
      if (approval.call === call.id && call.purpose === "check") return { answer: "records", detail };
      world.crash("approved");
      return { answer: "passed", detail: { ...detail, approvers: approval.answers.map(({ approver }) => approver) } };
    case "denied":
      return denied(call, world);
    case "expired":
      await expired(world);
      return { answer: "refuse", reason: "approval_expired", message: "Nobody answered the question about this call in time. Propose it again if it is still wanted.", detail };
    case "edited":
      return { answer: "refuse", reason: "approval_edited", message: "A person changed this call and approved the changed one, which is made instead.", detail: { ...detail, call: approval.editedInto } };
    case "withdrawn":
      return { answer: "refuse", reason: "approval_withdrawn", message: "The question about this call was withdrawn.", detail };
  }
}

/** A denial is told to the core, so that the history has it signed; final whatever the core says of it. */
async function denied(call: CallRecord, world: World): Promise<Answer> {
  const approval = world.approval;
  if (approval === null) throw new Error("a denial has an approval");
  if (call.decided !== null && approval.confirmation !== "") await world.decide(call, world.parts.approvals.cover(approval));
  return { answer: "refuse", reason: "denied", message: deniedSentence(approval), detail: { approval: approval.id } };
}

/** The log is told once that the time was over. */
async function expired({ approval, parts, unit }: World): Promise<void> {
  if (approval === null) return;
  const { changes, audit } = await parts.approvals.expired(approval);
  for (const change of changes) unit.add(change);
  unit.tell(...audit);
}
