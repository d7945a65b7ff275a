// Runs of calls that Restate handed to this gateway: one of a call at a time here, a bounded number at once; Restate brings the rest again.
import type { Runner } from "../port.ts";

/** Runs in hand at once. Restate has 1000 places for requests, and runs need some for their commits. */
const AT_ONCE = 256;

export class RunsInHand {
  readonly #failed: (tenant: string, call: string, error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  #stopped = false;

  /** @param failed told of each failure; the run comes again */
  constructor(failed: (tenant: string, call: string, error: unknown) => void) {
    this.#failed = failed;
  }

  /** Runs a call. Throws where it failed, and where this gateway takes no more: Restate tries again. */
  async run(tenant: string, call: string, runner: Runner): Promise<void> {
    const name = `${tenant}\u0000${call}`;
    // Restate lost the connection to an earlier run here, which goes on: this one is its repetition.
    for (let before = this.#running.get(name); before !== undefined; before = this.#running.get(name)) await before.catch(() => undefined);
    if (this.#stopped) throw new Error("this gateway stops: the call is run by another, or later");
    if (this.#running.size >= AT_ONCE) throw new Error("this gateway has enough calls in hand: the call is run later");
    const run = runner(tenant, call);
    this.#running.set(name, run);
    try {
      await run;
    } catch (error) {
      this.#failed(tenant, call, error);
      throw error;
    } finally {
      this.#running.delete(name);
    }
  }

  /** Takes no more, and waits for what runs. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      Promise.allSettled(this.#running.values()),
      new Promise<void>((ended) => {
        timer = setTimeout(ended, graceMs);
      }),
    ]);
    clearTimeout(timer);
  }
}
