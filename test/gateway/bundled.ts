// Bundles a test's own program over the gateway's sources, to be started by Node in a process of its own.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "../../bindings/build/core.mjs";

/** Bundles a program into a folder of its own, with the packages beside it. Gives the script; `unbundle` removes the folder. */
export async function bundled(entry: string, plugins: Plugin[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "interlock-program-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3", "@restatedev/restate-sdk"],
    alias: { interlock: join(ROOT, "dist/index.js"), "interlock/register": join(ROOT, "bindings/entry/register.ts") },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
    plugins,
  });
  return outfile;
}

export function unbundle(script: string): void {
  rmSync(dirname(script), { recursive: true, force: true });
}
