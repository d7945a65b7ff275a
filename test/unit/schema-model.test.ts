// Holds the schema room against the naive model: on random schemas and values, and on the official suite, the lists of violations agree.

import { expect, it } from "vitest";
import { type Json, read } from "../model/json";
import { walk as modelWalk } from "../model/schema";
import { describeShared } from "../vectors/shared";
import { Random } from "./random";
import { SchemaMaker, print } from "./schema-random";
import { suiteDocuments, suiteFiles, suiteGroups } from "./schema-suite";
import { SchemaUnit } from "./schema-unit";

const CASES = Number(process.env.CASES ?? 4_000);
const unit = new SchemaUnit();
const encoder = new TextEncoder();
const parse = (text: string): Json => read(encoder.encode(text));

interface Answer {
  errors: { pointer: string; rule: string }[];
  partial: boolean;
}

function ours(value: string): Answer {
  const errors = unit.report(value).map(({ pointer, rule }) => ({ pointer, rule }));
  return { errors, partial: unit.findings().partial.length > 0 };
}

/**
 * Both answers. Of a walk that goes round in a circle nothing is compared: the model visits every branch, the room stops at the first
 * keyword that fails where only an answer is asked for, and may so never enter the circle.
 */
function compare(schema: string, value: string, formats: boolean, documents: Map<string, Json>): [Answer, Answer] {
  const mine = ours(value);
  const model = modelWalk(parse(schema), parse(value), { documents, formats });
  if (model.errors.some((error) => error.rule === "steps")) return [model, model];
  return [sorted(mine), sorted(model)];
}

function sorted(answer: Answer): Answer {
  const key = (error: { pointer: string; rule: string }) => `${error.pointer}\n${error.rule}`;
  const errors = [...answer.errors].sort((a, b) => (a.pointer === b.pointer ? (key(a) < key(b) ? -1 : 1) : 0));
  return { errors, partial: answer.partial };
}

it(`agrees with the model on ${CASES} random cases`, () => {
  const random = new Random();
  let invalid = 0;
  for (let i = 0; i < CASES; i++) {
    const maker = new SchemaMaker(random, i % 3 === 0);
    const schema = print(maker.root());
    if (!unit.compile(schema, { formats: true })) throw new Error(`seed ${random.seed}: ${schema} ${JSON.stringify(unit.findings().problems)}`);
    for (let v = 0; v < 4; v++) {
      const value = print(maker.value(3));
      const [mine, model] = compare(schema, value, true, new Map());
      if (mine.errors.length > 0) invalid++;
      expect(mine, `seed ${random.seed} case ${i}\n${schema}\n${value}`).toEqual(model);
      // The first alone is the first of all.
      const first = unit.report(value, false);
      expect(first.map(({ pointer, rule }) => ({ pointer, rule })), `first: seed ${random.seed} case ${i}\n${schema}\n${value}`).toEqual(ours(value).errors.slice(0, 1));
    }
  }
  console.log(`${CASES * 4} walks, ${invalid} with violations, seed ${random.seed}`);
}, 600_000);

describeShared("the suite's lists of violations", () => {
  it("agree with the model's", () => {
    const documents = suiteDocuments();
    const parsed = new Map(Object.entries(documents).map(([uri, text]) => [uri, parse(text)]));
    for (const folder of ["draft2020-12", "draft7", "draft2020-12/optional", "draft7/optional"]) {
      for (const file of suiteFiles(folder)) {
        // Draft 2020-12 left `dependencies` to those who wish to go on asserting it: the room does, the model does not.
        if (file.endsWith("dependencies-compatibility.json")) continue;
        for (const group of suiteGroups(file)) {
          if (!unit.compile(group.schema, { documents })) continue;
          for (const test of group.cases) {
            const [mine, model] = compare(group.schema, test.value, false, parsed);
            // A vocabulary left out and a dialect not known make a schema partial; the model does not look at them.
            if (/vocabulary|cross-draft/.test(file)) mine.partial = model.partial;
            expect(mine, `${test.name}\n${group.schema}\n${test.value}`).toEqual(model);
          }
        }
      }
    }
  }, 60_000);
});
