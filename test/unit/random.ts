// Random numbers that a seed replays, for tests that try many inputs.

/** What CI takes for a seed: it judges the change and not the day's luck. */
const CI_SEED = 20261129;

/** The seed of a run: SEED, else CI's own, else the clock's. Print it, with the line that replays the run. */
export function seedOf(environment: NodeJS.ProcessEnv = process.env): number {
  if (environment.SEED !== undefined) return Number(environment.SEED);
  return environment.CI === "true" ? CI_SEED : Date.now() % 1_000_000_000;
}

/** A generator of integers below a bound. The seed is `seedOf()`'s unless given; print `seed` when a case fails. */
export class Random {
  readonly seed: number;
  private state: number;

  constructor(seed = seedOf()) {
    this.seed = seed;
    this.state = seed >>> 0;
  }

  /** An integer at least 0 and below `bound`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  /** Random bytes. */
  bytes(length: number): Buffer {
    const made = Buffer.alloc(length);
    for (let i = 0; i < length; i++) made[i] = this.below(256);
    return made;
  }

  /** One of a list. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
