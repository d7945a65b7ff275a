// Row 43, unknown outcome: a write that may have run is not sent again unless that is safe or the tool says what became of it; else a person settles it, or it fails.
import { rawMembers } from "interlock";
import { type Answer, PASSED } from "../../call/answer.ts";
import { auditBody } from "../../call/audit.ts";
import { keep } from "../../call/keep.ts";
import type { CallRecord, Sent } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { theBinding } from "../node/34-the-binding.ts";
import { theTool } from "../node/36-the-tool.ts";
import { approvedSnapshot, pinnedForCheck } from "../node/37-approved-snapshot.ts";
import { switchOf } from "../node/38-kill-switches.ts";
import { killSwitchesAgain } from "../node/41-kill-switches-again.ts";
import { sendOnce } from "../node/42-while-it-runs.ts";

/** What stopped a call on purpose, and what would come again: it is not sent again by itself. */
const STOPPED = new Set(["tool_timeout", "tool_cancelled", "tool_killed", "result_too_large", "result_malformed"]);

/** Asks with `outcome_unknown` where a person has to settle it. A call found in the middle of being made by an earlier run is one whose outcome is unknown. */
export async function unknownOutcome(call: CallRecord, world: World): Promise<Answer> {
  if (call.sent === null) {
    const error = { code: "gateway_stopped", message: "the gateway stopped while the call was made: whether it ran is not known" };
    // It went out after its intent, if it did.
    const startedAt = call.trace.findLast(({ row }) => row === "32")?.at ?? call.createdAt;
    call.sent = { status: "outcome_unknown", error, startedAt, endedAt: world.now() };
  }
  if (call.sent.status !== "outcome_unknown") return PASSED;
  const reconciled = await reconcile(call, world);
  if (reconciled !== null) {
    call.sent = reconciled;
    return { answer: "records", detail: { reconciled: true, status: reconciled.status } };
  }
  if (isSafeAgain(call, world) && !STOPPED.has(call.sent.error?.code ?? "") && (await mayStillBeSent(call, world))) {
    world.shared.slots.takeAgain(call.tenant, call.tool, call.id);
    // No entry, no call: the log has the second sending too before it goes out.
    world.unit.tell(auditBody(world, call, "call.intent", { actor: "gateway", row: "43", detail: { again: true } }));
    await keep(call, world);
    const again = await sendOnce(call, world);
    // That the second sending failed says nothing of the first.
    if (call.read || again.status === "ran") {
      call.sent = again;
      return { answer: "records", detail: { sent: "again", status: again.status } };
    }
  }
  if (call.read || world.toolSettings(call.tool).onUnknown === "fail") return { answer: "records", detail: { unknown: "failed" } };
  return { answer: "ask", reason: "outcome_unknown" };
}

/** Whether the rows before the sending would let the call through now: a stop may lie between. */
async function mayStillBeSent(call: CallRecord, world: World): Promise<boolean> {
  for (const row of [theBinding, theTool, approvedSnapshot, killSwitchesAgain]) if ((await row(call, world)).answer !== "passed") return false;
  return !world.isCancelled;
}

/** What the tool itself says became of the operation; null where it cannot say. */
async function reconcile(call: CallRecord, world: World): Promise<Sent | null> {
  const read = world.toolSettings(call.tool).reconcile ?? null;
  try {
    const said = read !== null && !(await mayBeAsked(read.tool, call, world)) ? null : await world.parts.upstream.reconcile(call, read);
    return said === null || said.status === "outcome_unknown" ? null : said;
  } catch {
    return null;
  }
}

/** Whether the read that says what became of a call is one by the policy, with an approved listing, that no switch stops. */
async function mayBeAsked(tool: string, call: CallRecord, world: World): Promise<boolean> {
  if (world.tool(tool)?.effect !== "read" || switchOf({ ...call, tool }, world.policy, world.parts.kills) !== null) return false;
  return (await pinnedForCheck({ ...call, tool }, world)).answer === "passed";
}

/** Whether sending the call twice has the effect of once (chapter 3, Receipts): a read, an idempotent tool, or a key for the operation among the arguments. */
export function isSafeAgain(call: CallRecord, world: World): boolean {
  const tool = world.tool(call.tool);
  if (tool === null) return false;
  if (tool.effect === "read" || tool.idempotent) return true;
  if (tool.idempotency_key === undefined || call.canonical === null) return false;
  const key = rawMembers(call.canonical)?.find(({ name }) => name === tool.idempotency_key)?.value.text;
  return key !== undefined && key !== "null" && key !== '""';
}
