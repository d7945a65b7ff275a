// Retries and failing stores: what is given out was kept, what was kept can be had again, and nothing else.
import { expect, it } from "vitest";
import { readCallers } from "../../hosts/shared/web/callers.ts";
import { Core } from "../../hosts/shared/web/core.ts";
import { Sessions } from "../../hosts/shared/web/sessions.ts";
import type { Store } from "../../hosts/shared/web/store.ts";
import { bindings, keys, policy } from "./shop.ts";

/** A store for one test, whose answers may be lost or refused. */
class TestStore implements Store {
  readonly kept = new Map<string, string>();
  /** What goes wrong with the next swaps: lost before it is written, lost after, or somebody else was faster. */
  readonly trouble: ("before" | "after" | "other")[] = [];
  down = false;

  async read(session: string, key: string): Promise<string | null> {
    if (this.down) throw new Error("down");
    return this.kept.get(`${session} ${key}`) ?? null;
  }

  async swap(session: string, key: string, expected: string | null, next: string): Promise<boolean> {
    const trouble = this.trouble.shift();
    if (trouble === "before") throw new Error("lost");
    if (trouble === "other" || (this.kept.get(`${session} ${key}`) ?? null) !== expected) return false;
    this.kept.set(`${session} ${key}`, next);
    if (trouble === "after") throw new Error("lost");
    return true;
  }
}

const [service] = readCallers(bindings["INTERLOCK_CALLERS"]!);
const NOW = 1764445000;

function world(given = policy as object, store = new TestStore()) {
  const at = { now: NOW };
  return { store, at, sessions: new Sessions(new Core(JSON.stringify(given), JSON.stringify(keys)), store, () => at.now) };
}

const request = (history: object | undefined, tool = "pick_up") =>
  JSON.stringify({ format: "qls-tool-check/1", session: "s", agent: "desk", tool, arguments: {}, ...(history ? { history } : {}) });
const key = (name: string, body = name) => ({ key: name, body });

it("an answer that was lost is had again, and counts once", async () => {
  const { store, at, sessions } = world();
  store.trouble.push("after");
  await expect(sessions.check(service!, request(undefined), key("one"))).rejects.toMatchObject({ status: 503, code: "store_unavailable" });
  at.now += 500;
  const again = JSON.parse(await sessions.check(service!, request(undefined), key("one")));
  expect([again.decision, again.entry.at]).toEqual(["allow", NOW]);
  // Lost before it was kept: decided anew, and kept.
  const history = { format: "qls-history/1", session: "s", entries: [again.entry] };
  store.trouble.push("before");
  const shipped = request(history, "nope");
  await expect(sessions.check(service!, shipped, key("two"))).rejects.toMatchObject({ code: "store_unavailable" });
  expect(JSON.parse(await sessions.check(service!, shipped, key("two"))).entry.at).toBe(NOW + 500);
});

it("nothing is given out while the store does not answer, or others are always faster", async () => {
  const { store, sessions } = world();
  store.trouble.push(...Array.from({ length: 100 }, () => "other" as const));
  await expect(sessions.check(service!, request(undefined), null)).rejects.toMatchObject({ status: 503, code: "session_busy" });
  expect(store.kept.size).toBe(0);
  store.trouble.length = 0;
  store.trouble.push("other", "other");
  expect(JSON.parse(await sessions.check(service!, request(undefined), null)).decision).toBe("allow");
  store.down = true;
  await expect(sessions.check(service!, request(undefined), null)).rejects.toMatchObject({ code: "store_unavailable" });
  await expect(sessions.report(service!, '{"session":"s","step":0,"status":"ran"}', null)).rejects.toMatchObject({ code: "store_unavailable" });
  await expect(sessions.receipt(service!, '{"session":"s","tool":"pick_up","arguments":{}}', null)).rejects.toMatchObject({ code: "store_unavailable" });
});

it("a retry under another policy is a second call: what was allowed before is not allowed again", async () => {
  const before = world();
  expect(JSON.parse(await before.sessions.check(service!, request(undefined), key("one"))).decision).toBe("allow");
  const stricter = { ...policy, tools: policy.tools.map((tool) => (tool.name === "pick_up" ? { ...tool, at_most: undefined, after: ["get_order"] } : tool)) };
  const { sessions } = world(stricter, before.store);
  expect(JSON.parse(await sessions.check(service!, request(undefined), key("one")))).toMatchObject({ decision: "refuse", reason: "history_invalid", detail: { head: "behind" } });
});

it("only the last request of a session can be had again", async () => {
  const { sessions } = world();
  const first = JSON.parse(await sessions.check(service!, request(undefined), key("one")));
  const history = { format: "qls-history/1", session: "s", entries: [first.entry] };
  await sessions.check(service!, request(history, "nope"), null);
  expect(JSON.parse(await sessions.check(service!, request(undefined), key("one"))).detail).toEqual({ head: "behind" });
  await expect(sessions.check(service!, request(history), key("one", "other"))).resolves.toMatch(/history_invalid/);
});

it("keeps no value of a request", async () => {
  const { store, sessions } = world();
  const text = JSON.stringify({
    format: "qls-tool-check/1",
    session: "secret-session",
    agent: "desk",
    tool: "get_order",
    arguments: { order_id: "secret-4411" },
    turns: ["secret"],
  });
  await sessions.check(service!, text, key("one", "hash"));
  expect(store.kept.size).toBe(1);
  expect(JSON.stringify([...store.kept])).not.toMatch(/secret|4411|get_order|desk/);
});
