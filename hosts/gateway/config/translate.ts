// Makes settings of a file whose shape is right: paths absolute, secrets read, what one member says of another checked.
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { addressOf } from "./address.ts";
import type { Note } from "./read.ts";
import type { Seen } from "./seen.ts";
import type { Secrets } from "./secrets.ts";
import type { CallerSettings, Grant, HookSettings, HttpToolSettings, ServerSettings, Settings, TenantSettings, ToolSettings, WebhookSettings } from "./settings.ts";
import type { OneTenantFile, TenantFile, TenantsFile } from "./shape.ts";

type Path = readonly PropertyKey[];

/** What the parts of a translation share: where paths start, and where problems go. */
interface Context {
  readonly folder: string;
  readonly secrets: Secrets;
  readonly note: Note;
  readonly files: Seen;
  /** Files that have to be there. */
  readonly needed: { readonly file: string; readonly path: Path }[];
}

/** The settings. The files that they name and that have to be there are added to `files`. */
export async function settingsOf(file: OneTenantFile | TenantsFile, folder: string, secrets: Secrets, note: Note, files: Seen): Promise<Settings> {
  const context: Context = { folder, secrets, note, files, needed: [] };
  const tenants = table<TenantSettings>();
  if ("tenants" in file) for (const [name, tenant] of Object.entries(file.tenants)) tenants[name] = await tenantOf(name, tenant, ["tenants", name], context);
  else tenants[file.tenant] = await tenantOf(file.tenant, file, [], context);
  const listen = {
    host: file.listen.host,
    port: file.listen.port,
    tls: file.listen.tls === undefined ? null : { cert: need(context, file.listen.tls.cert, ["listen", "tls", "cert"]), key: need(context, file.listen.tls.key, ["listen", "tls", "key"]) },
  };
  const settings: Settings = {
    listen,
    publicUrl: (file.public_url ?? addressOf(listen)).replace(/\/+$/, ""),
    allowedHosts: file.allowed_hosts,
    allowedOrigins: file.allowed_origins,
    engine: engineOf(file, folder, note),
    tenants,
    callers: callersOf(file, Object.keys(tenants), note),
    issuers: Object.entries(file.issuers).map(([name, issuer]) => ({ name, issuer: issuer.issuer, jwks: issuer.jwks, audience: issuer.audience, algorithms: issuer.algorithms, subjectClaim: issuer.subject_claim, revoked: issuer.revoked })),
    limits: { bodyBytes: file.limits.body_bytes, inFlight: file.limits.in_flight },
    telemetry: { otlp: file.telemetry.otlp ?? null, argumentValues: file.telemetry.argument_values, logLevel: file.telemetry.log_level },
  };
  plainHttp(file, listen, note);
  if (settings.engine.kind === "restate") smallResults(file, note);
  for (const { file: name, path } of context.needed) await access(name, constants.R_OK).catch(() => note(path, { code: "config_file", message: `There is no file ${name} that may be read.`, hint: "Paths start at this file's folder." }));
  return settings;
}

/** A mapping by names that come from outside: it has no prototype, so that a tenant `constructor` is there only where the file has one. */
function table<Value>(entries: Iterable<readonly [string, Value]> = []): Record<string, Value> {
  const made = Object.create(null) as Record<string, Value>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}

function need(context: Context, name: string, path: Path): string {
  const file = context.files.note(resolve(context.folder, name));
  context.needed.push({ file, path });
  return file;
}

function plainHttp(file: OneTenantFile | TenantsFile, listen: Settings["listen"], note: Note): void {
  if (listen.tls !== null || isOfThisMachine(listen.host) || file.public_url?.startsWith("https:")) return;
  note(["listen", "host"], { code: "config_plain_http", severity: "warning", message: "Keys travel unencrypted to an address that other machines reach.", hint: "Give listen.tls, or a proxy with TLS in front and its address as public_url." });
}

function engineOf({ engine }: OneTenantFile | TenantsFile, folder: string, note: Note): Settings["engine"] {
  if ("folder" in engine) return { kind: "embedded", folder: resolve(folder, engine.folder) };
  const { ingress, admin, listen, advertise, identity_keys: identityKeys, prefix } = engine.restate;
  // Whoever reaches this port can have calls made and log lines signed.
  if (!isOfThisMachine(listen.host) && identityKeys.length === 0) {
    note(["engine", "restate", "listen", "host"], { code: "config_identity", message: "Other machines reach the address that Restate calls, and whoever calls it is believed.", hint: "Give engine.restate.identity_keys: the public key that Restate says at its start." });
  }
  return { kind: "restate", ingress: bare(ingress), admin: bare(admin), listen, advertise: advertise === undefined ? null : bare(advertise), identityKeys, prefix };
}

