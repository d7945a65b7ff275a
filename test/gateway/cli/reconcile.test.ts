// A gateway that is killed while its MCP server has a call: after the restart the server itself says by a read what became of it. Nothing runs twice, nobody is asked, and the log verifies.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Process } from "./process.ts";
import { interlock } from "./terminal.ts";

const LEDGER = fileURLToPath(new URL("ledger.mjs", import.meta.url));
const RECONCILE = "tools:\n  charge_card:\n    reconcile: {tool: find_charge, argument: order_id, from: order_id, member: status, ran: [succeeded], failed: [none]}\n";
let folder: string;
let ledger: string;
let env: Record<string, string>;
let gateway: Process;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "interlock-reconcile-")));
  ledger = join(folder, "ledger.jsonl");
  env = { INTERLOCK_STATE: join(folder, "state") };
});
afterEach(async () => {
  await gateway.stop("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the gateway; its server kills it at the orders that are named. */
async function start(kills: Record<string, "before" | "after">): Promise<void> {
  writeFileSync(join(folder, "kills.json"), JSON.stringify(kills));
  gateway = new Process(["gateway", "--config", join(folder, "gate/gateway.yaml")], { cwd: folder, env });
  const [, url] = await gateway.says(/interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/);
  env["INTERLOCK_URL"] = url!;
}

async function api(key: string, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(env["INTERLOCK_URL"] + path, { method, headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return response.json();
}

it("a charge that was made is not made again, and one that was not made has failed", async () => {
  mkdirSync(join(folder, "gate"));
  const made = await interlock(["gateway", "init", join(folder, "gate"), "--", process.execPath, LEDGER], { LEDGER: ledger });
  expect(made.err).toBe("");
  const [admin, agent] = [...new Set(made.out.match(/ik_[A-Za-z0-9_-]{43}/g))] as [string, string];
  env["INTERLOCK_KEY"] = admin;
  const file = join(folder, "gate/gateway.yaml");
  const text = readFileSync(file, "utf8").replace("port: 8484", "port: 0").replace(/^( +)(args: .*)$/m, `$1$2\n$1env: {LEDGER: ${JSON.stringify(ledger)}, LEDGER_KILLS: {file: ../kills.json}}`);
  writeFileSync(file, text + RECONCILE);

  await start({ made: "after", lost: "before" });
  const calls: Record<string, string> = {};
  for (const [order_id, session] of [["made", "s-1"], ["lost", "s-2"]] as const) {
    const asked = await api(agent, "POST", "/v1/call?wait=0", { session, tool: "charge_card", arguments: { order_id } });
    expect(asked).toMatchObject({ outcome: "pending" });
    calls[order_id] = asked.call;
    // The answer's own way back may be torn by the kill.
    await api(admin, "POST", `/v1/approvals/${asked.approval}/approve`, {}).catch(() => undefined);
    expect(await gateway.ended).toBe(-2);
    await start({ made: "after", lost: "before" });
  }
  expect(await api(agent, "GET", `/v1/calls/${calls["made"]}?wait=20`)).toMatchObject({ outcome: "result", failed: false });
  expect(await api(agent, "GET", `/v1/calls/${calls["lost"]}?wait=20`)).toMatchObject({ outcome: "result", failed: true });
  expect(readFileSync(ledger, "utf8").trim().split("\n").map((line) => (JSON.parse(line) as { order_id: string }).order_id)).toEqual(["made"]);
  expect(JSON.parse((await interlock(["approvals", "list", "--format", "json"], env)).out)).toEqual([]);
  const log = join(folder, "log.jsonl");
  expect((await interlock(["audit", "export", "-o", log], env)).exit).toBe(0);
  expect((await interlock(["audit", "verify", log, "--keys", join(folder, "gate/keys.json")], env)).out).toMatch(/^valid/);
  expect(readFileSync(log, "utf8").match(/"event":"call\.intent"/g)).toHaveLength(2);
});
