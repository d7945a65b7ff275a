// Reads what a harness tells its hooks: the event, the session, and the call with its arguments as their own text.
import { rawMembers } from "interlock";

/** One event about one call. */
export interface HookInput {
  readonly event: string;
  readonly session: string;
  /** The tool's name as the harness spells it. */
  readonly name: string;
  /** The arguments' JSON text as it came. */
  readonly toolInput: string;
  /** The harness's id of the call, the same before and after it; null of a harness that gives none. */
  readonly use: string | null;
  /** Of an event after a call: whether the harness says that it did what it should. */
  readonly failed: boolean;
}

/** The events after a call. */
export const AFTER: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);

/** Whether an input, of which nothing else need be right, is about a call that ran already. */
export function isAfter(input: string): boolean {
  const name = rawMembers(input)?.find((member) => member.name === "hook_event_name")?.value.text;
  return name !== undefined && AFTER.has(JSON.parse(name) as string);
}

/** A failure of the hook itself, with a code: nothing was decided. */
export function hookError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Reads a hook's input. Throws `hook_input` where it is no JSON object, has a member twice, or lacks one. */
export function readInput(input: string): HookInput {
  const members = rawMembers(input);
  if (members === null) throw hookError("hook_input", "the hook's input is no JSON object");
  const found = new Map<string, string>();
  for (const { name, value } of members) {
    if (found.has(name)) throw hookError("hook_input", `the hook's input has ${JSON.stringify(name.slice(0, 60))} twice`);
    found.set(name, value.text);
  }
  const text = (name: string): string => {
    const value: unknown = JSON.parse(found.get(name) ?? "null");
    if (typeof value !== "string" || value === "") throw hookError("hook_input", `the hook's input has no ${name}`);
    return value;
  };
  const event = text("hook_event_name");
  if (event !== "PreToolUse" && !AFTER.has(event)) throw hookError("hook_event", `this hook answers PreToolUse and PostToolUse, and was asked about ${JSON.stringify(event.slice(0, 60))}: mend the harness's settings`);
  const toolInput = found.get("tool_input");
  if (toolInput === undefined) throw hookError("hook_input", "the hook's input has no tool_input");
  const failed = event === "PostToolUseFailure" || saysFailed(found.get("tool_response"));
  return { event, session: text("session_id"), name: text("tool_name"), toolInput, use: found.has("tool_use_id") ? text("tool_use_id") : null, failed };
}

/** Whether a call's response says itself that it failed: an MCP result does so by `isError`. */
function saysFailed(response: string | undefined): boolean {
  const value: unknown = JSON.parse(response ?? "null");
  if (typeof value !== "object" || value === null) return false;
  const { isError, is_error: error } = value as { isError?: unknown; is_error?: unknown };
  return isError === true || error === true;
}
