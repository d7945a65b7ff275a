// What the flow is given: the engine, the tools, the hooks, the settings, and the rooms where people decide. The flow puts them together and owns none of them.
import type { Client } from "interlock";
import type { ApprovalRecord, ListingRecord } from "../approvals/record.ts";
import type { AuditBody } from "../audit/entry.ts";
import type { Settings } from "../config/settings.ts";
import type { Change, Engine } from "../engine/port.ts";
import type { Decision, Gateway, Kill } from "../gateway.ts";
import type { Caller } from "../gateway.ts";
import type { Hooks } from "../hooks/port.ts";
import type { Upstream } from "../upstream/port.ts";
import type { CallRecord, Proposal } from "./record.ts";

/** A tool as the compiled policy has it (chapter 2): the members that the flow looks at. */
export interface PolicyTool {
  readonly name: string;
  readonly description: string;
  readonly effect: "read" | "write";
  readonly parameters: unknown;
  readonly result?: unknown;
  readonly reads_outside: boolean;
  readonly idempotent: boolean;
  readonly irreversible: boolean;
  readonly idempotency_key?: string;
  readonly undo?: { readonly tool: string; readonly bind: Readonly<Record<string, string>> };
  readonly privilege: "low" | "normal" | "high";
}

/** A version of a tenant's policy, loaded. */
export interface PolicyInForce {
  readonly id: string;
  readonly client: Client;
  readonly agents: Readonly<Record<string, { readonly tools: readonly string[] }>>;
  /** By name. */
  readonly tools: ReadonlyMap<string, PolicyTool>;
  readonly settings: {
    readonly confirmation_ttl: number;
    readonly receipt_ttl: number;
    readonly approval: { readonly mode: "token" | "signed"; readonly count: number; readonly deciders: readonly string[] };
  };
  /** Tools that some rule may ask about, though they only read. */
  readonly asks: ReadonlySet<string>;
}

/** The policies in force. */
export interface Policies extends Pick<Gateway, "policy" | "registerPolicy" | "rollBackPolicy"> {
  /** The version in force now, read fresh from the store. Fails with `policy_missing`. */
  current(tenant: string): Promise<PolicyInForce>;
}

/** What a question is opened with. */
export interface Opening {
  readonly question: unknown;
  /** The core's token; empty where a hook asks about a call that the core allows. */
  readonly confirmation: string;
  readonly snapshot: string | null;
  readonly reasons: readonly string[];
  readonly marks: ApprovalRecord["marks"];
  /** Seconds since 1970 at which the token was made. */
  readonly iat: number;
}

/** What covers a call towards the core (chapter 3). */
export interface Cover {
  readonly confirmation: string;
  readonly approvals: readonly string[];
}

/** A question that stands about a call. `expired` and `edited`: its call ended so, and whoever made it may not have heard yet. */
export interface Standing {
  readonly state: "open" | "approved" | "denied" | "expired" | "edited";
  readonly approval: ApprovalRecord;
}

export interface Approvals extends Pick<Gateway, "approvals" | "approval"> {
  /** The record of a new question and what keeps it, for the flow's own commit. */
  opened(call: CallRecord, opening: Opening, policy: PolicyInForce): Promise<{ readonly approval: ApprovalRecord; readonly changes: readonly Change[]; readonly audit: readonly AuditBody[] }>;
  /** What stands about a call of this session, agent, tool and digest; null where nobody was asked. */
  standing(tenant: string, session: string, agent: string | null, tool: string, digest: string): Promise<Standing | null>;
  /** Whether anything stands in a session: spares a look at each call's digest. */
  stands(tenant: string, session: string): Promise<boolean>;
  /** Frees the call for being asked about anew: its answer was used. */
  spent(approval: ApprovalRecord): Promise<readonly Change[]>;
  /** Ends a question that nobody needs answered any more. */
  withdrawn(approval: ApprovalRecord): Promise<readonly Change[]>;
  /** Keeps that a question's time is over, and tells the log so once. */
  expired(approval: ApprovalRecord): Promise<{ readonly changes: readonly Change[]; readonly audit: readonly AuditBody[] }>;
  /** Where the call brought the question's own token from the person's channel: a yes where the policy's approval.mode is `token`, else the signed approvals that came with it. Commits itself, once. */
  confirmed(approval: ApprovalRecord, call: CallRecord): Promise<ApprovalRecord>;
  /** What erases a session's questions, whose records hold arguments. */
  erased(tenant: string, session: string): Promise<readonly Change[]>;
  cover(approval: ApprovalRecord): Cover;
  decide(caller: Caller, id: string, decision: Decision): Promise<ApprovalRecord>;
  /** Keeps a question as edited: the call that the edit makes will have the id `into`. Nothing is made yet; what is to be done is in the record under `edit/<into>`. */
  edited(caller: Caller, id: string, edited: string, why: string | null, call: CallRecord, into: string): Promise<ApprovalRecord>;
  /** The call that a kept edit proposes. */
  proposal(approval: ApprovalRecord, call: CallRecord): Proposal;
  expire(caller: Caller, id: string): Promise<ApprovalRecord>;
}

export interface Kills extends Pick<Gateway, "kills" | "kill" | "liftKill"> {
  /** The switch that stops a call now; null where none does. */
  matching(call: Pick<CallRecord, "tenant" | "session" | "agent" | "tool">): Kill | null;
  /** Told of each switch that is set. Gives a function that ends it. */
  onKill(listener: (tenant: string, kill: Kill) => void): () => void;
}

export interface Listings extends Pick<Gateway, "listings" | "approveListing"> {
  standing(tenant: string, tool: string): Promise<ListingRecord | null>;
}

/** The steps at which a crash is tried out. */
export type CrashPoint = "decided" | "asked" | "approved" | "intent" | "sent" | "answered" | "reported" | "released";

export interface Parts {
  readonly engine: Engine;
  readonly upstream: Upstream;
  readonly hooks: Hooks | null;
  readonly policies: Policies;
  readonly approvals: Approvals;
  readonly kills: Kills;
  readonly listings: Listings;
  /** The settings in force; read again for each call, so that a reload counts from the next one. */
  settings(): Settings;
  /** Milliseconds since 1970. */
  clock(): number;
  /** A new UUIDv7. */
  ids(): string;
  /** SHA-256 of the core's module, for /healthz. */
  readonly core: string;
  /** Called at each step by crash tests alone; nothing in the settings sets it. */
  readonly crash?: (point: CrashPoint) => void;
}
