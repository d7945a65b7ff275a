// Row 13, the policy's decision: the core's check on the arguments the hooks left, by the kept history and head. Rows 14 and 15 are steps of the same check.
import type { Answer } from "../../call/answer.ts";
import type { CallRecord } from "../../call/record.ts";
import { coreSentence } from "../../call/sentences.ts";
import type { World } from "../../call/world.ts";
import { pinnedForCheck } from "../node/37-approved-snapshot.ts";
import { killed } from "../node/38-kill-switches.ts";
import { attach } from "./attach.ts";
import { fillKey } from "./key-argument.ts";

/** Refuses and asks with the core's own reasons. A call about which a question stands is not decided anew: it attaches to the question. */
export async function thePolicysDecision(call: CallRecord, world: World): Promise<Answer> {
  // Whoever only asks makes the call itself, and meets no later row: a switch and the pin have to stop it here.
  if (call.purpose === "check") {
    const stopped = killed(call, world) ?? (await pinnedForCheck(call, world));
    if (stopped.answer !== "passed") return stopped;
  }
  call.listing = (await world.parts.listings.standing(call.tenant, call.tool))?.approved?.digest ?? null;
  await fillKey(call, world);
  const attached = await attach(call, world);
  if (attached !== null) return attached;
  return said(await world.decide(call, null));
}

/** The core's answer as a row says it. */
export function said({ decided }: Awaited<ReturnType<World["decide"]>>): Answer {
  const detail = { reasons: decided.reasons, step: decided.step };
  if (decided.decision === "allow") return { answer: "passed", detail };
  if (decided.decision === "confirm") return { answer: "ask", reason: decided.reason, detail };
  return { answer: "refuse", reason: decided.reason, message: coreSentence(decided), detail: { ...(decided.detail ?? {}), ...(decided.pointer === undefined ? {} : { pointer: decided.pointer }) } };
}
