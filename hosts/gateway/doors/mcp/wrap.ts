// One MCP server behind the check, for a client that starts it by its command: `interlock wrap -- command`.
import type { Readable, Writable } from "node:stream";
import type { Settings, TenantSettings } from "../../config/settings.ts";
import type { Caller } from "../../gateway.ts";
import { Relays } from "../../upstream/relay.ts";
import { createUpstream, type McpUpstream } from "../../upstream/upstream.ts";
import type { McpParts } from "./parts.ts";
import { openStdio } from "./stdio.ts";

/** What `wrap` is given besides the command. */
export interface Wrapping {
  /** Settings with one tenant; its servers are replaced by the command. */
  readonly settings: Settings;
  /** Puts the gateway together over the upstream, and ends it. */
  start(settings: Settings, upstream: McpUpstream): Promise<{ readonly gateway: McpParts["gateway"]; readonly onToolsChanged: NonNullable<McpParts["onToolsChanged"]>; close(): Promise<void> }>;
  /** Where messages come from and go to; this process's standard input and output unless given. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** What the server writes to its standard error; this process's standard error unless given. */
  readonly stderr?: (text: string) => void;
  readonly version?: string;
  /** Ends the serving as the client's going does. */
  readonly ending?: AbortSignal;
}

/** The settings with the command as the tenant's one server. */
export function wrappedSettings(settings: Settings, command: readonly string[]): Settings {
  const [name, tenant] = Object.entries(settings.tenants)[0] ?? [];
  const [program, ...args] = command;
  if (name === undefined || tenant === undefined || program === undefined) throw new TypeError("wrap needs one tenant and a command");
  const only: TenantSettings = { ...tenant, servers: { wrapped: { kind: "stdio", name: "wrapped", prefix: null, command: program, args, env: ownEnvironment(), cwd: null } } };
  return { ...settings, tenants: { [name]: only } };
}

/** Serves one client over standard input and output, with the command behind the check. Resolves once the client is gone and everything has ended. */
export async function wrap(wrapping: Wrapping, command: readonly string[]): Promise<void> {
  const settings = wrappedSettings(wrapping.settings, command);
  const relays = new Relays();
  const upstream = createUpstream(settings.tenants, { relays, stderr: (_tenant, _server, text) => (wrapping.stderr ?? ((each) => process.stderr.write(each)))(text) });
  try {
    const { gateway, onToolsChanged, close } = await wrapping.start(settings, upstream);
    const door = openStdio({ gateway, settings: () => settings, relays, upstream, onToolsChanged, ...(wrapping.version === undefined ? {} : { version: wrapping.version }) }, wrapper(settings), wrapping.input, wrapping.output);
    const end = () => void door.close();
    wrapping.ending?.addEventListener("abort", end, { once: true });
    if (wrapping.ending?.aborted === true) end();
    await door.closed;
    await close();
  } finally {
    await upstream.close();
  }
}

/** The caller that the client on this machine is: it may propose calls, and nothing else. */
function wrapper(settings: Settings): Caller {
  const [tenant, { agentOfStdio }] = Object.entries(settings.tenants)[0]!;
  return { name: "stdio", tenant, agents: agentOfStdio === null ? [] : [agentOfStdio], principal: null, approver: "stdio", may: new Set() };
}

/** The wrapped server runs as the client would have started it: with the environment that the client gave. */
function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("INTERLOCK_")));
}