/** The most bytes of a result that the distributed engine keeps: a call's outcome goes in one message. */
const RESULT_BYTES = 2_097_152;

function smallResults(file: OneTenantFile | TenantsFile, note: Note): void {
  const tenants: [Path, TenantFile][] = "tenants" in file ? Object.entries(file.tenants).map(([name, tenant]) => [["tenants", name], tenant]) : [[[], file]];
  for (const [path, tenant] of tenants) {
    const given: [Path, number | undefined][] = [[[...path, "tool_defaults", "result_bytes"], tenant.tool_defaults.result_bytes], ...Object.entries(tenant.tools).map(([tool, { result_bytes: bytes }]): [Path, number | undefined] => [[...path, "tools", tool, "result_bytes"], bytes])];
    for (const [at, bytes] of given) {
      if (bytes !== undefined && bytes > RESULT_BYTES) note(at, { code: "config_result_bytes", message: `The distributed engine keeps results of at most ${RESULT_BYTES} bytes.`, hint: "Give a lower limit, or the embedded engine." });
    }
  }
}

function bare(address: string): string {
  return address.replace(/\/+$/, "");
}

function isOfThisMachine(host: string): boolean {
  return ["127.0.0.1", "::1", "localhost"].includes(host);
}

async function tenantOf(name: string, file: TenantFile, path: Path, context: Context): Promise<TenantSettings> {
  const { secrets, folder } = context;
  const servers = table<ServerSettings>();
  for (const [server, given] of Object.entries(file.servers)) {
    const at = [...path, "servers", server];
    const common = { name: server, prefix: given.prefix ?? null };
    servers[server] = "url" in given
      ? { ...common, kind: "http", url: given.url, headers: await secrets.texts(given.headers, [...at, "headers"]) }
      : { ...common, kind: "stdio", command: command(given.command, folder), args: given.args, env: await secrets.texts(given.env, [...at, "env"]), cwd: given.cwd === undefined ? null : resolve(folder, given.cwd) };
  }
  const http = table<HttpToolSettings>();
  for (const [tool, given] of Object.entries(file.http)) {
    http[tool] = { method: given.method, url: given.url, headers: await secrets.texts(given.headers, [...path, "http", tool, "headers"]), idempotencyHeader: given.idempotency_header ?? null, reconcile: given.reconcile ?? null };
  }
  for (const [tool, { reconcile }] of Object.entries(file.tools)) if (reconcile !== undefined) reconcilable(tool, reconcile, file, path, context.note);
  const toolDefaults = toolOf(file.tool_defaults, file.tool_defaults);
  const hooks: HookSettings[] = [];
  for (const [index, given] of file.hooks.entries()) hooks.push(await hookOf(given, [...path, "hooks", index], context));
  if (new Set(hooks.map((hook) => hook.name)).size < hooks.length) context.note([...path, "hooks"], { code: "config_value", message: "Two hooks have one name.", hint: "Give each a name of its own." });
  return {
    name, mode: file.mode,
    policy: need(context, file.policy, [...path, "policy"]), keys: need(context, file.keys, [...path, "keys"]),
    servers, http, toolDefaults,
    tools: table(Object.entries(file.tools).map(([tool, given]) => [tool, toolOf(given, file.tool_defaults)])),
    approvals: { answer: file.approvals.answer, waitSeconds: file.approvals.wait_seconds, longWaitSeconds: file.approvals.long_wait_seconds, notify: await webhooks(file.approvals.notify, [...path, "approvals", "notify"], secrets) },
    audit: { redact: table(Object.entries(file.audit.redact)), checkpointSeconds: file.audit.checkpoint_seconds, checkpointEntries: file.audit.checkpoint_entries },
    retention: { resultsSeconds: file.retention.results_seconds, sessionsSeconds: file.retention.sessions_seconds },
    recording: file.recording === undefined ? null : { ...file.recording, file: resolve(folder, file.recording.file) },
    hooks, passOn: file.pass_on, agentOfStdio: file.agent_of_stdio ?? null,
  };
}

/** An HTTP tool is asked at an address of its own; and no value means two things. */
function reconcilable(tool: string, reconcile: NonNullable<TenantFile["tools"][string]["reconcile"]>, file: TenantFile, path: Path, note: Note): void {
  const at = [...path, "tools", tool, "reconcile"];
  if (Object.hasOwn(file.http, tool)) note(at, { code: "config_reconcile", message: `${tool} is an HTTP tool, which is asked at an address.`, hint: `Give http.${tool}.reconcile.` });
  if (reconcile.tool === tool) note([...at, "tool"], { code: "config_reconcile", message: "A call is not asked about by making it again.", hint: "Name a tool of the same server that only reads." });
  const both = reconcile.failed.findIndex((value) => reconcile.ran.includes(value));
  if (both >= 0) note([...at, "failed", both], { code: "config_reconcile", message: "One value says both that a call ran and that it did not.", hint: "Leave it out of one list, or of both where it says nothing." });
}

