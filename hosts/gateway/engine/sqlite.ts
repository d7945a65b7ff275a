// The embedded engine: one SQLite file in WAL mode with synchronous FULL, commits in groups, one process a folder.
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, engineError, openDatabase, type Statement, sqliteCode } from "./driver.ts";
import { afterPrefix, requireKey, requireTenant, requireValue } from "./names.ts";
import { type Commit, type Committed, type Engine, EngineError, type Runner, type Sealer, type Stored } from "./port.ts";
import { Recent, type Row } from "./recent.ts";
import { type Due, Runs } from "./runs.ts";
import { copyOf, migrate, type Migrating } from "./schema.ts";
import { Waiters } from "./waiters.ts";

/** The store's file in its folder. */
export const FILE = "store.db";

/** A commit that waits for its group; runs are part of it. */
interface Pending {
  readonly commit: Commit | null;
  readonly add: readonly Due[];
  readonly remove: readonly Due[];
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
}

type Read = { readonly value: string | null; readonly version: number | bigint };

export interface SqliteOptions {
  /** Told of a run that failed; it comes again. */
  readonly failed?: (tenant: string, call: string, error: unknown) => void;
  readonly clock?: () => number;
  /** For tests of migrations alone. */
  readonly migrating?: Pick<Migrating, "migrations">;
}

export class SqliteEngine implements Engine {
  readonly name = "embedded";
  readonly #folder: string;
  readonly #options: SqliteOptions;
  readonly #waiters = new Waiters();
  readonly #recent = new Recent();
  readonly #last = new Map<string, { seq: number; line: string } | null>();
  #database: Database | null = null;
  #lock: Database | null = null;
  #sql: Statements | null = null;
  #runs: Runs | null = null;
  #seal: Sealer | null = null;
  #queue: Pending[] = [];
  #flushing = false;

  /** @param folder made where it is not there, for its owner alone */
  constructor(folder: string, options: SqliteOptions = {}) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Opens the store without running anything: for tools that look at it while no gateway runs. Fails as `start`. */
  async open(seal: Sealer): Promise<void> {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#lock = await locked(join(this.#folder, "lock.db"));
      const file = join(this.#folder, FILE);
      this.#database = await openDatabase(file);
      chmodSync(file, 0o600);
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON");
      migrate(this.#database, { ...this.#options.migrating, older: (version) => copyBefore(this.#database!, file, version) });
      this.#sql = statements(this.#database);
      this.#seal = seal;
    } catch (error) {
      this.#close();
      throw engineError(error, `the store in ${this.#folder} cannot be opened`);
    }
  }

  async start(runner: Runner, seal: Sealer): Promise<void> {
    await this.open(seal);
    this.#runs = new Runs(
      runner,
      this.#options.clock ?? Date.now,
      (due) => void this.#enqueue(null, [], [due]).catch(() => undefined),
      (due, error) => this.#options.failed?.(due.tenant, due.call, error),
    );
    for (const { tenant, call, at } of this.#sql!.runs.all() as { tenant: string; call: string; at: number | bigint }[]) this.#runs.add({ tenant, call, at: Number(at) });
  }

  async get(tenant: string, key: string): Promise<Stored | null> {
    requireTenant(tenant);
    requireKey(key);
    return this.#guarded(() => this.#read(tenant, key));
  }

  async list(tenant: string, prefix: string, page: { readonly after?: string; readonly limit?: number; readonly descending?: boolean } = {}): Promise<readonly (Stored & { readonly key: string })[]> {
    requireTenant(tenant);
    if (prefix !== "") requireKey(prefix);
    const limit = Math.max(0, Math.min(page.limit ?? 1000, 1000));
    const until = afterPrefix(prefix);
    if (this.#sql !== null && this.#recent.isEmpty(tenant, prefix)) return [];
    return this.#guarded((sql) => {
      const rows = (
        page.descending
          ? sql.descending.all(tenant, prefix, page.after === undefined || page.after > until ? until : page.after, limit)
          : sql.ascending.all(tenant, prefix, until, page.after ?? "", limit)
      ) as (Read & { key: string })[];
      if (rows.length === 0 && page.after === undefined && limit > 0) this.#recent.setEmpty(tenant, prefix);
      return rows.map(({ key, value, version }) => ({ key, value: value!, version: Number(version) }));
    });
  }

  async commit(commit: Commit): Promise<Committed> {
    requireTenant(commit.tenant);
    for (const { key, value } of commit.changes) {
      requireKey(key);
      if (value !== undefined && value !== null) requireValue(value);
    }
    return this.#enqueue(commit, [], []);
  }

  async run(tenant: string, call: string): Promise<void> {
    await this.runAt(tenant, call, 0);
  }

