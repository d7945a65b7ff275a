// Questions to people: opened with the flow's own commits, found again by a retry, answered once by each who may, bound to what they were asked about.
import { lineDriver } from "interlock";
import type { AuditBody } from "../audit/entry.ts";
import { part } from "../call/keys.ts";
import type { Approvals, Cover, Opening, PolicyInForce, Standing } from "../call/parts.ts";
import type { CallRecord, Proposal } from "../call/record.ts";
import type { Change, Engine } from "../engine/port.ts";
import { type Caller, type Decision, GatewayError } from "../gateway.ts";
import { editedProposal } from "./edits.ts";
import { requireEligible } from "./eligible.ts";
import type { ApprovalRecord, GivenAnswer } from "./record.ts";
import { signedApproval } from "./sign.ts";

export interface ApprovalParts {
  readonly engine: Engine;
  /** The tenant's key set, JSON text. */
  readonly keys: (tenant: string) => string;
  readonly current: (tenant: string) => Promise<PolicyInForce>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly ids: () => string;
  /** Told of each new question once it is kept, and of each answer. */
  readonly opened?: (approval: ApprovalRecord) => void;
}

/** The longest reason that is kept, in UTF-16 code units. */
const WHY = 2000;
/** So many others may change a question's record between the reading and the writing of one answer. */
const ATTEMPTS = 32;

export class Questions implements Approvals {
  readonly #parts: ApprovalParts;
  readonly #driver = lineDriver();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  async opened(call: CallRecord, opening: Opening, policy: PolicyInForce): ReturnType<Approvals["opened"]> {
    const { clock, engine, ids } = this.#parts;
    const { mode, count, deciders } = policy.settings.approval;
    const principal = call.principal?.["id"];
    const expires = (opening.iat + policy.settings.confirmation_ttl) * 1000;
    const approval: ApprovalRecord = {
      id: ids(),
      tenant: call.tenant,
      call: call.id,
      session: call.session,
      agent: call.agent,
      tool: call.tool,
      caller: call.caller,
      principal: typeof principal === "string" ? principal : null,
      digest: call.digest!,
      question: opening.question,
      confirmation: opening.confirmation,
      marks: opening.marks.map((mark) => ({ ...mark, text: mark.step === null ? mark.text : `${mark.text} It came in at step ${mark.step}.` })),
      snapshot: opening.snapshot,
      listing: call.listing,
      policy: policy.id,
      count: mode === "signed" ? count : 1,
      deciders,
      askedAt: clock(),
      expiresAt: expires,
      state: "open",
      answers: [],
      editedInto: null,
      decidedAt: null,
    };
    // The call is looked at again when the question expires, whatever happens until then.
    await engine.runAt(call.tenant, call.id, expires);
    const key = questionKey(approval);
    const before = await engine.get(call.tenant, key);
    setTimeout(() => void this.#tellOpened(approval), 0);
    return {
      approval,
      changes: [
        { key: approvalKey(approval.id), value: JSON.stringify(approval), expect: null },
        { key, value: approval.id, expect: before?.version ?? null },
      ],
      audit: [],
    };
  }

  async standing(tenant: string, session: string, agent: string | null, tool: string, digest: string): Promise<Standing | null> {
    const stored = await this.#parts.engine.get(tenant, questionKey({ session, agent, tool, digest }));
    const approval = stored === null ? null : await this.approval(tenant, stored.value);
    if (approval === null || (approval.state !== "open" && approval.state !== "approved" && approval.state !== "denied")) return null;
    return { state: approval.state, approval };
  }

