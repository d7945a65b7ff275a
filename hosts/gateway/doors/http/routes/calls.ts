// Checks and calls: what an agent's program asks before it acts, and what came of it.
import type { Outcome } from "../../../call/record.ts";
import { GatewayError } from "../../../gateway.ts";
import { agentOf, proposalOf } from "../proposal.ts";
import { type Asked, bodyText, isInteger, isText, membersOf, needed, queryNumber, requireGrant, valueOf } from "../context.ts";
import { type App, route } from "../router.ts";
import * as schema from "../schemas.ts";

export function calls(app: App): void {
  route(app, { method: "post", path: "/v1/check", summary: "Decide a call that the caller makes itself", tag: "calls", body: schema.CallBody, answer: schema.CheckAnswer }, async (asked) => {
    const outcome = await asked.parts.gateway.call(proposalOf(asked, await bodyText(asked), "check"), asked.request.signal);
    const headers = { "content-type": "application/json", "interlock-call": outcome.call.id };
    if (outcome.kind === "checked") return new Response(outcome.answer, { headers });
    // An answer of the core comes as it is; a row besides it (a hook, a switch) says its own.
    if (outcome.call.released !== null) return new Response(outcome.call.released, { headers });
    if (outcome.kind === "pending") return Response.json({ decision: "confirm", reason: outcome.call.decided?.reason ?? "hook_escalated", reasons: outcome.call.decided?.reasons ?? [], question: outcome.question, approval: outcome.approval, call: outcome.call.id }, { headers });
    if (outcome.kind === "refused") return Response.json({ decision: "refuse", reason: outcome.reason, reasons: [outcome.reason], message: outcome.message, ...(outcome.detail === undefined ? {} : { detail: outcome.detail }), call: outcome.call.id }, { headers });
    throw new GatewayError(500, "internal", "the check gave no decision");
  });
  route(app, { method: "post", path: "/v1/call", summary: "Decide a call and make it", tag: "calls", body: schema.CallBody, answer: schema.CallAnswer, also: [202] }, async (asked) =>
    outcomeAnswer(await asked.parts.gateway.call(proposalOf(asked, await bodyText(asked), "call"), asked.request.signal)),
  );
  route(app, { method: "get", path: "/v1/calls", summary: "The calls, the newest first", tag: "calls", answer: schema.z.object({ calls: schema.z.array(schema.CallRecordAnswer) }), query: { session: "of this session", state: "in this state", after: "behind this id", limit: "at most so many" } }, async (asked) => {
    requireGrant(asked, "sessions", "audit");
    const { searchParams } = asked.url;
    const filter = Object.fromEntries(["session", "state", "after"].flatMap((name) => (searchParams.get(name) === null ? [] : [[name, searchParams.get(name)!]])));
    return { calls: await asked.parts.gateway.calls(asked.caller.tenant, { ...filter, limit: queryNumber(asked.url, "limit", 1000, 100) }) };
  });
  route(app, { method: "get", path: "/v1/calls/{id}", summary: "A call's record", tag: "calls", answer: schema.CallRecordAnswer }, async (asked, { id }) => own(asked, await found(asked, id!, 0)).call);
  route(app, { method: "get", path: "/v1/calls/{id}/outcome", summary: "A call's end, waited for", tag: "calls", answer: schema.CallAnswer, also: [202], query: { wait_ms: "how long to wait, at most 60000" } }, async (asked, { id }) =>
    outcomeAnswer(own(asked, await found(asked, id!, queryNumber(asked.url, "wait_ms", 60_000, 0)))),
  );
  route(app, { method: "post", path: "/v1/calls/{id}/cancel", summary: "Cancel a call, at its tool where it is being made", tag: "calls", answer: schema.CallAnswer, also: [202] }, async (asked, { id }) => {
    own(asked, await found(asked, id!, 0));
    await asked.parts.gateway.cancel(asked.caller.tenant, id!, asked.caller.name);
    return outcomeAnswer(await found(asked, id!, 0));
  });
  route(app, { method: "post", path: "/v1/calls/{id}/settle", summary: "Say what became of a call whose outcome is unknown", tag: "calls", body: schema.z.object({ status: schema.z.enum(["ran", "failed"]), why: schema.z.string() }), answer: schema.CallRecordAnswer }, async (asked, { id }) => {
    requireGrant(asked, "approve", "admin");
    const members = membersOf(await bodyText(asked), ["status", "why"]);
    const status = needed(valueOf(members, "status", "ran or failed", (value): value is "ran" | "failed" => value === "ran" || value === "failed"), "status");
    return asked.parts.gateway.settle(asked.caller, id!, status, needed(valueOf(members, "why", "a text", isText), "why"));
  });
  route(app, { method: "post", path: "/v1/report", summary: "Report what became of a call that the caller made", tag: "calls", body: schema.z.object({ session: schema.z.string(), step: schema.z.number().int(), status: schema.z.string(), result: schema.Anything.optional(), external_id: schema.z.string().optional(), history: schema.Anything.optional() }), answer: schema.Anything }, async (asked) => {
    requireGrant(asked, "report");
    const members = membersOf(await bodyText(asked), ["session", "step", "status", "result", "external_id", "history"]);
    const result = members.get("result");
    const history = members.get("history");
    const externalId = valueOf(members, "external_id", "a text", isText);
    const text = await asked.parts.gateway.report(asked.caller, {
      session: needed(valueOf(members, "session", "a text", isText), "session"),
      step: needed(valueOf(members, "step", "a step's number", isInteger), "step"),
      status: needed(valueOf(members, "status", "a text", isText), "status"),
      ...(result === undefined ? {} : { result }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(history === undefined ? {} : { history }),
    });
    return new Response(text, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "post", path: "/v1/receipt", summary: "Whether an entry is the permit for a call; each allow counts as one admission", tag: "calls", body: schema.z.object({ session: schema.z.string(), tool: schema.z.string(), arguments: schema.Anything, agent: schema.z.string().optional(), principal: schema.Anything.optional(), step: schema.z.number().int().optional(), history: schema.Anything.optional() }), answer: schema.Anything }, async (asked) => {
    requireGrant(asked, "receipt");
    const members = membersOf(await bodyText(asked), ["session", "tool", "arguments", "agent", "principal", "step", "history"]);
    if (members.has("principal") && !asked.caller.may.has("principal")) throw new GatewayError(403, "member_not_granted", "this caller may not set principal: it is not in its grants", { pointer: "/principal" });
    const agent = agentOf(asked, valueOf(members, "agent", "a text", isText));
    const step = valueOf(members, "step", "a step's number", isInteger);
    const principal = asked.caller.principal === null ? members.get("principal") : JSON.stringify(asked.caller.principal);
    const history = members.get("history");
    const text = await asked.parts.gateway.receipt(asked.caller, {
      session: needed(valueOf(members, "session", "a text", isText), "session"),
      tool: needed(valueOf(members, "tool", "a text", isText), "tool"),
      arguments: needed(members.get("arguments"), "arguments"),
      ...(agent === null ? {} : { agent }),
      ...(principal === undefined ? {} : { principal }),
      ...(step === undefined ? {} : { step }),
      ...(history === undefined ? {} : { history }),
    });
    return new Response(text, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "post", path: "/v1/read", summary: "Read a person's turn into a plan", tag: "calls", body: schema.z.object({ turn: schema.z.string(), agent: schema.z.string().optional(), session: schema.z.string().optional() }), answer: schema.Anything }, async (asked) => {
    requireGrant(asked, "turns");
    const members = membersOf(await bodyText(asked), ["turn", "agent", "session"]);
    const turn = needed(valueOf(members, "turn", "a text", isText), "turn");
    const agent = agentOf(asked, valueOf(members, "agent", "a text", isText));
    const text = await asked.parts.gateway.read(asked.caller.tenant, agent, turn, valueOf(members, "session", "a text", isText) ?? null);
    return new Response(text, { headers: { "content-type": "application/json" } });
  });
}

async function found({ parts, caller, request }: Asked, id: string, waitMs: number): Promise<Outcome> {
  const outcome = /^[\x21-\x7e]{1,128}$/.test(id) ? await parts.gateway.outcome(caller.tenant, id, waitMs, request.signal) : null;
  if (outcome === null) throw new GatewayError(404, "call_not_found", "there is no such call, or it has no end yet");
  return outcome;
}

/** A caller sees its own calls; those who may see sessions or answer questions see all of their tenant. */
function own(asked: Asked, outcome: Outcome): Outcome {
  const { caller } = asked;
  const sees = outcome.call.caller === caller.name || ["sessions", "approve", "read_approvals", "audit"].some((grant) => caller.may.has(grant));
  if (!sees) throw new GatewayError(404, "call_not_found", "there is no such call");
  return outcome;
}

/** An outcome as JSON; the result's text as it came. */
export function outcomeAnswer(outcome: Outcome): Response {
  const { call } = outcome;
  const json = (told: Record<string, unknown>, status = 200, raw?: string) => {
    const text = JSON.stringify({ call: call.id, ...told });
    return new Response(raw === undefined ? text : `${text.slice(0, -1)},"result":${raw}}`, { status, headers: { "content-type": "application/json", "interlock-call": call.id } });
  };
  switch (outcome.kind) {
    case "result":
      return json({ outcome: "result", failed: outcome.failed }, 200, outcome.result);
    case "refused":
      return json({ outcome: "refused", reason: outcome.reason, message: outcome.message, ...(outcome.detail === undefined ? {} : { detail: outcome.detail }) });
    case "pending":
      return json({ outcome: "pending", approval: outcome.approval, question: outcome.question, expires_at: outcome.expiresAt }, 202);
    case "unknown":
      return json({ outcome: "unknown", reason: "outcome_unknown", message: outcome.message });
    case "checked":
      return json({ outcome: "result", failed: false }, 200, outcome.answer);
  }
}
