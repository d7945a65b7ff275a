// The sessions of a hook without a gateway: one SQLite file, which the processes of calls made side by side change one after another.
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { History } from "interlock";
import { type Database, engineError, openDatabase } from "../../engine/driver.ts";
import { hookError } from "./input.ts";

/** How long a process waits for the others' turns, in milliseconds. */
const TURN_MS = 20_000;
/** The tables' version, in the file's `user_version`. */
const VERSION = 2;
/** So many sessions are forgotten at one use at most: a hook is not to be waited for. */
const FORGOTTEN_AT_ONCE = 20;

const TABLES = `
  CREATE TABLE entry (session TEXT NOT NULL, step INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (session, step)) WITHOUT ROWID;
  CREATE TABLE session (session TEXT PRIMARY KEY, reports TEXT, incomplete INTEGER NOT NULL, used INTEGER) WITHOUT ROWID;
  CREATE INDEX session_of_use ON session (used);
  CREATE TABLE call (session TEXT NOT NULL, step INTEGER NOT NULL, use TEXT, tool TEXT NOT NULL, input TEXT NOT NULL, confirmation TEXT, PRIMARY KEY (session, step)) WITHOUT ROWID;
  CREATE INDEX call_of_use ON call (session, use);
  PRAGMA user_version = ${VERSION};`;

/** What a file of version 1 lacks; its sessions count as used when it is opened. */
const SINCE_1 = "ALTER TABLE session ADD COLUMN used INTEGER; CREATE INDEX session_of_use ON session (used)";

/** How long sessions are kept that are not used. */
export interface Keeping {
  /** Seconds since 1970. */
  readonly clock: () => number;
  /** Seconds after its last use in which a session is kept. */
  readonly seconds: number;
}

/** A call that was let through or asked about, until its outcome is known. */
export interface OpenCall {
  readonly step: number;
  /** The question's token; null of a call that needed none. */
  readonly confirmation: string | null;
}

/** A session within its turn. */
export interface Turn {
  readonly history: History;
  /** Whether a call of it ran that its history does not have. */
  readonly incomplete: boolean;
  /** Keeps a history that grew from this turn's. */
  keep(history: History): void;
  markIncomplete(): void;
  /** Notes a call whose outcome is to come. `input` names its arguments, where the harness gives calls no ids. */
  open(call: OpenCall & { readonly use: string | null; readonly tool: string; readonly input: string }): void;
  /** The call that an outcome is of: by the harness's id, else the last with this tool and input. Null where none is open. */
  opened(call: { readonly use: string | null; readonly tool: string; readonly input: string }): OpenCall | null;
  close(step: number): void;
}

export class KeptSessions {
  readonly #database: Database;
  readonly #keeping: Keeping;

  private constructor(database: Database, keeping: Keeping) {
    this.#database = database;
    this.#keeping = keeping;
  }

