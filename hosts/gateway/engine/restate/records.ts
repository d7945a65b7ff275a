// A tenant's records in the object's cells: each with its version, also once it is deleted; a long value in a cell of its own, so that a commit never reads it.
import { afterPrefix } from "../names.ts";
import { type Change, type Committed, EngineError, type Stored } from "../port.ts";
import type { Cells } from "./cells.ts";
import { Ordered } from "./ordered.ts";

/** A record's cell. `text`: its value where that is short; `size`: the characters of a long one; neither: it was deleted. */
interface Kept {
  readonly version: number;
  readonly text?: string;
  readonly size?: number;
}

/** The characters of a value that stands in its record's cell. */
const SHORT = 2_000;

const cellOf = (key: string): string => `r/${key}`;
const longOf = (key: string): string => `v/${key}`;

export class Records {
  readonly #cells: Cells;
  readonly #keys: Ordered;

  constructor(cells: Cells) {
    this.#cells = cells;
    this.#keys = new Ordered(cells);
  }

  load(keys: Iterable<string>): Promise<void> {
    return this.#cells.load([...keys].map(cellOf));
  }

  /** The characters of a record's value: 0 where there is none. */
  async sizeOf(key: string): Promise<number> {
    const kept = await this.#cells.get<Kept>(cellOf(key));
    return kept?.size ?? kept?.text?.length ?? 0;
  }

  async get(key: string): Promise<Stored | null> {
    const kept = await this.#cells.get<Kept>(cellOf(key));
    if (kept === null || !isThere(kept)) return null;
    const value = kept.text ?? (await this.#cells.get<string>(longOf(key)));
    if (value === null) throw new EngineError("store_corrupt", `the value of ${key} is not in the store: restore Restate's last snapshot`);
    return { value, version: kept.version };
  }

  /** The first key whose expectation does not hold; undefined where all do. */
  async refused(changes: readonly Change[]): Promise<string | undefined> {
    for (const { key, expect } of changes) {
      if (expect === undefined) continue;
      const kept = await this.#cells.get<Kept>(cellOf(key));
      if ((kept !== null && isThere(kept) ? kept.version : null) !== expect) return key;
    }
    return undefined;
  }

  async change(changes: readonly Change[]): Promise<Extract<Committed, { ok: true }>["versions"]> {
    const versions: [string, number][] = [];
    for (const { key, value } of changes) {
      if (value === undefined) continue;
      const before = await this.#cells.get<Kept>(cellOf(key));
      const wasThere = before !== null && isThere(before);
      if (value === null && !wasThere) continue;
      const version = (before?.version ?? 0) + 1;
      const isLong = value !== null && value.length > SHORT;
      this.#cells.set(cellOf(key), value === null ? { version } : isLong ? { version, size: value.length } : { version, text: value });
      if (isLong) this.#cells.set(longOf(key), value);
      else if (before?.size !== undefined) this.#cells.set(longOf(key), null);
      if (value === null) await this.#keys.remove(key);
      else if (!wasThere) await this.#keys.add(key);
      versions.push([key, version]);
    }
    return Object.fromEntries(versions);
  }

  /** Keys of records, as `Engine.list` has them, at most `limit`. */
  async keys(prefix: string, after: string | undefined, limit: number, descending: boolean): Promise<readonly string[]> {
    const end = afterPrefix(prefix);
    const from = descending || after === undefined || after < prefix ? prefix : `${after}\u0000`;
    const to = descending && after !== undefined && after < end ? after : end;
    const found: string[] = [];
    if (limit <= 0) return found;
    for await (const key of this.#keys.between(from, to, descending)) {
      found.push(key);
      if (found.length >= limit) break;
    }
    return found;
  }
}

function isThere({ text, size }: Kept): boolean {
  return text !== undefined || size !== undefined;
}
