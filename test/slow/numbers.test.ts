// Five million doubles printed and a million texts read, each as the JavaScript engine does. SEED=… replays a run.

import { describe, expect, it } from "vitest";
import { Numbers, isInexact, printAll, readAll, toBits } from "../unit/number-batch";
import { Random } from "../unit/random";

const BATCH = 50000;
const random = new Random();
const numbers = new Numbers(random);
const replay = `SEED=${random.seed} npx vitest run test/slow/numbers.test.ts`;
console.log(`numbers: seed ${random.seed}; replay: ${replay}`);

describe("numbers, at length", () => {
  it("prints five million doubles", { timeout: 600000 }, () => {
    const doubles = new Float64Array(BATCH);
    const words = new Uint32Array(doubles.buffer);
    for (let done = 0; done < 5000000; done += BATCH) {
      for (let i = 0; i < BATCH; i++) {
        // Three in four have any bits.
        words[2 * i] = random.below(0x100000000);
        words[2 * i + 1] = random.below(0x100000000);
        if (i % 4 === 0 || !Number.isFinite(doubles[i]!)) doubles[i] = numbers.double();
      }
      const printed = printAll(doubles);
      for (let i = 0; i < BATCH; i++) {
        if (printed[i] !== String(doubles[i])) expect(printed[i], `bits ${toBits(doubles[i]!).toString(16)}; ${replay}`).toBe(String(doubles[i]));
      }
    }
  });

  it("reads a million texts", { timeout: 600000 }, () => {
    for (let done = 0; done < 1000000; done += BATCH) {
      const texts = Array.from({ length: BATCH }, () => numbers.text());
      const read = readAll(texts);
      for (let i = 0; i < BATCH; i++) {
        const text = texts[i]!;
        const { value, inexact } = read[i]!;
        if (!Object.is(value, Number(text))) expect(value, `${text}; ${replay}`).toBe(Number(text));
        if (inexact !== isInexact(text)) expect(inexact, `${text} inexact; ${replay}`).toBe(isInexact(text));
      }
    }
  });
});
