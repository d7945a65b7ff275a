// Runs the official JSON Schema test suite through the schema room.

import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { SuiteGroup, suiteDocuments, suiteFiles, suiteGroups } from "./schema-suite";
import { SchemaUnit } from "./schema-unit";
import { EXPECTED_FAILURES } from "./schema-failures";

describeShared("the official JSON Schema suite", () => {
  const unit = new SchemaUnit();
  const documents = suiteDocuments();
  const failed = new Map<string, string>();

  function run(groups: SuiteGroup[], formats: boolean): number {
    let passed = 0;
    for (const group of groups) {
      const valid = unit.compile(group.schema, { documents, formats });
      const problems = valid ? "" : JSON.stringify(unit.findings().problems);
      for (const test of group.cases) {
        const answer = valid ? unit.check(test.value) : undefined;
        if (answer === test.valid) passed++;
        else failed.set(test.name, problems || JSON.stringify(unit.findings().partial));
      }
    }
    return passed;
  }

  for (const draft of ["draft2020-12", "draft7"]) {
    for (const folder of [draft, `${draft}/optional`, `${draft}/optional/format`]) {
      it(folder, () => {
        failed.clear();
        const asserts = folder.endsWith("/format");
        const passed = suiteFiles(folder).reduce((sum, file) => sum + run(suiteGroups(file), asserts), 0);
        const unexpected = [...failed].filter(([name]) => !(name in EXPECTED_FAILURES));
        const mended = Object.keys(EXPECTED_FAILURES).filter((name) => name.startsWith(`${folder}/`) && name.split(" / ")[0]!.split("/").length === folder.split("/").length + 1 && !failed.has(name));
        console.log(`${folder}: ${passed} pass, ${failed.size} on the list`);
        expect(unexpected, "fail, and are not on the list").toEqual([]);
        expect(mended, "pass: take them off the list").toEqual([]);
      });
    }
  }
});
