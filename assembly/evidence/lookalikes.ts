// Characters that are not ASCII but that programs read as ASCII in a name, and characters that they leave out.

import { IGNORED, IGNORED_RUNS, LOOKALIKES, LOOKALIKE_RUNS } from "./lookalikes.gen";

/** The ASCII that a character stands for in a name, lower case, its first byte lowest; 0 where it stands for none. */
export function lookalikeOf(character: u32): u32 {
  let low: i32 = 0;
  let high: i32 = LOOKALIKE_RUNS;
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = LOOKALIKES + (<usize>middle << 3);
    const head = load<u32>(run);
    const distance = character - (head >> 8);
    if (distance < (head & 0xff)) return load<u32>(run, 4) + distance;
    if (character < head >> 8) high = middle;
    else low = middle + 1;
  }
  return 0;
}

/** Whether a character is one that programs leave out and that chapter 5 does not name: direction marks, variation selectors, tags. */
export function isIgnored(character: u32): bool {
  for (let i = 0; i < IGNORED_RUNS; i++) {
    const run = IGNORED + (<usize>i << 3);
    if (character < load<u32>(run)) return false;
    if (character <= load<u32>(run, 4)) return true;
  }
  return false;
}
