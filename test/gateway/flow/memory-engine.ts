// An engine in memory: the port's promises kept by one object, for tests of the flow that need no disk. It can be made to fail, to hold commits back, and to be two workers' one store.
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import type { Commit, Committed, Engine, Runner, Stored } from "../../../hosts/gateway/engine/port.ts";

interface Tenant {
  readonly records: Map<string, Stored>;
  readonly versions: Map<string, number>;
  readonly log: string[];
}

export class MemoryEngine implements Engine {
  name = "embedded";
  #tenants = new Map<string, Tenant>();
  readonly #listeners = new Set<() => void>();
  #runner: Runner | null = null;
  readonly #runs = new Set<Promise<void>>();
  readonly timers: { tenant: string; call: string; at: number }[] = [];
  /** Errors of runs: a test looks that there are none. */
  readonly failures: unknown[] = [];
  commits = 0;
  /** Called before each commit is looked at. */
  before: (commit: Commit) => Promise<void> | void = () => undefined;

  async start(runner: Runner): Promise<void> {
    this.#runner = runner;
  }

  /** The same store for another gateway, as after a restart: what was in memory of the first is gone. */
  reopened(): MemoryEngine {
    const other = new MemoryEngine();
    other.#tenants = this.#tenants;
    return other;
  }

  async get(tenant: string, key: string): Promise<Stored | null> {
    return this.#of(tenant).records.get(key) ?? null;
  }

  async list(tenant: string, prefix: string, page: { after?: string; limit?: number; descending?: boolean } = {}): Promise<readonly (Stored & { key: string })[]> {
    const keys = [...this.#of(tenant).records.keys()].filter((key) => key.startsWith(prefix)).sort();
    if (page.descending) keys.reverse();
    const from = page.after === undefined ? keys : keys.filter((key) => (page.descending ? key < (page.after as string) : key > (page.after as string)));
    return from.slice(0, page.limit ?? 1000).map((key) => ({ ...(this.#of(tenant).records.get(key) as Stored), key }));
  }

  async commit(commit: Commit): Promise<Committed> {
    await this.before(commit);
    await Promise.resolve();
    const { records, versions, log } = this.#of(commit.tenant);
    for (const { key, expect } of commit.changes) {
      if (!/^[\x20-\x7e]{1,512}$/.test(key)) throw new Error(`a key is printable ASCII: ${key}`);
      const stored = records.get(key) ?? null;
      if (expect !== undefined && expect !== (stored?.version ?? null)) return { ok: false, key, stored };
    }
    this.commits++;
    const changed: Record<string, number> = {};
    for (const { key, value } of commit.changes) {
      if (value === undefined) continue;
      const version = (versions.get(key) ?? 0) + 1;
      versions.set(key, version);
      changed[key] = version;
      if (value === null) records.delete(key);
      else records.set(key, { value, version });
    }
    const first = log.length;
    for (const body of commit.audit ?? []) log.push(JSON.stringify(body));
    this.#tell();
    return { ok: true, versions: changed, audit: (commit.audit ?? []).map((_, index) => first + index) };
  }

  async run(tenant: string, call: string): Promise<void> {
    const running = Promise.resolve().then(() => this.#runner?.(tenant, call));
    const settled = running.then(
      () => undefined,
      (error: unknown) => void this.failures.push(error),
    );
    this.#runs.add(settled);
    void settled.then(() => this.#runs.delete(settled));
  }

  async runAt(tenant: string, call: string, at: number): Promise<void> {
    this.timers.push({ tenant, call, at });
  }

  /** Hands over what is due at a time. */
  async passTo(at: number): Promise<void> {
    for (const timer of this.timers.splice(0)) {
      if (timer.at <= at) await this.run(timer.tenant, timer.call);
      else this.timers.push(timer);
    }
    await this.idle();
  }

  /** Waits until nothing runs. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  async changed(tenant: string, key: string, version: number, timeoutMs: number, signal?: AbortSignal): Promise<Stored | null> {
    const now = (): Stored | null => {
      const stored = this.#of(tenant).records.get(key);
      return stored !== undefined && stored.version > version ? stored : null;
    };
    return new Promise((resolve) => {
      const end = (stored: Stored | null): void => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        signal?.removeEventListener("abort", stop);
        resolve(stored);
      };
      const look = (): void => {
        const stored = now();
        if (stored !== null) end(stored);
      };
      const stop = (): void => end(null);
      const timer = setTimeout(stop, timeoutMs);
      this.#listeners.add(look);
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) stop();
      else look();
    });
  }

  async audit(tenant: string, from: number, limit: number): Promise<readonly string[]> {
    return this.#of(tenant).log.slice(from, from + limit);
  }

  /** The audit bodies of a tenant. */
  bodies(tenant: string): readonly AuditBody[] {
    return this.#of(tenant).log.map((line) => JSON.parse(line) as AuditBody);
  }

  async tenants(): Promise<readonly string[]> {
    return [...this.#tenants.keys()];
  }

  async stop(): Promise<void> {
    this.#runner = null;
    await this.idle();
  }

  #of(tenant: string): Tenant {
    const found = this.#tenants.get(tenant) ?? { records: new Map(), versions: new Map(), log: [] };
    this.#tenants.set(tenant, found);
    return found;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
