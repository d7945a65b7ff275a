// The port to the tools behind the gateway: what each server lists, and sending one call. MCP servers and HTTP tools stand behind it.
import type { CallRecord, Sent } from "../call/record.ts";
import type { ReconcileSettings, ToolSettings } from "../config/settings.ts";

/** A tool as its server lists it now. */
export interface Listed {
  /** The name in the policy and towards agents. */
  readonly tool: string;
  /** The server's name in the settings, and the tool's own name there. */
  readonly server: string;
  readonly name: string;
  /** The listing as JSON text (name, title, description, inputSchema, outputSchema, annotations). */
  readonly listing: string;
  /** base64url of SHA-256 over `qls-listing/1\n` and the canonical listing. */
  readonly digest: string;
}

/** What a call is sent with besides its record. */
export interface Sending {
  readonly settings: ToolSettings;
  /** Aborts when a kill switch, the time limit or the client's cancellation reaches the call. */
  readonly signal: AbortSignal;
  /** The key of the operation, where the tool takes one. */
  readonly operation: string;
  /** The context of the gateway's span, by W3C: header names, which are those of `_meta` too, with their values. Nothing of the client's baggage. */
  readonly trace?: { readonly traceparent?: string; readonly tracestate?: string };
  /** Told of the upstream's progress notifications, where the client wants them. */
  readonly progress?: (progress: number, total?: number, message?: string) => void;
}

export interface Upstream {
  /** Every tool reachable now, with its listing's digest; of a server that is down, nothing. */
  listed(tenant: string): Promise<readonly Listed[]>;
  /** Null where the tool is not there. */
  tool(tenant: string, tool: string): Promise<Listed | null>;
  /** Sends the canonical arguments of a call. Never throws: what goes wrong is in the answer's status and error. */
  send(call: CallRecord, sending: Sending): Promise<Sent>;
  /** Asks the tool what became of an operation: an HTTP tool at the address in its settings, an MCP tool's server by the read that is given. Null where it cannot say. */
  reconcile(call: CallRecord, read: ReconcileSettings | null): Promise<Sent | null>;
  /** Called when a server's list may have changed. Gives a function that ends it. */
  onChanged(listener: (tenant: string, server: string) => void): () => void;
  close(): Promise<void>;
}
