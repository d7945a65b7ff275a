// One line of a recording: a call that ended, what was decided of it, and, where the settings say so, what is needed to decide it again.
import type { CallRecord } from "../call/record.ts";

export const RECORDING_FORMAT = "interlock-recording/1";

/** A line. `request` is there where the settings record arguments, `result` where they record results. */
export interface RecordedCall {
  readonly format: typeof RECORDING_FORMAT;
  readonly call: string;
  readonly tenant: string;
  readonly session: string;
  readonly agent: string | null;
  readonly tool: string;
  /** Milliseconds since 1970 at which it was proposed. */
  readonly at: number;
  /** The policy's id. */
  readonly policy: string | null;
  /** What the policy decided, before people answered; in observe mode what it would have been. */
  readonly decision: "allow" | "confirm" | "refuse";
  readonly reasons: readonly string[];
  /** Its step in the session's history; null where it made no entry. */
  readonly step: number | null;
  /** What became of it; null where it was not made. */
  readonly status: "ran" | "failed" | "outcome_unknown" | null;
  /** The arguments' text as the model gave it, and the other members that decide. */
  readonly request?: Readonly<Pick<CallRecord, "arguments" | "origins" | "turns" | "context" | "resource" | "principal" | "labels" | "undo">>;
  /** The result's fields, as JSON text. */
  readonly result?: string;
}

/** The line of a call that ended. */
export function recordedCall(call: CallRecord, { arguments: withArguments, results }: { readonly arguments: boolean; readonly results: boolean }): RecordedCall {
  const { decision, reasons } = decisionOf(call);
  return {
    format: RECORDING_FORMAT,
    call: call.id, tenant: call.tenant, session: call.session, agent: call.agent, tool: call.tool, at: call.createdAt,
    policy: call.decided?.policy ?? null, decision, reasons, step: call.decided?.step ?? null, status: call.sent?.status ?? null,
    ...(withArguments ? { request: requestOf(call) } : {}),
    ...(results && call.sent?.fields !== undefined ? { result: call.sent.fields } : {}),
  };
}

/** The policy's decision as the trace has it: row 13, before a person answered. */
function decisionOf(call: CallRecord): { decision: RecordedCall["decision"]; reasons: readonly string[] } {
  const said = call.trace.find(({ row }) => row === "13");
  if (said !== undefined) {
    const told = said.detail?.["reasons"];
    const reasons = Array.isArray(told) ? told.map(String) : said.reason === undefined ? [] : [said.reason];
    return { decision: said.answer === "refuse" ? "refuse" : said.answer === "ask" || said.answer === "hold" ? "confirm" : "allow", reasons };
  }
  if (call.decided !== null) return { decision: call.decided.decision, reasons: call.decided.reasons };
  return { decision: "refuse", reasons: call.refusal === null ? [] : [call.refusal.reason] };
}

function requestOf({ arguments: text, origins, turns, context, resource, principal, labels, undo }: CallRecord): NonNullable<RecordedCall["request"]> {
  return {
    arguments: text,
    ...(origins === undefined ? {} : { origins }), ...(turns === undefined ? {} : { turns }), ...(context === undefined ? {} : { context }), ...(resource === undefined ? {} : { resource }),
    ...(principal === undefined ? {} : { principal }), ...(labels === undefined ? {} : { labels }), ...(undo === undefined ? {} : { undo }),
  };
}
