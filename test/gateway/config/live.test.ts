// The settings in force change from the next call on when the file does; a wrong file leaves those before in force.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LiveSettings, type Reload } from "../../../hosts/gateway/config/live.ts";
import { readSettings } from "../../../hosts/gateway/config/read.ts";

let folder: string;
let file: string;
let told: Reload[];
let live: LiveSettings;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-live-"));
  file = join(folder, "gateway.yaml");
  for (const name of ["policy.yaml", "keys.json"]) writeFileSync(join(folder, name), "one");
  told = [];
});
afterEach(async () => {
  await live.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(text: string, apply: ConstructorParameters<typeof Object>[0] = undefined): Promise<void> {
  writeFileSync(file, text);
  const read = await readSettings(file, {});
  live = new LiveSettings(read.settings!, { file, shown: "gateway.yaml", env: {}, interval: 20, tell: (reload) => told.push(reload) });
  live.watch(read, (apply as (() => Promise<void>) | undefined) ?? (async () => undefined));
}

async function until(true_: () => boolean): Promise<void> {
  while (!true_()) await new Promise((next) => setTimeout(next, 10));
}

it("takes a changed file, also one that was put in the place of the old", async () => {
  await start("mode: enforce\n");
  writeFileSync(join(folder, "next.yaml"), "mode: observe\n");
  renameSync(join(folder, "next.yaml"), file);
  await until(() => told.length > 0);
  expect(told[0]).toMatchObject({ outcome: "taken", kept: [] });
  expect(live.current().tenants["default"]!.mode).toBe("observe");
});

it("reads again when the policy or the keys change", async () => {
  let applied = 0;
  await start("{}\n", async () => {
    applied++;
  });
  writeFileSync(join(folder, "policy.yaml"), "two, and longer");
  await until(() => applied > 0);
  writeFileSync(join(folder, "keys.json"), "two, and longer");
  await until(() => applied > 1);
});

it("leaves the old in force where the new file is wrong, says what is wrong, and takes the mended one", async () => {
  await start("approvals: {wait_seconds: 7}\n");
  writeFileSync(file, "approvals: {wait_seconds: soon}\n");
  const [first] = [await live.reload()];
  expect(first).toMatchObject({ outcome: "left" });
  expect((first as { why: string }).why).toMatch(/gateway\.yaml:1:27: error config_value/);
  expect(live.current().tenants["default"]!.approvals.waitSeconds).toBe(7);
  writeFileSync(file, "approvals: {wait_seconds: 8}\n");
  expect(await live.reload()).toMatchObject({ outcome: "taken" });
  expect(live.current().tenants["default"]!.approvals.waitSeconds).toBe(8);
});

it("leaves the old in force where the new settings cannot be put to work", async () => {
  await start("mode: enforce\n", async () => {
    throw new Error("policy.yaml is wrong");
  });
  writeFileSync(file, "mode: observe\n");
  expect(await live.reload()).toEqual({ outcome: "left", why: "policy.yaml is wrong" });
  expect(live.current().tenants["default"]!.mode).toBe("enforce");
});

it("keeps the socket and the store, and says that they need a restart", async () => {
  await start("listen: {port: 1}\n");
  writeFileSync(file, "listen: {port: 2}\nengine: {folder: elsewhere}\nmode: observe\n");
  expect(await live.reload()).toMatchObject({ outcome: "taken", kept: ["listen", "engine"] });
  expect(live.current()).toMatchObject({ listen: { port: 1 }, engine: { folder: join(folder, "interlock-data") } });
  expect(live.current().tenants["default"]!.mode).toBe("observe");
});

it("reads one after the other, the last file standing", async () => {
  let inside = 0;
  let most = 0;
  await start("{}\n", async () => {
    most = Math.max(most, ++inside);
    await new Promise((next) => setTimeout(next, 5));
    inside--;
  });
  const reloads = [];
  for (const seconds of [1, 2, 3, 4]) {
    writeFileSync(file, `approvals: {wait_seconds: ${seconds}}\n`);
    reloads.push(live.reload());
  }
  await Promise.all(reloads);
  expect(most).toBe(1);
  expect(live.current().tenants["default"]!.approvals.waitSeconds).toBe(4);
});
