// Every ground-truth call that fits its own schema passes step 3 of the check; each that does not is on the kept list, with the cause.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeShared } from "../vectors/shared";
import { type Call, type Suite, suites, type Tool } from "./calls";
import { clientOver, type Fit, stepThree } from "./catalogue";
import { keptInFile, keptInReadme, markdown } from "./kept";
import { misfit } from "./own-schema";

/** Why a call does not fit its own schema, or fits it and does not pass. */
const CAUSES = {
  environment: "An argument hangs on the running environment: the data has an expression in its place.",
  listing: "The tool's schema is in no list at hand.",
  undeclared: "The schema is open and the call names an argument that it does not declare: step 3 refuses that unless undeclared_arguments is `schema`.",
  type: "The accepted value is of another type than the schema asks for.",
  enum: "The accepted value is not among the schema's.",
  required: "The accepted call leaves out what the schema requires.",
  format: "The accepted value is not in the schema's format.",
} as const;
type Cause = keyof typeof CAUSES;

interface Seen {
  suite: string;
  call: Call;
  fits: boolean;
  fit: Fit;
  cause: Cause | null;
}

function causeOf(tool: Tool | undefined, call: Call, faults: string[], fit: Fit): Cause | null {
  if (tool === undefined) return "listing";
  if (faults.length === 0) return fit.passes ? null : "undeclared";
  if (JSON.stringify(call.arguments).includes('{"$env":')) return "environment";
  const [rule] = fit.why!.split(" ");
  return rule as Cause;
}

async function look({ name, groups }: Suite): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { tools, calls } of groups) {
    const client = await clientOver(tools);
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    for (const call of calls) {
      const tool = byName.get(call.tool);
      const faults = tool === undefined ? ["no schema"] : misfit(tool, call);
      const fit = stepThree(client, call);
      seen.push({ suite: name, call, fits: faults.length === 0, fit, cause: causeOf(tool, call, faults, fit) });
    }
    client.close();
  }
  return seen;
}

interface Explained {
  cause: string;
  why: string;
  count: number;
  calls: Record<string, Record<string, string[] | number>>;
}

/** The list by cause, suite, and tool with rule and place; of tools without a schema only how many calls there are. */
function explained(seen: Seen[]): Explained[] {
  return Object.entries(CAUSES).map(([cause, why]) => {
    const ofCause = seen.filter((one) => one.cause === cause);
    const bySuite: Record<string, Record<string, string[] | number>> = {};
    for (const { suite, call, fit } of ofCause) {
      const tools = (bySuite[suite] ??= {});
      if (cause === "listing") tools[call.tool] = ((tools[call.tool] as number | undefined) ?? 0) + 1;
      else ((tools[`${call.tool}: ${fit.why}`] ??= []) as string[]).push(call.id);
    }
    return { cause, why, count: ofCause.length, calls: bySuite };
  });
}

describeShared("the calls of the agent benchmarks", () => {
  it("pass step 3 where they fit their own schema, or are explained", async () => {
    const all = suites();
    const seen = (await Promise.all(all.map(look))).flat();
    const rows = all.map(({ name, groups }) => {
      const own = seen.filter(({ suite }) => suite === name);
      const count = (wanted: (one: Seen) => boolean) => own.filter(wanted).length;
      const tools = groups.reduce((sum, group) => sum + group.tools.length, 0);
      return [name, tools, own.length, count(({ fits }) => fits), count(({ fit }) => fit.passes), count(({ cause }) => cause !== null)];
    });
    const total = ["together", ...[1, 2, 3, 4, 5].map((column) => rows.reduce((sum, row) => sum + (row[column] as number), 0))];
    keptInFile("explained.json", explained(seen));
    keptInReadme("arguments", markdown([["suite", "tools", "calls", "fits own schema", "passes step 3", "explained"], ...rows, total]));

    // A call that its own schema refuses passes nowhere, and each that does not pass has a cause of the list.
    expect(seen.filter(({ fits, fit }) => !fits && fit.passes)).toEqual([]);
    expect(seen.filter(({ fit, cause }) => fit.passes !== (cause === null) || (cause !== null && !(cause in CAUSES)))).toEqual([]);
    expect(rows.find(([name]) => name === "bfcl")?.slice(2, 4), "as the vectors' README counts them").toEqual([2099, 2092]);
  });

  it("that name an undeclared argument pass where the schema alone decides", async () => {
    const { calls } = (JSON.parse(readFileSync(new URL("explained.json", import.meta.url), "utf8")) as Explained[]).find(({ cause }) => cause === "undeclared")!;
    let passed = 0;
    for (const { name, groups } of suites()) {
      const ids = new Set(Object.values(calls[name] ?? {}).flat());
      for (const { tools, calls } of groups) {
        const named = calls.filter(({ id }) => ids.has(id));
        if (named.length === 0) continue;
        const client = await clientOver(tools, "{undeclared_arguments: schema}");
        for (const call of named) expect(stepThree(client, call), `${name} ${call.id}`).toEqual({ passes: true });
        passed += named.length;
        client.close();
      }
    }
    expect(passed).toBe(4);
  });
});
