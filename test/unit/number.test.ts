// Tests reading and printing doubles: the public vectors, chapter 1's examples of inexact numbers, random numbers against the engine.

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeShared, shared } from "../vectors/shared";
import { Numbers, fromBits, isInexact, powerOf, printAll, readAll, toBits } from "./number-batch";
import { Random } from "./random";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const print = (values: number[]) => printAll(Float64Array.from(values));
const read = (text: string) => readAll([text])[0]!;

describe("numbers", () => {
  it("reads as exact what chapter 1 calls exact", () => {
    for (const text of ["40.00", "1e2", "1e30", "0.1", "-0", "3e-324", "333333333.33333329", "0e99999999999999999999", "9007199254740992", "12300e-2", "1.5e1", "100000000000000000000"]) {
      expect(read(text), text).toEqual({ value: Number(text), inexact: false });
    }
    expect(Object.is(read("-0.0").value, -0)).toBe(true);
  });

  it("reads as inexact what overflows, vanishes or names another integer", () => {
    for (const text of ["1e400", "-1e400", "1e-400", "2e-324", "9007199254740993", "9007199254740993.0", "90071992547409930e-1", "-9007199254740993e0", "1e999999999999999999", "123456789012345678", "1152921504606846977"]) {
      expect(read(text), text).toEqual({ value: Number(text), inexact: true });
    }
  });

  it("works the powers of ten out to their 128 bits", () => {
    for (let q = -342; q <= 324; q++) {
      const power = 5n ** BigInt(Math.abs(q));
      const bits = BigInt(power.toString(2).length);
      const exact = q >= 0 ? (power << 128n) >> bits : (1n << (bits + 127n)) / power;
      expect(powerOf(q), `5^${q}`).toBe(exact);
      // Rounding up never runs over, and the entries called exact are.
      expect(exact & ((1n << 64n) - 1n), `5^${q}`).not.toBe((1n << 64n) - 1n);
      expect(q >= 0 && (exact << bits) >> 128n === power, `5^${q}`).toBe(q >= 0 && q <= 55);
    }
  });

  it("answers hostile texts in linear time", () => {
    const million = 1000000;
    const cases: [string, number, boolean][] = [
      [`1${"0".repeat(million)}`, Infinity, true],
      [`1${"0".repeat(million)}e-${million}`, 1, false],
      [`0.${"0".repeat(million)}1e${million + 1}`, 1, false],
      [`1.${"7".repeat(million)}`, 16 / 9, false],
      [`9007199254740993.${"0".repeat(million)}1`, 9007199254740994, false],
      [`9007199254740993.${"0".repeat(million)}`, 9007199254740992, true],
      [`1e${"9".repeat(million)}`, Infinity, true],
      [`1e-${"9".repeat(million)}`, 0, true],
      [`0e${"9".repeat(million)}`, 0, false],
      [`1e${"0".repeat(million)}1`, 10, false],
    ];
    readAll(cases.map(([text]) => text)).forEach((one, i) => {
      expect(one.value, cases[i]![0].slice(0, 40)).toBe(cases[i]![1]);
      expect(one.inexact, cases[i]![0].slice(0, 40)).toBe(cases[i]![2]);
    });
  });

  const random = new Random();
  const numbers = new Numbers(random);

  it(`prints as the engine does, seed ${random.seed}`, () => {
    const doubles = Array.from({ length: 40000 }, () => numbers.double());
    print(doubles).forEach((text, i) => {
      if (text !== String(doubles[i])) expect(text, `bits ${toBits(doubles[i]!).toString(16)}`).toBe(String(doubles[i]));
    });
  });

  it(`reads as the engine does, seed ${random.seed}`, () => {
    const texts = Array.from({ length: 30000 }, () => numbers.text());
    readAll(texts).forEach(({ value, inexact }, i) => {
      const text = texts[i]!;
      if (!Object.is(value, Number(text)) || inexact !== isInexact(text)) expect({ value, inexact }, text).toEqual({ value: Number(text), inexact: isInexact(text) });
    });
  });
});

describeShared("number vectors", () => {
  it("reads parse-number-fxx's texts to their bits", () => {
    const folder = shared("vectors/numbers/");
    let cases = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
      const lines = readFileSync(folder + file, "utf8").split("\n").map((line) => line.trim().split(/\s+/));
      // Their grammar is wider than JSON's.
      const chosen = lines.filter((parts) => parts.length === 4 && NUMBER.test(parts[3]!));
      readAll(chosen.map((parts) => parts[3]!)).forEach(({ value }, i) => {
        const bits = toBits(value).toString(16).padStart(16, "0").toUpperCase();
        if (bits !== chosen[i]![2]) expect(bits, `${file}: ${chosen[i]![3]}`).toBe(chosen[i]![2]);
      });
      cases += chosen.length;
    }
    expect(cases).toBeGreaterThan(21000);
  });

  it("prints RFC 8785's ES6 numbers and reads them back", () => {
    const lines = readFileSync(shared("vectors/rfc8785/es6-numbers-10000.txt"), "utf8").split("\n").filter((line) => line !== "").map((line) => line.split(",") as [string, string]);
    const doubles = lines.map(([bits]) => fromBits(BigInt(`0x${bits}`)));
    expect(print(doubles)).toEqual(lines.map(([, text]) => text));
    expect(readAll(lines.map(([, text]) => text)).map((one) => one.value)).toEqual(doubles.map((value) => (value === 0 ? 0 : value)));
    expect(lines.length).toBe(10000);
  });

  it("prints RFC 8785 appendix B", () => {
    const { numbers: samples } = JSON.parse(readFileSync(shared("vectors/rfc8785/appendix-b-numbers.json"), "utf8")) as { numbers: { ieee: string; json: string }[] };
    expect(print(samples.map(({ ieee }) => fromBits(BigInt(`0x${ieee}`))))).toEqual(samples.map(({ json }) => json));
    expect(samples.length).toBe(24);
  });
});