/** A program that is a path is one from the file's folder; a plain name is looked for by the system. */
function command(given: string, folder: string): string {
  return given.startsWith("./") || given.startsWith("../") ? resolve(folder, given) : given;
}

function toolOf(given: Partial<TenantFile["tool_defaults"]> | TenantFile["tools"][string], defaults: TenantFile["tool_defaults"]): ToolSettings {
  return {
    timeoutMs: Math.round((given.timeout_seconds ?? defaults.timeout_seconds) * 1000),
    resultBytes: given.result_bytes ?? defaults.result_bytes,
    concurrency: given.concurrency ?? defaults.concurrency,
    onUnknown: given.on_unknown ?? defaults.on_unknown,
    ...("reconcile" in given && given.reconcile !== undefined ? { reconcile: { ...given.reconcile, from: given.reconcile.from ?? null } } : {}),
  };
}

async function webhooks(given: TenantFile["approvals"]["notify"], path: Path, secrets: Secrets): Promise<WebhookSettings[]> {
  const found: WebhookSettings[] = [];
  for (const [index, webhook] of given.entries()) found.push(await webhookOf(webhook, [...path, index], secrets));
  return found;
}

async function webhookOf({ url, secret, previous_secret }: TenantFile["approvals"]["notify"][number], path: Path, secrets: Secrets): Promise<WebhookSettings> {
  return { url, secret: await secrets.text(secret, [...path, "secret"]), ...(previous_secret === undefined ? {} : { previousSecret: await secrets.text(previous_secret, [...path, "previous_secret"]) }) };
}

async function hookOf(given: TenantFile["hooks"][number], path: Path, { folder, secrets }: Context): Promise<HookSettings> {
  const run: HookSettings["run"] =
    "module" in given ? { kind: "module", path: resolve(folder, given.module) }
    : "webhook" in given ? { kind: "webhook", ...(await webhookOf(given.webhook, [...path, "webhook"], secrets)) }
    : { kind: "command", command: command(given.command, folder), args: given.args };
  return { name: given.name, when: given.when, tools: given.tools, run, timeoutMs: Math.round(given.timeout_seconds * 1000), onFailure: given.on_failure, escalateOnly: given.escalate_only, trusted: given.trusted };
}

/** The callers; each for a tenant that there is, with a key or an issuer's subject, no two with one. */
function callersOf(file: OneTenantFile | TenantsFile, tenants: readonly string[], note: Note): CallerSettings[] {
  const callers: CallerSettings[] = [];
  const known = new Map<string, string>();
  for (const [name, given] of Object.entries(file.callers)) {
    const path = ["callers", name];
    const tenant = given.tenant ?? (tenants.length === 1 ? tenants[0]! : "");
    if (!tenants.includes(tenant)) note(given.tenant === undefined ? path : [...path, "tenant"], { code: "config_tenant", message: given.tenant === undefined ? `The caller ${name} has no tenant.` : `There is no tenant ${given.tenant}.`, hint: `Give tenant: one of ${tenants.join(", ")}.` });
    if ((given.sha256 === undefined) === (given.subject === undefined)) note(path, { code: "config_caller", message: `The caller ${name} needs either sha256 or subject.`, hint: "`interlock gateway key` makes a key and its line." });
    if (given.subject !== undefined && !Object.hasOwn(file.issuers, given.subject.issuer)) note([...path, "subject", "issuer"], { code: "config_issuer", message: `There is no issuer ${given.subject.issuer}.`, hint: "Name it under issuers:." });
    const mark = given.sha256 ?? JSON.stringify(given.subject);
    const other = known.get(mark);
    if (other !== undefined) note(path, { code: "config_caller", message: `The callers ${other} and ${name} have the same ${given.sha256 === undefined ? "subject" : "key"}.`, hint: "Give each a key of its own." });
    known.set(mark, name);
    const expires = given.expires === undefined ? null : Date.parse(given.expires) / 1000;
    if (expires !== null && Number.isNaN(expires)) note([...path, "expires"], { code: "config_value", message: `${given.expires} is no day and time.` });
    callers.push({
      name, tenant, agents: given.agents, sha256: given.sha256 ?? null, subject: given.subject ?? null,
      principal: given.principal ?? null, approver: given.approver ?? name, may: given.may as readonly Grant[], agentVersion: given.agent_version ?? null, expires,
    });
  }
  return callers;
}
