// A gateway starts in its order and ends in the other; a start that fails says one coded thing and leaves nothing open; what waits for a person outlives a restart; keys are rotated while it runs.
import { createServer as createWebServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { verifyAudit } from "../../../hosts/gateway/audit/verify.ts";
import { backUp, restore } from "../../../hosts/gateway/operations/store.ts";
import { httpDoor } from "../../../hosts/gateway/doors/http/open.ts";
import type { Door } from "../../../hosts/gateway/start.ts";
import { APPROVER, KEYS } from "../flow/shop.ts";
import { House } from "./house.ts";

let house: House;
beforeEach(async () => {
  house = new House();
});
afterEach(() => house.remove());

const events = (lines: readonly string[]): string[] => lines.flatMap((line) => (JSON.parse(line) as { entry?: { event: string } }).entry?.event ?? []);

it("reads through a real server, and its log tells of the start, the call and the stop", async () => {
  await house.make();
  await house.start();
  const read = await house.call("read_text_file", { path: join(house.files, "a.txt") });
  expect(read.kind).toBe("result");
  expect((read as { result: string }).result).toContain("hello");
  const before = await house.audit();
  expect(events(before)).toEqual(expect.arrayContaining(["gateway.started", "call.proposed", "call.intent", "call.confirmed"]));
  await house.stop();
  expect(house.lines.map(({ event }) => event)).toEqual(expect.arrayContaining(["engine.open", "tenant.ready", "door.open", "gateway.stopped"]));
  expect(house.lines.filter(({ level }) => level === "error")).toEqual([]);
  await house.start();
  const after = await house.audit();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(events(after).filter((event) => event.startsWith("gateway."))).toEqual(["gateway.started", "gateway.stopped", "gateway.started"]);
  // Keys that changed while it did not run show too.
  expect(after.find((line) => line.includes("gateway.started"))).toContain('"active":"gate","core":"core","kids":["gate","people"]');
  // A stop leaves nothing unsigned.
  const stopped = after.slice(0, after.findLastIndex((line) => line.includes("gateway.started")));
  expect(await verifyAudit(stopped, { keys: KEYS.keys as [] })).toMatchObject({ valid: true, uncovered: 0 });
  expect(await verifyAudit(after, { keys: KEYS.keys as [] })).toMatchObject({ valid: true });
});

it("a write waits for a person over a restart, and then is made once", async () => {
  await house.make();
  await house.start();
  const path = join(house.files, "b.txt");
  const asked = await house.call("write_file", { path, content: "one" });
  expect(asked.kind).toBe("pending");
  await house.stop();
  await house.start();
  expect(existsSync(path)).toBe(false);
  await house.parts!.gateway.decide(APPROVER, (asked as { approval: string }).approval, { answer: "approve" });
  const made = await house.parts!.gateway.outcome("shop", asked.call.id, 20_000);
  expect(made?.kind).toBe("result");
  expect(readFileSync(path, "utf8")).toBe("one");
  expect(events(await house.audit()).filter((event) => event === "call.intent")).toHaveLength(1);
});

it("says loudly that it only observes, and records what it would have answered", async () => {
  await house.make(`mode: observe\nrecording: {file: recorded.jsonl, arguments: true}\n`);
  await house.start();
  expect(house.lines.find(({ event }) => event === "observe")).toMatchObject({ level: "warn", tenant: "shop" });
  const path = join(house.files, "c.txt");
  expect((await house.call("write_file", { path, content: "x" })).kind).toBe("result");
  expect(existsSync(path)).toBe(true);
  await house.stop();
  const [line] = readFileSync(join(house.folder, "recorded.jsonl"), "utf8").trim().split("\n");
  expect(JSON.parse(line!)).toMatchObject({ tool: "write_file", decision: "confirm", status: "ran" });
});

it("a reload that only observes from now on is told as loudly, and stands in the log; so does the way back", async () => {
  await house.make();
  await house.start();
  expect(house.lines.some(({ event }) => event === "observe")).toBe(false);
  house.config("mode: observe\n");
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  expect(house.lines.find(({ event }) => event === "observe")).toMatchObject({ level: "warn", tenant: "shop" });
  house.config("mode: enforce\n");
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  const modes = (await house.audit()).map((line) => JSON.parse(line) as { entry?: { event: string; detail?: object } }).filter(({ entry }) => entry?.event === "mode.changed");
  expect(modes.map(({ entry }) => entry!.detail)).toEqual([{ before: "enforce", mode: "observe" }, { before: "observe", mode: "enforce" }]);
});

it("a start that fails is one coded error, and leaves neither the store nor a server open", async () => {
  await house.make();
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, "127.0.0.1", listening));
  const port = (taken.address() as AddressInfo).port;
  const door: Door = {
    name: "http",
    open: () =>
      new Promise((_, failed) => {
        const server = createServer();
        server.once("error", (error: NodeJS.ErrnoException) => failed(Object.assign(new Error(`port ${port} is taken`), { code: error.code === "EADDRINUSE" ? "port_in_use" : "port_unusable" })));
        server.listen(port, "127.0.0.1");
      }),
  };
  await expect(house.start([door])).rejects.toMatchObject({ code: "port_in_use" });
  taken.close();
  await house.start();
  const other = new House();
  await other.make(`engine: {folder: ${JSON.stringify(join(house.folder, "interlock-data"))}}\n`);
  await expect(other.start()).rejects.toMatchObject({ code: "store_in_use" });
  await other.remove();
  await house.stop();
  house.keys({ format: "qls-keys/1", active: "gone", keys: KEYS.keys });
  await expect(house.start()).rejects.toMatchObject({ code: "keys_invalid", message: expect.stringContaining("keys.json") });
  house.keys({ ...KEYS, keys: [KEYS.keys[0]] });
  await expect(house.start()).rejects.toMatchObject({ code: "keys_invalid", message: expect.stringContaining("--use approve") });
  house.keys(KEYS);
  await house.start();
});

