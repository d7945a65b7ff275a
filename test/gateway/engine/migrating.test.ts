// The store's versions: a file of an earlier one is opened by every later program, kept as it was beside, and left alone where a migration fails.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../hosts/gateway/engine/driver.ts";
import { MIGRATIONS, VERSION } from "../../../hosts/gateway/engine/schema.ts";
import { FILE, SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { restore } from "../../../hosts/gateway/operations/store.ts";
import { numbered } from "./numbered.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "migrating-")), "data");
  mkdirSync(folder);
  file = join(folder, FILE);
  const database = await openDatabase(file);
  database.exec(readFileSync(new URL("store-1.sql", import.meta.url), "utf8"));
  database.close();
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** What later programs would do: a column more, and a table. */
const NEXT = ["ALTER TABLE record ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; UPDATE record SET note = 'old'", "CREATE TABLE more (a TEXT)"];
const later = (migrations: readonly string[] = NEXT) => new SqliteEngine(folder, { migrating: { migrations: [...MIGRATIONS, ...migrations] } });

async function asked<T>(path: string, sql: string): Promise<T> {
  const database = await openDatabase(path);
  try {
    return database.prepare(sql).get() as T;
  } finally {
    database.close();
  }
}

/** What the file of version 1 holds. */
async function expectWhole(engine: SqliteEngine): Promise<void> {
  expect(await engine.get("shop", "call/1")).toStrictEqual({ value: '{"made":true}', version: 3 });
  expect(await engine.get("shop", "call/2")).toBeNull();
  expect(await engine.get("other", "a")).toStrictEqual({ value: "é", version: 1 });
  expect(await engine.audit("shop", 0, 10)).toHaveLength(2);
  expect(await engine.problems()).toStrictEqual([]);
}

it("a file of version 1 is opened by this program: its records, its log and its runs go on", async () => {
  const ran: string[] = [];
  const engine = new SqliteEngine(folder);
  await engine.start(async (tenant, call) => void ran.push(`${tenant} ${call}`), numbered);
  await expectWhole(engine);
  await expect.poll(() => ran).toStrictEqual(["shop 1"]);
  expect(await engine.commit({ tenant: "shop", changes: [{ key: "call/2", expect: null, value: "again" }], audit: [{ event: "call.proposed", at: 3, actor: "a" }] })).toStrictEqual({ ok: true, versions: { "call/2": 3 }, audit: [2] });
  await engine.stop();
  expect(Object.values(await asked<object>(file, "PRAGMA user_version"))).toStrictEqual([VERSION]);
});

it("is brought up by a later program, kept as it was, and refused by this one from then on", async () => {
  const engine = later();
  await engine.open(numbered);
  await expectWhole(engine);
  await engine.commit({ tenant: "shop", changes: [{ key: "new", value: "1" }] });
  await engine.stop();
  expect(await asked(file, "SELECT count(*) AS n FROM record WHERE note = 'old'")).toMatchObject({ n: 3 });
  await expect(new SqliteEngine(folder).open(numbered)).rejects.toMatchObject({ code: "store_newer" });
  const kept = `${file}.v1`;
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  const before = statSync(kept).mtimeMs;
  // Up to date: nothing is done, and nothing is kept again.
  const again = later();
  await again.open(numbered);
  await again.stop();
  expect(statSync(kept).mtimeMs).toBe(before);
  // The way back is the copy: this program puts it in the place of the newer file, which it keeps.
  expect(await restore(kept, folder, true, "back")).toMatchObject({ version: 1, kept: `${file}.before-back` });
  expect(Object.values(await asked<object>(`${file}.before-back`, "PRAGMA user_version"))).toStrictEqual([3]);
  expect(await asked(`${file}.before-back`, "SELECT value FROM record WHERE key = 'new'")).toMatchObject({ value: "1" });
  const back = new SqliteEngine(folder);
  await back.open(numbered);
  await expectWhole(back);
  expect(await back.get("shop", "new")).toBeNull();
  await back.stop();
});

it("a migration that fails leaves the file as it was, whole, also where the one before it went well", async () => {
  await expect(later([NEXT[0]!, "UPDATE nowhere SET a = 1"]).open(numbered)).rejects.toMatchObject({ code: "engine_unavailable", message: expect.stringContaining("nowhere") });
  const engine = new SqliteEngine(folder);
  await engine.open(numbered);
  await expectWhole(engine);
  await engine.stop();
  expect(await asked(file, "SELECT count(*) AS n FROM pragma_table_info('record') WHERE name = 'note'")).toMatchObject({ n: 0 });
});

it("where the copy cannot be made, nothing is changed", async () => {
  mkdirSync(`${file}.v1`);
  await expect(later().open(numbered)).rejects.toMatchObject({ code: "engine_unavailable" });
  expect(Object.values(await asked<object>(file, "PRAGMA user_version"))).toStrictEqual([1]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toStrictEqual([]);
  expect(existsSync(`${file}.v1`)).toBe(true);
});
