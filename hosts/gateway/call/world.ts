// What the rows of one pass know besides the call: the policy and settings in force, the session in its turn, and the unit of the next commit.
import type { ApprovalRecord } from "../approvals/record.ts";
import type { TenantSettings, ToolSettings } from "../config/settings.ts";
import { GatewayError } from "../gateway.ts";
import { turnFor } from "../pace.ts";
import type { Slots } from "../rows/edge/slots.ts";
import type { Turns } from "../rows/before/turns.ts";
import { type Answered, decide } from "../sessions/decide.ts";
import type { Listed } from "../upstream/port.ts";
import { reportStep } from "../sessions/report.ts";
import type { Kept, Sessions } from "../sessions/sessions.ts";
import type { Answer } from "./answer.ts";
import { auditBody, proposedArguments } from "./audit.ts";
import type { Cover, CrashPoint, Parts, PolicyInForce, PolicyTool } from "./parts.ts";
import type { CallRecord } from "./record.ts";
import { Unit } from "./unit.ts";

/** What outlives a pass: one of each for a gateway. */
export interface Shared {
  readonly parts: Parts;
  readonly sessions: Sessions;
  readonly turns: Turns;
  readonly slots: Slots;
  /** The controllers of calls that are walked here, by id: a cancellation aborts one, and reaches the call at its tool or right before. */
  readonly running: Map<string, AbortController>;
}

export class World {
  readonly shared: Shared;
  readonly parts: Parts;
  readonly tenant: TenantSettings;
  readonly unit: Unit;
  /** The client's cancellation, while a client waits. */
  readonly signal: AbortSignal | null;
  policy: PolicyInForce;
  /** The core's answer of this pass. */
  answered: Answered | null = null;
  /** The approval that the call was given (row 17). */
  approval: ApprovalRecord | null = null;
  /** The name under which the permit is spent (row 24). */
  once: string | null = null;
  /** The version of the call's record; null while it was never kept. */
  version: number | null;
  /** Told once the hooks before the call have spoken: a pass that is taken again does not ask them twice. */
  onHooksPassed: () => void = () => undefined;
  /** Whether the walk has to commit behind the row that said so. */
  mustKeep = false;
  /** Whether the outcome is in the history and the log. */
  told = false;
  /** The tool as its server lists it now (row 36). */
  listed: Listed | null = null;
  /** The call that this one is a retry of: its end is this one's, and nothing is kept of the retry. */
  attachedTo: string | null = null;
  /** Calls that may go on once this pass is over. */
  readonly awake = new Set<string>();
  /** Whether a call was found in the middle of being made: by an earlier run that ended without an answer. */
  readonly found: boolean;
  /** Why the intent may not be kept, as an earlier try found: another call spent the permit, or an equal call's outcome is unknown. */
  blocked: Extract<Answer, { answer: "refuse" }> | null = null;
  /** What the caller's Idempotency-Key stands for: the proposal as it came, before hooks changed it. */
  body: string | null = null;
  /** The version of the key's record, where a check that asked is decided anew under it. */
  keyVersion: number | null = null;
  /** What the call waited for when it was kept last. */
  heldFor: string | null;
  /** When the call goes on by itself, should nobody wake it before; milliseconds since 1970. */
  wakesAt: number | null = null;
  /** Whether what was in doubt is settled by an answer that came late. */
  settles = false;
  /** Whether the last commit freed a place at the tool, or a place in its queue. */
  frees = false;
  /** Whether the call that is next at the tool has to be looked after: this one waits behind it. */
  nudges = false;
  /** Whether the call is made in a run of its own. */
  handsOver = false;
  /** Aborts when the call is cancelled by its id. */
  readonly stop = new AbortController();
  #leave: (() => void) | null = null;
  #kept: Kept | null = null;
  #proposed = false;

