// Calls over HTTP: check one, make one, look at one, cancel it, settle one whose outcome is unknown.
import { z } from "@hono/zod-openapi";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import type { CallRecord, Outcome } from "../../call/record.ts";
import { actsFor, requireActsFor } from "../../callers/agents.ts";
import type { Caller, Gateway } from "../../gateway.ts";
import { membersBody, valueBody } from "./bodies.ts";
import { ending } from "../../ending.ts";
import type { Asked } from "./parts.ts";
import { agentOf, callBody, present, proposalOf } from "./proposing.ts";
import { type Api, json } from "./routing.ts";
import { callView, checkAnswer, toolView } from "./shapes.ts";

/** The longest that a request waits, in seconds. */
const LONGEST_WAIT = 300;
/** A number of seconds to wait, as a parameter. */
export const waitSeconds = z
  .string()
  .regex(/^\d{1,3}$/, "a number of seconds from 0 to 300")
  .optional()
  .openapi({ type: "integer", minimum: 0, maximum: LONGEST_WAIT, description: "seconds to wait" });

/** Milliseconds of a `wait` parameter. Fails with `request_invalid`. */
export function waitOf(wait: string | undefined): number | null {
  if (wait === undefined) return null;
  const seconds = Number(wait);
  if (seconds > LONGEST_WAIT) throw new Failure(400, "request_invalid", `parameter: the longest wait is ${LONGEST_WAIT} seconds`, { pointer: "/?wait" });
  return seconds * 1000;
}

const id = { id: z.string().min(1).max(128) };
const tag = "calls";
const key = { "idempotency-key": z.string().min(8).max(128).optional().openapi({ description: "the same key with the same call gives the first result; a pending answer is none: a retry goes on with the call, and may bring the answer to its question" }) };
const notFound = { 404: "call_not_found" };
const reused = { 422: "idempotency_key_reused" };

export function mountCalls(api: Api): void {
  api.mount({
    method: "post", path: "/v1/check", id: "check", tag, summary: "Decide a call (chapter 4); the caller makes it itself, and reports", headers: key, body: { shape: callBody },
    answers: { 200: { what: "The core's answer, canonical", shape: checkAnswer } },
    failures: { ...reused, 403: "member_reserved, member_not_granted, agent_not_granted", 409: "kill_switch" },
    answer: async (asked) => {
      const outcome = await asked.parts.gateway.call(proposalOf(await membersBody(asked), asked, "check", 0));
      return checked(outcome);
    },
  });
  api.mount({
    method: "post", path: "/v1/call", id: "call", tag, summary: "Decide a call and make it: its result, or why there is none", headers: key, body: { shape: callBody }, waits: true,
    query: { wait: waitSeconds },
    answers: { 200: { what: "An end: a result, a refusal, or that nobody knows", shape: callView }, 202: { what: "A person is asked: ask for the call again, or wait", shape: callView } },
    failures: { ...reused, 403: "member_reserved, member_not_granted, agent_not_granted", 409: "kill_switch (of a call that brings the answer to its question)" },
    answer: async (asked, { query }) => {
      const { gateway, settings } = asked.parts;
      const { answer, waitSeconds: usual } = settings().tenants[asked.caller.tenant]?.approvals ?? { answer: "retry", waitSeconds: 0 };
      const outcome = await gateway.call(proposalOf(await membersBody(asked), asked, "call", waitOf(query.wait) ?? (answer === "wait" ? Math.min(usual, LONGEST_WAIT) * 1000 : 0)));
      return told(outcome.call, outcome, asked);
    },
  });
  api.mount({
    method: "get", path: "/v1/calls", id: "getAllCalls", tag, summary: "The tenant's calls, the newest first", may: ["sessions", "audit"],
    query: { session: z.string().max(300).optional(), state: z.string().max(16).optional(), after: z.string().max(128).optional().openapi({ description: "the last id of the page before" }), limit: z.string().regex(/^\d{1,4}$/, "a number").optional().openapi({ type: "integer", minimum: 1, maximum: 1000 }) },
    answers: { 200: { what: "The calls", shape: z.strictObject({ calls: z.array(callView) }) } },
    answer: (asked, { query: { limit, ...filter } }) => list(asked, { ...present(filter), limit: Math.min(Math.max(Number(limit ?? 100), 1), 1000) }),
  });
  api.mount({
    method: "get", path: "/v1/calls/{id}", id: "getCall", tag, summary: "A call as it is now; with `wait`, as it is once it ended or the time is over", params: id, query: { wait: waitSeconds },
    answers: { 200: { what: "The call", shape: callView }, 202: { what: "An edit makes this call, which is not decided yet", shape: callView } }, failures: notFound,
    answer: async (asked, { params, query }) => {
      const wait = waitOf(query.wait) ?? 0;
      // Calls in hand are not waited for longer than was asked.
      const over = ending([asked.request.signal, asked.stopping], wait);
      try {
        const edited = await proposedByEdit(asked, params.id, wait, over.signal);
        if (edited !== null) return edited;
        const call = await readable(asked, params.id);
        const outcome = await asked.parts.gateway.outcome(call.tenant, call.id, wait, over.signal);
        if (wait > 0) await asked.stands();
        return await told(outcome?.call ?? (await readable(asked, params.id)), outcome, asked, true);
      } finally {
        over.end();
      }
    },
  });
  api.mount({
    method: "post", path: "/v1/calls/{id}/cancel", id: "cancelCall", tag, summary: "Cancel a call that has not ended: at the tool, where it is being made", params: id,
    answers: { 202: { what: "It is being cancelled; one that had ended stays as it was", shape: callView } }, failures: notFound,
    answer: async (asked, { params }) => {
      const call = await owned(asked, params.id);
      await asked.parts.gateway.cancel(call.tenant, call.id, asked.caller.name);
      return told(await owned(asked, params.id), null, asked, false, 202);
    },
  });
  const settlement = z.strictObject({ status: z.enum(["ran", "failed"]), why: z.string().min(1).max(2000) }).openapi("Settlement");
  api.mount({
    method: "post", path: "/v1/calls/{id}/settle", id: "settleCall", tag, summary: "Say whether a call ran whose outcome is unknown", params: id, body: { shape: settlement }, may: ["approve", "admin"],
    answers: { 200: { what: "The call", shape: callView } }, failures: { ...notFound, 409: "call_not_unknown" },
    answer: async (asked, { params }) => {
      const { status, why } = await valueBody(asked, settlement);
      requireId(params.id);
      const call = await asked.parts.gateway.settle(asked.caller, params.id, status, why);
      return told(call, await asked.parts.gateway.outcome(call.tenant, call.id, 0), asked);
    },
  });
  api.mount({
    method: "get", path: "/v1/tools", id: "getTools", tag, summary: "The tools that an agent of the caller may reach", query: { agent: z.string().max(256).optional() },
    answers: { 200: { what: "The tools", shape: z.strictObject({ tools: z.array(toolView) }) } }, failures: { 403: "agent_not_granted" },
    answer: async (asked, { query }) => {
      requireActsFor(asked.caller, query.agent ?? null, "/?agent");
      return json({ tools: await asked.parts.gateway.offered(asked.caller.tenant, agentOf(query.agent, asked.caller)) });
    },
  });
}

