// `gateway init`, `key` and `check`, and `audit verify`: what they write is right, shown once, and told of where it is wrong.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createSealer, lineHash } from "../../../hosts/gateway/audit/chain.ts";
import { sealed } from "../../../hosts/gateway/audit/values.ts";
import { readSettings } from "../../../hosts/gateway/config/read.ts";
import { interlock } from "./terminal.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const SERVER = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json")), "dist/index.js");

describe("gateway init", () => {
  it("writes a gateway over a real server whose file, policy and keys are right; the callers' keys are shown, and only their hashes kept", async () => {
    const gate = join(folder, "gate");
    const made = await interlock(["gateway", "init", gate, "--", process.execPath, SERVER, folder]);
    expect(made).toMatchObject({ exit: 0, err: "" });
    const shown = [...new Set(made.out.match(/ik_[A-Za-z0-9_-]{43}/g))];
    expect(shown).toHaveLength(2);
    const { settings, problems } = await readSettings(join(gate, "gateway.yaml"), {});
    expect(problems).toEqual([]);
    expect(settings!.callers.map(({ name, sha256: hash, agents, may }) => [name, hash, agents, may.includes("approve")])).toEqual([
      ["agent", sha256(shown[1]!), ["assistant"], false],
      ["admin", sha256(shown[0]!), [], true],
    ]);
    expect(settings!.tenants["gate"]!.servers["files"]).toMatchObject({ kind: "stdio", command: process.execPath, args: [SERVER, folder] });
    for (const key of shown) for (const name of ["gateway.yaml", "policy.yaml", "keys.json"]) expect(readFileSync(join(gate, name), "utf8")).not.toContain(key);
    expect(statSync(join(gate, "keys.json")).mode & 0o777).toBe(0o600);
    expect((JSON.parse(readFileSync(join(gate, "keys.json"), "utf8")) as { keys: { use?: string }[] }).keys.map(({ use }) => use)).toEqual([undefined, "approve"]);
    expect(readFileSync(join(gate, ".gitignore"), "utf8")).toMatch(/^keys\.json$/m);
    const lint = await interlock(["lint", join(gate, "policy.yaml")]);
    expect(lint.exit, lint.err).toBe(0);
    expect(lint.err).not.toContain("write_without_undo");
    expect(await interlock(["gateway", "check", "--config", join(gate, "gateway.yaml")])).toMatchObject({ exit: 0 });
    const again = await interlock(["gateway", "init", gate]);
    expect(again.exit).toBe(1);
    expect(again.err).toContain("file_exists");
    const keys = readFileSync(join(gate, "keys.json"), "utf8");
    expect((await interlock(["gateway", "init", gate, "--force"])).exit).toBe(0);
    expect(readFileSync(join(gate, "keys.json"), "utf8")).toBe(keys);
  });

  it("takes what stands before -- as the folder, and what stands after as the server", async () => {
    expect((await interlock(["gateway", "init", "a", "b"])).err).toContain("one folder is written to");
    const made = await interlock(["gateway", "init", "--", "no-such-program-here", "--force"]);
    expect(made.err).toContain("no-such-program-here could not be started");
  });

  it("without a server starts from the shop's policy", async () => {
    const shop = join(folder, "shop");
    expect((await interlock(["gateway", "init", shop])).exit).toBe(0);
    expect((await interlock(["lint", join(shop, "policy.yaml")])).exit).toBe(0);
    expect((await readSettings(join(shop, "gateway.yaml"), {})).problems).toEqual([]);
  });

  it("gives clients another name where the gateway's is Interlock's own: a coding agent's hook refuses those", async () => {
    const named = async (name: string) => Object.keys((JSON.parse((await interlock(["gateway", "init", join(folder, name)])).out.match(/\{"mcpServers".*\}/)![0]) as { mcpServers: object }).mcpServers);
    expect(await named("interlock")).toEqual(["gate"]);
    expect(await named("Interlock-shop")).toEqual(["gate"]);
    expect(await named("interlocking")).toEqual(["interlocking"]);
  });

  it("of a server that does not start says so, and writes nothing", async () => {
    const none = join(folder, "none");
    const made = await interlock(["gateway", "init", none, "--", "no-such-program-here"]);
    expect(made.exit).toBe(1);
    expect(made.err).toContain("mcp_server");
    expect(existsSync(none)).toBe(false);
  });
});

