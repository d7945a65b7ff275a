// `approvals` and `kill` over a gateway's HTTP API: which gateway is asked, with whose key, and what people read and say. The API's answers are the inbox's tests' own.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { announce, running } from "../../../hosts/cli/gateway/state.ts";
import { FakeGateway, KEY } from "../../console/gateway.ts";
import { interlock } from "./terminal.ts";

let folder: string;
let gateway: FakeGateway;
let env: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlock-approvals-"));
  gateway = new FakeGateway();
  env = { INTERLOCK_URL: await gateway.start(), INTERLOCK_KEY: KEY, INTERLOCK_STATE: folder };
  gateway.ask("aaaa-1", "charge_card", '{"order_id":"4411","amount":40}');
  gateway.ask("bbbb-1", "wire", '{"order_id":"77","amount":1}');
});
afterEach(() => {
  gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("lists what is open, and shows a question with its arguments and where they came from", async () => {
  const listed = await interlock(["approvals", "list"], env);
  expect(listed).toMatchObject({ exit: 0, err: "" });
  expect(listed.out).toMatch(/aaaa-1.*charge_card.*desk[\s\S]*bbbb-1.*wire/);
  const shown = await interlock(["approvals", "show", "aaaa"], env);
  expect(shown.out).toMatch(/order_id = 4411 {2}\(typed\)[\s\S]*amount = 40 {2}\(model\)|amount = 40 {2}\(model\)[\s\S]*order_id = 4411 {2}\(typed\)/);
  expect(shown.out).toContain("undone by refund_card");
});

it("says yes, no with why, and yes to other arguments, to the letter", async () => {
  expect((await interlock(["approvals", "approve", "aaaa"], env)).out).toBe("approved: charge_card aaaa-1\n");
  expect((await interlock(["approvals", "deny", "bbbb-1", "--why", "not this month"], env)).exit).toBe(0);
  gateway.ask("cccc-1", "charge_card", '{"order_id":"4411","amount":40}');
  await interlock(["approvals", "edit", "cccc", '{"order_id":"4411","amount":40.10}'], env);
  expect(gateway.asked).toEqual(["POST /v1/approvals/aaaa-1/approve {}", 'POST /v1/approvals/bbbb-1/deny {"why":"not this month"}', 'POST /v1/approvals/cccc-1/edit {"arguments":{"order_id":"4411","amount":40.10}}']);
  expect((await interlock(["approvals", "edit", "cccc", "[1]"], env)).err).toContain("file_json");
});

it("tells the gateway's own error, an ambiguous id, and one that is not there", async () => {
  gateway.refuse = { status: 403, code: "own_request", message: "You proposed this call yourself." };
  expect(await interlock(["approvals", "approve", "aaaa"], env)).toMatchObject({ exit: 1, err: "error own_request: You proposed this call yourself.\n" });
  gateway.ask("aaaa-2", "wire", '{"order_id":"1"}');
  expect((await interlock(["approvals", "show", "aaaa"], env)).err).toContain("approval_ambiguous");
  expect((await interlock(["approvals", "show", "ffff"], env)).err).toContain("approval_not_found");
  expect((await interlock(["approvals", "show", "../x"], env)).err).toContain("usage");
  expect((await interlock(["approvals", "list"], { ...env, INTERLOCK_KEY: "ik_wrong" })).err).toMatch(/unauthorized[\s\S]*INTERLOCK_KEY/);
});

it("takes the key from a file, and never from the command line", async () => {
  writeFileSync(join(folder, "key"), `${KEY}\n`);
  const { INTERLOCK_KEY: _, ...rest } = env;
  expect(await interlock(["approvals", "list", "--key-file", join(folder, "key")], rest)).toMatchObject({ exit: 0 });
  expect((await interlock(["approvals", "list"], rest)).err).toContain("gateway_key");
  expect((await interlock(["approvals", "list", "--key", KEY], env)).err).toContain("usage");
});

it("finds the gateways of this user that run here, by notes that they alone can read; a note of one that is gone is taken away", async () => {
  const here = { INTERLOCK_STATE: folder };
  expect((await interlock(["approvals", "list"], here)).err).toContain("gateway_none");
  mkdirSync(join(folder, "running"), { recursive: true });
  writeFileSync(join(folder, "running", "999999999.json"), JSON.stringify({ pid: 999_999_999, url: "http://127.0.0.1:1", key: "x", name: "gone", started: "" }));
  const forget = announce(here, { url: env["INTERLOCK_URL"]!, key: KEY, name: "wrap files" });
  expect(running(here).map(({ name }) => name)).toEqual(["wrap files"]);
  expect(readdirSync(join(folder, "running"))).toEqual([`${process.pid}.json`]);
  expect((await interlock(["approvals", "list"], here)).out).toContain("aaaa-1");
  forget();
  expect(running(here)).toEqual([]);
});

it("of no gateway, or of something else that answers, says so", async () => {
  gateway.stop();
  expect((await interlock(["approvals", "list"], env)).err).toContain("gateway_unreachable");
  const other: Server = createServer((_, response) => response.end("<html>"));
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect((await interlock(["approvals", "list", "--url", url], { ...env, INTERLOCK_KEY: "k" })).err).toContain("gateway_answer");
  expect((await interlock(["approvals", "list", "--url", "nowhere"], env)).err).toContain("usage");
  other.close();
});

it("kill says what is to be stopped, or is refused before anything is sent", async () => {
  expect((await interlock(["kill", "set", "--why", "x"], env)).err).toContain("Nothing says what is to be stopped");
  expect((await interlock(["kill", "set", "--all", "--tool", "a", "--why", "x"], env)).err).toContain("--all stops everything");
  expect((await interlock(["kill", "set", "--tool", "a"], env)).err).toContain("--why");
});
