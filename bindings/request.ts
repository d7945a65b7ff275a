// Makes the texts of requests and reports from what the caller gives (chapters 3 and 4), the arguments' digits untouched.
import { InterlockError } from "./errors.ts";
import type { History, HistoryDict } from "./history.ts";
import { jsonText, objectText, type RawJson } from "./json.ts";
import type { ToolCheck } from "./tool-check.ts";

/** A history's end as chapter 3 has it; what a host that keeps state keeps. */
export interface Head {
  readonly step: number;
  readonly link: string;
  readonly state: string;
}

/** Arguments of a call: a plain object, or the text as it arrived. */
export type Arguments = object | RawJson;

/** What a call brings besides its tool and arguments. Chapter 4's table says who may set what: the core believes its request. */
export interface CallOptions {
  /** Where each argument came from: `typed`, `model`, `reply`, `context`, `computed`, `result:STEP` or `result:STEP.FIELD`. */
  origins?: Readonly<Record<string, string>> | undefined;
  /** Facts for the rulebook. */
  context?: Readonly<Record<string, unknown>> | RawJson | undefined;
  /** What the host looked up. */
  resource?: Readonly<Record<string, unknown>> | RawJson | undefined;
  labels?: { readonly call?: readonly string[]; readonly arguments?: Readonly<Record<string, readonly string[]>> } | undefined;
  head?: Head | undefined;
  /** The token of the question that a person said yes to. */
  confirmation?: string | null | undefined;
  /** Signed approvals, JWS in compact form. */
  approvals?: readonly string[] | undefined;
  /** This call undoes that step. */
  undo?: number | { readonly step: number } | undefined;
  /** Seconds; the client's clock unless given. */
  now?: number | undefined;
  /** Ask for the trace of the steps taken. */
  explain?: boolean | undefined;
}

/** What a stateless check brings. */
export interface CheckOptions extends CallOptions {
  agent?: string | undefined;
  /** The session's id; the history's unless given. */
  session?: string | undefined;
  history?: History | RawJson | HistoryDict | undefined;
  /** The person's words, as evidence for arguments that are claimed typed. */
  turns?: readonly string[] | undefined;
  /** Who the call is for, from the host's own authentication. */
  principal?: Readonly<Record<string, unknown>> | RawJson | undefined;
}

/** What became of a call. */
export type Status = "ran" | "failed" | "outcome_unknown" | "compensated";

/** What a report may bring. */
export interface ReportOptions {
  /** The call's result; its top-level fields are kept as digests. */
  result?: Readonly<Record<string, unknown>> | RawJson | undefined;
  /** The tool's own id of the call; kept as a digest. */
  externalId?: string | undefined;
  /** Seconds. */
  at?: number | undefined;
}

const CALL_OPTIONS = ["origins", "context", "resource", "labels", "head", "confirmation", "approvals", "undo", "now", "explain", "agent"] as const;
/** The options of a session's check. */
export const SESSION_OPTIONS: ReadonlySet<string> = new Set<keyof CallOptions | "agent">(CALL_OPTIONS);
/** The options of a stateless check. */
export const CHECK_OPTIONS: ReadonlySet<string> = new Set<keyof CheckOptions>([...CALL_OPTIONS, "session", "history", "turns", "principal"]);

/** Refuses an option that there is not: a misspelt `labels` would drop a mark. Throws InterlockError `request_invalid` at its name. */
export function refuseUnknown(options: object, known: ReadonlySet<string>): void {
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw new InterlockError("request_invalid", `there is no option ${name} here; the options are ${[...known].join(", ")}`, { pointer: `/${name}` });
  }
}

/** A text put together, and where in it the arguments stand (UTF-16 code units). */
export interface Composed {
  text: string;
  from: number;
  to: number;
}

/** The request's text; without `history` where a session handle keeps it. */
export function requestText(tool: string, args: Arguments, options: Omit<CheckOptions, "history">, now: number, history: string | null): Composed {
  const { undo, ...rest } = options;
  const members = objectText({
    format: "qls-tool-check/1",
    session: rest.session,
    agent: rest.agent,
    tool,
    origins: rest.origins,
    turns: rest.turns,
    context: rest.context,
    principal: rest.principal,
    resource: rest.resource,
    labels: rest.labels,
    head: rest.head,
    confirmation: rest.confirmation ?? undefined,
    approvals: rest.approvals,
    undo: typeof undo === "number" ? { step: undo } : undo,
    now: rest.now ?? now,
    explain: rest.explain,
  });
  const before = `${members.slice(0, -1)},"arguments":`;
  const given = jsonText(args, "/arguments");
  return { text: `${before}${given}${history === null ? "" : `,"history":${history}`}}`, from: before.length, to: before.length + given.length };
}

/**
 * Does work on a text put together. An error's offset counts in that text, which the caller never saw: it is made to count from the start of the
 * arguments where it lies in them, and left out elsewhere.
 */
export function withPlaces<T>({ text, from, to }: Composed, work: (text: string) => T): T {
  try {
    return work(text);
  } catch (error) {
    if (!(error instanceof InterlockError) || error.offset === undefined) throw error;
    const start = byteLength(text.slice(0, from));
    const inside = error.offset >= start && error.offset <= start + byteLength(text.slice(from, to));
    throw new InterlockError(error.code, error.message, { pointer: error.pointer, offset: inside ? error.offset - start : undefined, cause: error });
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The text of a report's document; members of `more` first. */
export function reportText(step: number | ToolCheck, status: Status, options: ReportOptions, more: Record<string, unknown> = {}): string {
  const at = typeof step === "number" ? step : step.step;
  if (at === null) throw new InterlockError("outcome_no_step", "this answer made no entry, so there is nothing to report on");
  return objectText({ ...more, step: at, status, at: options.at, result: options.result, external_id: options.externalId });
}
