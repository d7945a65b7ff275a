// The policies in force: versions kept in the engine, the one in force named there, loaded once; registered from a file or over the API, told apart, rolled back.
import { createHash } from "node:crypto";
import { InterlockError, policyJudge } from "interlock";
import { type Problem, type Registered, register } from "interlock/register";
import type { AuditBody } from "../audit/entry.ts";
import type { Policies, PolicyInForce } from "../call/parts.ts";
import type { Engine } from "../engine/port.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { listingOf } from "../upstream/canonical.ts";
import { forced, load } from "./in-force.ts";
import { Judging } from "./judging.ts";

/** A version as it is kept. */
interface Version {
  readonly id: string;
  /** The policy with what is forced, JSON; `documents` beside its members. */
  readonly text: string;
  /** What people wrote, where it came over the API; the file's name otherwise. */
  readonly source: string;
  readonly at: number;
  readonly by: string;
  /** Of each tool that came from a server's listing: the digest of what was listed (base64url, as upstream has it). */
  readonly listings: Readonly<Record<string, string>>;
}

/** A policy that can be taken. */
interface Judged extends Pick<Version, "id" | "text" | "listings"> {
  readonly registered: Registered;
}

/** Which version is in force, and which one the file had when it was read last: a file that has not changed since changes nothing. */
interface Current {
  readonly id: string;
  readonly from: "file" | "api";
  readonly file: string | null;
}

export interface PolicyParts {
  readonly engine: Engine;
  /** The tenant's key set, JSON text; read again when it may have changed. */
  readonly keys: (tenant: string) => string;
  readonly clock: () => number;
  /** Told when another version is in force. */
  readonly changed?: (tenant: string) => void;
}

/** What the policy in force says of a tool: whether it names it, and the digest of the listing that it was imported from. */
export interface Declared {
  readonly named: boolean;
  readonly listing: string | null;
}

/** The name that a policy sent over the API has in its problems. */
const SENT = "policy.yaml";
/** Loaded versions that are kept although they are not in force: calls that started with them may still be under way. */
const KEPT = 8;

export class PolicyVersions implements Policies {
  readonly #parts: PolicyParts;
  readonly #loaded = new Map<string, PolicyInForce>();
  /** What each tenant's calls read last, while its record and its keys stay the same texts. */
  readonly #now = new Map<string, { readonly value: string; readonly keys: string; readonly policy: PolicyInForce }>();

  constructor(parts: PolicyParts) {
    this.#parts = parts;
  }

  /**
   * Registers a tenant's policy file: it is in force from now on where the file changed since it was read last, or nothing was in force. Its problems are told;
   * where one is an error nothing changes and GatewayError `policy_invalid` is thrown.
   */
  async fromFile(tenant: string, file: string, more: { readonly live?: boolean; readonly keys?: string } = {}): Promise<readonly Problem[]> {
    const { problems, take } = await this.prepare(tenant, file, more);
    await take();
    return problems;
  }

