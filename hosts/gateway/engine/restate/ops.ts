// What a gateway asks of a tenant's object in one request, and what it is answered: several operations, done in their order, as one step.
import type { Commit, Committed, Stored } from "../port.ts";

export type Op =
  | { readonly op: "get"; readonly key: string }
  | { readonly op: "list"; readonly prefix: string; readonly after?: string; readonly limit: number; readonly descending: boolean }
  | { readonly op: "commit"; readonly changes: Commit["changes"]; readonly audit: NonNullable<Commit["audit"]> | null }
  | { readonly op: "audit"; readonly from: number; readonly limit: number };

/** `more`: an answer would have grown too large, and goes on behind its last item. */
export type Done =
  | { readonly got: Stored | null }
  | { readonly listed: readonly (Stored & { readonly key: string })[]; readonly more: boolean }
  | { readonly committed: Committed }
  | { readonly lines: readonly string[]; readonly more: boolean }
  | { readonly failed: { readonly code: string; readonly message: string } }
  /** Not looked at, since the answer is large enough already: to be asked again. */
  | { readonly later: true };

/** Characters of values and lines that one answer holds before it stops at the next item. Restate takes messages of 32 MiB. */
export const ANSWER_SIZE = 4_000_000;
/** Characters of a commit: its changes and its audit entries as JSON. */
export const COMMIT_SIZE = 8_000_000;
