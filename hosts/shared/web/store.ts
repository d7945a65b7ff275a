// Where a web host keeps what it knows of its sessions: one small interface, and how records are named.

/**
 * Keeps small texts without U+0000 (some SQLite bindings end a text there). Several replicas may use one store: `swap` is what serialises them (chapter 4, Parallel calls).
 * A store that cannot answer throws; nothing is decided then.
 */
export interface Store {
  /**
   * The record `key` of `session`; null where there is none yet.
   * @param session names a session's records; a store may keep each session somewhere else
   */
  read(session: string, key: string): Promise<string | null>;
  /**
   * Writes `next` where the record still is `expected` (null: not there), whole and durable before it answers true. False where it is not; nothing is written then.
   */
  swap(session: string, key: string, expected: string | null, next: string): Promise<boolean>;
}

/** The record of a session's head. */
export const HEAD = "head";

/** The record of how often an entry was admitted. `once` is chapter 3's name of it, which two branches of a history share. */
export function sentKey(once: string): string {
  return `once/${once}`;
}
