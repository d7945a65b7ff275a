// The store's tables and their versions: a file is brought up to this version when it is opened, and a newer one is refused.
import type { Database } from "./driver.ts";
import { EngineError } from "./port.ts";

/** `ILK1`: tells a store from any other SQLite file. */
const APPLICATION = 0x494c4b31;

/** What brings a file from version n to n + 1. Never changed once it was released; a new one is appended. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE record (tenant TEXT NOT NULL, key TEXT NOT NULL, value TEXT, version INTEGER NOT NULL, PRIMARY KEY (tenant, key)) WITHOUT ROWID;
   CREATE TABLE audit (tenant TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (tenant, seq)) WITHOUT ROWID;
   CREATE TABLE run (tenant TEXT NOT NULL, call TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (tenant, call, at)) WITHOUT ROWID;
   CREATE INDEX run_at ON run (at);`,
];

/** The version this program writes. */
export const VERSION = MIGRATIONS.length;

/** Where an older file is kept as it was when it was brought up. */
export const copyOf = (file: string, version: number): string => `${file}.v${version}`;

/** What a migration is given but the database: by tests alone other than it is. */
export interface Migrating {
  readonly migrations?: readonly string[];
  /** Told of an older file's version before it is changed. */
  readonly older?: (version: number) => void;
}

/** Brings the file up to date. Throws EngineError `store_newer`, `store_corrupt` (another program's file). */
export function migrate(database: Database, { migrations = MIGRATIONS, older = () => undefined }: Migrating = {}): void {
  const last = migrations.length;
  const number = (pragma: string): number => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[0]);
  const version = number("user_version");
  const application = number("application_id");
  const tables = Number((database.prepare("SELECT count(*) AS n FROM sqlite_master").get() as { n: number | bigint }).n);
  if (application !== APPLICATION && (tables > 0 || application !== 0)) throw new EngineError("store_corrupt", "this SQLite file is not a gateway's store: name another folder");
  if (version > last) throw new EngineError("store_newer", `the store's file has version ${version}, and this program knows ${last}: use the newer program that wrote it`);
  if (version === last) return;
  if (version > 0) older(version);
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${last}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
