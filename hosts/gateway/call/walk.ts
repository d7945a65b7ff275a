// The walk: takes a call through the rows in the list's order, keeps what they lead to, and stops where a row refuses, holds or the call ended.
import { isPermitted } from "../rows/gate/18-the-approvals-binding.ts";
import { hasPostHooks } from "../rows/after/46-post-call-hooks.ts";
import { canonicalText } from "../sessions/request.ts";
import type { Answer } from "./answer.ts";
import { auditBody } from "./audit.ts";
import { attachedPrefix, onceKey } from "./keys.ts";
import { keep, Moved, tellOutcome } from "./keep.ts";
import type { CallRecord } from "./record.ts";
import { type BuiltRow, BUILT } from "./rows.ts";
import type { World } from "./world.ts";

/** Rows whose refusal stands in observe mode too: there is nothing to send to, a person pulled the switch, or the call was cancelled. */
const STANDS_ALWAYS = new Set(["36", "38", "41", "42"]);
/** Waits behind which a permit may be too old, and policies, switches and listings others: the call goes on behind the people's answer, with every check from there. */
const AFRESH = new Set(["tool_busy", "turn_undecided", "handed_over"]);
const ANSWERED = "17";
/** The last row of what only decides: a call of purpose `check` ends there. */
const DECIDED = "21";

/**
 * Walks on from the last row that passed. Throws Moved where others moved what the decision was made by: nothing was kept, and the call has to be read again.
 * Throws GatewayError where nothing was decided.
 */
export async function walk(call: CallRecord, world: World): Promise<void> {
  for (const row of BUILT.slice(startOf(call, world))) {
    if (world.handsOver && (row.row === "22" || (row.row === "20" && isApproved(call)))) return handOver(call, world);
    if (row.row === "46" && call.state !== "done") await end(call, world);
    const answer = await row.run(call, world);
    note(call, row, answer, world);
    if (world.attachedTo !== null) return;
    const raised = raise(row, answer, world);
    if (raised.answer === "refuse") return refuse(call, row, raised, world);
    if (raised.answer === "hold") return hold(call, raised.reason, world);
    if (raised.answer === "withhold") {
      call.refusal = { row: row.row, reason: raised.reason, message: raised.message, ...(raised.detail === undefined ? {} : { detail: raised.detail }) };
    }
    if (raised.answer === "ask" && row.row === "43") return settleLater(call, world);
    if (row.row === "13" && call.decided !== null) world.crash("decided");
    call.row = row.row;
    if (row.row === "17" && answer.answer === "records") return decidedOnly(call, world);
    if (row.row === "12") world.onHooksPassed();
    if (call.purpose === "check" && row.row === DECIDED) return decidedOnly(call, world);
    if (world.mustKeep) {
      world.mustKeep = false;
      if (world.observes) observed(call, world);
      await keep(call, world);
      world.crash("intent");
    }
  }
  await release(call, world);
}

/** Whether the final check spends people's approval: it is made where the call is, once there is a place for it. */
function isApproved(call: CallRecord): boolean {
  return call.purpose === "call" && call.approval !== null && !isPermitted(call);
}

/** Where the walk goes on: behind the last row that passed; of a call found in the middle of being made, at the row of unknown outcomes. */
function startOf(call: CallRecord, world: World): number {
  if (world.found) return BUILT.findIndex(({ row }) => row === "43");
  return BUILT.findIndex(({ row }) => row === call.row) + 1;
}

function note(call: CallRecord, { row }: BuiltRow, answer: Answer, world: World): void {
  const { detail } = answer;
  call.trace.push({ row, answer: answer.answer, ...("reason" in answer ? { reason: answer.reason } : {}), ...(detail === undefined ? {} : { detail }), at: world.now() });
}

/** What a row's answer comes to: in observe mode a refusal is recorded, and the call goes on. */
function raise({ row }: BuiltRow, answer: Answer, world: World): Answer {
  // Of a call that is only decided a switch is looked at in row 13.
  const stands = STANDS_ALWAYS.has(row) || (answer.answer === "refuse" && answer.reason === "kill_switch");
  if (!world.observes || stands || (answer.answer !== "refuse" && answer.answer !== "ask") || row === "43") return answer;
  return { answer: "records" };
}

