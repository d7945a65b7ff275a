// The rooms where people decide, as small as the flow needs them: approvals over the engine, signed as chapter 3 has it, one policy at a time, switches and listings in memory.
import { createHash, createHmac, randomUUID } from "node:crypto";
import { Client } from "interlock";
import type { ApprovalRecord, ListingRecord } from "../../../hosts/gateway/approvals/record.ts";
import { callKey, part } from "../../../hosts/gateway/call/keys.ts";
import type { Approvals, Kills, Listings, Policies, PolicyInForce, PolicyTool, Standing } from "../../../hosts/gateway/call/parts.ts";
import type { CallRecord, Proposal } from "../../../hosts/gateway/call/record.ts";
import type { Engine } from "../../../hosts/gateway/engine/port.ts";
import { type Caller, GatewayError, type Kill } from "../../../hosts/gateway/gateway.ts";

export const APPROVE_KEY = Buffer.alloc(32, 8);

export function inForce(policy: Record<string, unknown>, keys: Record<string, unknown>): PolicyInForce {
  const settings = { ...(policy["settings"] as object | undefined), head: "required", confirmation_point: "turn", approval: { mode: "signed", count: 1, deciders: [] } };
  const client = new Client({ policy: { ...policy, settings }, keys, isolated: true });
  const compiled = JSON.parse(client.compiled) as { agents: PolicyInForce["agents"]; tools: PolicyTool[]; settings: PolicyInForce["settings"]; rulebook: { flows: { on: string[]; rules: { ask_if?: string }[] }[] } };
  const asks = new Set<string>();
  for (const { on, rules } of compiled.rulebook.flows) {
    if (!rules.some((rule) => rule.ask_if !== undefined)) continue;
    for (const name of on.includes("*") ? compiled.tools.map((tool) => tool.name) : on) asks.add(name);
  }
  return { id: client.policy, client, agents: compiled.agents, tools: new Map(compiled.tools.map((tool) => [tool.name, tool])), settings: compiled.settings, asks };
}

/** Policies whose one version in force a test sets. */
export class OnePolicy implements Policies {
  now: PolicyInForce;
  constructor(now: PolicyInForce) {
    this.now = now;
  }
  async current(): Promise<PolicyInForce> {
    return this.now;
  }
  policy(): never {
    throw new Error("the flow's tests register nothing");
  }
  registerPolicy(): never {
    throw new Error("the flow's tests register nothing");
  }
  rollBackPolicy(): never {
    throw new Error("the flow's tests register nothing");
  }
}

export class SmallApprovals implements Approvals {
  readonly #engine: Engine;
  readonly #clock: () => number;
  readonly #ttl: () => number;

  constructor(engine: Engine, clock: () => number, ttl: () => number) {
    this.#engine = engine;
    this.#clock = clock;
    this.#ttl = ttl;
  }

  async opened(...[call, opening, policy]: Parameters<Approvals["opened"]>): ReturnType<Approvals["opened"]> {
    const approval: ApprovalRecord = {
      id: randomUUID(),
      tenant: call.tenant,
      call: call.id,
      session: call.session,
      agent: call.agent,
      tool: call.tool,
      caller: call.caller,
      principal: (call.principal?.["id"] as string | undefined) ?? null,
      digest: call.digest as string,
      question: opening.question,
      confirmation: opening.confirmation,
      marks: opening.marks,
      snapshot: opening.snapshot,
      listing: call.listing,
      policy: policy.id,
      count: 1,
      deciders: [],
      askedAt: this.#clock(),
      expiresAt: this.#clock() + this.#ttl() * 1000,
      state: "open",
      answers: [],
      editedInto: null,
      decidedAt: null,
    };
    const changes = [
      { key: `approval/${approval.id}`, value: JSON.stringify(approval), expect: null },
      { key: questionKey(approval), value: approval.id },
    ];
    return { approval, changes, audit: [] };
  }

  async standing(...[tenant, session, agent, tool, digest]: Parameters<Approvals["standing"]>): Promise<Standing | null> {
    const stored = await this.#engine.get(tenant, questionKey({ session, agent, tool, digest }));
    if (stored === null) return null;
    const approval = await this.approval(tenant, stored.value);
    if (approval === null || !["open", "approved", "denied"].includes(approval.state)) return null;
    return { state: approval.state as Standing["state"], approval };
  }

