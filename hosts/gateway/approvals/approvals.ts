// Questions to people: opened with the flow's own commits, found again by a retry, answered once by each who may, bound to what they were asked about.
import { lineDriver } from "interlock";
import type { AuditBody } from "../audit/entry.ts";
import type { Approvals, Cover, Opening, PolicyInForce, Standing } from "../call/parts.ts";
import type { CallRecord, Proposal } from "../call/record.ts";
import type { Change, Engine } from "../engine/port.ts";
import { type Caller, type Decision, GatewayError } from "../gateway.ts";
import { digestOf } from "../sessions/decide.ts";
import { whatChanged } from "./binding.ts";
import { editedProposal, fitting } from "./edits.ts";
import { mayAnswer, namesOf, principalName, requireApprover, requireEligible } from "./eligible.ts";
import { approvalKey, askedKey, askedPrefix, editKey, questionKey, questionPrefix, waitingKey, waitingPrefix } from "./keys.ts";
import type { ApprovalRecord, GivenAnswer } from "./record.ts";
import { broughtApproval, signedApproval } from "./sign.ts";

export interface ApprovalParts {
  readonly engine: Engine;
  /** The tenant's key set, JSON text. */
  readonly keys: (tenant: string) => string;
  readonly current: (tenant: string) => Promise<PolicyInForce>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly ids: () => string;
  /** Told of each new question once it is kept. */
  readonly opened?: (approval: ApprovalRecord) => void;
}

/** The longest reason that is kept, in UTF-16 code units. */
const WHY = 2000;
/** So many others may change a question's record between the reading and the writing of one answer. */
const ATTEMPTS = 32;
/** How long a new question's commit is waited for before it is told of. */
const KEPT_MS = 30_000;

