// Makes a proposal of a body: chapter 4's table "Who may set what", applied to an authenticated caller.
import { z } from "@hono/zod-openapi";
import { rawJson } from "interlock";
import { CHECK_GRANTED, refuseReserved, requireMember } from "../../../shared/web/members.ts";
import { idempotencyKey } from "../../../shared/web/bounds.ts";
import { Failure } from "../../../shared/web/failure.ts";
import { namesOf } from "../../approvals/eligible.ts";
import type { Proposal } from "../../call/record.ts";
import type { Caller } from "../../gateway.ts";
import { traceOf } from "../trace.ts";
import { type Members, shaped } from "./bodies.ts";
import type { Asked } from "./parts.ts";

const name = (most: number) => z.string().min(1).max(most);

/** An object of values that `is` takes, any name: also those that JavaScript's own objects have a meaning for. */
function mapping<Value>(is: (value: unknown) => value is Value, what: string, values: Record<string, unknown>) {
  return z
    .custom<Readonly<Record<string, Value>>>()
    .superRefine((given: unknown, context) => {
      if (typeof given !== "object" || given === null || Array.isArray(given)) return context.addIssue({ code: "custom", message: "an object is needed" });
      for (const [member, value] of Object.entries(given)) if (!is(value)) context.addIssue({ code: "custom", path: [member], message: what });
    })
    .openapi({ type: "object", additionalProperties: values });
}
const isText = (value: unknown): value is string => typeof value === "string";
const isList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const object = mapping((_): _ is unknown => true, "", {});

/** The session's name: 1 to 200 characters, whole ones, none of them a control character. */
export const sessionName = name(200)
  .regex(/^[^\0-\x1f\x7f\ud800-\udfff]+$/u, "a session's name has no control character and no half of a surrogate pair")
  .openapi({ pattern: "^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$" });

/** A member that is one JSON object and that has to be there. Its text is read elsewhere. */
export const needed = (description: string) => z.unknown().nonoptional().openapi({ type: "object", description });

/** Chapter 4's request as callers send it. `arguments` and `history` are read by the core alone. */
export const callBody = z
  .strictObject({
    format: z.literal("qls-tool-check/1").optional(),
    session: sessionName,
    agent: name(256).optional(),
    agent_version: name(200).optional().openapi({ description: "the agent's version, for the audit log alone; what the settings say of the caller goes before it" }),
    tool: z.string().max(128),
    arguments: needed("the arguments; every digit reaches the check as it was sent"),
    origins: mapping(isText, "an origin is a text", { type: "string" }).optional(),
    turns: z.array(z.string()).optional(),
    turn: name(200).optional().openapi({ description: "the turn's name: its calls are one cohort" }),
    context: object.optional(),
    resource: object.optional(),
    principal: object.optional(),
    labels: z.strictObject({ call: z.array(z.string()).optional(), arguments: mapping(isList, "labels are a list of texts", { type: "array", items: { type: "string" } }).optional() }).optional(),
    history: z.unknown().optional().openapi({ description: "chapter 3's history; it has to end at the kept head: anything else is refused as history_invalid. Absent: the gateway's own" }),
    confirmation: z.string().optional(),
    approvals: z.array(z.string()).optional(),
    undo: z.strictObject({ step: z.int().min(0) }).optional(),
    explain: z.boolean().optional(),
  })
  .openapi("Call");

/** Members whose text is passed on and not read here. */
const UNREAD = new Set(["arguments", "history"]);
/** What a member that is not of chapter 4 asks for: a turn's name stands beside its words. */
const GRANT_OF: Readonly<Record<string, string>> = { turn: "turns" };

/** The name of a caller's session: within its own, unless it was granted `sessions` (the tenant's, by their whole names). */
export function sessionOf({ name, may }: Caller, session: string): string {
  return may.has("sessions") || session.startsWith(`${name}/`) ? session : `${name}/${session}`;
}

/**
 * The proposal that a body of a caller makes.
 * Fails with `member_reserved` and `member_not_granted` (403) at the member, `request_invalid`, `agent_not_granted` (403), `idempotency_key`.
 */
export function proposalOf(members: Members, { caller, request, requestId }: Asked, purpose: Proposal["purpose"], waitMs: number): Proposal {
  requireTable(members, caller);
  const body = shaped(callBody, valuesOf(members));
  if (body.explain === true && purpose === "call") throw new Failure(400, "request_invalid", "a call is not explained: ask /v1/check", { pointer: "/explain" });
  if (!members.has("arguments")) throw new Failure(400, "request_invalid", "the arguments of a call are one JSON object", { pointer: "/arguments" });
  const { format: _, session, agent: __, tool, arguments: ___, history: ____, turn, agent_version, principal = caller.principal ?? undefined, ...said } = body;
  const agentVersion = caller.agentVersion ?? agent_version;
  return {
    door: "http",
    tenant: caller.tenant,
    caller: caller.name,
    person: namesOf(caller),
    session: sessionOf(caller, session),
    agent: agentOf(body.agent, caller),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    tool,
    arguments: members.get("arguments")!,
    ...(present(said) as Partial<Proposal>),
    ...(principal === undefined ? {} : { principal }),
    ...(members.has("history") ? { history: members.get("history")! } : {}),
    turn: turn ?? null,
    idempotencyKey: idempotencyKey(request),
    waitMs,
    purpose,
    requestId,
    ...traceOf(request.headers.get("traceparent"), request.headers.get("tracestate"), caller),
  };
}

/** Chapter 4's table. Fails with `member_reserved`, `member_not_granted`. */
export function requireTable(members: Members, caller: Caller): void {
  for (const [member, text] of members) {
    const raw = { name: member, value: rawJson(text) };
    refuseReserved(raw);
    const grant = CHECK_GRANTED.find((granted) => granted === member) ?? (Object.hasOwn(GRANT_OF, member) ? GRANT_OF[member] : undefined);
    if (grant !== undefined) requireMember(raw, grant, caller);
  }
}

/** The agent that a call is of: the one named, which the table let through, else the caller's first. Fails with `agent_not_granted` where it has none. */
export function agentOf(named: string | undefined, caller: Caller): string {
  const agent = named ?? caller.agents[0];
  if (agent === undefined) throw new Failure(403, "agent_not_granted", "this caller acts for no agent: it proposes and permits nothing");
  return agent;
}

function valuesOf(members: Members): Record<string, unknown> {
  return Object.fromEntries([...members].map(([member, text]) => [member, UNREAD.has(member) ? null : (JSON.parse(text) as unknown)]));
}

/** The members that are there. */
export function present<Values extends object>(values: Values): { [Name in keyof Values]: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [Name in keyof Values]: Exclude<Values[Name], undefined> };
}
