// The request of chapter 4: reading its text, and every way in which it is not a request.
import type { Head } from "./history.ts";
import { byUnits, escapeToken, inexactNumbers, isInteger, isObject, JsonError, read, readMembers, type Json, type JsonObject } from "./json.ts";
import type { Policy } from "./policy.ts";

export interface Request {
  session: string;
  agent: string | null;
  tool: string;
  arguments: JsonObject;
  origins: Map<string, string>;
  turns: string[];
  context: Map<string, boolean>;
  principal: JsonObject | null;
  resource: JsonObject;
  callLabels: string[];
  argumentLabels: Map<string, string[]>;
  history: Json | undefined;
  head: Head | null;
  confirmation: string | null;
  approvals: string[];
  undo: number | null;
  now: number;
  explain: boolean;
  /** `{"context","labels","principal","resource","turns"}` as the request gave them. */
  evidence: JsonObject;
}

/** `request_invalid` at a pointer. */
export class RequestInvalid extends Error {
  readonly code = "request_invalid";
  constructor(readonly pointer: string) { super("request_invalid"); }
}

/** Reads a request's text within the policy's limits. Throws JsonError or RequestInvalid. With a handle there is no `history`. */
export function readRequest(policy: Policy, bytes: Uint8Array, byHandle: boolean): Request {
  const { depth, bytes: most } = policy.settings;
  const length = bytes.length <= most ? bytes.length : bytes.length - historyLength(bytes);
  if (length > most) throw new JsonError("json_size", most, "");
  const value = read(bytes, { depth, bytes: Infinity });
  // Inexact numbers outside `arguments`, history included, after all other json_* errors; lowest offset first.
  const inexact = inexactNumbers(value).filter(({ pointer }) => !pointer.startsWith("/arguments/"));
  inexact.sort((a, b) => a.number.offset - b.number.offset);
  if (inexact.length > 0) throw new JsonError("json_number", inexact[0].number.offset, inexact[0].pointer);
  const wrong = problems(value, policy, byHandle).sort(byUnits);
  if (wrong.length > 0) throw new RequestInvalid(wrong[0]);
  return requestOf(value as JsonObject);
}

/** The length of the text of `history`, which the size limit does not count; 0 where the text cannot be read. */
function historyLength(bytes: Uint8Array): number {
  try {
    return readMembers(bytes).texts.get("history")?.length ?? 0;
  } catch (error) {
    if (error instanceof JsonError) return 0;
    throw error;
  }
}

const text = (v: Json) => typeof v === "string";
const MEMBERS: Record<string, { required?: true; wrong: (v: Json, pointer: string) => string[] }> = {
  format: { required: true, wrong: unless((v) => v === "qls-tool-check/1") },
  session: { required: true, wrong: unless(text) },
  tool: { required: true, wrong: unless((v) => typeof v === "string" && [...v].length <= 128) },
  arguments: { required: true, wrong: unless(isObject) },
  now: { required: true, wrong: unless(isInteger) },
  agent: { wrong: unless(text) },
  origins: { wrong: members(unless(text)) },
  turns: { wrong: items(unless(text)) },
  context: { wrong: members(unless((v) => typeof v === "boolean")) },
  principal: { wrong: shape({ id: unless(text) }, [], true) },
  resource: { wrong: unless(isObject) },
  labels: { wrong: labels },
  history: { wrong: () => [] },
  head: { wrong: shape({ step: unless(isInteger), link: unless(text), state: unless(text) }, ["step", "link", "state"]) },
  confirmation: { wrong: unless(text) },
  approvals: { wrong: items(unless(text)) },
  undo: { wrong: shape({ step: unless(isInteger) }, ["step"]) },
  explain: { wrong: unless((v) => typeof v === "boolean") },
};

type Check = (v: Json, pointer: string) => string[];

