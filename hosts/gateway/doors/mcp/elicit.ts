// Questions put to the agent's own client: where a person answers, and, only where the policy says `token`, the answer itself.
import type { Outcome, Proposal } from "../../call/record.ts";
import type { Caller } from "../../gateway.ts";
import { outgoing } from "./message.ts";
import type { McpParts } from "./parts.ts";

/** What a client takes. `ask` rejects where the client is gone. */
export interface Asks {
  readonly url: boolean;
  readonly form: boolean;
  readonly sampling: boolean;
  ask(method: string, params: unknown): Promise<unknown>;
}

interface Asking {
  readonly caller: Caller;
  readonly asks: Asks | null;
  readonly signal: AbortSignal;
  notify(text: string): void;
}
type Pending = Outcome & { kind: "pending" };

/** Tells the person where to answer, through a client that opens addresses. Whatever the client says to it decides nothing. */
export function askPerson(line: Asking, asked: Pending, url: string): { over(): void } {
  if (line.asks?.url !== true) return { over: () => undefined };
  const message = "A person has to answer this call's question before it is made.";
  void line.asks.ask("elicitation/create", { mode: "url", message, url, elicitationId: asked.approval }).catch(() => undefined);
  return { over: () => line.notify(outgoing("notifications/elicitation/complete", { elicitationId: asked.approval })) };
}

/**
 * Where the policy's `approval.mode` is `token`, the caller may bring confirmations, and its client takes forms: asks there, and makes the call with the
 * question's token on a yes. Null in every other case: then people decide in the inbox.
 */
export async function byToken(parts: McpParts, asked: Pending, proposal: Proposal, line: Asking): Promise<Outcome | null> {
  if (line.asks?.form !== true || !line.caller.may.has("confirmation")) return null;
  // The question may be another call's of the same turn: its own client puts it.
  if (asked.call.approval !== asked.approval) return null;
  const compiled = JSON.parse((await parts.gateway.policy(proposal.tenant)).text) as { settings?: { approval?: { mode?: unknown } } };
  if (compiled.settings?.approval?.mode !== "token") return null;
  const approval = await parts.gateway.approval(proposal.tenant, asked.approval);
  const text = (asked.question as { text?: unknown } | null)?.text;
  if (approval === null || typeof text !== "string") return null;
  const requestedSchema = { type: "object", properties: { approve: { type: "boolean", title: "Make this call" } }, required: ["approve"] };
  const said = await line.asks.ask("elicitation/create", { mode: "form", message: text, requestedSchema }).catch(() => null);
  const { action, content } = (said ?? {}) as { action?: unknown; content?: { approve?: unknown } };
  if (action !== "accept" || content?.approve !== true || line.signal.aborted) return null;
  return parts.gateway.call({ ...proposal, confirmation: approval.confirmation }, line.signal);
}
