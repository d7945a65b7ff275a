// A gateway over real MCP servers for tests of the door: the flow with the core, an engine in memory, and every listing approved.
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerSettings, Settings, TenantSettings } from "../../../hosts/gateway/config/settings.ts";
import type { McpParts } from "../../../hosts/gateway/doors/mcp/parts.ts";
import { createGateway, type RunningGateway } from "../../../hosts/gateway/flow.ts";
import type { Caller } from "../../../hosts/gateway/gateway.ts";
import { Relays } from "../../../hosts/gateway/upstream/relay.ts";
import { createUpstream, type McpUpstream } from "../../../hosts/gateway/upstream/upstream.ts";
import { MemoryEngine } from "../flow/memory-engine.ts";
import { inForce, OnePolicy, SmallApprovals, SmallListings, Switches } from "../flow/people.ts";
import { KEYS } from "../flow/shop.ts";
import { script, tenant, TOOL } from "../upstream/tenant.ts";

const FILES = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** A caller that may only propose calls of the agent `desk`. */
export const AGENT: Caller = { name: "agent-1", tenant: "shop", agents: ["desk"], principal: null, approver: "agent-1", may: new Set() };
export const PERSON: Caller = { name: "ana", tenant: "shop", agents: [], principal: null, approver: "ana", may: new Set(["approve"]) };

export interface Choices {
  /** More servers than the filesystem's, and more tools of the policy. */
  readonly servers?: Record<string, ServerSettings>;
  readonly tools?: readonly Record<string, unknown>[];
  readonly rules?: readonly Record<string, unknown>[];
  readonly answer?: TenantSettings["approvals"]["answer"];
  readonly waitSeconds?: number;
  readonly passOn?: Partial<TenantSettings["passOn"]>;
  readonly settings?: Partial<Settings>;
  /** An upstream that is there already. */
  readonly upstream?: McpUpstream;
  /** Without the filesystem server. */
  readonly bare?: boolean;
}

const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const files = [
  { name: "read_text_file", description: "reads a file (policy)", effect: "read", parameters: path, result: { type: "object", properties: { content: { type: "string" } } } },
  { name: "list_directory", description: "lists a folder", effect: "read", parameters: path, at_most: 3 },
  { name: "write_file", description: "writes a file", parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } }, required: ["path", "content"] }, irreversible: true },
];

/** The gateway of one test. */
export class House {
  readonly folder = mkdtempSync(join(tmpdir(), "interlock-house-"));
  readonly engine = new MemoryEngine();
  readonly listings = new SmallListings();
  readonly kills = new Switches();
  readonly upstream: McpUpstream;
  readonly gateway: RunningGateway;
  readonly parts: McpParts;
  settings: Settings;

  constructor(choices: Choices = {}) {
    writeFileSync(join(this.folder, "a.txt"), "what is in it");
    const servers = { ...(choices.bare === true ? {} : { files: script("files", FILES, [this.folder]) }), ...choices.servers };
    const settings = tenant(servers, {}, choices.passOn)["shop"]!;
    const shop: TenantSettings = { ...settings, approvals: { ...settings.approvals, answer: choices.answer ?? "retry", waitSeconds: choices.waitSeconds ?? 20 } };
    this.settings = {
      publicUrl: "http://gate.example",
      allowedHosts: [],
      allowedOrigins: ["https://app.example"],
      limits: { bodyBytes: 1_000_000, inFlight: 100 },
      tenants: { shop },
      ...choices.settings,
    } as unknown as Settings;
    const relays = new Relays();
    this.upstream = choices.upstream ?? createUpstream(this.settings.tenants, { relays });
    const policy = {
      format: "qls-policy/1",
      tenant: "shop",
      agents: { desk: { tools: ["*"] } },
      tools: [...(choices.bare === true ? [] : files), ...(choices.tools ?? [])],
      rulebook: { flows: [{ name: "care", on: ["*"], rules: [{ id: "no_secrets", refuse_if: "has(args.path) && args.path.contains('secret')", because: "Secrets are not read." }, ...(choices.rules ?? [])] }] },
    };
    this.gateway = createGateway({
      engine: this.engine,
      upstream: this.upstream,
      hooks: null,
      policies: new Policy(inForce(policy, KEYS)),
      approvals: new SmallApprovals(this.engine, Date.now, () => 86_400),
      kills: this.kills,
      listings: { standing: async (name, tool) => this.#standing(name, tool), listings: async () => [], approveListing: () => Promise.reject(new Error("a test approves nothing")) },
      settings: () => this.settings,
      clock: Date.now,
      ids: () => crypto.randomUUID(),
      core: "core",
    });
    void this.engine.start(this.gateway.runner);
    this.parts = { gateway: this.gateway, settings: () => this.settings, relays, upstream: this.upstream, onToolsChanged: (listener) => this.upstream.onChanged(listener) };
  }

  /** Answers the one open question as soon as there is one. */
  async answer(answer: "approve" | "deny", why?: string): Promise<void> {
    for (;;) {
      const open = (await this.gateway.approvals("shop", {})).find(({ state }) => state === "open");
      if (open !== undefined) {
        await this.gateway.decide(PERSON, open.id, { answer, ...(why === undefined ? {} : { why }) });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    await this.upstream.close();
  }

  async #standing(name: string, tool: string) {
    const listed = await this.upstream.tool(name, tool);
    return listed === null ? null : { tenant: name, tool, server: listed.server, approved: { digest: listed.digest, listing: listed.listing, by: "test", at: 0 }, pending: null };
  }
}

class Policy extends OnePolicy {
  override policy(): never {
    return Promise.resolve({ id: this.now.id, text: this.now.client.compiled, source: "", versions: [] }) as never;
  }
}

export { TOOL };
