// The policies of this folder are what a security engineer would let pass: `interlock lint` says nothing about how they decide, and each tool of a suite is judged.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { describeShared } from "../vectors/shared";
import { listing, POLICIES, policyText, registered } from "./policy";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

describeShared("the policies of the benchmarks", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "interlock-policies-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // How a person's words would reach the benchmarks' tools is the benchmarks' doing, and no policy's: those warnings are left aside, by their codes.
  it.each(POLICIES)("%s: lint finds nothing, not even a warning, about how it decides", (name) => {
    writeFileSync(join(folder, `${name}.yaml`), policyText(name));
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ tools: listing(name) }));
    const { stdout, status } = spawnSync(process.execPath, [CLI, "lint", "--format", "json", `${name}.yaml`], { cwd: folder, encoding: "utf8" });
    const { problems, partial, tools } = JSON.parse(stdout) as { problems: { code: string }[]; partial: unknown[]; tools: number };
    const deciding = problems.filter(({ code }) => !code.startsWith("catalogue_"));
    expect({ status, problems: deciding, partial, tools }).toEqual({ status: 0, problems: [], partial: [], tools: listing(name).length });
  });

  it.each(POLICIES)("%s says of every tool whether it reads, or what undoes it", (name) => {
    const source = parse(policyText(name)) as { tools: { name?: string; effect?: string; undo?: object; irreversible?: boolean }[] };
    const said = source.tools.filter((tool) => tool.name !== undefined);
    expect(said.map((tool) => tool.name!).sort()).toEqual(
      listing(name)
        .map((tool) => tool.name)
        .sort(),
    );
    expect(said.filter((tool) => tool.effect !== "read" && tool.undo === undefined && tool.irreversible !== true)).toEqual([]);
  });

  it("are told where they are wrong, at the line", async () => {
    const { problems } = await registered("banking", (text) => text.replace("args.amount > resource.balance", "args.amount > resource.balance +"));
    const line = policyText("banking").split("\n").findIndex((text) => text.includes("resource.balance"));
    expect(problems.map(({ code, file, line, severity }) => ({ code, file, line, severity }))).toEqual([{ code: expect.stringMatching(/^policy_/), file: "banking.yaml", line: line + 1, severity: "error" }]);
  });
});
