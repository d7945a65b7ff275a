// What the gateway's YAML file may hold: one description, from which the reader checks a file and the published JSON Schema is made.
import { z } from "zod";
import { GRANTS } from "../../shared/caller-keys.ts";

/** What a wrong value is told: `expected` is what belongs there, in words that follow "is" (`a port from 1 to 65535`). A missing member is told by its absence. */
function want(expected: string): { error: () => string } {
  return { error: () => expected };
}

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const NAME_WORDS = "a name: a letter, then letters, digits, _ . and -, at most 64 in all";

/** A name of the configuration's own: of a tenant, a server, a caller. */
const name = () => z.string(want(NAME_WORDS)).regex(NAME, want(NAME_WORDS));
const text = (expected: string, most = 4096) => z.string(want(expected)).min(1, want(expected)).max(most, want(expected));
const path = (what: string) => text(`the path of ${what}, from this file's folder`);
const flag = () => z.boolean(want("true or false"));
const whole = (least: number, most: number, what: string) => {
  const expected = `${what}: a whole number from ${least} to ${most}`;
  return z.int(want(expected)).min(least, want(expected)).max(most, want(expected));
};
/** Seconds; `setTimeout` of every runtime takes at most 24 days. */
const seconds = (most = 2_000_000) => {
  const expected = `a number of seconds from 0.001 to ${most}`;
  return z.number(want(expected)).min(0.001, want(expected)).max(most, want(expected));
};
const one = <const Values extends readonly [string, ...string[]]>(...values: Values) => z.enum(values, want(`one of ${values.join(", ")}`));
const address = (what: string) => z.string(want(`${what}, as http://… or https://…`)).regex(/^https?:\/\/[^\s/?#]+\S*$/, want(`${what}, as http://… or https://…`));
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape, expected = "a mapping of members") => z.strictObject(shape, want(expected));
const list = <Item extends z.core.SomeType>(item: Item, expected: string) => z.array(item, want(expected)).max(10_000, want("at most 10000 items"));
const named = <Item extends z.core.SomeType>(item: Item, expected: string) => z.record(name(), item, want(expected));

const fromEnv = object({ env: z.string(want("the name of an environment variable")).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, want("the name of an environment variable")) }, "{env: NAME} or {file: PATH}");
const fromFile = object({ file: path("the file that holds the secret") }, "{env: NAME} or {file: PATH}");
/** A secret never stands in the file itself. */
const secret = () => z.union([fromEnv, fromFile], want("{env: NAME} or {file: PATH}: a secret does not stand in the file itself"));
/** A value that may be secret: text, or where to find it. */
const value = () => z.union([z.string().max(65_536), fromEnv, fromFile], want("text, {env: NAME} or {file: PATH}"));
const headerName = () => z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, want("the name of an HTTP header"));
const headers = () => z.record(headerName(), value(), want("header names with their values")).default({});
const toolName = () => text("a tool's name as the policy spells it", 256);
const webhook = { url: address("the webhook's address"), secret: secret(), previous_secret: secret().optional() };

const server = z.union(
  [
    object({
      command: text("the program to start"),
      args: list(z.string(want("an argument of the program: text")), "a list of arguments").default([]),
      env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, want("the name of an environment variable")), value(), want("environment variables with their values")).default({}),
      cwd: path("the folder that the program starts in").optional(),
      prefix: name().optional(),
    }),
    object({ url: address("the server's address"), headers: headers(), prefix: name().optional() }),
  ],
  want("a server: {command, args, env, cwd, prefix} or {url, headers, prefix}"),
);

const httpTool = object({
  method: one("GET", "POST", "PUT", "PATCH", "DELETE"),
  url: address("the tool's address, {argument} in its path where one belongs"),
  headers: headers(),
  idempotency_header: headerName().optional(),
  reconcile: address("the address that says whether an operation ran, with {key} in it").optional(),
});

