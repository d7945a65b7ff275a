// What the HTTP door is given, and what it knows of one request.
import type { AuditKeys } from "./audit.ts";
import type { Authenticate } from "../../callers/authenticate.ts";
import type { Settings } from "../../config/settings.ts";
import type { Caller, Gateway } from "../../gateway.ts";
import type { ConsoleFiles } from "./console.ts";

export interface HttpDoorParts {
  readonly gateway: Gateway;
  /** The settings in force; asked at every request. */
  settings(): Settings;
  readonly authenticate: Authenticate;
  /** Answers at `/mcp`. */
  readonly mcp?: (request: Request, caller: Caller) => Promise<Response>;
  /** The built console, served at `/`. */
  readonly console?: ConsoleFiles;
  /** A tenant's metrics as Prometheus text. */
  readonly metrics?: (tenant: string) => Promise<string>;
  /** A tenant's key set, for verifying its log; without it the log is verified offline only. */
  readonly auditKeys?: (tenant: string) => Promise<AuditKeys>;
  /** Told of what went wrong here, for the operator's log. */
  readonly log?: (problem: { readonly code: string; readonly requestId: string; readonly cause: unknown }) => void;
  /** How long a body may take to come, in milliseconds. */
  readonly bodyMs?: number;
  /** How often a stream that says nothing shows that it is alive, in milliseconds. */
  readonly heartbeatMs?: number;
}

/** A request whose caller is known. */
export interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly caller: Caller;
  readonly requestId: string;
  readonly parts: HttpDoorParts;
  /** Fails as the request would now, where the caller has lost its key or its right since it asked. For what is answered long after. */
  stands(): Promise<void>;
  /** Aborts when the gateway stops: streams and waits end. */
  readonly stopping: AbortSignal;
}
