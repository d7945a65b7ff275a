// Thousands of random sessions, each carried by a sent history and by a session handle: the same bytes. SEED=… replays a run; SESSIONS=… makes it longer.

import { expect, it } from "vitest";
import { Core } from "../setup/core.ts";
import { carryBothWays, REACHED } from "../differential/two-ways.ts";
import { seedOf } from "../unit/random.ts";

it("answers the same bytes both ways", { timeout: 3_600_000 }, () => {
  const seed = seedOf();
  const sessions = Number(process.env.SESSIONS ?? 5000);
  console.log(`handles: seed ${seed}; replay: SEED=${seed} npx vitest run test/slow/handles.test.ts`);
  const seen = carryBothWays(new Core(), seed, sessions, "test/slow/handles.test.ts");
  if (sessions >= 400) expect(REACHED.filter((what) => !seen.has(what))).toEqual([]);
});
