// Waits for what callers' functions answer, until a signal says not to, and gives what they throw a code.
import { InterlockError } from "./errors.ts";

/** A value, now or later. */
export type Awaitable<T> = T | PromiseLike<T>;

/** An error with a code; one that has none came of what the caller gave. */
export function coded(error: unknown, message: string): InterlockError {
  return error instanceof InterlockError ? error : new InterlockError("request_invalid", message, { cause: error });
}

/** The error of what was stopped by its signal. */
export function aborted(): InterlockError {
  return new InterlockError("aborted", "it was stopped");
}

/** Throws InterlockError `aborted` where the signal says to stop. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw aborted();
}

/** The error of a caller's function; being stopped is told as that. */
export function failed(code: string, message: string, cause: unknown): InterlockError {
  return cause instanceof InterlockError && cause.code === "aborted" ? cause : new InterlockError(code, message, { cause });
}

/** Does work and waits for it until the signal says not to; what comes of it later is dropped. Throws InterlockError `aborted`. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Awaitable<T>): Promise<T> {
  refuseAborted(signal);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted());
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
