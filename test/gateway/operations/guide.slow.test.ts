// Runs what the guide for running a gateway shows: its commands in their order over a gateway that runs, its settings as files, and the files for systemd and containers as far as this machine can.
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../bindings/build/core.mjs";
import { readSettings } from "../../../hosts/gateway/config/read.ts";
import { CLI, Process } from "../cli/process.ts";

const FOLDER = join(ROOT, "hosts/gateway/operations");
const guide = readFileSync(join(FOLDER, "GUIDE.md"), "utf8");
const blocks = (language: string) => [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , text]) => text!);

let place: string;
beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "interlock-guide-")));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe("the guide's commands", () => {
  let cwd: string;
  let env: Record<string, string>;
  let running: Process | null = null;
  afterAll(async () => {
    await running?.stop("SIGKILL");
  });

  /** Runs a block as a shell does; the folder it ends in is the next one's. */
  async function sh(text: string): Promise<string> {
    const { stdout } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", `${text}\npwd > "$PLACE/cwd"`], { cwd, env });
    cwd = readFileSync(join(place, "cwd"), "utf8").trim();
    return stdout;
  }

  async function started(): Promise<Process> {
    const made = new Process(["gateway"], { cwd, env });
    const [, url] = await made.says(/interlock gateway \S+: (http:\/\/\S+)/);
    env["INTERLOCK_URL"] = url!;
    return made;
  }

  it("run in their order: set up, keys, rotation, the log, retention, a backup and its way back", async () => {
    // The package and the server are found without a network.
    const packages = join(place, "node_modules");
    mkdirSync(join(packages, ".bin"), { recursive: true });
    writeFileSync(join(place, "package.json"), '{"private": true}');
    symlinkSync(join(ROOT, "node_modules/@modelcontextprotocol"), join(packages, "@modelcontextprotocol"));
    symlinkSync(join(ROOT, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), join(packages, ".bin/mcp-server-filesystem"));
    writeFileSync(join(packages, ".bin/interlock"), `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(CLI)} "$@"\n`);
    chmodSync(join(packages, ".bin/interlock"), 0o755);
    mkdirSync(join(place, "Documents"));
    cwd = place;
    env = { PLACE: place, HOME: place, PATH: `${join(packages, ".bin")}:${process.env["PATH"]}`, NO_COLOR: "1", INTERLOCK_STATE: join(place, "state"), npm_config_offline: "true", npm_config_update_notifier: "false", npm_config_cache: join(place, "cache") };
    const [setUp, ...rest] = blocks("sh");
    const made = await sh(setUp!);
    const administrator = /administrator.*(ik_\S+)/.exec(made)![1]!;
    const file = join(cwd, "gateway.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("port: 8484", "port: 0").replace('redact: {"*": ["*"]}', 'redact: {"*": []}') + "\nretention: {sessions_seconds: 7776000}\n");
    running = await started();
    const printed: string[] = [];
    for (const block of rest) {
      printed.push(await sh(block.replace("ik_ADMINISTRATOR", administrator)));
      // What a box exports, the next ones have.
      if (block.includes("export INTERLOCK_KEY=")) env["INTERLOCK_KEY"] = administrator;
    }
    const told = printed.join("\n");
    expect(told).toMatch(/sha256: "[0-9a-f]{64}"/);
    expect(told).toMatch(/^valid {2}tenant gate/m);
    expect(told).toMatch(/0 records of values are bound, 0 are erased/);
    expect(told).toMatch(/would erase 0 sessions/);
    expect(told).toMatch(/wrote backups\/today\.db, checked: gate/);
    expect(existsSync(join(cwd, "public.json"))).toBe(true);
    // The keys that were added are taken while it runs.
    await running.says(/reload\.taken/);
    expect(await running.stop()).toBe(0);
    // The commands that the guide shows beside the boxes.
    for (const command of ["interlock gateway restore backups/today.db", "interlock gateway migrate"]) expect(blocks("text").join("\n")).toContain(command);
    await expect(sh("interlock gateway restore backups/today.db")).rejects.toMatchObject({ stderr: expect.stringContaining("--force") });
    expect(await sh("interlock gateway restore backups/today.db --force")).toContain("put back");
    expect(await sh("interlock gateway migrate")).toContain("already");
    running = await started();
    expect(await sh("interlock audit export | interlock audit verify - --keys keys.json")).toMatch(/^valid/);
    expect(await sh('interlock kill set --agent assistant --why "the key leaked"')).not.toBe("");
    expect(await running.stop()).toBe(0);
  }, 180_000);
});

it.each(blocks("yaml").map((text, index) => [index, text] as const))("its settings %# are right", async (index, text) => {
  const folder = join(place, `settings-${index}`);
  mkdirSync(join(folder, "tls"), { recursive: true });
  for (const name of ["policy.yaml", "keys.json", "tls/cert.pem", "tls/key.pem"]) writeFileSync(join(folder, name), "{}");
  writeFileSync(join(folder, "gateway.yaml"), text);
  const { settings, problems } = await readSettings(join(folder, "gateway.yaml"), {});
  expect(problems).toEqual([]);
  expect(settings).not.toBeNull();
});

describe("the service", () => {
  const unit = readFileSync(join(FOLDER, "interlock-gateway.service"), "utf8");
  const has = (name: string) => spawnSync(name, ["--version"]).status === 0;

  it("starts a command that there is, by the file that the guide names, and reloads by the signal that reads it again", () => {
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/interlock gateway --config \/etc\/interlock\/gateway\.yaml$/m);
    // A system with nothing but its base has no /bin/kill.
    expect(unit).toMatch(/^ExecReload=\/bin\/sh -c 'kill -HUP \$MAINPID'$/m);
    const help = spawnSync(process.execPath, [CLI, "gateway", "--help"], { encoding: "utf8" });
    expect(help.stdout).toContain("--config <file>");
  });

  it.runIf(has("systemd-analyze"))("is taken by systemd, which finds little that it is exposed to", () => {
    const file = join(place, "interlock-gateway.service");
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`).replace(/^Documentation=.*\n/m, ""));
    const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    expect(verified.stderr).not.toContain("interlock-gateway");
    expect(verified.status).toBe(0);
    const judged = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", "--no-pager", file], { encoding: "utf8" });
    // Below 2.0 of 10.
    expect(judged.status, judged.stdout.slice(-300)).toBe(0);
  });
});

describe("the image", () => {
  const steps = readFileSync(join(FOLDER, "Containerfile"), "utf8").replaceAll(/\\\n/g, " ").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const json = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  const of = (instruction: string) => steps.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

  it("has only instructions that there are, a base with a version, and a user that is not root before it runs", () => {
    const known = ["FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"];
    expect(steps.map((line) => line.split(" ")[0]).filter((name) => !known.includes(name!))).toEqual([]);
    const { engines } = json("package.json") as { engines: { node: string } };
    const tried = Object.keys((json("test/runtime/package.json") as { optionalDependencies: Record<string, string> }).optionalDependencies);
    for (const base of of("FROM")) {
      const [, major] = /^docker\.io\/library\/node:(\d+)-[\w.-]+(?: AS \w+)?$/.exec(base) ?? [];
      expect(Number(major), base).toBeGreaterThanOrEqual(Number(/^>=(\d+)/.exec(engines.node)![1]));
      // The gateway's store is tested with it.
      expect(tried).toContain(`node-${major}`);
    }
    expect(of("USER")).toEqual(["node"]);
    expect(steps.findIndex((line) => line.startsWith("USER "))).toBeLessThan(steps.findIndex((line) => line.startsWith("ENTRYPOINT ")));
  });

  it("copies what there is and no more than the build needs, with every file that the build reads at the top", () => {
    const copied = of("COPY").filter((line) => !line.startsWith("--from")).flatMap((line) => line.split(" ").slice(0, -1));
    expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    expect(copied).not.toContain(".");
    const read = ["bindings/build/bundles.mjs", "bindings/build/core.mjs", "bindings/build/console.mjs", "bindings/build/notices.mjs"].flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(/["'`](tsconfig[\w.]*\.json|asconfig\.json|package\.json|LICENSE)["'`]/g)].map(([, name]) => name!));
    expect(new Set(read).size).toBeGreaterThan(0);
    expect([...new Set(read)].filter((name) => !copied.includes(name))).toEqual([]);
    const { files } = json("package.json") as { files: string[] };
    for (const name of files.filter((each) => !each.includes("/"))) expect(copied).toContain(name);
  });

  it("runs scripts that the project has, and starts the command that the package installs, which answers the health check", () => {
    const { scripts, bin } = json("package.json") as { scripts: Record<string, string>; bin: Record<string, string> };
    for (const [, name] of of("RUN").join("\n").matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(name!);
    const [entry, ...first] = JSON.parse(of("ENTRYPOINT")[0]!) as string[];
    expect(bin).toHaveProperty(entry!);
    // The command and its switches are known: what is wrong is the file alone.
    const started = spawnSync(process.execPath, [CLI, ...first, ...(JSON.parse(of("CMD")[0]!) as string[])], { encoding: "utf8" });
    expect([started.status, started.stderr]).toEqual([1, expect.stringContaining("config_unreadable")]);
    expect(guide).toContain((JSON.parse(of("CMD")[0]!) as string[]).at(-1)!);
    expect(guide).toContain(of("VOLUME")[0]!);
    expect(readFileSync(join(ROOT, "hosts/gateway/doors/http/health.ts"), "utf8")).toContain('path: "/healthz"');
    const [, ...words] = of("HEALTHCHECK")[0]!.split(" CMD ");
    expect(() => JSON.parse(words.join(" CMD "))).not.toThrow();
  });
});

it("the package brings the guide, the service and the image's recipe, and none of the sources beside them", () => {
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT, encoding: "utf8" });
  const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
  const ours = files.map(({ path }) => path).filter((path) => path.startsWith("hosts/"));
  expect(ours.sort()).toEqual(["Containerfile", "GUIDE.md", "interlock-gateway.service"].map((name) => `hosts/gateway/operations/${name}`));
});
