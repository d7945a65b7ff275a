// The port's promises, for any engine: conditional commits, order, runs that come again, timers, and a chain without gaps. Each adapter's test brings what opens one.
import { afterEach, describe, expect, it } from "vitest";
import type { AuditBody } from "../../../hosts/gateway/audit/entry.ts";
import type { Engine, Runner, Sealer } from "../../../hosts/gateway/engine/port.ts";
import { numbered } from "./numbered.ts";

/** Opens engines over one store; `again` opens the same store once the engine before is stopped. */
export interface Adapter {
  readonly name: string;
  /** A new store's engine, not started. */
  fresh(): Promise<{ readonly engine: Engine; again(): Promise<Engine>; dispose(): Promise<void> }>;
}

const nothing: Runner = async () => undefined;
const body = (detail: Record<string, unknown> = {}): AuditBody => ({ event: "call.proposed", at: 1, actor: "a", detail });

export function engineSuite({ name, fresh }: Adapter): void {
  describe(name, () => {
    const open: { dispose(): Promise<void> }[] = [];
    const started = async (runner: Runner = nothing, seal: Sealer = numbered) => {
      const store = await fresh();
      open.push(store);
      await store.engine.start(runner, seal);
      return { ...store, engine: store.engine };
    };
    afterEach(async () => {
      for (const store of open.splice(0)) await store.dispose();
    });

    it("commits where every expectation holds, and nothing where one does not", async () => {
      const { engine } = await started();
      expect(await engine.commit({ tenant: "t", changes: [{ key: "a", expect: null, value: "1" }, { key: "b", value: "x" }], audit: [body()] })).toStrictEqual({ ok: true, versions: { a: 1, b: 1 }, audit: [0] });
      expect(await engine.commit({ tenant: "t", changes: [{ key: "b", value: "y" }, { key: "a", expect: null, value: "2" }], audit: [body()] })).toStrictEqual({ ok: false, key: "a", stored: { value: "1", version: 1 } });
      expect(await engine.commit({ tenant: "t", changes: [{ key: "a", expect: 2, value: "2" }] })).toMatchObject({ ok: false, key: "a" });
      expect(await engine.commit({ tenant: "t", changes: [{ key: "none", expect: 1 }] })).toStrictEqual({ ok: false, key: "none", stored: null });
      expect(await engine.get("t", "b")).toStrictEqual({ value: "x", version: 1 });
      expect(await engine.audit("t", 0, 10)).toHaveLength(1);
      expect(await engine.commit({ tenant: "t", changes: [{ key: "a", expect: 1 }, { key: "b", expect: 1, value: "z" }], audit: [body(), body()] })).toStrictEqual({ ok: true, versions: { b: 2 }, audit: [1, 2] });
      expect(await engine.get("t", "a")).toStrictEqual({ value: "1", version: 1 });
      expect(await engine.get("t", "nowhere")).toBeNull();
    });

    it("never uses a version again, also after a deletion", async () => {
      const { engine } = await started();
      const put = (value: string | null, expect?: number | null) => engine.commit({ tenant: "t", changes: [{ key: "a", value, ...(expect === undefined ? {} : { expect }) }] });
      await put("1");
      expect(await put(null, 1)).toMatchObject({ ok: true });
      expect(await engine.get("t", "a")).toBeNull();
      expect(await put("2", 1)).toStrictEqual({ ok: false, key: "a", stored: null });
      expect(await put("2", null)).toMatchObject({ ok: true });
      const stored = (await engine.get("t", "a"))!;
      expect(stored.value).toBe("2");
      expect(stored.version).toBeGreaterThan(2);
    });

    it("lets one of a hundred through that expect the same version, and counts a hundred that try again", async () => {
      const { engine } = await started();
      const once = await Promise.all(Array.from({ length: 100 }, (_, index) => engine.commit({ tenant: "t", changes: [{ key: "once", expect: null, value: String(index) }], audit: [body({ index })] })));
      expect(once.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await engine.audit("t", 0, 200)).toHaveLength(1);
      const count = async (): Promise<void> => {
        for (;;) {
          const stored = await engine.get("t", "count");
          const { ok } = await engine.commit({ tenant: "t", changes: [{ key: "count", expect: stored?.version ?? null, value: String(Number(stored?.value ?? 0) + 1) }] });
          if (ok) return;
        }
      };
      await Promise.all(Array.from({ length: 20 }, count));
      expect(await engine.get("t", "count")).toMatchObject({ value: "20" });
    });

    it("lists by prefix, in order of bytes, page by page, both ways", async () => {
      const { engine } = await started();
      const keys = ["call/1", "call/10", "call/2", "call/a", "call/a~", "call/~", "callx", "cal", "Call/1"];
      await engine.commit({ tenant: "t", changes: [...keys, "call/gone"].map((key) => ({ key, value: key })) });
      await engine.commit({ tenant: "t", changes: [{ key: "call/gone", value: null }] });
      const sorted = keys.filter((key) => key.startsWith("call/")).sort();
      const all = async (descending: boolean) => {
        const found: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await engine.list("t", "call/", { limit: 2, descending, ...(after === undefined ? {} : { after }) });
          found.push(...page.map(({ key, value }) => (expect(value).toBe(key), key)));
          after = page.at(-1)?.key;
          if (page.length < 2) return found;
        }
      };
      expect(await all(false)).toStrictEqual(sorted);
      expect(await all(true)).toStrictEqual([...sorted].reverse());
      expect((await engine.list("t", "")).map(({ key }) => key)).toStrictEqual([...keys].sort());
      expect(await engine.list("t", "call/", { limit: 0 })).toStrictEqual([]);
    });

    it("keeps tenants apart, whatever they are called", async () => {
      const { engine } = await started();
      const names = ["t", "t/a", "T", "__proto__", "constructor", "toString", "é", "e\u0301", " ", "a%2Fb", "a/b"];
      for (const tenant of names) await engine.commit({ tenant, changes: [{ key: "a/__proto__", expect: null, value: tenant }, { key: "constructor", expect: null, value: tenant }], audit: [body({ tenant })] });
      for (const tenant of names) {
        expect(await engine.get(tenant, "a/__proto__")).toStrictEqual({ value: tenant, version: 1 });
        expect((await engine.list(tenant, "")).map(({ key }) => key)).toStrictEqual(["a/__proto__", "constructor"]);
        expect((await engine.audit(tenant, 0, 10)).map((line) => (JSON.parse(line) as { entry: AuditBody }).entry.detail)).toStrictEqual([{ tenant }]);
      }
      expect([...(await engine.tenants())].sort()).toStrictEqual([...names].sort());
    });

    it("keeps every well-formed text, and refuses names that are none", async () => {
      const { engine } = await started();
      const values = ["", "\u0001", "\u{10ffff}", "\u2028", "'; DROP TABLE record; --", "é".repeat(100_000), "x".repeat(1_000_000), '{"a":12345678901234567890}'];
      await engine.commit({ tenant: "t", changes: values.map((value, index) => ({ key: `v/${index}`, value })) });
      for (const [index, value] of values.entries()) expect((await engine.get("t", `v/${index}`))?.value).toBe(value);
      for (const key of ["", "a\nb", "ä", "x".repeat(513), "\u007f"]) await expect(engine.commit({ tenant: "t", changes: [{ key, value: "" }] })).rejects.toMatchObject({ code: "key_invalid" });
      for (const tenant of ["", "a\u0000", "\ud800", "x".repeat(257)]) await expect(engine.get(tenant, "a")).rejects.toMatchObject({ code: "key_invalid" });
      for (const value of ["\ud800", "\u0000", "a\u0000b"]) await expect(engine.commit({ tenant: "t", changes: [{ key: "a", value }] })).rejects.toMatchObject({ code: "key_invalid" });
      expect(await engine.get("t", "a")).toBeNull();
    });

    it("appends to the chain without a gap, whoever appends side by side", async () => {
      const { engine, again } = await started();
      const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => engine.commit({ tenant: "t", changes: [], audit: [body({ index }), body({ index })] })));
      const lines = (await engine.audit("t", 0, 1000)).map((line) => JSON.parse(line) as { seq: number; entry: AuditBody });
      expect(lines.map(({ seq }) => seq)).toStrictEqual(Array.from({ length: 120 }, (_, index) => index));
      for (const [index, answer] of answers.entries()) {
        expect(answer).toMatchObject({ ok: true });
        if (answer.ok) for (const seq of answer.audit) expect(lines[seq]!.entry.detail).toStrictEqual({ index });
      }
      expect((await engine.audit("t", 118, 5)).length).toBe(2);
      await engine.stop();
      const next = await again();
      await next.start(nothing, numbered);
      expect(await next.commit({ tenant: "t", changes: [], audit: [body()] })).toMatchObject({ audit: [120] });
    });

    it("commits nothing where the chain cannot be made", async () => {
      const { engine } = await started(nothing, () => {
        throw new Error("no key");
      });
      await expect(engine.commit({ tenant: "t", changes: [{ key: "a", value: "1" }], audit: [body()] })).rejects.toMatchObject({ code: "engine_unavailable" });
      expect(await engine.get("t", "a")).toBeNull();
      expect(await engine.commit({ tenant: "t", changes: [{ key: "b", value: "1" }] })).toMatchObject({ ok: true });
    });

    it("tells of a change to whoever waits for it, and to nobody of another's", async () => {
      const { engine } = await started();
      await engine.commit({ tenant: "t", changes: [{ key: "a", value: "1" }] });
      expect(await engine.changed("t", "a", 0, 10_000)).toStrictEqual({ value: "1", version: 1 });
      expect(await engine.changed("t", "a", 1, 50)).toBeNull();
      const waiting = engine.changed("t", "a", 1, 20_000);
      const other = engine.changed("u", "a", 0, 300);
      await engine.commit({ tenant: "t", changes: [{ key: "a", expect: 1, value: "2" }] });
      expect(await waiting).toStrictEqual({ value: "2", version: 2 });
      expect(await other).toBeNull();
      const stop = new AbortController();
      const aborted = engine.changed("t", "a", 2, 60_000, stop.signal);
      stop.abort();
      expect(await aborted).toBeNull();
    });

    it("hands a call over, once at a time, and again where the run failed", async () => {
      let tries = 0;
      let at = 0;
      let most = 0;
      const { engine } = await started(async (tenant, call) => {
        at++;
        most = Math.max(most, at);
        await new Promise((done) => setTimeout(done, 20));
        at--;
        if (call === "fails" && tries++ < 2) throw new Error("not yet");
        await engine.commit({ tenant, changes: [{ key: `ran/${call}`, value: String(Date.now()) }] });
      });
      await Promise.all([engine.run("t", "one"), engine.run("t", "one"), engine.run("t", "one")]);
      await expect.poll(() => engine.get("t", "ran/one"), { timeout: 20_000 }).not.toBeNull();
      await new Promise((done) => setTimeout(done, 200));
      expect(most).toBe(1);
      await engine.run("t", "fails");
      await expect.poll(() => engine.get("t", "ran/fails"), { timeout: 30_000 }).not.toBeNull();
      expect(tries).toBeGreaterThan(2);
    });

    it("hands a call over at its time, also after a restart", async () => {
      const ran: [string, number][] = [];
      const runner: Runner = async (_, call) => void ran.push([call, Date.now()]);
      const { engine, again } = await started(runner);
      const now = Date.now();
      await engine.runAt("t", "soon", now + 400);
      await engine.runAt("t", "later", now + 2500);
      await expect.poll(() => ran.length, { timeout: 15_000 }).toBe(1);
      expect(ran[0]![0]).toBe("soon");
      expect(ran[0]![1]).toBeGreaterThanOrEqual(now + 400);
      await engine.stop();
      const next = await again();
      await next.start(runner, numbered);
      await expect.poll(() => ran.some(([call]) => call === "later"), { timeout: 20_000 }).toBe(true);
      expect(ran.find(([call]) => call === "later")![1]).toBeGreaterThanOrEqual(now + 2500);
    });

    it("takes up after a restart what had not ended", async () => {
      let stuck = true;
      const ran: string[] = [];
      const runner: Runner = async (_, call) => {
        if (stuck) await new Promise(() => undefined);
        ran.push(call);
      };
      const { engine, again } = await started(runner);
      for (const call of ["a", "b", "c"]) await engine.run("t", call);
      await new Promise((done) => setTimeout(done, 100));
      await engine.stop(50);
      stuck = false;
      const next = await again();
      await next.start(runner, numbered);
      await expect.poll(() => [...new Set(ran)].sort(), { timeout: 60_000 }).toStrictEqual(["a", "b", "c"]);
    });

    it("answers engine_unavailable once it is stopped", async () => {
      const { engine } = await started();
      await engine.stop();
      await expect(engine.commit({ tenant: "t", changes: [{ key: "a", value: "1" }] })).rejects.toMatchObject({ code: "engine_unavailable" });
      await expect(engine.get("t", "a")).rejects.toMatchObject({ code: "engine_unavailable" });
    });
  });
}