  constructor(shared: Shared, call: CallRecord, tenant: TenantSettings, policy: PolicyInForce, version: number | null, signal: AbortSignal | null) {
    this.shared = shared;
    this.parts = shared.parts;
    this.tenant = tenant;
    this.policy = policy;
    this.unit = new Unit(call.tenant);
    this.version = version;
    this.signal = signal;
    const last = call.trace.at(-1);
    this.heldFor = last?.answer === "hold" ? (last.reason ?? null) : null;
    this.told = version !== null && call.state === "done";
    this.found = version !== null && call.state === "sending";
  }

  get observes(): boolean {
    return this.tenant.mode === "observe";
  }

  /** Whether the client, or somebody by the call's id, has cancelled it. */
  get isCancelled(): boolean {
    return this.stop.signal.aborted || this.signal?.aborted === true;
  }

  /** Whether other gateways work on the same store. */
  get isShared(): boolean {
    return isShared(this.parts);
  }

  now(): number {
    return this.parts.clock();
  }

  /** Forgets what a pass came to that has to be taken again. */
  again(): void {
    this.leave();
    this.answered = null;
    this.approval = null;
    this.once = null;
    this.mustKeep = false;
    this.attachedTo = null;
    this.wakesAt = null;
    this.frees = this.nudges = false;
  }

  wake(call: string): void {
    this.awake.add(call);
  }

  crash(point: CrashPoint): void {
    this.parts.crash?.(point);
  }

  tool(name: string): PolicyTool | null {
    return this.policy.tools.get(name) ?? null;
  }

  toolSettings(name: string): ToolSettings {
    return Object.hasOwn(this.tenant.tools, name) ? (this.tenant.tools[name] as ToolSettings) : this.tenant.toolDefaults;
  }

  /** The session, opened, in this pass's turn; the turn ends with the next commit. */
  async session(call: CallRecord): Promise<Kept> {
    this.#leave ??= await this.shared.sessions.enter(call.tenant, call.session);
    this.#kept = await this.shared.sessions.open(call.tenant, call.session, this.policy);
    return this.#kept;
  }

  /** The session where this pass has it open. */
  get kept(): Kept | null {
    return this.#kept;
  }

  /** Ends the session's turn. */
  leave(): void {
    this.#leave?.();
    this.#leave = null;
    this.#kept = null;
  }

  /** Decides the call by the core, in its session's turn. An earlier permit of the call that was not used is given back first. */
  async decide(call: CallRecord, cover: Cover | null): Promise<Answered> {
    const kept = await this.session(call);
    await this.giveBack(call, kept);
    await turnFor(call.arguments.length);
    const answered = decide(call, kept, this.shared.sessions, this.policy, this.unit, this.now(), cover);
    this.answered = answered;
    this.once = null;
    this.tellProposed(call);
    this.unit.tell(auditBody(this, call, "call.decided", { actor: "gateway", decision: answered.decided.decision, reasons: answered.decided.reasons }));
    return answered;
  }

  /** Tells the log once that the call was proposed, and with which arguments. */
  tellProposed(call: CallRecord): void {
    if (this.version !== null || this.#proposed) return;
    this.#proposed = true;
    this.unit.onLost(() => {
      this.#proposed = false;
    });
    this.unit.tell(auditBody(this, call, "call.proposed", { at: call.createdAt, ...proposedArguments(this, call, this.answered?.entry ?? null) }));
  }

  /** Reports the step of an allowed call that will not be made as failed: it did not run, and counts for no rule. */
  async giveBack(call: CallRecord, opened: Kept | null = null): Promise<void> {
    if (call.purpose !== "call" || call.decided?.decision !== "allow" || call.decided.step === null || call.sent !== null) return;
    const kept = opened ?? (await this.session(call));
    reportStep(this, kept, call.decided.step, { status: "failed" });
  }

  /** Fails where the settings know no such tenant. */
  static tenantOf(parts: Parts, tenant: string): TenantSettings {
    const { tenants } = parts.settings();
    if (!Object.hasOwn(tenants, tenant)) throw new GatewayError(404, "tenant_unknown", "there is no such tenant");
    return tenants[tenant] as TenantSettings;
  }
}

/** Whether other gateways work on the same store. */
export function isShared({ engine }: Pick<Parts, "engine">): boolean {
  return engine.name !== "embedded";
}
