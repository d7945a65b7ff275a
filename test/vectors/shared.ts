// Where the shared vectors are: beside the project, in ../shared; suites that need them say so where they are missing.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const ROOT = new URL("../../../shared/", import.meta.url);

/** The absolute path of a file of the shared material, e.g. `shared("vectors/paths/cases.json")`. */
export function shared(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** Whether the shared material is there. */
export const haveShared: boolean = existsSync(shared("vectors/INDEX.md"));

/**
 * A suite over shared vectors. Where they are missing it prints that it was skipped; with CI=true it fails instead. The body
 * runs only where they are there, so it may read files at once.
 */
export function describeShared(name: string, body: () => void): void {
  if (haveShared) {
    describe(name, body);
    return;
  }
  describe(name, () => {
    it("needs ../shared", () => {
      if (process.env.CI === "true") throw new Error("../shared is missing, and CI=true");
      console.log(`${name}: skipped: no ../shared`);
    });
  });
}