  /** Opens the file of a folder. Throws EngineError `engine_unavailable`, `store_corrupt`, `store_full`, and `store_newer`. */
  static async open(folder: string, keeping: Keeping): Promise<KeptSessions> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, "sessions.db");
    const database = await openDatabase(file);
    try {
      database.exec(`PRAGMA busy_timeout = ${TURN_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
      const version = () => Number((database.prepare("PRAGMA user_version").get() as { user_version: number | bigint }).user_version);
      if (version() < VERSION) {
        chmodSync(file, 0o600);
        database.exec("BEGIN IMMEDIATE");
        const [found, now] = [version(), Math.floor(keeping.clock())];
        if (found === 0) database.exec(TABLES);
        if (found === 1) database.exec(`${SINCE_1}; UPDATE session SET used = ${now}; PRAGMA user_version = ${VERSION}`);
        database.exec("COMMIT");
      }
      if (version() > VERSION) throw hookError("store_newer", `${file} was written by a newer version: start that one`);
      return new KeptSessions(database, keeping);
    } catch (error) {
      database.close();
      throw (error as { code?: unknown }).code === "store_newer" ? error : engineError(error, `the hook's sessions in ${file}`);
    }
  }

  /** Runs a turn of a session: nobody else's is between its reading and its keeping. What it throws keeps nothing. */
  turn<Result>(session: string, work: (turn: Turn) => Result): Result {
    const database = this.#database;
    try {
      database.exec("BEGIN IMMEDIATE");
    } catch (error) {
      throw engineError(error, "the hook's sessions");
    }
    try {
      const result = work(this.#read(session));
      this.#used(session);
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  /** Notes that a session is used, and forgets some that were not for too long. Of those the name stays: a call that comes in one after all is asked about, since its order rules cannot be held any more. */
  #used(session: string): void {
    const database = this.#database;
    const now = Math.floor(this.#keeping.clock());
    database.prepare("UPDATE session SET used = ? WHERE session = ?").run(now, session);
    const old = database.prepare("SELECT session FROM session WHERE used < ? AND session <> ? ORDER BY used LIMIT ?").all(now - this.#keeping.seconds, session, FORGOTTEN_AT_ONCE) as { session: string }[];
    for (const { session: name } of old) {
      for (const table of ["entry", "call"]) database.prepare(`DELETE FROM ${table} WHERE session = ?`).run(name);
      database.prepare("UPDATE session SET reports = NULL, incomplete = 1, used = NULL WHERE session = ?").run(name);
    }
  }

  #read(session: string): Turn {
    const database = this.#database;
    const entries = (database.prepare("SELECT text FROM entry WHERE session = ? ORDER BY step").all(session) as { text: string }[]).map(({ text }) => text);
    const kept = database.prepare("SELECT reports, incomplete FROM session WHERE session = ?").get(session) as { reports: string | null; incomplete: number | bigint } | undefined;
    const reports = kept?.reports ?? null;
    const history = History.parse(`{"entries":[${entries.join(",")}],"format":"qls-history/1",${reports === null ? "" : `"reports":${reports},`}"session":${JSON.stringify(session)}}`);
    const set = database.prepare("INSERT INTO session (session, reports, incomplete) VALUES (?, ?, ?) ON CONFLICT (session) DO UPDATE SET reports = excluded.reports, incomplete = max(incomplete, excluded.incomplete)");
    return {
      history,
      incomplete: Number(kept?.incomplete ?? 0) !== 0,
      keep: (grown) => {
        const document = grown.toDict() as { entries: unknown[]; reports?: unknown };
        const put = database.prepare("INSERT INTO entry (session, step, text) VALUES (?, ?, ?) ON CONFLICT (session, step) DO UPDATE SET text = excluded.text");
        // What changes is the last entry's outcome, and what comes after it.
        for (let step = Math.max(0, history.length - 1); step < grown.length; step++) put.run(session, step, JSON.stringify(document.entries[step]));
        set.run(session, document.reports === undefined ? null : JSON.stringify(document.reports), 0);
      },
      markIncomplete: () => void set.run(session, reports, 1),
      open: ({ step, confirmation, use, tool, input }) => void database.prepare("INSERT INTO call (session, step, use, tool, input, confirmation) VALUES (?, ?, ?, ?, ?, ?)").run(session, step, use, tool, input, confirmation),
      opened: ({ use, tool, input }) => {
        const byUse = use === null ? undefined : database.prepare("SELECT step, confirmation FROM call WHERE session = ? AND use = ? AND tool = ? ORDER BY step DESC LIMIT 1").get(session, use, tool);
        const found = byUse ?? database.prepare("SELECT step, confirmation FROM call WHERE session = ? AND use IS NULL AND tool = ? AND input = ? ORDER BY step DESC LIMIT 1").get(session, tool, input);
        if (found === undefined || found === null) return null;
        const { step, confirmation } = found as { step: number | bigint; confirmation: string | null };
        return { step: Number(step), confirmation };
      },
      close: (step) => void database.prepare("DELETE FROM call WHERE session = ? AND step = ?").run(session, step),
    };
  }
}
