// Two million mutated documents read by the core and by the model. SEED=… replays a run.

import { expect, it } from "vitest";
import { coreReads, modelReads } from "../unit/json-both";
import { Mutants } from "../unit/json-mutants";
import { Random } from "../unit/random";

const random = new Random();
const replay = `SEED=${random.seed} npx vitest run test/slow/json.test.ts`;
console.log(`json: seed ${random.seed}; replay: ${replay}`);

it("reads as the model does", { timeout: 900000 }, () => {
  const mutants = new Mutants(random);
  for (let i = 0; i < 2000000; i++) {
    const document = mutants.next();
    const depth = random.below(4) === 0 ? random.below(5) : 128;
    const core = coreReads(document, depth);
    const model = modelReads(document, depth);
    if (JSON.stringify(core) !== JSON.stringify(model)) expect(core, `${Buffer.from(document).toString("hex")}, depth ${depth}; ${replay}`).toEqual(model);
  }
});
