// The distributed engine: a tenant is an object of Restate, which has one writer, and a call's run is another's request; every gateway on the same Restate is a worker.
import { requireKey, requireTenant, requireValue } from "../names.ts";
import { type Commit, type Committed, type Engine, EngineError, type Runner, type Sealer, type Stored } from "../port.ts";
import { Waiters } from "../waiters.ts";
import { type Listening, type OpenEndpoint, openEndpoint, pathOf } from "./endpoint.ts";
import { type Deployment, type Doors, Ingress } from "./ingress.ts";
import { COMMIT_SIZE, type Done, type Op } from "./ops.ts";
import { Requests } from "./requests.ts";
import { RunsInHand } from "./runs-in-hand.ts";
import { loadSdk } from "./sdk.ts";
import { ALL, callObjectKey, FORM, type Names, namesOf, servicesOf, STEPS, tenantKey } from "./services.ts";
import { Watches } from "./watches.ts";

export interface RestateSettings extends Doors {
  /** Where this gateway listens for Restate. */
  readonly listen: Listening;
  /** The address at which Restate reaches it, or the balancer in front of all gateways: the same at each start. Null: this machine's, at the port. */
  readonly advertise: string | null;
  /** Restate's public keys: requests that none of them signed are refused. Empty: every request is taken. */
  readonly identityKeys: readonly string[];
  /** Begins the names of what the gateway has in Restate. Gateways with the same one share everything. */
  readonly prefix: string;
}

export interface RestateOptions {
  /** Told of a run that failed; it comes again. */
  readonly failed?: (tenant: string, call: string, error: unknown) => void;
  /** Told at the start of how many requests were begun at other addresses, by programs of other steps as a rule, and wait for those to end them. */
  readonly begunElsewhere?: (count: number) => void;
  readonly clock?: () => number;
  /** Milliseconds in which Restate has to answer a request. */
  readonly patienceMs?: number;
}

/** Milliseconds in which Restate has to answer. */
const PATIENCE = 30_000;
/** Milliseconds in which a server has to be there at the start: one that is started beside the gateway takes a few seconds. */
const FIRST = 10_000;
/** Milliseconds in which the requests under way have to end at a stop. */
const LAST = 5_000;

export class RestateEngine implements Engine {
  readonly name = "restate";
  readonly #settings: RestateSettings;
  readonly #options: RestateOptions;
  readonly #names: Names;
  readonly #ingress: Ingress;
  readonly #requests: Requests;
  readonly #waiters = new Waiters();
  readonly #watches: Watches;
  readonly #runs: RunsInHand;
  readonly #ended = new AbortController();
  #endpoint: OpenEndpoint | null = null;
  #isOpen = false;

