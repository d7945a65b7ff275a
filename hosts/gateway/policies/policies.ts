// The policies in force: versions kept in the engine, the one in force named there, loaded once; registered from a file or over the API, told apart, rolled back.
import { createHash } from "node:crypto";
import { policyJudge } from "interlock";
import { describeChange, describeChanges, type JsonObject, type Problem, register } from "interlock/register";
import type { AuditBody } from "../audit/entry.ts";
import type { Policies, PolicyInForce } from "../call/parts.ts";
import type { Engine } from "../engine/port.ts";
import { type Caller, GatewayError } from "../gateway.ts";
import { forced, load } from "./in-force.ts";

/** A version as it is kept. */
interface Version {
  readonly id: string;
  /** The policy with what is forced, JSON; `documents` beside its members. */
  readonly text: string;
  /** What people wrote, where it came over the API; the file's name otherwise. */
  readonly source: string;
  readonly at: number;
  readonly by: string;
}

/** Which version is in force, and whether a file or the API said so. */
interface Current {
  readonly id: string;
  readonly from: "file" | "api";
}

export interface PolicyParts {
  readonly engine: Engine;
  /** The tenant's key set, JSON text; read again when it may have changed. */
  readonly keys: (tenant: string) => string;
  readonly clock: () => number;
}

/** The name that a policy sent over the API has in its problems. */
const SENT = "policy.yaml";
/** Loaded versions that are kept although they are not in force: calls that started with them may still be under way. */
const KEPT = 8;

export class PolicyVersions implements Policies {
  readonly #parts: PolicyParts;
  readonly #loaded = new Map<string, PolicyInForce>();

  constructor(parts: PolicyParts) {
    this.#parts = parts;
  }

  /**
   * Registers a tenant's policy file: it is in force from now on, unless one that came over the API is. Its problems are told; where one is an error nothing
   * changes and GatewayError `policy_invalid` is thrown.
   */
  async fromFile(tenant: string, file: string, more: { readonly live?: boolean } = {}): Promise<readonly Problem[]> {
    const registered = await register(file, policyJudge, { live: more.live ?? true });
    const { id, text } = this.#judged(tenant, registered);
    await this.#put(tenant, { id, text, source: file, at: this.#parts.clock(), by: "file" }, "file", { actor: "gateway" }, false);
    return registered.problems;
  }

  async current(tenant: string): Promise<PolicyInForce> {
    const stored = await this.#parts.engine.get(tenant, CURRENT);
    if (stored === null) throw new GatewayError(503, "policy_missing", "the tenant has no policy in force");
    return this.byId(tenant, (JSON.parse(stored.value) as Current).id);
  }

