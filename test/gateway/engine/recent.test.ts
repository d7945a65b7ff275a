// What the embedded engine remembers: seeded operations beside a plain model, groups that fail in the middle, and more records than it keeps, each read as the file has them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Change, Stored } from "../../../hosts/gateway/engine/port.ts";
import { SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { numbered } from "./numbered.ts";

const root = mkdtempSync(join(tmpdir(), "recent-"));
const nothing = async () => undefined;
let engine: SqliteEngine;
beforeAll(async () => {
  engine = new SqliteEngine(root);
  await engine.start(nothing, (tenant, previous, bodies) => {
    if (bodies.some(({ detail }) => detail?.["fails"] === true)) throw new Error("no line can be made");
    return numbered(tenant, previous, bodies);
  });
});
afterAll(async () => {
  await engine.stop(0);
  rmSync(root, { recursive: true, force: true });
});

/** A generator of numbers from a seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

it("records, absences and empty prefixes are as they were committed, whatever failed between", async () => {
  const next = seeded(20261130);
  const model = new Map<string, { value: string | null; version: number }>();
  const prefixes = ["", "a/", "a/b/", "c/", "c/0"];
  const keyOf = (): string => `${["a/", "a/b/", "c/"][next(3)]}${next(6)}`;
  const now = (key: string): Stored | null => {
    const known = model.get(key);
    return known === undefined || known.value === null ? null : { value: known.value, version: known.version };
  };
  for (let round = 0; round < 600; round++) {
    if (round % 3 === 0) {
      const prefix = prefixes[next(prefixes.length)]!;
      const keys = [...model.keys()].filter((key) => key.startsWith(prefix) && now(key) !== null).sort();
      expect(await engine.list("t", prefix, { limit: 1000 }), prefix).toStrictEqual(keys.map((key) => ({ key, ...now(key)! })));
    }
    const key = keyOf();
    expect(await engine.get("t", key), key).toStrictEqual(now(key));
    const fails = next(7) === 0;
    const changes = new Map<string, Change>();
    for (let i = next(3); i >= 0; i--) {
      const changed = keyOf();
      const value = [null, `${round}`, `${round}${"x".repeat(20_000)}`][next(40) === 0 ? 2 : next(2)]!;
      changes.set(changed, { key: changed, value, ...(next(2) === 0 ? {} : { expect: next(5) === 0 ? 99 : (now(changed)?.version ?? null) }) });
    }
    const expected = [...changes.values()].every(({ key, expect: version }) => version === undefined || version === (now(key)?.version ?? null));
    const commit = engine.commit({ tenant: "t", changes: [...changes.values()], ...(fails ? { audit: [{ event: "call.proposed", at: 1, actor: "a", detail: { fails: true } }] } : {}) }).then(({ ok }) => ok, () => null);
    // Another commit in the same group is lost with the one that fails.
    const beside = engine.commit({ tenant: "t", changes: [{ key: "beside", value: `${round}` }] }).then(({ ok }) => ok, () => null);
    const isLost = fails && expected;
    expect([await commit, await beside]).toStrictEqual(isLost ? [null, null] : [expected, true]);
    if (isLost) continue;
    const before = model.get("beside")?.version ?? 0;
    model.set("beside", { value: `${round}`, version: before + 1 });
    if (!expected) continue;
    for (const { key, value } of changes.values()) {
      const known = model.get(key);
      if (value === null && (known === undefined || known.value === null)) continue;
      model.set(key, { value: value!, version: (known?.version ?? 0) + 1 });
    }
  }
});

it("more records than are remembered are all there", async () => {
  const many = Array.from({ length: 3000 }, (_, at) => ({ key: `many/${at}`, value: `${at}` }));
  for (let at = 0; at < many.length; at += 500) await engine.commit({ tenant: "u", changes: many.slice(at, at + 500) });
  for (const { key, value } of many) expect(await engine.get("u", key)).toStrictEqual({ value, version: 1 });
  expect(await engine.list("u", "many/")).toHaveLength(1000);
  expect(await engine.get("v", "many/1")).toBeNull();
});
