// Gateways over one store: what one that died left behind is taken up by another, and a tool's places hold over both.
import { expect, it } from "vitest";
import { MemoryEngine } from "./memory-engine.ts";
import { Shop, ShopTools } from "./shop.ts";

/** Two gateways over one store, in front of the same tools. */
function two(tools: Partial<ConstructorParameters<typeof Shop>[0]> = {}): [Shop, Shop] {
  const engine = new MemoryEngine();
  engine.name = "shared";
  const upstream = new ShopTools();
  const one = new Shop({ ...tools, engine, upstream });
  const again = engine.reopened();
  again.name = "shared";
  return [one, new Shop({ ...tools, engine: again, upstream })];
}

it("a call that nobody handed over is found by another gateway, and one that waits for a person is left alone", async () => {
  const [dies, lives] = two();
  const runs: string[] = [];
  dies.engine.run = async () => undefined;
  const lost = await Promise.race([dies.call("get_order", { order_id: "1" }, { session: "a" }), new Promise<null>((resolve) => setTimeout(resolve, 100, null))]);
  expect(lost).toBeNull();
  const asked = await dies.call("charge_card", { order_id: "2", amount: 40 }, { session: "b" });
  const run = lives.engine.run.bind(lives.engine);
  lives.engine.run = async (tenant, call) => {
    runs.push(call);
    await run(tenant, call);
  };
  await lives.gateway.lookAfter();
  expect(runs).toEqual([]);
  lives.now += 60_000;
  await lives.gateway.lookAfter();
  await lives.engine.idle();
  expect(runs).toHaveLength(1);
  expect(lives.tools.sent.map(({ tool }) => tool)).toEqual(["get_order"]);
  expect(await lives.outcome({ ...asked, call: { ...asked.call, id: runs[0]! } })).toMatchObject({ kind: "result" });
  expect(await lives.outcome(asked)).toMatchObject({ kind: "pending" });
});

it("a place is given back however a call ends, and whoever waits is next", async () => {
  const [one, other] = two({ tools: { get_order: { concurrency: 1 } } });
  const waiting: (() => void)[] = [];
  one.tools.answer = () => new Promise((resolve) => waiting.push(() => resolve({})));
  const calls = Array.from({ length: 5 }, (_, index) => (index % 2 === 0 ? one : other).call("get_order", { order_id: String(index) }, { session: `s-${index}` }));
  for (let ended = 0; ended < 5; ended++) {
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(ended + 1);
    expect(one.tools.sent).toHaveLength(ended + 1);
    waiting[ended]!();
  }
  for (const outcome of await Promise.all(calls)) expect(outcome).toMatchObject({ kind: "result" });
  for (const prefix of ["place/", "queue/", "cancel/", "open/"]) expect(await one.engine.list("shop", prefix), prefix).toEqual([]);
  expect([...one.engine.failures, ...other.engine.failures]).toEqual([]);
});
