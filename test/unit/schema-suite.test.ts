// Runs the official JSON Schema test suite through the schema room.

import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { EXPECTED_FAILURES } from "./schema-failures";
import { suiteDocuments, suiteFiles, suiteGroups } from "./schema-suite";
import { SchemaUnit } from "./schema-unit";

describeShared("the official JSON Schema suite", () => {
  const unit = new SchemaUnit();
  const documents = suiteDocuments();

  /** The names of the cases of a file that do not pass, and how many do. */
  function run(file: string, formats: boolean): { passed: number; failed: string[] } {
    let passed = 0;
    const failed: string[] = [];
    for (const group of suiteGroups(file)) {
      const valid = unit.compile(group.schema, { documents, formats });
      for (const test of group.cases) {
        if (valid && unit.check(test.value) === test.valid) passed++;
        else failed.push(test.name);
      }
    }
    return { passed, failed };
  }

  for (const draft of ["draft2020-12", "draft7"]) {
    for (const folder of [draft, `${draft}/optional`, `${draft}/optional/format`]) {
      it(folder, () => {
        let passed = 0;
        let listed = 0;
        for (const file of suiteFiles(folder)) {
          const result = run(file, folder.endsWith("/format"));
          passed += result.passed;
          const expected = EXPECTED_FAILURES.find((entry) => entry.drafts.includes(draft) && file === `${draft}/${entry.file}.json`);
          if (expected === undefined) {
            expect(result.failed, `${file}: fail, and are not on the list`).toEqual([]);
            continue;
          }
          listed += result.failed.length;
          expect(result.failed.length, `${file}: the list says ${expected.cases} fail: ${result.failed.join("; ")}`).toBe(expected.cases);
        }
        console.log(`${folder}: ${passed} pass, ${listed} on the list of those that do not`);
      });
    }
  }
});
