// The embedded engine: the port's suite, its folder's lock, its file's version, backups, and kill -9 in the middle of commits.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { openDatabase } from "../../../hosts/gateway/engine/driver.ts";
import { FILE, SqliteEngine } from "../../../hosts/gateway/engine/sqlite.ts";
import { numbered } from "./numbered.ts";
import { engineSuite } from "./suite.ts";

const root = mkdtempSync(join(tmpdir(), "store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let made = 0;
const folder = () => join(root, String(made++));
const nothing = async () => undefined;

engineSuite({
  name: "the embedded engine",
  fresh: async () => {
    const path = folder();
    const all: SqliteEngine[] = [];
    const open = () => {
      const engine = new SqliteEngine(path);
      all.push(engine);
      return engine;
    };
    return {
      engine: open(),
      again: async () => open(),
      dispose: async () => {
        for (const engine of all) await engine.stop(0);
      },
    };
  },
});

it("is one process's, and its owner's alone", async () => {
  const path = folder();
  const engine = new SqliteEngine(path);
  await engine.start(nothing, numbered);
  await expect(new SqliteEngine(path).start(nothing, numbered)).rejects.toMatchObject({ code: "store_in_use" });
  await engine.commit({ tenant: "t", changes: [{ key: "a", value: "1" }] });
  expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const file of readdirSync(path).filter((name) => name.startsWith(FILE))) expect(statSync(join(path, file)).mode & 0o077, file).toBe(0);
  await engine.stop();
  const next = new SqliteEngine(path);
  await next.start(nothing, numbered);
  await next.stop();
});

it("refuses a newer file, another program's, and a damaged one", async () => {
  const newer = folder();
  const first = new SqliteEngine(newer);
  await first.start(nothing, numbered);
  await first.stop();
  const database = await openDatabase(join(newer, FILE));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(new SqliteEngine(newer).start(nothing, numbered)).rejects.toMatchObject({ code: "store_newer" });

  const other = folder();
  const mine = new SqliteEngine(other);
  await mine.start(nothing, numbered);
  await mine.stop();
  rmSync(join(other, FILE));
  const foreign = await openDatabase(join(other, FILE));
  foreign.exec("CREATE TABLE song (title TEXT)");
  foreign.close();
  await expect(new SqliteEngine(other).start(nothing, numbered)).rejects.toMatchObject({ code: "store_corrupt" });

  rmSync(join(other, FILE));
  writeFileSync(join(other, FILE), "no database at all, but long enough to be looked at ".repeat(100));
  await expect(new SqliteEngine(other).start(nothing, numbered)).rejects.toMatchObject({ code: "store_corrupt" });
});

it("is backed up while it is written to, and the copy is whole", async () => {
  const path = folder();
  const engine = new SqliteEngine(path);
  await engine.start(nothing, numbered);
  for (let index = 0; index < 300; index++) await engine.commit({ tenant: "t", changes: [{ key: `a/${index}`, value: "x".repeat(1000) }], audit: [{ event: "call.proposed", at: 1, actor: "a" }] });
  const writing = Promise.all(Array.from({ length: 50 }, (_, index) => engine.commit({ tenant: "t", changes: [{ key: `b/${index}`, value: "1" }] })));
  const backup = join(root, "backup.db");
  await engine.backup(backup);
  await writing;
  await expect(engine.backup(backup)).rejects.toMatchObject({ code: "engine_unavailable" });
  const restored = folder();
  const empty = new SqliteEngine(restored);
  await empty.start(nothing, numbered);
  await empty.stop();
  for (const name of readdirSync(restored).filter((file) => file.startsWith(FILE))) rmSync(join(restored, name));
  copyFileSync(backup, join(restored, FILE));
  const again = new SqliteEngine(restored);
  await again.start(nothing, numbered);
  expect(await again.problems()).toStrictEqual([]);
  expect((await again.list("t", "a/")).length).toBe(300);
  expect((await again.audit("t", 0, 1000)).length).toBe(300);
  await again.stop();
  await engine.stop();
});

it("loses nothing that was acknowledged when it is killed, and keeps no half of a commit", async () => {
  const script = join(root, "writer.mjs");
  await build({ entryPoints: [fileURLToPath(new URL("writer.ts", import.meta.url))], outfile: script, bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" });
  const modules = join(root, "node_modules");
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), modules);
  const path = folder();
  let acknowledged = 0;
  for (let round = 0; round < 25; round++) {
    const child: ChildProcess = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout! });
    const wanted = 3 + ((round * 7) % 40);
    let seen = 0;
    for await (const line of lines) {
      acknowledged = Math.max(acknowledged, Number(line));
      if (++seen === wanted) child.kill("SIGKILL");
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const engine = new SqliteEngine(path);
    await engine.start(nothing, numbered);
    const count = Number((await engine.get("t", "count"))?.value ?? 0);
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    // Each commit writes the count, a record of its own and one line of the log: all three, or none.
    let records = 0;
    for (let after: string | undefined; ; ) {
      const page = await engine.list("t", "n/", after === undefined ? {} : { after });
      records += page.length;
      after = page.at(-1)?.key;
      if (page.length < 1000) break;
    }
    expect(records).toBe(count);
    const log = await engine.audit("t", 0, 10_000);
    expect(log.length).toBe(Math.min(count, 10_000));
    expect(await engine.problems()).toStrictEqual([]);
    await engine.stop();
  }
  expect(acknowledged).toBeGreaterThan(100);
});
