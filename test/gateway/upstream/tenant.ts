// A tenant's settings and one call through the port, for tests of the tools behind the gateway.
import type { Sent } from "../../../hosts/gateway/call/record.ts";
import type { HttpToolSettings, ServerSettings, TenantSettings, ToolSettings } from "../../../hosts/gateway/config/settings.ts";
import type { Sending, Upstream } from "../../../hosts/gateway/upstream/port.ts";
import { callRecord } from "../call.ts";

export const TOOL: ToolSettings = { timeoutMs: 10_000, resultBytes: 1_000_000, concurrency: 4, onUnknown: "ask" };

/** Settings of a tenant `shop` with these servers and HTTP tools. */
export function tenant(servers: Record<string, ServerSettings>, http: Record<string, HttpToolSettings> = {}, passOn: Partial<TenantSettings["passOn"]> = {}): Record<string, TenantSettings> {
  const settings: TenantSettings = {
    name: "shop",
    mode: "enforce",
    policy: "",
    keys: "",
    servers,
    http,
    tools: {},
    toolDefaults: TOOL,
    approvals: { answer: "retry", waitSeconds: 1, longWaitSeconds: 3600, notify: [] },
    audit: { redact: {}, checkpointSeconds: 60, checkpointEntries: 1000 },
    retention: { resultsSeconds: null, sessionsSeconds: null },
    hooks: [],
    passOn: { instructions: false, prompts: false, resources: false, sampling: false, ...passOn },
    agentOfStdio: "desk",
  };
  return { shop: settings };
}

/** A server started by Node from a script of the tests, or of a package. */
export function script(name: string, path: string, args: readonly string[] = [], env: Record<string, string> = {}, prefix: string | null = null): ServerSettings {
  return { kind: "stdio", name, prefix, command: process.execPath, args: [path, ...args], env, cwd: null };
}

/** Sends one call of a tool with canonical arguments. */
export function send(upstream: Upstream, tool: string, canonical: string, more: Partial<Sending> & { listing?: string; settings?: ToolSettings; requestId?: string } = {}): Promise<Sent> {
  const { listing, requestId, ...sending } = more;
  return upstream.send(callRecord({ tool, canonical, listing: listing ?? null, requestId: requestId ?? "r-1" }), { settings: TOOL, signal: new AbortController().signal, operation: "op-1", ...sending });
}
