// Sessions over HTTP: the kept history and head, what became of a call, the permit's receipt, a person's turn read, undoing, and erasure.
import { z } from "@hono/zod-openapi";
import { refuseReserved, requireMember } from "../../../shared/web/members.ts";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import { rawJson } from "interlock";
import { type Members, membersBody, shaped, valueBody } from "./bodies.ts";
import { list, told } from "./calls.ts";
import { agentOf, needed, present, sessionName, sessionOf } from "./proposing.ts";
import { type Api, json } from "./routing.ts";
import { callView, head, history, plan, receiptAnswer } from "./shapes.ts";

const tag = "sessions";
const id = { id: z.string().min(1).max(300) };
const step = z.int().min(0);
const raw = (description: string) => z.unknown().openapi({ type: "object", description });

const reportBody = z
  .strictObject({ session: sessionName, history: raw("chapter 3's history; absent: the gateway's own").optional(), step, status: z.enum(["ran", "failed", "outcome_unknown", "compensated"]), result: raw("the result's fields; every digit counts").optional(), external_id: z.string().optional() })
  .openapi("Report");
const receiptBody = z
  .strictObject({ session: sessionName, history: raw("chapter 3's history; absent: the gateway's own").optional(), tool: z.string().max(128), arguments: needed("the arguments"), agent: z.string().max(256).optional(), principal: raw("chapter 4's principal").optional(), step: step.optional() })
  .openapi("ReceiptQuestion");
const readBody = z.strictObject({ turn: z.string(), agent: z.string().max(256).optional(), session: sessionName.optional() }).openapi("Turn");
const purged = z.strictObject({ sessions: z.array(z.string()), results: z.int().openapi({ description: "calls whose results were erased" }), kept: z.array(z.strictObject({ session: z.string(), why: z.string() })) }).openapi("Purged");
const undoBody = z.strictObject({ steps: z.union([z.literal("all"), z.array(step).min(1).max(1000)]) }).openapi("Undo");

