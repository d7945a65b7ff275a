// The store looked after from outside: a copy made while it is written to is whole, can be put back, and nothing is replaced unasked.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSealer } from "../../../hosts/gateway/audit/chain.ts";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { openDatabase } from "../../../hosts/gateway/engine/driver.ts";
import { FILE, SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { backUp, bringUp, restore } from "../../../hosts/gateway/operations/store.ts";
import { interlock } from "../cli/terminal.ts";

const KEY = { kid: "k", kty: "oct" as const, alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") };
const seal = createSealer(
  () => KEY,
  () => ({ entries: 5, milliseconds: 60_000 }),
);
let folder: string;
let data: string;
let engine: SqliteEngine | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-store-"));
  data = join(folder, "interlock-data");
  engine = null;
});
afterEach(async () => {
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(): Promise<SqliteEngine> {
  engine = new SqliteEngine(data);
  await engine.open(seal);
  return engine;
}

async function write(to: SqliteEngine, from: number, count: number): Promise<void> {
  const commits = Array.from({ length: count }, (_, index) => to.commit({ tenant: "shop", changes: [{ key: `call/${from + index}`, value: "{}" }], audit: [{ event: "call.proposed", at: from + index, actor: "a" }] }));
  await Promise.all(commits);
}

it("a copy made in the middle of writing is whole: its records and its log are of one moment", async () => {
  const store = await opened();
  await write(store, 0, 20);
  const writing = write(store, 20, 200);
  const file = join(folder, "backups", "one.db");
  const { tenants } = await backUp(data, file);
  await writing;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await store.stop();
  data = join(folder, "other");
  const back = await restore(file, data, false, "x");
  expect(back).toMatchObject({ kept: null, tenants });
  const again = await opened();
  const records = await again.list("shop", "call/", { limit: 1000 });
  const lines = await again.audit("shop", 0, 1000);
  expect(records.length).toBe(tenants[0]!.records);
  expect(records.length).toBeGreaterThanOrEqual(20);
  expect(lines.filter((line) => line.includes('"entry"'))).toHaveLength(records.length);
  expect(await verifyAudit(lines, { keys: [KEY] })).toMatchObject({ valid: true });
});

it("a copy replaces nothing, and a store is put back only where none is used", async () => {
  const store = await opened();
  await write(store, 0, 3);
  const file = join(folder, "one.db");
  await backUp(data, file);
  await expect(backUp(data, file)).rejects.toMatchObject({ code: "backup_exists" });
  await expect(restore(file, data, false, "x")).rejects.toMatchObject({ code: "store_exists" });
  await expect(restore(file, data, true, "x")).rejects.toMatchObject({ code: "store_in_use" });
  await write(store, 3, 2);
  await store.stop();
  expect(await restore(file, data, true, "x")).toMatchObject({ kept: join(data, `${FILE}.before-x`), tenants: [{ tenant: "shop", records: 3 }] });
  expect(await (await opened()).list("shop", "call/")).toHaveLength(3);
  const kept = await openDatabase(join(data, `${FILE}.before-x`));
  expect(Number((kept.prepare("SELECT count(*) AS n FROM record").get() as { n: number }).n)).toBe(5);
  kept.close();
});

it("what is no store, a damaged one or a newer one is not put back", async () => {
  const file = join(folder, "one.db");
  writeFileSync(file, "hello, this is no database of any kind, however long it goes on");
  await expect(restore(file, data, false, "x")).rejects.toMatchObject({ code: "store_corrupt" });
  rmSync(file);
  const other = await openDatabase(file);
  other.exec("CREATE TABLE a (b)");
  await expect(restore(file, data, false, "x")).rejects.toMatchObject({ code: "store_corrupt" });
  other.close();
  rmSync(file);
  const store = await opened();
  await write(store, 0, 1);
  await backUp(data, file);
  const newer = await openDatabase(file);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  await expect(restore(file, join(folder, "c"), false, "x")).rejects.toMatchObject({ code: "store_newer" });
  await expect(restore(join(folder, "none"), data, false, "x")).rejects.toMatchObject({ code: "backup_missing" });
  expect(existsSync(join(folder, "c"))).toBe(false);
});

it("migrating tells the versions, and refuses a store that is used or newer", async () => {
  await expect(bringUp(data)).rejects.toMatchObject({ code: "store_missing" });
  const store = await opened();
  await write(store, 0, 1);
  await expect(bringUp(data)).rejects.toMatchObject({ code: "store_in_use" });
  await store.stop();
  const { from, to } = await bringUp(data);
  expect(from).toBe(to);
  const newer = await openDatabase(join(data, FILE));
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  await expect(bringUp(data)).rejects.toMatchObject({ code: "store_newer" });
});

it("the commands find the store by the gateway's file", async () => {
  const store = await opened();
  await write(store, 0, 3);
  for (const name of ["policy.yaml", "keys.json"]) writeFileSync(join(folder, name), "");
  const config = join(folder, "gateway.yaml");
  writeFileSync(config, "{}\n");
  const copy = join(folder, "b.db");
  const made = await interlock(["gateway", "backup", copy, "--config", config]);
  expect(made).toMatchObject({ exit: 0, err: "" });
  expect(made.out).toContain("checked: shop with 3 records and 3 lines of its log");
  const refused = await interlock(["gateway", "restore", copy, "--config", config, "--force"]);
  expect(refused.exit).toBe(1);
  expect(refused.err).toContain("store_in_use");
  await store.stop();
  expect(await interlock(["gateway", "restore", copy, "--config", config])).toMatchObject({ exit: 1 });
  expect(await interlock(["gateway", "restore", copy, "--config", config, "--force"])).toMatchObject({ exit: 0 });
  expect((await interlock(["gateway", "migrate", "--config", config])).out).toMatch(/has version \d+ already/);
  mkdirSync(join(folder, "empty"));
  expect((await interlock(["gateway", "backup", "x.db", "--config", join(folder, "empty", "gateway.yaml")])).err).toContain("config_unreadable");
});
