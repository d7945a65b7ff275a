// Measures starts in every runtime: the CPU that loading 50 tools and a first decision take over a bare start, cedar-wasm beside, in one run.
//
// node bench/starts.mjs [--rounds 15]     (npm run build and npm ci --prefix test/runtime first; Chromium from the system)

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { KEYS, makePolicy, readRequest } from "./fixtures.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const ROUNDS = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 15;
const installed = (name) => join(root, "test/runtime/node_modules", name);
const folder = mkdtempSync(join(tmpdir(), "interlock-starts-"));
const path = (name) => join(folder, name);

// A read that no history has to come before.
const { tool: _after, arguments: args, format, ...options } = readRequest(1764460000);
const tool = "find_0";
const fixture = `export const policy = ${JSON.stringify(makePolicy(50))}; export const keys = ${JSON.stringify(KEYS)}; export const call = ${JSON.stringify({ tool, arguments: args, options })};`;
const fixtures = {
  name: "fixture",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^start-fixture$/ }, () => ({ path: "fixture", namespace: "fixture" }));
    onLoad({ filter: /./, namespace: "fixture" }, () => ({ contents: fixture }));
  },
};
const modules = { name: "modules", setup: ({ onResolve }) => onResolve({ filter: /\/core\.wasm$/ }, () => ({ path: "core.wasm", external: true })) };

/** Bundles a program, as deploying would, to one file. */
const program = (name, contents, options = {}) =>
  build({ absWorkingDir: root, stdin: { contents, resolveDir: join(root, "bench") }, bundle: true, minify: true, format: "esm", outfile: path(name), tsconfigRaw: {}, plugins: [fixtures, modules], logLevel: "error", ...options });

const SAY = 'if (start() !== "allow") throw new Error("decided otherwise");';
const CEDAR = 'import * as cedar from "@cedar-policy/cedar-wasm/nodejs"; import { start } from "./start-cedar.mjs";';
const LAPS = "const laps = []; let last = performance.now(); const lap = (name) => { const now = performance.now(); laps.push([name, now - last]); last = performance.now(); };";

async function programs() {
  writeFileSync(path("bare.mjs"), "\n");
  const node = { platform: "node" };
  await program("interlock.mjs", `import { start } from "./start-interlock.mjs"; ${SAY}`, node);
  await program("interlock-laps.mjs", `import { start } from "./start-interlock.mjs"; ${LAPS} start(lap); console.log(JSON.stringify(laps));`, node);
  const cedar = { platform: "node", format: "cjs" };
  await program("cedar.cjs", `${CEDAR} if (start(cedar) !== "allow") throw new Error("decided otherwise");`, cedar);
  copyFileSync(join(root, "node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm_bg.wasm"), path("cedar_wasm_bg.wasm"));
  const page = { platform: "browser" };
  await program("page.js", `import { start } from "./start-interlock.mjs"; globalThis.measured = () => { ${LAPS} start(lap); return laps; }; document.title = "ready";`, page);
  const worker = { platform: "neutral", conditions: ["workerd", "worker", "browser"], mainFields: ["module", "main"] };
  await program("worker.js", `import { start } from "./start-interlock.mjs"; export default { fetch() { return new Response(start()); } };`, worker);
  writeFileSync(path("worker-bare.js"), "export default { fetch() { return new Response('allow'); } };\n");
  copyFileSync(join(root, "dist/core.wasm"), path("core.wasm"));
  for (const name of ["worker", "worker-bare"])
    writeFileSync(path(`${name}.capnp`), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)], sockets = [(name = "http", http = (), service = "main")]);
const worker :Workerd.Worker = (modules = [(name = "worker.js", esModule = embed "${name}.js")${name === "worker" ? ', (name = "core.wasm", wasm = embed "core.wasm")' : ""}], compatibilityDate = "2026-11-01");
`);
}

/** The CPU of a process from its start to its end, all threads, and how long it took, in milliseconds. */
function processCpu(file, ...args) {
  const before = performance.now();
  const { status, stderr } = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null', "bash", file, ...args], { encoding: "utf8", cwd: folder, env: { ...process.env, LC_ALL: "C" } });
  if (status !== 0) throw new Error(stderr.slice(-400));
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { cpu: (user + system) * 1000, wall: performance.now() - before };
}

/** The CPU that a live process has used, in milliseconds, all threads. */
const liveCpu = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]), 0) / 1e6;

/** A fresh workerd to its first answer. */
async function workerCpu(file, config) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const before = performance.now();
  const child = spawn(file, ["serve", config, `--socket-addr=http=127.0.0.1:${port}`], { cwd: folder, stdio: "ignore" });
  try {
    for (;;) {
      const text = await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text(), () => null);
      if (text === "allow") return { cpu: liveCpu(child.pid), wall: performance.now() - before };
      if (text !== null || child.exitCode !== null) throw new Error(`workerd: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    child.kill("SIGKILL");
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const least = (list) => Math.min(...list);

