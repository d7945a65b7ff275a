// Makes the call that a person's edit proposes, once, also where the gateway stopped between: what is to be done is in the engine under the new call's id.
import { callKey } from "../call/keys.ts";
import type { Parts } from "../call/parts.ts";
import type { CallRecord, Outcome, Proposal } from "../call/record.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { reasonsOf } from "./binding.ts";
import { editKey, editPrefix } from "./keys.ts";
import type { ApprovalRecord } from "./record.ts";

/** What the flow gives. */
export interface Making {
  /** Proposes a call under an id of its own, in the place of another; does not wait for its end. */
  propose(proposal: Proposal, replaced: CallRecord, id: string): Promise<void>;
  outcome(tenant: string, id: string, waitMs: number, signal: AbortSignal | undefined): Promise<Outcome | null>;
}

/** What is kept of an edit: to be done while `done` is absent. */
interface Edit {
  readonly approval: string;
  readonly done?: true;
  /** Where the new call could not even be decided. */
  readonly error?: { readonly status: number; readonly code: string; readonly message: string; readonly pointer?: string };
}

/** How long whoever edits is kept waiting. */
const WAIT_MS = 30_000;

export class Editing {
  readonly #parts: Parts;
  readonly #making: Making;

  constructor(parts: Parts, making: Making) {
    this.#parts = parts;
    this.#making = making;
  }

  /**
   * Approves a call with other arguments (JSON text): a new call, checked from the start. Fails as `decide` does, with `arguments_invalid`, `nothing_edited`,
   * `edit_refused`, `edit_denied` before anything, and with `edit_under_way` where the edit is kept and its call not made yet.
   */
  async edit(caller: Caller, id: string, edited: string, why: string | null): Promise<{ readonly approval: ApprovalRecord; readonly outcome: Outcome }> {
    const { approvals, engine, ids } = this.#parts;
    const asked = await approvals.approval(caller.tenant, id);
    const call = asked === null ? null : await this.#call(caller.tenant, asked.call);
    if (asked === null || call === null) throw new GatewayError(404, "approval_not_found", "there is no such approval");
    const into = ids();
    const approval = await approvals.edited(caller, id, edited, why, call, into);
    await engine.run(caller.tenant, call.id);
    const kept = await engine.changed(caller.tenant, editKey(into), 1, WAIT_MS);
    const { error } = kept === null ? {} : (JSON.parse(kept.value) as Edit);
    if (error !== undefined) throw new GatewayError(error.status, error.code, error.message, { pointer: error.pointer });
    const outcome = await this.#making.outcome(caller.tenant, into, 0, undefined);
    if (outcome === null) throw new GatewayError(503, "edit_under_way", "the edit is kept, and its call is being made", { detail: { call: into } });
    return { approval, outcome };
  }

  /** Does what is to be done for a call that the engine hands over, where an edit makes it. */
  async run(tenant: string, id: string): Promise<void> {
    const { engine, approvals } = this.#parts;
    const stored = await engine.get(tenant, editKey(id));
    if (stored === null) return;
    const edit = JSON.parse(stored.value) as Edit;
    if (edit.done === true) return;
    const approval = await approvals.approval(tenant, edit.approval);
    const replaced = approval === null ? null : await this.#call(tenant, approval.call);
    let error: Edit["error"];
    // The session may have been erased meanwhile: then there is nothing to make.
    if (approval !== null && replaced !== null) error = await this.#make(approval, replaced, id);
    const done: Edit = { ...edit, done: true, ...(error === undefined ? {} : { error }) };
    await engine.commit({ tenant, changes: [{ key: editKey(id), value: JSON.stringify(done), expect: stored.version }] });
  }

  /** Hands over every edit that a stop left undone, and forgets those that are done; to be called once, after the engine's start. */
  async takeUp(): Promise<void> {
    const { engine } = this.#parts;
    for (const tenant of await engine.tenants()) {
      for (let after: string | undefined; ; ) {
        const page = await engine.list(tenant, editPrefix, { limit: 1000, ...(after === undefined ? {} : { after }) });
        for (const { key, value, version } of page) {
          if ((JSON.parse(value) as Edit).done === true) await engine.commit({ tenant, changes: [{ key, value: null, expect: version }] });
          else await engine.run(tenant, key.slice(editPrefix.length));
        }
        after = page.at(-1)?.key;
        if (page.length < 1000) break;
      }
    }
  }

  async #make(approval: ApprovalRecord, replaced: CallRecord, id: string): Promise<Edit["error"]> {
    const { approvals } = this.#parts;
    const { tenant } = approval;
    try {
      if ((await this.#call(tenant, id)) === null) await this.#making.propose(approvals.proposal(approval, replaced), replaced, id);
      const made = await this.#call(tenant, id);
      const next = made?.state !== "asked" || made.approval === null ? null : await approvals.approval(tenant, made.approval);
      if (made !== null && next !== null && isSeen(approval, next, made)) await approvals.decide(editorOf(approval), next.id, { answer: "approve" });
    } catch (error) {
      // Somebody else answered first, or may answer only: the question stands for them. What cannot be decided is told to whoever edits.
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
      const { status, code, message, pointer } = error;
      if ((await this.#call(tenant, id)) === null) return { status, code, message, ...(pointer === undefined ? {} : { pointer }) };
    }
    return undefined;
  }

  async #call(tenant: string, id: string): Promise<CallRecord | null> {
    const stored = await this.#parts.engine.get(tenant, callKey(id));
    return stored === null ? null : (JSON.parse(stored.value) as CallRecord);
  }
}

/**
 * Whether whoever edited has seen all that the new question asks: then their edit answers it. Not where the policy, the listing or, by a hook, the arguments
 * are others, or where there is a reason or a mark that the first question did not show.
 */
function isSeen(asked: ApprovalRecord, next: ApprovalRecord, made: CallRecord): boolean {
  const reasons = new Set([...reasonsOf(asked.question), "write"]);
  const marks = new Set(asked.marks.map(({ label }) => label));
  return (
    next.state === "open" &&
    next.call === made.id &&
    next.policy === asked.policy &&
    next.listing === asked.listing &&
    (next.note ?? null) === null &&
    made.arguments === asked.edit?.arguments &&
    reasonsOf(next.question).every((reason) => reasons.has(reason)) &&
    next.marks.every(({ label }) => marks.has(label))
  );
}

/** Whoever edited, with the right that they had then. */
function editorOf({ tenant, edit }: ApprovalRecord): Caller {
  const { by, approver, principal } = edit!;
  return { name: by, tenant, agents: [], principal: principal === null ? null : { id: principal }, approver, may: new Set(["approve"]) };
}

