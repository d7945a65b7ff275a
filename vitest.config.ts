// Vitest's projects: the suites by what has to be built before them. `--project plain --project package` is what npm run check runs.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { suites } from "./test/setup/suites.mjs";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { plain, package: packaged, rooms, slow, runtime } = suites();

export default defineConfig({
  resolve: {
    alias: [
      { find: /^interlock$/, replacement: path("dist/index.js") },
      { find: /^interlock\/register$/, replacement: path("bindings/entry/register.ts") },
    ],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for comes late on a machine that does other things too.
    expect: { poll: { timeout: 30_000 } },
    // As many at once as there are cores: the main process mostly waits, and Vitest would leave one core to it.
    maxWorkers: Math.max(1, availableParallelism()),
    projects: [
      { extends: true, test: { name: "plain", include: plain } },
      { extends: true, test: { name: "package", include: packaged, globalSetup: "test/setup/package.ts" } },
      { extends: true, test: { name: "rooms", include: rooms, globalSetup: ["test/setup/package.ts", "test/setup/rooms.ts"] } },
      { extends: true, test: { name: "slow", include: slow, globalSetup: ["test/setup/package.ts", "test/setup/rooms.ts", "test/setup/console.ts"], testTimeout: 1_800_000 } },
      { extends: true, test: { name: "runtime", include: runtime, globalSetup: "test/setup/published.ts", testTimeout: 600_000, hookTimeout: 600_000 } },
    ],
  },
});
