// What erasure and retention promise over any engine: what the settings no longer keep is gone, what goes on or waits for somebody stays, and the log verifies afterwards. Each adapter's test brings its engine.
import { afterEach, describe, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { callKey, callOfKey, entryKey } from "../../../hosts/gateway/call/keys.ts";
import type { CallRecord } from "../../../hosts/gateway/call/record.ts";
import type { Settings } from "../../../hosts/gateway/config/settings.ts";
import { COMMIT_SIZE } from "../../../hosts/gateway/engine/restate/ops.ts";
import { RETENTION } from "../../../hosts/gateway/operations/retention.ts";
import { KEYS, tenantOf } from "../flow/shop.ts";
import { House, person } from "../people/house.ts";
import { bodies, log, records, until, watched } from "./kept.ts";

const DAY = 86_400_000;
const SECRET = "order-of-a-secret-4411";
const ann = person("ann");
const keeper = person("keeper");
let house: House | null = null;

/** What is kept over, and how. */
export interface Store {
  readonly name: string;
  /** Gives a house its engine, before it starts. */
  prepare?(house: House): Promise<void>;
  /** The bytes of the store's files, where what is erased is gone from them at once. */
  bytes?(house: House): string;
}

interface Kept {
  readonly sessions?: number;
  readonly results?: number;
}

function settings({ sessions, results }: Kept): Settings {
  const shop = tenantOf({ redact: { "*": [] } });
  return { tenants: { shop: { ...shop, retention: { sessionsSeconds: sessions === undefined ? null : sessions / 1000, resultsSeconds: results === undefined ? null : results / 1000 } } } } as unknown as Settings;
}

async function opening(store: Store, kept: Kept, clock?: () => number): Promise<House> {
  house = await House.open(undefined, {
    prepare: async (made) => {
      Object.assign(made, { settings: settings(kept), ...(clock === undefined ? {} : { clock }) });
      await store.prepare?.(made);
    },
  });
  house.tools.answer = (call) => ({ result: JSON.stringify({ echoed: call.canonical }), fields: '{"total":40}' });
  return house;
}

export function retentionSuite(store: Store): void {
  const opened = (kept: Kept, clock?: () => number): Promise<House> => opening(store, kept, clock);
  describe(`erasure and retention over ${store.name}`, () => {
    afterEach(async () => {
      await house?.close();
      house = null;
    });

    it("an erased session leaves no value in any record nor in the store's bytes, and a log that verifies", async () => {
      const of = await opened({});
      await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" });
      const { outcome, approval } = await of.asked("charge_card", { order_id: SECRET, amount: 40 });
      await of.gateway.decide(ann, approval.id, { answer: "approve" });
      await of.end(outcome);
      await of.call("get_order", { order_id: "another" }, { session: "chat-2" });
      expect(await records(of)).toContain(SECRET);
      if (store.bytes !== undefined) expect(store.bytes(of)).toContain(SECRET);
      await of.gateway.eraseSession(keeper, "chat-1");
      const left = await records(of);
      expect(left).not.toContain(SECRET);
      expect(left).not.toMatch(/chat-1[/"]/);
      expect(left).not.toContain("key-1-of-it");
      expect(left).toContain("another");
      if (store.bytes !== undefined) expect(store.bytes(of)).not.toContain(SECRET);
      const values = (await of.gateway.auditValues("shop", undefined, 100)).map(({ value }) => value);
      expect(await verifyAudit(await log(of), KEYS as never, { values })).toMatchObject({ valid: true, values: { bound: 1, absent: 2 } });
      expect((await bodies(of)).at(-1)).toMatchObject({ event: "session.erased", actor: "keeper", session: "chat-1" });
      // The same key stands for a new call now, and the session begins anew.
      expect(await of.call("get_order", { order_id: "1" }, { idempotencyKey: "key-1-of-it" })).toMatchObject({ kind: "result", call: { decided: { step: 0 } } });
    });

    it("a session is not erased while a question is open, also of a call that was only to be decided, nor while an outcome is unknown", async () => {
      const of = await opened({});
      const checked = await of.call("charge_card", { order_id: "1", amount: 1 }, { session: "asked", purpose: "check" });
      // Steps that are being undone are no matter of the past either.
      await of.engine.commit({ tenant: "shop", changes: [{ key: "undo/u-1", value: JSON.stringify({ session: "young", caller: { name: "ann" }, steps: [] }) }] });
      await of.call("get_order", { order_id: "1" }, { session: "young" });
      await expect(of.gateway.eraseSession(keeper, "young")).rejects.toMatchObject({ code: "session_in_use", message: expect.stringContaining("undone") });
      await of.engine.commit({ tenant: "shop", changes: [{ key: "undo/u-1", value: null }] });
      await of.gateway.eraseSession(keeper, "young");
      of.tools.answer = () => ({ status: "outcome_unknown" });
      const { outcome, approval } = await of.asked("charge_card", { order_id: "1", amount: 1 }, { session: "unknown" });
      await of.gateway.decide(ann, approval.id, { answer: "approve" });
      const unknown = await of.end(outcome);
      expect(unknown.kind).toBe("unknown");
      for (const session of ["asked", "unknown"]) await expect(of.gateway.eraseSession(keeper, session)).rejects.toMatchObject({ status: 409, code: "session_in_use" });
      of.settings = settings({ sessions: DAY / 2 });
      of.now += DAY / 2;
      // Old enough, and each still owes somebody something.
      expect(await of.gateway.purge(keeper, false)).toMatchObject({ sessions: [], kept: [{ session: "asked" }, { session: "unknown" }] });
      of.now += 2 * DAY;
      await of.again();
      // The question's time is over: its call ends.
      await until(of, async () => ((await of.gateway.record("shop", checked.call.id))?.state === "asked" ? null : true));
      of.now += DAY;
      const found = await of.gateway.purge(keeper, true);
      expect(found).toMatchObject({ sessions: ["asked"], kept: [{ session: "unknown", why: expect.stringContaining("settle") }] });
      expect(await of.gateway.record("shop", checked.call.id)).not.toBeNull();
      expect((await of.gateway.purge(keeper, false)).sessions).toEqual(["asked"]);
      expect(await of.gateway.record("shop", checked.call.id)).toBeNull();
      await of.gateway.settle(ann, unknown.call.id, "failed", "the bank never saw it");
      expect((await of.gateway.purge(keeper, false)).sessions).toEqual(["unknown"]);
    });

    it("the job erases by itself what is old, over a restart, and each look is planned once", async () => {
      const of = await opened({ sessions: DAY });
      await of.call("get_order", { order_id: "old" }, { session: "old" });
      of.now += DAY - 1;
      await of.call("get_order", { order_id: "young" }, { session: "young" });
      await of.again();
      await of.gateway.purge(keeper, true);
      expect(await of.gateway.session("shop", "old")).not.toBeNull();
      of.now += 2;
      // A look before its time does nothing; the next is an hour away.
      await of.gateway.runner("shop", RETENTION);
      expect(await of.gateway.session("shop", "old")).not.toBeNull();
      of.now += 3_600_000;
      await of.again();
      const erased = await until(of, async () => ((await of.gateway.session("shop", "old")) === null ? true : null));
      expect(erased).toBe(true);
      expect(await of.gateway.session("shop", "young")).not.toBeNull();
      expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toMatchObject([{ actor: "gateway", session: "old", detail: { by: "retention" } }]);
      for (let start = 0; start < 3; start++) await of.again();
      expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toHaveLength(1);
      expect(await verifyAudit(await log(of), KEYS as never)).toMatchObject({ valid: true });
    });

    it("results alone can be kept shorter: the history stays and verifies, the call says that its result is erased", async () => {
      const of = await opened({ results: DAY, sessions: 30 * DAY });
      const made = await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" });
      const before = await of.gateway.session("shop", "chat-1");
      of.now += DAY;
      expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 1, kept: [] });
      expect(await of.gateway.session("shop", "chat-1")).toEqual(before);
      const record = (await of.gateway.record("shop", made.call.id))!;
      expect(record.sent).not.toHaveProperty("result");
      expect(record.sent).not.toHaveProperty("fields");
      expect(record.released).toBe('{"erased":true}');
      // Its key still stands for it: it is not made again.
      expect(await of.call("get_order", { order_id: SECRET }, { idempotencyKey: "key-1-of-it" })).toMatchObject({ kind: "result", result: '{"erased":true}', call: { id: made.call.id } });
      expect(of.tools.sent).toHaveLength(1);
      expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 0, kept: [] });
      expect(await of.call("get_order", { order_id: "2" })).toMatchObject({ kind: "result", call: { decided: { step: 1 } } });
    });

    it("where the settings keep everything, nothing is erased unasked", async () => {
      const of = await opened({});
      await of.call("get_order", { order_id: "1" });
      of.now += 10_000 * DAY;
      await of.again();
      await of.gateway.runner("shop", RETENTION);
      expect(await of.gateway.session("shop", "chat-1")).not.toBeNull();
      await expect(of.gateway.purge(keeper, false)).rejects.toMatchObject({ status: 409, code: "retention_off" });
    });

    it("other settings plan the next look anew", async () => {
      const of = await opened({ sessions: 300 * DAY });
      await of.call("get_order", { order_id: "1" });
      of.now += 2 * DAY;
      of.settings = settings({ sessions: DAY });
      await of.gateway.planned();
      expect(await until(of, async () => ((await of.gateway.session("shop", "chat-1")) === null ? true : null))).toBe(true);
    });

    it("the timer alone erases, at its time, also where the gateway was stopped in between", async () => {
      const of = await opened({ sessions: 1_000 }, Date.now);
      await of.call("get_order", { order_id: "old" }, { session: "old" });
      await of.again();
      // From here on nobody asks for a look.
      expect(await until(of, async () => ((await of.gateway.session("shop", "old")) === null ? true : null))).toBe(true);
      expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toMatchObject([{ actor: "gateway", session: "old", detail: { by: "retention" } }]);
    });

    it("a session of any length is erased in parts; where that was interrupted nothing is decided on half of it, and it goes on", async () => {
      const of = await opened({});
      await of.call("get_order", { order_id: SECRET });
      for (let step = 10; step < 2_510; step += 500) await of.engine.commit({ tenant: "shop", changes: Array.from({ length: 500 }, (_, at) => ({ key: entryKey("chat-1", step + at), value: `{"of":"${SECRET}"}` })) });
      const commits = watched(of, (number) => number === 3);
      await expect(of.gateway.eraseSession(keeper, "chat-1")).rejects.toMatchObject({ code: "engine_unavailable" });
      expect(Math.max(...commits.map(({ changes }) => changes.length))).toBeLessThan(1_100);
      expect(await of.gateway.session("shop", "chat-1")).toBeNull();
      await expect(of.call("get_order", { order_id: "early" })).rejects.toMatchObject({ status: 503, code: "session_busy" });
      await of.again();
      await of.gateway.eraseSession(keeper, "chat-1");
      expect(await records(of)).not.toContain(SECRET);
      expect((await bodies(of)).filter(({ event }) => event === "session.erased")).toMatchObject([{ actor: "keeper", session: "chat-1" }]);
      // What came in between was not kept: the session begins anew with the next call.
      expect(await of.call("get_order", { order_id: "next" })).toMatchObject({ kind: "result", call: { decided: { step: 0 } } });
      expect(await verifyAudit(await log(of), KEYS as never)).toMatchObject({ valid: true });
    });

    it("results of calls that are more than one commit holds are erased in parts, and each is counted in the log", async () => {
      const of = await opened({ results: DAY });
      const made = await of.call("get_order", { order_id: "1" });
      const first = (await of.engine.get("shop", callKey(made.call.id)))!.value;
      const long = "x".repeat(1_500_000);
      for (let number = 0; number < 6; number++) {
        const id = `${made.call.id}-${number}`;
        const call: CallRecord = { ...(JSON.parse(first) as CallRecord), id, canonical: JSON.stringify({ order_id: long }) };
        await of.engine.commit({ tenant: "shop", changes: [{ key: callKey(id), value: JSON.stringify(call) }, { key: callOfKey("chat-1", id), value: "" }] });
      }
      of.now += DAY;
      const commits = watched(of, () => false);
      expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 7, kept: [] });
      expect(JSON.stringify(commits).length).toBeGreaterThan(COMMIT_SIZE);
      for (const commit of commits) expect(JSON.stringify(commit).length).toBeLessThan(COMMIT_SIZE / 2);
      expect((await bodies(of)).filter(({ event }) => event === "session.results_erased").reduce((sum, { detail }) => sum + (detail!["calls"] as number), 0)).toBe(7);
      expect(await of.gateway.purge(keeper, false)).toEqual({ sessions: [], results: 0, kept: [] });
    });
  });
}

