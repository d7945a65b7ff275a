// Compiles the core with asc, and tells its size and SHA-256.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { joinSegments } from "./segments.mjs";

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));
/** The compiled core, from the root. */
export const CORE = "dist/core.wasm";

/** SHA-256 in hexadecimal. */
export function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** The names of a folder's files that pass, at any depth, sorted; from `root`. */
export function filesUnder(root, folder, passes = () => true) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && passes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/**
 * What follows asc: asc itself inlines little (level 1 of shrinking), and a second round of its optimizer inlines again where that is cheap,
 * but nothing long only because it is called once: an engine takes far longer over one huge function than over its parts.
 */
const LEAN = ["--shrinkLevel", "1"];
const OPTIMIZE = [
  "-O3",
  "--one-caller-inline-max-function-size=100",
  "--enable-simd",
  "--enable-bulk-memory",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
];

/** A key of everything that a compiled module depends on: the sources, the options, the compiler, and what is done here. */
export function sourceKey(root, extra = []) {
  const files = [...filesUnder(root, "assembly", (name) => name.endsWith(".ts")), "asconfig.json", ...extra];
  const compiler = ["assemblyscript", "binaryen"].map((name) => readFileSync(join(root, "node_modules", name, "package.json")));
  const steps = ["./core.mjs", "./segments.mjs"].map((name) => readFileSync(new URL(name, import.meta.url)));
  return sha256(...compiler, ...steps, ...files.flatMap((file) => [file, "\0", readFileSync(join(root, file)), "\0"]));
}

/** The arguments that compile `source` to `target`, both from the root. */
export function ascArguments(source, target) {
  return ["node_modules/assemblyscript/bin/asc.js", source, "--config", "asconfig.json", "--target", "release", "--outFile", target];
}

/** Compiles the core of `root`, unless what is there was made from the same sources. Throws where asc or its optimizer refuses. */
export function buildCore(root = ROOT, { force = false } = {}) {
  const target = join(root, CORE);
  const key = sourceKey(root);
  if (!force && existsSync(target) && existsSync(`${target}.key`) && readFileSync(`${target}.key`, "utf8") === key) return target;
  mkdirSync(dirname(target), { recursive: true });
  // Beside the target and then into its place: whoever reads it meanwhile sees a whole module.
  const beside = `${CORE}.${process.pid}.wasm`;
  const steps = [
    [...ascArguments("assembly/index.ts", beside), ...LEAN],
    ["node_modules/binaryen/bin/wasm-opt", ...OPTIMIZE, beside, "-o", beside],
  ];
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    if (status === 0) continue;
    rmSync(join(root, beside), { force: true });
    throw new Error(`${step[0]} refused assembly/index.ts`);
  }
  const bytes = joinSegments(readFileSync(join(root, beside)));
  writeFileSync(join(root, beside), bytes);
  renameSync(join(root, beside), target);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  if (imports.length > 0) throw new Error(`core.wasm imports ${imports.map(({ module, name }) => `${module}.${name}`).join(", ")}: it may import nothing`);
  writeFileSync(`${target}.key`, key);
  writeFileSync(`${target}.sha256`, `${sha256(bytes)}  core.wasm\n`);
  return target;
}

/** What the core measures: its size and gzip size in bytes, and its SHA-256. */
export function coreFacts(root = ROOT) {
  const bytes = readFileSync(join(root, CORE));
  return { size: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, sha256: sha256(bytes) };
}
