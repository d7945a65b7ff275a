// Measures the gateway under load, and what processor time a call takes of it: checks a second over HTTP, and calls through the MCP door and the HTTP API against direct calls of the same MCP
// server in the same run, with 1, 10 and 100 clients; then its memory over many calls. The store and the audit log are on disk throughout.
//
// node bench/gateway.mjs [--seconds 5] [--calls 100000] [--quick]     (npm run build first)

import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const option = (name, usual) => (process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : usual);
const quick = process.argv.includes("--quick");
const SECONDS = option("--seconds", quick ? 2 : 5);
const CALLS = option("--calls", quick ? 10_000 : 100_000);
const folder = mkdtempSync(join(tmpdir(), "interlock-load-"));
const children = [];

/** Starts a program and resolves with the first match of what it says. */
function start(args, says, more = {}) {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" }, ...more });
  children.push(child);
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk) => {
      if (said === null) return;
      said += chunk;
      const match = says.exec(said);
      if (match !== null) {
        said = null;
        resolve({ child, match });
      }
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`${args[0]} ended with ${code}: ${said}`)));
  });
}

const key = `ik_${randomBytes(32).toString("base64url")}`;
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** One POST of JSON; the answer's text. */
function post(url, body, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json", accept: "application/json, text/event-stream", "content-length": Buffer.byteLength(body), ...headers } }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString(), headers: response.headers }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const PROTOCOL = "2026-07-28";
const META = { "io.modelcontextprotocol/protocolVersion": PROTOCOL, "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" }, "io.modelcontextprotocol/clientCapabilities": {} };
let ids = 0;

/** A tools/call of the newer era, which needs no session of the protocol. */
const toolCall = (tool, order, session) => ({
  body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method: "tools/call", params: { name: tool, arguments: { order }, _meta: session === null ? META : { ...META, "io.interlock/session": session } } }),
  headers: { "mcp-protocol-version": PROTOCOL, "mcp-method": "tools/call", "mcp-name": tool },
});

async function call(url, tool, order, session, more = {}) {
  const { body, headers } = toolCall(tool, order, session);
  const answer = await post(url, body, { ...headers, ...more });
  if (answer.status !== 200 || !answer.text.includes(`order ${order}`)) throw new Error(`${answer.status} ${answer.text.slice(0, 600)}`);
}

async function api(url, tool, order, session, path) {
  const answer = await post(`${url}${path}`, JSON.stringify({ session, tool, arguments: { order } }), { authorization: `Bearer ${key}` });
  if (answer.status !== 200 || !answer.text.includes(path === "/v1/check" ? '"decision":"allow"' : `order ${order}`)) throw new Error(`${answer.status} ${answer.text.slice(0, 600)}`);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** Runs `clients` loops of `one(client, number)` side by side until the time is over or `most` calls were made. */
async function load(clients, seconds, one, most = Infinity) {
  const times = [];
  const from = performance.now();
  const until = from + seconds * 1000;
  let made = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let number = 0; performance.now() < until && made < most; number++) {
        made += 1;
        const before = performance.now();
        await one(client, number);
        times.push(performance.now() - before);
      }
    }),
  );
  const wall = (performance.now() - from) / 1000;
  times.sort((a, b) => a - b);
  return { second: times.length / wall, p50: at(times, 0.5), p99: at(times, 0.99), count: times.length };
}

const number = (value, digits = 2) => value.toFixed(digits).padStart(9);
const heading = (...names) => console.log(`${"".padEnd(34)}${names.map((name) => name.padStart(9)).join(" ")}`);
const say = (name, { second, p50, p99, cpu }, direct) => console.log(`${name.padEnd(34)}${number(second, 0)} ${number(p50)} ${number(p99)} ${number(cpu)}${direct === undefined ? "" : ` ${number(p50 - direct.p50)} ${number(p99 - direct.p99)}`}`);

/** The processor time that a process has taken, all threads, in milliseconds: what else the machine does shows through it least. */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * TICK;
}
/** Milliseconds of a tick of the system's own counts. */
const TICK = 10;

const memory = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
};

