// Hands calls over to their runner: one run of a call at a time, a bounded number at once, again after a failure, and at their time.
import type { Runner } from "./port.ts";

export interface Due {
  readonly tenant: string;
  readonly call: string;
  /** Milliseconds since 1970; 0 for now. */
  readonly at: number;
}

/** Runs in hand at once; the rest wait their turn. */
const AT_ONCE = 256;
/** Milliseconds before a failed run is handed over again; the last one is used on and on. */
const PAUSES = [200, 1_000, 5_000, 30_000];
/** The longest time a timer can be set for. */
const LONGEST = 0x7fffffff;

export class Runs {
  readonly #runner: Runner;
  readonly #ended: (due: Due) => void;
  readonly #failed: (due: Due, error: unknown) => void;
  readonly #clock: () => number;
  readonly #running = new Map<string, Promise<void>>();
  /** Calls handed over again while they run. */
  readonly #again = new Map<string, Due[]>();
  readonly #waiting: Due[] = [];
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #failures = new Map<string, number>();
  #stopped = false;

  /** @param ended told when a run has ended well: what was kept of it may go. @param failed told of each failure; the run comes again */
  constructor(runner: Runner, clock: () => number, ended: (due: Due) => void, failed: (due: Due, error: unknown) => void) {
    this.#runner = runner;
    this.#clock = clock;
    this.#ended = ended;
    this.#failed = failed;
  }

  add(due: Due): void {
    if (this.#stopped) return;
    const wait = due.at - this.#clock();
    if (due.at > 0 && wait > 0) this.#later(Math.min(wait, LONGEST), due);
    else this.#begin(due);
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.length = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      Promise.all(this.#running.values()),
      new Promise<void>((ended) => {
        timer = setTimeout(ended, graceMs);
      }),
    ]);
    clearTimeout(timer);
  }

  #later(wait: number, due: Due): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(due);
    }, wait);
    this.#timers.add(timer);
  }

  #begin(due: Due): void {
    const name = `${due.tenant}\u0000${due.call}`;
    if (this.#running.has(name)) {
      this.#again.set(name, [...(this.#again.get(name) ?? []), due]);
      return;
    }
    if (this.#running.size >= AT_ONCE) {
      this.#waiting.push(due);
      return;
    }
    this.#running.set(
      name,
      this.#run(due, name).finally(() => {
        this.#running.delete(name);
        if (this.#stopped) return;
        const again = this.#again.get(name);
        this.#again.delete(name);
        for (const next of again ?? []) this.#begin(next);
        const waiting = this.#waiting.shift();
        if (waiting !== undefined) this.#begin(waiting);
      }),
    );
  }

  async #run(due: Due, name: string): Promise<void> {
    try {
      await this.#runner(due.tenant, due.call);
      this.#failures.delete(name);
      this.#ended(due);
    } catch (error) {
      const failures = this.#failures.get(name) ?? 0;
      this.#failures.set(name, failures + 1);
      this.#failed(due, error);
      if (!this.#stopped) this.#later(PAUSES[Math.min(failures, PAUSES.length - 1)]!, due);
    }
  }
}
