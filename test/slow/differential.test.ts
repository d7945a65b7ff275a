// Twenty thousand random checks and more, answered by core and model, until everything is reached that must be. SEED=… replays a run; CHECKS=… makes it longer.

import { expect, it } from "vitest";
import { compare, describe } from "../differential/compare.ts";
import { missing, tally } from "../model/tally.ts";
import { seedOf } from "../unit/random.ts";

const CHECKS = Number(process.env.CHECKS ?? 20_000);
const LINES = 4000;
const first = seedOf();

it("agrees with the model, and reaches every reason", { timeout: 3_600_000 }, () => {
  const replay = `SEED=${first} npx vitest run test/slow/differential.test.ts`;
  console.log(`differential: seed ${first}; replay: ${replay}`);
  const reached = new Map<string, number>();
  for (let seed = first; (reached.get("op check") ?? 0) < CHECKS; seed++) {
    const { lines, answers, difference } = compare(seed, LINES);
    if (difference !== null) expect.fail(describe(difference, `SEED=${seed} LINES=${LINES} npx vitest run test/differential/differential.test.ts`));
    for (const [name, count] of tally(lines, answers)) reached.set(name, (reached.get(name) ?? 0) + count);
  }
  const table = [...reached].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${String(count).padStart(8)}  ${name}`);
  console.log(`reached:\n${table.join("\n")}`);
  expect(missing(reached), `never reached; ${replay}`).toEqual([]);
});
