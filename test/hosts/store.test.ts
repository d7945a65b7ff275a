// One suite over every store: Durable Objects in workerd, an SQLite file in Deno, Bun and Node.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../runtime/process.ts";
import { bun, deno, describeRuntime, node22, node24, type Runtime, workerd } from "../runtime/runtimes.ts";
import { serveWorkerd, workerdConfig } from "./hosts.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "interlock-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundled = (entry: string, outfile: string, external: string[], alias: Record<string, string> = {}) =>
  build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: join(folder, outfile),
    bundle: true,
    format: "esm",
    platform: "neutral",
    external,
    alias,
    define: { CORE_SHA256: '""' },
  });

describeRuntime("the store of Durable Objects", [workerd], () => {
  it("does what a store has to do", async () => {
    await bundled("test/hosts/store-object.js", "worker.js", ["./core.wasm", "cloudflare:*"], { interlock: "./bindings/entry/workerd.ts" });
    copyFileSync(join(ROOT, "dist/core.wasm"), join(folder, "core.wasm"));
    writeFileSync(join(folder, "config.capnp"), workerdConfig({}));
    const host = await serveWorkerd(folder);
    try {
      expect(await (await fetch(`${host.url}/suite`)).json()).toEqual([]);
    } finally {
      await host.stop();
    }
  });
});

/** Each runtime's way to run a script; the SQLite module is older than Node 22.13's promise to keep it. */
const FILE: readonly (readonly [Runtime, string[]])[] = [
  [deno, ["run", "--no-prompt", "--allow-read=.", "--allow-write=."]],
  [bun, ["run"]],
  [node22, ["--no-warnings"]],
  [node24, ["--no-warnings"]],
];

for (const [runtime, args] of FILE) {
  describeRuntime(`the store in a file, under ${runtime.name}`, [runtime], () => {
    beforeAll(() => bundled("test/hosts/store-file.js", "file.js", ["node:*"]));
    const name = runtime.name.toLowerCase().replace(" ", "-");
    const file = (...given: string[]) => run(runtime.file!, [...args, "file.js", ...given], { cwd: folder });

    it("does what a store has to do", async () => {
      expect(JSON.parse(await file(`${name}.sqlite`))).toEqual([]);
    });

    it("loses no count of processes that share it", async () => {
      const shared = `${name}-shared.sqlite`;
      const ends = await Promise.all([file(shared, "50"), file(shared, "50"), file(shared, "50")]);
      expect(Math.max(...ends.map(Number))).toBe(150);
    });
  });
}
