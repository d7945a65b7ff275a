// The record of a call: one explicit document that travels through every row, is kept in the engine, and is all that a front door makes and reads.

/** The front door a call came in by. */
export type Door = "mcp" | "http" | "hook" | "undo";

/**
 * Where a call is. `proposed` is never kept; every other state is on disk before anything follows from it.
 * `asked` waits for people; `admitted` may be made; `sending`: the intent is on disk, and the bytes may have gone out; `unknown`: nobody knows
 * whether it ran; the rest are ends.
 */
export type CallState = "proposed" | "asked" | "admitted" | "sending" | "unknown" | "done" | "refused" | "denied" | "expired" | "withdrawn";

/** What a front door makes of a request, once its caller is authenticated and chapter 4's table "Who may set what" was applied to it. */
export interface Proposal {
  readonly door: Door;
  readonly tenant: string;
  /** The authenticated caller's name. */
  readonly caller: string;
  /** The names that the caller's person has besides, as an approver and as a principal: nobody approves their own request under another of them. */
  readonly person?: readonly string[];
  /** The session's id; unique in the tenant. */
  readonly session: string;
  readonly agent: string | null;
  /** The agent's version for the log alone: the caller's configured one, else what the call said. At most 200 characters. */
  readonly agentVersion?: string;
  /** The tool's name as the policy spells it; of a name that reaches none, the name as it was given. */
  readonly tool: string;
  /** The arguments' JSON text as it came: the core alone reads it. */
  readonly arguments: string;
  /** JSON values that a trusted caller may set (chapter 4); absent where the caller is not trusted with them. */
  readonly origins?: Readonly<Record<string, string>>;
  readonly turns?: readonly string[];
  readonly context?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
  readonly principal?: Readonly<Record<string, unknown>>;
  /** Marks; anybody may add them. */
  readonly labels?: { readonly call?: readonly string[]; readonly arguments?: Readonly<Record<string, readonly string[]>> };
  /** The turn's name where a trusted caller gives one: its calls are one cohort (row 3). */
  readonly turn: string | null;
  /** The caller's Idempotency-Key: the same key with the same call gives the first result. */
  readonly idempotencyKey: string | null;
  /** The step this call undoes; only the gateway's own compensation code and callers granted `undo` set it. */
  readonly undo?: { readonly step: number };
  /** The history that the caller carried, as JSON text; it has to end at the kept head. Absent: the gateway's own. */
  readonly history?: string;
  /** The question's token, from the person's channel (policy setting approval.mode `token`). */
  readonly confirmation?: string;
  /** Signed approvals (chapter 3) that a trusted caller's own people gave. */
  readonly approvals?: readonly string[];
  /** Of purpose `check`: the answer tells the steps that were taken. */
  readonly explain?: boolean;
  /** How long the door waits for a person before it answers `pending`, in milliseconds; 0 answers at once. */
  readonly waitMs: number;
  /** `call` makes the call; `check` only decides (the caller makes it itself and reports). */
  readonly purpose: "call" | "check";
  /** Extra members of the trace: the request's id at its door, and W3C's context: the client's, then the gateway's own span. Never an argument's value. */
  readonly requestId: string;
  readonly traceparent?: string;
  /** Of callers granted `context` alone: it goes on to tools. */
  readonly tracestate?: string;
}

/** What one row said, in the order of the walk; the call's trace. Details name members and rules, never an argument's value. */
export interface TraceItem {
  readonly row: string;
  readonly answer: "passed" | "refuse" | "ask" | "change" | "stub" | "withhold" | "hold" | "stop" | "records";
  readonly reason?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970 by the gateway's clock. */
  readonly at: number;
}

/** The core's answer that stands for the call now: chapter 4's members that are kept. */
export interface Decided {
  readonly decision: "allow" | "confirm" | "refuse";
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly pointer?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The entry's step and link; null where the answer made no entry. */
  readonly step: number | null;
  readonly link: string | null;
  readonly policy: string;
}

/** What came of sending, before hooks saw it. */
export interface Sent {
  readonly status: "ran" | "failed" | "outcome_unknown";
  /** JSON text of the result: of an MCP tool its CallToolResult, of an HTTP tool `{"status","body"}`. Absent where there was none. */
  readonly result?: string;
  /** JSON text of the result's fields for `report` (an object); absent where it has none. */
  readonly fields?: string;
  readonly externalId?: string;
  /** A coded error where it failed or its outcome is unknown: `tool_timeout`, `tool_cancelled`, `tool_unreachable`, `result_too_large`, `tool_error` … */
  readonly error?: { readonly code: string; readonly message: string };
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The record of a call. */
export interface CallRecord extends Proposal {
  /** UUIDv7. */
  readonly id: string;
  readonly createdAt: number;
  state: CallState;
  /** The last row that passed for good: after a restart the walk goes on behind it. */
  row: string;
  /** The cohort (row 3). */
  cohort: string | null;
  /** Whether the policy in force calls the tool a plain read. */
  read: boolean;
  /** The canonical arguments: what is sent (JSON text); null until the core allowed them. */
  canonical: string | null;
  /** The argument digest of the whole arguments, as the entry has it; null until an entry was made. */
  digest: string | null;
  decided: Decided | null;
  /** The id of the approval that this call waits for or was given; null without one. */
  approval: string | null;
  /** The tool's approved listing (row 37) that the call was decided for. */
  listing: string | null;
  /** The name under which its permit was spent; absent until then. */
  once?: string;
  /** The operation's key: session, step, tool and digest; passed on where the tool declares an argument for it. */
  operation: string | null;
  /** The tool's place that the call has, and whether it waits for one, where gateways share a store. */
  place?: number;
  queued?: true;
  sent: Sent | null;
  /** What the model is given: JSON text after the post-call hooks; null until there is one. */
  released: string | null;
  /** Why it ended without a result, where it did. */
  refusal: { readonly row: string; readonly reason: string; readonly message: string; readonly detail?: Readonly<Record<string, unknown>> } | null;
  /** The call whose edit this one is, or that it undoes on behalf of. */
  replaces: string | null;
  trace: TraceItem[];
}

/** What a front door reads of a call: one of these ends. */
export type Outcome =
  | { readonly kind: "result"; readonly call: CallRecord; readonly result: string; readonly failed: boolean }
  | { readonly kind: "refused"; readonly call: CallRecord; readonly reason: string; readonly message: string; readonly detail?: Readonly<Record<string, unknown>> }
  | { readonly kind: "pending"; readonly call: CallRecord; readonly approval: string; readonly question: unknown; readonly expiresAt: number }
  | { readonly kind: "unknown"; readonly call: CallRecord; readonly message: string }
  /** Of purpose `check`: the core's whole answer, as its canonical text. */
  | { readonly kind: "checked"; readonly call: CallRecord; readonly answer: string };
