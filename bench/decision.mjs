// Measures the whole decision, JSON text in and JSON text out, signatures checked and made, against hand-written peers in one run; prints the ratios and where each goal stands.
//
// node bench/decision.mjs [--quick] [--core FILE.wasm] [--modules FOLDER]     (npm run build first; see README.md)

import { hash as nodeHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import Ajv2020 from "ajv/dist/2020.js";
import { buildSync } from "esbuild";
import { Core, coreBytes } from "./core.mjs";
import { KEYS, SESSION, TENANT, makeHistories, makePolicy, readRequest, refusedRequest, askedRequest, withHistory } from "./fixtures.mjs";
import { cedarGate, rulesOf } from "./rules.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const QUICK = process.argv.includes("--quick");
const CORE = option("--core") ?? fileURLToPath(new URL("../dist/core.wasm", import.meta.url));
const NOW = 1764460000;
const LENGTHS = QUICK ? [6, 50, 500] : [6, 50, 500, 5000];
const ROUNDS = QUICK ? 25 : 60;
/** Microseconds of one round of one contestant. */
const ROUND = QUICK ? 4000 : 8000;

/** A development dependency that may not be there; null with a line that says so. */
async function optional(name) {
  const places = [import.meta.url, ...(option("--modules") ? [resolve(option("--modules"), "package.json")] : [])];
  for (const place of places) {
    try {
      return await import(createRequire(place).resolve(name));
    } catch (error) {
      if (!String(error).includes("Cannot find") && !String(error).includes("not defined by")) throw error;
    }
  }
  console.log(`skipped: ${name.replace(/^@/, "").split("/").slice(0, 2).join("/").replace("cedar-policy/", "")} is not installed`);
  return null;
}

const built = buildSync({ entryPoints: [fileURLToPath(new URL("./baseline.ts", import.meta.url))], write: false, format: "esm", platform: "node", target: "node20" });
const { Baseline } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

const nodeHashes = { sha256: (message) => nodeHash("sha256", message, "latin1") };
const noble = await optional("@noble/hashes/sha2.js");
const nobleHashes = noble && { sha256: (message) => Buffer.from(noble.sha256(message)).latin1Slice(0, 32) };
const cedar = await optional("@cedar-policy/cedar-wasm/nodejs");

const module = new WebAssembly.Module(coreBytes(CORE));
const core = new Core(module).load(makePolicy(50), KEYS);

/** The baseline's tables for a policy: what its author would have compiled it to. */
function compile(policy, id, snapshots, gate) {
  const ajv = new Ajv2020({ strict: false });
  const tools = new Map();
  for (const tool of policy.tools) {
    tools.set(tool.name, {
      name: tool.name,
      write: tool.effect !== "read",
      snapshot: snapshots.get(tool.name) ?? "",
      readsOutside: tool.reads_outside === true,
      declared: new Set(Object.keys(tool.parameters.properties)),
      fits: ajv.compile(tool.parameters),
      after: tool.after ?? [],
      notAfter: tool.not_after ?? [],
      atMost: tool.at_most ?? 0,
      rules: rulesOf(tool.name),
    });
  }
  const texts = { type: "string" };
  const isRequest = ajv.compile({
    type: "object",
    properties: {
      format: { const: "qls-tool-check/1" }, session: texts, agent: texts, tool: { type: "string", maxLength: 128 }, arguments: { type: "object" },
      origins: { type: "object", additionalProperties: texts }, turns: { type: "array", items: texts }, context: { type: "object", additionalProperties: { type: "boolean" } },
      principal: { type: "object", properties: { id: texts } }, resource: { type: "object" }, labels: {}, history: {}, head: {}, confirmation: texts,
      approvals: {}, undo: {}, now: { type: "integer" }, explain: { type: "boolean" },
    },
    required: ["format", "session", "tool", "arguments", "now"],
    additionalProperties: false,
  });
  return {
    policy: id, tenant: TENANT, tools, agents: new Set(Object.keys(policy.agents)), kid: KEYS.active, isRequest,
    signing: Buffer.from(KEYS.keys[0].k, "base64url"), digests: Buffer.from(KEYS.digest_key, "base64url"), ...(gate ? { gate } : {}),
  };
}

/** The digests of the tools that the requests call, as the core gives them. */
function snapshotsOf(instance) {
  const snapshots = new Map();
  for (const request of [readRequest(NOW), refusedRequest(NOW)]) snapshots.set(request.tool, JSON.parse(instance.check(withHistory(request))).entry.snapshot);
  return snapshots;
}

const policy = makePolicy(50);
const policyId = JSON.parse(core.check(withHistory(readRequest(NOW)))).policy;
const snapshots = snapshotsOf(core);
const tuned = new Baseline(compile(policy, policyId, snapshots), nodeHashes);
const lastOnly = new Baseline(compile(policy, policyId, snapshots), nodeHashes, false);
const onNoble = nobleHashes && new Baseline(compile(policy, policyId, snapshots), nobleHashes);
const onCedar = cedar && new Baseline(compile(policy, policyId, snapshots, cedarGate(cedar)), nodeHashes);

const microseconds = () => Number(process.hrtime.bigint()) / 1000;
const sorted = (list) => Float64Array.from(list).sort();
const quantile = (list, q) => list[Math.min(list.length - 1, Math.floor(q * list.length))];

/**
 * Runs the contestants in turn, many short rounds each, so that what else the machine does falls on all of them.
 * @returns for each: `best` (the least of the rounds' medians), `p50` and `p99` over all calls, in microseconds
 */
function race(contestants) {
  const states = contestants.map(([name, run]) => {
    // Warm: past the engine's tier-up, at least a few calls.
    const until = microseconds() + (QUICK ? 60_000 : 200_000);
    let calls = 0;
    while (microseconds() < until || calls < 3) { run(); calls++; }
    return { name, run, medians: [], all: [] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const state of states) {
      const times = [];
      const end = microseconds() + ROUND;
      let before = microseconds();
      do {
        state.run();
        const after = microseconds();
        times.push(after - before);
        before = after;
      } while (before < end || times.length < 3);
      state.medians.push(quantile(sorted(times), 0.5));
      if (state.all.length < 400_000) for (const time of times) state.all.push(time);
    }
  }
  return new Map(states.map(({ name, medians, all }) => {
    const every = sorted(all);
    return [name, { best: Math.min(...medians), p50: quantile(every, 0.5), p99: quantile(every, 0.99) }];
  }));
}

const figure = (n) => (n >= 1000 ? n.toFixed(0) : n >= 100 ? n.toFixed(1) : n.toFixed(2));
function table(head, rows) {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  const line = (row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ");
  console.log(line(head));
  for (const row of rows) console.log(line(row));
  console.log();
}

/** The parts of an answer that must agree. */
const decided = (text) => {
  const { decision, reason, entry } = JSON.parse(text);
  return JSON.stringify({ decision, reason, entry });
};
function agree(what, expected, got) {
  if (decided(expected) !== decided(got)) throw new Error(`${what} disagrees\ncore ${decided(expected)}\npeer ${decided(got)}`);
}

console.log(`Interlock's decision against its peers: Node ${process.version}, ${QUICK ? "quick run" : "full run"}; µs, best of the medians of ${ROUNDS} rounds in turn\n`);
const histories = makeHistories(core, LENGTHS);
const goals = [];
const goal = (text, value, reached) => goals.push([text, value, reached ? "reached" : "not reached"]);

// History: stateless.
const stateless = new Map();
{
  const rows = [];
  for (const length of LENGTHS) {
    const text = withHistory(readRequest(NOW), histories.get(length));
    const bytes = Buffer.from(text);
    const refused = withHistory(refusedRequest(NOW), histories.get(length));
    for (const [name, peer] of [["hand-written", tuned], ["last token only", lastOnly], ["noble", onNoble], ["cedar", onCedar]]) {
      if (!peer) continue;
      agree(name, core.check(text), peer.check(text));
      agree(name, core.check(refused), peer.check(refused));
    }
    const results = race([
      ["core", () => core.check(text)],
      ["core, bytes in", () => core.check(bytes)],
      ["hand-written", () => tuned.check(text)],
      ["hand-written, last token only", () => lastOnly.check(text)],
      ...(onCedar ? [["cedar-wasm + the glue", () => onCedar.check(text)]] : []),
      ...(onNoble && length <= 500 ? [["hand-written on noble", () => onNoble.check(text)]] : []),
    ]);
    stateless.set(length, results);
    const ours = results.get("core").best;
    for (const [name, { best, p50, p99 }] of results) rows.push([`${length} entries, ${(bytes.length / 1024).toFixed(1)} KB: ${name}`, figure(best), figure(p50), figure(p99), (best / ours).toFixed(2)]);
  }
  table(["stateless check", "best", "p50", "p99", "÷ core"], rows);
  for (const length of [6, 50, 500]) {
    const results = stateless.get(length);
    const ratio = results.get("hand-written").best / results.get("core").best;
    goal(`stateless, ${length} entries: 2.0× the tuned baseline`, `${ratio.toFixed(2)}×`, ratio >= 2);
  }
  if (onCedar) for (const [length, wanted] of [[6, 18], [50, 5], [500, 2.7]]) {
    const results = stateless.get(length);
    const ratio = results.get("cedar-wasm + the glue").best / results.get("core").best;
    goal(`stateless, ${length} entries: ${wanted}× cedar-wasm with the same glue`, `${ratio.toFixed(2)}×`, ratio >= wanted);
  }
  if (onNoble) {
    const ratio = stateless.get(500).get("hand-written on noble").best / stateless.get(500).get("core").best;
    goal("stateless, 500 entries: 5× the baseline on noble-hashes", `${ratio.toFixed(2)}×`, ratio >= 5);
  }
}

// The session handle. The tool that is called may only be called after another one ran, so that comes first; the call is then allowed.
{
  const text = withHistory(readRequest(NOW));
  const before = withHistory({ ...readRequest(NOW), tool: "find_0" });
  const open = (instance) => {
    const session = instance.open({ session: SESSION });
    for (let step = 0; step < 5; step++) instance.checkSession(session, before);
    instance.reportSession(session, JSON.stringify({ at: NOW, result: { order_id: "A-4411" }, status: "ran", step: 0 }));
    return session;
  };
  const opened = new Core(module).load(policy, KEYS);
  // A session of 10,000 steps, which each call of the race prolongs; the policy's limit is raised for it.
  const long = new Core(module).load({ ...policy, settings: { limits: { history: 1_000_000_000 } } }, KEYS);
  const handle = open(long);
  for (let step = 5; step < 10_000; step++) long.checkSession(handle, text);
  if (JSON.parse(long.checkSession(handle, text)).decision !== "allow") throw new Error("the session's call is not allowed");
  // The same where what is decided on changes each time, as it does with a new turn.
  const turns = Array.from({ length: 64 }, (_, i) => withHistory({ ...readRequest(NOW), turns: [`please look at order A-4411 and show me 25 lines of it, ${i}`, "and then charge 40.00 for A-4411"] }));
  let young = 0;
  let age = 0;
  let turn = 0;
  const results = race([
    ["step 10 (5 to 25)", () => {
      if (age === 0) {
        if (young !== 0) opened.close(young);
        young = open(opened);
        age = 20;
      }
      age--;
      opened.checkSession(young, text);
    }],
    ["step 10,000 and on", () => long.checkSession(handle, text)],
    ["step 10,000 and on, new turns", () => long.checkSession(handle, turns[turn++ & 63])],
  ]);
  const early = results.get("step 10 (5 to 25)").best;
  const late = results.get("step 10,000 and on").best;
  table(["session handle", "best", "p50", "p99"], [...results].map(([name, { best, p50, p99 }]) => [name, figure(best), figure(p50), figure(p99)]));
  goal("session handle: at most 3 µs", `${late.toFixed(2)} µs`, late <= 3);
  goal("session handle: the same at step 10 and 10,000 (within 10 %)", `${((late / early - 1) * 100).toFixed(1)} %`, late <= early * 1.1);
  for (const [length, wanted] of [[6, 6], [50, 40], [500, 400]]) {
    const ratio = stateless.get(length).get("hand-written").best / late;
    goal(`session handle: ${wanted}× the baseline with ${length} entries`, `${ratio.toFixed(1)}×`, ratio >= wanted);
  }
}

// Arguments, catalogue, and the other answers.
{
  const rows = [];
  const sizes = QUICK ? [200, 20_000, 200_000] : [200, 2_000, 20_000, 200_000];
  for (const size of sizes) {
    const text = withHistory(readRequest(NOW, size), histories.get(6));
    agree("hand-written", core.check(text), tuned.check(text));
    const results = race([["core", () => core.check(text)], ["hand-written", () => tuned.check(text)]]);
    const ours = results.get("core").best;
    rows.push([`arguments of ${(JSON.stringify(readRequest(NOW, size).arguments).length / 1024).toFixed(1)} KB, 6 entries`, figure(ours), figure(results.get("hand-written").best), (results.get("hand-written").best / ours).toFixed(2)]);
  }
  table(["arguments", "core", "hand-written", "ratio"], rows);
  const counts = [10, 100, 1000];
  const text = withHistory(readRequest(NOW));
  const instances = counts.map((count) => [`${count} tools`, new Core(module).load(makePolicy(count), KEYS)]);
  const results = race(instances.map(([name, instance]) => [name, () => instance.check(text)]));
  table(["catalogue, no history", "best", "p99"], counts.map((count) => [`${count} tools`, figure(results.get(`${count} tools`).best), figure(results.get(`${count} tools`).p99)]));
  const growth = results.get("1000 tools").best / results.get("10 tools").best;
  goal("a 1,000-tool catalogue costs a check nothing more than one of 10", `${((growth - 1) * 100).toFixed(1)} %`, growth <= 1.1);
  const kinds = [["allow (a read)", readRequest(NOW)], ["refuse (a rule)", refusedRequest(NOW)], ["confirm (a change; question and token)", askedRequest(NOW)]];
  const answers = race(kinds.map(([name, request]) => {
    const asked = withHistory(request, histories.get(6));
    return [name, () => core.check(asked)];
  }));
  table(["answers of the core, 6 entries", "best", "p99"], [...answers].map(([name, { best, p99 }]) => [name, figure(best), figure(p99)]));
}

// Steps alone.
{
  const { bench: steps } = await stepsAlone();
  const results = race(steps);
  const ratio = (a, b) => (results.get(a).best / results.get(b).best).toFixed(2);
  table(["steps alone", "µs", "÷ core's"], [
    ["read and verify the chain of 500: core", figure(results.get("core: chain").best), "1.00"],
    ["read and verify the chain of 500: hand-written", figure(results.get("hand-written: chain").best), ratio("hand-written: chain", "core: chain")],
    ["JSON.parse of the same text", figure(results.get("JSON.parse").best), ratio("JSON.parse", "core: chain")],
  ]);
  console.log("The schema step alone: node bench/schema.mjs. Reading and printing alone: node bench/json.mjs.\n");
}

async function stepsAlone() {
  const history = histories.get(500);
  const verifyText = `{"history":${history},"session":"${SESSION}"}`;
  const request = withHistory(readRequest(NOW), history);
  if (!core.verify(verifyText).includes('"valid":true')) throw new Error("the history does not verify");
  return {
    bench: [
      ["core: chain", () => core.verify(verifyText)],
      ["hand-written: chain", () => tuned.verifyText(request)],
      ["JSON.parse", () => JSON.parse(verifyText)],
    ],
  };
}

// Cold start, size, memory.
{
  const bytes = coreBytes(CORE);
  const text = withHistory(readRequest(NOW), histories.get(6));
  const times = [];
  for (let i = 0; i < (QUICK ? 5 : 15); i++) {
    const before = process.cpuUsage();
    const begin = microseconds();
    // A byte appended in a custom section keeps the engine from finding the code it compiled before.
    const fresh = Buffer.concat([bytes, Buffer.from([0, 3, 1, 0x62, i])]);
    const instance = new Core(new WebAssembly.Module(fresh)).load(policy, KEYS);
    instance.check(text);
    const wall = microseconds() - begin;
    const cpu = process.cpuUsage(before);
    times.push([cpu.user + cpu.system, wall]);
  }
  const cpu = Math.min(...times.map(([c]) => c)) / 1000;
  const wall = Math.min(...times.map(([, w]) => w)) / 1000;
  const zipped = gzipSync(bytes, { level: 9 }).length;
  const small = new Core(module).load(policy, KEYS);
  for (let i = 0; i < 2000; i++) small.check(withHistory(readRequest(NOW), histories.get(50)));
  const memory = small.memoryBytes / 1048576;
  table(["size and start", ""], [
    ["core.wasm, KB raw", (bytes.length / 1024).toFixed(1)],
    ["core.wasm, KB gzip -9", (zipped / 1024).toFixed(1)],
    ["cold start (compile, load 50 tools, first decision), ms CPU", cpu.toFixed(2)],
    ["cold start, ms wall", wall.toFixed(2)],
    ["memory after 2,000 checks with 50 entries, MB", memory.toFixed(2)],
    ...(cedar ? [["cedar-wasm, KB gzip -9", (gzipSync(readFileSync(cedarWasm()), { level: 9 }).length / 1024).toFixed(1)]] : []),
  ]);
  goal("core.wasm at most 80 KB gzip", `${(zipped / 1024).toFixed(1)} KB`, zipped <= 80 * 1024);
  goal("load with 50 tools and first decision: at most 10 ms CPU", `${cpu.toFixed(2)} ms`, cpu <= 10);
  goal("memory on ordinary requests: at most 8 MB", `${memory.toFixed(2)} MB`, memory <= 8);
}

function cedarWasm() {
  for (const place of [import.meta.url, ...(option("--modules") ? [resolve(option("--modules"), "package.json")] : [])]) {
    try {
      return createRequire(place).resolve("@cedar-policy/cedar-wasm/nodejs").replace(/cedar_wasm\.js$/, "cedar_wasm_bg.wasm");
    } catch {
      // Not there: the next place.
    }
  }
  return "";
}

table(["goal", "here", ""], goals);
