// Texts made to hurt: each is answered, in work that is bounded, and for the long ones in work that grows with their length and no faster.

import { expect, it } from "vitest";
import { CountedCore } from "../differential/counted.ts";
import { CASES, ground, type Case } from "./hostile-inputs.ts";

/** The most that any case may cost; a step budget is a million steps, and a step is a few counts. */
const WORK = 2_000_000_000;
/** The most work for a byte of a long text, counting and answering included; a tool of a dozen bytes costs a registration some twenty thousand. */
const PER_BYTE = 2500;

function cost({ line, means, size: expected }: Case, size: number): { work: number; length: number; bytes: number } {
  const core = new CountedCore();
  for (const made of ground()) expect(core.line(made)).toContain('"ok"');
  const text = line(size);
  core.begin(WORK);
  const answer = core.line(text);
  // The ends are enough to see what it is, and short enough to print.
  if (size === expected) expect(answer.slice(0, 1500) + answer.slice(-3000)).toMatch(means);
  return { work: core.work, length: text.length, bytes: core.bytes };
}

for (const one of CASES) {
  it(`answers ${one.name}`, { timeout: 600_000 }, () => {
    const { work, length, bytes } = cost(one, one.size);
    console.log(`hostile: ${one.name}: ${length} bytes, ${work} of work, ${bytes >> 20} MiB`);
    if (one.grows !== "linear") return;
    expect(work).toBeLessThan(length * PER_BYTE + 50_000_000);
    // Twice the text may cost twice the work and a little more, not four times.
    const half = cost(one, one.size >> 1);
    expect(work).toBeLessThan(half.work * 2.6 + 1_000_000);
  });
}
