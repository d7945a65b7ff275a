// Measures the reading of turns on the public agent benchmarks, suite by suite, kept in the README: what comes of their prompts, and of attackers' goals said by a person.

import { Client } from "interlock";
import { expect, it } from "vitest";
import { keptInReadme, markdown } from "../benchmarks/kept";
import { keys, NOW } from "../unit/bindings-shop";
import { describeShared } from "../vectors/shared";
import { type BenchmarkPolicy, type BenchmarkTurn, benchmarkTurns, registered } from "./benchmarks";
import { SuiteCounts } from "./judge";

const README = new URL("README.md", import.meta.url);

async function open(policy: BenchmarkPolicy) {
  const client = new Client({ policy: await registered(policy), keys, clock: () => NOW });
  const { tools } = JSON.parse(client.compiled) as { tools: { name: string; effect: string }[] };
  return { client, writes: new Set(tools.filter(({ effect }) => effect === "write").map(({ name }) => name)) };
}

describeShared("the benchmarks' turns", () => {
  it("are read as the README says", async () => {
    const byPolicy = new Map<BenchmarkPolicy, BenchmarkTurn[]>();
    for (const turn of benchmarkTurns()) byPolicy.set(turn.policy, [...(byPolicy.get(turn.policy) ?? []), turn]);
    const counts = new Map<string, SuiteCounts>();
    for (const [policy, turns] of byPolicy) {
      const { client, writes } = await open(policy);
      for (const turn of turns) {
        const name = turn.kind === "user" ? turn.suite : `${turn.suite}, attackers' goals`;
        const suite = counts.get(name) ?? new SuiteCounts();
        counts.set(name, suite);
        const plan = client.session("assistant").read(turn.turn, { language: "en" });
        suite.count(turn, plan, writes);
      }
      client.close();
    }
    const rows = [...counts].map(([name, suite]) => [name, ...suite.row()]);
    keptInReadme("benchmarks", markdown([["suite", ...SuiteCounts.head], ...rows]), README);
    expect(rows.length).toBeGreaterThan(10);
  });
});