  /**
   * Judges a tenant's policy file, by a key set (JSON text) where it is not the one in use yet; `apart` where calls go on meanwhile. Nothing changes before
   * `take`, so that several can be taken, all or none. Fails with `policy_invalid`, and apart with `policy_unjudged`.
   */
  async prepare(tenant: string, file: string, more: { readonly live?: boolean; readonly keys?: string; readonly reads?: (file: string) => void; readonly apart?: boolean } = {}): Promise<{ readonly id: string; readonly problems: readonly Problem[]; take(): Promise<void> }> {
    const { live = true, keys = this.#parts.keys(tenant), reads, apart = false } = more;
    const { id, text, listings, registered } = apart ? await this.#judgedApart(tenant, file, live, keys, reads) : this.#judged(tenant, await register(file, policyJudge, { live, ...(reads === undefined ? {} : { reads }) }), keys);
    const take = (): Promise<void> => this.#put(tenant, { id, text, source: file, at: this.#parts.clock(), by: "file", listings }, "file", "gateway");
    return { id, problems: registered.problems, take };
  }

  async current(tenant: string): Promise<PolicyInForce> {
    const stored = await this.#parts.engine.get(tenant, CURRENT);
    if (stored === null) throw new GatewayError(503, "policy_missing", "the tenant has no policy in force");
    const { value } = stored;
    const keys = this.#parts.keys(tenant);
    const now = this.#now.get(tenant);
    if (now?.value === value && now.keys === keys) return now.policy;
    const policy = await this.byId(tenant, (JSON.parse(value) as Current).id);
    this.#now.set(tenant, { value, keys, policy });
    return policy;
  }

  /** A version by its id. Fails with `policy_unknown`. */
  async byId(tenant: string, id: string): Promise<PolicyInForce> {
    const keys = this.#parts.keys(tenant);
    const name = `${tenant}\u0000${id}\u0000${createHash("sha256").update(keys).digest("base64")}`;
    const found = this.#loaded.get(name);
    if (found !== undefined) {
      // The one that was used last is given up last.
      this.#loaded.delete(name);
      this.#loaded.set(name, found);
      return found;
    }
    const version = await this.#version(tenant, id);
    if (version === null) throw new GatewayError(404, "policy_unknown", "there is no such version of the policy");
    const policy = load(version.text, keys);
    this.#loaded.set(name, policy);
    // The oldest of those that were loaded goes: its client is given up once no call holds it.
    for (const old of [...this.#loaded.keys()].filter((key) => key.startsWith(`${tenant}\u0000`)).slice(0, -KEPT)) this.#loaded.delete(old);
    return policy;
  }

  /** What the version in force says of tools; where none is in force, it names none. */
  async declared(tenant: string): Promise<(tool: string) => Declared> {
    if ((await this.#parts.engine.get(tenant, CURRENT)) === null) return () => ({ named: false, listing: null });
    const { id, tools } = await this.current(tenant);
    const listings = (await this.#version(tenant, id))?.listings ?? {};
    return (tool) => ({ named: tools.has(tool), listing: Object.hasOwn(listings, tool) ? listings[tool]! : null });
  }

  async policy(tenant: string): ReturnType<Policies["policy"]> {
    const policy = await this.current(tenant);
    const version = (await this.#version(tenant, policy.id))!;
    const versions: Version[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.engine.list(tenant, VERSION, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      versions.push(...page.map(({ value }) => JSON.parse(value) as Version));
      after = page.at(-1)?.key;
      if (page.length < PAGE) break;
    }
    return { id: policy.id, text: policy.client.compiled, source: version.source, versions: versions.map(({ id, at, by }) => ({ id, at, by })).sort((one, other) => other.at - one.at) };
  }

  async registerPolicy(caller: Caller, source: string, dryRun: boolean): ReturnType<Policies["registerPolicy"]> {
    require(caller);
    const { tenant } = caller;
    const judging = await Judging.start();
    let judged: { readonly id: string; readonly text: string; readonly listings: Version["listings"]; readonly diff: unknown };
    try {
      const { text, listings } = accepted(await judging.register(SENT, source));
      const { id, tenant: named } = await judging.load(text, this.#parts.keys(tenant)).catch(refused);
      requireTenant(named, tenant);
      const before = await this.current(tenant).catch(() => null);
      judged = { id, text, listings, diff: before === null ? [] : await judging.diff(before.client.compiled, text) };
    } finally {
      judging.close();
    }
    const { id, text, listings, diff } = judged;
    if (!dryRun) await this.#put(tenant, { id, text, source, at: this.#parts.clock(), by: caller.name, listings }, "api", caller.name);
    return { id, diff };
  }

  async rollBackPolicy(caller: Caller, id: string): ReturnType<Policies["rollBackPolicy"]> {
    require(caller);
    const { engine, clock } = this.#parts;
    const version = await this.#version(caller.tenant, id);
    if (version === null) throw new GatewayError(404, "policy_unknown", "there is no such version of the policy");
    await this.byId(caller.tenant, id).catch(refused);
    for (;;) {
      const stored = await engine.get(caller.tenant, CURRENT);
      const before = stored === null ? null : (JSON.parse(stored.value) as Current);
      const current: Current = { id, from: "api", file: before?.file ?? null };
      const told: AuditBody = { event: "policy.rolled_back", at: clock(), actor: caller.name, policy: id, ...(before === null ? {} : { detail: { before: before.id } }) };
      if (!(await engine.commit({ tenant: caller.tenant, changes: [{ key: CURRENT, value: JSON.stringify(current), expect: stored?.version ?? null }], audit: [told] })).ok) continue;
      this.#parts.changed?.(caller.tenant);
      return { id };
    }
  }

  /** The same as `#judged`, in a thread of its own. */
  async #judgedApart(tenant: string, file: string, live: boolean, keys: string, reads: ((file: string) => void) | undefined): Promise<Judged> {
    const judging = await Judging.ofFile();
    try {
      const registered = await judging.file(file, live, reads);
      const { text, listings } = accepted(registered);
      const { id, tenant: named } = await judging.load(text, keys).catch(refused);
      requireTenant(named, tenant);
      return { id, text, listings, registered };
    } finally {
      judging.close();
    }
  }

  /** The policy as it will be loaded, and its id. Fails with `policy_invalid`; nothing was kept then. */
  #judged(tenant: string, registered: Registered, keys: string): Judged {
    const { text, listings } = accepted(registered);
    const { id, client } = loaded(text, keys);
    requireTenant((JSON.parse(client.compiled) as { tenant: string }).tenant, tenant);
    return { id, text, listings, registered };
  }

  /** Keeps a version, and puts it in force unless it is the unchanged file's. The last change counts, whichever way it came. */
  async #put(tenant: string, version: Version, from: Current["from"], actor: string): Promise<void> {
    const { engine, clock, changed } = this.#parts;
    for (;;) {
      const stored = await engine.get(tenant, CURRENT);
      const before = stored === null ? null : (JSON.parse(stored.value) as Current);
      const kept = await engine.get(tenant, versionKey(version.id));
      // What its server listed may be another thing, though the policy made of it is the same.
      const known = kept === null ? null : (JSON.parse(kept.value) as Version);
      const relisted = known !== null && JSON.stringify(known.listings) !== JSON.stringify(version.listings);
      const seen = from === "file" && before !== null && before.file === version.id;
      const takes = !seen && before?.id !== version.id;
      const current: Current = { id: seen ? before.id : version.id, from: seen ? before.from : from, file: from === "file" ? version.id : (before?.file ?? null) };
      const changes = [
        ...(known === null ? [{ key: versionKey(version.id), value: JSON.stringify(version), expect: null }] : []),
        ...(relisted ? [{ key: versionKey(version.id), value: JSON.stringify({ ...known, listings: version.listings }), expect: kept!.version }] : []),
        ...(before === null || JSON.stringify(before) !== JSON.stringify(current) ? [{ key: CURRENT, value: JSON.stringify(current), expect: stored?.version ?? null }] : []),
      ];
      if (changes.length === 0) return;
      const told: AuditBody[] = takes || known === null ? [{ event: "policy.registered", at: clock(), actor, policy: version.id, detail: { from, in_force: current.id === version.id } }] : [];
      if (!(await engine.commit({ tenant, changes, audit: told })).ok) continue;
      if (takes || relisted) changed?.(tenant);
      return;
    }
  }

  async #version(tenant: string, id: string): Promise<Version | null> {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return null;
    const stored = await this.#parts.engine.get(tenant, versionKey(id));
    return stored === null ? null : (JSON.parse(stored.value) as Version);
  }
}

const CURRENT = "policy/current";
const VERSION = "policy/version/";
const PAGE = 100;

function versionKey(id: string): string {
  return `${VERSION}${id}`;
}

/** So many problems are told of a policy that is sent, the first; how many more there are is told too. */
const TOLD = 100;

function problemsOf(problems: readonly Problem[]): { readonly problems: readonly Problem[]; readonly more?: number } {
  return problems.length <= TOLD ? { problems } : { problems: problems.slice(0, TOLD), more: problems.length - TOLD };
}

function require({ may }: Caller): void {
  if (!may.has("policy")) throw new GatewayError(403, "not_granted", "this caller may not change the policy: the right `policy` is not among its grants");
}

/** The text of a registered policy as it will be loaded, and its listings. Fails with `policy_invalid`. */
function accepted({ problems, policy, documents: remote, imported }: Registered): { readonly text: string; readonly listings: Version["listings"] } {
  if (policy === null || problems.some(({ severity }) => severity === "error")) throw new GatewayError(422, "policy_invalid", "this policy cannot be taken; the one in force stays", { detail: problemsOf(problems) });
  const documents = Object.keys(remote).length === 0 ? {} : { documents: remote };
  const listings = imported.flatMap(({ tool, listing }) => (listing === undefined ? [] : [[tool, listingOf(listing).digest] as const]));
  return { text: JSON.stringify({ ...forced(policy as Record<string, unknown>), ...documents }), listings: Object.fromEntries(listings) };
}

/** Fails with `policy_invalid`. */
function requireTenant(named: string, tenant: string): void {
  if (named !== tenant) throw new GatewayError(422, "policy_invalid", `this policy is of the tenant ${JSON.stringify(named)}, and the gateway's tenant is ${JSON.stringify(tenant)}`, { pointer: "/tenant" });
}

/** A policy's text, loaded. Fails as `refused` says. */
function loaded(text: string, keys: string): PolicyInForce {
  try {
    return load(text, keys);
  } catch (error) {
    return refused(error);
  }
}

/** Throws `policy_invalid` where the core refuses a policy; what it says of the keys is thrown on. */
function refused(error: unknown): never {
  if (!(error instanceof InterlockError) || error.code.startsWith("keys_")) throw error;
  throw new GatewayError(422, "policy_invalid", `the core refuses this policy: ${error.message}`, { pointer: error.pointer, cause: error });
}
