// The core is reproducible: two builds in two folders give one SHA-256, and it is the one in dist/.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildCore, coreFacts, CORE, ROOT, sha256 } from "../../bindings/build/core.mjs";

it("two folders, one core", () => {
  const hashes = ["one", "another-folder"].map((name) => {
    const folder = mkdtempSync(join(tmpdir(), `interlock-${name}-`));
    try {
      for (const part of ["assembly", "asconfig.json", "package.json"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
      buildCore(folder, { force: true });
      return sha256(readFileSync(join(folder, CORE)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[0]).toBe(coreFacts().sha256);
});
