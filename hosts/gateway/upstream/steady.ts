// Holds a call's progress to a measure: only what grows is passed on, and not without end.
import type { Sending } from "./port.ts";

/** Notices of one call's progress that are passed on at once, and the time in which one more is. */
const PROGRESS_AT_ONCE = 20;
const PROGRESS_MS = 100;

/** Passes on progress that grows: some notices at once, then ten a second. A server that tells it without end fills nobody's queue. */
export function steady(progress: NonNullable<Sending["progress"]>): NonNullable<Sending["progress"]> {
  let last = Number.NEGATIVE_INFINITY;
  let left = PROGRESS_AT_ONCE;
  let countedAt = performance.now();
  return (now, total, message) => {
    if (now <= last) return;
    const at = performance.now();
    left = Math.min(PROGRESS_AT_ONCE, left + (at - countedAt) / PROGRESS_MS);
    countedAt = at;
    if (left < 1) return;
    left--;
    last = now;
    progress(now, total, message);
  };
}
