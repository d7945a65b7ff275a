// Runs the official JSON Schema test suite through the core's `schema` operation and through the schema room alone.

import { expect, it } from "vitest";
import { Core, raw } from "../spec/conform-core";
import { describeShared } from "../vectors/shared";
import { EXPECTED_FAILURES } from "./schema-failures";
import { type SuiteGroup, suiteDocuments, suiteFiles, suiteGroups } from "./schema-suite";
import { SchemaUnit } from "./schema-unit";

/** What a driver says of one value; null where the schema is refused. */
type Verdict = { valid: boolean; partial: boolean } | null;

interface Driver {
  name: string;
  /** The verdicts on a group's values, in their order. */
  run(group: SuiteGroup, formats: boolean): Verdict[];
}

function coreDriver(documents: Record<string, string>): Driver {
  const core = new Core();
  const texts = Object.fromEntries(Object.entries(documents).map(([uri, text]) => [uri, raw(text)]));
  return {
    name: "the core's schema operation",
    run: (group, formats) =>
      group.cases.map(({ value }) => {
        const { ok, error } = core.send("schema", { schema: raw(group.schema), value: raw(value), documents: texts, formats });
        if (error !== undefined) return null;
        if (ok.valid !== (ok.errors.length === 0)) throw new Error(`${group.name}: the answer and the list disagree`);
        return { valid: ok.valid, partial: ok.partial };
      }),
  };
}

function roomDriver(documents: Record<string, string>): Driver {
  const unit = new SchemaUnit();
  return {
    name: "the room",
    run: (group, formats) => {
      if (!unit.compile(group.schema, { documents, formats })) return group.cases.map(() => null);
      const partial = unit.findings().partial.length > 0;
      return group.cases.map(({ value }) => ({ valid: unit.check(value), partial }));
    },
  };
}

interface Tally {
  passed: number;
  /** The names of the cases that do not pass. */
  failed: string[];
  /** Those of them whose schema is not reported partial. */
  unsaid: string[];
}

function tally(driver: Driver, file: string, formats: boolean): Tally {
  const found: Tally = { passed: 0, failed: [], unsaid: [] };
  for (const group of suiteGroups(file)) {
    const verdicts = driver.run(group, formats);
    for (const [i, { name, valid }] of group.cases.entries()) {
      const verdict = verdicts[i]!;
      if (verdict?.valid === valid) {
        found.passed++;
        continue;
      }
      found.failed.push(name);
      if (verdict?.partial !== true) found.unsaid.push(name);
    }
  }
  return found;
}

/** How many cases each folder has: the suite must be read whole. */
const CASES: Record<string, number> = {
  "draft2020-12": 1_299,
  "draft2020-12/optional": 162,
  "draft2020-12/optional/format": 764,
  draft7: 927,
  "draft7/optional": 118,
  "draft7/optional/format": 676,
};

describeShared("the official JSON Schema suite", () => {
  const documents = suiteDocuments();
  for (const driver of [coreDriver(documents), roomDriver(documents)]) {
    for (const [folder, cases] of Object.entries(CASES)) {
      it(`${folder}, through ${driver.name}`, () => {
        const draft = folder.split("/")[0]!;
        let passed = 0;
        let listed = 0;
        for (const file of suiteFiles(folder)) {
          // Formats are annotations where the suite says nothing else.
          const result = tally(driver, file, folder.endsWith("/format"));
          passed += result.passed;
          const expected = EXPECTED_FAILURES.find((entry) => entry.drafts.includes(draft) && file === `${draft}/${entry.file}.json`);
          if (expected === undefined) {
            expect(result.failed, `${file}: fail, and are not on the list`).toEqual([]);
            continue;
          }
          listed += result.failed.length;
          expect(result.failed.length, `${file}: the list says ${expected.cases} fail: ${result.failed.join("; ")}`).toBe(expected.cases);
          expect(result.unsaid, `${file}: do not pass, and their schemas are not partial`).toEqual([]);
        }
        expect(passed + listed).toBe(cases);
        console.log(`${folder}: ${passed} pass, ${listed} on the list of those that do not`);
      }, 120_000);
    }
  }

  it("has every file that the list names", () => {
    for (const { file, drafts } of EXPECTED_FAILURES) {
      for (const draft of drafts) expect(suiteFiles(`${draft}/${file.split("/").slice(0, -1).join("/")}`)).toContain(`${draft}/${file}.json`);
    }
  });
});
