// Opens a question to people about a call: its record, the turn it holds up, and the log's entry, in the same commit as the entry of the history that asks.
import type { Answer } from "../../call/answer.ts";
import { auditBody } from "../../call/audit.ts";
import { reportStep } from "../../sessions/report.ts";
import { turnKey } from "../../call/keys.ts";
import type { Opening } from "../../call/parts.ts";
import type { CallRecord } from "../../call/record.ts";
import type { World } from "../../call/world.ts";
import { openingOf } from "../../sessions/decide.ts";
import type { Place } from "../before/turns.ts";
import { killed } from "../node/38-kill-switches.ts";

/** Asks people about the call as it was just decided. The call waits in the engine. Refuses with `kill_switch`: nobody is asked about a call that is stopped already. */
export async function ask(call: CallRecord, world: World): Promise<Answer> {
  const stopped = killed(call, world);
  if (stopped !== null) return stopped;
  const { answered } = world;
  const kept = await world.session(call);
  if (answered === null) throw new Error("a question is asked only about what was just decided");
  const opening: Opening = answered.decided.decision === "confirm" ? openingOf(answered, kept) : escalationOf(call, answered.entry?.at ?? Math.floor(world.now() / 1000), answered.entry?.snapshot ?? null);
  call.approval = null;
  // Whichever row asks: the call goes on where the answer is looked at.
  call.row = "13";
  const { approval, changes, audit } = await world.parts.approvals.opened(call, opening, world.policy);
  call.approval = approval.id;
  call.state = "asked";
  world.approval = approval;
  if (call.purpose === "check" && opening.confirmation === "") {
    // The core allowed it, and a hook wants a person: its caller is told to ask, and the entry is no permit.
    call.released = escalated(call, approval.id, opening);
    if (call.decided !== null && call.decided.step !== null) reportStep(world, kept, call.decided.step, { status: "failed" });
  }
  for (const change of changes) world.unit.add(change);
  world.unit.tell(...audit);
  if (!audit.some(({ event }) => event === "call.asked")) world.unit.tell(auditBody(world, call, "call.asked", { actor: "gateway", reasons: opening.reasons, row: "17" }));
  if (call.cohort !== null) await holdUp(call, call.cohort, world, "asked");
  return { answer: "hold", reason: "approval_pending", detail: { approval: approval.id } };
}

/** Writes into the engine that people are asked about the call, or that it waits for the others of its turn. */
export async function holdUp(call: CallRecord, cohort: string, world: World, as: "asked" | "waiting"): Promise<void> {
  const key = turnKey(call.session, cohort, call.id);
  const stored = await world.parts.engine.get(call.tenant, key);
  const before = stored === null ? null : (JSON.parse(stored.value) as Place);
  if (before?.as === as || (as === "waiting" && before?.waits === true)) return;
  const place: Place = as === "waiting" && before?.as === "asked" ? { ...before, waits: true } : { as, at: world.now() };
  world.unit.put(key, JSON.stringify(place));
}

/** The answer to a check that a hook escalated: chapter 4's members, with the gateway's own question and no entry. */
function escalated({ decided }: CallRecord, approval: string, { question, reasons }: Opening): string {
  return JSON.stringify({ decision: "confirm", reason: reasons[0], reasons, question, approval, entry: null, step: null, link: null, policy: decided?.policy ?? "" });
}

/** The question of a hook about a call that the core allows. */
function escalationOf(call: CallRecord, iat: number, snapshot: string | null): Opening {
  const item = call.trace.findLast(({ row, answer }) => row === "12" && answer === "ask");
  const hook = typeof item?.detail?.["hook"] === "string" ? item.detail["hook"] : "a hook";
  const text = `The hook ${hook} wants a person to see this call.`;
  const reason = { reason: "hook_escalated", text };
  const shown = { tool: call.tool, title: `Run ${call.tool}?`, arguments: argumentsOf(call), reasons: [reason], marks: [], undo: null, text };
  return { question: shown, confirmation: "", snapshot, reasons: ["hook_escalated"], marks: [], iat };
}

/** The arguments as chapter 4's question shows them, control and bidirectional characters escaped visibly. */
function argumentsOf(call: CallRecord): readonly unknown[] {
  const values = JSON.parse(call.canonical ?? call.arguments) as Record<string, unknown>;
  return Object.entries(values).map(([name, value]) => ({ name: visible(name), value: visibly(value), origin: call.origins?.[name] ?? "model", typed: false }));
}

function visibly(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(visibly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [visible(name), visibly(member)]));
}

function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