describe("gateway key", () => {
  it("prints a key and lines that let it in", async () => {
    const made = await interlock(["gateway", "key", "ana", "--may", "approve,read_approvals", "--approver", "ana@example.com", "--days", "30", "--format", "json"]);
    const { key, lines } = JSON.parse(made.out) as { key: string; lines: string };
    for (const name of ["policy.yaml", "keys.json"]) writeFileSync(join(folder, name), "");
    writeFileSync(join(folder, "key.yaml"), `callers:\n${lines}`);
    const { settings, problems } = await readSettings(join(folder, "key.yaml"), {});
    expect(problems).toEqual([]);
    expect(settings!.callers).toMatchObject([{ name: "ana", sha256: sha256(key), approver: "ana@example.com", may: ["approve", "read_approvals"], agents: [] }]);
    expect(settings!.callers[0]!.expires! * 1000 - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(JSON.stringify(parse(lines))).not.toContain(key);
  });

  it.each([
    ["a grant that is none", ["ana", "--may", "aprove"], "aprove is no grant"],
    ["nothing it could do", ["ana"], "can do nothing"],
    ["a name that is none", ["a b", "--may", "approve"], "no caller's name"],
  ])("refuses %s", async (_, args, part) => {
    const made = await interlock(["gateway", "key", ...args]);
    expect(made.exit).toBe(1);
    expect(made.err).toContain(part);
    expect(made.out).toBe("");
  });
});

it("gateway check tells every problem, with its place, and ends with 1; as JSON with 2", async () => {
  const file = join(folder, "wrong.yaml");
  writeFileSync(file, "mode: watch\nlisten: {prt: 3}\n");
  const told = await interlock(["gateway", "check", "--config", file]);
  expect(told.exit).toBe(1);
  expect(told.err).toMatch(/wrong\.yaml:1:7: error config_value[\s\S]*wrong\.yaml:2:10: error config_unknown_member[\s\S]*Did you mean port\?[\s\S]*config_invalid/);
  const json = await interlock(["gateway", "check", "--config", file, "--format", "json"]);
  expect(json.exit).toBe(2);
  expect((JSON.parse(json.out) as { problems: unknown[] }).problems).toHaveLength(2);
});

it("gateway check tells what is wrong with the keys and the policies too, all at once, and is right only where a start would be", async () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const key = { kid: "k", kty: "oct", alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") };
  const keys = (more: object[]): string => JSON.stringify({ format: "qls-keys/1", active: "k", keys: [key, ...more], digest_key: Buffer.alloc(32, 9).toString("base64url") });
  const policy = (tenant: string, tool: string): string => `tenant: ${tenant}\nagents: {desk: {tools: [${tool}]}}\ntools:\n  - {name: look, effect: read, parameters: {type: object}}\n`;
  write("of-start.yaml", "tenants:\n  one: {policy: one.policy.yaml, keys: one.keys.json}\n  two: {policy: two.policy.yaml, keys: two.keys.json}\n");
  write("one.policy.yaml", policy("one", "lok"));
  write("one.keys.json", keys([]));
  write("two.policy.yaml", policy("too", "look"));
  write("two.keys.json", keys([{ ...key, kid: "a", use: "approve" }]));
  const check = (...more: string[]) => interlock(["gateway", "check", "--config", join(folder, "of-start.yaml"), ...more]);
  const told = await check();
  expect(told).toMatchObject({ exit: 1, out: "" });
  expect(told.err).toMatch(/one\.keys\.json[\s\S]*keys_invalid[\s\S]*one\.policy\.yaml:2:[\s\S]*policy_unknown_tool[\s\S]*two\.policy\.yaml[\s\S]*tenant_mismatch[\s\S]*3 problems/);
  const json = await check("--format", "json");
  expect(json.exit).toBe(2);
  expect((JSON.parse(json.out) as { valid: boolean; problems: { code: string }[] })).toMatchObject({ valid: false, problems: [{ code: "keys_invalid" }, { code: "policy_unknown_tool" }, { code: "tenant_mismatch" }] });
  write("one.policy.yaml", policy("one", "look"));
  write("one.keys.json", keys([{ ...key, kid: "a", use: "approve" }]));
  write("two.policy.yaml", "tenant: two\nagents: {desk: {tools: [\"*\"]}}\ntools:\n  - mcp: {command: no-such-program-here}\n");
  const live = await check();
  expect(live).toMatchObject({ exit: 0 });
  expect(live.err).toContain("policy_unchecked");
});

describe("audit verify", () => {
  const key = { kid: "k", kty: "oct" as const, alg: "HS256", k: Buffer.alloc(32, 7).toString("base64url") };
  const seal = createSealer(
    () => key,
    () => ({ entries: 3, milliseconds: 60_000 }),
  );
  const lines: string[] = [];
  for (let at = 1; at <= 8; at++) lines.push(...seal("shop", lines.at(-1) ?? null, [{ event: "call.proposed", at, actor: "a" }]));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const keys = () => write("verify-keys.json", JSON.stringify({ format: "qls-keys/1", active: "k", keys: [key] }));

  it("of the log that was written says so, and gives its head", async () => {
    const log = write("log.jsonl", `${lines.join("\n")}\n`);
    const verified = await interlock(["audit", "verify", log, "--keys", keys()]);
    expect(verified).toMatchObject({ exit: 0 });
    expect(verified.out).toContain(`tenant shop, 8 entries`);
    const head = `${lines.length - 1}:${lineHash(lines.at(-1)!)}`;
    expect(verified.out).toContain(`head ${head}`);
    expect(await interlock(["audit", "verify", log, "--keys", keys(), "--head", head])).toMatchObject({ exit: 0 });
    expect(await interlock(["audit", "verify", "-", "--keys", keys()], {}, lines.join("\n"))).toMatchObject({ exit: 0 });
  });

  it("takes a checkpoint's signature as a head, and the values that its lines bind", async () => {
    const shown = sealed("c-9", { note: "hello" });
    const log = [...lines];
    log.push(...seal("shop", log.at(-1)!, [{ event: "call.proposed", at: 9, actor: "a", call: "c-9", values: shown.digest }]));
    const signature = (JSON.parse(log.findLast((line) => line.includes('"checkpoint"'))!) as { checkpoint: string }).checkpoint;
    const file = write("signed.jsonl", `${log.join("\n")}\n`);
    const verified = await interlock(["audit", "verify", file, "--keys", keys(), "--head", signature, "--values", write("values.jsonl", `${shown.record}\n`)]);
    expect(verified).toMatchObject({ exit: 0, out: expect.stringContaining("1 records of values are bound, 0 are erased") });
    const cut = log.slice(0, log.findLastIndex((line) => line.includes('"checkpoint"')));
    expect(await interlock(["audit", "verify", write("cut.jsonl", cut.join("\n")), "--keys", keys(), "--head", signature])).toMatchObject({ exit: 2, out: expect.stringContaining("audit_end") });
    expect(await interlock(["audit", "verify", file, "--keys", keys(), "--values", write("other.jsonl", `${shown.record.replace("hello", "hallo")}\n`)])).toMatchObject({ exit: 2, out: expect.stringContaining("audit_values") });
    // Another end of lines is another file.
    expect(await interlock(["audit", "verify", write("crlf.jsonl", `${log.join("\r\n")}\r\n`), "--keys", keys()])).toMatchObject({ exit: 2, out: expect.stringContaining("audit_form") });
  });

  it("finds a change, a removal, an exchange, and with a kept head an end that was cut off", async () => {
    const head = `${lines.length - 1}:${lineHash(lines.at(-1)!)}`;
    const others: [string, string[], string[]][] = [
      ["changed", lines.map((line, index) => (index === 2 ? line.replace('"actor":"a"', '"actor":"b"') : line)), []],
      ["removed", lines.filter((_, index) => index !== 4), []],
      ["exchanged", lines.map((line, index) => lines[index === 1 ? 2 : index === 2 ? 1 : index] ?? line), []],
      ["cut", lines.slice(0, -1), ["--head", head]],
    ];
    for (const [name, log, more] of others) {
      const verified = await interlock(["audit", "verify", write(`${name}.jsonl`, log.join("\n")), "--keys", keys(), ...more]);
      expect([name, verified.exit], verified.out).toEqual([name, 2]);
      expect(verified.out).toContain("not valid");
    }
    expect(await interlock(["audit", "verify", join(folder, "gone.jsonl"), "--keys", keys()])).toMatchObject({ exit: 1 });
  });
});
