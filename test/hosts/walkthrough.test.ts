// The READMEs of the web hosts, done as they say: the package installed from its tarball into an empty folder, their commands run, the hosts asked.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Installed, installedIn, type Project } from "../runtime/install.ts";
import { freePort, run, serve } from "../runtime/process.ts";
import { bun, deno, describeRuntime, workerd } from "../runtime/runtimes.ts";
import { workerdConfig } from "./hosts.ts";

const HOSTS = fileURLToPath(new URL("../../hosts/", import.meta.url));

/** The one block of a README that is marked ```sh NAME. */
function block(host: string, name: string): string {
  const found = [...readFileSync(join(HOSTS, host, "README.md"), "utf8").matchAll(/^```sh (\w+)\n([\s\S]*?)^```$/gm)].filter(([, mark]) => mark === name);
  expect(found, `one block ${name} in ${host}`).toHaveLength(1);
  return found[0]![2]!;
}

/** Runs a block in a project; programs of the runtimes are on its path. */
function shell(project: Project, commands: string, env: Record<string, string> = {}): Promise<string> {
  const path = [deno, bun, workerd].flatMap(({ file }) => (file === null ? [] : [dirname(file)]));
  return run("bash", ["-euo", "pipefail", "-c", commands], { cwd: project.folder, env: { PATH: [...path, process.env["PATH"]].join(delimiter), ...env } });
}

function answers(text: string): void {
  const [health, check] = text.split(/(?<=\})(?=\{)/).map((each) => JSON.parse(each));
  expect([health.ready, check.decision, check.entry.step]).toEqual([true, "allow", 0]);
}

describeRuntime("the walk-throughs", [workerd, deno, bun], () => {
  let installed: Installed;
  beforeAll(() => {
    installed = installedIn(inject("installed"));
  });
  afterAll(() => installed?.remove());

  it.each(["deno", "bun"])("Under Deno and Bun: %s", async (runtime) => {
    const project = installed.project(`with-${runtime}`);
    await shell(project, block("deno", "prepare"));
    const url = `http://127.0.0.1:${await freePort()}`;
    // The last line of the block is replaced by the shell, so that stopping the shell stops the server.
    const commands = block("deno", runtime)
      .replace("8080", new URL(url).port)
      .replace(/^(?=deno serve)/m, "exec ")
      .replace(/^(?=INTERLOCK_PORT)/m, "exec env ");
    const path = [deno, bun].map(({ file }) => dirname(file!));
    const server = await serve("bash", ["-c", commands], project.folder, `${url}/healthz`, { PATH: [...path, process.env["PATH"]].join(delimiter) });
    try {
      answers(await shell(project, block("deno", "ask"), { URL: url }));
    } finally {
      await server.stop();
    }
  });

  it("The Cloudflare Worker: the sample, in workerd", async () => {
    const project = installed.project("worker");
    await shell(project, block("worker", "prepare"));
    for (const file of ["worker.js", "wrangler.jsonc"]) copyFileSync(join(HOSTS, "worker/sample", file), project.path(file));
    const wrangler = JSON.parse(
      readFileSync(project.path("wrangler.jsonc"), "utf8")
        .replace(/^\s*\/\/.*$/gm, "")
        .replace(/,(\s*\})/g, "$1"),
    );
    expect(wrangler).toMatchObject({
      main: "worker.js",
      compatibility_date: "2026-11-01",
      durable_objects: { bindings: [{ name: "INTERLOCK_SESSIONS", class_name: "SessionHeads" }] },
    });
    // As the deployment tool bundles it: text and wasm stay modules of their own.
    const served = project.path("served");
    mkdirSync(served);
    await build({
      absWorkingDir: project.folder,
      entryPoints: [wrangler.main],
      outfile: join(served, "worker.js"),
      bundle: true,
      format: "esm",
      conditions: ["workerd"],
      external: ["*.txt", "*.wasm", "cloudflare:*"],
    });
    copyFileSync(project.path("node_modules/interlock/dist/core.wasm"), join(served, "core.wasm"));
    copyFileSync(project.path("policy.txt"), join(served, "policy.txt"));
    const bindings = { INTERLOCK_KEYS: readFileSync(project.path("keys.json"), "utf8"), INTERLOCK_CALLERS: readFileSync(project.path("callers.json"), "utf8") };
    for (const [name, text] of Object.entries(bindings)) writeFileSync(join(served, name), text);
    writeFileSync(join(served, "config.capnp"), workerdConfig(bindings, { modules: ['(name = "policy.txt", text = embed "policy.txt")'] }));
    mkdirSync(join(served, "heads"));
    const url = `http://127.0.0.1:${await freePort()}`;
    const server = await serve(workerd.file!, ["serve", "config.capnp", "--socket-addr", `http=${new URL(url).host}`], served, `${url}/healthz`);
    try {
      answers(await shell(project, block("worker", "ask"), { URL: url }));
    } finally {
      await server.stop();
    }
  });
});
