// When a wait is over: one signal of several ends, that leaves nothing behind on those that live longer than the wait.

/** A signal that aborts with the first of its ends. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Ends it now, and lets go of everything it listened to; to be called once the wait is over, however it ended. */
  end(): void;
}

/** Ends with the first of the signals, or after `ms`. (The language's own `AbortSignal.any` stays known to each of its signals, `AbortSignal.timeout` runs to its end, and both together never end in Node 20 once memory was tidied.) */
export function ending(signals: readonly AbortSignal[], ms?: number): Ending {
  const ended = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", end);
    ended.abort();
  };
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  for (const signal of signals) signal.addEventListener("abort", end, { once: true });
  if (signals.some(({ aborted }) => aborted)) end();
  return { signal: ended.signal, end };
}