const argument = () => text("an argument's name", 256);
const values = () => list(z.union([z.string(), z.number(), z.boolean(), z.null()], want("a text, a number, true, false or null")), "a list of values");
const reconcile = object({
  tool: toolName(),
  argument: argument(),
  from: argument().optional(),
  member: text("a member of the read's structured result", 256),
  ran: values().min(1, want("at least one value")),
  failed: values().default([]),
});
const toolMembers = {
  timeout_seconds: seconds(),
  result_bytes: whole(1024, 1_073_741_824, "bytes"),
  concurrency: whole(1, 10_000, "calls at once"),
  on_unknown: one("ask", "fail"),
};
const tool = object({
  timeout_seconds: toolMembers.timeout_seconds.optional(),
  result_bytes: toolMembers.result_bytes.optional(),
  concurrency: toolMembers.concurrency.optional(),
  on_unknown: toolMembers.on_unknown.optional(),
  reconcile: reconcile.optional(),
});
const toolDefaults = object({
  timeout_seconds: toolMembers.timeout_seconds.default(60),
  result_bytes: toolMembers.result_bytes.default(1_048_576),
  concurrency: toolMembers.concurrency.default(8),
  on_unknown: toolMembers.on_unknown.default("ask"),
});

const hookMembers = {
  name: name(),
  when: one("pre", "post"),
  tools: list(toolName(), "a list of tools, or [\"*\"]").default(["*"]),
  timeout_seconds: seconds(600).default(5),
  on_failure: one("refuse", "ask", "allow").default("refuse"),
  escalate_only: flag().default(false),
  trusted: flag().default(false),
};
const hook = z.union(
  [
    object({ ...hookMembers, module: path("the module") }),
    object({ ...hookMembers, command: text("the program to start"), args: list(z.string(want("an argument of the program: text")), "a list of arguments").default([]) }),
    object({ ...hookMembers, webhook: object(webhook) }),
  ],
  want("a hook: name, when, and one of module, command, webhook"),
);


const caller = object({
  tenant: name().optional(),
  agents: list(text("an agent's name as the policy spells it", 256), "a list of agents").default([]),
  sha256: z.string(want("64 hexadecimal digits: the SHA-256 of the caller's key")).regex(/^[0-9a-f]{64}$/, want("64 hexadecimal digits: the SHA-256 of the caller's key")).optional(),
  subject: object({ issuer: name(), subject: text("the caller as the issuer's tokens name it") }).optional(),
  principal: z.looseObject({ id: text("the principal's id: text", 256).optional() }, want("a mapping: what rules read as principal")).optional(),
  agent_version: text("the version of the caller's agent, for the log", 200).optional(),
  approver: text("the approver's id", 256).optional(),
  may: list(one(...GRANTS), `a list of ${GRANTS.join(", ")}`).default([]),
  expires: z.string(want("a time, as \"2027-01-31T00:00:00Z\"")).regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, want("a time in UTC, as \"2027-01-31T00:00:00Z\"")).optional(),
});

const issuer = object({
  issuer: text("the issuer as its tokens name it (iss)"),
  jwks: address("the address of its keys"),
  audience: text("the audience that its tokens are made for (aud)"),
  algorithms: list(one("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"), "a list of algorithms").min(1, want("at least one algorithm")).default(["RS256", "ES256", "EdDSA"]),
  subject_claim: text("the claim that names the caller", 128).default("sub"),
  revoked: list(text("an id that is refused"), "a list of ids (jti or kid)").default([]),
});

const engine = z.union(
  [
    object({ folder: path("the folder of the store") }),
    object({
      restate: object({
        ingress: address("Restate's ingress").default("http://127.0.0.1:8080"),
        admin: address("Restate's admin address").default("http://127.0.0.1:9070"),
        listen: object({
          host: text("a host name or an address", 253).default("127.0.0.1"),
          port: whole(0, 65_535, "the port at which Restate calls the gateway").default(9080),
        }).prefault({}),
        advertise: address("the address at which Restate reaches the gateway, or the balancer in front of several").optional(),
        identity_keys: list(z.string(want("a public key of Restate: publickeyv1_…")).regex(/^publickeyv1_[1-9A-HJ-NP-Za-km-z]{30,60}$/, want("a public key of Restate: publickeyv1_…")), "a list of public keys").default([]),
        prefix: name().default("interlock"),
      }),
    }),
  ],
  want("{folder: PATH} for the embedded store, or {restate: {…}}"),
);

