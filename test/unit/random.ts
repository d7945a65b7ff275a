// Random numbers that a seed replays, for tests that try many inputs.

/** A generator of integers below a bound. The seed comes from SEED or the clock; print `seed` when a case fails. */
export class Random {
  readonly seed: number;
  private state: number;

  constructor(seed = Number(process.env.SEED ?? Date.now() % 0x7fffffff)) {
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