/** Runs contestants in turn; for each the lists of CPU and wall. */
async function rounds(contestants) {
  const all = new Map(contestants.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) for (const [name, run] of contestants) all.get(name).push(await run());
  return (name) => ({ cpu: least(all.get(name).map(({ cpu }) => cpu)), middle: median(all.get(name).map(({ cpu }) => cpu)), wall: least(all.get(name).map(({ wall }) => wall)) });
}

const ms = (value) => value.toFixed(1).padStart(10);
function row(name, bare, other) {
  console.log(`${name.padEnd(34)}${ms(bare.cpu)}${ms(other.cpu - bare.cpu)}${ms(other.middle - bare.middle)}${ms(other.wall - bare.wall)}`);
}

async function overBare() {
  console.log(`milliseconds, best and median of ${ROUNDS} rounds; CPU of all threads of the process, from its start to its end (workerd: to its first answer)\n`);
  console.log(`${"".padEnd(34)}${["bare CPU", "over bare", "(median)", "wall over"].map((name) => name.padStart(10)).join("")}`);
  const runtimes = [["Node 20", process.execPath], ["Node 22", installed("node-22/bin/node")], ["Node 24", installed("node-24/bin/node")], ["Deno", installed(".bin/deno"), "run", "-A"], ["Bun", installed(".bin/bun")]];
  for (const [name, file, ...before] of runtimes) {
    if (!existsSync(file)) {
      console.log(`${name}: skipped: it is not installed (npm ci --prefix test/runtime)`);
      continue;
    }
    const of = await rounds([["bare", "bare.mjs"], ["interlock", "interlock.mjs"], ["cedar", "cedar.cjs"]].map(([each, source]) => [each, async () => processCpu(file, ...before, source)]));
    row(`${name}: interlock`, of("bare"), of("interlock"));
    row(`${name}: cedar-wasm, rules alone`, of("bare"), of("cedar"));
  }
  const workerd = installed(".bin/workerd");
  if (!existsSync(workerd)) console.log("workerd: skipped: it is not installed (npm ci --prefix test/runtime)");
  else {
    const of = await rounds([["bare", () => workerCpu(workerd, "worker-bare.capnp")], ["interlock", () => workerCpu(workerd, "worker.capnp")]]);
    row("workerd: interlock", of("bare"), of("interlock"));
  }
}

const sayLaps = (where, laps) => console.log(`${where.padEnd(14)}${laps.map(([name, time]) => `${name} ${time.toFixed(2)}`).join(", ")}`);

async function steps() {
  console.log("\nstep by step, wall milliseconds in the process; the module is compiled when the policy is loaded");
  for (const [name, file, ...before] of [["Node 20", process.execPath], ["Node 24", installed("node-24/bin/node")], ["Bun", installed(".bin/bun")]]) {
    if (!existsSync(file)) continue;
    const runs = Array.from({ length: ROUNDS }, () => JSON.parse(spawnSync(file, [...before, "interlock-laps.mjs"], { cwd: folder, encoding: "utf8" }).stdout));
    sayLaps(name, runs[0].map(([step], index) => [step, least(runs.map((run) => run[index][1]))]));
  }
  const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(chromium)) {
    console.log("Chromium: skipped: it is not installed (or CHROMIUM=its path)");
    return;
  }
  const { chromium: driver } = await import("playwright-core");
  writeFileSync(path("page.html"), '<!doctype html><title>start</title><script type="module" src="/page.js"></script>');
  const server = createServer((request, response) => {
    const name = request.url === "/page.js" ? "page.js" : "page.html";
    response.setHeader("content-type", name === "page.js" ? "text/javascript" : "text/html");
    response.end(readFileSync(path(name)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A context of its own: no code cache from the page before.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => document.title === "ready");
    runs.push(await page.evaluate(() => globalThis.measured()));
    await context.close();
  }
  sayLaps("Chromium", runs[0].map(([step], index) => [step, least(runs.map((run) => run[index][1]))]));
  await browser.close();
  server.close();
}

try {
  await programs();
  await overBare();
  await steps();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
