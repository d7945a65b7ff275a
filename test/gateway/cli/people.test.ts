// The commands for people over the real API of a real gateway: questions answered, ended and changed, the log asked, exported and verified, switches, a session erased; every error has its code and its exit.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEYS, POLICY } from "../flow/shop.ts";
import { Listening } from "../http/socket.ts";
import type { Json } from "../http/world.ts";
import { interlock, type Ran } from "./terminal.ts";

let listening: Listening;
let folder: string;
let url: string;
let count = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlock-people-"));
  listening = await Listening.open();
  url = `http://127.0.0.1:${listening.port}`;
});
afterAll(async () => {
  await listening.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = (by: string): Record<string, string> => ({ INTERLOCK_URL: url, INTERLOCK_KEY: listening.world.keys[by] ?? by, INTERLOCK_STATE: folder });
const run = (by: string, ...args: string[]): Promise<Ran> => interlock(args, env(by));
const json = async (by: string, ...args: string[]): Promise<Json> => {
  const ran = await run(by, ...args, "--format", "json");
  expect(ran.err).toBe("");
  return JSON.parse(ran.out);
};
/** A call that people are asked about. */
async function asked(amount = 40): Promise<{ id: string; call: string }> {
  const { json: made } = await listening.world.call("charge_card", { order_id: String(++count), amount }, { session: `cli-${count}` });
  return { id: made.approval, call: made.call };
}
const outcome = async (call: string) => (await listening.world.end(call)).json;
/** `1 own_request`: how it ended, and its code. */
const failed = ({ exit, err }: Ran): string => `${exit} ${/^error (\w+): /.exec(err)?.[1]}`;

it("approvals list and show: what is open, and all that a person should see", async () => {
  const { id } = await asked();
  expect((await run("ana", "approvals", "list")).out).toMatch(new RegExp(`${id}.*charge_card.*desk`));
  const shown = await run("ana", "approvals", "show", id);
  expect(shown).toMatchObject({ exit: 0, err: "" });
  expect(shown.out).toMatch(/proposed by model for desk, session model\/cli-\d+/);
  expect(shown.out).toMatch(/amount = 40 {2}\(model\)/);
  expect(shown.out).toContain("undone by refund_card");
  expect((await json("reader", "approvals", "list")).map((each: Json) => each.id)).toContain(id);
  expect(await json("ana", "approvals", "show", id)).toMatchObject({ id, state: "open", tool: "charge_card" });
});

it("approvals approve, deny and expire: the call is made, or its model is told why not", async () => {
  const [yes, no, over] = [await asked(), await asked(), await asked()];
  expect((await run("ana", "approvals", "approve", yes.id, "--why", "fine")).out).toBe(`approved: charge_card ${yes.id}\n`);
  expect(await outcome(yes.call)).toMatchObject({ outcome: "result" });
  expect((await json("ana", "approvals", "show", yes.id)).answers).toMatchObject([{ approver: "ana", answer: "approve", why: "fine" }]);
  expect((await run("ana", "approvals", "deny", no.id, "--why", "not this month")).out).toBe(`denied: charge_card ${no.id}\n`);
  expect(await outcome(no.call)).toMatchObject({ outcome: "refused", reason: "denied", message: expect.stringContaining("not this month") });
  expect((await run("ana", "approvals", "expire", over.id)).out).toBe(`expired: charge_card ${over.id}\n`);
  expect(await outcome(over.call)).toMatchObject({ outcome: "refused", reason: "approval_expired" });
  for (const each of [yes, no, over]) expect(failed(await run("ana", "approvals", "approve", each.id))).toBe("1 approval_closed");
  expect((await run("ana", "approvals", "list", "--all")).out).toMatch(/approved|spent/);
});

it("approvals edit: the changed call is made, refused (2), or asked about again (3); every digit as it was given", async () => {
  const made = await asked();
  const edited = await run("ana", "approvals", "edit", made.id, `{"order_id":"${count}","amount":39.50}`, "--why", "less");
  expect(edited).toMatchObject({ exit: 0, out: expect.stringMatching(/^edited: charge_card \S+, checked from the start, is made\n$/) });
  expect(listening.world.house.tools.sent.at(-1)).toMatchObject({ arguments: `{"amount":39.5,"order_id":"${count}"}` });
  const big = await asked();
  expect(failed(await run("ana", "approvals", "edit", big.id, `{"order_id":"1","amount":9007199254740993}`))).toMatch(/^1 (?:edit_refused|arguments_invalid|json_number)$/);
  const file = join(folder, "arguments.json");
  writeFileSync(file, `{"order_id":"${count}","amount":"much"}`);
  expect(failed(await run("ana", "approvals", "edit", big.id, `@${file}`))).toBe("1 edit_refused");
  expect(failed(await run("ana", "approvals", "edit", big.id, "[1]"))).toBe("1 file_json");
  expect(failed(await run("ana", "approvals", "edit", big.id, `{"order_id":"${count}","amount":40}`))).toBe("1 nothing_edited");
  // While a switch stops the call nobody says yes to it; a changed call is refused as any.
  const { id } = await json("keeper", "kill", "on", "--tool", "charge_card", "--why", "a test");
  expect((await run("ana", "approvals", "show", big.id)).out).toContain("stopped by a kill switch: a test (keeper)");
  for (const answer of [["approve", big.id], ["edit", big.id, `{"order_id":"${count}","amount":1}`]]) expect(failed(await run("ana", "approvals", ...answer))).toBe("1 kill_switch");
  expect((await run("keeper", "kill", "off", id)).out).toBe(`lifted ${id}\n`);
  const refused = await interlock(["approvals", "edit", big.id, "-"], env("ana"), '{"order_id":"thief@mail.example","amount":1}');
  expect([refused.exit, refused.err, refused.out]).toEqual([2, "", "edited, and refused: charge_card, undeclared_destination\n"]);
});

it("approvals edit where two people have to say yes: the changed call waits for the other (3)", async () => {
  const other = await Listening.open({ policy: { ...POLICY, settings: { approval: { mode: "signed", count: 2 } } } });
  const made = await other.world.call("charge_card", { order_id: "1", amount: 40 });
  const at = { ...env("ana"), INTERLOCK_URL: `http://127.0.0.1:${other.port}`, INTERLOCK_KEY: other.world.keys["ana"]! };
  const edited = await interlock(["approvals", "edit", made.json.approval, '{"order_id":"1","amount":39}'], at);
  expect([edited.exit, edited.err]).toEqual([3, ""]);
  const [, next] = /^edited: a person has to answer about the changed call: (\S+)\n$/.exec(edited.out)!;
  expect(failed(await interlock(["approvals", "approve", next!], at))).toBe("1 already_answered");
  expect(other.world.house.tools.sent).toEqual([]);
  const yes = await interlock(["approvals", "approve", next!], { ...at, INTERLOCK_KEY: other.world.keys["keeper"]! });
  expect(yes.out).toMatch(/^approved: charge_card/);
  await other.close();
});

it("every refusal is told with its code, on standard error, and ends with 1", async () => {
  const { id } = await asked();
  for (const [by, args, code] of [
    ["model", ["approvals", "list"], "not_granted"],
    ["reader", ["approvals", "approve", id], "not_granted"],
    ["elsewhere", ["approvals", "approve", id], "approval_not_found"],
    ["ik_nobody-aaaaaaaaaaaaaaaaaaaaaaaa", ["approvals", "list"], "unauthorized"],
    ["ana", ["approvals", "show", "ffff"], "approval_not_found"],
    ["ana", ["approvals", "show", "176450"], "approval_ambiguous"],
    ["ana", ["approvals", "show", "../policy"], "usage"],
    ["ana", ["approvals", "deny", id], "usage"],
    ["ana", ["audit", "query"], "not_granted"],
    ["ana", ["kill", "list"], "not_granted"],
    ["keeper", ["kill", "set", "--why", "nothing"], "usage"],
    ["keeper", ["kill", "set", "--all", "--tool", "x", "--why", "both"], "usage"],
    ["keeper", ["kill", "lift", "none"], "kill_not_found"],
    ["service", ["gateway", "erase", "model/none"], "not_granted"],
    ["keeper", ["gateway", "erase", "model/none"], "session_not_found"],
  ] as const) {
    const ran = await run(by, ...args);
    expect([failed(ran), ran.out], `${by} ${args.join(" ")}: ${ran.err}`).toEqual([`1 ${code}`, ""]);
  }
  const own = await listening.world.call("charge_card", { order_id: "own", amount: 1 }, {}, { by: "root" });
  const ran = await interlock(["approvals", "approve", own.json.approval, "--format", "json"], env("root"));
  expect([ran.exit, JSON.parse(ran.err).error.code]).toEqual([1, "own_request"]);
  expect(failed(await interlock(["approvals", "list"], { ...env("ana"), INTERLOCK_URL: "http://127.0.0.1:1" }))).toBe("1 gateway_unreachable");
  expect(failed(await interlock(["approvals", "list"], { ...env("ana"), INTERLOCK_URL: "ftp://x" }))).toBe("1 usage");
});

it("audit query, export and verify: entries by what they say, the whole log in a file, and whether it is the one that was written", async () => {
  const { id, call } = await asked();
  await run("ana", "approvals", "deny", id, "--why", "no such order");
  await outcome(call);
  const found = await run("keeper", "audit", "query", "--call", call, "--event", "call.denied");
  expect(found.out).toMatch(new RegExp(`^\\d+ {2}\\S+Z {2}call\\.denied {2}ana {2}charge_card, session model/cli-\\d+, call ${call}, question ${id}, \\(no such order\\)\\n$`));
  const lines = (await run("keeper", "audit", "query", "--tool", "charge_card", "--limit", "3", "--format", "json")).out.trimEnd().split("\n").map((line) => JSON.parse(line));
  expect(lines.map(({ entry }) => entry.tool)).toEqual(["charge_card", "charge_card", "charge_card"]);
  expect((await run("keeper", "audit", "query", "--event", "none.such")).out).toBe("No entry says this.\n");
  const [file, keys] = [join(folder, "log.jsonl"), join(folder, "keys.json")];
  writeFileSync(keys, JSON.stringify(KEYS));
  expect(await run("keeper", "audit", "export", "-o", file)).toMatchObject({ exit: 0, out: "", err: `wrote ${file}\n` });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run("keeper", "audit", "export")).out.startsWith(readFileSync(file, "utf8"))).toBe(true);
  const verified = await run("keeper", "audit", "verify", file, "--keys", keys);
  expect(verified).toMatchObject({ exit: 0, out: expect.stringMatching(/^valid {2}tenant shop, \d+ entries/) });
  const log = readFileSync(file, "utf8");
  writeFileSync(file, log.replace("no such order", "no such Order"));
  expect(await run("keeper", "audit", "verify", file, "--keys", keys)).toMatchObject({ exit: 2, out: expect.stringContaining("not valid") });
  expect(failed(await run("keeper", "audit", "export", "-o", file))).toBe("1 file_exists");
  expect(readFileSync(file, "utf8")).toContain("no such Order");
  // A file that was there is left, and what a refused or broken export began is not.
  expect(failed(await run("ana", "audit", "export", "-o", file))).toBe("1 file_exists");
  expect(failed(await run("ana", "audit", "export", "-o", join(folder, "new.jsonl")))).toBe("1 not_granted");
  expect(() => statSync(join(folder, "new.jsonl"))).toThrow();
});