async function setUp() {
  const { child: server, match } = await start([join(root, "bench/gateway-server.mjs")], /(\d+)\n/);
  const upstream = `http://127.0.0.1:${match[1]}/mcp`;
  const order = { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false };
  writeFileSync(join(folder, "policy.json"), JSON.stringify({
    tenant: "bench", agents: { desk: { tools: ["*"] } },
    tools: [{ name: "get_order", description: "Gets an order.", effect: "read", parameters: order }, { name: "mark_order", description: "Marks an order as seen.", parameters: order, irreversible: true }],
    rulebook: { flows: [{ name: "care", on: ["mark_order"], rules: [{ id: "not_zero", refuse_if: "args.order == '0'", because: "There is no order 0." }] }] },
  }));
  writeFileSync(join(folder, "gateway.yaml"), `tenant: bench
policy: policy.json
keys: keys.json
listen: {port: 0}
engine: {folder: data}
servers: {bench: {url: ${JSON.stringify(upstream)}}}
callers: {desk: {agents: [desk], sha256: "${createHash("sha256").update(key).digest("hex")}"}}
tool_defaults: {concurrency: 1000}
limits: {in_flight: 1000}
telemetry: {log_level: warn}
`);
  const cli = join(root, "dist/cli.js");
  const keys = join(folder, "keys.json");
  for (const how of [["-o", keys], ["--use", "approve", "--add", keys]]) execFileSync(process.execPath, [cli, "keygen", ...how], { stdio: "ignore" });
  const gateway = await start([...(process.env.NODE_ARGS?.split(" ") ?? []), cli, "gateway", "--config", join(folder, "gateway.yaml")], /interlock gateway \S+: (http:\/\/127\.0\.0\.1:\d+)/);
  return { upstream, server, gateway: gateway.child, url: gateway.match[1] };
}

async function rates({ upstream, server, gateway, url }) {
  const through = { authorization: `Bearer ${key}` };
  const run = randomBytes(3).toString("hex");
  for (const clients of [1, 10, 100]) {
    const session = (kind, client) => `${run}-${kind}-${clients}-${client}`;
    const contestants = [
      ["the MCP server, directly", (client, turn) => call(upstream, "get_order", `${client}.${turn}`, null)],
      ["MCP door, a read", (client, turn) => call(`${url}/mcp`, "get_order", `${client}.${turn}`, session("mcp", client), through)],
      ["HTTP API, a read", (client, turn) => api(url, "get_order", `${client}.${turn}`, session("api", client), "/v1/call")],
      ["HTTP API, a check alone", (client, turn) => api(url, "get_order", `${client}.${turn}`, session("check", client), "/v1/check")],
    ];
    console.log(`\n${clients} client${clients === 1 ? "" : "s"}, each in a session of its own`);
    heading("a second", "p50 ms", "p99 ms", "cpu ms", "p50 +ms", "p99 +ms");
    let direct;
    for (const [name, one] of contestants) {
      await load(clients, Math.min(1, SECONDS / 4), one);
      const { pid } = direct === undefined ? server : gateway;
      const before = cpuOf(pid);
      const measured = await load(clients, SECONDS, one);
      measured.cpu = (cpuOf(pid) - before) / measured.count;
      say(name, measured, direct);
      direct ??= measured;
    }
  }
}

async function memoryOver({ url, gateway }) {
  console.log(`\nmemory over ${CALLS} calls through the MCP door, 20 clients, a new session every 50 calls; MB of the gateway's process`);
  const through = { authorization: `Bearer ${key}` };
  const steps = 10;
  for (let step = 1; step <= steps; step++) {
    const measured = await load(20, 3600, (client, turn) => call(`${url}/mcp`, "get_order", `${step}.${client}.${turn}`, `m-${step}-${client}-${Math.floor(turn / 50)}`, through), CALLS / steps);
    console.log(`${String((CALLS / steps) * step).padStart(8)} calls ${number(memory(gateway.pid), 0)} MB ${number(measured.second, 0)} a second   store ${number(statSync(join(folder, "data/store.db")).size / 1048576, 1)} MB`);
  }
}

/** What the disk takes for one line that is to survive, in milliseconds: a call through the gateway waits for two of them. */
function disk() {
  const file = openSync(join(folder, "disk"), "a");
  const times = Array.from({ length: 200 }, () => {
    const before = performance.now();
    writeSync(file, `${"x".repeat(1023)}\n`);
    fdatasyncSync(file);
    return performance.now() - before;
  }).sort((a, b) => a - b);
  closeSync(file);
  console.log(`the disk: 1 KB added and synchronised, p50 ${number(at(times, 0.5)).trim()} ms, p99 ${number(at(times, 0.99)).trim()} ms`);
}

let failed = false;
try {
  disk();
  const world = await setUp();
  await rates(world);
  await memoryOver(world);
} catch (error) {
  failed = true;
  console.error(error);
} finally {
  for (const child of children) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed ? 1 : 0);
}
