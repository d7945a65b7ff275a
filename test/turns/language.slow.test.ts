// A language is a file of words: an invented third one is added beside the others, the core is built from it, and its turns are read by every rule.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { type Json, Reader } from "./turns.ts";

const folder = mkdtempSync(join(tmpdir(), "interlock-language-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...command: string[]): void {
  const { status, stderr, stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")}\n${stdout}${stderr}`);
}

const object = (properties: Json, required: string[]): Json => ({ type: "object", properties, required });
const string = { type: "string" };
const POLICY: Json = {
  format: "qls-policy/1",
  tenant: "t",
  agents: { a: { tools: ["get_order", "charge_card", "send_receipt"] }, b: { tools: ["get_salaries"] } },
  tools: [
    { name: "get_order", effect: "read", description: "Montras la klienton de mendo", parameters: object({ order_id: string }, ["order_id"]), also_called: ["mendo"] },
    { name: "charge_card", irreversible: true, parameters: object({ order_id: string, amount: { type: "number" } }, ["order_id", "amount"]), also_called: ["pagigi"] },
    { name: "send_receipt", irreversible: true, sends_out: true, parameters: object({ order_id: string }, ["order_id"]), also_called: ["kvitanco"] },
    { name: "get_salaries", effect: "read", also_called: ["salajro"] },
  ],
};

describe("a third language through data alone", () => {
  let reader: Reader;
  beforeAll(() => {
    for (const name of ["assembly", "asconfig.json", "test/generate/turn-words.mjs"]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    cpSync(new URL("toy.txt", import.meta.url), join(folder, "assembly/turn/words/x-toy.txt"));
    run("test/generate/turn-words.mjs", "--root", folder);
    run(join(ROOT, "node_modules/assemblyscript/bin/asc.js"), "assembly/index.ts", "--config", "asconfig.json", "--target", "release", "--optimizeLevel", "0", "--outFile", "core.wasm");
    reader = new Reader(POLICY, "x-toy", new WebAssembly.Module(readFileSync(join(folder, "core.wasm"))));
  }, 600_000);

  it("verbs, nouns, plurals, values and connectives", () => {
    expect(reader.read("bonvolu montru la mendon 4411")).toMatchObject({ language: "x-toy", outcome: "run", steps: [{ tool: "get_order", arguments: { order_id: "4411" }, decided_by: "tool: also_called" }] });
    expect(reader.read("montru mendojn 4411 poste pagigu 1'234,50 de mendo 4411")).toMatchObject({
      outcome: "run",
      steps: [{ tool: "get_order" }, { tool: "charge_card", arguments: { order_id: "4411", amount: 1234.5 }, after_step: 0 }],
    });
    expect(reader.read("kio la klienton 4411")).toMatchObject({ outcome: "run", steps: [{ tool: "get_order", decided_by: "tool: derived" }] });
    expect(reader.read("ne pagigu mendon 4411").outcome).toBe("unread");
  });

  it("the four rules, by the English names of its verbs", () => {
    const because = (turn: string): string => reader.read(turn).declined_because;
    expect(because("eksportu la mendon 4411")).toBe("S1 egress: export");
    expect(reader.read("sendu la kvitancon de mendo 4411").outcome).toBe("run");
    expect(because("sendu la kvitancon de mendo 4411 al ana@example.com")).toBe("S2 destination: ana@example.com");
    expect(because("montru la mendon 4411 al la kanalo")).toBe("S2 destination: kanalo");
    expect(because("montru la mendon 4411, kalkulu la sumo plus 10%, poste pagigu ĝin")).toBe("S3 write: charge_card writes what step 1 computed");
    expect(because("kio la sumo de salajroj")).toBe("S4 scope: the data is not this agent's to read");
  });

  it("the languages there were are read as before", () => {
    const english = new Reader(POLICY, "en", new WebAssembly.Module(readFileSync(join(folder, "core.wasm"))));
    expect(english.read("export order 4411").declined_because).toBe("S1 egress: export");
  });

  it("a file that breaks the form says where", () => {
    const { status, stderr } = spawnSync(process.execPath, ["-e", `require("fs").writeFileSync("assembly/turn/words/x-bad.txt","language: x-bad\\nverbs: a")`], { cwd: folder, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const made = spawnSync(process.execPath, ["test/generate/turn-words.mjs", "--root", folder], { cwd: folder, encoding: "utf8" });
    expect(made.status).not.toBe(0);
    expect(made.stderr).toContain("x-bad.txt:2");
  });
});