  async stands(tenant: string, session: string): Promise<boolean> {
    return (await this.#engine.list(tenant, `question/${part(session)}/`, { limit: 1 })).length > 0;
  }

  async spent(approval: ApprovalRecord): ReturnType<Approvals["spent"]> {
    const stored = await this.#engine.get(approval.tenant, questionKey(approval));
    return stored?.value === approval.id ? [{ key: questionKey(approval), value: null, expect: stored.version }] : [];
  }

  async withdrawn(approval: ApprovalRecord): ReturnType<Approvals["withdrawn"]> {
    return [...(await this.spent(approval)), { key: `approval/${approval.id}`, value: JSON.stringify({ ...approval, state: "withdrawn" }) }];
  }

  async expired(): ReturnType<Approvals["expired"]> {
    return { changes: [], audit: [] };
  }

  async confirmed(approval: ApprovalRecord): Promise<ApprovalRecord> {
    return approval;
  }

  async erased(): ReturnType<Approvals["erased"]> {
    return [];
  }

  cover({ confirmation, answers }: ApprovalRecord): ReturnType<Approvals["cover"]> {
    return { confirmation, approvals: answers.map(({ jws }) => jws) };
  }

  async approval(tenant: string, id: string): Promise<ApprovalRecord | null> {
    const stored = await this.#engine.get(tenant, `approval/${id}`);
    if (stored === null) return null;
    const approval = JSON.parse(stored.value) as ApprovalRecord;
    return approval.state === "open" && approval.expiresAt <= this.#clock() ? { ...approval, state: "expired" } : approval;
  }

  async approvals(tenant: string): Promise<readonly ApprovalRecord[]> {
    return (await this.#engine.list(tenant, "approval/")).map(({ value }) => JSON.parse(value) as ApprovalRecord);
  }

  async decide(...[caller, id, { answer, why }]: Parameters<Approvals["decide"]>): Promise<ApprovalRecord> {
    const approval = await this.approval(caller.tenant, id);
    if (approval === null) throw new GatewayError(404, "approval_not_found", "there is none");
    if (approval.state !== "open") throw new GatewayError(409, "approval_closed", "it is closed");
    const at = Math.floor(this.#clock() / 1000);
    const jws = sign({ answer, approver: caller.approver, at, exp: at + this.#ttl(), question: hash("qls-question/1\n", approval.confirmation), shown: hash("qls-shown/1\n", "") });
    approval.answers.push({ approver: caller.approver, answer, why: why ?? null, at: at * 1000, jws });
    approval.state = answer === "approve" ? "approved" : "denied";
    approval.decidedAt = this.#clock();
    return this.#save(approval);
  }

  async edited(...[caller, id, edited, why, _call, into]: Parameters<Approvals["edited"]>): ReturnType<Approvals["edited"]> {
    const approval = await this.approval(caller.tenant, id);
    if (approval?.state !== "open") throw new GatewayError(409, "approval_closed", `it is closed${why ?? ""}`);
    const changed: ApprovalRecord = { ...approval, state: "edited", editedInto: into, edit: { by: caller.name, approver: caller.approver, principal: null, arguments: edited } };
    await this.#engine.commit({ tenant: approval.tenant, changes: [{ key: `edit/${into}`, value: JSON.stringify({ approval: id }) }] });
    await this.#save(changed);
    await this.#engine.run(approval.tenant, into);
    return changed;
  }

  proposal({ edit }: ApprovalRecord, call: CallRecord): Proposal {
    const edited = edit?.arguments ?? "{}";
    const origins = Object.fromEntries(Object.keys(JSON.parse(edited) as object).map((name) => [name, "reply"]));
    return { ...call, arguments: edited, origins, idempotencyKey: null, waitMs: 0 };
  }

  async expire(caller: Caller, id: string): Promise<ApprovalRecord> {
    const approval = (await this.approval(caller.tenant, id)) as ApprovalRecord;
    approval.state = "expired";
    return this.#save(approval);
  }

  async #save(approval: ApprovalRecord): Promise<ApprovalRecord> {
    await this.#engine.commit({ tenant: approval.tenant, changes: [{ key: `approval/${approval.id}`, value: JSON.stringify(approval) }] });
    await this.#engine.run(approval.tenant, approval.call);
    return approval;
  }
}

function questionKey({ session, agent, tool, digest }: { session: string; agent: string | null; tool: string; digest: string }): string {
  return `question/${part(session)}/${part(agent)}/${part(tool)}/${digest}`;
}

function hash(label: string, text: string): string {
  return createHash("sha256").update(label + text).digest("base64url");
}

/** A signed approval (chapter 3), by Node's own HMAC. Members are in canonical order as given here. */
function sign(payload: Record<string, unknown>): string {
  const head = Buffer.from(JSON.stringify({ alg: "HS256", kid: "people", typ: "qls-approval+jws" })).toString("base64url");
  const body = Buffer.from(JSON.stringify(payload)).toString("base64url");
  return `${head}.${body}.${createHmac("sha256", APPROVE_KEY).update(`${head}.${body}`).digest("base64url")}`;
}

export class Switches implements Kills {
  readonly on: Kill[] = [];
  readonly #listeners = new Set<(tenant: string, kill: Kill) => void>();

  set(tenant: string, kill: Partial<Kill>): Kill {
    const whole: Kill = { id: `kill-${this.on.length}`, why: "a test stops it", by: "test", at: 0, ...kill };
    this.on.push(whole);
    for (const listener of this.#listeners) listener(tenant, whole);
    return whole;
  }
  matching({ tool, agent, session }: Parameters<Kills["matching"]>[0]): Kill | null {
    return this.on.find((kill) => kill.all === true || kill.tool === tool || (kill.agent !== undefined && kill.agent === agent) || kill.session === session) ?? null;
  }
  onKill(listener: (tenant: string, kill: Kill) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async kills(): Promise<readonly Kill[]> {
    return this.on;
  }
  async kill(caller: Caller, kill: Omit<Kill, "id" | "by" | "at">): Promise<Kill> {
    return this.set(caller.tenant, kill);
  }
  async liftKill(_caller: Caller, id: string): Promise<void> {
    this.on.splice(
      this.on.findIndex((kill) => kill.id === id),
      1,
    );
  }
}

/** Every listing is approved as `listing-1` unless a test says otherwise. */
export class SmallListings implements Listings {
  readonly approved = new Map<string, string | null>();
  async standing(tenant: string, tool: string): Promise<ListingRecord | null> {
    const digest = this.approved.has(tool) ? this.approved.get(tool) : "listing-1";
    return { tenant, tool, server: "shop", approved: digest == null ? null : { digest, listing: "{}", by: "test", at: 0 }, pending: null };
  }
  async listings(): Promise<readonly ListingRecord[]> {
    return [];
  }
  approveListing(): never {
    throw new Error("the flow's tests approve listings by hand");
  }
}

export const callOf = callKey;
