// The published types, as a strict program of somebody else sees them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeTypes } from "../../bindings/build/bundles.mjs";
import { ROOT } from "../../bindings/build/core.mjs";

it("its types serve a strict program that checks its libraries too", () => {
  writeTypes();
  const folder = mkdtempSync(join(tmpdir(), "interlock-types-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/interlock"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "program.ts"),
      'import { Client, type History, type ToolCheck } from "interlock";\nimport { register } from "interlock/register";\nexport const check: ToolCheck = new Client({ policy: "{}", keys: {} }).checkToolCall("a", { b: 1 });\nexport const next: History = check.history;\nexport { register };\n',
    );
    const compilerOptions = { target: "es2022", lib: ["es2023", "dom"], types: [], module: "nodenext", strict: true, noEmit: true, skipLibCheck: false };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const { stdout } = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"], { encoding: "utf8" });
    // What other packages' declarations lack is theirs.
    expect(stdout.split("\n").filter((line) => line !== "" && !line.includes("node_modules/@") && !line.startsWith(" "))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
