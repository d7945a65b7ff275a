// Tests the exact decimal arithmetic on number texts against arithmetic on BigInt (test/model/decimal.ts).

import { describe, expect, it } from "vitest";
import { compareDecimal, decimal, decimalKey, isInteger, isMultiple } from "../model/decimal";
import { Unit } from "./instance";
import { Random } from "./random";

const unit = new Unit("decimal");
const bytes = (text: string) => new TextEncoder().encode(text);

function pair(a: string, b: string): [number, number, number, number] {
  const [first, second] = unit.place(bytes(a), bytes(b)) as [number, number];
  return [first, a.length, second, b.length];
}

const compare = (a: string, b: string) => unit.call.compare!(...pair(a, b));
const multiple = (a: string, b: string, steps = 1000000n) => unit.call.multiple!(...pair(a, b), steps);
const integral = (text: string) => unit.call.integral!(...(pair(text, "").slice(0, 2) as [number, number])) === 1;
const hash = (text: string) => unit.call.hash!(...(pair(text, "").slice(0, 2) as [number, number]));

const random = new Random();
const digits = (most: number) => Array.from({ length: 1 + random.below(most) }, () => (random.below(3) === 0 ? 0 : random.below(10))).join("");

/** A number's text with few or many digits, zeros at either end, and any spelling of its exponent. */
function text(most: number): string {
  let made = random.below(3) === 0 ? "-" : "";
  made += digits(most).replace(/^0+(?=.)/, "");
  if (random.below(2) === 0) made += `.${digits(most)}`;
  if (random.below(2) === 0) made += random.of(["e", "E"]) + random.of(["", "+", "-"]) + random.of(["", "00"]) + random.below(most * 2);
  return made;
}

/** The same value spelt in another way. */
function respelt(a: string): string {
  const [head, exponent = "0"] = a.toLowerCase().split("e") as [string, string?];
  const more = random.below(30);
  const [whole, fraction = ""] = head.split(".") as [string, string?];
  const moved = `${whole}${fraction}${"0".repeat(more)}`.replace(/^(-?)0+(?=[0-9])/, "$1");
  return `${moved}e${BigInt(exponent.replace("+", "")) - BigInt(fraction.length + more)}`;
}

describe(`decimals, seed ${random.seed}`, () => {
  it("compares as exact arithmetic does", () => {
    for (let i = 0; i < 20000; i++) {
      const a = text(random.of([1, 3, 25]));
      const b = random.below(4) === 0 ? respelt(a) : text(random.of([1, 3, 25]));
      expect(compare(a, b), `${a} against ${b}`).toBe(compareDecimal(decimal(a), decimal(b)));
    }
  });

  it("hashes equal values alike and few others", () => {
    const seen = new Map<number, string>();
    let shared = 0;
    for (let i = 0; i < 5000; i++) {
      const a = text(random.of([1, 3, 25]));
      const key = decimalKey(decimal(a));
      expect(hash(a), a).toBe(hash(respelt(a)));
      if (seen.has(hash(a)) && seen.get(hash(a)) !== key) shared++;
      seen.set(hash(a), key);
    }
    expect(shared).toBeLessThan(5);
    expect(hash("0")).toBe(hash("-0.00e7"));
  });

  it("knows whole numbers", () => {
    for (let i = 0; i < 10000; i++) {
      const a = text(random.of([1, 3, 25]));
      expect(integral(a), a).toBe(isInteger(decimal(a)));
    }
    for (const whole of ["0", "-0", "0.0e-9", "1.0", "1e2", "120e-1", "1.5e1", `1e${"9".repeat(100)}`]) expect(integral(whole), whole).toBe(true);
    for (const broken of ["0.1", "1.5", "121e-1", `1e-${"9".repeat(100)}`, `1${"0".repeat(99)}e-100`]) expect(integral(broken), broken).toBe(false);
  });

  it("knows multiples", () => {
    for (let i = 0; i < 20000; i++) {
      const b = text(random.of([1, 3, 12, 40, 90]));
      let a = text(random.of([1, 3, 12, 40, 200]));
      if (decimal(b).digits !== 0n && random.below(2) === 0) {
        // A product, so that half of the cases are multiples or nearly so.
        const part = decimal(text(random.of([1, 9, 60])));
        const whole = decimal(b);
        a = `${part.digits * whole.digits + BigInt(random.below(4) === 0 ? 1 : 0)}e${whole.exponent + BigInt(random.below(3))}`;
      }
      const wanted = decimal(a).digits === 0n || (decimal(b).digits !== 0n && isMultiple(decimal(a), decimal(b)));
      expect(multiple(a, b), `${a} of ${b}`).toBe(wanted ? 1 : 0);
    }
    for (const [a, b] of [["19.99", "0.01"], ["0", "7"], ["-4.5", "1.5"], ["1e308", "1e-308"], ["1e400", "64"], ["1e-400", "1e-401"], ["0", "0"]]) {
      expect(multiple(a!, b!), `${a} of ${b}`).toBe(1);
    }
    for (const [a, b] of [["19.995", "0.01"], ["1", "0"], ["1e-308", "1e308"], ["1e400", "3"], ["1e5", "64"]]) {
      expect(multiple(a!, b!), `${a} of ${b}`).toBe(0);
    }
  });

  it("answers hostile exponents and lengths exactly and soon", () => {
    const nines = "9".repeat(100000);
    const ten = `1${"0".repeat(100000)}`;
    expect(compare(`1e${nines}`, `1e${ten}`)).toBe(-1);
    expect(compare(`10e${nines}`, `1e${ten}`)).toBe(0);
    expect(compare(`0.1e-${nines}`, `1e-${ten}`)).toBe(0);
    expect(compare(`-1e${nines}`, `1e-${nines}`)).toBe(-1);
    expect(compare(ten, `1e100000`)).toBe(0);
    expect(compare(`0.${"0".repeat(100000)}1`, `1e-100001`)).toBe(0);
    expect(multiple(`1e${nines}`, `1e-${nines}`)).toBe(1);
    expect(multiple(`3e${nines}`, `7e-${nines}`)).toBe(0);
    expect(multiple(nines, "9")).toBe(1);
    expect(multiple(nines, "1e-999999999999999999999")).toBe(1);
    expect(multiple(nines, nines.slice(0, 50), 100n)).toBe(-1);
    expect(multiple(nines, nines.slice(0, 50))).toBe(1);
    expect(multiple(nines, nines)).toBe(-1);
  });
});