  /** A version by its id. Fails with `policy_unknown`. */
  async byId(tenant: string, id: string): Promise<PolicyInForce> {
    const keys = this.#parts.keys(tenant);
    const name = `${tenant}\u0000${id}\u0000${createHash("sha256").update(keys).digest("base64")}`;
    const found = this.#loaded.get(name);
    if (found !== undefined) return found;
    const version = await this.#version(tenant, id);
    if (version === null) throw new GatewayError(404, "policy_unknown", "there is no such version of the policy");
    const policy = load(version.text, keys);
    this.#loaded.set(name, policy);
    // The oldest of those that were loaded goes: its client is given up once no call holds it.
    for (const old of [...this.#loaded.keys()].filter((key) => key.startsWith(`${tenant}\u0000`)).slice(0, -KEPT)) this.#loaded.delete(old);
    return policy;
  }

  async policy(tenant: string): ReturnType<Policies["policy"]> {
    const policy = await this.current(tenant);
    const version = (await this.#version(tenant, policy.id))!;
    const versions = (await this.#parts.engine.list(tenant, VERSION, { limit: 1000 })).map(({ value }) => JSON.parse(value) as Version);
    return { id: policy.id, text: policy.client.compiled, source: version.source, versions: versions.map(({ id, at, by }) => ({ id, at, by })).sort((one, other) => other.at - one.at) };
  }

  async registerPolicy(caller: Caller, source: string, dryRun: boolean): ReturnType<Policies["registerPolicy"]> {
    require(caller);
    const { tenant } = caller;
    const registered = await register([{ path: SENT, text: source }], policyJudge, { live: false });
    const { id, text } = this.#judged(tenant, registered);
    const before = await this.current(tenant).catch(() => null);
    const changes = before === null ? [] : describeChanges(JSON.parse(before.client.compiled) as JsonObject, JSON.parse(text) as JsonObject);
    const diff = changes.map((change) => ({ ...change, line: describeChange(change) }));
    if (!dryRun) await this.#put(tenant, { id, text, source, at: this.#parts.clock(), by: caller.name }, "api", { actor: caller.name }, true);
    return { id, diff };
  }

  async rollBackPolicy(caller: Caller, id: string): ReturnType<Policies["rollBackPolicy"]> {
    require(caller);
    const { engine, clock } = this.#parts;
    const version = await this.#version(caller.tenant, id);
    if (version === null) throw new GatewayError(404, "policy_unknown", "there is no such version of the policy");
    load(version.text, this.#parts.keys(caller.tenant));
    const current: Current = { id, from: version.by === "file" ? "file" : "api" };
    const told: AuditBody = { event: "policy.rolled_back", at: clock(), actor: caller.name, policy: id };
    await engine.commit({ tenant: caller.tenant, changes: [{ key: CURRENT, value: JSON.stringify(current) }], audit: [told] });
    return { id };
  }

  /** The policy as it will be loaded, and its id. Fails with `policy_invalid`; nothing was kept then. */
  #judged(tenant: string, registered: Awaited<ReturnType<typeof register>>): { id: string; text: string } {
    const errors = registered.problems.filter(({ severity }) => severity === "error");
    if (registered.policy === null || errors.length > 0) throw new GatewayError(422, "policy_invalid", "this policy cannot be taken; the one in force stays", { detail: { problems: registered.problems } });
    const documents = Object.keys(registered.documents).length === 0 ? {} : { documents: registered.documents };
    const text = JSON.stringify({ ...forced(registered.policy as Record<string, unknown>), ...documents });
    const { id, client } = load(text, this.#parts.keys(tenant));
    const { tenant: named } = JSON.parse(client.compiled) as { tenant: string };
    if (named !== tenant) throw new GatewayError(422, "policy_invalid", `this policy is of the tenant ${JSON.stringify(named)}, and the gateway's tenant is ${JSON.stringify(tenant)}`, { pointer: "/tenant" });
    return { id, text };
  }

  async #put(tenant: string, version: Version, from: Current["from"], { actor }: { actor: string }, over: boolean): Promise<void> {
    const { engine, clock } = this.#parts;
    for (;;) {
      const stored = await engine.get(tenant, CURRENT);
      const before = stored === null ? null : (JSON.parse(stored.value) as Current);
      const kept = await engine.get(tenant, versionKey(version.id));
      const takes = over || before === null || before.from === "file";
      const isNew = before?.id !== version.id;
      if (kept !== null && !(takes && isNew)) return;
      const changes = [
        ...(kept === null ? [{ key: versionKey(version.id), value: JSON.stringify(version), expect: null }] : []),
        ...(takes && isNew ? [{ key: CURRENT, value: JSON.stringify({ id: version.id, from } satisfies Current), expect: stored?.version ?? null }] : []),
      ];
      const told: AuditBody = { event: "policy.registered", at: clock(), actor, policy: version.id, detail: { from, in_force: takes } };
      if ((await engine.commit({ tenant, changes, audit: [told] })).ok) return;
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

function versionKey(id: string): string {
  return `${VERSION}${id}`;
}

function require({ may }: Caller): void {
  if (!may.has("policy")) throw new GatewayError(403, "not_granted", "this caller may not change the policy: the right `policy` is not among its grants");
}
