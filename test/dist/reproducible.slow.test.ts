// The core is reproducible, alone and as a WASI command: two builds in two folders give one SHA-256, and it is the one in dist/.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildCore, buildWasi, CORE, coreFacts, ROOT, sha256, WASI } from "../../bindings/build/core.mjs";

it("two folders, one core", async () => {
  const build = async (name: string) => {
    const folder = mkdtempSync(join(tmpdir(), `interlock-${name}-`));
    try {
      for (const part of ["assembly", "asconfig.json", "package.json"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
      await Promise.all([buildCore(folder, { force: true }), buildWasi(folder, { force: true })]);
      return [CORE, WASI].map((file) => sha256(readFileSync(join(folder, file))));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const one = await build("one");
  const another = await build("another-folder");
  console.log(`${CORE}: SHA-256 ${one[0]}\n${WASI}: SHA-256 ${one[1]}`);
  expect(another).toEqual(one);
  expect(one[0]).toBe(coreFacts().sha256);
  await buildWasi();
  expect(one[1]).toBe(sha256(readFileSync(join(ROOT, WASI))));
});
