// The way of one tools/call through the door: the raw text of its arguments becomes a proposal, and the call's end a tool result.
import { randomUUID } from "node:crypto";
import { rawMembers } from "interlock";
import { namesOf } from "../../approvals/eligible.ts";
import type { Outcome, Proposal } from "../../call/record.ts";
import type { Caller } from "../../gateway.ts";
import { resultOf, undecided } from "./answers.ts";
import { type Asks, askPerson, byToken } from "./elicit.ts";
import { INVALID_PARAMS, INVALID_REQUEST, outgoing, RpcError } from "./message.ts";
import { readMeta, type Said } from "./meta.ts";
import type { McpParts } from "./parts.ts";

/** How long a client without progress is kept waiting for a person: below the minute after which the official clients give up. */
const QUIET_WAIT_MS = 45_000;
/** How often a client that waits for a person hears of it: well below the same minute. */
const HEARD_MS = 10_000;
/** The longest tool name that is looked at. */
const TOOL_NAME = 256;

/** What a call's connection offers it. */
export interface Line {
  readonly caller: Caller;
  /** The conversation where `_meta` names none. */
  readonly conversation: string;
  readonly era: "legacy" | "modern";
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
  /** Sends the client a notification about this request, as text; drops it where nothing takes it. */
  notify(text: string): void;
  /** Questions that the client takes: what it declared, and the way to put one; null where it takes none. */
  readonly asks: Asks | null;
  /** Whether the client may put input to a second try of the same request (2026-07-28): then a question is told by `input_required`. */
  readonly takesInput: boolean;
}

/** Answers a `tools/call` by its `params` text, with the text of its result. Throws RpcError for what is no call. */
export async function callTool(parts: McpParts, params: string | null, line: Line): Promise<string> {
  const members = membersOf(params);
  const tool: unknown = JSON.parse(members.get("name") ?? "null");
  if (typeof tool !== "string" || tool.length > TOOL_NAME) throw new RpcError(INVALID_PARAMS, "name is the tool's name");
  const said = readMeta(members.get("_meta") ?? null, line.caller);
  const proposal = proposalOf(tool, members.get("arguments") ?? "{}", said, line);
  const done = parts.relays.open(proposal.requestId, {
    progress: said.progress === null ? null : (progress, total, message) => line.notify(progressText(said.progress!, progress, total, message)),
    ask: line.asks?.sampling === true ? (method, asked) => line.asks!.ask(method, asked) : null,
  });
  try {
    return await end(parts, proposal, said, line, members.has("inputResponses"));
  } catch (error) {
    if (error instanceof RpcError) throw error;
    return undecided(error);
  } finally {
    done();
  }
}

/** The address at which a person answers a question. */
export function answerUrl(publicUrl: string, approval: string): string {
  return `${publicUrl.replace(/\/+$/, "")}/#/inbox/${encodeURIComponent(approval)}`;
}

async function end(parts: McpParts, proposal: Proposal, said: Said, line: Line, again: boolean): Promise<string> {
  const settings = parts.settings();
  const { answer, waitSeconds } = settings.tenants[proposal.tenant]?.approvals ?? { answer: "retry", waitSeconds: 0 };
  const where = (approval: string) => answerUrl(settings.publicUrl, approval);
  let outcome = await parts.gateway.call(proposal, line.signal);
  if (outcome.kind === "pending") {
    const asked = outcome;
    const covered = await byToken(parts, asked, proposal, line);
    if (covered !== null) outcome = covered;
    else if (line.takesInput && answer === "task" && !again) return inputRequired(asked, where(asked.approval));
    else {
      const telling = askPerson(line, asked, where(asked.approval));
      const waits = answer === "wait" || again ? Math.min(waitSeconds * 1000, said.progress === null ? QUIET_WAIT_MS : Number.POSITIVE_INFINITY) : 0;
      outcome = await waited(parts, asked, waits, said, line);
      telling.over();
    }
  }
  return resultOf(outcome, where);
}

/** Waits for a person, telling the client that it goes on. */
async function waited(parts: McpParts, asked: Outcome & { kind: "pending" }, waitMs: number, said: Said, line: Line): Promise<Outcome> {
  const until = Date.now() + waitMs;
  let outcome: Outcome = asked;
  for (let beat = 1; outcome.kind === "pending" && Date.now() < until && !line.signal.aborted; beat++) {
    outcome = (await parts.gateway.outcome(asked.call.tenant, asked.call.id, Math.min(HEARD_MS, until - Date.now()), line.signal)) ?? outcome;
    if (outcome.kind === "pending" && said.progress !== null) line.notify(progressText(said.progress, beat / (beat + 1), undefined, "waiting for a person"));
  }
  return outcome;
}

/** The end of a request of 2026-07-28 whose client may bring input: it is told where a person answers, and sends the call again. */
function inputRequired(asked: Outcome & { kind: "pending" }, url: string): string {
  const message = "A person has to answer this call's question. Open the address, and send the call again.";
  return JSON.stringify({
    resultType: "input_required",
    inputRequests: { approval: { method: "elicitation/create", params: { mode: "url", message, url, elicitationId: asked.approval } } },
    requestState: asked.approval,
  });
}

function membersOf(params: string | null): Map<string, string> {
  const found = params === null ? null : rawMembers(params);
  if (found === null) throw new RpcError(INVALID_PARAMS, "params is an object with name and arguments");
  const members = new Map(found.map(({ name, value }) => [name, value.text]));
  if (members.size !== found.length) throw new RpcError(INVALID_REQUEST, "a member of params is there twice");
  const args = members.get("arguments");
  if (args !== undefined && !args.startsWith("{")) throw new RpcError(INVALID_PARAMS, "arguments is an object");
  return members;
}

function proposalOf(tool: string, args: string, said: Said, line: Line): Proposal {
  const { session, progress: _progress, ...believed } = said;
  return {
    door: "mcp",
    tenant: line.caller.tenant,
    caller: line.caller.name,
    person: namesOf(line.caller),
    session: session === null ? line.conversation : `${line.caller.name}/${session}`,
    tool,
    arguments: args,
    ...believed,
    waitMs: 0,
    purpose: "call",
    requestId: randomUUID(),
  };
}

function progressText(token: string, progress: number, total: number | undefined, message: string | undefined): string {
  return outgoing("notifications/progress", { progressToken: JSON.parse(token), progress, total, message });
}