const tenantMembers = {
  mode: one("enforce", "observe").default("enforce"),
  policy: path("the policy").default("policy.yaml"),
  keys: path("the key set").default("keys.json"),
  servers: named(server, "servers by their names").default({}),
  http: z.record(toolName(), httpTool, want("HTTP tools by the policy's names")).default({}),
  tools: z.record(toolName(), tool, want("tools by the policy's names")).default({}),
  tool_defaults: toolDefaults.prefault({}),
  approvals: object({
    answer: one("wait", "retry", "task").default("wait"),
    wait_seconds: seconds(86_400).default(45),
    long_wait_seconds: seconds().default(3600),
    notify: list(object(webhook), "a list of webhooks").default([]),
  }).prefault({}),
  audit: object({
    redact: z.record(toolName(), list(text("an argument's name, or *"), "a list of arguments, [\"*\"] for all, [] for none"), want("tools, or *, with lists of arguments")).default({ "*": ["*"] }),
    checkpoint_seconds: seconds(86_400).default(60),
    checkpoint_entries: whole(1, 1_000_000, "entries").default(1000),
  }).prefault({}),
  retention: object({ results_seconds: seconds(1e9).nullable().default(null), sessions_seconds: seconds(1e9).nullable().default(null) }).prefault({}),
  recording: object({ file: path("the file that finished calls are added to, for interlock replay"), arguments: flag().default(false), results: flag().default(false) }).optional(),
  hooks: list(hook, "a list of hooks").default([]),
  pass_on: object({ instructions: flag().default(false), prompts: flag().default(false), resources: flag().default(false), sampling: flag().default(false) }).prefault({}),
  agent_of_stdio: text("an agent's name as the policy spells it", 256).optional(),
};

const gatewayMembers = {
  $schema: z.string().optional(),
  listen: object({
    host: text("a host name or an address", 253).default("127.0.0.1"),
    port: whole(0, 65_535, "a port").default(8484),
    tls: object({ cert: path("the certificate, PEM"), key: path("the certificate's key, PEM") }).optional(),
  }).prefault({}),
  public_url: address("the address that people reach the gateway at").optional(),
  allowed_hosts: list(text("a host as a Host header names it", 260), "a list of hosts").default([]),
  allowed_origins: list(z.string(want("an origin, as https://console.example.com")).regex(/^https?:\/\/[^\s/?#]+$/, want("an origin, as https://console.example.com")), "a list of origins").default([]),
  engine: engine.default({ folder: "interlock-data" }),
  callers: named(caller, "callers by their names").default({}),
  issuers: named(issuer, "issuers by their names").default({}),
  limits: object({ body_bytes: whole(1024, 268_435_456, "bytes").default(1_048_576), in_flight: whole(1, 100_000, "requests").default(256) }).prefault({}),
  telemetry: object({
    otlp: address("the collector's address").optional(),
    argument_values: flag().default(false),
    log_level: one("debug", "info", "warn", "error").default("info"),
  }).prefault({}),
};

/** The file of one tenant, whose members stand at the top. */
export const ofOneTenant = object({ ...gatewayMembers, tenant: name().default("default"), ...tenantMembers });
/** The file of several. */
export const ofTenants = object({
  ...gatewayMembers,
  tenants: z.record(name(), object(tenantMembers), want("tenants by their names")).refine((tenants) => Object.keys(tenants).length > 0, want("at least one tenant")).meta({ minProperties: 1 }),
});

export type OneTenantFile = z.output<typeof ofOneTenant>;
export type TenantsFile = z.output<typeof ofTenants>;
export type TenantFile = TenantsFile["tenants"][string];
export type SecretPlace = z.output<typeof fromEnv> | z.output<typeof fromFile>;
