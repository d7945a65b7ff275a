// Sorts the suites by what has to be built before them, by looking at what they import.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesUnder, ROOT } from "../../bindings/build/core.mjs";

const IMPORTED = /(?:\bfrom\s+|\bimport\s*\(?\s*|\bnew URL\(\s*)["']([^"']+)["']/g;

/** The folder of the rooms' modules, as whoever loads one names it. */
const ROOMS = "dist/unit/";

/** What a file imports, itself or through files of ours. */
function reach(file, found = new Set()) {
  const source = readFileSync(join(ROOT, file), "utf8");
  if (source.includes(ROOMS)) found.add(ROOMS);
  for (const [, name] of source.matchAll(IMPORTED)) {
    if (!name.startsWith(".")) {
      found.add(name);
      continue;
    }
    const path = join(dirname(file), name);
    const target = [path, `${path}.ts`, `${path}/index.ts`].find((candidate) => /\.[cm]?[jt]s$/.test(candidate) && existsSync(join(ROOT, candidate)));
    if (found.has(target ?? path)) continue;
    found.add(target ?? path);
    if (target !== undefined && !target.startsWith("bindings/")) reach(target, found);
  }
  return found;
}

function kindOf(file) {
  if (/^test\/(?:runtime|hosts|guide)\//.test(file) || file.endsWith(".runtime.test.ts")) return "runtime";
  if (file.startsWith("test/slow/") || file.endsWith(".slow.test.ts")) return "slow";
  const reached = [...reach(file)];
  if (reached.includes(ROOMS)) return "rooms";
  return reached.some((name) => name === "interlock" || name.startsWith("interlock/") || name.startsWith("dist/") || name.startsWith("hosts/")) ? "package" : "plain";
}

/** The suites of each kind: `plain` need nothing, `package` the built package, `rooms` a room's own module (and the package), `slow` both and time, `runtime` the package and real runtimes. */
export function suites() {
  const sorted = { plain: [], package: [], rooms: [], slow: [], runtime: [] };
  for (const file of filesUnder(ROOT, "test", (name) => name.endsWith(".test.ts")).filter((name) => !name.includes("node_modules/"))) sorted[kindOf(file)].push(file);
  return sorted;
}
