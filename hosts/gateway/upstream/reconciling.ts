// Asks an MCP server what became of a call, by a read of its own that the settings name: its structured result says that it ran, that it did not, or nothing.
import { rawMembers } from "interlock";
import type { CallRecord, Sent } from "../call/record.ts";
import type { JsonScalar, ReconcileSettings } from "../config/settings.ts";
import { paramHeaders } from "./param-headers.ts";
import { sentOf } from "./result.ts";
import type { McpServer } from "./server.ts";

type Came = Omit<Sent, "startedAt" | "endedAt">;

/** Bytes of the read's answer, and how long it may take in milliseconds. */
const BYTES = 1024 * 1024;
const TIME_MS = 15_000;

/** What the server's read `name` says of a call; null where it says nothing: it fails, is not there, or answers another value. Never throws. */
export async function reconcileMcp(call: CallRecord, { argument, from, member, ran, failed }: ReconcileSettings, server: McpServer, name: string): Promise<Came | null> {
  const key = from === null ? JSON.stringify(call.operation) : rawMembers(call.canonical ?? "{}")?.find((each) => each.name === from)?.value.text;
  const schema = server.tools?.get(name)?.schema;
  // A read that does not take the argument looks something else up, or nothing: that it found none would say nothing.
  const takes = Object.hasOwn(Object((schema as { properties?: unknown } | undefined)?.properties), argument);
  if (key === undefined || key === "null" || !takes) return null;
  const args = `{${JSON.stringify(argument)}:${key}}`;
  try {
    const came = sentOf(await server.call(call.requestId, {
      method: "tools/call", name, params: `"name":${JSON.stringify(name)},"arguments":${args}`, meta: "",
      headers: paramHeaders(schema, JSON.parse(args)), limit: BYTES, signal: AbortSignal.timeout(TIME_MS), progress: null,
    }));
    const fields = came.status === "ran" ? (came.fields ?? told(came.result)) : null;
    if (fields === null) return null;
    const text = rawMembers(fields)?.find((each) => each.name === member)?.value.text;
    const value = text === undefined ? undefined : (JSON.parse(text) as JsonScalar);
    if (value === undefined) return null;
    if (ran.includes(value)) return { status: "ran", result: came.result!, fields };
    return failed.includes(value) ? { status: "failed", error: { code: "tool_never_ran", message: `the tool's server says that the call did not run (${member}: ${text})` } } : null;
  } catch {
    return null;
  }
}

/** The object that a result's one text is: servers of older revisions say structured results so. */
function told(result: string | undefined): string | null {
  const { content } = JSON.parse(result ?? "{}") as { content?: readonly { type?: unknown; text?: unknown }[] };
  const [only, ...others] = content ?? [];
  if (others.length > 0 || only?.type !== "text" || typeof only.text !== "string") return null;
  return rawMembers(only.text) === null ? null : only.text;
}
