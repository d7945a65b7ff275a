// What a call's span and metrics say of it: by the conventions' names, and never an argument's value unless the settings let it.
import type { Attributes, Span } from "@opentelemetry/api";
import type { CallRecord, Outcome, Proposal } from "../call/record.ts";
import { ATTRIBUTE, CALL, OPERATION } from "./names.ts";

export function proposed({ tenant, caller, door, session, agent, agentVersion, requestId }: Proposal): Attributes {
  return {
    [ATTRIBUTE.operation]: OPERATION,
    [ATTRIBUTE.toolType]: "function",
    [ATTRIBUTE.conversation]: session,
    [ATTRIBUTE.tenant]: tenant,
    [ATTRIBUTE.caller]: caller,
    [ATTRIBUTE.door]: door,
    [ATTRIBUTE.request]: requestId,
    ...(door === "mcp" ? { [ATTRIBUTE.method]: CALL } : {}),
    ...(agent === null ? {} : { [ATTRIBUTE.agent]: agent }),
    ...(agentVersion === undefined ? {} : { [ATTRIBUTE.agentVersion]: agentVersion }),
  };
}

/** Whether the call's tool is one of the policy's. */
export function isKnown({ decided, refusal }: CallRecord): boolean {
  return decided !== null && decided.reason !== "unknown_tool" && refusal?.reason !== "unknown_tool";
}

/** The conventions' `error.type` of a call that failed or whose outcome nobody knows; a refusal is no failure. */
export function failureOf(outcome: Outcome): Attributes {
  const failed = outcome.kind === "unknown" || (outcome.kind === "result" && outcome.failed);
  return failed ? { [ATTRIBUTE.error]: outcome.call.sent?.error?.code ?? "tool_error" } : {};
}

export function errorOf({ status, error }: NonNullable<CallRecord["sent"]>): Attributes {
  return error === undefined && status === "ran" ? {} : { [ATTRIBUTE.error]: error?.code ?? "tool_error" };
}

export function tell(span: Span, outcome: Outcome, values: boolean): void {
  const { call }: { call: CallRecord } = outcome;
  span.setAttribute(ATTRIBUTE.callId, call.id);
  span.setAttribute(ATTRIBUTE.outcome, outcome.kind);
  if (call.decided !== null) {
    span.setAttribute(ATTRIBUTE.decision, call.decided.decision);
    span.setAttribute(ATTRIBUTE.policy, call.decided.policy);
  }
  for (const { row, answer, reason, at } of call.trace) span.addEvent(`row ${row}`, { [ATTRIBUTE.row]: row, "interlock.answer": answer, ...(reason === undefined ? {} : { [ATTRIBUTE.reason]: reasonName(reason) }) }, at);
  if (call.refusal !== null) {
    span.setAttribute(ATTRIBUTE.reason, reasonName(call.refusal.reason));
    span.setAttribute(ATTRIBUTE.row, call.refusal.row);
  }
  if (values && call.canonical !== null) span.setAttribute(ATTRIBUTE.arguments, call.canonical);
  if (values && outcome.kind === "result") span.setAttribute(ATTRIBUTE.result, outcome.result);
}

/** `argument_origin: amount` names an argument; telemetry keeps the kind. */
export function reasonName(reason: string): string {
  return reason.split(":")[0]!;
}
