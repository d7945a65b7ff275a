// Makes the call that a person's edit proposes, once, also where the gateway stopped between: what is to be done is in the engine under the new call's id.
import { callKey } from "../call/keys.ts";
import type { Parts } from "../call/parts.ts";
import type { CallRecord, Proposal } from "../call/record.ts";
import { type Caller, type Gateway, GatewayError } from "../gateway.ts";
import { reasonsOf } from "./binding.ts";
import { editKey, editPrefix } from "./keys.ts";
import type { ApprovalRecord } from "./record.ts";

/** What the flow gives. */
export interface Making {
  /** Proposes a call under an id of its own, in the place of another; does not wait for its end. */
  propose(proposal: Proposal, replaced: CallRecord, id: string): Promise<void>;
}

/** What is kept of an edit until its call is there: to be done, unless the call could not even be decided, which stays until the session is erased. */
interface Edit {
  readonly approval: string;
  readonly error?: { readonly status: number; readonly code: string; readonly message: string; readonly pointer?: string };
}

export class Editing {
  readonly #parts: Parts;
  readonly #making: Making;

  constructor(parts: Parts, making: Making) {
    this.#parts = parts;
    this.#making = making;
  }

  /**
   * Approves a call with other arguments (JSON text): a new call, checked from the start. Answers once that is kept; the new call is `editedInto`. Fails as
   * `decide` does, and with `arguments_invalid`, `nothing_edited`, `edit_refused`, `edit_denied`: then nothing is kept.
   */
  async edit(caller: Caller, id: string, edited: string, why: string | null): Promise<ApprovalRecord> {
    const { approvals, engine, ids } = this.#parts;
    const asked = await approvals.approval(caller.tenant, id);
    const call = asked === null ? null : await this.#call(caller.tenant, asked.call);
    if (asked === null || call === null) throw new GatewayError(404, "approval_not_found", "there is no such approval");
    const approval = await approvals.edited(caller, id, edited, why, call, ids());
    await engine.run(caller.tenant, call.id);
    return approval;
  }

  /** The edited question that makes a call, while the call is not there; it is waited for up to `waitMs`. Null once it is there, and where no edit makes it. */
  async making(tenant: string, id: string, waitMs: number, signal: AbortSignal | undefined): ReturnType<Gateway["edits"]> {
    const { engine, approvals } = this.#parts;
    const stored = await engine.get(tenant, editKey(id));
    if (stored === null || (await this.#call(tenant, id)) !== null) return null;
    const { approval: by, error } = JSON.parse(stored.value) as Edit;
    if (error !== undefined || waitMs === 0) {
      const approval = await approvals.approval(tenant, by);
      return approval === null ? null : { approval, error: error === undefined ? null : new GatewayError(error.status, error.code, error.message, { pointer: error.pointer }) };
    }
    const over = new AbortController();
    const either = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    await Promise.race([engine.changed(tenant, callKey(id), 0, waitMs, either), engine.changed(tenant, editKey(id), stored.version, waitMs, either)]);
    over.abort();
    return this.making(tenant, id, 0, undefined);
  }

  /** Does what is to be done for a call that the engine hands over, where an edit makes it. */
  async run(tenant: string, id: string): Promise<void> {
    const { engine, approvals } = this.#parts;
    const stored = await engine.get(tenant, editKey(id));
    if (stored === null) return;
    const edit = JSON.parse(stored.value) as Edit;
    if (edit.error !== undefined) return;
    const approval = await approvals.approval(tenant, edit.approval);
    const replaced = approval === null ? null : await this.#call(tenant, approval.call);
    let error: Edit["error"];
    // The session may have been erased meanwhile: then there is nothing to make.
    if (approval !== null && replaced !== null) error = await this.#make(approval, replaced, id);
    // What is done is told by its call, and forgotten here.
    await engine.commit({ tenant, changes: [{ key: editKey(id), value: error === undefined ? null : JSON.stringify({ ...edit, error } satisfies Edit), expect: stored.version }] });
  }

  /** Hands over every edit that a stop left undone; to be called once, after the engine's start. */
  async takeUp(): Promise<void> {
    const { engine } = this.#parts;
    for (const tenant of await engine.tenants()) {
      for (let after: string | undefined; ; ) {
        const page = await engine.list(tenant, editPrefix, { limit: 1000, ...(after === undefined ? {} : { after }) });
        for (const { key, value } of page) if ((JSON.parse(value) as Edit).error === undefined) await engine.run(tenant, key.slice(editPrefix.length));
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

