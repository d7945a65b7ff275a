// npm test: every suite, with what it needs built before it, and one line of counts at the end. Arguments go to vitest.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../bindings/build/core.mjs";

const RESULTS = join(ROOT, "dist/test-results.json");

/** Passed, failed and skipped tests; a suite that could not be loaded is one failure. */
function counts() {
  if (!existsSync(RESULTS)) return { passed: 0, failed: 1, skipped: 0 };
  const results = JSON.parse(readFileSync(RESULTS, "utf8"));
  const unloaded = results.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.every((each) => each.status !== "failed")).length;
  return { passed: results.numPassedTests, failed: results.numFailedTests + unloaded, skipped: results.numPendingTests };
}

mkdirSync(join(ROOT, "dist"), { recursive: true });
rmSync(RESULTS, { force: true });
const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
const { passed, failed, skipped } = counts();
// Vitest may fail without a failed test: an error outside of one, or nothing to run.
const lost = status !== 0 && failed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed + lost} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed + lost > 0 || passed === 0 ? 1 : 0);
