// Builds the rooms of the core for their tests: every test/unit/NAME.entry.ts becomes dist/unit/NAME.wasm, unless its sources are as they were.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ascArguments, ROOT, sha256 } from "../../bindings/build/core.mjs";

const ENTRIES = "test/unit";
const TARGETS = "dist/unit";
/** The machine has two cores, and the compiler uses one. */
const AT_ONCE = 2;

/** Every source that a module is made from: the entry, what it imports, and what the options name. */
function sourcesOf(entry) {
  const found = new Set();
  const waiting = [entry, "assembly/memory/runtime.ts", "assembly/abort.ts"];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, path] of readFileSync(join(ROOT, file), "utf8").matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];/gms)) {
      const imported = relative(ROOT, join(ROOT, dirname(file), path)).replace(/\.ts$/, "");
      waiting.push(existsSync(join(ROOT, `${imported}.ts`)) ? `${imported}.ts` : `${imported}/index.ts`);
    }
  }
  return [...found].sort();
}

function keyOf(entry) {
  const fixed = ["asconfig.json", "node_modules/assemblyscript/package.json"];
  return sha256(...[...sourcesOf(entry), ...fixed].flatMap((file) => [file, "\0", readFileSync(join(ROOT, file)), "\0"]));
}

function compile(entry, target) {
  const beside = `${target}.${process.pid}.wasm`;
  return new Promise((resolve, reject) => {
    const asc = spawn(process.execPath, ascArguments(entry, beside), { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    asc.on("error", reject);
    asc.on("close", (code) => {
      if (code === 0) renameSync(join(ROOT, beside), join(ROOT, target));
      else rmSync(join(ROOT, beside), { force: true });
      if (code === 0) resolve();
      else reject(new Error(`asc refused ${entry}`));
    });
  });
}

/** Builds what is not as its sources are. Gives how many were built. */
export async function buildRooms() {
  mkdirSync(join(ROOT, TARGETS), { recursive: true });
  const stale = [];
  for (const file of readdirSync(join(ROOT, ENTRIES)).sort()) {
    if (!file.endsWith(".entry.ts")) continue;
    const target = `${TARGETS}/${file.slice(0, -".entry.ts".length)}.wasm`;
    const key = keyOf(`${ENTRIES}/${file}`);
    const note = join(ROOT, `${target}.key`);
    if (existsSync(join(ROOT, target)) && existsSync(note) && readFileSync(note, "utf8") === key) continue;
    stale.push({ entry: `${ENTRIES}/${file}`, target, note, key });
  }
  let next = 0;
  const work = async () => {
    while (next < stale.length) {
      const { entry, target, note, key } = stale[next++];
      await compile(entry, target);
      writeFileSync(note, key);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return stale.length;
}
