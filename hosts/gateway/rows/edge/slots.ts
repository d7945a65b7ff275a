// The places a tool has for calls in hand at once: who has one, and who is next.

interface Tool {
  readonly holders: Set<string>;
  readonly next: string[];
}

export class Slots {
  readonly #tools = new Map<string, Tool>();

  /** Takes a place for a call; false where it has to wait for one. First come, first served. */
  take(tenant: string, tool: string, call: string, places: number): boolean {
    const key = JSON.stringify([tenant, tool]);
    const found = this.#tools.get(key) ?? { holders: new Set<string>(), next: [] };
    this.#tools.set(key, found);
    if (found.holders.has(call)) return true;
    const queued = found.next.indexOf(call);
    const isFirst = queued === 0 || (queued < 0 && found.next.length === 0);
    if (isFirst && found.holders.size < places) {
      if (queued === 0) found.next.shift();
      found.holders.add(call);
      return true;
    }
    if (queued < 0) found.next.push(call);
    return false;
  }

  /** Takes a place for a call that had one before a stop, whoever else has one by now. */
  takeAgain(tenant: string, tool: string, call: string): void {
    const key = JSON.stringify([tenant, tool]);
    const found = this.#tools.get(key) ?? { holders: new Set<string>(), next: [] };
    this.#tools.set(key, found);
    found.holders.add(call);
  }

  /** Gives a call's place, or its place in the queue, back: the call that is next, which may try to take one. */
  free(tenant: string, tool: string, call: string): string | null {
    const key = JSON.stringify([tenant, tool]);
    const found = this.#tools.get(key);
    if (found === undefined) return null;
    const had = found.holders.delete(call);
    const queued = found.next.indexOf(call);
    if (queued >= 0) found.next.splice(queued, 1);
    if (found.holders.size + found.next.length === 0) this.#tools.delete(key);
    return had || queued === 0 ? (found.next[0] ?? null) : null;
  }
}
