// What TypeScript says of the public surface: each marked line of test/types/conditions.ts is that error, and no other line is one.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("the compiler refuses a ToolCheck where a value of truth is wanted", () => {
  const { stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "test/types/tsconfig.json", "--pretty", "false"], { cwd: ROOT, encoding: "utf8" });
  const found = stdout.split("\n").flatMap((line) => {
    const [, at, code] = /^test\/types\/conditions\.ts\((\d+),\d+\): error (TS\d+)/.exec(line) ?? (/: error /.test(line) ? [line, line, ""] : []);
    return at === undefined ? [] : [`${at} ${code}`];
  });
  const wanted = readFileSync(join(ROOT, "test/types/conditions.ts"), "utf8")
    .split("\n")
    .flatMap((line, i) => {
      const [, code] = / \/\/ (TS\d+)$/.exec(line) ?? [];
      return code === undefined ? [] : [`${i + 1} ${code}`];
    });
  expect(wanted.length).toBeGreaterThan(10);
  expect(found).toEqual(wanted);
});
