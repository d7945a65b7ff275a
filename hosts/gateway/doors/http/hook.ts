// A coding agent's hook over HTTP: the harness's JSON in, its answer out, by the policy in force and with the tenant's own people.
import { z } from "@hono/zod-openapi";
import { Failure } from "../../../shared/web/failure.ts";
import { namesOf } from "../../approvals/eligible.ts";
import type { Outcome, Proposal } from "../../call/record.ts";
import { offeredFunctions } from "../../rows/harness/offered.ts";
import { claudeCode, type HookParts, OWN_TOOLS, printed } from "../hook/claude-code.ts";
import { hookError, type HookInput } from "../hook/input.ts";
import { textBody } from "./bodies.ts";
import { waitOf, waitSeconds } from "./calls.ts";
import { ending } from "../../ending.ts";
import type { Asked } from "./parts.ts";
import { agentOf, sessionOf } from "./proposing.ts";
import { type Api, json, requireAny } from "./routing.ts";

const answered = z
  .strictObject({ hookSpecificOutput: z.strictObject({ hookEventName: z.literal("PreToolUse"), permissionDecision: z.enum(["allow", "ask", "deny"]), permissionDecisionReason: z.string() }).optional() })
  .openapi("HookAnswer");
const told = z.record(z.string(), z.unknown()).openapi("HookInput", { description: "the harness's own JSON: PreToolUse, PostToolUse or PostToolUseFailure" });

export function mountHook(api: Api): void {
  api.mount({
    method: "post", path: "/v1/hook/claude-code", id: "hookClaudeCode", tag: "calls", summary: "Answer a coding agent's hook: allow, ask or deny before a call; after it, what became of it is taken in (for callers granted `report`)", waits: true,
    query: { wait: waitSeconds, server: z.string().max(1000).optional().openapi({ description: "the names, with commas, that the harness knows those MCP servers by whose tools the policy names without a server" }) },
    body: { shape: told }, answers: { 200: { what: "The harness's form of an answer; empty after a call", shape: answered } }, failures: { 403: "agent_not_granted", 409: "outcome_…, not_granted" },
    answer: async (asked, { query }) => {
      const text = await textBody(asked, ["application/json"]);
      const parts = await partsOf(asked, (query.server ?? "").split(",").filter((name) => name !== ""), waitOf(query.wait) ?? 0);
      const answer = await claudeCode(text, parts);
      // A gateway that only observes leaves the call to the harness, unless a switch stops it.
      if (observes(asked) && answer.decision !== null && answer.error === undefined && !parts.stopped()) return json({});
      if (answer.decision !== null) return json(JSON.parse(printed(answer)), 200, answer.error === undefined ? {} : { "interlock-error": answer.error.code });
      if (answer.error !== undefined) throw new Failure(409, answer.error.code, answer.error.message);
      return json({});
    },
  });
}

interface Policy {
  readonly agents: Readonly<Record<string, { readonly tools?: readonly string[] }>>;
  readonly tools: readonly { readonly name: string }[];
  readonly settings?: { readonly approval?: { readonly mode?: string } };
}

