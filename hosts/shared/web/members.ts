// Chapter 4's table "Who may set what", as web hosts hold callers to it: which members a body may have, and what the host adds.
import { type RawMember, rawMembers } from "interlock";
import { type Caller, type Grant } from "./callers.ts";
import { Failure } from "./failure.ts";

/** Members that anyone may send: what the model says, the history that anyone carries, and marks, which only lower trust. */
const CHECK_FREE = ["format", "session", "tool", "arguments", "labels", "history", "explain"];
/** Members that speak for a person, for the host's own records or for its compensation code: each is a grant of its name. */
export const CHECK_GRANTED: readonly Grant[] = ["turns", "origins", "context", "resource", "agent", "principal", "confirmation", "approvals", "undo"];
/** What the host's clock and store say. Nobody is granted these. */
const RESERVED = ["now", "at", "head", "sends"];

/** Who speaks, as the table asks: what it was granted, and the agents that it may name as its own. */
export interface Speaker {
  readonly may: ReadonlySet<string>;
  readonly agents: readonly string[];
}

const REPORT_MEMBERS = ["session", "history", "step", "status", "result", "external_id"];
const RECEIPT_FREE = ["session", "history", "tool", "arguments", "step"];
const RECEIPT_GRANTED: readonly Grant[] = ["agent", "principal"];

/** A body that passed the table. */
export interface Body {
  /** The text as it came. */
  readonly text: string;
  /** Its members, then those that the caller's own entry in the list says (agent, principal). */
  readonly members: readonly (readonly [name: string, text: string])[];
  /** How many of the members are the body's own; the rest have to be added to its text. */
  readonly own: number;
  /** The JSON text of the session's name; null where the body has none, which the core then refuses. */
  readonly session: string | null;
}

/**
 * A check's body. Null where the text is no JSON object (the core says what is wrong with it).
 * Fails with `member_reserved` and `member_not_granted`, at the member.
 */
export function checkBody(text: string, caller: Caller): Body | null {
  const members = rawMembers(text);
  if (members === null) return null;
  for (const member of members) {
    refuseReserved(member);
    if (CHECK_FREE.includes(member.name)) continue;
    const grant = CHECK_GRANTED.find((name) => name === member.name);
    // A member that there is not is for the core to refuse, in its own words.
    if (grant !== undefined) requireMember(member, grant, speakerOf(caller));
  }
  return withCaller(text, members, caller);
}

/** A report's body. Null, and failures, as of `checkBody`; `request_invalid` at a member that a report has not. */
export function reportBody(text: string, caller: Caller): Body | null {
  const members = rawMembers(text);
  if (members === null) return null;
  for (const member of members) {
    refuseReserved(member);
    if (!REPORT_MEMBERS.includes(member.name)) throw unknownMember(member, REPORT_MEMBERS);
  }
  return withCaller(text, members, { ...caller, agent: null, principal: null });
}

/** The body of a receipt's question. Null, and failures, as of `reportBody`. */
export function receiptBody(text: string, caller: Caller): Body | null {
  const members = rawMembers(text);
  if (members === null) return null;
  for (const member of members) {
    refuseReserved(member);
    if (RECEIPT_FREE.includes(member.name)) continue;
    const grant = RECEIPT_GRANTED.find((name) => name === member.name);
    if (grant === undefined) throw unknownMember(member, [...RECEIPT_FREE, ...RECEIPT_GRANTED]);
    requireMember(member, grant, speakerOf(caller));
  }
  return withCaller(text, members, caller);
}

/** The body's text with more members at its end, so that the places of what was there stay. */
export function extended({ text, members, own }: Body, more: readonly (readonly [string, string])[]): string {
  const added = [...members.slice(own), ...more].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",");
  const open = text.slice(0, text.lastIndexOf("}"));
  if (added === "") return text;
  return `${open}${own === 0 ? "" : ","}${added}}`;
}

/** Fails with `member_reserved` at a member that nobody sets. */
export function refuseReserved({ name }: RawMember): void {
  if (!RESERVED.includes(name)) return;
  throw new Failure(403, "member_reserved", `${name} is this host's own: its clock and its store say it. Leave it out`, { pointer: `/${name}` });
}

function speakerOf({ may, agent }: Caller): Speaker {
  return { may, agents: agent === null ? [] : [agent] };
}

/**
 * Fails with `member_not_granted`. A caller without the grant may still say what changes nothing: its own agent, and that the model wrote a value.
 * @param grant the grant that the member asks for: its own name for members of chapter 4
 */
export function requireMember({ name, value }: RawMember, grant: string, speaker: Speaker): void {
  if (speaker.may.has(grant)) return;
  if (name === "agent" && speaker.agents.includes(parsed(value.text) as string)) return;
  if (name === "origins") {
    const origins = parsed(value.text);
    if (typeof origins !== "object" || origins === null || Array.isArray(origins)) return;
    const raised = Object.entries(origins).find(([, origin]) => origin !== "model");
    if (raised === undefined) return;
    throw notGranted(
      `/origins/${raised[0].replaceAll("~", "~0").replaceAll("/", "~1")}`,
      "this caller may say of a value only that the model wrote it: any other origin may raise its trust",
    );
  }
  throw notGranted(`/${name}`, `this caller may not set ${name}: it is not in its grants`);
}

function notGranted(pointer: string, message: string): Failure {
  return new Failure(403, "member_not_granted", message, { pointer });
}

function unknownMember({ name }: RawMember, known: readonly string[]): Failure {
  return new Failure(400, "request_invalid", `there is no such member here; the members are ${known.join(", ")}`, {
    pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
  });
}

function withCaller(text: string, members: readonly RawMember[], { agent, principal }: Caller): Body {
  const own = members.map(({ name, value }) => [name, value.text] as const);
  const has = (name: string) => members.some((member) => member.name === name);
  const added: [string, string][] = [];
  if (agent !== null && !has("agent")) added.push(["agent", JSON.stringify(agent)]);
  if (principal !== null) added.push(["principal", principal]);
  const session = members.find(({ name }) => name === "session")?.value.text;
  return { text, members: [...own, ...added], own: own.length, session: session !== undefined && typeof parsed(session) === "string" ? session : null };
}

/** The value of a JSON text; undefined where it is none. Only strings and their containers are looked at, never a number. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
