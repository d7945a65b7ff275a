// The door of a coding agent's hook: reads a PreToolUse hook's JSON, walks the rows H1 to H2a, asks the gateway's check, and answers allow, ask or deny. Errors never become an allow.
import { rawMembers } from "interlock";
import type { Outcome, Proposal } from "../../call/record.ts";
import { defaultDeny } from "../../rows/harness/H2-default-deny.ts";
import { mcpName } from "../../rows/harness/H2a-mcp-name.ts";
import { runtimesOwnRequests } from "../../rows/harness/H1-runtimes-own-requests.ts";
import { mcpResources } from "../../rows/harness/H1a-mcp-resources.ts";
import type { HarnessCall, OfferedFunction } from "../../rows/harness/harness-call.ts";

/** Tools of the harness that run a shell command: they ask until command rules are there (row H7a). */
export const SHELLS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "Monitor"]);
/** The harness's own tools, by their names in version 2 of Claude Code: never an MCP server's. */
export const OWN_TOOLS: ReadonlySet<string> = new Set([
  ...SHELLS, "Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "Task", "Agent", "TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode",
  "BashOutput", "KillShell", "KillBash", "SlashCommand", "Skill", "AskUserQuestion", "ToolSearch", "LSP",
]);

/** What the hook's caller prints and ends with: 0 with a decision, 2 where not even that can be made (the harness then blocks the call). */
export interface HookAnswer {
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
}

/** What of the gateway the door uses. */
export interface HookParts {
  readonly tenant: string;
  readonly caller: string;
  readonly agent: string | null;
  offered(): Promise<readonly OfferedFunction[]>;
  check(proposal: Proposal): Promise<Outcome>;
  requestId(): string;
}

const ROWS = [runtimesOwnRequests, mcpResources, defaultDeny, mcpName] as const;

/** Answers one hook's input. Never throws: what goes wrong denies, and says why. */
export async function claudeCode(input: string, parts: HookParts): Promise<HookAnswer> {
  try {
    const { event, session, name, toolInput } = read(input);
    if (event !== "PreToolUse") return deny("hook_input", `this hook answers PreToolUse, and was asked about ${JSON.stringify(event.slice(0, 60))}: mend the harness's settings`);
    const call: HarnessCall = { name, offered: await parts.offered(), tool: null };
    for (const row of ROWS) {
      const answered = row(call);
      if (answered.answer === "refuse") return deny(answered.reason, answered.message);
    }
    if (call.tool === null) return deny("unknown_tool", "The session was not offered this tool.");
    const outcome = await parts.check({
      door: "hook",
      tenant: parts.tenant,
      caller: parts.caller,
      session,
      agent: parts.agent,
      tool: call.tool,
      arguments: toolInput,
      turn: null,
      idempotencyKey: null,
      waitMs: 0,
      purpose: "check",
      requestId: parts.requestId(),
    });
    return raised(call.name, decision(outcome));
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    return deny(typeof code === "string" ? code : "hook_failed", error instanceof Error ? error.message : String(error));
  }
}

/** The harness's form of an answer. */
export function printed({ decision, reason }: HookAnswer): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: reason } });
}

function deny(code: string, message: string): HookAnswer {
  return { decision: "deny", reason: `Interlock: ${code}: ${message}` };
}

/** A shell command is asked about whatever the policy allows: what it does is not in its name. */
function raised(name: string, answer: HookAnswer): HookAnswer {
  if (!SHELLS.has(name) || answer.decision !== "allow") return answer;
  return { decision: "ask", reason: "Interlock: shell_command: what a shell command does cannot be told from its tool's name, so a person looks at it." };
}

function decision(outcome: Outcome): HookAnswer {
  if (outcome.kind === "refused") return deny(outcome.reason, outcome.message);
  if (outcome.kind !== "checked") return deny("hook_failed", "the check gave no answer that can be used");
  const answer = JSON.parse(outcome.answer) as { decision: string; reason: string; reasons: string[]; detail?: { message?: string; because?: string }; question?: { text?: string } };
  if (answer.decision === "allow") return { decision: "allow", reason: `Interlock: ${answer.reason}` };
  if (answer.decision === "confirm") return { decision: "ask", reason: `Interlock: ${answer.reasons.join(", ")}${answer.question?.text === undefined ? "" : `\n${answer.question.text}`}` };
  const why = answer.detail?.because ?? answer.detail?.message;
  return { decision: "deny", reason: `Interlock: ${answer.reason}${why === undefined ? "" : `: ${why}`}` };
}

function read(input: string): { event: string; session: string; name: string; toolInput: string } {
  const members = rawMembers(input);
  if (members === null) throw Object.assign(new Error("the hook's input is no JSON object"), { code: "hook_input" });
  const found = new Map<string, string>();
  for (const { name, value } of members) {
    if (found.has(name)) throw Object.assign(new Error(`the hook's input has ${JSON.stringify(name.slice(0, 60))} twice`), { code: "hook_input" });
    found.set(name, value.text);
  }
  const text = (name: string): string => {
    const value: unknown = JSON.parse(found.get(name) ?? "null");
    if (typeof value !== "string" || value === "") throw Object.assign(new Error(`the hook's input has no ${name}`), { code: "hook_input" });
    return value;
  };
  const toolInput = found.get("tool_input");
  if (toolInput === undefined) throw Object.assign(new Error("the hook's input has no tool_input"), { code: "hook_input" });
  return { event: text("hook_event_name"), session: text("session_id"), name: text("tool_name"), toolInput };
}
