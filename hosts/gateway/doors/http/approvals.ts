// Questions to people over HTTP: listed, looked at, answered, edited, expired; waited for by long poll or server-sent events.
import { createHash } from "node:crypto";
import { z } from "@hono/zod-openapi";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import type { ApprovalRecord } from "../../approvals/record.ts";
import type { Grant } from "../../config/settings.ts";
import type { Caller } from "../../gateway.ts";
import { membersBody, shaped, valueBody } from "./bodies.ts";
import { waitOf, waitSeconds } from "./calls.ts";
import { eventStream, happened } from "./events.ts";
import { needed } from "./proposing.ts";
import { type Api, json } from "./routing.ts";
import { approvalView } from "./shapes.ts";

const tag = "approvals";
const READERS: readonly Grant[] = ["read_approvals", "approve", "admin"];
const DECIDERS: readonly Grant[] = ["approve"];
const id = { id: z.string().min(1).max(128) };
const why = z.string().min(1).max(2000);
const decided = { 403: "own_request, not_a_decider", 404: "approval_not_found", 409: "approval_closed, already_answered, kill_switch" };
const answered = { ...decided, 409: "approval_closed, already_answered" };
const approveBody = z.strictObject({ why: why.optional() }).openapi("Approve");
const denyBody = z.strictObject({ why }).openapi("Deny", { description: "why is told to the model" });
const editBody = z.strictObject({ arguments: needed("the other arguments, whole"), why: why.optional() }).openapi("Edit");
/** Events that change what an inbox shows. */
const SHOWN = /^(?:call\.(?:asked|approved|denied|expired|edited|not_sent|confirmed|failed|outcome_unknown|settled)|listing\.|policy\.|kill\.)/;

