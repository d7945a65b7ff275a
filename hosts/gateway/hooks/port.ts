// The port to hooks: what a pre-call and a post-call hook is asked, and what it may answer.
import type { CallRecord } from "../call/record.ts";

/** What the hooks before a call lead to, in order, the first that denies ending it. `arguments` is the JSON text after all changes; `changed` names the top-level arguments that hooks changed, and whether the hook that did is trusted. */
export interface PreCall {
  readonly answer: "allow" | "deny" | "escalate";
  readonly hook: string | null;
  readonly message: string | null;
  readonly arguments: string;
  readonly changed: Readonly<Record<string, { readonly hook: string; readonly trusted: boolean }>>;
  /** The hook did not answer, or answered what it may not: `hook_failed` rather than `hook_denied`. */
  readonly failed?: true;
}

/** What the hooks after a call lead to. `result` is the JSON text to release; null where it is withheld. */
export interface PostCall {
  readonly answer: "release" | "withhold";
  readonly hook: string | null;
  readonly message: string | null;
  readonly result: string | null;
}

export interface Hooks {
  pre(call: CallRecord): Promise<PreCall>;
  post(call: CallRecord, result: string): Promise<PostCall>;
}
