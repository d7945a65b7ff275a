// What a model is told of a call's end: results as they came, everything else as a tool error that it can read.
import { rawMembers } from "interlock";
import type { Outcome } from "../../call/record.ts";
import { GatewayError } from "../../gateway.ts";

/** The text of a CallToolResult for an end of a call; `where` is the address at which a person answers. */
export function resultOf(outcome: Outcome, where: (approval: string) => string): string {
  switch (outcome.kind) {
    case "result":
      return toolResult(outcome.result, outcome.failed);
    case "refused":
      return failure(`Refused (${outcome.reason}): ${outcome.message}`, { decision: "refuse", reason: outcome.reason, message: outcome.message, detail: outcome.detail, call: outcome.call.id });
    case "pending":
      return failure(
        `Not done yet: a person is asked (${where(outcome.approval)}). Call the tool again with the same arguments to learn the answer; nobody is asked twice.`,
        { decision: "pending", reason: "approval_pending", approval: outcome.approval, url: where(outcome.approval), question: questionText(outcome.question), expiresAt: outcome.expiresAt, retry: "same_arguments", call: outcome.call.id },
      );
    case "unknown":
      return failure(`The outcome is unknown: ${outcome.message}`, { decision: "unknown", reason: "outcome_unknown", message: outcome.message, call: outcome.call.id });
    case "checked":
      return failure("Only checked, not made.", { decision: "checked", reason: "checked" });
  }
}

/** What a model is told of a failure. A GatewayError says that nothing was done; after any other, and a 500, the call may have been made, and nothing else of it is passed on. */
export function undecided(error: unknown): string {
  if (!(error instanceof GatewayError) || error.status === 500) {
    const message = "the gateway failed, and it is not known whether the call was made. Do not make it again before a person has looked";
    return failure(`The outcome is unknown: ${message}.`, { decision: "unknown", reason: "outcome_unknown", message });
  }
  return failure(`Nothing was done (${error.code}): ${error.message}`, { decision: "error", reason: error.code, message: error.message, pointer: error.pointer, detail: error.detail });
}

function failure(text: string, structured: Record<string, unknown>): string {
  return JSON.stringify({ content: [{ type: "text", text }], structuredContent: structured, isError: true });
}

function questionText(question: unknown): string | undefined {
  const text = (question as { text?: unknown } | null)?.text;
  return typeof text === "string" ? text : undefined;
}

/**
 * A tool's result, its texts untouched. An MCP tool's is passed on. An HTTP tool's body becomes the content, and the fields where it is an object.
 * Anything else (a person settled it, a hook made it) is content as it stands.
 */
function toolResult(text: string, failed: boolean): string {
  const members = rawMembers(text);
  const member = (name: string) => members?.find((each) => each.name === name)?.value.text;
  const content = member("content");
  if (content?.startsWith("[") === true) {
    const structured = member("structuredContent");
    return `{"content":${content}${structured === undefined ? "" : `,"structuredContent":${structured}`}${failed || member("isError") === "true" ? ',"isError":true' : ""}}`;
  }
  const body = members?.length === 2 && /^\d{3}$/.test(member("status") ?? "") ? member("body") : undefined;
  const value = body ?? text;
  const shown = value.startsWith('"') ? (JSON.parse(value) as string) : value;
  return `{"content":[${JSON.stringify({ type: "text", text: shown })}]${value.startsWith("{") ? `,"structuredContent":${value}` : ""}${failed ? ',"isError":true' : ""}}`;
}
