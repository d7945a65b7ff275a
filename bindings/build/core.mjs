// Compiles the core with asc, alone and as a WASI command, and tells its size and SHA-256.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { joinSegments } from "./segments.mjs";

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));
/** The compiled core, from the root. */
export const CORE = "dist/core.wasm";
/** The same core as a WASI command, from the root. */
export const WASI = "dist/core.wasi.wasm";

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

/** The modules that are made of the core: from which source, by which target of asconfig.json, and whose functions each may import. */
const MODULES = {
  [CORE]: { source: "assembly/index.ts", target: "release", imports: [], packages: ["assemblyscript", "binaryen"] },
  [WASI]: { source: "assembly/wasi.ts", target: "wasi", imports: ["wasi_snapshot_preview1"], packages: ["assemblyscript", "binaryen", "@assemblyscript/wasi-shim"] },
};

/** A key of everything that a compiled module depends on: the sources, the options, the compiler, and what is done here. */
function sourceKey(root, packages) {
  const files = [...filesUnder(root, "assembly", (name) => name.endsWith(".ts")), "asconfig.json"];
  const compilers = packages.map((name) => readFileSync(join(root, "node_modules", name, "package.json")));
  const steps = ["./core.mjs", "./segments.mjs"].map((name) => readFileSync(new URL(name, import.meta.url)));
  return sha256(...compilers, ...steps, ...files.flatMap((file) => [file, "\0", readFileSync(join(root, file)), "\0"]));
}

/** The arguments that compile `source` to `file`, both from the root, by a target of asconfig.json. */
export function ascArguments(source, file, target = "release") {
  return ["node_modules/assemblyscript/bin/asc.js", source, "--config", "asconfig.json", "--target", target, "--outFile", file];
}

/** Runs Node with arguments in a folder; rejects where it fails. */
function runNode(cwd, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (status) => (status === 0 ? resolve() : reject(new Error(`${args[0]} refused ${args[1]}`))));
  });
}

/** Compiles one of the modules of `root`, unless what is there was made from the same sources. Rejects where asc or its optimizer refuses. */
async function buildModule(file, root, force) {
  const { source, target, imports: allowed, packages } = MODULES[file];
  const made = join(root, file);
  const key = sourceKey(root, packages);
  if (!force && existsSync(made) && existsSync(`${made}.key`) && readFileSync(`${made}.key`, "utf8") === key) return made;
  mkdirSync(dirname(made), { recursive: true });
  // Beside its place and then into it: whoever reads it meanwhile sees a whole module.
  const beside = `${file}.${process.pid}.wasm`;
  try {
    await runNode(root, [...ascArguments(source, beside, target), ...LEAN]);
    await runNode(root, ["node_modules/binaryen/bin/wasm-opt", beside, ...OPTIMIZE, "-o", beside]);
    const bytes = joinSegments(readFileSync(join(root, beside)));
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(({ module }) => !allowed.includes(module));
    if (imports.length > 0) throw new Error(`${file} imports ${imports.map(({ module, name }) => `${module}.${name}`).join(", ")}: it may not`);
    writeFileSync(join(root, beside), bytes);
    renameSync(join(root, beside), made);
    writeFileSync(`${made}.key`, key);
    writeFileSync(`${made}.sha256`, `${sha256(bytes)}  ${basename(file)}\n`);
  } finally {
    rmSync(join(root, beside), { force: true });
  }
  return made;
}

/** Makes dist/core.wasm of `root`, which imports nothing. Gives its path. */
export function buildCore(root = ROOT, { force = false } = {}) {
  return buildModule(CORE, root, force);
}

/** Makes dist/core.wasi.wasm of `root`, the same core as a WASI command. Gives its path. */
export function buildWasi(root = ROOT, { force = false } = {}) {
  return buildModule(WASI, root, force);
}

/** What the core measures: its size and gzip size in bytes, and its SHA-256. */
export function coreFacts(root = ROOT) {
  const bytes = readFileSync(join(root, CORE));
  return { size: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, sha256: sha256(bytes) };
}
