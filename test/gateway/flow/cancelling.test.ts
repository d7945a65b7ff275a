// A cancellation reaches a call wherever it is: before it is decided, around its intent, where it waits for its turn or a place; what was cancelled is made by nobody later.
import { expect, it } from "vitest";
import { Shop } from "./shop.ts";
import { after, held, outcomes } from "./stops.ts";

const charge = { order_id: "4411", amount: 40 };

it.each(["before it is decided", "while its intent is kept", "after its intent is kept"])("a cancellation %s keeps the call from its tool", async (moment) => {
  for (const by of ["signal", "id"] as const) {
    const shop = new Shop();
    const client = new AbortController();
    const stop = async (): Promise<void> => {
      shop.engine.before = () => undefined;
      if (by === "signal") client.abort();
      else for (const { id } of await shop.gateway.calls("shop", { session: "chat-1" })) await shop.gateway.cancel("shop", id, "agent-1");
    };
    const asked = await shop.call("charge_card", charge);
    if (moment === "before it is decided") await (by === "signal" ? stop() : undefined);
    if (moment === "while its intent is kept") shop.engine.before = ({ audit }) => (audit?.some(({ event }) => event === "call.intent") ? stop() : undefined);
    const listings = shop.listings.standing.bind(shop.listings);
    if (moment === "after its intent is kept")
      shop.listings.standing = async (...args) => {
        if (shop.events().includes("call.intent")) await stop();
        return listings(...args);
      };
    if (by === "signal") {
      const read = await shop.call("get_coupon", { order_id: "1" }, {}, client.signal);
      expect(read, moment).toMatchObject({ kind: "refused", reason: "cancelled", call: { state: "withdrawn" } });
      expect(await outcomes(shop, "get_coupon")).toEqual(["failed"]);
    } else {
      if (moment === "before it is decided") await stop();
      else await shop.decide(asked);
      expect(await shop.outcome(asked), moment).toMatchObject({ kind: "refused", reason: "cancelled" });
      expect((await outcomes(shop, "charge_card")).filter((status) => status !== "failed")).toEqual([]);
    }
    expect(shop.tools.sent, `${moment} by ${by}`).toEqual([]);
    expect(shop.events().filter((event) => event === "call.not_sent"), `${moment} by ${by}`).toHaveLength(1);
    expect(shop.engine.failures).toEqual([]);
  }
});

it("a call that waits for its turn or a place is cancelled there, and is made by nobody later", async () => {
  const shop = await held();
  const [waiting] = await shop.gateway.calls("shop", { session: "chat-1" });
  await shop.gateway.cancel("shop", waiting?.id ?? "", "agent-1");
  const again = await after(shop);
  expect((await again.gateway.record("shop", waiting?.id ?? ""))?.state).toBe("withdrawn");
  expect(again.tools.sent.filter(({ arguments: sent }) => sent === '{"order_id":"2"}')).toEqual([]);
  expect(await outcomes(again, "get_coupon")).toEqual(["failed"]);
});

it("a client that cancels while its call waits for a place takes it back: nobody makes it later", async () => {
  const shop = new Shop({ tools: { get_coupon: { concurrency: 1 } } });
  let free = (): void => undefined;
  shop.tools.answer = () => new Promise((resolve) => (free = () => resolve({})));
  const first = shop.call("get_coupon", { order_id: "1" }, { session: "other" });
  while (shop.tools.sent.length === 0) await new Promise((next) => setImmediate(next));
  const client = new AbortController();
  const second = shop.call("get_coupon", { order_id: "2" }, {}, client.signal);
  while ((await shop.gateway.calls("shop", { session: "chat-1", state: "admitted" })).length === 0) await new Promise((next) => setImmediate(next));
  client.abort();
  expect(await second).toMatchObject({ kind: "refused", reason: "cancelled", call: { state: "withdrawn" } });
  free();
  await first;
  await shop.engine.idle();
  expect(shop.tools.sent).toHaveLength(1);
  expect(await outcomes(shop, "get_coupon")).toEqual(["failed"]);
});
