// The core's memory stays flat: a hundred thousand checks, and thousands of clients and sessions opened and closed.
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { Client } from "../../bindings/client.ts";
import { provideModule, sharedCore } from "../../bindings/codec.ts";
import { rawJson } from "../../bindings/json.ts";
import { keys, NOW, policy } from "./bindings-shop.ts";

beforeAll(() => {
  const bytes = readFileSync(new URL("../../dist/core.wasm", import.meta.url));
  provideModule(() => new WebAssembly.Module(bytes));
});

it("a hundred thousand checks need no more memory than the first thousand", () => {
  const client = new Client({ policy, keys, clock: () => NOW });
  const note = rawJson(JSON.stringify({ order_id: "4411", note: "x".repeat(20_000) }));
  const check = (i: number) => {
    const options = { agent: "desk", session: `s-${i % 7}`, turns: ["charge order 4411 40.00"], context: { card_on_file: true } };
    if (i % 100 === 0) return client.checkToolCall("get_order", note, options);
    if (i % 3 === 0) return client.checkToolCall("charge_card", { order_id: "4411", amount: 40 }, { ...options, origins: { order_id: "typed", amount: "typed" } });
    return client.checkToolCall("get_order", { order_id: String(i) }, options);
  };
  for (let i = 0; i < 1000; i++) check(i);
  const { pages } = sharedCore();
  const decided = new Map<string, number>();
  for (let i = 0; i < 100_000; i++) {
    const { decision } = check(i);
    decided.set(decision, (decided.get(decision) ?? 0) + 1);
  }
  expect(sharedCore().pages).toBe(pages);
  expect(Object.fromEntries(decided)).toEqual({ allow: 66_000, confirm: 33_000, refuse: 1000 });
});

it("clients and sessions that are closed give their memory back", () => {
  const round = () => {
    const client = new Client({ policy, keys, clock: () => NOW });
    for (let i = 0; i < 3; i++) {
      const session = client.session("desk");
      for (let j = 0; j < 30; j++) session.ran(session.checkToolCall("get_order", { order_id: String(j) }), "ran", { result: { total: j } });
      session.close();
    }
    client.close();
  };
  for (let i = 0; i < 20; i++) round();
  const { pages } = sharedCore();
  for (let i = 0; i < 300; i++) round();
  expect(sharedCore().pages).toBe(pages);
});
