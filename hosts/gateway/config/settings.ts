// The gateway's settings, as its YAML file says them once they are read: every default filled in, every path absolute, every secret from its file or the environment.
import type { Grant } from "../../shared/caller-keys.ts";

export type { Grant };

export interface Settings {
  readonly listen: { readonly host: string; readonly port: number; readonly tls: { readonly cert: string; readonly key: string } | null };
  /** The address people reach the gateway at; for links in notifications and elicitations. */
  readonly publicUrl: string;
  /** Hosts that a Host header may name (against DNS rebinding), and origins that browsers may come from. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly engine:
    | { readonly kind: "embedded"; readonly folder: string }
    | {
        readonly kind: "restate";
        readonly ingress: string;
        readonly admin: string;
        /** Where the gateway listens for Restate. */
        readonly listen: { readonly host: string; readonly port: number };
        /** The address at which Restate reaches it; null: this machine's, at the port. */
        readonly advertise: string | null;
        readonly identityKeys: readonly string[];
        readonly prefix: string;
      };
  readonly tenants: Readonly<Record<string, TenantSettings>>;
  readonly callers: readonly CallerSettings[];
  readonly issuers: readonly IssuerSettings[];
  readonly limits: {
    /** The longest request body in bytes. */
    readonly bodyBytes: number;
    /** Requests in hand at once, over all callers. */
    readonly inFlight: number;
  };
  readonly telemetry: { readonly otlp: string | null; readonly argumentValues: boolean; readonly logLevel: "debug" | "info" | "warn" | "error" };
}

export interface TenantSettings {
  readonly name: string;
  /** `observe` records what would have been answered and lets every call through. */
  readonly mode: "enforce" | "observe";
  /** The policy source's path (YAML or JSON). A policy registered over the API goes before it until it is rolled back. */
  readonly policy: string;
  /** The key set's path. */
  readonly keys: string;
  readonly servers: Readonly<Record<string, ServerSettings>>;
  /** HTTP tools, by the policy's tool name. */
  readonly http: Readonly<Record<string, HttpToolSettings>>;
  /** By the policy's tool name, over the defaults. */
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly toolDefaults: ToolSettings;
  readonly approvals: {
    /** How a person's answer arrives: the door waits for it, the client asks again, or a task runs on. */
    readonly answer: "wait" | "retry" | "task";
    readonly waitSeconds: number;
    /** A yes that took longer is checked again with the policy in force (row 19). */
    readonly longWaitSeconds: number;
    /** Signed notifications of new questions. */
    readonly notify: readonly WebhookSettings[];
  };
  readonly audit: {
    /** Top-level argument names whose values are kept out of the log, by tool name or `*`; `["*"]` keeps out all. The default keeps out all. */
    readonly redact: Readonly<Record<string, readonly string[]>>;
    readonly checkpointSeconds: number;
    readonly checkpointEntries: number;
  };
  /** What is erased of a session, and how long after its last call; null keeps it. */
  readonly retention: { readonly resultsSeconds: number | null; readonly sessionsSeconds: number | null };
  /** Where finished calls are added as lines for `interlock replay`, and whether their arguments and results stand in them; absent or null keeps no recording. */
  readonly recording?: { readonly file: string; readonly arguments: boolean; readonly results: boolean } | null;
  readonly hooks: readonly HookSettings[];
  /** What of an upstream server is passed on besides tools: nothing unless named. */
  readonly passOn: { readonly instructions: boolean; readonly prompts: boolean; readonly resources: boolean; readonly sampling: boolean };
  /** Sessions of this tenant's MCP clients that say `_meta` origins and turns are believed only where the caller is granted them. */
  readonly agentOfStdio: string | null;
}

export type ServerSettings = (
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string | null }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
) & {
  readonly name: string;
  /** Put before the server's tool names where two would collide, or always: `files.read_file`. */
  readonly prefix: string | null;
};

export interface HttpToolSettings {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{argument}` in its path; every other argument goes to the query (GET, DELETE) or the JSON body. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the idempotency key; null sends none. */
  readonly idempotencyHeader: string | null;
  /** Asked with GET to learn whether an operation ran: `{key}` in it; null where there is no such thing. */
  readonly reconcile: string | null;
}

export interface ToolSettings {
  readonly timeoutMs: number;
  readonly resultBytes: number;
  /** Calls of the tool in hand at once. */
  readonly concurrency: number;
  /** What becomes of a write whose outcome is unknown (row 43): a person settles it, or the call fails. */
  readonly onUnknown: "ask" | "fail";
  /** How an MCP tool's server is asked what became of a call; absent or null where it cannot be. */
  readonly reconcile?: ReconcileSettings | null;
}

/** A read of the same server that says what became of a call (row 43). */
export interface ReconcileSettings {
  /** The read's name in the policy. */
  readonly tool: string;
  /** Its argument that takes what the call is known by. */
  readonly argument: string;
  /** The call's argument whose value that is; null: the operation's key, which the server was given in `_meta`. */
  readonly from: string | null;
  /** The member of its structured result that says it, and which values mean what. Any other value says nothing. */
  readonly member: string;
  readonly ran: readonly JsonScalar[];
  readonly failed: readonly JsonScalar[];
}

export type JsonScalar = string | number | boolean | null;

export interface WebhookSettings {
  readonly url: string;
  /** The HMAC key of the signature header (bytes in base64url). */
  readonly secret: string;
  /** The key before it, while receivers change over: what is sent has a signature by each. */
  readonly previousSecret?: string | null;
}

export interface HookSettings {
  readonly name: string;
  readonly when: "pre" | "post";
  /** Tools it sees; `*` for all. */
  readonly tools: readonly string[];
  readonly run: { readonly kind: "module"; readonly path: string } | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] } | ({ readonly kind: "webhook" } & WebhookSettings);
  readonly timeoutMs: number;
  readonly onFailure: "refuse" | "ask" | "allow";
  /** May only escalate to a person. */
  readonly escalateOnly: boolean;
  /** What it changed has origin `computed`; else `model`. */
  readonly trusted: boolean;
}

export interface CallerSettings {
  readonly name: string;
  readonly tenant: string;
  /** Agents it may act for; the first is meant where it names none. Empty: it proposes nothing. */
  readonly agents: readonly string[];
  /** Hexadecimal SHA-256 of its key; null for a caller that comes with an issuer's token. */
  readonly sha256: string | null;
  /** Of a caller that comes with an issuer's token: issuer name and the claim `sub` (or another, see the issuer) it has. */
  readonly subject: { readonly issuer: string; readonly subject: string } | null;
  readonly principal: Readonly<Record<string, unknown>> | null;
  /** The approver's id where it may approve; its name unless given. */
  readonly approver: string;
  readonly may: readonly Grant[];
  /** The version of its agent, for the log; null where the calls say it themselves, or nobody does. */
  readonly agentVersion?: string | null;
  /** Seconds since 1970 from which its key is no longer accepted; null for never. */
  readonly expires: number | null;
}

export interface IssuerSettings {
  readonly name: string;
  readonly issuer: string;
  readonly jwks: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** The claim that names the caller. */
  readonly subjectClaim: string;
  /** Identifiers (`jti`, or key ids) that are refused although they verify. */
  readonly revoked: readonly string[];
}
