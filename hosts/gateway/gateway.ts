// What front doors, the inbox and the command line do with a gateway: the one face of the flow. Doors see this and nothing behind it.
import type { ApprovalRecord, ListingRecord } from "./approvals/record.ts";
import type { CallRecord, Outcome, Proposal } from "./call/record.ts";
import type { Purged } from "./operations/retention.ts";

/** An authenticated caller, as the doors and the flow know it. */
export interface Caller {
  readonly name: string;
  readonly tenant: string;
  readonly agents: readonly string[];
  readonly principal: Readonly<Record<string, unknown>> | null;
  readonly approver: string;
  readonly may: ReadonlySet<string>;
  /** The version of its agent as the settings have it, for the log. */
  readonly agentVersion?: string;
}

/** A failure that a door answers with its code: nothing was done. `status` is the HTTP status it is told by. */
export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly pointer: string | undefined;
  readonly detail: Readonly<Record<string, unknown>> | undefined;
  constructor(status: number, code: string, message: string, more: { pointer?: string | undefined; detail?: Readonly<Record<string, unknown>> | undefined; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "GatewayError";
    this.status = status;
    this.code = code;
    this.pointer = more.pointer;
    this.detail = more.detail;
  }
}

/** A kill switch: absent members match everything; at least one is there. */
export interface Kill {
  readonly id: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly session?: string;
  /** The whole tenant. */
  readonly all?: true;
  readonly why: string;
  readonly by: string;
  readonly at: number;
}

export interface Decision {
  readonly answer: "approve" | "deny";
  readonly why?: string;
}

/** One tool as agents see it. */
export interface Offered {
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
  /** JSON Schema of the arguments and of the result, from the policy. */
  readonly parameters: unknown;
  readonly result: unknown;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean; readonly idempotentHint?: boolean; readonly openWorldHint?: boolean };
}

export interface Gateway {
  /** The way of a call: chapter 7's rows. Answers with one of the ends; throws GatewayError where nothing was decided. The signal is the client's cancellation. */
  call(proposal: Proposal, signal?: AbortSignal): Promise<Outcome>;
  /** The call's outcome so far, of a call of the caller's tenant and agents; waits up to `waitMs` for an end. A call that is being made goes on by itself, and is waited for until the signal aborts; null then. */
  outcome(tenant: string, call: string, waitMs: number, signal?: AbortSignal): Promise<Outcome | null>;
  /** The call's record as it is now; null where there is none. */
  record(tenant: string, call: string): Promise<CallRecord | null>;
  /** Cancels a call that has not ended: at the tool where it is being made. */
  cancel(tenant: string, call: string, by: string): Promise<void>;

  /** The tools that an agent may reach: in its policy, upstream, approved listing, no kill switch. */
  offered(tenant: string, agent: string | null): Promise<readonly Offered[]>;

  approvals(tenant: string, filter: { readonly state?: string; readonly after?: string; readonly limit?: number }): Promise<readonly ApprovalRecord[]>;
  approval(tenant: string, id: string): Promise<ApprovalRecord | null>;
  /** A person's answer. Fails with `approval_not_found`, `approval_closed`, `own_request`, `not_a_decider`, `already_answered`; a yes also with `kill_switch`, where one stops the call. */
  decide(caller: Caller, id: string, decision: Decision): Promise<ApprovalRecord>;
  /** Approves with other arguments (JSON text): a new call, checked from the start, whose edited arguments have origin `reply`. Answers once that is kept: the new call will be `editedInto`. Fails as a yes does, and with `arguments_invalid`, `nothing_edited`, `edit_refused`, `edit_denied`. */
  edit(caller: Caller, id: string, edited: string, why: string | null): Promise<ApprovalRecord>;
  /** The edited question that makes a call which is not there yet, and what kept the call from being decided; it is waited for up to `waitMs`. Null once the call is there, and where no edit makes it. */
  edits(tenant: string, call: string, waitMs: number, signal?: AbortSignal): Promise<{ readonly approval: ApprovalRecord; readonly error: GatewayError | null } | null>;
  expire(caller: Caller, id: string): Promise<ApprovalRecord>;
  /** Events of approvals and calls of a tenant, as they happen, or all after the audit line `after`; ends when the signal aborts. `seq` is the audit line's number. */
  events(tenant: string, signal: AbortSignal, after?: number): AsyncIterable<{ readonly event: string; readonly id: string; readonly seq: number }>;

  listings(tenant: string): Promise<readonly ListingRecord[]>;
  approveListing(caller: Caller, tool: string, digest: string): Promise<ListingRecord>;

  /** The core's history of a session (JSON text) and its head; null where there is none. */
  session(tenant: string, session: string): Promise<{ readonly history: string; readonly head: unknown } | null>;
  /** Erases what is kept of a session; the log keeps its entries. Fails with `session_not_found`, `session_in_use`, `session_busy`. */
  eraseSession(caller: Caller, session: string): Promise<void>;
  /** Erases now what the settings no longer keep; with `dryRun` it only tells. Fails with `retention_off`. */
  purge(caller: Caller, dryRun: boolean): Promise<Purged>;
  /** What became of a call the caller made itself, by its step. The history's text. */
  report(caller: Caller, report: { session: string; step: number; status: string; result?: string; externalId?: string; history?: string }): Promise<string>;
  /** Chapter 3's receipt, one admission counted for each allow. The answer's text. */
  receipt(caller: Caller, question: { session: string; tool: string; arguments: string; agent?: string; principal?: string; step?: number; history?: string }): Promise<string>;
  /** Chapter 6's plan of a turn. The answer's text. */
  read(tenant: string, agent: string | null, turn: string, session: string | null): Promise<string>;
  /** Settles a call whose outcome is unknown. */
  settle(caller: Caller, call: string, status: "ran" | "failed", why: string): Promise<CallRecord>;
  /** Sends the declared compensations of a session's steps, the last first, each checked; stops at the first that is not allowed at once. */
  undo(caller: Caller, session: string, steps: readonly number[] | "all"): Promise<readonly Outcome[]>;

  policy(tenant: string): Promise<{ readonly id: string; readonly text: string; readonly source: string; readonly versions: readonly { readonly id: string; readonly at: number; readonly by: string }[] }>;
  /** Registers a policy's source text; the diff and the new id. With `dryRun` nothing changes. Fails with `policy_invalid` and its problems. */
  registerPolicy(caller: Caller, source: string, dryRun: boolean): Promise<{ readonly id: string; readonly diff: unknown }>;
  rollBackPolicy(caller: Caller, id: string): Promise<{ readonly id: string }>;

  kills(tenant: string): Promise<readonly Kill[]>;
  kill(caller: Caller, kill: Omit<Kill, "id" | "by" | "at">): Promise<Kill>;
  liftKill(caller: Caller, id: string): Promise<void>;

  audit(tenant: string, from: number, limit: number): Promise<readonly string[]>;
  /** Records of argument values that the settings show (audit/values.ts), by their keys, strictly after the key `after`. */
  auditValues(tenant: string, after: string | undefined, limit: number): Promise<readonly { readonly key: string; readonly value: string }[]>;
  calls(tenant: string, filter: { readonly session?: string; readonly state?: string; readonly after?: string; readonly limit?: number }): Promise<readonly CallRecord[]>;
  /** What is running, for /healthz. */
  health(): Promise<{ readonly ready: boolean; readonly core: string; readonly engine: string; readonly tenants: Readonly<Record<string, { readonly policy: string; readonly mode: string; readonly servers: Readonly<Record<string, string>> }>> }>;
}
