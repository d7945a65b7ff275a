// What the MCP door is given.
import type { Settings } from "../../config/settings.ts";
import type { Gateway } from "../../gateway.ts";
import type { Relays } from "../../upstream/relay.ts";
import type { McpUpstream } from "../../upstream/upstream.ts";

export interface McpParts {
  readonly gateway: Pick<Gateway, "call" | "outcome" | "cancel" | "offered" | "approval" | "policy">;
  /** The settings in force. */
  settings(): Settings;
  /** The relays that the upstream was made with: progress, and sampling where it is passed on. */
  readonly relays: Relays;
  /** For instructions, prompts and resources that are passed on. */
  readonly upstream?: McpUpstream;
  /** Told whenever what `tools/list` answers may have changed. Gives a function that ends it. */
  readonly onToolsChanged?: (listener: (tenant: string) => void) => () => void;
  /** The gateway's version, told to clients. */
  readonly version?: string;
}
