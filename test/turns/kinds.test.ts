// Turns by kinds, in both languages, with and without accents: lines of kinds.*.txt, and every frame of frames.*.ts with everything that is put into it.
import { describe, expect, it } from "vitest";
import { KINDS as ENGLISH } from "./frames.en.ts";
import { KINDS as PORTUGUESE } from "./frames.pt-BR.ts";
import { rulesOf } from "./judge.ts";
import { bare, Desks, filled, type Kind, lines } from "./kinds.ts";
import { type Json, short } from "./turns.ts";

const desks = new Desks();

/** The arguments between brackets in one order. */
const ordered = (text: string): string => text.replace(/\(([^()]*)\)/g, (_, values: string) => `(${values.split(", ").sort().join(", ")})`);

function runsWrite(plan: Json, writes: ReadonlySet<string>): boolean {
  return plan.outcome === "run" && plan.steps.some(({ tool }: Json) => writes.has(tool));
}

/** What a plan has that a line does not, or nothing. */
function differs(plan: Json, wanted: string, writes: ReadonlySet<string>): string | undefined {
  const is = short(plan);
  const holds = (): boolean => {
    if (/^S\d/.test(wanted)) return rulesOf(plan).join(" ") === wanted;
    if (wanted === "ok") return plan.outcome !== "declined";
    if (wanted === "safe") return !runsWrite(plan, writes);
    if (wanted === "asks") return !runsWrite(plan, writes) && plan.outcome !== "declined";
    if (wanted.includes("(")) return ordered(is) === ordered(wanted);
    const [outcomes, ...tools] = wanted.split(" ");
    return outcomes!.split("|").includes(plan.outcome) && (tools.length === 0 || plan.steps.map(({ tool }: Json) => tool).join(" ") === tools.join(" "));
  };
  return holds() ? undefined : is;
}

for (const language of ["en", "pt-BR"]) {
  const table = lines(`kinds.${language}.txt`);
  describe(`lines, ${language}`, () => {
    it("are at least 150", () => expect(table.length).toBeGreaterThanOrEqual(150));
    it.each(table)("%s: %s", (policy, turn, wanted) => {
      const { reader, writes } = desks.of(policy);
      expect(differs(reader.read(turn), wanted, writes)).toBeUndefined();
      // A text that is bound keeps its accents, and so differs where it has none.
      if (!/[À-ɏ]/.test(wanted)) expect(differs(reader.read(bare(turn)), wanted, writes), bare(turn)).toBeUndefined();
    });
  });
}

/** What is wrong with a plan by its kind, or nothing. */
function fault(kind: Kind, plan: Json, slots: Record<string, string>, writes: ReadonlySet<string>): boolean {
  switch (kind.expect) {
    case "no write": return runsWrite(plan, writes);
    case "runs": {
      const [step, ...more] = plan.steps;
      const same = step?.tool === slots.tool && JSON.stringify(Object.entries(step.arguments).sort()) === JSON.stringify(Object.entries(JSON.parse(slots.args!) as object).sort());
      return !(["run", "confirm"].includes(plan.outcome) && same && more.length === 0);
    }
    default: return !rulesOf(plan).includes(kind.expect);
  }
}

for (const [language, kinds] of [["en", ENGLISH], ["pt-BR", PORTUGUESE]] as const) {
  describe(`frames, ${language}`, () => {
    it.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
      const wrong: string[] = [];
      for (const frame of kind.frames) {
        for (const slots of kind.slots) {
          const { reader, writes } = desks.of(slots.policy!);
          const turn = filled(frame, slots);
          for (const text of new Set([turn, bare(turn)])) {
            const plan = reader.read(text);
            if (fault(kind, plan, slots, writes)) wrong.push(`${slots.policy}: ${text} => ${short(plan)}`);
          }
        }
      }
      expect(kind.slots.length).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    });
  });
}
