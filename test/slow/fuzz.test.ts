// A million spoilt inputs at the boundary: no trap, no hang, no growth of memory, no allow from an error. SEED=… replays a run; EXECUTIONS=… sets its length.

import { expect, it } from "vitest";
import { Core } from "../setup/core.ts";
import { CountedCore } from "../differential/counted.ts";
import { Inputs } from "./fuzz-inputs.ts";
import { Judge, type Answers } from "./fuzz-rules.ts";
import { seedOf } from "../unit/random.ts";

const EXECUTIONS = Number(process.env.EXECUTIONS ?? 1_000_000);
/** Inputs of one seed; a failure is replayed by its own seed alone. */
const CHUNK = 20_000;
/** More work than any input of this size may cost; past it the core traps. A step budget is a million steps, and a call may have several. */
const WORK = 100_000_000;
/** Above what the largest policies and sessions of one chunk take. */
const MEMORY = 64 * 1024 * 1024;

const replay = (seed: number, executions: number) => `SEED=${seed} EXECUTIONS=${executions} npx vitest run test/slow/fuzz.test.ts`;

/** Runs one seed's inputs; what is wrong with the first that fails, or null. */
function fuzz(core: Answers, seed: number, executions: number, seen = new Map<string, number>()): string | null {
  const inputs = new Inputs(seed);
  const judge = new Judge(core);
  for (let i = 0; i < executions; i++) {
    const { line, kind } = inputs.next();
    const shown = () => `input ${i} (${kind}): ${typeof line === "string" ? line.slice(0, 3000) : `base64 ${Buffer.from(line).toString("base64").slice(0, 4000)}`}\nreplay: ${replay(seed, i + 1)}`;
    try {
      const wrong = judge.send(line);
      if (wrong !== null) return `${wrong}\n${shown()}`;
    } catch (error) {
      return `${String(error)}\n${shown()}`;
    }
  }
  for (const [what, count] of judge.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  return null;
}

/** A core that counts, with a limit for each line. */
class Limited extends CountedCore {
  most = 0;

  override line(text: string | Uint8Array): string {
    this.begin(WORK);
    const answer = super.line(text);
    this.most = Math.max(this.most, this.work);
    return answer;
  }
}

it("catches its canaries", { timeout: 600_000 }, () => {
  const seed = 1;
  const allow = '{"id":1,"ok":{"decision":"allow","reason":"allow","entry":null,"step":0}}';
  /** A core that is wrong now and then. */
  const canary = (wrong: (answer: string, text: string) => string): Answers => {
    const core = new Core();
    return { line: (text) => wrong(core.line(text), typeof text === "string" ? text : "") };
  };
  expect(fuzz(canary((answer) => answer), seed, 3000)).toBeNull();
  expect(fuzz(canary((answer, text) => (answer.includes('"error":{') && text.includes('"op":"check"') ? allow : answer)), seed, 3000)).toMatch(/an allow without its entry/);
  expect(fuzz(canary((answer) => answer.replace('"reason":"history_invalid"', '"reason":"allow"').replaceAll(/"decision":"refuse"/g, '"decision":"allow"')), seed, 3000)).toMatch(/an allow/);
  expect(fuzz(canary((answer) => answer.replace('"code":"request_invalid"', '"code":"request_invalid","decision":"allow"')), seed, 3000)).toMatch(/a decision from an error/);
  expect(fuzz(canary((answer) => answer.replace(/"token":"[^"]*"/, '"token":""')), seed, 3000)).toMatch(/an allow without a token/);
  expect(fuzz(canary((answer) => answer.replace('"step":', '"step":1')), seed, 3000)).toMatch(/no JSON|does not give/);
  const hung = new CountedCore();
  expect(fuzz({ line: (text) => (hung.begin(2000), hung.line(text)) }, seed, 3000)).toMatch(/unreachable/);
});

it(`survives ${EXECUTIONS} spoilt inputs`, { timeout: 3_600_000 }, () => {
  const first = seedOf();
  console.log(`fuzz: seed ${first}; replay: ${replay(first, EXECUTIONS)}`);
  const seen = new Map<string, number>();
  let most = 0;
  let bytes = 0;
  for (let done = 0, seed = first; done < EXECUTIONS; done += CHUNK, seed += 1000) {
    // A fresh instance for each seed, as for its replay.
    const core = new Limited();
    const wrong = fuzz(core, seed, Math.min(CHUNK, EXECUTIONS - done), seen);
    if (wrong !== null) expect.fail(wrong);
    most = Math.max(most, core.most);
    bytes = Math.max(bytes, core.bytes);
    expect(core.bytes, `memory; ${replay(first, EXECUTIONS)}`).toBeLessThan(MEMORY);
  }
  console.log(`fuzz: ${EXECUTIONS} inputs, at most ${most} of work and ${bytes} bytes of memory; ${[...seen].sort().map(([what, count]) => `${what} ${count}`).join(", ")}`);
});

it("takes no more memory for a million calls than for the first", { timeout: 3_600_000 }, () => {
  const core = new Core();
  const inputs = new Inputs(7);
  const lines = Array.from({ length: 500 }, () => inputs.next().line);
  const pass = () => lines.forEach((line) => void core.line(line));
  // Names are bound in the first pass, and bound again in the second.
  for (let i = 0; i < 3; i++) pass();
  const before = core.bytes;
  for (let calls = 0; calls < EXECUTIONS; calls += lines.length) pass();
  expect(core.bytes).toBe(before);
});
