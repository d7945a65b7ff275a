// The core against the model on generated sessions of fixed seeds. SEED=… LINES=… runs one seed instead.

import { expect, it } from "vitest";
import { compare, describe } from "./compare.ts";

const LINES = Number(process.env.LINES ?? 1000);
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [1, 2, 3];

for (const seed of SEEDS) {
  it(`agrees with the model on seed ${seed}`, { timeout: 600_000 }, () => {
    const { lines, difference } = compare(seed, LINES);
    if (difference !== null) expect.fail(describe(difference, `SEED=${seed} LINES=${LINES} npx vitest run test/differential/differential.test.ts`));
    console.log(`differential: seed ${seed}, ${lines.length} lines agree`);
  });
}
