// What an audit entry says (chapter 7, last section): who proposed what, what the policy decided, who approved it, what was sent, and what the external system confirmed.

/** What happened. The first word says who says so: the model proposed, the policy decided, a person approved, the gateway sent, the external system confirmed. */
export type AuditEvent =
  | "call.proposed"
  | "call.decided"
  | "call.asked"
  | "call.approved"
  | "call.denied"
  | "call.expired"
  | "call.edited"
  | "call.intent"
  | "call.not_sent"
  | "call.confirmed"
  | "call.failed"
  | "call.outcome_unknown"
  | "call.settled"
  | "call.withheld"
  | "call.observed"
  | "receipt.admitted"
  | "outcome.reported"
  | "listing.held"
  | "listing.approved"
  | "policy.registered"
  | "policy.rolled_back"
  | "kill.set"
  | "kill.lifted"
  | "session.erased"
  | "session.results_erased"
  | "key.rotated"
  | "mode.changed"
  | "store.restored"
  | "gateway.started"
  | "gateway.stopped";

/** An entry before it is chained. Members that do not apply are absent; times are milliseconds since 1970 by the gateway's clock. */
export interface AuditBody {
  readonly event: AuditEvent;
  readonly at: number;
  /** Who caused it: a caller, an approver, or `gateway`. */
  readonly actor: string;
  readonly call?: string;
  readonly session?: string;
  readonly agent?: string | null;
  /** The agent's version: the configured one of the caller, else what the call said, which nobody proves. */
  readonly agent_version?: string;
  readonly principal?: string;
  readonly tool?: string;
  /** Normalised arguments, each by its keyed digest: `{"redacted": digest}`, or `{"shown": digest}` where the settings show the value, which is in the record that `values` binds. */
  readonly arguments?: unknown;
  /** The salted digest of the record with the shown values (values.ts). The record can be erased; the entry stays. */
  readonly values?: string;
  readonly arguments_digest?: string;
  readonly decision?: "allow" | "confirm" | "refuse";
  readonly reasons?: readonly string[];
  readonly row?: string;
  readonly step?: number | null;
  readonly link?: string | null;
  readonly policy?: string;
  readonly listing?: string | null;
  readonly approval?: string;
  /** The call whose edit this one is. */
  readonly replaces?: string;
  readonly approvers?: readonly string[];
  readonly why?: string;
  readonly idempotency_key?: string;
  readonly once?: string;
  readonly start?: number;
  readonly end?: number;
  readonly status?: "ran" | "failed" | "outcome_unknown" | "compensated";
  readonly external_id?: string;
  readonly request_id?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}
