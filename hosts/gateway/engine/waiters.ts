// Who waits for a record to change, in this process.
import type { Stored } from "./port.ts";

export class Waiters {
  readonly #waiting = new Map<string, Set<(stored: Stored | null) => void>>();

  /** Resolves as `Engine.changed` says; `read` gives the record now. */
  wait(name: string, read: () => Stored | null, version: number, timeoutMs: number, signal?: AbortSignal): Promise<Stored | null> {
    const now = read();
    if (now !== null && now.version > version) return Promise.resolve(now);
    if (signal?.aborted || timeoutMs <= 0) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, waiting);
      const end = (stored: Stored | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        waiting.delete(look);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve(stored);
      };
      const look = (stored: Stored | null): void => {
        if (stored !== null && stored.version > version) end(stored);
      };
      const stop = (): void => end(null);
      const timer = setTimeout(stop, Math.min(timeoutMs, 0x7fffffff));
      waiting.add(look);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Tells those who wait for a record; null: it was deleted. */
  tell(name: string, stored: Stored | null): void {
    for (const look of [...(this.#waiting.get(name) ?? [])]) look(stored);
  }
}
