// Measures the reader and the printer against JSON.parse and JSON.stringify on requests of three sizes, in one run: ratios, then figures.
// Build first: npx asc test/unit/json.entry.ts --config asconfig.json --target release --outFile dist/unit/json.wasm

import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const vectors = new URL("../shared/vectors/check/random.ndjson", root);
const { exports: core } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL("dist/unit/json.wasm", root))));

/** The checks' requests, or where there are none, a few made ones. */
function requests() {
  if (existsSync(vectors)) {
    const lines = readFileSync(vectors, "utf8").split("\n").filter((line) => line.includes('"op":"check"') && line.includes('"request":'));
    return lines.map((line) => JSON.parse(line).request).filter((one) => typeof one === "object" && one !== null);
  }
  const entry = (step) => ({ step, tool: "get_order", decision: "allow", at: 1764445008 + step, digest: "5d6sCHRbF1tlwUc2drcIRo0X447JMfKbmN7ciChyAMw", labels: [] });
  return [{ format: "qls-tool-check/1", tool: "get_order", arguments: { order_id: "4411" }, history: { entries: Array.from({ length: 10 }, (_, i) => entry(i)) } }];
}

/** One request whose history is filled up with entries of others until its text has about `size` bytes. */
function document(size) {
  const all = requests();
  const entries = all.flatMap((one) => one.history?.entries ?? []);
  const base = structuredClone(all.find((one) => one.history?.entries?.length > 0 && one.arguments) ?? all[0]);
  base.history.entries = [];
  let length = JSON.stringify(base).length;
  for (let i = 0; length < size; i++) {
    const entry = { ...entries[i % entries.length], step: i };
    base.history.entries.push(entry);
    length += JSON.stringify(entry).length + 1;
  }
  return JSON.stringify(base);
}

/** Nanoseconds a run, the best of several rounds. */
function best(run, runs) {
  let least = Infinity;
  for (let round = 0; round < 12; round++) {
    const from = process.hrtime.bigint();
    for (let i = 0; i < runs; i++) run();
    least = Math.min(least, Number(process.hrtime.bigint() - from) / runs);
  }
  return least;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const pad = (value, width = 9) => String(value).padStart(width);
console.log(`${pad("bytes")} ${pad("read ×")} ${pad("print ×")} ${pad("MB/s in")} ${pad("MB/s out")} ${pad("ns in", 10)} ${pad("ns out", 10)}  (× JSON.parse of bytes, × JSON.stringify to bytes)`);
for (const [name, spaced] of [["as sent", false], ["indented, numbers with fractions, names out of order", true]]) {
  console.log(name);
  for (const size of [2000, 20000, 200000]) {
    let text = document(size);
    if (spaced) {
      const turned = JSON.parse(text, (_, value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).reverse()) : typeof value === "number" ? value / 7 : value));
      text = JSON.stringify(turned, null, 1);
    }
    const bytes = encoder.encode(text);
    const value = JSON.parse(text);
    const read = () => {
      const at = core.input(bytes.length);
      new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
      if (core.onlyRead(at, bytes.length) !== 1) throw new Error("refused");
    };
    const runs = Math.max(20, Math.round(4e6 / bytes.length));
    for (let i = 0; i < 400; i++) read();
    const copied = best(() => void new Uint8Array(core.memory.buffer, core.input(bytes.length), bytes.length).set(bytes), runs);
    const ours = best(read, runs) - copied;
    const theirs = best(() => JSON.parse(decoder.decode(bytes)), Math.ceil(runs / 4));
    const print = best(() => core.onlyPrint(), runs);
    const stringify = best(() => encoder.encode(JSON.stringify(value)), Math.ceil(runs / 4));
    const rate = (ns) => Math.round((bytes.length / ns) * 1000);
    console.log(`${pad(bytes.length)} ${pad((theirs / ours).toFixed(1))} ${pad((stringify / print).toFixed(1))} ${pad(rate(ours))} ${pad(rate(print))} ${pad(Math.round(ours), 10)} ${pad(Math.round(print), 10)}`);
  }
}
