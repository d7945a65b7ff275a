// The official sessions through the command line's driver, compared by the official comparer: every line agrees.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineDriver } from "interlock";
import { expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

describeShared("the official sessions", () => {
  for (const name of ["seed-transcripts", "random"]) {
    it(`interlock conform < ${name}.ndjson`, () => {
      const input = readFileSync(shared(`vectors/check/${name}.ndjson`));
      const answers = spawnSync(process.execPath, [CLI, "conform"], { input, maxBuffer: 1 << 28 });
      expect(answers.status, answers.stderr.toString()).toBe(0);
      const folder = mkdtempSync(join(tmpdir(), "interlock-conform-"));
      try {
        const got = join(folder, "got.ndjson");
        writeFileSync(got, answers.stdout);
        const compared = spawnSync(process.execPath, [shared("tools/conform-compare.mjs"), shared(`vectors/check/${name}.expected.ndjson`), got], { encoding: "utf8" });
        console.log(`${name}: ${compared.stdout.trim()}`);
        expect(compared.status, compared.stdout).toBe(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const driver = lineDriver();
      const lines = input.toString().trim().split("\n");
      expect(lines.map((line) => `${driver.answer(line)}\n`).join("")).toBe(answers.stdout.toString());
    });
  }
});