/** Calls as a list, each as its reader may see it. */
export async function list(asked: Asked, filter: Parameters<Gateway["calls"]>[1]): Promise<Response> {
  const calls = await asked.parts.gateway.calls(asked.caller.tenant, filter);
  const texts = await Promise.all(calls.map(async (call) => (await told(call, null, asked)).text()));
  return jsonResponse(200, `{"calls":[${texts.join(",")}]}`);
}

/** The answer to a check: the core's, as it is; of a row beside it (a hook, a kill switch) its decision in the same members. */
function checked(outcome: Outcome): Response {
  const { id, decided, released } = outcome.call;
  // Whoever makes the call itself meets no later row: a switch is no answer of the policy's, and nothing was decided.
  if (outcome.kind === "refused" && outcome.reason === "kill_switch") throw new Failure(409, "kill_switch", outcome.message, { detail: outcome.detail });
  const headers = { "interlock-call": id };
  if (outcome.kind === "checked") return jsonResponse(200, outcome.answer, headers);
  if (released !== null) return jsonResponse(200, released, headers);
  const none = { entry: null, step: null, link: null, policy: decided?.policy ?? "" };
  if (outcome.kind === "pending") return json({ decision: "confirm", reason: decided?.reason ?? "hook_escalated", reasons: decided?.reasons ?? ["hook_escalated"], question: outcome.question, approval: outcome.approval, ...none }, 200, headers);
  if (outcome.kind === "refused") return json({ decision: "refuse", reason: outcome.reason, reasons: [outcome.reason], message: outcome.message, ...(outcome.detail === undefined ? {} : { detail: outcome.detail }), ...none }, 200, headers);
  throw new Failure(500, "internal", "the check gave no decision: nothing may run");
}

const READERS = ["read_approvals", "approve", "admin"] as const;