it("an export that breaks off leaves no half of a log, and says so", async () => {
  const breaks = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/jsonl" }).write('{"seq":0}\n');
    setTimeout(() => response.destroy(), 50);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => breaks.once("listening", resolve));
  const file = join(folder, "broken.jsonl");
  const other = { ...env("keeper"), INTERLOCK_URL: `http://127.0.0.1:${(breaks.address() as AddressInfo).port}` };
  expect(failed(await interlock(["audit", "export", "-o", file], other))).toBe("1 gateway_unreachable");
  expect(() => statSync(file)).toThrow();
  await new Promise((resolve) => breaks.close(resolve));
});

it("kill on, list and off: by tool, agent, session, or everything", async () => {
  const read = async (session = "kill") => (await listening.world.call("get_order", { order_id: "1" }, { session })).json.outcome;
  for (const target of [["--tool", "get_order"], ["--agent", "desk"], ["--session", "model/kill"], ["--all"]]) {
    const set = await run("keeper", "kill", "on", ...target, "--why", "a leak");
    expect([set.exit, set.out.split("\n")[1]?.startsWith("lift it with:")]).toEqual([0, true]);
    expect(await read(), target.join()).toBe("refused");
    const [kill] = await json("keeper", "kill", "list");
    expect(kill).toMatchObject({ why: "a leak", by: "keeper" });
    expect((await run("keeper", "kill", "list")).out).toContain("a leak");
    expect((await run("keeper", "kill", "off", kill.id)).exit).toBe(0);
    expect(await read()).toBe("result");
  }
  expect((await run("keeper", "kill", "list")).out).toBe("No switch is set.\n");
});

