// Makes a proposal of a request's body: chapter 4's members, each only of who may set it. The arguments' text goes on as it came.
import type { CallRecord, Proposal } from "../../call/record.ts";
import { GatewayError } from "../../gateway.ts";
import { type Asked, isObject, isText, isTrue, membersOf, needed, valueOf } from "./context.ts";

/** What the host's own clock, store and people say. Nobody is granted these. */
const RESERVED = ["now", "at", "head", "sends", "approvals"];
const FREE = ["format", "session", "tool", "arguments", "labels", "history", "explain", "agent", "wait_ms"];
const GRANTED = ["turns", "origins", "context", "resource", "principal", "confirmation", "undo", "turn"];
/** The longest wait of a request, in milliseconds. */
const WAIT = 300_000;

/** Fails with `member_reserved`, `member_not_granted`, `agent_not_granted`, `request_invalid`, `idempotency_key`, at the member. */
export function proposalOf(asked: Asked, text: string, purpose: CallRecord["purpose"]): Proposal {
  const { caller, request, requestId } = asked;
  const members = membersOf(text, [...FREE, ...GRANTED, ...RESERVED]);
  for (const name of RESERVED) if (members.has(name)) throw new GatewayError(403, "member_reserved", `${name} is the gateway's own: its clock, its store and the people it asks say it. Leave it out`, { pointer: `/${name}` });
  const { origins, held } = originsOf(members, caller.may.has("origins"));
  for (const name of GRANTED) {
    const grant = name === "turn" ? "turns" : name;
    if (members.has(name) && !(name === "origins" && held) && !caller.may.has(grant)) throw new GatewayError(403, "member_not_granted", `this caller may not set ${name}: it is not in its grants`, { pointer: `/${name}` });
  }
  valueOf(members, "explain", "true or false", isTrue);
  const format = valueOf(members, "format", "a text", isText);
  if (format !== undefined && format !== "qls-tool-check/1") throw new GatewayError(400, "request_invalid", "the format is qls-tool-check/1", { pointer: "/format" });
  const session = needed(valueOf(members, "session", "a text", isText), "session");
  const tool = needed(valueOf(members, "tool", "a text", isText), "tool");
  if (session === "" || session.length > 512) throw new GatewayError(400, "request_invalid", "a session's name has 1 to 512 characters", { pointer: "/session" });
  if (tool === "" || tool.length > 128) throw new GatewayError(400, "request_invalid", "a tool's name has 1 to 128 characters", { pointer: "/tool" });
  const args = needed(members.get("arguments"), "arguments");
  if (!args.trimStart().startsWith("{")) throw new GatewayError(400, "request_invalid", "the arguments are an object", { pointer: "/arguments" });
  const turns = valueOf(members, "turns", "a list of texts", (value): value is string[] => Array.isArray(value) && value.every(isText));
  const undo = valueOf(members, "undo", "{step}", (value): value is { step: number } => isObject(value) && Number.isSafeInteger(value["step"]) && Object.keys(value).length === 1);
  const wait = valueOf(members, "wait_ms", "a number of milliseconds", (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0) ?? 0;
  const principal = caller.principal ?? valueOf(members, "principal", "an object", isObject);
  const labels = valueOf(members, "labels", "an object", isObject);
  const context = valueOf(members, "context", "an object", isObject);
  const resource = valueOf(members, "resource", "an object", isObject);
  const confirmation = valueOf(members, "confirmation", "a text", isText);
  const history = members.get("history");
  const traceparent = request.headers.get("traceparent");
  return {
    door: "http",
    tenant: caller.tenant,
    caller: caller.name,
    session,
    agent: agentOf(asked, valueOf(members, "agent", "a text", isText)),
    tool,
    arguments: args,
    ...(origins === undefined ? {} : { origins }),
    ...(turns === undefined ? {} : { turns }),
    ...(context === undefined ? {} : { context }),
    ...(resource === undefined ? {} : { resource }),
    ...(principal === undefined ? {} : { principal }),
    ...(labels === undefined ? {} : { labels: labels as NonNullable<Proposal["labels"]> }),
    turn: valueOf(members, "turn", "a text", isText) ?? null,
    idempotencyKey: idempotencyKey(request),
    ...(undo === undefined ? {} : { undo }),
    ...(history === undefined ? {} : { history }),
    ...(confirmation === undefined ? {} : { confirmation }),
    waitMs: Math.min(wait, WAIT),
    purpose,
    requestId,
    ...(traceparent !== null && /^[0-9a-f-]{55}$/.test(traceparent) ? { traceparent } : {}),
  };
}

/** A claim that the model wrote a value changes nothing, and passes without the grant (`held`). */
function originsOf(members: ReadonlyMap<string, string>, granted: boolean): { origins: Record<string, string> | undefined; held: boolean } {
  const origins = valueOf(members, "origins", "an object of texts", (value): value is Record<string, string> => isObject(value) && Object.values(value).every(isText));
  const held = origins !== undefined && Object.values(origins).every((origin) => origin === "model");
  return { origins: granted || held ? origins : undefined, held };
}

/** The agent a caller acts for: one of its own, the first where it names none. Fails with `agent_not_granted`. */
export function agentOf({ caller }: Asked, named: string | undefined): string | null {
  if (named === undefined) {
    const [first] = caller.agents;
    if (first !== undefined) return first;
    if (caller.may.has("agent")) return null;
    throw new GatewayError(403, "agent_not_granted", "this caller acts for no agent: it may propose nothing", { pointer: "/agent" });
  }
  if (caller.agents.includes(named) || caller.may.has("agent")) return named;
  throw new GatewayError(403, "agent_not_granted", "this caller may not act for this agent", { pointer: "/agent", detail: { agents: caller.agents } });
}

function idempotencyKey(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{8,128}$/.test(key)) throw new GatewayError(400, "idempotency_key", "an Idempotency-Key has 8 to 128 visible ASCII characters");
  return key;
}
