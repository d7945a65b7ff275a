// Records as the store has them that were read or written last, and prefixes under which it has none: what each call reads again is not asked of SQLite.

/** A record's row; `value` is null of a deleted record, `version` 0 of one that never was. */
export interface Row {
  readonly value: string | null;
  readonly version: number;
}

/** So many rows of a generation, and no longer value: two generations are a few megabytes. */
const ROWS = 1024;
const LONGEST = 16_384;
/** So many prefixes. */
const PREFIXES = 8192;

/** Right only where nobody else writes to the store. Whoever gives up a transaction has to clear it. */
export class Recent {
  #young = new Map<string, Row>();
  #old = new Map<string, Row>();
  readonly #empty = new Set<string>();

  /** What is known of a record; undefined where the store has to be asked. */
  get(tenant: string, key: string): Row | undefined {
    const name = nameOf(tenant, key);
    const row = this.#young.get(name);
    if (row !== undefined) return row;
    const older = this.#old.get(name);
    if (older !== undefined) this.#keep(name, older);
    return older;
  }

  /** What a record is now. */
  set(tenant: string, key: string, row: Row): void {
    const name = nameOf(tenant, key);
    this.#old.delete(name);
    if (row.value === null || row.value.length <= LONGEST) this.#keep(name, row);
    else this.#young.delete(name);
    if (row.value === null || this.#empty.size === 0) return;
    for (let at = key.indexOf("/"); at >= 0; at = key.indexOf("/", at + 1)) this.#empty.delete(nameOf(tenant, key.slice(0, at + 1)));
  }

  /** Whether it is known that no record's key begins with a prefix. */
  isEmpty(tenant: string, prefix: string): boolean {
    return this.#empty.has(nameOf(tenant, prefix));
  }

  /** Records that no key begins with a prefix; of those that end with `/` alone, where a new key shows which they are. */
  setEmpty(tenant: string, prefix: string): void {
    if (!prefix.endsWith("/")) return;
    if (this.#empty.size >= PREFIXES) this.#empty.clear();
    this.#empty.add(nameOf(tenant, prefix));
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#empty.clear();
  }

  #keep(name: string, row: Row): void {
    if (this.#young.size >= ROWS && !this.#young.has(name)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(name, row);
  }
}

function nameOf(tenant: string, key: string): string {
  return `${tenant}\u0000${key}`;
}
