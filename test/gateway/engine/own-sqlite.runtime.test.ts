// The embedded engine by Node's own SQLite: the whole of its tests, run by Node 22 and 24 where better-sqlite3 is not there.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeRuntime, node22, node24 } from "../../runtime/runtimes.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

for (const runtime of [node22, node24]) describeRuntime(`${runtime.name}'s own SQLite`, [runtime], () => {
  it("the port's suite, the folder's lock, migrations, backups and kill -9", async () => {
    const folder = mkdtempSync(join(tmpdir(), "own-sqlite-"));
    try {
      const missing = join(folder, "missing.mjs");
      writeFileSync(missing, 'throw new Error("better-sqlite3 is not there");\n');
      const config = join(folder, "vitest.config.mjs");
      const alias = { "better-sqlite3": missing, interlock: join(ROOT, "dist/index.js"), "interlock/register": join(ROOT, "bindings/entry/register.ts") };
      writeFileSync(config, `export default ${JSON.stringify({ root: ROOT, resolve: { alias }, test: { include: ["test/gateway/engine/sqlite.test.ts", "test/gateway/engine/migrating.test.ts"], testTimeout: 120_000 } })};\n`);
      const report = join(folder, "report.json");
      await promisify(execFile)(runtime.file!, [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--config", config, "--reporter=json", `--outputFile=${report}`], { cwd: ROOT }).catch((error: unknown) => error);
      const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number; testResults: { message: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[] };
      expect(testResults.flatMap(({ message, assertionResults }) => [...(message === "" ? [] : [message]), ...assertionResults.filter(({ status }) => status !== "passed").map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join()}`)])).toStrictEqual([]);
      expect(numPassedTests).toBeGreaterThan(19);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
