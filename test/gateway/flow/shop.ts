// A shop's gateway for tests of the flow: an engine in memory, tools that write down what reached them, and a clock that a test moves.
import type { HookSettings, ReconcileSettings, Settings, TenantSettings, ToolSettings } from "../../../hosts/gateway/config/settings.ts";
import type { CallRecord, Outcome, Proposal, Sent } from "../../../hosts/gateway/call/record.ts";
import { createGateway, type RunningGateway } from "../../../hosts/gateway/flow.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import type { Hooks } from "../../../hosts/gateway/hooks/port.ts";
import type { Listed, Sending, Upstream } from "../../../hosts/gateway/upstream/port.ts";
import type { CrashPoint } from "../../../hosts/gateway/call/parts.ts";
import { MemoryEngine } from "./memory-engine.ts";
import { APPROVE_KEY, inForce, OnePolicy, SmallApprovals, SmallListings, Switches } from "./people.ts";

export const KEYS = {
  format: "qls-keys/1",
  active: "gate",
  keys: [
    { kid: "gate", kty: "oct", alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") },
    { kid: "people", kty: "oct", alg: "HS256", use: "approve", k: APPROVE_KEY.toString("base64url") },
  ],
  digest_key: Buffer.alloc(32, 9).toString("base64url"),
};

const order = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const payment = { type: "object", properties: { order_id: { type: "string" }, amount: { type: "number" } }, required: ["order_id", "amount"] };

export const POLICY = {
  format: "qls-policy/1",
  tenant: "shop",
  agents: { desk: { tools: ["*"] }, clerk: { tools: ["get_order"] } },
  tools: [
    { name: "get_order", effect: "read", parameters: order, result: { type: "object", properties: { total: { type: "number" } } } },
    { name: "get_coupon", effect: "read", parameters: order, at_most: 1 },
    { name: "read_inbox", effect: "read", reads_outside: true, parameters: { type: "object", properties: {} } },
    { name: "charge_card", parameters: payment, undo: { tool: "refund_card", bind: { order_id: "arguments.order_id", amount: "arguments.amount" } } },
    { name: "refund_card", parameters: payment, irreversible: true },
    { name: "set_note", parameters: order, idempotent: true, irreversible: true },
    { name: "pay", parameters: { type: "object", properties: { order_id: { type: "string" }, key: { type: "string" } }, required: ["order_id"] }, idempotency_key: "key", irreversible: true },
    { name: "look_closely", effect: "read", parameters: order },
  ],
  rulebook: { flows: [{ name: "care", on: ["look_closely"], rules: [{ id: "look", ask_if: "true", question: "Is this one to be looked at?" }] }] },
};

const TOOL: ToolSettings = { timeoutMs: 2_000, resultBytes: 1_000, concurrency: 8, onUnknown: "ask" };

/** Tools behind the gateway: what they answer, and what reached them. */
export class ShopTools implements Upstream {
  readonly sent: { tool: string; arguments: string | null; operation: string }[] = [];
  readonly missing = new Set<string>();
  /** What the listing of a tool says of its effects. */
  readonly annotations = new Map<string, object>();
  answer: (call: CallRecord, sending: Sending) => Promise<Partial<Sent>> | Partial<Sent> = () => ({});
  reconciled: (call: CallRecord, read: ReconcileSettings | null) => Sent | null = () => null;
  digest = "listing-1";

  async listed(): Promise<readonly Listed[]> {
    return POLICY.tools.filter(({ name }) => !this.missing.has(name)).map(({ name }) => this.#listed(name));
  }
  async tool(_tenant: string, tool: string): Promise<Listed | null> {
    return this.missing.has(tool) || !POLICY.tools.some(({ name }) => name === tool) ? null : this.#listed(tool);
  }
  async send(call: CallRecord, sending: Sending): Promise<Sent> {
    this.sent.push({ tool: call.tool, arguments: call.canonical, operation: sending.operation });
    const said = await this.answer(call, sending);
    return { status: "ran", result: `{"made":"${call.tool}"}`, fields: '{"total":40}', startedAt: 1, endedAt: 2, ...said };
  }
  async reconcile(call: CallRecord, read: ReconcileSettings | null): Promise<Sent | null> {
    return this.reconciled(call, read);
  }
  onChanged(): () => void {
    return () => undefined;
  }
  async close(): Promise<void> {}

  #listed(tool: string): Listed {
    return { tool, server: "shop", name: tool, listing: JSON.stringify({ name: tool, title: `The ${tool}`, annotations: this.annotations.get(tool) }), digest: this.digest };
  }
}

export interface Options {
  readonly engine?: MemoryEngine;
  readonly policy?: Record<string, unknown>;
  readonly mode?: TenantSettings["mode"];
  readonly tools?: Record<string, Partial<ToolSettings>>;
  readonly hooks?: Hooks;
  readonly hookSettings?: readonly HookSettings[];
  readonly redact?: TenantSettings["audit"]["redact"];
  readonly crash?: (point: CrashPoint) => void;
  readonly upstream?: ShopTools;
}

export const APPROVER: Caller = { name: "ana", tenant: "shop", agents: [], principal: null, approver: "ana", may: new Set(["approve"]) };

export class Shop {
  readonly engine: MemoryEngine;
  readonly tools: ShopTools;
  readonly kills = new Switches();
  readonly listings = new SmallListings();
  readonly policies: OnePolicy;
  readonly gateway: RunningGateway;
  /** Milliseconds. */
  now = 1_764_500_000_000;
  #ids = 0;

  constructor(options: Options = {}) {
    this.engine = options.engine ?? new MemoryEngine();
    this.tools = options.upstream ?? new ShopTools();
    this.policies = new OnePolicy(inForce(options.policy ?? POLICY, KEYS));
    const settings = { tenants: { shop: tenantOf(options) } } as unknown as Settings;
    const stamp = Math.random().toString(16).slice(2, 10);
    this.gateway = createGateway({
      engine: this.engine,
      upstream: this.tools,
      hooks: options.hooks ?? null,
      policies: this.policies,
      approvals: new SmallApprovals(
        this.engine,
        () => this.now,
        () => 86_400,
      ),
      kills: this.kills,
      listings: this.listings,
      settings: () => settings,
      clock: () => this.now,
      ids: () => `${stamp}-${String(this.#ids++).padStart(6, "0")}`,
      core: "core",
      ...(options.crash === undefined ? {} : { crash: options.crash }),
    });
    void this.engine.start(this.gateway.runner);
  }

  /** Proposes a call. */
  async call(tool: string, args: unknown, more: Partial<Proposal> = {}, signal?: AbortSignal): Promise<Outcome> {
    return this.gateway.call(proposal(tool, args, more), signal);
  }

  /** Answers the question a call waits for, and waits until everything that follows is done. */
  async decide(outcome: Outcome, answer: "approve" | "deny" = "approve", why?: string): Promise<void> {
    if (outcome.kind !== "pending") throw new Error(`nothing is asked: ${outcome.kind}`);
    await this.gateway.decide(APPROVER, outcome.approval, { answer, ...(why === undefined ? {} : { why }) });
    await this.engine.idle();
  }

  /** A person's edit of the call that an outcome waits for: the call that it made, once everything that follows is done. */
  async edit(outcome: Outcome, args: string, why: string | null = null): Promise<Outcome> {
    if (outcome.kind !== "pending") throw new Error(`nothing is asked: ${outcome.kind}`);
    const { editedInto } = await this.gateway.edit(APPROVER, outcome.approval, args, why);
    await this.engine.idle();
    return (await this.gateway.outcome("shop", editedInto!, 0))!;
  }

  /** A call's outcome now. */
  async outcome(outcome: Outcome): Promise<Outcome> {
    const now = await this.gateway.outcome("shop", outcome.call.id, 0);
    if (now === null) throw new Error("there is no such call");
    return now;
  }

  /** What the log says of a call, or of all. */
  events(call?: string): readonly string[] {
    return this.engine
      .bodies("shop")
      .filter((body) => call === undefined || body.call === call)
      .map(({ event }) => event);
  }
}

export function tenantOf({ mode = "enforce", tools = {}, hookSettings = [], redact = { "*": ["*"] } }: Options): TenantSettings {
  const whole = Object.fromEntries(Object.entries(tools).map(([name, given]) => [name, { ...TOOL, ...given }]));
  return {
    name: "shop",
    mode,
    servers: { shop: {} },
    tools: whole,
    toolDefaults: TOOL,
    approvals: { answer: "retry", waitSeconds: 0, longWaitSeconds: 3_600, notify: [] },
    audit: { redact, checkpointSeconds: 60, checkpointEntries: 100 },
    hooks: hookSettings,
  } as unknown as TenantSettings;
}

export function proposal(tool: string, args: unknown, more: Partial<Proposal> = {}): Proposal {
  return {
    door: "http",
    tenant: "shop",
    caller: "agent-1",
    session: "chat-1",
    agent: "desk",
    tool,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
    turn: null,
    idempotencyKey: null,
    waitMs: 0,
    purpose: "call",
    requestId: "r-1",
    ...more,
  };
}
