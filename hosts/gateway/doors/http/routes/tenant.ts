// What is done to a tenant from outside of a call: its sessions, its policy, its kill switches, its audit log, and how the gateway is.
import { verifyAudit } from "../../../audit/verify.ts";
import { GatewayError } from "../../../gateway.ts";
import { outcomeAnswer } from "./calls.ts";
import { type Asked, bodyText, isText, isTrue, membersOf, needed, queryNumber, requireGrant, valueOf } from "../context.ts";
import { type App, route } from "../router.ts";
import * as schema from "../schemas.ts";

export function tenant(app: App): void {
  sessions(app);
  policy(app);
  kill(app);
  audit(app);
}

function sessions(app: App): void {
  route(app, { method: "get", path: "/v1/sessions/{id}", summary: "A session's history and head", tag: "sessions", answer: schema.History }, async (asked, { id }) => {
    requireGrant(asked, "sessions");
    const session = await asked.parts.gateway.session(asked.caller.tenant, id!);
    if (session === null) throw new GatewayError(404, "session_not_found", "there is no such session");
    return new Response(`{"history":${session.history},"head":${JSON.stringify(session.head)}}`, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "delete", path: "/v1/sessions/{id}", summary: "Erase a session; the audit log still verifies", tag: "sessions", answer: schema.z.object({ erased: schema.z.string() }) }, async (asked, { id }) => {
    requireGrant(asked, "admin");
    await asked.parts.gateway.eraseSession(asked.caller, id!);
    return { erased: id! };
  });
  route(app, { method: "post", path: "/v1/sessions/{id}/undo", summary: "Send the declared compensations of steps, the last first", tag: "sessions", body: schema.z.object({ steps: schema.z.union([schema.z.array(schema.z.number().int()), schema.z.literal("all")]) }), answer: schema.z.object({ outcomes: schema.z.array(schema.CallAnswer) }) }, async (asked, { id }) => {
    requireGrant(asked, "undo", "admin");
    const steps = needed(valueOf(membersOf(await bodyText(asked), ["steps"]), "steps", "a list of steps, or all", (value): value is number[] | "all" => value === "all" || (Array.isArray(value) && value.every(Number.isSafeInteger))), "steps");
    const outcomes = await asked.parts.gateway.undo(asked.caller, id!, steps);
    const texts = await Promise.all(outcomes.map((outcome) => outcomeAnswer(outcome).text()));
    return new Response(`{"outcomes":[${texts.join(",")}]}`, { headers: { "content-type": "application/json" } });
  });
}

function policy(app: App): void {
  route(app, { method: "get", path: "/v1/policy", summary: "The policy in force, and its versions", tag: "policy", answer: schema.Policy }, async (asked) => {
    requireGrant(asked, "policy");
    const { id, text, source, versions } = await asked.parts.gateway.policy(asked.caller.tenant);
    return new Response(`${JSON.stringify({ id, source, versions }).slice(0, -1)},"policy":${text}}`, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "post", path: "/v1/policy", summary: "Register a policy from its source (YAML or JSON): in force from the next call on", tag: "policy", body: schema.z.object({ source: schema.z.string(), dry_run: schema.z.boolean().optional() }), answer: schema.Registered }, async (asked) => {
    requireGrant(asked, "policy");
    const members = membersOf(await bodyText(asked), ["source", "dry_run"]);
    return asked.parts.gateway.registerPolicy(asked.caller, needed(valueOf(members, "source", "a text", isText), "source"), valueOf(members, "dry_run", "true or false", isTrue) ?? false);
  });
  route(app, { method: "post", path: "/v1/policy/diff", summary: "What registering a policy would change", tag: "policy", body: schema.z.object({ source: schema.z.string() }), answer: schema.Registered }, async (asked) => {
    requireGrant(asked, "policy");
    return asked.parts.gateway.registerPolicy(asked.caller, needed(valueOf(membersOf(await bodyText(asked), ["source"]), "source", "a text", isText), "source"), true);
  });
  route(app, { method: "post", path: "/v1/policy/rollback", summary: "Put an earlier version in force", tag: "policy", body: schema.z.object({ id: schema.z.string() }), answer: schema.Registered }, async (asked) => {
    requireGrant(asked, "policy");
    return asked.parts.gateway.rollBackPolicy(asked.caller, needed(valueOf(membersOf(await bodyText(asked), ["id"]), "id", "a version's id", isText), "id"));
  });
}

function kill(app: App): void {
  route(app, { method: "get", path: "/v1/kill", summary: "The kill switches that are set", tag: "kill", answer: schema.z.object({ kills: schema.z.array(schema.Kill) }) }, async (asked) => {
    requireGrant(asked, "kill");
    return { kills: await asked.parts.gateway.kills(asked.caller.tenant) };
  });
  const body = schema.z.object({ tool: schema.z.string().optional(), agent: schema.z.string().optional(), session: schema.z.string().optional(), all: schema.z.literal(true).optional(), why: schema.z.string() });
  route(app, { method: "post", path: "/v1/kill", summary: "Set a kill switch: calls in flight are stopped too", tag: "kill", body, answer: schema.Kill }, async (asked) => {
    requireGrant(asked, "kill");
    const members = membersOf(await bodyText(asked), ["tool", "agent", "session", "all", "why"]);
    const named = Object.fromEntries(["tool", "agent", "session"].flatMap((name) => (members.has(name) ? [[name, valueOf(members, name, "a name", isText)!]] : [])));
    const all = valueOf(members, "all", "true", (value): value is true => value === true);
    return asked.parts.gateway.kill(asked.caller, { ...named, ...(all === undefined ? {} : { all }), why: needed(valueOf(members, "why", "a text", isText), "why") });
  });
  route(app, { method: "delete", path: "/v1/kill/{id}", summary: "Lift a kill switch", tag: "kill", answer: schema.z.object({ lifted: schema.z.string() }) }, async (asked, { id }) => {
    requireGrant(asked, "kill");
    await asked.parts.gateway.liftKill(asked.caller, id!);
    return { lifted: id! };
  });
}

/** Lines of the log that are read at once. */
const PAGE = 500;

function audit(app: App): void {
  route(app, { method: "get", path: "/v1/audit", summary: "Lines of the audit log", tag: "audit", answer: schema.AuditPage, query: { from: "the first line's sequence number", limit: "at most so many" } }, async (asked) => {
    requireGrant(asked, "audit");
    const from = queryNumber(asked.url, "from", Number.MAX_SAFE_INTEGER, 0);
    const limit = queryNumber(asked.url, "limit", 1000, 100);
    const lines = await asked.parts.gateway.audit(asked.caller.tenant, from, limit);
    return new Response(`{"lines":[${lines.join(",")}],"next":${lines.length === limit ? from + limit : null}}`, { headers: { "content-type": "application/json" } });
  });
  route(app, { method: "get", path: "/v1/audit/export", summary: "The audit log as JSON lines", tag: "audit", answer: { type: "application/jsonl" }, query: { from: "the first line's sequence number" } }, async (asked) => {
    requireGrant(asked, "audit");
    const lines = linesOf(asked, queryNumber(asked.url, "from", Number.MAX_SAFE_INTEGER, 0));
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value.map((line) => `${line}\n`).join("")));
      },
      cancel: () => void lines.return(undefined),
    });
    return new Response(body, { headers: { "content-type": "application/jsonl" } });
  });
  route(app, { method: "get", path: "/v1/audit/verify", summary: "Verify the audit log", tag: "audit", answer: schema.AuditVerified }, async (asked) => {
    requireGrant(asked, "audit");
    return verifyAudit(flat(linesOf(asked, 0)), asked.parts.keys(asked.caller.tenant) as Parameters<typeof verifyAudit>[1]);
  });
}

async function* linesOf({ parts, caller }: Asked, from: number): AsyncGenerator<readonly string[], undefined> {
  for (let next = from; ; ) {
    const lines = await parts.gateway.audit(caller.tenant, next, PAGE);
    if (lines.length > 0) yield lines;
    if (lines.length < PAGE) return;
    next += lines.length;
  }
}

async function* flat(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const lines of pages) yield* lines;
}
