// The store in one SQLite file, for Deno, Bun and Node by the module that all three have: shared by every process of the machine.
/// <reference path="./node-sqlite.d.ts" />
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../shared/web/store.ts";

/** How long a process waits for another that is writing, in milliseconds. */
const BUSY = 5000;

/** Records of sessions in an SQLite file. A swap is one statement, on disk before it answers. */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #read: ReturnType<DatabaseSync["prepare"]>;
  readonly #insert: ReturnType<DatabaseSync["prepare"]>;
  readonly #update: ReturnType<DatabaseSync["prepare"]>;

  /** @param file its path; `:memory:` keeps nothing beyond this process */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS kept (session TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, key)) WITHOUT ROWID`);
    this.#read = this.#database.prepare("SELECT text FROM kept WHERE session = ? AND key = ?");
    this.#insert = this.#database.prepare("INSERT INTO kept (session, key, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    this.#update = this.#database.prepare("UPDATE kept SET text = ? WHERE session = ? AND key = ? AND text = ?");
  }

  async read(session: string, key: string): Promise<string | null> {
    return (this.#read.get(session, key) as { text: string } | undefined)?.text ?? null;
  }

  async swap(session: string, key: string, expected: string | null, next: string): Promise<boolean> {
    const { changes } = expected === null ? this.#insert.run(session, key, next) : this.#update.run(next, session, key, expected);
    return Number(changes) === 1;
  }

  close(): void {
    this.#database.close();
  }
}
