// The gateway's file becomes settings: defaults, paths and secrets; every problem at once, at its line and column.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../../../hosts/gateway/config/read.ts";
import { BAD, BETWEEN, GOOD } from "./files.ts";

let folder: string;
const ENV = { TEST_TOKEN: "s3cret" };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-config-"));
  mkdirSync(join(folder, "data"));
  for (const name of ["policy.yaml", "keys.json", "cert.pem"]) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, "token.txt"), "Bearer abc\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string) {
  writeFileSync(join(folder, "gateway.yaml"), text);
  return readSettings(join(folder, "gateway.yaml"), ENV, "gateway.yaml");
}

describe("a file that is right", () => {
  it.each(Object.entries(GOOD))("%s", async (_, text) => {
    const { settings, problems } = await read(text);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(settings).not.toBeNull();
  });

  it("is small: what it leaves out has a default", async () => {
    const { settings, files } = await read("policy: policy.yaml\n");
    expect(settings).toMatchObject({
      listen: { host: "127.0.0.1", port: 8484, tls: null },
      publicUrl: "http://127.0.0.1:8484",
      engine: { kind: "embedded", folder: join(folder, "interlock-data") },
      callers: [],
      issuers: [],
      telemetry: { otlp: null, argumentValues: false, logLevel: "info" },
    });
    expect(Object.keys(settings!.tenants)).toEqual(["default"]);
    expect(settings!.tenants["default"]).toMatchObject({
      mode: "enforce",
      policy: join(folder, "policy.yaml"),
      keys: join(folder, "keys.json"),
      toolDefaults: { timeoutMs: 60_000, resultBytes: 1_048_576, concurrency: 8, onUnknown: "ask" },
      approvals: { answer: "wait", waitSeconds: 45, longWaitSeconds: 3600, notify: [] },
      retention: { resultsSeconds: null, sessionsSeconds: null },
      passOn: { instructions: false, prompts: false, resources: false, sampling: false },
      recording: null,
    });
    expect({ ...settings!.tenants["default"]!.audit.redact }).toEqual({ "*": ["*"] });
    expect([...files.keys()]).toEqual(expect.arrayContaining(["gateway.yaml", "policy.yaml", "keys.json"].map((name) => join(folder, name))));
  });

  it("has secrets from the environment and from files, without the line end", async () => {
    const { settings } = await read(`${GOOD["a server as a program"]}  remote: {url: 'https://x.example', headers: {authorization: {file: token.txt}}}\n`);
    const { files, remote } = settings!.tenants["default"]!.servers as unknown as Record<string, { env: Record<string, string>; headers: Record<string, string>; cwd: string }>;
    expect({ ...files!.env }).toEqual({ LEVEL: "debug", TOKEN: "s3cret" });
    expect(files!.cwd).toBe(folder);
    expect({ ...remote!.headers }).toEqual({ authorization: "Bearer abc" });
  });

  it("lays a tool's limits over the defaults", async () => {
    const { settings } = await read(GOOD["limits of tools"]!);
    expect(settings!.tenants["default"]!.tools["pay"]).toEqual({ timeoutMs: 5000, resultBytes: 1_048_576, concurrency: 1, onUnknown: "fail" });
  });

  it("has nothing by a name that JavaScript's objects bring along", async () => {
    const { settings } = await read("{}\n");
    expect(settings!.tenants["constructor"]).toBeUndefined();
    expect(settings!.tenants["default"]!.tools["toString"]).toBeUndefined();
  });

  it("says that plain HTTP reaches other machines", async () => {
    const plain = await read("listen: {host: 0.0.0.0}\n");
    expect(plain.settings).not.toBeNull();
    expect(plain.problems.map(({ code, severity }) => [code, severity])).toEqual([["config_plain_http", "warning"]]);
    expect((await read("listen: {host: 0.0.0.0}\npublic_url: https://gateway.example.com\n")).problems).toEqual([]);
  });
});

describe("a file that is wrong", () => {
  it.each(Object.entries({ ...BAD, ...BETWEEN }))("%s", async (_, { text, problems: expected }) => {
    const { settings, problems } = await read(text);
    expect(settings).toBeNull();
    expect(problems.map(({ line, column, code }) => [`${line}:${column}`, code])).toEqual(expected.map(([place, code]) => [place, code]));
    for (const [index, [, , part, hint]] of (expected as readonly [string, string, string, string?][]).entries()) {
      expect(problems[index]!.message).toContain(part);
      if (hint !== undefined) expect(problems[index]!.hint).toContain(hint);
      expect(problems[index]!.frame).toMatch(/\^/);
    }
  });

  it("never shows a secret", async () => {
    const { problems } = await read("servers:\n  a: {command: 3, env: {T: {env: TEST_TOKEN}}}\n");
    expect(JSON.stringify(problems)).not.toContain("s3cret");
    expect(problems).toHaveLength(1);
  });

  it.each([
    ["no YAML", "a: [\n", "yaml_syntax"],
    ["a member twice", "mode: observe\nmode: enforce\n", "yaml_duplicate"],
    ["nothing", "", "yaml_empty"],
    ["two documents", "mode: observe\n---\nmode: enforce\n", "yaml_syntax"],
    ["a merge key", "limits: &l {in_flight: 5}\ntelemetry: {<<: *l}\n", "yaml_key"],
    ["a tag", "mode: !!js/function observe\n", "yaml_tag"],
    ["an alias inside itself", "servers: &s {a: *s}\n", "yaml_alias"],
    ["a bomb of aliases", `a: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdef"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcde"[at]}`).join(", ")}]\n`).join("")}`, "yaml_alias"],
    ["a bomb of one long text", `a: &a ${"x".repeat(100_000)}\nb: [${Array(100).fill("*a").join(", ")}]\n`, "yaml_alias"],
    ["nesting without end", `a: ${"[".repeat(10_000)}\n`, "yaml_depth"],
  ])("%s", async (_, text, code) => {
    const { settings, problems } = await read(text);
    expect(settings).toBeNull();
    expect(problems[0]!.code).toBe(code);
  });

  it("that is not there", async () => {
    const { settings, problems } = await readSettings(join(folder, "none.yaml"), {}, "none.yaml");
    expect(settings).toBeNull();
    expect(problems[0]).toMatchObject({ code: "config_unreadable", hint: "`interlock gateway init` writes one." });
  });
});
