// An issuer's published keys: fetched once for all who want them, believed for a while, and used on while the issuer is slow; few requests wait for it, and not for long.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";

/** Times are in milliseconds. */
export interface KeyTimes {
  /** How long keys are believed without asking again: a key that the issuer took away is refused after that. */
  readonly believedMs: number;
  /** How long keys are used while the issuer does not answer: after that its tokens let nobody in. */
  readonly keptMs: number;
  /** How soon after asking a token with an unknown key id makes the gateway ask again: tokens that anybody makes up do not become a flood at the issuer. */
  readonly cooldownMs: number;
  /** How long the issuer may take to answer. */
  readonly timeoutMs: number;
  /** How long a request waits for newer keys where there are older ones. */
  readonly patienceMs: number;
}

export const TIMES: KeyTimes = { believedMs: 5 * 60_000, keptMs: 60 * 60_000, cooldownMs: 30_000, timeoutMs: 5_000, patienceMs: 500 };

/** How long an issuer's failure takes that holds requests up. */
const SLOW = 1_000;
/** The most that an issuer's answer may hold, in bytes. */
const LONGEST = 1 << 20;

/** The issuer's keys cannot be had now. */
export class KeysMissing extends Error {}

export class IssuerKeys {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #times: KeyTimes;
  readonly #now: () => number;
  readonly #mostWaiting: () => number;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failed = false;
  /** An issuer that took long to fail is left alone for as long. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #pending: Promise<void> | null = null;
  #waiting = 0;

  /**
   * @param address of the issuer's JWKS
   * @param mostWaiting how many requests may wait for the issuer at the same time
   * @param now a clock that only goes forward, in milliseconds
   */
  constructor(address: string, times: KeyTimes, mostWaiting: () => number, now: () => number) {
    this.#times = times;
    this.#now = now;
    this.#mostWaiting = mostWaiting;
    // When to ask again is decided here: the library would let every request wait.
    this.#remote = createRemoteJWKSet(new URL(address), { cacheMaxAge: Number.POSITIVE_INFINITY, cooldownDuration: Number.POSITIVE_INFINITY, timeoutDuration: times.timeoutMs, [customFetch]: bounded });
  }

  /** The key that a token names. Fails as jose does where there is none, and with KeysMissing where the issuer does not say. */
  readonly of: JWTVerifyGetKey = async (header, token) => {
    await this.#ready();
    try {
      return await this.#remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (this.#pending === null && this.#now() < this.#askedAt + this.#times.cooldownMs) throw this.#failed ? new KeysMissing("the issuer did not answer when it was asked last", { cause: error }) : error;
      await this.#fetched(this.#times.timeoutMs);
      return await this.#remote(header, token);
    }
  };

  /** Waits for keys where there are none that are believed. */
  async #ready(): Promise<void> {
    const age = this.#now() - this.#fetchedAt;
    if (age < this.#times.believedMs) return;
    if (age < this.#times.keptMs) await this.#fetched(this.#times.patienceMs).catch(() => undefined);
    else await this.#fetched(this.#times.timeoutMs);
  }

  /** Asks the issuer, unless it is asked already, and waits for its answer. Fails with KeysMissing, at once where enough wait. */
  async #fetched(withinMs: number): Promise<void> {
    const pending = this.#ask();
    if (pending === null) throw new KeysMissing("the issuer took too long when it was asked last");
    if (this.#waiting >= this.#mostWaiting()) throw new KeysMissing("enough requests wait for the issuer");
    this.#waiting++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new KeysMissing("the issuer does not answer")), withinMs);
    });
    try {
      await Promise.race([pending, late]);
    } finally {
      clearTimeout(timer);
      this.#waiting--;
    }
  }

  /** The question that is under way, or a new one; null where the issuer is left alone. */
  #ask(): Promise<void> | null {
    const begun = this.#now();
    if (this.#pending !== null || begun < this.#notBefore) return this.#pending;
    this.#askedAt = begun;
    const ended = (failed: boolean): void => {
      const now = this.#now();
      this.#pending = null;
      this.#failed = failed;
      if (failed && now - begun >= SLOW) this.#notBefore = now + (now - begun);
      else this.#fetchedAt = now;
    };
    this.#pending = this.#remote.reload().then(
      () => ended(false),
      (cause: unknown) => {
        ended(true);
        throw new KeysMissing("the issuer's keys could not be fetched", { cause });
      },
    );
    // Whoever waits is told; nobody may.
    this.#pending.catch(() => undefined);
    return this.#pending;
  }
}

/** Fetches, of a body that is no longer than it may be. */
async function bounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the issuer answered ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > LONGEST) throw new Error("the issuer's answer is too long");
    parts.push(part);
  }
  return new Response(Buffer.concat(parts));
}
