// The same lines in every real runtime: the answers are the same bytes, and they are the model's and the official ones.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { missing } from "../model/tally.ts";
import { strip } from "../model/strip.ts";
import { shared } from "../vectors/shared.ts";
import { runners as browsers } from "./browser/run.ts";
import { runners as buns } from "./bun/run.ts";
import { type Cases, linesOf, makeCases, OPERATIONS, sha256 } from "./cases.ts";
import { type Answers, describeDifference, firstDifference } from "./compare.ts";
import { runners as denos } from "./deno/run.ts";
import { type Installed, installedIn } from "./install.ts";
import { runners as nodes } from "./node/run.ts";
import { plantOtherMessage } from "./plant.ts";
import type { Ready, Runner } from "./runner.ts";
import { describeRuntime } from "./runtimes.ts";
import { runners as wasis } from "./wasi/run.ts";
import { runners as workers } from "./workerd/run.ts";

const [reference, ...others] = [...nodes, ...denos, ...buns, ...workers, ...browsers, ...wasis] as [Runner, ...Runner[]];

let folder: string;
let files: Cases[];
let reached: Map<string, number>;
let installed: Installed;
/** What the reference answers, by file. */
const referenceAnswers = new Map<string, Answers>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlock-lines-"));
  ({ files, reached } = makeCases());
  for (const { name, bytes } of files) writeFileSync(join(folder, `${name}.ndjson`), bytes);
  installed = installedIn(inject("installed"));
  const ready = await reference.ready(installed);
  for (const file of files) referenceAnswers.set(file.name, await answersOf(reference.name, ready, file));
  await ready.stop();
  tell(reference.name, [...referenceAnswers.values()]);
}, 600_000);

afterAll(() => {
  installed?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

async function answersOf(runtime: string, ready: Ready, file: Cases): Promise<Answers> {
  const output = join(folder, `${file.name}.${runtime}.answers.ndjson`);
  await ready.answer(join(folder, `${file.name}.ndjson`), output);
  return { runtime, bytes: readFileSync(output) };
}

/** Prints the SHA-256 of everything a runtime answered. */
function tell(runtime: string, answers: Answers[]): void {
  const all = Buffer.concat(answers.map(({ bytes }) => bytes));
  console.log(`${runtime}: ${linesOf(all).length} answers, ${all.length} bytes, SHA-256 ${sha256(all)}`);
}

describe("the lines", () => {
  it("are 10,000 and more, and reach every reason, detail and error", () => {
    expect(files.reduce((count, file) => count + file.count, 0)).toBeGreaterThan(10_000);
    expect(missing(reached)).toEqual([]);
  });

  it("use every operation, and both ways of carrying a history", () => {
    const answered = new Map<string, number>();
    for (const file of files) {
      const answers = linesOf(referenceAnswers.get(file.name)!.bytes);
      linesOf(file.bytes).forEach((line, index) => {
        const op = OPERATIONS.find((name) => Buffer.from(line).includes(`"op":"${name}"`));
        if (op === undefined) return;
        const answer = Buffer.from(answers[index]!).toString();
        if (answer.startsWith('{"id"')) answered.set(op, (answered.get(op) ?? 0) + 1);
      });
    }
    console.log(`lines answered, by operation: ${OPERATIONS.map((op) => `${op} ${answered.get(op) ?? 0}`).join(", ")}`);
    // Ten answers and more of each, so that none is there by a lucky line.
    expect(OPERATIONS.filter((op) => (answered.get(op) ?? 0) < 10)).toEqual([]);
    for (const way of ["check by handle", "report by handle", "op open", "op close"]) expect(reached.get(way), way).toBeGreaterThan(9);
  });
});

describe(`${reference.name} answers`, () => {
  it("as the model does, sentences left aside", () => {
    let held = 0;
    for (const { name, model } of files) {
      if (model === null) continue;
      const answers = linesOf(referenceAnswers.get(name)!.bytes).map((line) => Buffer.from(line).toString());
      expect(answers.length).toBe(model.length);
      model.forEach((expected, index) => {
        if (expected === null) return;
        held++;
        if (strip(answers[index]!) !== strip(expected)) expect.fail(`${name}, line ${index + 1}\nmodel: ${strip(expected)}\n${reference.name}: ${strip(answers[index]!)}`);
      });
    }
    expect(held).toBeGreaterThan(13_000);
  });

  it("as the official answers say", () => {
    for (const { name, official } of files) {
      if (official === null) continue;
      const got = join(folder, `${name}.${reference.name}.answers.ndjson`);
      const { status, stdout } = spawnSync(process.execPath, [shared("tools/conform-compare.mjs"), official, got], { encoding: "utf8" });
      console.log(`${name}: ${stdout.trim()}`);
      expect(status, stdout).toBe(0);
    }
  });
});

for (const runner of others) {
  describeRuntime(runner.name, runner.needs, () => {
    it(`gives the bytes that ${reference.name} gives`, async () => {
      const ready = await runner.ready(installed);
      try {
        const all: Answers[] = [];
        for (const file of files) {
          const answers = await answersOf(runner.name, ready, file);
          all.push(answers);
          const difference = firstDifference(referenceAnswers.get(file.name)!, answers);
          if (difference !== null) expect.fail(describeDifference(file.name, reference.name, difference));
        }
        tell(runner.name, all);
      } finally {
        await ready.stop();
      }
    });
  });
}

describe("a planted difference", () => {
  it("in one runtime's core is found: which runtime, which line, which byte", async () => {
    const hostile = files.find(({ name }) => name === "hostile")!;
    const planted = { ...installed, project: (name: string) => plantOtherMessage(installed.project(`${name}-planted`)) };
    const ready = await reference.ready(planted);
    const answers = await answersOf(`${reference.name}-planted`, ready, hostile);
    await ready.stop();
    const difference = firstDifference(referenceAnswers.get(hostile.name)!, answers);
    // The file's first line is empty; its answer is the sentence whose last letter is another one in the planted core.
    const first = Buffer.from(linesOf(referenceAnswers.get(hostile.name)!.bytes)[0]!).toString();
    expect(difference).toMatchObject({ runtime: `${reference.name}-planted`, line: 1, byte: first.indexOf("id and op") + "id and op".length });
    expect(describeDifference(hostile.name, reference.name, difference!)).toContain(`${reference.name}-planted differs from ${reference.name} in hostile, line 1, byte `);
  });

  it("of one bit, anywhere in the answers, is found where it is", () => {
    const { runtime, bytes } = referenceAnswers.get("random") ?? referenceAnswers.get(files[0]!.name)!;
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 97)) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      const line = Buffer.from(bytes.subarray(0, at)).filter((byte) => byte === 10).length + 1;
      const begin = bytes.lastIndexOf(10, at - 1) + 1;
      expect(firstDifference({ runtime, bytes }, { runtime: "flipped", bytes: flipped })).toMatchObject({ runtime: "flipped", line, byte: at - (at === 0 ? 0 : begin) + 1 });
    }
    expect(firstDifference({ runtime, bytes }, { runtime: "short", bytes: bytes.subarray(0, -1) })).not.toBeNull();
    expect(firstDifference({ runtime, bytes }, { runtime: "long", bytes: Buffer.concat([bytes, Buffer.from("\n")]) })).not.toBeNull();
  });
});