export function mountApprovals(api: Api): void {
  api.mount({
    method: "get", path: "/v1/approvals", id: "getApprovals", tag, may: READERS, summary: "Questions, the newest first; with `wait`, once there is one (with If-None-Match: once the list is another)",
    query: { state: z.enum(["open", "approved", "denied", "expired", "edited", "spent", "withdrawn"]).optional(), after: z.string().max(128).optional().openapi({ description: "the last id of the page before" }), limit: z.string().regex(/^\d{1,4}$/, "a number").optional().openapi({ type: "integer", minimum: 1, maximum: 1000 }), wait: waitSeconds },
    headers: { "if-none-match": z.string().optional() },
    answers: { 200: { what: "The questions", shape: z.strictObject({ approvals: z.array(approvalView) }) }, 304: "The list is the one that the caller has" },
    answer: async (asked, { query: { wait, limit, ...filter } }) => {
      const has = asked.request.headers.get("if-none-match");
      const many = Math.min(Math.max(Number(limit ?? 100), 1), 1000);
      const look = async () => {
        const approvals = await asked.parts.gateway.approvals(asked.caller.tenant, { limit: many, ...(filter.state === undefined ? {} : { state: filter.state }), ...(filter.after === undefined ? {} : { after: filter.after }) });
        const text = JSON.stringify({ approvals: approvals.map((approval) => viewOf(approval, asked.caller)) });
        const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
        return { text, etag, news: has === null ? approvals.length > 0 : has !== etag };
      };
      const { text, etag, news } = await happened(asked, waitOf(wait) ?? 0, look);
      return has === null || news ? jsonResponse(200, text, { etag }) : new Response(null, { status: 304, headers: { etag, "cache-control": "no-store" } });
    },
  });
  api.mount({
    method: "get", path: "/v1/approvals/events", id: "getApprovalEvents", tag, may: READERS, streams: true, summary: "What happens to questions, as it happens (server-sent events)",
    headers: { "last-event-id": z.string().optional().openapi({ description: "goes on behind this event" }) },
    answers: { 200: { what: "A stream of events: `data` is {event, id}", shape: z.string(), type: "text/event-stream" } },
    answer: async (asked) => eventStream(asked, SHOWN),
  });
  api.mount({
    method: "get", path: "/v1/approvals/{id}", id: "getApproval", tag, may: READERS, summary: "A question; with `wait`, once it is no longer open or the time is over", params: id, query: { wait: waitSeconds },
    answers: { 200: { what: "The question", shape: approvalView } }, failures: { 404: "approval_not_found" },
    answer: async (asked, { params, query }) => {
      const { found } = await happened(asked, waitOf(query.wait) ?? 0, async () => {
        const approval = await asked.parts.gateway.approval(asked.caller.tenant, params.id);
        return { found: approval, news: approval?.state !== "open" };
      });
      if (found === null) throw new Failure(404, "approval_not_found", "there is no such question");
      return json(viewOf(found, asked.caller));
    },
  });
  api.mount({
    method: "post", path: "/v1/approvals/{id}/approve", id: "approve", tag, may: DECIDERS, summary: "Say yes", params: id, body: { shape: approveBody },
    answers: { 200: { what: "The question", shape: approvalView } }, failures: decided,
    answer: async (asked, { params }) => {
      const given = await valueBody(asked, approveBody);
      return json(viewOf(await asked.parts.gateway.decide(asked.caller, params.id, { answer: "approve", ...(given.why === undefined ? {} : { why: given.why }) }), asked.caller));
    },
  });
  api.mount({
    method: "post", path: "/v1/approvals/{id}/deny", id: "deny", tag, may: DECIDERS, summary: "Say no, and why: it is final for this call", params: id, body: { shape: denyBody },
    answers: { 200: { what: "The question", shape: approvalView } }, failures: answered,
    answer: async (asked, { params }) => json(viewOf(await asked.parts.gateway.decide(asked.caller, params.id, { answer: "deny", why: (await valueBody(asked, denyBody)).why }), asked.caller)),
  });
  api.mount({
    method: "post", path: "/v1/approvals/{id}/edit", id: "editApproval", tag, may: DECIDERS, summary: "Approve with other arguments: a new call, checked from the start", params: id, body: { shape: editBody },
    answers: { 202: { what: "The question, once the edit is kept: the new call is `editedInto`, and told at the address in Location", shape: approvalView } }, failures: { ...decided, 400: "arguments_invalid, nothing_edited", 409: `${decided[409]}, edit_refused, edit_denied`, 422: "edit_refused" },
    answer: async (asked, { params }) => {
      const members = await membersBody(asked);
      const body = shaped(editBody, Object.fromEntries([...members].map(([name, text]) => [name, name === "arguments" ? null : (JSON.parse(text) as unknown)])));
      const edited = members.get("arguments");
      if (edited?.startsWith("{") !== true) throw new Failure(400, "request_invalid", "the arguments of a call are one JSON object", { pointer: "/arguments" });
      const approval = await asked.parts.gateway.edit(asked.caller, params.id, edited, body.why ?? null);
      return json(viewOf(approval, asked.caller), 202, { location: `/v1/calls/${encodeURIComponent(approval.editedInto!)}` });
    },
  });
  api.mount({
    method: "post", path: "/v1/approvals/{id}/expire", id: "expireApproval", tag, may: DECIDERS, summary: "End a question that nobody is to answer any more: its call is refused", params: id,
    answers: { 200: { what: "The question", shape: approvalView } }, failures: { 404: decided[404], 409: "approval_closed" },
    answer: async (asked, { params }) => json(viewOf(await asked.parts.gateway.expire(asked.caller, params.id), asked.caller)),
  });
}

/** A question as its reader may see it: the token that answers it, and signatures, only where they were granted. */
function viewOf({ confirmation, answers, person: _, ...rest }: ApprovalRecord, { may }: Caller): unknown {
  return {
    ...rest,
    ...(may.has("confirmation") ? { confirmation } : {}),
    answers: answers.map(({ jws, names: __, ...answer }) => ({ ...answer, ...(may.has("approvals") ? { jws } : {}) })),
  };
}
