// Long texts take turns on the one thread: one step of the work on one of them, then everybody else's, so that short calls and probes are answered between.

/** Texts up to so many characters are worked on at once: milliseconds. */
const SHORT = 65_536;
let last: Promise<void> = Promise.resolve();

/** Resolves when a step of work on a text of this length may be done: at once where it is short. */
export async function turnFor(length: number): Promise<void> {
  if (length <= SHORT) return;
  const before = last;
  last = (async () => {
    await before;
    // Behind what the system has ready by then: one long step a round of the event loop.
    await new Promise((next) => setImmediate(next));
  })();
  await last;
}