export class Questions implements Approvals {
  readonly #parts: ApprovalParts;
  readonly #driver = lineDriver();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  async opened(call: CallRecord, opening: Opening, policy: PolicyInForce): ReturnType<Approvals["opened"]> {
    const { clock, engine, ids } = this.#parts;
    const { mode, count, deciders } = policy.settings.approval;
    const expires = (opening.iat + policy.settings.confirmation_ttl) * 1000;
    const agent = call.agent ?? onlyAgent(policy);
    const key = questionKey({ ...call, agent, digest: call.digest! });
    const before = await engine.get(call.tenant, key);
    const last = before === null ? null : await this.approval(call.tenant, before.value);
    const asked = {
      question: opening.question,
      marks: opening.marks.map((mark) => ({ ...mark, text: mark.step === null ? mark.text : `${mark.text} It came in at step ${mark.step}.` })),
      snapshot: opening.snapshot,
      listing: call.listing,
      policy: policy.id,
    };
    const approval: ApprovalRecord = {
      id: ids(),
      tenant: call.tenant,
      call: call.id,
      session: call.session,
      agent,
      tool: call.tool,
      caller: call.caller,
      principal: principalName(call.principal),
      ...(call.person === undefined ? {} : { person: call.person }),
      digest: call.digest!,
      confirmation: opening.confirmation,
      ...asked,
      mode,
      note: noteOf(call, opening, last?.call === call.id ? whatChanged(last, asked) : null),
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
    setTimeout(() => void this.#tellOpened(approval), 0);
    return {
      approval,
      changes: [
        { key: approvalKey(approval.id), value: JSON.stringify(approval), expect: null },
        { key: waitingKey(approval.id), value: "1", expect: null },
        { key: askedKey(call.session, approval.id), value: "1", expect: null },
        // An undo asks each time: a retry of the same call made for itself never attaches to it.
        ...(call.undo === undefined ? [{ key, value: approval.id, expect: before?.version ?? null }] : []),
      ],
      audit: [],
    };
  }

  async standing(tenant: string, session: string, agent: string | null, tool: string, digest: string): Promise<Standing | null> {
    const named = agent ?? onlyAgent(await this.#parts.current(tenant));
    const stored = await this.#parts.engine.get(tenant, questionKey({ session, agent: named, tool, digest }));
    const approval = stored === null ? null : await this.approval(tenant, stored.value);
    if (approval === null || approval.state === "spent" || approval.state === "withdrawn") return null;
    return { state: approval.state, approval };
  }

  async stands(tenant: string, session: string): Promise<boolean> {
    return (await this.#parts.engine.list(tenant, questionPrefix(session), { limit: 1 })).length > 0;
  }

  async spent(approval: ApprovalRecord): Promise<readonly Change[]> {
    return this.#ended(approval, "spent");
  }

  async withdrawn(approval: ApprovalRecord): Promise<readonly Change[]> {
    return this.#ended(approval, "withdrawn");
  }

  async expired({ tenant, id }: ApprovalRecord): ReturnType<Approvals["expired"]> {
    const stored = await this.#parts.engine.get(tenant, approvalKey(id));
    const kept = stored === null ? null : (JSON.parse(stored.value) as ApprovalRecord);
    if (stored === null || kept?.state !== "open") return { changes: [], audit: [] };
    const changed: ApprovalRecord = { ...kept, state: "expired", decidedAt: kept.expiresAt };
    return { changes: closing(changed, stored.version), audit: [this.#told("call.expired", changed, "gateway")] };
  }

  async confirmed({ tenant, id }: ApprovalRecord, call: CallRecord): Promise<ApprovalRecord> {
    const { clock, engine } = this.#parts;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [approval, version] = await this.#load(tenant, id).then((found) => found ?? missing());
      if (approval.state !== "open" || approval.confirmation === "" || call.confirmation !== approval.confirmation) return approval;
      const brought = this.#brought(approval, call);
      if (brought.length === 0) return approval;
      const changed = answered(approval, brought, clock());
      const event = changed.state === "denied" ? "call.denied" : "call.approved";
      const audit = this.#told(event, changed, call.caller, { approvers: brought.map(({ approver }) => approver), detail: { by: approval.mode === "token" ? "token" : "signed approvals", wanted: approval.count } });
      const changes = changed.state === "open" ? [{ key: approvalKey(id), value: JSON.stringify(changed), expect: version }] : closing(changed, version);
      if (!(await engine.commit({ tenant, changes, audit: [audit] })).ok) continue;
      if (changed.state !== "open") await engine.run(tenant, approval.call);
      return changed;
    }
    throw busy();
  }

  async erased(tenant: string, session: string): Promise<readonly Change[]> {
    const { engine } = this.#parts;
    const changes: Change[] = [];
    for (const prefix of [questionPrefix(session), askedPrefix(session)]) {
      for (let after: string | undefined; ; ) {
        const page = await engine.list(tenant, prefix, { limit: 1000, ...(after === undefined ? {} : { after }) });
        for (const { key } of page) {
          changes.push({ key, value: null });
          if (prefix !== askedPrefix(session)) continue;
          const id = key.slice(prefix.length);
          changes.push({ key: approvalKey(id), value: null }, { key: waitingKey(id), value: null });
        }
        after = page.at(-1)?.key;
        if (page.length < 1000) break;
      }
    }
    return changes;
  }

  cover({ confirmation, answers }: ApprovalRecord): Cover {
    return { confirmation, approvals: answers.map(({ jws }) => jws).filter((jws) => jws !== "") };
  }

  async approval(tenant: string, id: string): Promise<ApprovalRecord | null> {
    return (await this.#load(tenant, id))?.[0] ?? null;
  }

  async approvals(tenant: string, filter: { readonly state?: string; readonly after?: string; readonly limit?: number } = {}): Promise<readonly ApprovalRecord[]> {
    const { engine } = this.#parts;
    const limit = Math.max(1, Math.min(filter.limit ?? 100, 1000));
    const found: ApprovalRecord[] = [];
    // What is open has an index of its own: an inbox that is looked at every second must not read every question that ever was.
    const prefix = filter.state === "open" ? waitingPrefix : approvalKey("");
    // The newest first: ids are made in the order of time.
    for (let after = filter.after === undefined ? undefined : `${prefix}${filter.after}`; ; ) {
      const page = await engine.list(tenant, prefix, { limit: 200, descending: true, ...(after === undefined ? {} : { after }) });
      for (const { key, value } of page) {
        const approval = filter.state === "open" ? await this.approval(tenant, key.slice(prefix.length)) : this.#now(JSON.parse(value) as ApprovalRecord);
        if (approval === null || (filter.state !== undefined && approval.state !== filter.state)) continue;
        found.push(approval);
        if (found.length === limit) return found;
      }
      if (page.length < 200) return found;
      after = page.at(-1)!.key;
    }
  }

  async decide(caller: Caller, id: string, { answer, why }: Decision): Promise<ApprovalRecord> {
    const changed = await this.#change(caller, id, answer === "deny" ? "call.denied" : "call.approved", why ?? null, async (approval) => {
      requireEligible(caller, approval);
      return answered(approval, [this.#answer(caller, approval, answer, why ?? null)], this.#parts.clock());
    });
    if (changed.state !== "open") await this.#parts.engine.run(caller.tenant, changed.call);
    return changed;
  }

  async edited(caller: Caller, id: string, edited: string, why: string | null, call: CallRecord, into: string): Promise<ApprovalRecord> {
    const { clock, engine, current } = this.#parts;
    const policy = await current(caller.tenant);
    return this.#change(caller, id, "call.edited", why, async (before) => {
      requireEligible(caller, before);
      if (call.undo !== undefined) throw new GatewayError(409, "edit_refused", "what undoes a step is bound to that step: approve it as it is, or deny it");
      const after = fitting(call, edited, policy, this.#driver);
      const digest = digestOf({ ...call, arguments: after }, policy, clock());
      const other = digest === null ? null : await this.standing(call.tenant, call.session, call.agent, call.tool, digest);
      if (other?.state === "denied") throw new GatewayError(409, "edit_denied", "a person said no to the call with these arguments already, and that is final", { detail: { approval: other.approval.id } });
      const given: GivenAnswer = { approver: caller.approver, answer: "approve", why: why?.slice(0, WHY) ?? null, at: clock(), jws: "", names: namesOf(caller) };
      const edit = { by: caller.name, approver: caller.approver, principal: principalName(caller.principal), arguments: after };
      return { ...before, answers: [...before.answers, given], state: "edited", decidedAt: clock(), editedInto: into, edit };
    }, [{ key: editKey(into), value: JSON.stringify({ approval: id }), expect: null }]).then(async (approval) => {
      // First the call that is to be made, then the one it stands for: a crash between leaves the first in the engine's hands.
      await engine.run(caller.tenant, into);
      return approval;
    });
  }

  proposal({ edit }: ApprovalRecord, call: CallRecord): Proposal {
    if (edit === undefined) throw new Error("only an edited question proposes a call");
    return editedProposal(call, edit.arguments, this.#driver);
  }

  async expire(caller: Caller, id: string): Promise<ApprovalRecord> {
    requireApprover(caller);
    const changed = await this.#change(caller, id, "call.expired", null, async (approval) => ({ ...approval, state: "expired", decidedAt: this.#parts.clock() }));
    await this.#parts.engine.run(caller.tenant, changed.call);
    return changed;
  }

  /** A question's record as it is after an answer, kept by compare and set. */
  async #change(caller: Caller, id: string, event: AuditBody["event"], why: string | null, next: (approval: ApprovalRecord) => Promise<ApprovalRecord>, more: readonly Change[] = []): Promise<ApprovalRecord> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [approval, version] = await this.#load(caller.tenant, id).then((found) => found ?? missing());
      if (approval.state !== "open") throw new GatewayError(409, "approval_closed", `this question is closed: it is ${approval.state}`, { detail: { state: approval.state } });
      const changed = await next(approval);
      const open = changed.state === "open";
      const audit = this.#told(event, changed, caller.name, {
        approvers: [caller.approver],
        ...(why === null ? {} : { why: why.slice(0, WHY) }),
        ...(open || approval.count > 1 ? { detail: { answers: changed.answers.length, wanted: approval.count } } : {}),
      });
      const changes = open ? [{ key: approvalKey(id), value: JSON.stringify(changed), expect: version }] : closing(changed, version);
      if ((await this.#parts.engine.commit({ tenant: caller.tenant, changes: [...changes, ...more], audit: [audit] })).ok) return changed;
    }
    throw busy();
  }

  #told(event: AuditBody["event"], { call, session, agent, tool, digest, id, policy, listing }: ApprovalRecord, actor: string, more: Partial<AuditBody> = {}): AuditBody {
    return { event, at: this.#parts.clock(), actor, call, session, agent, tool, arguments_digest: digest, approval: id, policy, listing, ...more };
  }

  #answer(caller: Caller, approval: ApprovalRecord, answer: Decision["answer"], why: string | null): GivenAnswer {
    const at = Math.floor(this.#parts.clock() / 1000);
    const { confirmation, question, mode } = approval;
    const exp = Math.max(at + 1, Math.floor(approval.expiresAt / 1000));
    // Where a hook asks about a call that the core allows there is no token to sign, and where the policy's mode is `token` nothing is signed.
    const jws = confirmation === "" || mode === "token" ? "" : signedApproval({ answer, approver: caller.approver, at, exp, confirmation, question }, this.#parts.keys(caller.tenant));
    return { approver: caller.approver, answer, why: why?.slice(0, WHY) ?? null, at: at * 1000, jws, names: namesOf(caller) };
  }

  /** The answers that a call brings from the person's channel with the question's own token: the token itself in mode `token`, else signed approvals of those who may answer. */
  #brought(approval: ApprovalRecord, { caller, principal, approvals = [] }: CallRecord): readonly GivenAnswer[] {
    if (approval.mode === "token") return [{ approver: principalName(principal) ?? caller, answer: "approve", why: null, at: this.#parts.clock(), jws: "" }];
    const given: GivenAnswer[] = [];
    for (const jws of approvals) {
      const read = broughtApproval(jws, approval.confirmation, this.#parts.keys(approval.tenant));
      if (read === null || !mayAnswer(read.approver, { ...approval, answers: [...approval.answers, ...given] })) continue;
      given.push({ approver: read.approver, answer: read.answer, why: null, at: read.at * 1000, jws });
    }
    return given;
  }

  async #ended(approval: ApprovalRecord, state: "spent" | "withdrawn"): Promise<readonly Change[]> {
    const { engine } = this.#parts;
    const changes: Change[] = [];
    const key = questionKey(approval);
    const stands = await engine.get(approval.tenant, key);
    if (stands?.value === approval.id) changes.push({ key, value: null, expect: stands.version });
    const loaded = await this.#load(approval.tenant, approval.id);
    if (loaded !== null && (loaded[0].state === "approved" || loaded[0].state === "open")) changes.push(...closing({ ...loaded[0], state }, loaded[1]));
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
    const kept = await this.#parts.engine.changed(approval.tenant, approvalKey(approval.id), 0, KEPT_MS).catch(() => null);
    if (kept !== null) this.#parts.opened(approval);
  }
}

/** A question with more answers: one no is enough, and as many yeses as are wanted. */
function answered(approval: ApprovalRecord, more: readonly GivenAnswer[], at: number): ApprovalRecord {
  const answers = [...approval.answers, ...more];
  const denied = answers.some(({ answer }) => answer === "deny");
  const state = denied ? "denied" : answers.length >= approval.count ? "approved" : "open";
  return { ...approval, answers, state, decidedAt: state === "open" ? null : at };
}

/** What keeps a question that is closed now. */
function closing(approval: ApprovalRecord, version: number): Change[] {
  return [
    { key: approvalKey(approval.id), value: JSON.stringify(approval), expect: version },
    { key: waitingKey(approval.id), value: null },
  ];
}

/** Where two agents are compared, an absent one means the policy's only agent (chapter 3). */
function onlyAgent({ agents }: PolicyInForce): string | null {
  const names = Object.keys(agents);
  return names.length === 1 ? names[0]! : null;
}

/** What the question itself does not say: why it is asked again, and the hook that wants it asked beside the policy. */
function noteOf(call: CallRecord, opening: Opening, changed: string | null): string | null {
  const said = changed === null ? [] : [`This is asked again. ${changed}`];
  const hook = call.trace.findLast(({ row, answer }) => row === "12" && answer === "ask")?.detail?.["hook"];
  if (opening.confirmation !== "" && typeof hook === "string") said.push(`The hook ${hook} wants a person to see this call.`);
  return said.length === 0 ? null : said.join(" ");
}

function missing(): never {
  throw new GatewayError(404, "approval_not_found", "there is no such approval");
}

function busy(): GatewayError {
  return new GatewayError(503, "approval_busy", "others keep answering this question: nothing was kept, try again");
}
