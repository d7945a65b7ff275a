// A trap ends an instance of the core: the call says so, and clients, sessions and drivers go on with a new one.
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { Client } from "../../bindings/client.ts";
import { Core, provideModule, sharedCore } from "../../bindings/codec.ts";
import { lineDriver } from "../../bindings/driver.ts";
import { keys, NOW, policy } from "./bindings-shop.ts";

beforeAll(() => {
  const bytes = readFileSync(new URL("../../dist/core.wasm", import.meta.url));
  provideModule(() => new WebAssembly.Module(bytes));
});

/** Nothing in memory makes sense any more; the next call follows a pointer out of it. */
function breakCore(core: Core): void {
  new Uint8Array(core.memory.buffer).fill(0xff);
}

const trapped = expect.objectContaining({ code: "core_trapped" }) as Error;

it("the call that trapped says so; the next one is decided by a new instance", () => {
  const client = new Client({ policy, keys, clock: () => NOW });
  const before = client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s" });
  const { generation } = sharedCore();
  breakCore(sharedCore());
  expect(() => client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s" })).toThrow(trapped);
  expect(sharedCore().generation).toBe(generation + 1);
  expect(client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s" }).text).toBe(before.text);
  expect(client.policy).toBe(before.policy);
});

it("a session goes on from the history it carries, reports included", () => {
  const client = new Client({ policy, keys, clock: () => NOW });
  const session = client.session("desk", { principal: { id: "u-1" } });
  const first = session.checkToolCall("get_order", { order_id: "1" });
  session.checkToolCall("get_order", { order_id: "2" });
  session.ran(first, "ran", { result: { total: 4 } });
  const { text } = session.history;
  const { head } = session;
  breakCore(sharedCore());
  expect(() => session.checkToolCall("get_order", { order_id: "3" })).toThrow(trapped);
  expect(session.history.text).toBe(text);
  expect(session.head).toEqual(head);
  const next = session.checkToolCall("get_order", { order_id: "3" });
  expect([next.decision, next.step]).toEqual(["allow", 2]);
  breakCore(sharedCore());
  expect(() => session.ran(next)).toThrow(trapped);
  session.ran(next);
  expect(session.history.entry(2)?.outcome?.status).toBe("ran");
  expect(client.verify(session.history).valid).toBe(true);
});

it("handles of an instance that is gone are given up without touching the new one", () => {
  const client = new Client({ policy, keys, clock: () => NOW });
  const session = client.session("desk");
  breakCore(sharedCore());
  expect(() => client.compiled).toThrow(trapped);
  session.close();
  client.close();
  const other = new Client({ policy, keys, clock: () => NOW });
  expect(other.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s" }).decision).toBe("allow");
});

it("an isolated client has an instance of its own", () => {
  const client = new Client({ policy, keys, clock: () => NOW, isolated: true });
  breakCore(sharedCore());
  expect(client.checkToolCall("get_order", { order_id: "1" }, { agent: "desk", session: "s" }).decision).toBe("allow");
  expect(() => sharedCore().run("conform", [], "{}")).toThrow(trapped);
});

it("a line driver loads its policies and key sets again", () => {
  const driver = lineDriver();
  const check = JSON.stringify({
    id: 3,
    op: "check",
    policy: "p",
    keys: "k",
    request: { format: "qls-tool-check/1", session: "s", agent: "desk", tool: "get_order", arguments: { order_id: "1" }, now: NOW },
  });
  driver.answer(JSON.stringify({ id: 1, op: "keys", name: "k", keys }));
  driver.answer(JSON.stringify({ id: 2, op: "register", name: "p", policy }));
  const before = driver.answer(check);
  expect(before).toContain('"decision":"allow"');
  breakCore((driver as unknown as { core: Core }).core);
  expect(driver.answer(check)).toContain('"code":"core_trapped"');
  expect(driver.answer(check)).toBe(before);
  expect(driver.answer('{"id":1,"op":"x","a":"\ud800"}')).toContain('"code":"line_invalid"');
  expect(driver.answer(Uint8Array.of(0xff))).toContain('"code":"line_invalid"');
});

it("a call at the end of the stack leaves a core that answers", () => {
  const core = new Core();
  const down = (): void => {
    try {
      down();
    } catch {
      try {
        core.run("conform", [], '{"id":1,"op":"canonicalize","text":"[[[[1]]]]"}');
      } catch (error) {
        expect(error).toSatisfy((thrown) => thrown instanceof RangeError || (thrown as { code?: string }).code === "core_trapped");
      }
    }
  };
  down();
  expect(core.run("conform", [], '{"id":1,"op":"canonicalize","text":"[]"}')).toBe('{"id":1,"ok":"[]"}');
});

it("an instance that one call made large is replaced before the next, and sessions go on", () => {
  const client = new Client({ policy, keys, clock: () => NOW });
  const session = client.session("desk");
  const first = session.checkToolCall("get_order", { order_id: "1" });
  const core = sharedCore();
  const { generation } = core;
  core.memory.grow(4097 - core.pages);
  session.ran(first);
  expect(core.generation).toBe(generation + 1);
  expect(core.pages).toBeLessThan(4096);
  expect(session.checkToolCall("get_order", { order_id: "2" }).step).toBe(1);
  expect(client.verify(session.history).valid).toBe(true);
});
