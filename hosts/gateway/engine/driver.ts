// Opens an SQLite database by whichever binding is there: better-sqlite3, else Node's own (22.13 and newer). What the store uses of either is this much.
import { EngineError } from "./port.ts";

export type Value = string | number | bigint | null;

export interface Statement {
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  run(...values: Value[]): unknown;
}

export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** better-sqlite3 where it works here; looked for once. */
let binding: Promise<((file: string) => { close(): unknown }) | null> | null = null;

/** Opens a file, made where it is not there. Throws EngineError `engine_unavailable` where there is no binding, and SQLite's own errors with their codes. */
export async function openDatabase(file: string): Promise<Database> {
  binding ??= import("better-sqlite3").then(
    ({ default: better }) => {
      // The package may be there without its native part, where install scripts are off: that shows only when something is opened.
      better(":memory:").close();
      return better;
    },
  ).catch(() => null);
  const better = await binding;
  if (better !== null) return better(file) as unknown as Database;
  const { DatabaseSync } = await nodeSqlite();
  return new DatabaseSync(file);
}

async function nodeSqlite(): Promise<{ DatabaseSync: new (file: string) => Database }> {
  const name = "node:sqlite";
  try {
    return (await import(name)) as { DatabaseSync: new (file: string) => Database };
  } catch (cause) {
    throw new EngineError("engine_unavailable", "neither better-sqlite3 nor Node's own SQLite is there: run `npm install better-sqlite3`, or use Node 22.13 or newer", { cause });
  }
}

/** SQLite's primary result code of an error, by either binding; null where it is another kind of error. */
export function sqliteCode(error: unknown): string | null {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return { 5: "SQLITE_BUSY", 6: "SQLITE_LOCKED", 8: "SQLITE_READONLY", 10: "SQLITE_IOERR", 11: "SQLITE_CORRUPT", 13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 26: "SQLITE_NOTADB" }[errcode & 0xff] ?? "SQLITE_ERROR";
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return null;
  return /^SQLITE_[A-Z]+/.exec(code)![0];
}

/** The engine's error for one of SQLite's. */
export function engineError(error: unknown, what: string): EngineError {
  if (error instanceof EngineError) return error;
  const options = { cause: error };
  switch (sqliteCode(error)) {
    case "SQLITE_FULL":
      return new EngineError("store_full", `${what}: the disk is full. Nothing was committed; make room and ask again`, options);
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
      return new EngineError("store_corrupt", `${what}: the store's file is damaged, or is no store. Stop the gateway, keep the file, and restore the last backup`, options);
    default:
      return new EngineError("engine_unavailable", `${what}: ${error instanceof Error ? error.message : String(error)}`, options);
  }
}
