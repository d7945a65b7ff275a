// A retry of a call that people were asked about: it attaches to the standing question, and never asks anew. A denial is final.
import type { Answer } from "../../call/answer.ts";
import { callKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { digestOf } from "../../sessions/decide.ts";
import { deniedSentence } from "../../call/sentences.ts";

async function engineCall(tenant: string, id: string, world: World): Promise<CallRecord | null> {
  const stored = await world.parts.engine.get(tenant, callKey(id));
  return stored === null ? null : (JSON.parse(stored.value) as CallRecord);
}

/** What stands about this very call: null where nobody was asked. */
export async function attach(call: CallRecord, world: World): Promise<Answer | null> {
  if (call.undo !== undefined || call.confirmation !== undefined || call.replaces !== null || world.observes) return null;
  const { approvals } = world.parts;
  if (!(await approvals.stands(call.tenant, call.session))) return null;
  const digest = digestOf(call, world.policy, world.now());
  if (digest === null) return null;
  const standing = await approvals.standing(call.tenant, call.session, call.agent, call.tool, digest);
  if (standing === null) return null;
  call.digest = digest;
  call.approval = standing.approval.id;
  world.approval = standing.approval;
  if (standing.state === "denied") {
    return { answer: "refuse", reason: "denied", message: deniedSentence(standing.approval), detail: { approval: standing.approval.id, again: true } };
  }
  const asked = await engineCall(call.tenant, standing.approval.call, world);
  if (call.purpose === "call" && asked?.purpose === "call") world.attachedTo = asked.id;
  return { answer: "records", detail: { attached: standing.approval.id } };
}
