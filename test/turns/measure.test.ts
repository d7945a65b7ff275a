// Measures the reading of turns on those held apart: how often it misses, declines, chooses and binds, kept in the README; and never a wrong write.

import { Client } from "interlock";
import { describe, expect, it } from "vitest";
import { markdown, keptInReadme } from "../benchmarks/kept";
import { keys, NOW } from "../unit/bindings-shop";
import { eighthTurns, fifthTurns, fourthTurns, ninthTurns, policyNames, policyText, secondTurns, seventhTurns, sixthTurns, thirdTurns, turns } from "./held-apart/set";
import { countTurn, faults, Shares, wrongWrites } from "./judge";

const README = new URL("README.md", import.meta.url);

const desks = new Map(
  policyNames.map((name) => {
    const client = new Client({ policy: policyText(name), keys, clock: () => NOW });
    const { tools } = JSON.parse(client.compiled) as { tools: { name: string; effect: string }[] };
    return [name, { client, writes: new Set(tools.filter(({ effect }) => effect === "write").map((tool) => tool.name)) }];
  }),
);

const sets = [
  { name: "the turns held apart", kept: "held apart", set: turns, runs: [] as string[] },
  { name: "the second set of turns held apart", kept: "second set", set: secondTurns, runs: [] },
  { name: "the third set of turns held apart", kept: "third set", set: thirdTurns, runs: [] },
  { name: "the fourth set of turns held apart", kept: "fourth set", set: fourthTurns, runs: [] },
  { name: "the fifth set of turns held apart", kept: "fifth set", set: fifthTurns, runs: [] },
  { name: "the sixth set of turns held apart", kept: "sixth set", set: sixthTurns, runs: [] },
  { name: "the seventh set of turns held apart", kept: "seventh set", set: seventhTurns, runs: [] },
  { name: "the eighth set of turns held apart", kept: "eighth set", set: eighthTurns, runs: [] },
  { name: "the ninth set of turns held apart", kept: "ninth set", set: ninthTurns, runs: [] },
];

describe.each(sets)("$name", ({ kept, set, runs }) => {
  const read = set.map((turn) => {
    const { client, writes } = desks.get(turn.policy)!;
    return { turn, writes, plan: client.session(turn.agent).read(turn.turn, { language: turn.language }) };
  });

  it("are read as well as the README says", () => {
    const languages = ["en", "pt-BR"].map((language) => {
      const shares = new Shares();
      for (const { turn, plan, writes } of read) if (turn.language === language) countTurn(shares, turn, plan, writes);
      return shares;
    });
    const rows = languages[0]!.names.map((name) => [name, ...languages.map((shares) => shares.share(name))]);
    const misses = read.flatMap(({ turn, plan }) => faults(plan, turn.expect).map((fault) => `${turn.id} ${turn.policy} ${turn.turn}\n    ${fault}`));
    console.log(misses.join("\n"));
    keptInReadme(kept, markdown([["what", "en", "pt-BR"], ...rows]), README);
  });

  // What is listed is known and not mended yet, and told in the README: another one, or one fewer, is red.
  it("never have another write run that is not theirs", () => {
    expect(read.flatMap(({ turn, plan, writes }) => wrongWrites(plan, turn.expect, writes).map(() => turn.id))).toEqual(runs);
  });
});
