// A retry of a call that people were asked about: it attaches to the standing question, and never asks anew. A denial is final.
import { requireGoing } from "../../approvals/stopped.ts";
import type { Answer } from "../../call/answer.ts";
import { callKey } from "../../call/keys.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { turnFor } from "../../pace.ts";
import { digestOf } from "../../sessions/decide.ts";
import { deniedSentence } from "../../call/sentences.ts";

async function engineCall(tenant: string, id: string, world: World): Promise<CallRecord | null> {
  const stored = await world.parts.engine.get(tenant, callKey(id));
  return stored === null ? null : (JSON.parse(stored.value) as CallRecord);
}

/** What stands about this very call: null where nobody was asked. What an edit makes only meets denials; a call that brings the question's own token answers it, where the policy's mode is `token`. Fails with `kill_switch` where it brings an answer and a switch stops the call. */
export async function attach(call: CallRecord, world: World): Promise<Answer | null> {
  if (call.undo !== undefined || world.observes) return null;
  const { approvals } = world.parts;
  if (!(await approvals.stands(call.tenant, call.session))) return null;
  await turnFor(call.arguments.length);
  const digest = digestOf(call, world.policy, world.now());
  if (digest === null) return null;
  const standing = await approvals.standing(call.tenant, call.session, call.agent, call.tool, digest);
  if (standing === null || (call.replaces !== null && standing.state !== "denied")) return null;
  const asked = await engineCall(call.tenant, standing.approval.call, world);
  const made = call.purpose === "call" && asked?.purpose === "call";
  // The end of a call is told to whoever makes it again; a check is asked about anew.
  if ((standing.state === "expired" || standing.state === "edited") && !made) return null;
  const brings = standing.state === "open" && call.confirmation !== undefined;
  if (brings) requireGoing(standing.approval, world.parts.kills);
  const approval = brings ? await approvals.confirmed(standing.approval, call) : standing.approval;
  call.digest = digest;
  call.approval = approval.id;
  world.approval = approval;
  if (approval.state === "denied") {
    return { answer: "refuse", reason: "denied", message: deniedSentence(approval), detail: { approval: approval.id, again: true } };
  }
  // The retry of a call that is made here ends as that call does; a check's retry learns that the question is open.
  if (asked !== null && (made || (call.purpose === "check" && approval.state === "open"))) world.attachedTo = asked.id;
  return { answer: "records", detail: { attached: approval.id } };
}
