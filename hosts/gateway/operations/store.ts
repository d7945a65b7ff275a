// Looks after the embedded store from outside: a copy while a gateway runs, a copy put back, a file brought up to this version.
import { chmodSync, closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, engineError, openDatabase } from "../engine/driver.ts";
import { EngineError } from "../engine/port.ts";
import { copyOf, migrate, VERSION } from "../engine/schema.ts";
import { FILE, SqliteEngine } from "../engine/sqlite.ts";

/** The record that a copy which was put back has of it: the next start tells the log, and takes it away. */
export const RESTORED = "restored";

/** What a store's file holds. */
export interface StoreFacts {
  /** The version of its tables. */
  readonly version: number;
  readonly tenants: readonly { readonly tenant: string; readonly records: number; readonly lines: number }[];
}

/**
 * Copies the store as it is at one moment, also while a gateway uses it, and checks the copy.
 * Fails with EngineError `store_missing`, `backup_exists`, `store_corrupt`, `store_full`.
 */
export async function backUp(folder: string, file: string): Promise<StoreFacts> {
  const store = join(folder, FILE);
  if (!existsSync(store)) throw new EngineError("store_missing", `there is no store in ${folder}: name the gateway's file with --config`);
  if (existsSync(file)) throw new EngineError("backup_exists", `${file} exists already: a backup replaces nothing`);
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.part`;
  try {
    // Made empty before it holds anything, so that nobody else can read it while it is written.
    closeSync(openSync(beside, "wx", 0o600));
    await withDatabase(store, (database) => database.prepare("VACUUM INTO ?").run(beside));
    const found = await facts(beside);
    sync(beside);
    renameSync(beside, file);
    sync(dirname(file));
    return found;
  } finally {
    rmSync(beside, { force: true });
  }
}

/**
 * Puts a copy in the place of a store that no gateway uses. What was there is kept beside it, and its name is answered.
 * Fails with EngineError `backup_missing`, `store_corrupt`, `store_newer`, `store_in_use`, `store_exists` (unless `replace`).
 */
export async function restore(file: string, folder: string, replace: boolean, stamp: string): Promise<StoreFacts & { readonly kept: string | null }> {
  if (!existsSync(file)) throw new EngineError("backup_missing", `there is no file ${file}`);
  const found = await facts(file);
  const store = join(folder, FILE);
  const there = existsSync(store);
  if (there && !replace) throw new EngineError("store_exists", `there is a store in ${folder} already: --force keeps it beside the one put back`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Opened and closed: takes the lock, so that a gateway that runs is noticed, and folds the log of the store's last writes into its file.
  // A newer file is put aside as well: that is the way back to this program.
  if (there) {
    await unused(folder).catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.code !== "store_newer") throw error;
    });
  }
  const kept = there ? `${store}.before-${stamp}` : null;
  if (kept !== null) renameSync(store, kept);
  for (const name of ["-wal", "-shm"]) rmSync(`${store}${name}`, { force: true });
  const beside = `${store}.${process.pid}.part`;
  copyFileSync(file, beside);
  chmodSync(beside, 0o600);
  await withDatabase(beside, (database) => {
    const note = database.prepare("INSERT INTO record (tenant, key, value, version) VALUES (?, ?, ?, 1) ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value, version = version + 1");
    for (const { tenant } of found.tenants) note.run(tenant, RESTORED, JSON.stringify({ at: stamp }));
  });
  sync(beside);
  renameSync(beside, store);
  sync(folder);
  return { ...found, kept };
}

/** Brings a store that no gateway uses up to this program's version; `kept` is the file as it was, where it was older. Fails with EngineError `store_missing`, `store_in_use`, `store_newer`, `store_corrupt`. */
export async function bringUp(folder: string): Promise<{ readonly from: number; readonly to: number; readonly kept: string | null }> {
  const store = join(folder, FILE);
  if (!existsSync(store)) throw new EngineError("store_missing", `there is no store in ${folder}`);
  const from = await withDatabase(store, version);
  await unused(folder);
  return { from, to: VERSION, kept: from > 0 && from < VERSION ? copyOf(store, from) : null };
}

async function unused(folder: string): Promise<void> {
  const engine = new SqliteEngine(folder);
  await engine.open(() => []);
  await engine.stop();
}

/** What a file holds, once SQLite has checked it whole. Fails with `store_corrupt`, `store_newer`. */
async function facts(file: string): Promise<StoreFacts> {
  return withDatabase(file, (database) => {
    const problems = (database.prepare("PRAGMA integrity_check(5)").all() as Record<string, unknown>[]).map((row) => String(Object.values(row)[0])).filter((text) => text !== "ok");
    if (problems.length > 0) throw new EngineError("store_corrupt", `${file} is damaged: ${problems[0]}`);
    const found = version(database);
    if (found === 0) throw new EngineError("store_corrupt", `${file} is no store of a gateway`);
    if (found > VERSION) migrate(database);
    const count = "SELECT tenant, count(*) AS n FROM record WHERE value IS NOT NULL GROUP BY tenant";
    const lines = new Map((database.prepare("SELECT tenant, count(*) AS n FROM audit GROUP BY tenant").all() as { tenant: string; n: number | bigint }[]).map(({ tenant, n }) => [tenant, Number(n)]));
    const records = new Map((database.prepare(count).all() as { tenant: string; n: number | bigint }[]).map(({ tenant, n }) => [tenant, Number(n)]));
    const tenants = [...new Set([...records.keys(), ...lines.keys()])].sort().map((tenant) => ({ tenant, records: records.get(tenant) ?? 0, lines: lines.get(tenant) ?? 0 }));
    return { version: found, tenants };
  });
}

function version(database: Database): number {
  return Number(Object.values(database.prepare("PRAGMA user_version").get() as Record<string, unknown>)[0]);
}

async function withDatabase<T>(file: string, work: (database: Database) => T): Promise<T> {
  let database: Database | null = null;
  try {
    database = await openDatabase(file);
    return work(database);
  } catch (error) {
    throw engineError(error, file);
  } finally {
    database?.close();
  }
}

/** Whatever was written to a file or a folder is on the disk. */
function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
