// The port to the durable engine: one conditional commit of a tenant's records and audit entries, runs that survive crashes, and waking. Two adapters, one suite.
import type { AuditBody } from "../audit/entry.ts";

/** A record as it is kept. Keys are paths of printable ASCII (`session/…/head`), at most 512 characters; a tenant's keys are its own. */
export interface Stored {
  /** Well-formed text without U+0000, which some SQLite bindings cut a text at. */
  readonly value: string;
  /** Counts the record's changes from 1; never used again, also not after a deletion. */
  readonly version: number;
}

/** One change of a commit. `expect`: the version the record must have now, null where it must not exist, absent where anything will do. */
export interface Change {
  readonly key: string;
  readonly expect?: number | null;
  /** The new value; null deletes the record. Absent: only the expectation counts. */
  readonly value?: string | null;
}

export interface Commit {
  readonly tenant: string;
  readonly changes: readonly Change[];
  /** Appended to the tenant's audit chain in the same commit, in this order. */
  readonly audit?: readonly AuditBody[];
}

/** What became of a commit: all of it is on disk when this is answered, or none of it ever will be. */
export type Committed =
  | { readonly ok: true; readonly versions: Readonly<Record<string, number>>; /** Sequence numbers of the audit entries. */ readonly audit: readonly number[] }
  | { readonly ok: false; /** The first key whose expectation does not hold, and its record now. */ readonly key: string; readonly stored: Stored | null };

/** Makes the next lines of a tenant's chain from the line before (null at its start): pure, so that an engine may run it again. See audit/chain.ts. */
export type Sealer = (tenant: string, previous: string | null, bodies: readonly AuditBody[]) => readonly string[];

/** Run when a call is handed over: at least once, never twice at the same time for one call as far as the engine can tell; fenced by the call's own record. */
export type Runner = (tenant: string, call: string) => Promise<void>;

/** Errors of an engine are EngineError with code `engine_unavailable` (nothing was committed as far as is known; ask again), `store_in_use`, `store_newer`, `store_corrupt`, `store_full`. */
export class EngineError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EngineError";
    this.code = code;
  }
}

export interface Engine {
  /** `embedded` or `restate`. */
  readonly name: string;
  /** Opens the store and takes up what was left unfinished: every run that had not ended is handed to `runner` again. */
  start(runner: Runner, seal: Sealer): Promise<void>;
  get(tenant: string, key: string): Promise<Stored | null>;
  /** Records whose key starts with `prefix`, by key in ascending order of UTF-8 bytes, strictly after the key `after`; at most `limit` (≤ 1000). */
  list(tenant: string, prefix: string, page?: { readonly after?: string; readonly limit?: number; readonly descending?: boolean }): Promise<readonly (Stored & { readonly key: string })[]>;
  commit(commit: Commit): Promise<Committed>;
  /** Hands a call over to be run by some worker, now. Answered once that is durable; it does not wait for the run. */
  run(tenant: string, call: string): Promise<void>;
  /** Hands a call over at a time (milliseconds since 1970), also after a restart. A second time for the same call adds to the first. */
  runAt(tenant: string, call: string, at: number): Promise<void>;
  /** Resolves with the record once its version is greater than `version` (0: once it exists), or with null after `timeoutMs` or when the signal aborts. A convenience: what is waited for is in the store. */
  changed(tenant: string, key: string, version: number, timeoutMs: number, signal?: AbortSignal): Promise<Stored | null>;
  /** Lines of a tenant's audit chain with sequence numbers from `from` (0 is the first), at most `limit`. */
  audit(tenant: string, from: number, limit: number): Promise<readonly string[]>;
  /** Takes what was deleted out of the store's files, where the engine is one that leaves it there for a while. */
  scrub?(): Promise<void>;
  /** Tenants that have records. */
  tenants(): Promise<readonly string[]>;
  /** Ends runs in hand (up to `graceMs`), hands over nothing more, closes. What is unfinished is taken up by the next start. */
  stop(graceMs?: number): Promise<void>;
}
