// Turns in both languages with their plans, line by line from en.txt and pt-BR.txt; and what a host needs of every plan.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DESK, STAFF } from "../spec/desk.ts";
import { OFFICE } from "./office.ts";
import { type Json, Reader, short } from "./turns.ts";

const POLICIES: Record<string, Json> = { desk: DESK, office: OFFICE, staff: STAFF };

/** The lines of a language: policy, turn, plan. */
function lines(language: string): [string, string, string][] {
  let policy = "";
  const found: [string, string, string][] = [];
  for (const line of readFileSync(new URL(`${language}.txt`, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("@")) policy = line.slice(1);
    const at = line.indexOf(" => ");
    if (at > 0 && !line.startsWith("#")) found.push([policy, line.slice(0, at), line.slice(at + 4)]);
  }
  return found;
}

for (const language of ["en", "pt-BR"]) {
  const table = lines(language);
  const readers = new Map(Object.entries(POLICIES).map(([name, policy]) => [name, new Reader(policy, language)]));
  describe(language, () => {
    it(`holds at least 100 turns`, () => expect(table.length).toBeGreaterThanOrEqual(100));
    it.each(table)("%s: %s", (policy, turn, plan) => {
      expect(short(readers.get(policy)!.read(turn))).toBe(plan);
    });
    it("without accents and in capitals the same tools and the same rules", () => {
      const bare = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "");
      for (const [policy, turn] of table) {
        const reader = readers.get(policy)!;
        const same = ({ outcome, steps, declined_because }: Json): Json => ({ outcome, tools: steps.map((step: Json) => step.tool), rules: declined_because?.split("; ").map((rule: string) => rule.slice(0, 2)) });
        const expected = same(reader.read(turn));
        expect(same(reader.read(bare(turn))), bare(turn)).toEqual(expected);
        expect(same(reader.read(turn.normalize("NFD"))), `decomposed: ${turn}`).toEqual(expected);
      }
    });
    it("no plan runs a write that only a description reached, or with something missing", () => {
      for (const [policy, turn] of table) {
        const plan = readers.get(policy)!.read(turn);
        const writes = new Set(POLICIES[policy].tools.filter((tool: Json) => tool.effect !== "read").map((tool: Json) => tool.name));
        for (const step of plan.steps) {
          if (plan.outcome !== "run") continue;
          expect(step.missing).toEqual([]);
          if (writes.has(step.tool)) expect(step.decided_by).not.toBe("tool: derived");
        }
      }
    });
    it("every explanation holds the plan, its clauses in order, and every rule of it", () => {
      for (const [policy, turn] of table) {
        const { plan, clauses, rules, work } = readers.get(policy)!.explain(turn);
        expect(short(plan)).toBe(short(readers.get(policy)!.read(turn)));
        let at = 0;
        for (const { text } of clauses) {
          const found = turn.indexOf(text, at);
          expect(found, text).toBeGreaterThanOrEqual(at);
          at = found + text.length;
        }
        const holding = rules.filter((rule: Json) => rule.result === "holds").map((rule: Json) => rule.rule);
        expect(holding.join("; ")).toBe(plan.declined_because ?? "");
        expect(work).toBeGreaterThan(0);
      }
    });
  });
}

it("an explanation says which words reached a tool, what bound each argument, and what cleared a rule", () => {
  const reader = new Reader(OFFICE);
  expect(reader.explain('send an email to bob@example.com with subject "Hi" and body "x"')).toMatchObject({
    clauses: [
      {
        tool: "send_email",
        decided_by: "tool: named",
        words: ["send", "email", "subject", "body"],
        arguments: { recipients: { origin: "typed", value: ["bob@example.com"] }, subject: { value: "Hi" }, body: { value: "x" } },
        unbound: [],
      },
    ],
    rules: [
      { rule: "S1 egress: send", result: "cleared", said: "send" },
      { rule: "S2 destination: bob@example.com", result: "cleared", said: "bob@example.com" },
    ],
  });
});