/** Whether a call is the caller's own: it proposed it, for an agent that it still acts for; or it was granted the tenant's sessions. */
export function isOwn({ caller: by, agent }: Pick<CallRecord, "caller" | "agent">, caller: Caller): boolean {
  const { name, may } = caller;
  return may.has("admin") || may.has("sessions") || (by === name && actsFor(caller, agent));
}

/** A call of the caller's. Fails with `call_not_found`, also where it is somebody else's. */
async function owned(asked: Asked, call: string): Promise<CallRecord> {
  requireId(call);
  const found = await asked.parts.gateway.record(asked.caller.tenant, call);
  if (found === null || !isOwn(found, asked.caller)) throw callNotFound();
  return found;
}

/** A call that the caller may look at: its own, and for whoever answers questions every call that people were asked about, or that one of them edited. */
async function readable(asked: Asked, call: string): Promise<CallRecord> {
  const { caller, parts } = asked;
  requireId(call);
  const found = await parts.gateway.record(caller.tenant, call);
  if (found === null || !(isOwn(found, caller) || ((found.approval !== null || found.replaces !== null) && READERS.some((grant) => caller.may.has(grant))))) throw callNotFound();
  return found;
}

/** A call that an edit makes and that is not there yet, for whoever may look at it; null where there is no such. Fails with what kept it from being decided. */
async function proposedByEdit(asked: Asked, id: string, waitMs: number, signal: AbortSignal): Promise<Response | null> {
  const { caller, parts } = asked;
  requireId(id);
  const edit = await parts.gateway.edits(caller.tenant, id, waitMs, signal);
  if (edit === null || !(isOwn(edit.approval, caller) || READERS.some((grant) => caller.may.has(grant)))) return null;
  if (waitMs > 0) await asked.stands();
  if (edit.error !== null) throw edit.error;
  const { session, agent, tool, caller: proposer, decidedAt } = edit.approval;
  const view = { call: id, outcome: "working", state: "proposed", session, agent, tool, caller: proposer, createdAt: decidedAt, decision: null, reasons: [], step: null, policy: null, approval: null };
  return json(view, 202, { "interlock-call": id, location: `/v1/calls/${encodeURIComponent(id)}`, "retry-after": "1" });
}

/** Fails with `call_not_found` at what is no call's id: they are printable ASCII. */
function requireId(call: string): void {
  if (!/^[\x21-\x7e]+$/.test(call)) throw callNotFound();
}

function callNotFound(): Failure {
  return new Failure(404, "call_not_found", "there is no such call");
}

/** A call as an answer. Results go to the call's own caller alone; a person who answers questions sees what was proposed. */
export async function told(call: CallRecord, outcome: Outcome | null, { caller, parts }: Asked, whole = false, status?: number): Promise<Response> {
  const own = isOwn(call, caller);
  const view: Record<string, unknown> = {
    call: call.id, outcome: outcome?.kind ?? endOf(call), state: call.state, session: call.session, agent: call.agent, tool: call.tool, caller: call.caller, createdAt: call.createdAt,
    decision: call.decided?.decision ?? null, reasons: call.decided?.reasons ?? [], step: call.decided?.step ?? null, policy: call.decided?.policy ?? null, approval: call.approval,
  };
  let result = "";
  if (outcome?.kind === "result") {
    view["failed"] = outcome.failed;
    if (own) result = `,"result":${outcome.result}`;
  } else if (outcome?.kind === "refused") Object.assign(view, { reason: outcome.reason, message: outcome.message, ...(outcome.detail === undefined ? {} : { detail: outcome.detail }) });
  else if (outcome?.kind === "unknown") view["message"] = outcome.message;
  else if (outcome?.kind === "pending") {
    Object.assign(view, { approval: outcome.approval, question: outcome.question ?? null, expiresAt: outcome.expiresAt });
    if (own && caller.may.has("confirmation")) view["confirmation"] = (await parts.gateway.approval(caller.tenant, outcome.approval))?.confirmation;
  }
  if (whole) {
    view["arguments"] = call.arguments;
    if (own) view["trace"] = call.trace;
  }
  const pending = outcome?.kind === "pending" && !whole;
  const headers: Record<string, string> = { "interlock-call": call.id, ...(pending ? { location: `/v1/calls/${encodeURIComponent(call.id)}`, "retry-after": "5" } : {}) };
  return jsonResponse(status ?? (pending ? 202 : 200), `${JSON.stringify(view).slice(0, -1)}${result}}`, headers);
}

function endOf({ refusal, state, released, purpose }: CallRecord): string {
  if (refusal !== null) return "refused";
  return state === "unknown" ? "unknown" : state === "asked" ? "pending" : released === null ? "working" : purpose === "check" ? "checked" : "result";
}