/** Pointers of everything that is wrong with a request. */
function problems(value: Json, policy: Policy, byHandle: boolean): string[] {
  if (!isObject(value)) return [""];
  const out: string[] = [];
  for (const [name, given] of value) {
    const member = Object.hasOwn(MEMBERS, name) && !(byHandle && name === "history") ? MEMBERS[name] : undefined;
    const pointer = `/${escapeToken(name)}`;
    out.push(...(member === undefined ? [pointer] : member.wrong(given, pointer)));
  }
  for (const [name, member] of Object.entries(MEMBERS)) if (member.required && !value.has(name)) out.push(`/${name}`);
  if (policy.settings.head === "required" && !value.has("head")) out.push("/head");
  return out;
}

function unless(is: (v: Json) => boolean): Check {
  return (v, pointer) => (is(v) ? [] : [pointer]);
}

function members(check: Check): Check {
  return (v, pointer) => (isObject(v) ? [...v].flatMap(([name, item]) => check(item, `${pointer}/${escapeToken(name)}`)) : [pointer]);
}

function items(check: Check): Check {
  return (v, pointer) => (Array.isArray(v) ? v.flatMap((item, i) => check(item, `${pointer}/${i}`)) : [pointer]);
}

function shape(checks: Record<string, Check>, required: string[], open = false): Check {
  return (v, pointer) => {
    if (!isObject(v)) return [pointer];
    const out = required.filter((name) => !v.has(name)).map((name) => `${pointer}/${name}`);
    for (const [name, item] of v) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check) out.push(...check(item, `${pointer}/${escapeToken(name)}`));
      else if (!open) out.push(`${pointer}/${escapeToken(name)}`);
    }
    return out;
  };
}

/** `[a-z][a-z0-9_-]{0,31}` with optionally `:` and 1–128 characters without white space; at most 64 in all. */
function labels(v: Json, pointer: string): string[] {
  const label = unless((item) => typeof item === "string" && /^[a-z][a-z0-9_-]{0,31}(:\S{1,128})?$/u.test(item));
  const out = shape({ call: items(label), arguments: members(items(label)) }, [])(v, pointer);
  if (isObject(v)) {
    const perArgument = isObject(v.get("arguments")) ? [...(v.get("arguments") as JsonObject).values()] : [];
    const lists = [v.get("call"), ...perArgument];
    const count = lists.reduce((n: number, list) => n + (Array.isArray(list) ? list.length : 0), 0);
    if (count > 64) out.push(pointer);
  }
  return out;
}

function requestOf(raw: JsonObject): Request {
  const labels = raw.get("labels") as JsonObject | undefined;
  const head = raw.get("head") as JsonObject | undefined;
  const number = (v: Json | undefined) => (v as { value: number }).value;
  return {
    session: raw.get("session") as string,
    agent: (raw.get("agent") as string | undefined) ?? null,
    tool: raw.get("tool") as string,
    arguments: raw.get("arguments") as JsonObject,
    origins: (raw.get("origins") as Map<string, string> | undefined) ?? new Map(),
    turns: (raw.get("turns") as string[] | undefined) ?? [],
    context: (raw.get("context") as Map<string, boolean> | undefined) ?? new Map(),
    principal: (raw.get("principal") as JsonObject | undefined) ?? null,
    resource: (raw.get("resource") as JsonObject | undefined) ?? new Map(),
    callLabels: (labels?.get("call") as string[] | undefined) ?? [],
    argumentLabels: (labels?.get("arguments") as Map<string, string[]> | undefined) ?? new Map(),
    history: raw.get("history"),
    head: head ? { step: number(head.get("step")), link: head.get("link") as string, state: head.get("state") as string } : null,
    confirmation: (raw.get("confirmation") as string | undefined) ?? null,
    approvals: (raw.get("approvals") as string[] | undefined) ?? [],
    undo: raw.has("undo") ? number((raw.get("undo") as JsonObject).get("step")) : null,
    now: number(raw.get("now")),
    explain: raw.get("explain") === true,
    evidence: new Map([...raw].filter(([name]) => ["context", "labels", "principal", "resource", "turns"].includes(name))),
  };
}
