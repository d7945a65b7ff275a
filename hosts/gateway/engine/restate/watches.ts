// Looks for changes that other gateways make to records that somebody waits for here. Changes made here are told at once.
import type { Stored } from "../port.ts";

/** Milliseconds between two looks: the first soon after a wait began, later ones ever further apart. */
const PAUSES = [50, 100, 200, 400, 700, 1_000];

interface Watch {
  count: number;
  looks: number;
  timer: ReturnType<typeof setTimeout>;
}

export class Watches {
  readonly #read: (tenant: string, key: string) => Promise<Stored | null>;
  readonly #tell: (tenant: string, key: string, stored: Stored | null) => void;
  readonly #watches = new Map<string, Watch>();

  constructor(read: (tenant: string, key: string) => Promise<Stored | null>, tell: (tenant: string, key: string, stored: Stored | null) => void) {
    this.#read = read;
    this.#tell = tell;
  }

  /** Looks at a record until the function that it gives is called. */
  watch(tenant: string, key: string): () => void {
    const name = `${tenant}\u0000${key}`;
    const known = this.#watches.get(name);
    if (known !== undefined) known.count++;
    else {
      const watch: Watch = { count: 1, looks: 0, timer: setTimeout(() => undefined, 0) };
      this.#watches.set(name, watch);
      this.#later(name, watch, tenant, key);
    }
    return () => {
      const watch = this.#watches.get(name);
      if (watch === undefined || --watch.count > 0) return;
      clearTimeout(watch.timer);
      this.#watches.delete(name);
    };
  }

  stop(): void {
    for (const { timer } of this.#watches.values()) clearTimeout(timer);
    this.#watches.clear();
  }

  #later(name: string, watch: Watch, tenant: string, key: string): void {
    clearTimeout(watch.timer);
    watch.timer = setTimeout(() => {
      void this.#read(tenant, key)
        // What cannot be read now is looked at again.
        .then((stored) => this.#tell(tenant, key, stored), () => undefined)
        .finally(() => {
          if (this.#watches.get(name) === watch) this.#later(name, watch, tenant, key);
        });
    }, PAUSES[Math.min(watch.looks++, PAUSES.length - 1)]!);
  }
}
