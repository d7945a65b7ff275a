// Measures what is shipped: the module and each runtime's entry, bundled and minified; raw, gzip and brotli, cedar-wasm beside.
//
// node bench/sizes.mjs     (npm run build first)

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(`${root}${path}`);
const CEDAR = "node_modules/@cedar-policy/cedar-wasm";

function measure(...parts) {
  const sizes = [(part) => part.length, (part) => gzipSync(part, { level: 9 }).length, (part) => brotliCompressSync(part, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length];
  return sizes.map((size) => parts.reduce((sum, part) => sum + size(part), 0));
}

/** A program that takes everything an entry offers, as one minified file. */
async function bundled(name, options) {
  const { outputFiles } = await build({
    absWorkingDir: root, stdin: { contents: `export * from ${JSON.stringify(name)};`, resolveDir: root }, bundle: true, minify: true, format: "esm", target: "es2022",
    legalComments: "none", tsconfigRaw: {}, write: false, outdir: "out", external: ["*.wasm", "@modelcontextprotocol/*"], logLevel: "error", ...options,
  });
  return outputFiles[0].contents;
}

const core = read("dist/core.wasm");
const browser = { platform: "browser" };
const node = { platform: "node", external: ["*.wasm", "yaml", "@modelcontextprotocol/*"] };
const worker = { platform: "neutral", conditions: ["workerd", "worker", "browser"], mainFields: ["module", "main"] };

const rows = [
  ["core.wasm", ...measure(core)],
  ["core.wasi.wasm", ...measure(read("dist/core.wasi.wasm"))],
  ["interlock, inline: Node, Deno, Bun", ...measure(await bundled("interlock", node))],
  ["interlock, inline: browser", ...measure(await bundled("interlock", browser))],
  ["interlock, Worker: script and core.wasm", ...measure(await bundled("interlock", worker), core)],
  ["interlock, Worker: script alone", ...measure(await bundled("interlock", worker))],
  ["interlock/register, browser, with yaml", ...measure(await bundled("interlock/register", browser))],
  ["interlock/register, Node, packages apart", ...measure(await bundled("interlock/register", node))],
  ["cedar-wasm: module", ...measure(read(`${CEDAR}/web/cedar_wasm_bg.wasm`))],
  ["cedar-wasm, browser: script and module", ...measure(await bundled("@cedar-policy/cedar-wasm/web", browser), read(`${CEDAR}/web/cedar_wasm_bg.wasm`))],
];

const kilobytes = (bytes) => (bytes / 1024).toFixed(1);
console.log(`KB (1,024 bytes)${"".padEnd(28)}      raw     gzip   brotli`);
for (const [name, ...sizes] of rows) console.log(`${name.padEnd(44)}${sizes.map((size) => kilobytes(size).padStart(9)).join("")}`);
const [, , gzip] = rows[0];
const [, , worker_] = rows[4];
console.log(`\ngoals: core.wasm at most 80 KB gzip: ${gzip <= 80 * 1024 ? "reached" : "not reached"}; entry plus module for a Worker at most 110 KB gzip: ${worker_ <= 110 * 1024 ? "reached" : "not reached"}`);