  async runAt(tenant: string, call: string, at: number): Promise<void> {
    requireTenant(tenant);
    requireKey(call);
    const due: Due = { tenant, call, at: Math.max(0, Math.ceil(at)) };
    await this.#enqueue(null, [due], []);
    this.#runs?.add(due);
  }

  async changed(tenant: string, key: string, version: number, timeoutMs: number, signal?: AbortSignal): Promise<Stored | null> {
    return this.#waiters.wait(`${tenant}\u0000${key}`, () => this.#guarded(() => this.#read(tenant, key)), version, timeoutMs, signal);
  }

  async audit(tenant: string, from: number, limit: number): Promise<readonly string[]> {
    requireTenant(tenant);
    return this.#guarded((sql) => (sql.audit.all(tenant, Math.max(0, Math.ceil(from)), Math.max(0, Math.min(limit, 10_000))) as { line: string }[]).map(({ line }) => line));
  }

  async tenants(): Promise<readonly string[]> {
    return this.#guarded((sql) => (sql.tenants.all() as { tenant: string }[]).map(({ tenant }) => tenant));
  }

  /** Writes a whole copy of the store as it is now, while it is used. Fails with `engine_unavailable` where the file is there already. */
  async backup(file: string): Promise<void> {
    this.#guarded(() => {
      // Made empty before it holds anything, so that nobody else can read it while it is written.
      closeSync(openSync(file, "wx", 0o600));
      this.#database!.prepare("VACUUM INTO ?").run(file);
    });
  }

  /** Deleted values are overwritten in the store's file (secure_delete); this empties the log of writes beside it, which still has them. */
  async scrub(): Promise<void> {
    this.#guarded(() => this.#database!.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
  }

  /** SQLite's own check of the file; the first problems, or none. */
  async problems(): Promise<readonly string[]> {
    const rows = this.#guarded(() => this.#database!.prepare("PRAGMA integrity_check(20)").all()) as Record<string, string>[];
    return rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== "ok");
  }

  async stop(graceMs = 10_000): Promise<void> {
    await this.#runs?.stop(graceMs);
    this.#runs = null;
    while (this.#queue.length > 0) this.#flush();
    this.#close();
  }

  #read(tenant: string, key: string): Stored | null {
    const { value, version } = this.#row(tenant, key);
    return value === null ? null : { value, version };
  }

  #row(tenant: string, key: string): Row {
    const known = this.#recent.get(tenant, key);
    if (known !== undefined) return known;
    const read = this.#sql!.get.get(tenant, key) as Read | undefined;
    const row = read === undefined ? NEVER : { value: read.value, version: Number(read.version) };
    this.#recent.set(tenant, key, row);
    return row;
  }

  #guarded<T>(work: (sql: Statements) => T): T {
    if (this.#sql === null) throw new EngineError("engine_unavailable", "the store is closed");
    try {
      return work(this.#sql);
    } catch (error) {
      throw engineError(error, "the store does not answer");
    }
  }

  #enqueue(commit: Commit | null, add: readonly Due[], remove: readonly Due[]): Promise<Committed> {
    if (this.#sql === null) return Promise.reject(new EngineError("engine_unavailable", "the store is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ commit, add, remove, resolve, reject });
      if (this.#flushing) return;
      this.#flushing = true;
      // What arrives in this turn of the event loop is one group: one transaction, one write to the disk.
      setImmediate(() => {
        this.#flushing = false;
        this.#flush();
      });
    });
  }

  /** One transaction over all that waits. Either all of it is on disk when it is told, or none. */
  #flush(): void {
    const group = this.#queue;
    this.#queue = [];
    if (group.length === 0) return;
    const answers: Committed[] = [];
    const told: [name: string, stored: Stored | null][] = [];
    try {
      if (this.#sql === null) throw new EngineError("engine_unavailable", "the store is closed");
      this.#database!.exec("BEGIN IMMEDIATE");
      for (const pending of group) answers.push(this.#apply(pending, told));
      this.#database!.exec("COMMIT");
    } catch (error) {
      this.#last.clear();
      this.#recent.clear();
      try {
        this.#database?.exec("ROLLBACK");
      } catch {
        // There was no transaction any more: SQLite has rolled it back itself.
      }
      const failure = engineError(error, "nothing was committed");
      for (const { reject } of group) reject(failure);
      return;
    }
    for (const [index, { resolve }] of group.entries()) resolve(answers[index]!);
    for (const [name, stored] of told) this.#waiters.tell(name, stored);
  }

  #apply({ commit, add, remove }: Pending, told: [string, Stored | null][]): Committed {
    const sql = this.#sql!;
    for (const { tenant, call, at } of add) sql.addRun.run(tenant, call, at);
    for (const { tenant, call, at } of remove) sql.removeRun.run(tenant, call, at);
    if (commit === null) return { ok: true, versions: {}, audit: [] };
    const { tenant, changes } = commit;
    for (const { key, expect } of changes) {
      if (expect === undefined) continue;
      const stored = this.#read(tenant, key);
      if ((stored?.version ?? null) !== expect) return { ok: false, key, stored };
    }
    const versions: Record<string, number> = Object.create(null) as Record<string, number>;
    for (const { key, value } of changes) {
      if (value === undefined) continue;
      const before = this.#row(tenant, key);
      if (value === null && before.value === null) continue;
      const version = before.version + 1;
      sql.put.run(tenant, key, value, version);
      this.#recent.set(tenant, key, { value, version });
      versions[key] = version;
      told.push([`${tenant}\u0000${key}`, value === null ? null : { value, version }]);
    }
    return { ok: true, versions: { ...versions }, audit: commit.audit === undefined ? [] : this.#append(tenant, commit.audit) };
  }

  #append(tenant: string, bodies: NonNullable<Commit["audit"]>): number[] {
    let last = this.#last.get(tenant);
    if (last === undefined) {
      const row = this.#sql!.end.get(tenant) as { seq: number | bigint; line: string } | undefined;
      last = row === undefined ? null : { seq: Number(row.seq), line: row.line };
    }
    const first = last === null ? 0 : last.seq + 1;
    for (const line of this.#seal!(tenant, last?.line ?? null, bodies)) {
      last = { seq: (last?.seq ?? -1) + 1, line };
      this.#sql!.append.run(tenant, last.seq, line);
    }
    this.#last.set(tenant, last);
    return bodies.map((_, index) => first + index);
  }

  #close(): void {
    this.#sql = null;
    this.#recent.clear();
    for (const database of [this.#database, this.#lock]) {
      try {
        database?.close();
      } catch {
        // It was closed by its error.
      }
    }
    this.#database = this.#lock = null;
  }
}

