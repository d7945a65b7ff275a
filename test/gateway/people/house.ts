// A whole gateway but for its doors: the flow with the real rooms where people decide, over a store on disk; tools that write down what reached them, and a clock that a test moves.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSealer, signingKey } from "../../../hosts/gateway/audit/chain.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { Questions } from "../../../hosts/gateway/approvals/approvals.ts";
import { editKey } from "../../../hosts/gateway/approvals/keys.ts";
import type { ApprovalRecord } from "../../../hosts/gateway/approvals/record.ts";
import type { Outcome, Proposal } from "../../../hosts/gateway/call/record.ts";
import type { Settings } from "../../../hosts/gateway/config/settings.ts";
import type { Engine } from "../../../hosts/gateway/engine/port.ts";
import { SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { createGateway, type RunningGateway } from "../../../hosts/gateway/flow.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import type { Hooks } from "../../../hosts/gateway/hooks/port.ts";
import { KillSwitches } from "../../../hosts/gateway/kills/kills.ts";
import { PinnedListings } from "../../../hosts/gateway/listings/listings.ts";
import { PolicyVersions } from "../../../hosts/gateway/policies/policies.ts";
import type { Listed } from "../../../hosts/gateway/upstream/port.ts";
import { KEYS, POLICY, proposal, ShopTools, tenantOf } from "../flow/shop.ts";

export const person = (name: string, over: Partial<Caller> = {}): Caller => ({ name, tenant: "shop", agents: [], principal: null, approver: name, may: new Set(["approve", "policy", "kill"]), ...over });

/** Tools whose listings a test changes. */
class Tools extends ShopTools {
  readonly changed = new Map<string, string>();
  #told: ((tenant: string, server: string) => void) | null = null;
  override async listed(): Promise<readonly Listed[]> {
    return (await super.listed()).map((listed) => this.#now(listed));
  }
  override async tool(tenant: string, tool: string): Promise<Listed | null> {
    const listed = await super.tool(tenant, tool);
    return listed === null ? null : this.#now(listed);
  }
  override onChanged(listener?: (tenant: string, server: string) => void): () => void {
    this.#told = listener ?? null;
    return () => undefined;
  }
  tell(): void {
    this.#told?.("shop", "shop");
  }
  #now(listed: Listed): Listed {
    const digest = this.changed.get(listed.tool);
    return digest === undefined ? listed : { ...listed, digest, listing: JSON.stringify({ name: listed.tool, description: digest }) };
  }
}

export class House {
  readonly folder: string;
  readonly tools = new Tools();
  readonly told: ApprovalRecord[] = [];
  engine!: Engine;
  questions!: Questions;
  policies!: PolicyVersions;
  kills!: KillSwitches;
  listings!: PinnedListings;
  gateway!: RunningGateway;
  keys: unknown = KEYS;
  hooks: Hooks | null = null;
  /** Makes the engine of each start. */
  makes: (clock: () => number) => Engine = (clock) => new SqliteEngine(join(this.folder, "data"), { clock });
  now = 1_764_500_000_000;
  clock: () => number = () => this.now;
  settings = { tenants: { shop: tenantOf({}) } } as unknown as Settings;
  #ids = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(policy: unknown = POLICY, more: { readonly keys?: unknown; readonly prepare?: (house: House) => Promise<void> | void } = {}): Promise<House> {
    const house = new House(mkdtempSync(join(tmpdir(), "house-")));
    house.keys = more.keys ?? KEYS;
    house.write(policy);
    await more.prepare?.(house);
    await house.start();
    return house;
  }

  /** Writes the policy's file. */
  write(policy: unknown): string {
    const file = join(this.folder, "policy.yaml");
    writeFileSync(file, JSON.stringify(policy));
    return file;
  }

  async start(): Promise<void> {
    const clock = (): number => this.clock();
    const ids = (): string => `${this.now}-${String(this.#ids++).padStart(6, "0")}`;
    const keys = (): string => JSON.stringify(this.keys);
    const engine = this.makes(clock);
    const policies = new PolicyVersions({ engine, keys, clock });
    const kills = new KillSwitches({ engine, clock, ids });
    const listings = new PinnedListings({ engine, upstream: this.tools, declared: (tenant) => policies.declared(tenant), clock });
    const questions = new Questions({ engine, keys, current: (tenant) => policies.current(tenant), clock, ids, opened: (approval) => void this.told.push(approval) });
    this.gateway = createGateway({ engine, upstream: this.tools, hooks: this.hooks, policies, approvals: questions, kills, listings, settings: () => this.settings, clock, ids, core: "core" });
    Object.assign(this, { engine, policies, kills, listings, questions });
    const seal = createSealer(() => signingKey(this.keys as Parameters<typeof signingKey>[0]), () => ({ entries: 50, milliseconds: 3_600_000 }));
    await engine.start(this.gateway.runner, seal);
    await policies.fromFile("shop", join(this.folder, "policy.yaml"));
    await kills.start(["shop"]);
    await listings.start(["shop"]);
    await this.gateway.takeUp();
  }

  async stop(): Promise<void> {
    this.kills.close();
    this.listings.close();
    await this.engine.stop(2000);
  }

  async again(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  call(tool: string, args: unknown, more: Partial<Proposal> = {}): Promise<Outcome> {
    return this.gateway.call(proposal(tool, args, more));
  }

  /** A call that people are asked about: its outcome and its question. */
  async asked(tool: string, args: unknown, more: Partial<Proposal> = {}): Promise<{ outcome: Outcome; approval: ApprovalRecord }> {
    const outcome = await this.call(tool, args, more);
    if (outcome.kind !== "pending") throw new Error(`nothing is asked: ${outcome.kind} ${"reason" in outcome ? outcome.reason : ""}`);
    return { outcome, approval: (await this.gateway.approval("shop", outcome.approval))! };
  }

  /** A person's edit: the question, and the call that it made as it is once the edit is done. */
  async edited(...given: Parameters<RunningGateway["edit"]>): Promise<{ approval: ApprovalRecord; outcome: Outcome }> {
    const approval = await this.gateway.edit(...given);
    const into = approval.editedInto!;
    while ((await this.engine.get("shop", editKey(into))) !== null) await new Promise((next) => setTimeout(next, 5));
    return { approval, outcome: (await this.gateway.outcome("shop", into, 0))! };
  }

  /** The end of the house's stores, whose log verifies. */
  async verifiedClose(): Promise<void> {
    const verified = await verifyAudit(await this.engine.audit("shop", 0, 10_000), this.keys as never);
    await this.close();
    if (!verified.valid) throw new Error(`the log does not verify: ${JSON.stringify(verified)}`);
  }

  /** How a call ended, once it has. */
  async end(outcome: Outcome): Promise<Outcome> {
    for (let tries = 0; tries < 200; tries++) {
      const now = await this.gateway.outcome("shop", outcome.call.id, 100);
      if (now !== null && now.kind !== "pending") return now;
    }
    throw new Error("the call does not end");
  }

  /** The log's entries. */
  async log(): Promise<{ event: string; actor: string; call?: string; why?: string; tool?: string; approvers?: string[]; approval?: string; detail?: Record<string, unknown> }[]> {
    return (await this.engine.audit("shop", 0, 10_000)).flatMap((line) => {
      const { entry } = JSON.parse(line) as { entry?: { event: string; actor: string } };
      return entry === undefined ? [] : [entry];
    });
  }
}
