// The door of a coding agent's hook: reads a PreToolUse hook's JSON, walks the rows H1 to H2a, asks the gateway's check, and answers allow, ask or deny. Errors never become an allow.
import type { Outcome, Proposal } from "../../call/record.ts";
import { defaultDeny } from "../../rows/harness/H2-default-deny.ts";
import { mcpName } from "../../rows/harness/H2a-mcp-name.ts";
import { runtimesOwnRequests } from "../../rows/harness/H1-runtimes-own-requests.ts";
import { mcpResources } from "../../rows/harness/H1a-mcp-resources.ts";
import type { HarnessCall, OfferedFunction } from "../../rows/harness/harness-call.ts";
import { AFTER, hookError, type HookInput, readInput } from "./input.ts";

/** Tools of the harness that run a shell command: they ask until command rules are there (row H7a). */
export const SHELLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "Monitor"]);
/** The harness's own tools, by their names in version 2 of Claude Code: never an MCP server's. */
export const OWN_TOOLS: ReadonlySet<string> = new Set([
  ...SHELLS, "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "Task", "Agent", "TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode",
  "BashOutput", "KillShell", "KillBash", "SlashCommand", "Skill", "AskUserQuestion", "ToolSearch", "LSP",
]);

/** What the harness is told. */
export interface HookAnswer {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  /** Where nothing could be decided: what went wrong. The decision is then `deny`. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** After a call there is nothing to decide: its outcome was taken in, or why not. */
export interface HookDone {
  readonly decision: null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What of the gateway the door uses. */
export interface HookParts {
  readonly tenant: string;
  readonly caller: string;
  readonly agent: string | null;
  /** Whether a yes that a person gives the harness approves a call under the policy; where it does not, people answer elsewhere, and the call is denied until they did. */
  readonly harnessAsks: boolean;
  /** Where people answer then. */
  readonly inbox?: string;
  offered(): Promise<readonly OfferedFunction[]>;
  check(proposal: Proposal, use: string | null): Promise<Outcome>;
  /** Takes in what became of a call, by the policy's name of its tool. */
  ran(input: HookInput, tool: string): Promise<void>;
  requestId(): string;
}

const ROWS = [runtimesOwnRequests, mcpResources, defaultDeny, mcpName] as const;

/** Answers one hook's input. Never throws: what goes wrong denies, and says why. */
export async function claudeCode(text: string, parts: HookParts): Promise<HookAnswer | HookDone> {
  let after = false;
  try {
    const input = readInput(text);
    after = AFTER.has(input.event);
    const call: HarnessCall = { name: input.name, offered: await parts.offered(), tool: null };
    const refused = ROWS.map((row) => row(call)).find((answered) => answered.answer === "refuse");
    if (after) {
      // A call that was never let through has no outcome.
      if (refused === undefined && call.tool !== null) await parts.ran(input, call.tool);
      return { decision: null };
    }
    if (refused?.answer === "refuse") return deny(refused.reason, refused.message);
    if (call.tool === null) return deny("unknown_tool", "The session was not offered this tool.");
    return raised(call.name, decision(await parts.check(proposal(input, call.tool, parts), input.use), parts));
  } catch (error) {
    const answer = failed(error);
    return after && answer.error !== undefined ? { decision: null, error: answer.error } : answer;
  }
}

/** The answer to an error: a denial that carries it. */
export function failed(error: unknown): HookAnswer {
  const { code: given } = error as { code?: unknown };
  const code = typeof given === "string" ? given : "hook_failed";
  const message = error instanceof Error ? error.message : String(error);
  return { ...deny(code, message), error: { code, message } };
}

/** The harness's form of an answer. */
export function printed({ decision, reason }: HookAnswer): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: reason } });
}

function proposal({ session, toolInput }: HookInput, tool: string, { tenant, caller, agent, requestId }: HookParts): Proposal {
  return { door: "hook", tenant, caller, session, agent, tool, arguments: toolInput, turn: null, idempotencyKey: null, waitMs: 0, purpose: "check", requestId: requestId() };
}

function deny(code: string, message: string): HookAnswer {
  return { decision: "deny", reason: `Interlock: ${code}: ${message}` };
}

/** A shell command is asked about whatever the policy allows: what it does is not in its name. */
function raised(name: string, answer: HookAnswer): HookAnswer {
  if (!SHELLS.has(name) || answer.decision !== "allow") return answer;
  return { decision: "ask", reason: "Interlock: shell_command: what a shell command does cannot be told from its tool's name, so a person looks at it." };
}

interface Answer {
  readonly decision: string;
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly detail?: { readonly message?: string; readonly because?: string };
  readonly question?: { readonly text?: string };
}

function decision(outcome: Outcome, { harnessAsks, inbox }: HookParts): HookAnswer {
  if (outcome.kind === "refused") return deny(outcome.reason, outcome.message);
  if (outcome.kind === "pending") return elsewhere(inbox);
  if (outcome.kind !== "checked") throw hookError("hook_failed", "the check gave no answer that can be used");
  const answer = JSON.parse(outcome.answer) as Answer;
  if (answer.decision === "allow") return { decision: "allow", reason: `Interlock: ${answer.reason}` };
  if (answer.decision === "confirm") return harnessAsks ? { decision: "ask", reason: `Interlock: ${answer.reasons.join(", ")}${answer.question?.text === undefined ? "" : `\n${answer.question.text}`}` } : elsewhere(inbox);
  if (answer.decision !== "refuse") throw hookError("hook_failed", "the check gave no answer that can be used");
  const why = answer.detail?.because ?? answer.detail?.message;
  return { decision: "deny", reason: `Interlock: ${answer.reason}${why === undefined ? "" : `: ${why}`}` };
}

function elsewhere(inbox: string | undefined): HookAnswer {
  return deny("approval_pending", `A person has to approve this call first${inbox === undefined ? "" : `, at ${inbox}`}. Propose the same call again once they answered.`);
}