/** Of a record that never was. */
const NEVER: Row = { value: null, version: 0 };

interface Statements {
  readonly get: Statement;
  readonly put: Statement;
  readonly ascending: Statement;
  readonly descending: Statement;
  readonly tenants: Statement;
  readonly end: Statement;
  readonly append: Statement;
  readonly audit: Statement;
  readonly runs: Statement;
  readonly addRun: Statement;
  readonly removeRun: Statement;
}

function statements(database: Database): Statements {
  const columns = "SELECT key, value, version FROM record WHERE tenant = ? AND value IS NOT NULL";
  return {
    get: database.prepare("SELECT value, version FROM record WHERE tenant = ? AND key = ?"),
    put: database.prepare("INSERT INTO record (tenant, key, value, version) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value, version = excluded.version"),
    ascending: database.prepare(`${columns} AND key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`),
    descending: database.prepare(`${columns} AND key >= ? AND key < ? ORDER BY key DESC LIMIT ?`),
    tenants: database.prepare("SELECT tenant FROM record WHERE value IS NOT NULL UNION SELECT tenant FROM audit ORDER BY tenant"),
    end: database.prepare("SELECT seq, line FROM audit WHERE tenant = ? ORDER BY seq DESC LIMIT 1"),
    append: database.prepare("INSERT INTO audit (tenant, seq, line) VALUES (?, ?, ?)"),
    audit: database.prepare("SELECT line FROM audit WHERE tenant = ? AND seq >= ? ORDER BY seq LIMIT ?"),
    runs: database.prepare("SELECT tenant, call, at FROM run ORDER BY at, tenant, call"),
    addRun: database.prepare("INSERT OR IGNORE INTO run (tenant, call, at) VALUES (?, ?, ?)"),
    removeRun: database.prepare("DELETE FROM run WHERE tenant = ? AND call = ? AND at = ?"),
  };
}

/** Holds a lock that ends with the process, however it ends. Fails with `store_in_use`. */
async function locked(file: string): Promise<Database> {
  const lock = await openDatabase(file);
  try {
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== "SQLITE_BUSY") throw error;
    throw new EngineError("store_in_use", "another gateway uses this folder: stop it first, or name another folder");
  }
}

/** Keeps an older file as it is, beside the one that is brought up: whole before it has its name. */
function copyBefore(database: Database, file: string, version: number): void {
  const copy = copyOf(file, version);
  const beside = `${copy}.part`;
  try {
    rmSync(beside, { force: true });
    closeSync(openSync(beside, "wx", 0o600));
    database.prepare("VACUUM INTO ?").run(beside);
    renameSync(beside, copy);
  } finally {
    rmSync(beside, { force: true });
  }
}
