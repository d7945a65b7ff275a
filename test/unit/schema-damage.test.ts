// Damages the official suite's schemas at random, and compiles and runs what comes out: no trap, and the first violation is the first of all.

import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { Random } from "./random";
import { suiteDocuments, suiteFiles, suiteGroups } from "./schema-suite";
import { SchemaUnit } from "./schema-unit";

const CASES = Number(process.env.CASES ?? 600);
const KEYWORDS = ["$ref", "$id", "$anchor", "items", "properties", "type", "$dynamicRef", "allOf", "unevaluatedProperties", "dependencies"];

describeShared("damaged schemas", () => {
  it(`${CASES} of them are compiled and run without a trap`, () => {
    const unit = new SchemaUnit();
    const random = new Random();
    const documents = suiteDocuments();
    const groups = ["draft2020-12", "draft7"].flatMap(suiteFiles).flatMap(suiteGroups);
    const pieces: unknown[] = [];
    const collect = (value: unknown): void => {
      pieces.push(value);
      if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    };
    for (const group of groups) collect(JSON.parse(group.schema));
    const damage = (value: unknown): unknown => {
      if (random.below(12) === 0) return random.of(pieces);
      if (Array.isArray(value)) return value.map(damage);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [random.below(15) === 0 ? random.of(KEYWORDS) : name, damage(inner)]));
    };
    for (let i = 0; i < CASES; i++) {
      const group = random.of(groups);
      const schema = JSON.stringify(damage(JSON.parse(group.schema)));
      const message = `seed ${random.seed} case ${i}\n${schema}`;
      const valid = unit.compile(schema, { documents: random.below(10) === 0 ? documents : {}, formats: true });
      expect(unit.findings().problems.length > 0, message).toBe(!valid);
      if (!valid) continue;
      for (const test of group.cases.slice(0, 3)) {
        const all = unit.report(test.value, true, 100_000);
        const first = unit.report(test.value, false, 100_000);
        if (!all.some((error) => error.rule === "steps")) expect(first, `${message}\n${test.value}`).toEqual(all.slice(0, 1));
        unit.undeclared(test.value, true, 100_000);
      }
    }
  }, 120_000);
});
