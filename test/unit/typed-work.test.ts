// The work of proving values typed on huge and hostile turns, counted in the built module (turns of loops, functions entered): it grows with their length, or stops at the budget.

import { describe, expect, it } from "vitest";
import { instrument } from "../differential/counted";
import { Unit } from "./instance";

const unit = new Unit("typed", (bytes) => instrument(bytes, false));
const work = unit.globals.work!;
const utf8 = new TextEncoder();

/** The work of one question over `turns`, within `limit` steps. */
function workOf(turns: string[], value: unknown, limit = 1n << 50n): number {
  const bytes = utf8.encode(JSON.stringify({ turns, arguments: { value } }));
  const [start] = unit.place(bytes) as [number];
  work.value = 0n;
  expect(unit.call.prove!(start, bytes.length, 0, limit)).toBe(1);
  return Number(work.value);
}

const repeat = (pattern: string, n: number) => pattern.repeat(Math.ceil(n / pattern.length)).slice(0, n);

/** Turns of about `n` characters and a value, made to cost much. */
const HOSTILE: Record<string, (n: number) => [string[], unknown]> = {
  "one word": (n) => [[repeat("a", n)], "a"],
  "words that are not asked for": (n) => [[repeat("a ", n)], "b"],
  "a leaf for each word": (n) => [[repeat("a ", n / 2)], new Array(Math.ceil(n / 4)).fill("a")],
  "a leaf for each numeral": (n) => [[repeat("7 ", n / 2)], new Array(Math.ceil(n / 4)).fill(7)],
  "digits joined without end": (n) => [[repeat("1.", n)], 1],
  "thousands without end": (n) => [[repeat("123,", n)], 123],
  "one numeral of many digits": (n) => [[repeat("9", n)], 9],
  "signs and currencies": (n) => [[repeat("-R$ ", n)], 4],
  "letters before currency signs": (n) => [[`${repeat("R", n)}$40`], 40],
  "letters before many currency signs": (n) => [[repeat("R$4", n)], 4],
  "letters that are not ASCII": (n) => [[repeat("é日 ", n / 2)], "日"],
  "many turns": (n) => [new Array(Math.ceil(n / 8)).fill("ab 12"), "ab 13"],
};

describe("the work on huge turns", () => {
  for (const [name, make] of Object.entries(HOSTILE)) {
    it(`${name}: no faster than the length`, () => {
      const [a, b, c] = [16384, 32768, 65536].map((n) => workOf(...make(n))) as [number, number, number];
      expect(b / a, `${a} ${b} ${c}`).toBeLessThan(2.3);
      expect(c / b, `${a} ${b} ${c}`).toBeLessThan(2.3);
    });
  }

  it("a leaf that nearly stands at every word costs its length each time, until the budget is spent", () => {
    const make = (n: number): [string[], unknown] => [[repeat("ab ", n)], `${repeat("ab ", n / 2)}c`];
    const free = [4096, 8192, 16384].map((n) => workOf(...make(n))) as [number, number, number];
    const [a, b, c] = [4096, 8192, 16384].map((n) => workOf(...make(n), 20_000n)) as [number, number, number];
    console.log(`without a limit ${free.join(" ")}, within 20,000 steps ${a} ${b} ${c}`);
    expect(c).toBeLessThan(2.3 * b);
    expect(b).toBeLessThan(2.3 * a);
  });
});
