// What a tool's answer means for the record: ran, failed, or nobody knows.
import { rawMembers } from "interlock";
import type { Sent } from "../call/record.ts";
import { Malformed, TooLarge } from "./bounded.ts";
import { type Answered, NoAnswer } from "./wire.ts";

type Came = Omit<Sent, "startedAt" | "endedAt">;

/** The error code of a proxy's own time limit (the older library's): the tool may have run. */
const REQUEST_TIMEOUT = -32001;

/** The error code and words by which an older proxy says that it lost the server behind it: the tool may have run. */
const CONNECTION_CLOSED = { code: -32000, says: /connection closed/i };

/** What came, held to the tool's limit: what is longer is not kept. Whether such a tool ran is unknown, unless it said that it failed. */
export function within(came: Came, limit: number): Came {
  if (came.result === undefined || Buffer.byteLength(came.result) <= limit) return came;
  if (came.status === "failed") return { status: "failed", error: came.error ?? { code: "result_too_large", message: "" } };
  return failureOf(new TooLarge(limit));
}

/** What an MCP tool's answer means. A JSON-RPC error and `isError` are a failure; of a result only `content`, `structuredContent` and `isError` are kept, as the texts they came in. */
export function sentOf(answered: Answered): Came {
  if ("error" in answered) {
    const { code, message } = answered.error;
    if (code === REQUEST_TIMEOUT) return unknown("tool_timeout", `a server behind the server ran out of time: ${message}`);
    if (code === CONNECTION_CLOSED.code && CONNECTION_CLOSED.says.test(message)) return unknown("tool_unreachable", `a server behind the server was lost: ${message}`);
    return { status: "failed", error: { code: code === -32601 || code === -32602 ? "tool_refused" : "tool_error", message: `${message} (${code})` } };
  }
  const members = rawMembers(answered.result);
  if (members === null || new Set(members.map(({ name }) => name)).size !== members.length) return unknown("result_malformed", "the tool's result is no object with each member once");
  const member = (name: string) => members.find((each) => each.name === name)?.value.text;
  if (member("resultType") === '"input_required"') return { status: "failed", error: { code: "tool_wants_input", message: "the tool asked its client for input, which is not passed on" } };
  // A task that goes on, or a type of a revision to come: there is no result yet.
  if (member("resultType") !== undefined && member("resultType") !== '"complete"') return unknown("result_malformed", "the tool's answer is of a type that is no result");
  const content = member("content") ?? "[]";
  const structured = member("structuredContent");
  const isError = member("isError") ?? "false";
  if (!isContent(content)) return unknown("result_malformed", "the tool's content is no list of typed parts");
  if (isError !== "true" && isError !== "false") return unknown("result_malformed", "the tool's isError is no truth value");
  const isFields = structured?.startsWith("{") === true;
  const result = `{"content":${content}${structured === undefined || structured === "null" ? "" : `,"structuredContent":${structured}`}${isError === "true" ? ',"isError":true' : ""}}`;
  if (isError === "true") return { status: "failed", result, error: { code: "tool_error", message: "the tool says that it failed" } };
  return { status: "ran", result, ...(isFields ? { fields: structured! } : {}) };
}

/** What a failure on the way means: where bytes may have gone out, nobody knows whether the tool ran. An answer that was too long or malformed came of a call that was made. */
export function failureOf(error: unknown): Came {
  if (error instanceof NoAnswer) return { status: error.out ? "outcome_unknown" : "failed", error: { code: error.code, message: error.message } };
  if (error instanceof TooLarge) return unknown(error.code, `the result has more bytes than the tool's limit of ${error.limit}`);
  if (error instanceof Malformed) return unknown(error.code, error.message);
  return unknown("tool_error", error instanceof Error ? error.message : String(error));
}

function unknown(code: string, message: string): Came {
  return { status: "outcome_unknown", error: { code, message } };
}

function isContent(text: string): boolean {
  const parts: unknown = JSON.parse(text);
  return Array.isArray(parts) && parts.every((part: { type?: unknown } | null) => typeof part?.type === "string");
}
