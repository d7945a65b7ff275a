// The benchmarks' turns: each has words, tools that register, and expected calls of tools that it has; how many there are is kept in the README.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { benchmarkTurns, registered } from "./benchmarks";

/** Ground truth that names a tool which the listing at hand lacks: tau2-bench's own tools are a later version of tau-bench's. */
const NOT_LISTED = new Set(["tau2-bench retail: get_item_details"]);

describeShared("the benchmarks' turns", () => {
  const turns = benchmarkTurns();

  it("have ids of their own and words", () => {
    const ids = turns.map(({ suite, kind, id }) => `${suite} ${kind} ${id}`);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(turns.filter(({ turn }) => typeof turn !== "string" || turn.trim() === "").map(({ id }) => id)).toEqual([]);
  });

  it("expect only calls of tools that are listed, but for those that are known", () => {
    const missing = turns.flatMap(({ suite, policy, expected = [] }) => expected.filter(({ tool }) => !policy.tools.includes(tool)).map(({ tool }) => `${suite}: ${tool}`));
    expect(new Set(missing)).toEqual(NOT_LISTED);
  });

  it("have policies that register", async () => {
    const policies = [...new Set(turns.map(({ policy }) => policy))];
    // Of BFCL's, each of which holds one to a few tools and is registered by test/benchmarks too, every twentieth.
    const chosen = policies.filter(({ name }, index) => !name.startsWith("bfcl ") || index % 20 === 0);
    const refused: string[] = [];
    for (const policy of chosen) {
      const { id, policy: compiled, problems } = await registered(policy);
      if (id === null) refused.push(`${policy.name}: ${problems.filter(({ severity }) => severity === "error").map(({ message }) => message)}`);
      const { assistant } = (compiled?.agents ?? {}) as Record<string, { tools: string[] }>;
      if (id !== null && !assistant?.tools.includes("*")) expect(assistant?.tools, policy.name).toEqual(policy.tools);
    }
    expect(refused).toEqual([]);
  });

  it("are as many as the README says", () => {
    const names = [...new Set(turns.map(({ suite }) => suite))];
    const rows = names.map((name) => {
      const of = turns.filter(({ suite }) => suite === name);
      const calls = of.filter(({ expected }) => expected !== undefined);
      return `| ${name} | ${of.filter(({ kind }) => kind === "user").length} | ${of.filter(({ kind }) => kind === "injection").length} | ${calls.length} | ${new Set(of.map(({ policy }) => policy)).size} |`;
    });
    const table = ["| suite | user turns | injection goals | with ground truth | policies |", "| --- | ---: | ---: | ---: | ---: |", ...rows].join("\n");
    expect(readFileSync(new URL("README.md", import.meta.url), "utf8"), `the table is now\n${table}`).toContain(table);
  });
});
