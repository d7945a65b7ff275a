// Commits in groups: many calls share one write to the disk, nobody is answered before it, and an intent is on the disk before a byte goes out.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../../../hosts/gateway/engine/driver.ts";
import { FILE, SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { House, person } from "../people/house.ts";
import { numbered } from "./numbered.ts";

/** What the store's databases were told, in order; `fails` makes the next COMMIT fail. */
const spy = vi.hoisted(() => ({ told: [] as string[], fails: false }));
vi.mock("../../../hosts/gateway/engine/driver.ts", async (original) => {
  const driver = await original<typeof import("../../../hosts/gateway/engine/driver.ts")>();
  return {
    ...driver,
    openDatabase: async (file: string): Promise<Database> => {
      const database = await driver.openDatabase(file);
      return {
        prepare: (sql) => database.prepare(sql),
        close: () => database.close(),
        exec: (sql) => {
          spy.told.push(sql);
          if (sql === "COMMIT" && spy.fails) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
          return database.exec(sql);
        },
      };
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "groups-"));
  spy.told.length = 0;
  spy.fails = false;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commits = (): number => spy.told.filter((sql) => sql === "COMMIT").length;

async function opened(): Promise<SqliteEngine> {
  const engine = new SqliteEngine(folder);
  await engine.open(numbered);
  spy.told.splice(0, spy.told.findIndex((sql) => sql.includes("journal_mode")));
  return engine;
}

const entry = (engine: SqliteEngine, key: string) => engine.commit({ tenant: "t", changes: [{ key, value: "1" }], audit: [{ event: "call.intent", at: 1, actor: "gateway" }] });

it("is opened so that a commit is on the disk when it is answered", async () => {
  const engine = await opened();
  expect(spy.told[0]).toMatch(/journal_mode = WAL/);
  expect(spy.told[0]).toMatch(/synchronous = FULL/);
  await engine.stop();
});

it("a hundred commits that come together are one write, and each is answered after it", async () => {
  const engine = await opened();
  const before = commits();
  const seen: number[] = [];
  await Promise.all(Array.from({ length: 100 }, async (_, index) => {
    await entry(engine, `k/${index}`);
    seen.push(commits() - before);
  }));
  expect(commits() - before).toBe(1);
  expect(seen).toEqual(Array(100).fill(1));
  for (let index = 0; index < 5; index++) await entry(engine, `one/${index}`);
  expect(commits() - before).toBe(6);
  await engine.stop();
});

it("a write that fails is a failure of every commit of its group: none is there, and the log goes on without a gap", async () => {
  const engine = await opened();
  await entry(engine, "first");
  spy.fails = true;
  const failed = await Promise.allSettled([entry(engine, "a"), entry(engine, "b")]);
  expect(failed.map((one) => one.status === "rejected" && (one.reason as { code: string }).code)).toEqual(["store_full", "store_full"]);
  spy.fails = false;
  expect(await engine.get("t", "a")).toBeNull();
  expect(await entry(engine, "c")).toMatchObject({ ok: true, audit: [1] });
  expect(await engine.audit("t", 0, 10)).toHaveLength(2);
  await engine.stop();
});

it("the intent is in the file, for another reader of it, before the tool is reached; without room for it the tool is not reached", async () => {
  const house = await House.open();
  const { openDatabase } = await vi.importActual<typeof import("../../../hosts/gateway/engine/driver.ts")>("../../../hosts/gateway/engine/driver.ts");
  const found: string[] = [];
  house.tools.answer = async (call) => {
    const reader = await openDatabase(join(house.folder, "data", FILE));
    const lines = reader.prepare("SELECT line FROM audit WHERE tenant = 'shop' ORDER BY seq").all() as { line: string }[];
    reader.close();
    const told = lines.map(({ line }) => (JSON.parse(line) as { entry?: { event: string; call?: string } }).entry).filter((body) => body?.call === call.id);
    found.push(told.at(-1)!.event);
    return {};
  };
  try {
    const { outcome, approval } = await house.asked("charge_card", { order_id: "A-1", amount: 40 });
    await house.gateway.decide(person("ann"), approval.id, { answer: "approve" });
    expect((await house.end(outcome)).kind).toBe("result");
    await house.call("get_order", { order_id: "A-1" });
    expect(found).toEqual(["call.intent", "call.intent"]);
    expect(house.tools.sent).toHaveLength(2);
    spy.fails = true;
    await expect(house.call("get_order", { order_id: "A-2" })).rejects.toMatchObject({ code: "store_full" });
    expect(house.tools.sent).toHaveLength(2);
  } finally {
    spy.fails = false;
    await house.close();
  }
});