it("keys are rotated while it runs: added, made active, read again; what the old one signed goes on verifying, and a wrong set leaves the old one", async () => {
  await house.make("audit: {checkpoint_entries: 1}\n");
  await house.start();
  await house.call("list_directory", { path: house.files });
  const next = { kid: "next", kty: "oct", alg: "HS256", k: Buffer.alloc(32, 5).toString("base64url") };
  const both = { ...KEYS, active: "next", keys: [...KEYS.keys, next] };
  house.keys("no key set");
  expect(await house.live!.reload()).toMatchObject({ outcome: "left", why: expect.stringContaining("keys.json") });
  house.keys(both);
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  await house.call("list_directory", { path: house.files });
  const lines = await house.audit();
  const kids = lines.flatMap((line) => {
    const { checkpoint } = JSON.parse(line) as { checkpoint?: string };
    return checkpoint === undefined ? [] : [(JSON.parse(Buffer.from(checkpoint.split(".")[0]!, "base64url").toString()) as { kid: string }).kid];
  });
  expect(new Set(kids)).toEqual(new Set(["gate", "next"]));
  expect(kids.at(-1)).toBe("next");
  expect(events(lines)).toContain("key.rotated");
  expect(await verifyAudit(lines, { keys: both.keys as [] })).toMatchObject({ valid: true });
  // Without the old key, what it signed cannot be verified: it is kept for as long as its log is.
  expect(await verifyAudit(lines, { keys: [next as never] })).toMatchObject({ valid: false, problem: { code: "audit_key" } });
});

it("a backup that was put back says so in the log and at the start, once", async () => {
  await house.make();
  await house.start();
  const file = join(house.folder, "copy.db");
  await backUp(join(house.folder, "interlock-data"), file);
  await house.call("list_directory", { path: house.files });
  await house.stop();
  await restore(file, join(house.folder, "interlock-data"), true, "2026-11-30");
  for (let start = 0; start < 2; start++) {
    await house.start();
    await house.stop();
  }
  await house.start();
  const lines = await house.audit();
  expect(events(lines).filter((event) => !event.startsWith("listing."))).toEqual(["policy.registered", "gateway.started", "store.restored", "gateway.started", "gateway.stopped", "gateway.started", "gateway.stopped", "gateway.started"]);
  expect(lines.find((line) => line.includes("store.restored"))).toContain('"detail":{"at":"2026-11-30"}');
  expect(house.lines.filter(({ event }) => event === "store.restored")).toHaveLength(1);
  expect(await verifyAudit(lines, { keys: KEYS.keys as [] })).toMatchObject({ valid: true });
});

