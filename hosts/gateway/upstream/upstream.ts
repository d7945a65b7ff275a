// The tools of every tenant behind one port: its MCP servers and its HTTP tools, by the names that agents know.
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import type { CallRecord, Sent } from "../call/record.ts";
import type { ReconcileSettings, TenantSettings } from "../config/settings.ts";
import { httpListing, reconcileHttp, sendHttp } from "./http-tool.ts";
import { type Names, nameTools } from "./names.ts";
import { paramHeaders } from "./param-headers.ts";
import type { Listed, Sending, Upstream } from "./port.ts";
import { reconcileMcp } from "./reconciling.ts";
import { Relays } from "./relay.ts";
import { failureOf, sentOf, within } from "./result.ts";
import type { ServerTool } from "./pages.ts";
import { McpServer } from "./server.ts";
import { samplingTo } from "./sampling.ts";
import { steady } from "./steady.ts";
import { NoAnswer } from "./wire.ts";

/** The server's name in an HTTP tool's listing. */
export const HTTP_SERVER = "http";
/** Where the operation's key stands in a call's `_meta`, for tools that read it. */
export const OPERATION = "io.interlock/operation";
/** How long the first listing waits for servers that are still starting, in milliseconds. */
const FIRST_LISTING_MS = 20_000;

export interface UpstreamOptions {
  /** The relays of the doors; its own where nothing is passed on. */
  readonly relays?: Relays;
  /** What servers write to their standard error; dropped unless given. */
  readonly stderr?: (tenant: string, server: string, text: string) => void;
}

interface Tenant {
  readonly settings: TenantSettings;
  readonly servers: ReadonlyMap<string, McpServer>;
  readonly http: ReadonlyMap<string, Listed>;
  names: Names | null;
}

/** Starts the servers of every tenant and gives the port to them. `replace` takes new settings. */
export function createUpstream(tenants: Readonly<Record<string, TenantSettings>>, options: UpstreamOptions = {}): McpUpstream {
  return new McpUpstream(tenants, options);
}

/** The port's one implementation. */
export class McpUpstream implements Upstream {
  readonly #tenants = new Map<string, Tenant>();
  readonly #listeners = new Set<(tenant: string, server: string) => void>();
  readonly #relays: Relays;
  readonly #stderr: (tenant: string, server: string, text: string) => void;
  #closed = false;

  constructor(tenants: Readonly<Record<string, TenantSettings>>, options: UpstreamOptions) {
    this.#relays = options.relays ?? new Relays();
    this.#stderr = options.stderr ?? (() => undefined);
    for (const settings of Object.values(tenants)) this.#open(settings, new Map());
  }