async function partsOf(asked: Asked, servers: readonly string[], waitMs: number): Promise<HookParts & { stopped(): boolean }> {
  const { caller, parts, requestId } = asked;
  const { gateway } = parts;
  const agent = agentOf(undefined, caller);
  const { publicUrl } = parts.settings();
  const { agents, tools, settings } = JSON.parse((await gateway.policy(caller.tenant)).text) as Policy;
  const reached = (Object.hasOwn(agents, agent) ? agents[agent]?.tools : undefined) ?? [];
  const names = tools.map(({ name }) => name).filter((name) => reached.includes("*") || reached.includes(name));
  // A yes that comes by the caller is believed only of one that may bring the question's token: any other would approve its own request.
  const token = settings?.approval?.mode === "token" && caller.may.has("confirmation");
  let stopped = false;
  const own = (proposal: Proposal): Proposal => ({ ...proposal, person: namesOf(caller), session: sessionOf(caller, proposal.session), ...(caller.principal === null ? {} : { principal: caller.principal }) });
  return {
    tenant: caller.tenant,
    caller: caller.name,
    agent,
    harnessAsks: token,
    inbox: `${publicUrl}/#/inbox`,
    requestId: () => requestId,
    offered: async () => offeredFunctions(names, servers, OWN_TOOLS),
    check: async (proposal, use) => {
      const call = { ...own(proposal), idempotencyKey: keyOf(use) };
      const outcome = await gateway.call(call);
      stopped = outcome.kind === "refused";
      if (observes(asked) || token || waitMs === 0 || !asks(outcome)) return outcome;
      await answeredWithin(asked, outcome, waitMs);
      await asked.stands();
      return await gateway.call({ ...call, idempotencyKey: keyOf(use, "again") });
    },
    stopped: () => stopped,
    ran: (input, tool) => takeIn(asked, input, tool, own, token),
  };
}

function observes({ caller, parts }: Asked): boolean {
  return parts.settings().tenants[caller.tenant]?.mode === "observe";
}

/** The harness's id of a call as a key of the gateway: what became of it finds the call by this. */
function keyOf(use: string | null, which = "first"): string | null {
  return use === null ? null : `hook:${use}:${which}`;
}

function asks(outcome: Outcome): boolean {
  return outcome.kind === "pending" || (outcome.kind === "checked" && (JSON.parse(outcome.answer) as { decision: string }).decision === "confirm");
}

/** Waits until the question about a call is answered, or the time is over. */
async function answeredWithin({ parts, caller, request, stopping }: Asked, { call }: Outcome, waitMs: number): Promise<void> {
  const id = (await parts.gateway.record(caller.tenant, call.id))?.approval ?? call.approval;
  if (id === null || (await parts.gateway.approval(caller.tenant, id))?.state !== "open") return;
  const over = ending([request.signal, stopping], waitMs);
  try {
    for await (const event of parts.gateway.events(caller.tenant, over.signal)) {
      if (event.id === id && (await parts.gateway.approval(caller.tenant, id))?.state !== "open") return;
    }
  } finally {
    over.end();
  }
}

/** Takes in what became of a call. One that the harness's own person was asked about (policy setting approval.mode `token`, and a caller granted `confirmation`) was approved, since it ran. */
async function takeIn(asked: Asked, input: HookInput, tool: string, own: (proposal: Proposal) => Proposal, token: boolean): Promise<void> {
  const { caller, parts, requestId } = asked;
  requireAny(caller, ["report"]);
  const session = sessionOf(caller, input.session);
  const keys = [keyOf(input.use, "again"), keyOf(input.use)];
  const calls = await parts.gateway.calls(caller.tenant, { session, limit: 1000 });
  const found = input.use === null ? calls.find((call) => call.tool === tool && call.arguments === input.toolInput && call.door === "hook") : keys.map((key) => calls.find((call) => call.idempotencyKey === key && call.tool === tool)).find((call) => call !== undefined);
  let step = found?.decided?.step ?? null;
  if (found?.decided?.decision !== "allow") step = null;
  if (token && found?.decided?.decision === "confirm" && found.approval !== null) {
    const confirmation = (await parts.gateway.approval(caller.tenant, found.approval))?.confirmation;
    const proposal: Proposal = { door: "hook", tenant: caller.tenant, caller: caller.name, session: input.session, agent: found.agent, tool, arguments: input.toolInput, turn: null, idempotencyKey: null, waitMs: 0, purpose: "check", requestId };
    const outcome = await parts.gateway.call({ ...own(proposal), ...(confirmation === undefined ? {} : { confirmation }) });
    step = outcome.call.decided?.decision === "allow" ? outcome.call.decided.step : null;
  }
  if (step === null && observes(asked)) return;
  if (step === null) throw hookError("outcome_no_step", "no call of this session was let through that this is the outcome of");
  await parts.gateway.report(caller, { session, step, status: input.failed ? "outcome_unknown" : "ran" });
}
