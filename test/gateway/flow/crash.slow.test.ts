// kill -9 at every step of a call's way through a gateway, and at any moment: nothing runs twice or without an entry, nothing is lost, and everything verifies afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled, unbundle } from "../bundled.ts";
import type { Plan } from "./crash/child.ts";
import { Killed, Lane } from "./crash/lane.ts";
import { Outside } from "./crash/outside.ts";
import { Round, type Variant } from "./crash/round.ts";
import { writeShop } from "./crash/shop.ts";
import { Tool } from "./crash/tool.ts";

/** The seed of every choice; CRASH_SEED replays another. */
const SEED = Number(process.env["CRASH_SEED"] ?? 20261130);
const AT_STEPS = Number(process.env["CRASH_ROUNDS"] ?? 150);
const AT_TIMES = Math.ceil(AT_STEPS / 3);

/** Steps of the way of a call that have to be among those at which a gateway is killed. */
const STEPS = [
  "at decided", "after call.proposed+call.decided+call.asked", "at asked", "before call.approved", "after call.approved", "at approved", "before call.decided+call.intent", "after call.decided+call.intent",
  "at intent", "before send", "at sent", "after send", "at answered", "before call.confirmed", "after call.confirmed", "at released", "after call.edited", "after call.denied", "before outcome.reported", "after outcome.reported",
];

const root = mkdtempSync(join(tmpdir(), "crash-"));
let script: string;

beforeAll(async () => {
  script = await bundled(fileURLToPath(new URL("crash/child.ts", import.meta.url)));
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
  unbundle(script);
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}

/** Every position of a list of steps, as plans. */
function plansOf(steps: readonly string[]): Plan[] {
  return steps.map((step, at) => ({ step, nth: steps.slice(0, at + 1).filter((before) => before === step).length }));
}

const VARIANTS: readonly Variant[] = [
  { about: "a turn" },
  { about: "a turn", named: true },
  { about: "a turn", named: true, denies: true },
  { about: "tools" },
  { about: "people" },
];

it.concurrent.each([1, 2])("lane %i: killed at steps and at times, and found whole each time", async (number) => {
  const random = seeded(SEED + number);
  const folder = mkdtempSync(join(root, "lane-"));
  writeShop(folder);
  const tool = new Tool(folder);
  const url = await tool.open();
  const lane = new Lane(folder, script, url);
  const outside = new Outside(lane, tool);
  let rounds = 0;
  let kills = 0;
  const round = (variant: Variant): Round => new Round(lane, tool, url, `s-${++rounds}`, variant);
  /** Takes a round to its end through every kill, and looks after each. */
  const through = async (each: Round, again: Plan | null, what: string): Promise<void> => {
    for (let next = again, down = false; ; ) {
      try {
        if (down) {
          const plan = next;
          next = null;
          await lane.start(plan);
          down = false;
          await outside.holds(each, `${what}, after the restart`);
        }
        await each.run();
        await outside.holds(each, what);
        return await outside.ended(each, what);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        kills++;
        await lane.kill();
        expect(lane.said, what).toBe("");
        down = true;
      }
    }
  };
  try {
    await lane.start();
    expect(await lane.second()).toMatchObject({ code: "store_in_use" });
    const plans: [Variant, Plan][] = [];
    for (const variant of VARIANTS) {
      await lane.plan(null);
      await through(round(variant), null, "without a kill");
      for (const plan of plansOf(await lane.steps())) plans.push([variant, plan]);
    }
    // What a way through the gateway consists of: a step that is missing here is not tried out.
    const names = new Set(plans.map(([, { step }]) => step));
    expect([...STEPS].filter((step) => !names.has(step))).toEqual([]);
    // Each lane has positions of its own.
    const chosen = shuffled(plans, seeded(SEED)).filter((_, index) => index % 2 === number - 1);
    for (let index = 0; index < AT_STEPS / 2; index++) {
      const [variant, plan] = chosen[index % chosen.length]!;
      const again = random() < 0.25 ? chosen[Math.floor(random() * chosen.length)]![1] : null;
      outside.forget();
      await lane.plan(plan);
      await through(round(variant), again, `seed ${SEED} lane ${number}, killed ${plan.step} (${plan.nth}), then ${again === null ? "not" : `${again.step} (${again.nth})`}`);
    }
    for (let index = 0; index < AT_TIMES / 2; index++) {
      const after = Math.floor(random() * 200);
      tool.pause = Math.floor(random() * 4);
      outside.forget();
      await lane.plan(null);
      const timer = setTimeout(() => void lane.kill(), after);
      await through(round(VARIANTS[index % VARIANTS.length]!), null, `seed ${SEED} lane ${number}, killed after ${after} ms`);
      clearTimeout(timer);
    }
    await outside.whole();
    expect(kills).toBeGreaterThanOrEqual(AT_STEPS / 2);
  } finally {
    await lane.close();
    await tool.close();
  }
});