  constructor(settings: RestateSettings, options: RestateOptions = {}) {
    this.#settings = settings;
    this.#options = options;
    this.#names = namesOf(settings.prefix);
    this.#ingress = new Ingress(settings);
    this.#requests = new Requests((tenant, ops, key) => this.#ask(this.#names.tenant, tenantKey(tenant), key === undefined ? "look" : "apply", ops, key));
    this.#watches = new Watches(
      (tenant, key) => this.#read(tenant, key),
      (tenant, key, stored) => this.#waiters.tell(nameOf(tenant, key), stored),
    );
    this.#runs = new RunsInHand((tenant, call, error) => options.failed?.(tenant, call, error));
  }

  /** The port at which Restate calls this gateway, once it is started. */
  get port(): number | null {
    return this.#endpoint?.port ?? null;
  }

  /** Fails also with `engine_missing` (no SDK), `engine_unreachable` (no server), `gateway_unreachable` (the server does not reach this gateway), `port_in_use`. */
  async start(runner: Runner, seal: Sealer): Promise<void> {
    const sdk = await loadSdk();
    const { listen, advertise, identityKeys } = this.#settings;
    const services = servicesOf(sdk, this.#names, { seal, run: (tenant, call) => this.#runs.run(tenant, call, runner) });
    const handler = sdk.createEndpointHandler({ services, logger: () => undefined, ...(identityKeys.length === 0 ? {} : { identityKeys: [...identityKeys] }) });
    this.#endpoint = await openEndpoint(listen, STEPS, handler);
    try {
      const uri = `${(advertise ?? `http://${addressOf(listen.host)}:${this.#endpoint.port}`).replace(/\/+$/, "")}${pathOf(STEPS)}`;
      const newer = await this.#ingress.register(uri, this.#names.tenant, this.#options.patienceMs ?? FIRST);
      await this.#openStore(newer);
      const begun = newer === null ? await this.#ingress.begunElsewhere(uri, Object.values(this.#names)) : null;
      if (begun !== null && begun > 0) this.#options.begunElsewhere?.(begun);
      this.#isOpen = true;
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  /** Fails with `store_newer`: another form is kept, or only newer programs may answer and none does. */
  async #openStore(newer: Deployment | null): Promise<void> {
    const form = await this.#ask<number>(this.#names.store, ALL, "open", undefined, undefined).catch((error: unknown) => {
      if (newer === null) throw error;
      throw new EngineError("store_newer", `Restate hands what is asked to a newer program, at ${newer.uri}, and none answers there: start one; or, to go back to this program, take that address out: curl -X DELETE "${this.#settings.admin}/deployments/${newer.id}?force=true"`, { cause: error });
    });
    if (form > FORM) throw new EngineError("store_newer", `what is in Restate under ${this.#settings.prefix} has form ${form}, and this program knows ${FORM}: use the newer program that wrote it`);
  }

  async get(tenant: string, key: string): Promise<Stored | null> {
    requireTenant(tenant);
    requireKey(key);
    return this.#read(tenant, key);
  }

  async list(tenant: string, prefix: string, page: { readonly after?: string; readonly limit?: number; readonly descending?: boolean } = {}): Promise<readonly (Stored & { readonly key: string })[]> {
    requireTenant(tenant);
    if (prefix !== "") requireKey(prefix);
    const limit = Math.max(0, Math.min(page.limit ?? 1000, 1000));
    const found: (Stored & { readonly key: string })[] = [];
    for (let after = page.after; ; ) {
      const op: Op = { op: "list", prefix, limit: limit - found.length, descending: page.descending ?? false, ...(after === undefined ? {} : { after }) };
      const { listed, more } = await this.#do<{ listed: (Stored & { key: string })[]; more: boolean }>(tenant, op);
      found.push(...listed);
      after = listed.at(-1)?.key ?? after;
      if (!more) return found;
    }
  }

  async commit(commit: Commit): Promise<Committed> {
    const { tenant, changes } = commit;
    requireTenant(tenant);
    for (const { key, value } of changes) {
      requireKey(key);
      if (value !== undefined && value !== null) requireValue(value);
    }
    const { committed } = await this.#do<{ committed: Committed }>(tenant, { op: "commit", changes, audit: commit.audit ?? null });
    if (committed.ok) for (const { key, value } of changes) if (value !== undefined) this.#waiters.tell(nameOf(tenant, key), value === null ? null : { value, version: committed.versions[key]! });
    return committed;
  }

  async run(tenant: string, call: string): Promise<void> {
    await this.runAt(tenant, call, 0);
  }

  async runAt(tenant: string, call: string, at: number): Promise<void> {
    requireTenant(tenant);
    requireKey(call);
    this.#mustBeOpen();
    const delay = Math.max(0, Math.ceil(at) - (this.#options.clock ?? Date.now)());
    // The same time again is the same request, while it waits.
    await this.#ingress.hand(this.#names.call, callObjectKey(tenant, call), "run", delay, { ...(delay > 0 ? { key: `at-${Math.ceil(at)}` } : {}), withinMs: this.#patience, signal: this.#ended.signal });
  }

  async changed(tenant: string, key: string, version: number, timeoutMs: number, signal?: AbortSignal): Promise<Stored | null> {
    const end = new AbortController();
    const stop = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    // First waits, then looks: a change in between is told.
    const told = this.#waiters.wait(nameOf(tenant, key), () => null, version, timeoutMs, stop);
    try {
      const now = await this.get(tenant, key);
      if (now !== null && now.version > version) return now;
      const forget = this.#watches.watch(tenant, key);
      try {
        return await told;
      } finally {
        forget();
      }
    } finally {
      end.abort();
    }
  }

  async audit(tenant: string, from: number, limit: number): Promise<readonly string[]> {
    requireTenant(tenant);
    const first = Math.max(0, Math.ceil(from));
    const most = Math.max(0, Math.min(limit, 10_000));
    const found: string[] = [];
    for (;;) {
      const { lines, more } = await this.#do<{ lines: string[]; more: boolean }>(tenant, { op: "audit", from: first + found.length, limit: most - found.length });
      found.push(...lines);
      if (!more || lines.length === 0) return found;
    }
  }

  async tenants(): Promise<readonly string[]> {
    this.#mustBeOpen();
    return this.#ask<string[]>(this.#names.store, ALL, "tenants", undefined, undefined);
  }

  async stop(graceMs = 10_000): Promise<void> {
    this.#watches.stop();
    await this.#runs.stop(graceMs);
    this.#isOpen = false;
    await within(this.#requests.settled(), Math.min(graceMs, LAST));
    await this.#close();
  }

  get #patience(): number {
    return this.#options.patienceMs ?? PATIENCE;
  }

  async #read(tenant: string, key: string): Promise<Stored | null> {
    return (await this.#do<{ got: Stored | null }>(tenant, { op: "get", key })).got;
  }

  async #do<D extends Done>(tenant: string, op: Op): Promise<D> {
    this.#mustBeOpen();
    const size = op.op === "commit" ? JSON.stringify(op).length : 100;
    if (size > COMMIT_SIZE) throw new EngineError("commit_too_large", `a commit has at most ${COMMIT_SIZE} characters, and this one has ${size}: set a lower limit for results`);
    return (await this.#requests.ask(tenant, op, size)) as D;
  }

  #ask<T>(service: string, key: string, handler: string, body: unknown, idempotency: string | undefined): Promise<T> {
    return this.#ingress.ask<T>(service, key, handler, body, { ...(idempotency === undefined ? {} : { key: idempotency }), withinMs: this.#patience, signal: this.#ended.signal });
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw new EngineError("engine_unavailable", "the engine is stopped");
  }

  async #close(): Promise<void> {
    this.#isOpen = false;
    this.#ended.abort();
    await this.#endpoint?.close();
    this.#endpoint = null;
  }
}

function nameOf(tenant: string, key: string): string {
  return `${tenant}\u0000${key}`;
}

/** As Restate reaches a gateway that listens at every address of this machine: by this machine's own. */
function addressOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([
    work,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}
