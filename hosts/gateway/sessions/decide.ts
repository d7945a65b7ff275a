// Decides a call by the core within its session (chapter 4), and puts into the unit what keeps the decision: the entry, and the head moved by compare and set.
import { type Entry, rawMembers } from "interlock";
import type { Cover, Opening, PolicyInForce } from "../call/parts.ts";
import type { CallRecord, Decided } from "../call/record.ts";
import type { Unit } from "../call/unit.ts";
import { refusedRequest, requestText, requireObject } from "./request.ts";
import { historyText, type Kept, type Sessions } from "./sessions.ts";

/** The core's answer, read. */
export interface Answered {
  /** The whole answer, canonical text. */
  readonly text: string;
  readonly decided: Decided;
  /** The entry; null where the answer made none. */
  readonly entry: Entry | null;
  /** The entry's text; absent where the answer made none. */
  readonly entryText?: string | undefined;
  /** The canonical arguments' text, of an allow. */
  readonly canonical: string | null;
  /** What a person is asked, of a confirm. */
  readonly question: unknown;
  readonly confirmation: string | null;
}

/**
 * Decides a call, and changes its record accordingly. To be called in the session's turn; what it leads to is in the unit.
 * Fails with GatewayError `json_…`, `request_invalid`: nothing was decided.
 */
export function decide(call: CallRecord, kept: Kept, sessions: Sessions, policy: PolicyInForce, unit: Unit, clock: number, cover: Cover | null): Answered {
  requireObject(call.arguments, policy);
  const now = Math.floor(clock / 1000);
  const answered = call.history === undefined ? byHandle(call, kept, now, cover) : byCarried(call, kept, policy, now, cover);
  const answer = read(answered);
  const entry = answer.entry === null ? undefined : answer.entryText;
  sessions.extend(kept, entry === undefined ? null : { entry, head: call.history === undefined ? kept.opened.end : headAfter(answer, policy, call.session) }, unit);
  // The handle has not seen an entry that was made from a carried history: it is opened again from what is kept.
  if (call.history !== undefined) {
    kept.isBehind = true;
    unit.onKept(() => sessions.forget(kept.tenant, kept.session));
  }
  call.decided = answer.decided;
  call.canonical = answer.canonical;
  call.digest = answer.entry?.digest ?? call.digest;
  return answer;
}

function byHandle(call: CallRecord, kept: Kept, now: number, cover: Cover | null): string {
  try {
    return kept.opened.check(requestText(call, kept.head, now, cover));
  } catch (error) {
    return refusedRequest(error);
  }
}

/** By a history that the caller carried: it has to end at the kept head, else the core says how it differs. */
function byCarried(call: CallRecord, kept: Kept, { client }: PolicyInForce, now: number, cover: Cover | null): string {
  try {
    const text = requestText(call, kept.head, now, cover, call.history);
    return client.use((core, { policy, keys }) => core.run("check", [policy, keys], text));
  } catch (error) {
    return refusedRequest(error);
  }
}

/** What the core would answer now, on the kept history; nothing of it is kept. */
export function wouldAnswer(call: CallRecord, kept: Kept, { client }: PolicyInForce, clock: number, cover: Cover | null): Answered {
  try {
    const text = requestText(call, kept.head, Math.floor(clock / 1000), cover, historyText(kept.session, kept.entries, kept.reports));
    return read(client.use((core, { policy, keys }) => core.run("check", [policy, keys], text)));
  } catch (error) {
    return refusedRequest(error);
  }
}

/** The argument digest of a call in its session, without an entry for it: from what the core says of the same call in a new session of this name. */
export function digestOf(call: CallRecord, policy: PolicyInForce, clock: number): string | null {
  requireObject(call.arguments, policy);
  const first = firstHead(policy, call.session);
  const { undo: _undo, confirmation: _confirmation, ...plain } = call;
  try {
    const text = requestText(plain as CallRecord, first, Math.floor(clock / 1000), null);
    return read(policy.client.use((core, loaded) => core.run("check", [loaded.policy, loaded.keys], text))).entry?.digest ?? null;
  } catch (error) {
    return refusedRequest(error);
  }
}

/** The head after an entry: a new entry has no outcome, and took the reports that were pending, as a new session has none. */
function headAfter({ decided: { step, link } }: Answered, policy: PolicyInForce, session: string): Kept["head"] {
  return { step: step as number, link: link as string, state: firstHead(policy, session).state };
}

function firstHead({ client }: PolicyInForce, session: string): Kept["head"] {
  const text = `{"session":${JSON.stringify(session)},"history":{"entries":[],"format":"qls-history/1","session":${JSON.stringify(session)}}}`;
  return (JSON.parse(client.use((core, { policy, keys }) => core.run("verify", [policy, keys], text))) as { head: Kept["head"] }).head;
}

function read(text: string): Answered {
  const answer = JSON.parse(text) as Decided & { entry: Entry | null; question?: unknown; confirmation?: string | null };
  const { decision, reason, reasons, pointer, detail, step, link, policy, entry } = answer;
  // The texts are cut out of the answer once: it is long.
  const members = rawMembers(text);
  const textOf = (name: string): string | undefined => members?.find((member) => member.name === name)?.value.text;
  return {
    text,
    decided: { decision, reason, reasons, ...(pointer === undefined ? {} : { pointer }), ...(detail === undefined ? {} : { detail }), step, link, policy },
    entry,
    entryText: textOf("entry"),
    canonical: decision === "allow" ? (textOf("arguments") ?? null) : null,
    question: answer.question ?? null,
    confirmation: answer.confirmation ?? null,
  };
}

/** What a confirm asks a person, for opening a question. */
export function openingOf(answer: Answered, kept: Kept): Opening {
  const shown = (answer.question as { marks?: readonly { label: string; text: string }[] } | null)?.marks ?? [];
  const marks = shown.map(({ label, text }) => ({ label, text, step: stepOf(label, kept) }));
  return {
    question: answer.question,
    confirmation: answer.confirmation ?? "",
    snapshot: answer.entry?.snapshot ?? null,
    reasons: answer.decided.reasons,
    marks,
    iat: answer.entry?.at ?? 0,
  };
}

/** The last step that a mark came from; null of one that came with the call. */
function stepOf(label: string, kept: Kept): number | null {
  const [kind, name] = [label.slice(0, label.indexOf(":")), label.slice(label.indexOf(":") + 1)];
  for (let step = kept.entries.length - 2; step >= 0; step--) {
    const entry = JSON.parse(kept.entries[step] as string) as Entry;
    if (entry.decision !== "allow") continue;
    if (kind === "untrusted" ? entry.tool === name && entry.outside === true : kind === "agent" && entry.agent === name) return step;
    if (entry.labels.includes(label)) return step;
  }
  return null;
}
