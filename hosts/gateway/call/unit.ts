// One commit in the making: changes and audit entries that are kept together, or not at all.
import type { AuditBody } from "../audit/entry.ts";
import type { Change, Committed, Engine } from "../engine/port.ts";

/** What is to be kept by the next commit of a tenant. A key that is changed twice keeps its first expectation and its last value. */
export class Unit {
  readonly tenant: string;
  readonly #changes = new Map<string, Change>();
  readonly #audit: AuditBody[] = [];
  #kept: ((versions: Readonly<Record<string, number>>) => void)[] = [];
  #lost: (() => void)[] = [];

  constructor(tenant: string) {
    this.tenant = tenant;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#audit.length === 0;
  }

  /** Whether anything would be written: an expectation alone is nothing. */
  get writes(): boolean {
    return this.#audit.length > 0 || [...this.#changes.values()].some(({ value }) => value !== undefined);
  }

  /** Adds a change. `expect` as the engine's port has it. */
  put(key: string, value: string | null, expect?: number | null): void {
    this.add(expect === undefined ? { key, value } : { key, value, expect });
  }

  add(change: Change): void {
    const before = this.#changes.get(change.key);
    this.#changes.set(change.key, before !== undefined && "expect" in before ? { ...change, expect: before.expect as number | null } : change);
  }

  has(key: string): boolean {
    return this.#changes.has(key);
  }

  drop(key: string): void {
    this.#changes.delete(key);
  }

  tell(...bodies: readonly AuditBody[]): void {
    this.#audit.push(...bodies);
  }

  /** Called with the new versions once everything is kept. */
  onKept(listener: (versions: Readonly<Record<string, number>>) => void): void {
    this.#kept.push(listener);
  }

  /** Called where nothing of it was kept. */
  onLost(listener: () => void): void {
    this.#lost.push(listener);
  }

  /** Gives everything up. */
  clear(): void {
    for (const listener of this.#lost) listener();
    this.#empty();
  }

  /** Commits. Where an expectation does not hold, or the engine fails, everything is given up. */
  async commit(engine: Engine): Promise<Committed> {
    let committed: Committed;
    try {
      committed = await engine.commit({ tenant: this.tenant, changes: [...this.#changes.values()], ...(this.#audit.length === 0 ? {} : { audit: this.#audit.slice() }) });
    } catch (error) {
      this.clear();
      throw error;
    }
    if (!committed.ok) {
      this.clear();
      return committed;
    }
    for (const listener of this.#kept) listener(committed.versions);
    this.#empty();
    return committed;
  }

  #empty(): void {
    this.#changes.clear();
    this.#audit.length = 0;
    this.#kept = [];
    this.#lost = [];
  }
}