export function mountSessions(api: Api): void {
  api.mount({
    method: "post", path: "/v1/report", id: "report", tag, summary: "What became of a call that the caller made itself (chapter 3)", may: ["report"], body: { shape: reportBody },
    answers: { 200: { what: "The history with the outcome", shape: history } }, failures: { 403: "member_reserved, agent_not_granted", 409: "history_invalid, made_here, approval_pending, outcome_…" },
    answer: async (asked) => {
      const members = await membersBody(asked, ["result", "history"]);
      for (const [name, text] of members) refuseReserved({ name, value: rawJson(text) });
      const body = shaped(reportBody, unread(members, ["history", "result"]));
      const [result, past] = [objectOf(members, "result"), members.get("history")];
      const told = { session: sessionOf(asked.caller, body.session), step: body.step, status: body.status, ...(result === undefined ? {} : { result }), ...(body.external_id === undefined ? {} : { externalId: body.external_id }), ...(past === undefined ? {} : { history: past }) };
      return jsonResponse(200, await asked.parts.gateway.report(asked.caller, told));
    },
  });
  api.mount({
    method: "post", path: "/v1/receipt", id: "receipt", tag, summary: "Whether an entry permits exactly this call (chapter 3); each allow counts as one admission", may: ["receipt"], body: { shape: receiptBody },
    answers: { 200: { what: "The receipt", shape: receiptAnswer } }, failures: { 403: "member_reserved, member_not_granted, agent_not_granted", 409: "kill_switch, made_here, approval_pending" },
    answer: async (asked) => {
      const { caller, parts } = asked;
      const members = await membersBody(asked);
      for (const [name, text] of members) {
        const member = { name, value: rawJson(text) };
        refuseReserved(member);
        if (name === "agent" || name === "principal") requireMember(member, name, caller);
      }
      const body = shaped(receiptBody, unread(members, ["history", "arguments", "principal"]));
      const args = objectOf(members, "arguments");
      if (args === undefined) throw new Failure(400, "request_invalid", "the arguments of a call are one JSON object", { pointer: "/arguments" });
      const principal = objectOf(members, "principal") ?? (caller.principal === null ? undefined : JSON.stringify(caller.principal));
      const agent = agentOf(body.agent, caller);
      const past = members.get("history");
      const question = { session: sessionOf(caller, body.session), tool: body.tool, arguments: args, agent, ...(principal === undefined ? {} : { principal }), ...(body.step === undefined ? {} : { step: body.step }), ...(past === undefined ? {} : { history: past }) };
      return jsonResponse(200, await parts.gateway.receipt(caller, question));
    },
  });
  api.mount({
    method: "post", path: "/v1/read", id: "read", tag, summary: "Read a person's turn into a plan (chapter 6)", may: ["turns"], body: { shape: readBody },
    answers: { 200: { what: "The plan", shape: plan } }, failures: { 403: "member_not_granted, agent_not_granted" },
    answer: async (asked) => {
      const body = await valueBody(asked, readBody);
      if (body.agent !== undefined) requireMember({ name: "agent", value: rawJson(JSON.stringify(body.agent)) }, "agent", asked.caller);
      const session = body.session === undefined ? null : sessionOf(asked.caller, body.session);
      return jsonResponse(200, await asked.parts.gateway.read(asked.caller.tenant, agentOf(body.agent, asked.caller), body.turn, session));
    },
  });
  api.mount({
    method: "get", path: "/v1/sessions/{id}", id: "getSession", tag, summary: "A session's history and head", params: id,
    answers: { 200: { what: "The session", shape: z.strictObject({ session: z.string(), head, history }) } }, failures: { 404: "session_not_found" },
    answer: async (asked, { params }) => {
      const session = sessionOf(asked.caller, params.id);
      const found = await asked.parts.gateway.session(asked.caller.tenant, session);
      if (found === null) throw new Failure(404, "session_not_found", "there is no such session");
      return jsonResponse(200, `{"session":${JSON.stringify(session)},"head":${JSON.stringify(found.head)},"history":${found.history}}`);
    },
  });
  api.mount({
    method: "delete", path: "/v1/sessions/{id}", id: "eraseSession", tag, summary: "Erase a session's history and head; the audit log still verifies", params: id, may: ["admin"],
    answers: { 204: "It is erased" }, failures: { 404: "session_not_found", 409: "session_in_use" },
    answer: async (asked, { params }) => {
      await asked.parts.gateway.eraseSession(asked.caller, sessionOf(asked.caller, params.id));
      return new Response(null, { status: 204 });
    },
  });
  api.mount({
    method: "post", path: "/v1/purge", id: "purge", tag, summary: "Erase now what the settings no longer keep, as the gateway does by itself; `dry_run=true` only tells", may: ["admin"], query: { dry_run: z.enum(["true", "false"]).optional() },
    answers: { 200: { what: "What was erased, and what is old enough and stays", shape: purged } }, failures: { 409: "retention_off" },
    answer: async (asked, { query }) => json(await asked.parts.gateway.purge(asked.caller, query.dry_run === "true")),
  });
  api.mount({
    method: "post", path: "/v1/sessions/{id}/undo", id: "undo", tag, summary: "Send the declared compensations of a session's steps, the last first, each checked", params: id, body: { shape: undoBody }, may: ["undo"], waits: true,
    answers: { 200: { what: "The compensations that were proposed, the last step's first", shape: z.strictObject({ calls: z.array(callView) }) } }, failures: { 403: "agent_not_granted", 404: "session_not_found", 409: "step_not_undoable" },
    answer: async (asked, { params }) => {
      const { steps } = await valueBody(asked, undoBody);
      const session = sessionOf(asked.caller, params.id);
      if ((await asked.parts.gateway.session(asked.caller.tenant, session)) === null) throw new Failure(404, "session_not_found", "there is no such session");
      const outcomes = await asked.parts.gateway.undo(asked.caller, session, steps);
      const texts = await Promise.all(outcomes.map(async (outcome) => (await told(outcome.call, outcome, asked)).text()));
      return jsonResponse(200, `{"calls":[${texts.join(",")}]}`);
    },
  });
  api.mount({
    method: "get", path: "/v1/sessions/{id}/calls", id: "getCalls", tag, summary: "A session's calls, the newest first", params: id,
    query: { state: z.string().max(16).optional(), after: z.string().max(128).optional() },
    answers: { 200: { what: "The calls", shape: z.strictObject({ calls: z.array(callView) }) } },
    answer: (asked, { params, query }) => list(asked, { ...present(query), session: sessionOf(asked.caller, params.id), limit: 100 }),
  });
}

function unread(members: Members, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries([...members].map(([name, text]) => [name, names.includes(name) ? null : (JSON.parse(text) as unknown)]));
}

/** The text of a member that is one JSON object; undefined without it. Fails with `request_invalid`. */
function objectOf(members: Members, name: string): string | undefined {
  const text = members.get(name);
  if (text !== undefined && !text.startsWith("{")) throw new Failure(400, "request_invalid", `${name} is one JSON object`, { pointer: `/${name}` });
  return text;
}