  async stands(tenant: string, session: string): Promise<boolean> {
    return (await this.#parts.engine.list(tenant, `question/${part(session)}/`, { limit: 1 })).length > 0;
  }

  async spent(approval: ApprovalRecord): Promise<readonly Change[]> {
    return this.#ended(approval, "spent");
  }

  async withdrawn(approval: ApprovalRecord): Promise<readonly Change[]> {
    return this.#ended(approval, "withdrawn");
  }

  cover({ confirmation, answers }: ApprovalRecord): Cover {
    return { confirmation, approvals: answers.map(({ jws }) => jws).filter((jws) => jws !== "") };
  }

  async approval(tenant: string, id: string): Promise<ApprovalRecord | null> {
    return (await this.#load(tenant, id))?.[0] ?? null;
  }

  async approvals(tenant: string, filter: { readonly state?: string; readonly after?: string; readonly limit?: number } = {}): Promise<readonly ApprovalRecord[]> {
    const limit = Math.max(1, Math.min(filter.limit ?? 100, 1000));
    const found: ApprovalRecord[] = [];
    // The newest first: ids are made in the order of time.
    for (let after = filter.after === undefined ? undefined : approvalKey(filter.after); ; ) {
      const page = await this.#parts.engine.list(tenant, "approval/", { limit: 200, descending: true, ...(after === undefined ? {} : { after }) });
      for (const { value } of page) {
        const approval = this.#now(JSON.parse(value) as ApprovalRecord);
        if (filter.state !== undefined && approval.state !== filter.state) continue;
        found.push(approval);
        if (found.length === limit) return found;
      }
      if (page.length < 200) return found;
      after = page.at(-1)!.key;
    }
  }

  async decide(caller: Caller, id: string, { answer, why }: Decision): Promise<ApprovalRecord> {
    return this.#change(caller, id, (approval) => {
      const given = this.#answer(caller, approval, answer, why ?? null);
      const answers = [...approval.answers, given];
      const agreed = answers.filter((one) => one.answer === "approve").length >= approval.count;
      const state = answer === "deny" ? "denied" : agreed ? "approved" : "open";
      return { ...approval, answers, state, decidedAt: state === "open" ? null : this.#parts.clock() };
    }, answer === "deny" ? "call.denied" : "call.approved", why);
  }

  async edited(caller: Caller, id: string, edited: string, why: string | null, call: CallRecord): Promise<{ readonly approval: ApprovalRecord; readonly proposal: Proposal }> {
    const policy = await this.#parts.current(caller.tenant);
    let proposal: Proposal | null = null;
    const approval = await this.#change(caller, id, (before) => {
      proposal = editedProposal(call, edited, policy, this.#driver);
      const given: GivenAnswer = { approver: caller.approver, answer: "approve", why: why?.slice(0, WHY) ?? null, at: this.#parts.clock(), jws: "" };
      return { ...before, answers: [...before.answers, given], state: "edited", decidedAt: this.#parts.clock() };
    }, "call.edited", why ?? undefined);
    return { approval, proposal: proposal! };
  }

  async expire(caller: Caller, id: string): Promise<ApprovalRecord> {
    return this.#change(caller, id, (approval) => ({ ...approval, state: "expired", decidedAt: this.#parts.clock() }), "call.expired");
  }

  /** A question's record as it is after an answer, kept by compare and set; then the call goes on. */
  async #change(caller: Caller, id: string, next: (approval: ApprovalRecord) => ApprovalRecord, event: AuditBody["event"], why?: string): Promise<ApprovalRecord> {
    const { engine, clock } = this.#parts;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const loaded = await this.#load(caller.tenant, id);
      if (loaded === null) throw new GatewayError(404, "approval_not_found", "there is no such approval");
      const [approval, version] = loaded;
      if (approval.state !== "open") throw new GatewayError(409, "approval_closed", `this question is closed: it is ${approval.state}`, { detail: { state: approval.state } });
      requireEligible(caller, approval);
      const changed = next(approval);
      const audit: AuditBody = {
        event,
        at: clock(),
        actor: caller.name,
        call: approval.call,
        session: approval.session,
        agent: approval.agent,
        tool: approval.tool,
        arguments_digest: approval.digest,
        approval: approval.id,
        approvers: [caller.approver],
        policy: approval.policy,
        listing: approval.listing,
        ...(why === undefined ? {} : { why: why.slice(0, WHY) }),
      };
      const committed = await engine.commit({ tenant: caller.tenant, changes: [{ key: approvalKey(id), value: JSON.stringify(changed), expect: version }], audit: [audit] });
      if (!committed.ok) continue;
      if (changed.state !== "open") await engine.run(caller.tenant, approval.call);
      return changed;
    }
    throw new GatewayError(503, "approval_busy", "others keep answering this question: nothing was kept, try again");
  }

  #answer(caller: Caller, approval: ApprovalRecord, answer: Decision["answer"], why: string | null): GivenAnswer {
    const at = Math.floor(this.#parts.clock() / 1000);
    const { confirmation, question } = approval;
    const exp = Math.max(at + 1, Math.floor(approval.expiresAt / 1000));
    // Where a hook asks about a call that the core allows, there is no token to sign.
    const jws = confirmation === "" ? "" : signedApproval({ answer, approver: caller.approver, at, exp, confirmation, question }, this.#parts.keys(caller.tenant));
    return { approver: caller.approver, answer, why: why?.slice(0, WHY) ?? null, at: at * 1000, jws };
  }

  async #ended(approval: ApprovalRecord, state: "spent" | "withdrawn"): Promise<readonly Change[]> {
    const { engine } = this.#parts;
    const changes: Change[] = [];
    const key = questionKey(approval);
    const stands = await engine.get(approval.tenant, key);
    if (stands?.value === approval.id) changes.push({ key, value: null, expect: stands.version });
    const loaded = await this.#load(approval.tenant, approval.id);
    if (loaded !== null && (loaded[0].state === "approved" || loaded[0].state === "open")) {
      changes.push({ key: approvalKey(approval.id), value: JSON.stringify({ ...loaded[0], state }), expect: loaded[1] });
    }
    return changes;
  }

  async #load(tenant: string, id: string): Promise<[ApprovalRecord, number] | null> {
    if (!/^[\x21-\x7e]{1,128}$/.test(id)) return null;
    const stored = await this.#parts.engine.get(tenant, approvalKey(id));
    return stored === null ? null : [this.#now(JSON.parse(stored.value) as ApprovalRecord), stored.version];
  }

  /** A question whose time is over is expired, whether or not anybody has written so. */
  #now(approval: ApprovalRecord): ApprovalRecord {
    return approval.state === "open" && approval.expiresAt <= this.#parts.clock() ? { ...approval, state: "expired" } : approval;
  }

  /** Tells of a question once the flow has kept it. */
  async #tellOpened(approval: ApprovalRecord): Promise<void> {
    if (this.#parts.opened === undefined) return;
    const kept = await this.#parts.engine.changed(approval.tenant, approvalKey(approval.id), 0, 30_000).catch(() => null);
    if (kept !== null) this.#parts.opened(approval);
  }
}

function approvalKey(id: string): string {
  return `approval/${id}`;
}

function questionKey({ session, agent, tool, digest }: { session: string; agent: string | null; tool: string; digest: string }): string {
  return `question/${part(session)}/${part(agent)}/${part(tool)}/${digest}`;
}
