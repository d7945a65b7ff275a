// Finds the real runtimes: Deno, Bun, workerd and other versions of Node from this folder's own install, Chromium from the system.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** A runtime's program, or what a person does to have it. */
export interface Runtime {
  name: string;
  /** The path of its program; null where it is missing. */
  file: string | null;
  /** What makes it be there. */
  hint: string;
}

function installed(name: string, ...paths: string[]): Runtime {
  const file = paths.map((path) => join(FOLDER, "node_modules", path)).find((path) => existsSync(path)) ?? null;
  return { name, file, hint: "npm ci --prefix test/runtime" };
}

function fromSystem(name: string, variable: string, hint: string, ...programs: string[]): Runtime {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = programs.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) => existsSync(path));
  return { name, file: process.env[variable] ?? found ?? null, hint };
}

/** The Node that runs the tests. */
export const node: Runtime = { name: `Node ${process.versions.node.split(".")[0]}`, file: process.execPath, hint: "" };
export const node22: Runtime = installed("Node 22", "node-22/bin/node");
export const node24: Runtime = installed("Node 24", "node-24/bin/node");
export const deno: Runtime = installed("Deno", ".bin/deno");
export const bun: Runtime = installed("Bun", ".bin/bun");
export const workerd: Runtime = installed("workerd", ".bin/workerd");
export const chromium: Runtime = fromSystem("Chromium", "CHROMIUM", "apt-get install chromium, or CHROMIUM=its path", "chromium", "chromium-browser", "google-chrome");

/** A suite that needs runtimes. Where one is missing it says that it was skipped, and how to have it; with CI=true it fails instead. */
export function describeRuntime(name: string, needs: Runtime[], body: () => void): void {
  const missing = needs.filter(({ file }) => file === null);
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  const told = missing.map(({ name, hint }) => `no ${name} (${hint})`).join(", ");
  describe(name, () => {
    it(`needs ${missing.map((each) => each.name).join(", ")}`, () => {
      if (process.env.CI === "true") throw new Error(`${told}, and CI=true`);
      console.log(`${name}: skipped: ${told}`);
    });
  });
}
