// The object's state while one request is worked on: what was read is remembered, what is changed is written at the end, or given up.

/** The state of an object of Restate. Read in the same order each time, since a replay answers from the journal. */
export interface State {
  read(names: readonly string[]): Promise<readonly unknown[]>;
  /** Null removes the cell. */
  write(name: string, value: unknown): void;
}

/** So many cells are asked for at once. */
const AT_ONCE = 200;

export class Cells {
  readonly #state: State;
  readonly #known = new Map<string, unknown>();
  readonly #changed = new Map<string, unknown>();

  constructor(state: State) {
    this.#state = state;
  }

  /** Reads cells that will be needed, together. */
  async load(names: Iterable<string>): Promise<void> {
    const missing = [...new Set(names)].filter((name) => !this.#known.has(name));
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE);
      const values = await this.#state.read(some);
      for (const [index, name] of some.entries()) this.#known.set(name, values[index] ?? null);
    }
  }

  /** What a cell holds; null where it is not there. Not to be changed in place. */
  async get<T>(name: string): Promise<T | null> {
    if (this.#changed.has(name)) return this.#changed.get(name) as T | null;
    if (!this.#known.has(name)) await this.load([name]);
    return this.#known.get(name) as T | null;
  }

  set(name: string, value: unknown): void {
    this.#changed.set(name, value);
  }

  /** Forgets every change. */
  giveUp(): void {
    this.#changed.clear();
  }

  /** Writes every change. */
  write(): void {
    for (const [name, value] of this.#changed) this.#state.write(name, value);
    this.#changed.clear();
  }
}