async function refuse(call: CallRecord, { row }: BuiltRow, answer: Extract<Answer, { answer: "refuse" }>, world: World): Promise<void> {
  const { reason, message, detail } = answer;
  const wasSending = call.state === "sending";
  // A permit that is not used is not spent.
  if (!wasSending && world.once !== null) world.unit.drop(onceKey(world.once));
  call.state = STATES[reason] ?? "refused";
  call.refusal = { row, reason, message, ...(detail === undefined ? {} : { detail }) };
  if (call.purpose === "check" && world.answered?.decided.decision === "refuse") call.released = world.answered.text;
  for (;;) {
    try {
      await world.giveBack(call);
      world.tellProposed(call);
      if (wasSending) world.unit.tell(auditBody(world, call, "call.not_sent", { actor: "gateway", reasons: [reason], row }));
      else if (!isTold(reason, world)) world.unit.tell(auditBody(world, call, "call.decided", { actor: "gateway", decision: "refuse", reasons: [reason], row }));
      await keep(call, world, "ended");
      return;
    } catch (error) {
      // Once the intent is kept the call is never taken through the earlier rows again; only its report has to be made on the head as it is now.
      if (!(error instanceof Moved) || !wasSending) throw error;
    }
  }
}

/** Whether the log has the refusal already: as the core's decision of this pass, or as a person's answer. */
function isTold(reason: string, { answered }: World): boolean {
  return Object.hasOwn(STATES, reason) || (answered?.decided.decision === "refuse" && answered.decided.reason === reason);
}

const STATES: Readonly<Record<string, CallRecord["state"]>> = { denied: "denied", approval_expired: "expired", approval_withdrawn: "withdrawn", approval_edited: "withdrawn", cancelled: "withdrawn" };

async function hold(call: CallRecord, reason: string, world: World): Promise<void> {
  // Woken, and found as it was left: there is nothing new to keep.
  if (world.version !== null && !world.unit.writes && world.heldFor === reason) return world.leave();
  world.heldFor = reason;
  if (world.approval !== null && world.approval.call !== call.id) world.unit.put(`${attachedPrefix(world.approval.id)}${call.id}`, "1");
  if (AFRESH.has(reason)) call.row = ANSWERED;
  if (reason === "approval_pending") call.state = "asked";
  else if (call.state !== "asked" || reason === "tool_busy") call.state = "admitted";
  if (call.purpose === "check" && world.answered !== null && world.answered.decided.decision !== "allow") call.released = world.answered.text;
  world.tellProposed(call);
  await keep(call, world);
  if (reason === "approval_pending") world.crash("asked");
}

/** Ends a call that was only to be decided: its caller makes it, and reports. */
async function decidedOnly(call: CallRecord, world: World): Promise<void> {
  call.state = "done";
  call.released = world.answered?.text ?? call.released;
  await keep(call, world, "ended");
}

/** Where workers share the engine the call is made in a run of its own, which some worker takes up after a crash. */
async function handOver(call: CallRecord, world: World): Promise<void> {
  await hold(call, "handed_over", world);
  world.wake(call.id);
}

/** A person has to settle the call: it waits in the engine. */
async function settleLater(call: CallRecord, world: World): Promise<void> {
  call.state = "unknown";
  call.row = "42";
  await keepOutcome(call, world, "unknown");
}

/** Takes the outcome into the history and the log; in one commit with the result's release where no hook looks at it between. */
async function end(call: CallRecord, world: World): Promise<void> {
  call.state = "done";
  if (hasPostHooks(call, world)) await keepOutcome(call, world, "going on");
}

async function release(call: CallRecord, world: World): Promise<void> {
  await keepOutcome(call, world, "ended");
  world.crash("released");
}

/** Keeps the outcome, made anew on the head as it is where others moved it: the call itself is never made again. */
async function keepOutcome(call: CallRecord, world: World, then: "going on" | "ended" | "unknown"): Promise<void> {
  for (;;) {
    try {
      await tellOutcome(call, world, then);
      await keep(call, world, then === "ended" ? "ended" : "open");
      if (then === "going on") world.crash("reported");
      return;
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
}

/** In observe mode: what would have been answered, in the log, and the arguments that go out although the core did not allow them. */
export function observed(call: CallRecord, world: World): void {
  if (call.canonical === null) call.canonical = canonicalText(call.arguments, world.policy);
  for (const { row, answer, reason } of call.trace) {
    if (answer !== "refuse" && answer !== "ask") continue;
    world.unit.tell(auditBody(world, call, "call.observed", { actor: "gateway", row, decision: answer === "refuse" ? "refuse" : "confirm", reasons: [reason ?? answer] }));
  }
}
