// Stops of a shop's gateway for tests: a call that is cut where it waits, another gateway over what was left, and what the history says became of each step.
import { expect } from "vitest";
import type { MemoryEngine } from "./memory-engine.ts";
import { Shop } from "./shop.ts";

export const never = (): Promise<never> => new Promise(() => undefined);

interface Entry {
  readonly step: number;
  readonly tool: string;
  readonly decision: string;
  readonly outcome?: { readonly status: string };
  readonly reports?: Readonly<Record<string, { readonly status: string }>>;
}

/** What the history says became of each allowed step of a tool. */
export async function outcomes(shop: Shop, tool: string): Promise<readonly (string | undefined)[]> {
  const { entries, reports = {} } = JSON.parse((await shop.gateway.session("shop", "chat-1"))?.history ?? "{}") as { entries: Entry[]; reports?: Record<string, { status: string }> };
  const later = (step: number) => [...entries.map((entry) => entry.reports ?? {}), reports].find((each) => each[step] !== undefined)?.[step];
  return entries.filter((entry) => entry.tool === tool && entry.decision === "allow").map(({ step, outcome }) => (outcome ?? later(step))?.status);
}

/** Another gateway over what the first left, as after a kill. */
export async function after(shop: Shop, prepare: (again: Shop) => void = () => undefined, now = shop.now): Promise<Shop & { engine: MemoryEngine }> {
  const again = new Shop({ engine: shop.engine.reopened() });
  again.now = now;
  prepare(again);
  await again.gateway.takeUp();
  await again.engine.idle();
  expect(again.engine.failures).toEqual([]);
  return again;
}

/** A call of `get_coupon` (one is admitted) that waits for a place of its tool, which another session's call never gives back. */
export async function held(): Promise<Shop> {
  const shop = new Shop({ tools: { get_coupon: { concurrency: 1 } } });
  shop.tools.answer = never;
  void shop.call("get_coupon", { order_id: "1" }, { session: "other" });
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  void shop.call("get_coupon", { order_id: "2" });
  while ((await shop.gateway.calls("shop", { session: "chat-1", state: "admitted" })).length === 0) await new Promise((next) => setImmediate(next));
  return shop;
}