it("a server that was added is reached from the next call on", async () => {
  await house.make();
  await house.start();
  expect((await house.parts!.upstream.listed("shop")).map(({ server }) => server)).not.toContain("more");
  house.config(`  more: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(process.argv[1])}, --version]}\napprovals: {answer: retry}\n`);
  expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  expect(Object.keys(house.live!.current().tenants["shop"]!.servers)).toEqual(["files", "more"]);
  expect((await house.call("list_directory", { path: house.files })).kind).toBe("result");
});

it("MCP clients are told when the tools that they are offered change: by a switch, a policy, and what a server lists", async () => {
  await house.make();
  await house.start();
  const { gateway, onToolsChanged } = house.parts!;
  const admin = { ...APPROVER, may: new Set(["kill", "policy", "approve"] as const) };
  const told: string[] = [];
  const forget = onToolsChanged((tenant) => told.push(tenant));
  const tells = async (change: () => Promise<unknown>): Promise<void> => {
    told.length = 0;
    await change();
    await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(["shop"]));
  };
  const offered = async (): Promise<boolean> => (await gateway.offered("shop", null)).some(({ tool }) => tool === "list_directory");
  let switched = "";
  await tells(async () => {
    switched = (await gateway.kill(admin, { tool: "list_directory", why: "a test" })).id;
  });
  expect(await offered()).toBe(false);
  await tells(() => gateway.liftKill(admin, switched));
  expect(await offered()).toBe(true);
  const listing = JSON.parse(readFileSync(join(house.folder, "files.json"), "utf8")) as { tools: { name: string; description: string }[] };
  listing.tools = listing.tools.filter(({ name }) => name !== "list_directory");
  writeFileSync(join(house.folder, "files.json"), JSON.stringify(listing));
  await tells(async () => {
    expect(await house.live!.reload()).toMatchObject({ outcome: "taken" });
  });
  expect(await offered()).toBe(false);
  forget();
  told.length = 0;
  await gateway.kill(admin, { all: true, why: "a test" });
  expect(told).toEqual([]);
});

it("tells people the port that the system chose, also in what waited for the door to be open", async () => {
  const told: { url: string; approval: string }[] = [];
  let answers = 503;
  let heard: () => void = () => undefined;
  const receiver = createWebServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      told.push(JSON.parse(text) as (typeof told)[number]);
      response.writeHead(answers).end();
      heard();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const next = () => new Promise<void>((come) => (heard = come));
  try {
    writeFileSync(join(house.folder, "secret"), Buffer.alloc(32, 7).toString("base64url"));
    await house.make(`listen: {port: 0}\napprovals: {notify: [{url: "http://127.0.0.1:${(receiver.address() as AddressInfo).port}/", secret: {file: secret}}]}\n`);
    const first = next();
    const where = (await house.start([httpDoor({ console: null })])).doors[1]!.where;
    expect(house.parts!.settings().publicUrl).toBe(where);
    const asked = await house.call("write_file", { path: join(house.files, "b.txt"), content: "one" });
    await first;
    await house.stop();
    answers = 204;
    const second = next();
    const again = (await house.start([httpDoor({ console: null })])).doors[1]!.where;
    await second;
    const inbox = `/#/inbox/${(asked as { approval: string }).approval}`;
    expect(told.map(({ url }) => url)).toEqual([where + inbox, again + inbox]);
    // Another port in the file is for the next start: the links go on to where the socket is.
    house.config("listen: {port: 9}\n");
    expect(await house.live!.reload()).toMatchObject({ outcome: "taken", kept: ["listen"] });
    expect(house.parts!.settings().publicUrl).toBe(again);
  } finally {
    receiver.close();
  }
});
