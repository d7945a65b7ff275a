// Holds verdicts of the schema room against ajv's on random schemas and values of both drafts.

import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { Random } from "./random";
import { SchemaMaker, print } from "./schema-random";
import { SchemaUnit } from "./schema-unit";

const CASES = Number(process.env.CASES ?? 600);
const unit = new SchemaUnit();

/** What ajv answers otherwise by its own rules is not asked: numbers past doubles, schemas beside draft-07's `$ref`, `$dynamicRef`, `unevaluated…`, members named `__proto__` or with no name, empty lists (which it lets pass `contains` beside a tuple) (SchemaMaker's peer). */
const OPTIONS = { strict: false, logger: false, validateSchema: false, ownProperties: true } as const;

/** What ajv's own faults make of a schema or a value: a stack that a ring of references fills, or code that names or fills what it does not declare. */
const isFault = (error: unknown) => error instanceof RangeError || error instanceof ReferenceError || error instanceof TypeError;

/** ajv's answer, or null where it has none. */
function answered<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

it(`agrees with ajv on ${CASES} random schemas`, () => {
  const random = new Random();
  let compared = 0;
  let invalid = 0;
  for (let i = 0; i < CASES; i++) {
    const draft07 = i % 3 === 0;
    const maker = new SchemaMaker(random, draft07, true);
    const schema = print(maker.root());
    const validate = answered(() => (draft07 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)).compile(JSON.parse(schema) as object));
    if (validate === null) continue;
    if (!unit.compile(schema)) throw new Error(`seed ${random.seed}: ${schema} ${JSON.stringify(unit.findings().problems)}`);
    for (let v = 0; v < 4; v++) {
      const value = print(maker.value(3));
      const found = unit.report(value);
      // A ring of references: ajv runs out of stack, if it enters it.
      if (found[0]?.rule === "steps") continue;
      const answer = answered(() => validate(JSON.parse(value)) as boolean);
      if (answer === null) continue;
      compared++;
      if (found.length > 0) invalid++;
      expect(`${answer}`, `seed ${random.seed} case ${i}\n${schema}\n${value}\n${JSON.stringify(found)}`).toBe(`${found.length === 0}`);
    }
  }
  expect(compared).toBeGreaterThan(CASES);
  console.log(`${compared} verdicts agree, ${invalid} of them no, seed ${random.seed}`);
}, 600_000);
