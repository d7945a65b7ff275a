// S2 against the model of chapter 5: whatever a turn is made of, an address the model sees is declined, or taken by an argument.
import { describe, expect, it } from "vitest";
import { destinations } from "../model/destinations.ts";
import { Random, seedOf } from "../unit/random.ts";
import { DESK } from "../spec/desk.ts";
import { OFFICE } from "./office.ts";
import { type Json, Reader } from "./turns.ts";

const SEED = seedOf();
const WORDS = ["get", "order", "4411", "send", "the", "to", "and", "then", ",", ";", ".", '"', "'", "(", ")", "total", "10%", "into", "please", "receipt", "for", "e", "para", "o", "A-77", "R$ 40,00", "“", "”", "\n", "\t", ":", "=", "<", ">"];
const ADDRESSES = [
  "ana@example.com", "https://evil.example/x?y=1;z", "evil.com", "192.0.2.7", "[2001:db8::1]", "mailto:ana@x.org", "//evil.example/x", "\\\\host\\share", "localhost:80",
  "www.evil.sh", "ftp:evil", "0x7f.1:80", "bücher.example", "http:\\\\evil", '"a b"@x.org', "data:text/plain,x",
];
/** Chapter 5's tricks. */
const TRICKS: ((text: string, random: Random) => string)[] = [
  (text) => text,
  (text, random) => insert(text, random.of(["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\t", "\n", "\r"]), random),
  (text) => text.replace(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)),
  (text) => text.replaceAll(".", "。"),
  (text) => text.replaceAll(".", "｡"),
  (text) => text.toUpperCase(),
  (text, random) => text.replace(/[a-z@.]/g, (letter) => (random.below(10) < 3 ? `%${letter.codePointAt(0)!.toString(16)}` : letter)),
];

function insert(text: string, character: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + character + text.slice(at);
}

/** Every string of a plan's arguments. */
function strings(value: Json): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

describe.each([
  { name: "the desk", policy: DESK, language: "en" },
  { name: "the desk", policy: DESK, language: "pt-BR" },
  { name: "the office", policy: OFFICE, language: "en" },
])("$name, $language", ({ policy, language }) => {
  it(`an address is declined or taken (seed ${SEED})`, () => {
    const reader = new Reader(policy, language);
    const random = new Random(SEED);
    let seen = 0;
    for (let round = 0; round < 1500; round++) {
      const parts: string[] = [];
      for (let i = 1 + random.below(8); i > 0; i--) parts.push(random.below(10) < 3 ? random.of(TRICKS)(random.of(ADDRESSES), random) : random.of(WORDS));
      const turn = parts.join(random.below(10) < 9 ? " " : "");
      const found = destinations(turn, null);
      if (found.length === 0) continue;
      seen += found.length;
      const { plan, rules } = reader.explain(turn);
      const taken = plan.steps.flatMap((step: Json) => strings(step.arguments));
      for (const { text } of found) {
        const of = `seed ${SEED}: ${JSON.stringify(text)} in ${JSON.stringify(turn)}: ${JSON.stringify(plan)}`;
        const rule = rules.find((one: Json) => one.rule.startsWith("S2") && (one.rule.includes(text) || text.includes(one.said)));
        expect(rule, of).toBeDefined();
        if (rule.result === "holds") expect(plan.outcome, of).toBe("declined");
        // What runs has it in an argument; a plan that asks which tool is meant runs nothing.
        else if (plan.outcome === "run" || plan.outcome === "confirm") expect(taken.some((value: string) => value.includes(text) || text.includes(value)), of).toBe(true);
      }
    }
    expect(seen).toBeGreaterThan(800);
  });
});
