// What goes on between a call's client and its tool while it runs, by the request's id at its door: progress, and questions that the settings pass on.

/** The client's end of one call. It lives as long as the client's request: after a restart there is none, and nothing is passed on. */
export interface Relay {
  readonly progress: ((progress: number, total?: number, message?: string) => void) | null;
  /** Puts a question of the tool's server (sampling) to the client; null where the client takes none. Params and result are JSON values. */
  readonly ask: ((method: "sampling/createMessage", params: unknown) => Promise<unknown>) | null;
}

/** The relays of the calls in hand; one for doors and upstream together. */
export class Relays {
  readonly #open = new Map<string, Relay>();

  /** Opens a request's relay; gives the function that ends it. */
  open(requestId: string, relay: Relay): () => void {
    this.#open.set(requestId, relay);
    return () => {
      if (this.#open.get(requestId) === relay) this.#open.delete(requestId);
    };
  }

  get(requestId: string): Relay | null {
    return this.#open.get(requestId) ?? null;
  }
}
