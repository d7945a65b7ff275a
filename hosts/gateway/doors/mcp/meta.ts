// What a client may say about a call in `_meta`, and which of it is believed.
import { rawMembers } from "interlock";
import type { Proposal } from "../../call/record.ts";
import type { Caller } from "../../gateway.ts";
import { traceOf } from "../trace.ts";
import { INVALID_PARAMS, RpcError } from "./message.ts";

/** The prefix of the gateway's own keys in `_meta`. */
export const PREFIX = "io.interlock/";
/** The longest name of a session, a turn or a key, in characters. */
const NAME = 200;

/** What `_meta` said, after the table of chapter 4: a member that the caller may not set is absent, whatever it sent. */
export interface Said extends Pick<Proposal, "origins" | "turns" | "context" | "resource" | "principal" | "labels" | "turn" | "idempotencyKey" | "traceparent" | "tracestate" | "agentVersion"> {
  /** The conversation, within the caller's own; null where the connection is the conversation. */
  readonly session: string | null;
  readonly agent: string | null;
  /** The token of progress notifications, as JSON text; null where the client wants none. */
  readonly progress: string | null;
}

/** Reads the text of `_meta`. Throws RpcError −32602 where a member is there twice or is not what it should be. */
export function readMeta(text: string | null, caller: Caller): Said {
  const members = new Map<string, string>();
  for (const { name, value } of text === null ? [] : (rawMembers(text) ?? wrong("_meta is an object"))) {
    if (members.has(name)) wrong(`_meta has ${name} twice`);
    members.set(name, value.text);
  }
  const value = (name: string): unknown => {
    const text = members.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  const said = (name: string): unknown => value(PREFIX + name);
  const granted = <T>(grants: readonly string[], name: string, read: (value: unknown, name: string) => T): T | undefined => {
    const found = grants.some((grant) => caller.may.has(grant)) ? said(name) : undefined;
    return found === undefined ? undefined : read(found, name);
  };
  const labels = said("labels");
  const session = said("session");
  const version = said("agent-version");
  const progress = members.get("progressToken") ?? null;
  if (progress !== null && !/^(?:"|-?\d+$)/.test(progress)) wrong("progressToken is a text or a whole number");
  return {
    session: session === undefined ? null : name(session, "session"),
    agent: agentOf(said("agent"), caller),
    progress,
    ...present("agentVersion", caller.agentVersion ?? (version === undefined ? undefined : name(version, "agent-version"))),
    turn: granted(["turns"], "turn", name) ?? null,
    idempotencyKey: granted(["turns", "origins"], "idempotency-key", name) ?? null,
    ...present("origins", granted(["origins"], "origins", texts)),
    ...present("turns", granted(["turns"], "turns", list)),
    ...present("context", granted(["context"], "context", object)),
    ...present("resource", granted(["resource"], "resource", object)),
    ...present("principal", granted(["principal"], "principal", object) ?? caller.principal ?? undefined),
    ...present("labels", labels === undefined ? undefined : labelsOf(labels)),
    ...traceOf(value("traceparent"), value("tracestate"), caller),
  };
}

/** An agent that the caller names is one of its own; another is not believed. */
export function agentOf(value: unknown, caller: Caller): string | null {
  return typeof value === "string" && caller.agents.includes(value) ? value : (caller.agents[0] ?? null);
}

function present<Name extends string, T>(name: Name, value: T | undefined): { [name in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: T };
}

function wrong(message: string): never {
  throw new RpcError(INVALID_PARAMS, message);
}

function name(value: unknown, member: string): string {
  if (typeof value !== "string" || value === "" || value.length > NAME) wrong(`${PREFIX}${member} is a text of 1 to ${NAME} characters`);
  return value as string;
}

function object(value: unknown, member: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) wrong(`${PREFIX}${member} is an object`);
  return value as Record<string, unknown>;
}

function texts(value: unknown, member: string): Record<string, string> {
  if (Object.values(object(value, member)).some((each) => typeof each !== "string")) wrong(`${PREFIX}${member} is an object of texts`);
  return value as Record<string, string>;
}

function list(value: unknown, member: string): string[] {
  if (!Array.isArray(value) || value.some((each) => typeof each !== "string")) wrong(`${PREFIX}${member} is a list of texts`);
  return value as string[];
}

function labelsOf(value: unknown): NonNullable<Proposal["labels"]> {
  const { call, arguments: args, ...others } = object(value, "labels");
  if (Object.keys(others).length > 0) wrong(`${PREFIX}labels has call and arguments`);
  return {
    ...(call === undefined ? {} : { call: list(call, "labels") }),
    ...(args === undefined ? {} : { arguments: Object.fromEntries(Object.entries(object(args, "labels")).map(([argument, each]) => [argument, list(each, "labels")])) }),
  };
}