  /** Takes new settings: servers whose settings are the same stay connected, the others are ended and started anew. */
  async replace(tenants: Readonly<Record<string, TenantSettings>>): Promise<void> {
    const ended: Promise<void>[] = [];
    for (const [name, { servers, settings }] of [...this.#tenants]) {
      const next = Object.values(tenants).find((tenant) => tenant.name === name);
      const kept = new Map([...servers].filter(([server, { settings: before }]) => next !== undefined && same(before, next.servers[server]) && next.passOn.sampling === settings.passOn.sampling));
      for (const [server, each] of servers) if (!kept.has(server)) ended.push(each.close());
      this.#tenants.delete(name);
      if (next !== undefined) this.#open(next, kept);
    }
    for (const tenant of Object.values(tenants)) if (!this.#tenants.has(tenant.name)) this.#open(tenant, new Map());
    for (const [tenant, { servers }] of this.#tenants) for (const server of servers.keys()) this.#changed(tenant, server);
    await Promise.all(ended);
  }

  async listed(tenant: string): Promise<readonly Listed[]> {
    const known = this.#tenants.get(tenant);
    if (known === undefined) return [];
    await Promise.all([...known.servers.values()].map((server) => server.settled(FIRST_LISTING_MS).then(() => server.fresh())));
    const listed = [...known.http.values()];
    for (const [tool, { server, name }] of this.#names(known).byName) {
      const found = this.#found(known, server, name);
      if (found !== null) listed.push({ tool, server, name, listing: found.listing, digest: found.digest });
    }
    return listed;
  }

  async tool(tenant: string, tool: string): Promise<Listed | null> {
    const known = this.#tenants.get(tenant);
    if (known === undefined) return null;
    const http = known.http.get(tool);
    if (http !== undefined) return http;
    await Promise.all([...known.servers.values()].filter(({ tools }) => tools === null).map((server) => server.settled(FIRST_LISTING_MS)));
    const at = this.#names(known).byName.get(tool);
    if (at === undefined) return null;
    await known.servers.get(at.server)?.fresh();
    const found = this.#found(known, at.server, at.name);
    return found === null ? null : { tool, ...at, listing: found.listing, digest: found.digest };
  }

  async send(call: CallRecord, sending: Sending): Promise<Sent> {
    const startedAt = Date.now();
    // Not AbortSignal.any: it costs more than the rest of this, for each call.
    const stop = new AbortController();
    const follow = (): void => stop.abort(sending.signal.reason);
    sending.signal.addEventListener("abort", follow, { once: true });
    if (sending.signal.aborted) follow();
    const timer = setTimeout(() => stop.abort(new NoAnswer("tool_timeout", `the tool did not answer within ${sending.settings.timeoutMs} ms`, true)), sending.settings.timeoutMs);
    try {
      const came = await this.#send(call, sending, stop.signal);
      return { ...came, startedAt, endedAt: Date.now() };
    } catch (error) {
      return { ...failureOf(error), startedAt, endedAt: Date.now() };
    } finally {
      clearTimeout(timer);
      sending.signal.removeEventListener("abort", follow);
    }
  }

  async reconcile(call: CallRecord, read: ReconcileSettings | null): Promise<Sent | null> {
    const known = this.#tenants.get(call.tenant);
    if (known === undefined || call.operation === null) return null;
    const startedAt = Date.now();
    const { http } = known.settings;
    const came = Object.hasOwn(http, call.tool) ? await reconcileHttp(http[call.tool]!, call.operation) : read === null ? null : await this.#asked(known, call, read);
    return came === null ? null : { ...came, startedAt, endedAt: Date.now() };
  }

  onChanged(listener: (tenant: string, server: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Each server's state in words, by its name. */
  states(tenant: string): Readonly<Record<string, string>> {
    return Object.fromEntries([...(this.#tenants.get(tenant)?.servers ?? [])].map(([name, { state }]) => [name, state]));
  }

  /** Which listed tools no name leads to, and why. */
  leftOut(tenant: string): Names["leftOut"] {
    const known = this.#tenants.get(tenant);
    return known === undefined ? [] : this.#names(known).leftOut;
  }

  /** The connected clients of a tenant's servers, for what the settings pass on besides tools. */
  clients(tenant: string): ReadonlyMap<string, Client> {
    return new Map([...(this.#tenants.get(tenant)?.servers ?? [])].flatMap(([name, { client }]) => (client === null ? [] : [[name, client] as const])));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#tenants.values()].flatMap(({ servers }) => [...servers.values()].map((server) => server.close())));
  }

  async #send(call: CallRecord, sending: Sending, signal: AbortSignal): Promise<Omit<Sent, "startedAt" | "endedAt">> {
    const known = this.#tenants.get(call.tenant);
    if (call.canonical === null) return { status: "failed", error: { code: "arguments_unsendable", message: "the call has no canonical arguments" } };
    if (known !== undefined && Object.hasOwn(known.settings.http, call.tool)) return sendHttp(known.settings.http[call.tool]!, call.canonical, { operation: sending.operation, limit: sending.settings.resultBytes, trace: sending.trace ?? {}, signal });
    const at = known === undefined ? undefined : this.#names(known).byName.get(call.tool);
    const server = at === undefined ? undefined : known?.servers.get(at.server);
    const tool = at === undefined ? undefined : server?.tools?.get(at.name);
    if (at === undefined || server === undefined || tool === undefined) return { status: "failed", error: { code: "tool_unreachable", message: `no server lists ${call.tool}` } };
    // Between row 37 and here the listing may have changed.
    if (call.listing !== null && call.listing !== tool.digest) return { status: "failed", error: { code: "listing_changed", message: `the listing of ${call.tool} changed after the call was decided` } };
    const progress = sending.progress ?? this.#relays.get(call.requestId)?.progress ?? null;
    const answered = await server.call(call.requestId, {
      method: "tools/call",
      name: at.name,
      params: `"name":${JSON.stringify(at.name)},"arguments":${call.canonical}`,
      meta: [[OPERATION, sending.operation], ...Object.entries(sending.trace ?? {})].map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(","),
      headers: paramHeaders(tool.schema, JSON.parse(call.canonical)),
      limit: sending.settings.resultBytes,
      signal,
      progress: progress === null ? null : steady(progress),
    });
    return within(sentOf(answered), sending.settings.resultBytes);
  }

  /** Asks a call's own server by a read; null where the read is another server's. */
  async #asked(known: Tenant, call: CallRecord, read: ReconcileSettings): Promise<Omit<Sent, "startedAt" | "endedAt"> | null> {
    // After a restart the server may still be starting.
    await Promise.all([...known.servers.values()].map((server) => server.settled(FIRST_LISTING_MS)));
    const { byName } = this.#names(known);
    const [at, by] = [byName.get(call.tool), byName.get(read.tool)];
    const server = by === undefined || by.server !== at?.server ? undefined : known.servers.get(by.server);
    return server === undefined ? null : reconcileMcp(call, read, server, by!.name);
  }

  #open(settings: TenantSettings, kept: ReadonlyMap<string, McpServer>): void {
    const servers = new Map<string, McpServer>();
    const http = new Map(
      Object.entries(settings.http).map(([tool, each]) => {
        const listing = httpListing(tool, each);
        return [tool, { tool, server: HTTP_SERVER, name: tool, listing, digest: createHash("sha256").update("qls-listing/1\n").update(listing).digest("base64url") }];
      }),
    );
    const tenant: Tenant = { settings, servers, http, names: null };
    this.#tenants.set(settings.name, tenant);
    for (const [name, server] of Object.entries(settings.servers)) {
      const sampling = settings.passOn.sampling ? samplingTo(this.#relays) : null;
      const connected =
        kept.get(name) ??
        new McpServer(server, {
          onChanged: () => this.#changed(settings.name, name),
          stderr: (text) => this.#stderr(settings.name, name, text),
          ...(sampling === null ? {} : { sampling }),
        });
      servers.set(name, connected);
      if (!kept.has(name)) connected.start();
    }
  }

  #changed(tenant: string, server: string): void {
    const known = this.#tenants.get(tenant);
    if (known === undefined || this.#closed) return;
    known.names = null;
    for (const listener of this.#listeners) listener(tenant, server);
  }

  #names(tenant: Tenant): Names {
    tenant.names ??= nameTools(
      [...tenant.servers].map(([server, { settings, tools }]) => ({ server, prefix: settings.prefix, names: tools === null ? null : [...tools.keys()] })),
      tenant.http.keys(),
    );
    return tenant.names;
  }

  #found(tenant: Tenant, server: string, name: string): ServerTool | null {
    const at = tenant.servers.get(server);
    return at?.up === true ? (at.tools?.get(name) ?? null) : null;
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