it("gateway erase: a session's history and calls are gone, the log verifies", async () => {
  const made = await listening.world.call("get_order", { order_id: "secret-77" }, { session: "gone" });
  expect((await run("keeper", "gateway", "erase", "model/gone")).out).toContain("erased model/gone");
  expect((await listening.world.ask("GET", "/v1/sessions/gone", undefined, { by: "model" })).status).toBe(404);
  expect((await listening.world.ask("GET", `/v1/calls/${made.json.call}`, undefined, { by: "model" })).status).toBe(404);
  expect((await listening.world.ask("GET", "/v1/audit/verify", undefined, { by: "keeper" })).json.valid).toBe(true);
  const held = await asked();
  expect(failed(await run("keeper", "gateway", "erase", `model/cli-${count}`))).toBe("1 session_in_use");
  await run("ana", "approvals", "expire", held.id);
  await outcome(held.call);
  expect((await run("keeper", "gateway", "erase", `model/cli-${count}`)).exit).toBe(0);
});

it("approvals watch: prints each question as it is asked, and ends with the gateway", async () => {
  const other = await Listening.open();
  let out = "";
  const { main } = await import("../../../hosts/cli/program.ts");
  const terminal = { out: { write: (text: string) => void (out += text) }, err: { write: () => undefined }, in: (async function* () {})(), env: { ...env("ana"), INTERLOCK_URL: `http://127.0.0.1:${other.port}`, INTERLOCK_KEY: other.world.keys["ana"]! }, driver: () => Promise.reject(new Error("no core is needed")) };
  const ended = main(["approvals", "watch", "--format", "json"], terminal as never, "0.0.0");
  const seen = () => out.trimEnd().split("\n").filter((line) => line !== "").map((line) => (JSON.parse(line) as Json).id);
  const [one] = [(await other.world.call("charge_card", { order_id: "1", amount: 1 })).json.approval];
  await expect.poll(seen, { timeout: 10_000 }).toEqual([one]);
  const two = (await other.world.call("charge_card", { order_id: "2", amount: 1 })).json.approval;
  await expect.poll(seen, { timeout: 10_000 }).toEqual([one, two]);
  await other.close();
  expect(await ended).toBe(1);
});
