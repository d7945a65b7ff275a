// Compares the core with the model line by line, and shrinks what came before a difference to what it needs.

import { generateAnswered, strip } from "../model/generate.ts";
import { Driver } from "../model/driver.ts";
import { Core } from "../setup/core.ts";

export interface Difference {
  index: number;
  /** The lines that are needed to see it; the last one is answered differently. */
  lines: string[];
  model: string;
  core: string;
}

/** Makes `lines` lines from a seed, and answers them with the core too; the first difference, or null. */
export function compare(seed: number, lines: number): { lines: string[]; answers: string[]; difference: Difference | null } {
  const made = generateAnswered(seed, lines);
  const core = new Core();
  for (const [index, line] of made.lines.entries()) {
    const answer = strip(core.line(line));
    const expected = strip(made.answers[index]!);
    if (answer === expected) continue;
    const needed = shrink(made.lines.slice(0, index + 1));
    return { ...made, difference: { index, lines: needed, model: expected, core: answer } };
  }
  return { ...made, difference: null };
}

/** Whether a fresh core and a fresh model differ on the last of some lines. */
function differs(lines: string[]): boolean {
  const driver = new Driver();
  const core = new Core();
  const answers = lines.map((line) => [core.line(line), driver.answer(line)] as const);
  const [ours, theirs] = answers.at(-1)!;
  return strip(ours) !== strip(theirs);
}

/** The lines that the last one's difference needs: whole names first, then line by line. */
function shrink(lines: string[]): string[] {
  const last = lines.at(-1)!;
  if (differs([last])) return [last];
  let kept = named(lines);
  if (!differs(kept)) kept = lines;
  for (let size = kept.length >> 1; size >= 1; size >>= 1) {
    for (let from = 0; from < kept.length - 1; ) {
      const fewer = [...kept.slice(0, from), ...kept.slice(Math.min(from + size, kept.length - 1))];
      if (fewer.length < kept.length && differs(fewer)) kept = fewer;
      else from += size;
    }
  }
  return kept;
}

/** The lines that speak of a name the last one uses, or that such a line uses. */
function named(lines: string[]): string[] {
  const names = new Set<string>();
  const used = (line: string) => [...line.matchAll(/"(?:policy|keys|handle|name)":"([a-z0-9]+)"/g)].map((match) => match[1]!);
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    const own = used(line);
    if (kept.length > 0 && !own.some((name) => names.has(name))) continue;
    for (const name of own) names.add(name);
    kept.push(line);
  }
  return kept.reverse();
}

/** A difference for people: the lines that show it, both answers from where they part, and how to see it again. */
export function describe({ index, lines, model, core }: Difference, replay: string): string {
  let at = 0;
  while (at < model.length && model[at] === core[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 400);
  return [
    `core and model differ on line ${index + 1}; it needs ${lines.length} line(s):`, ...lines.map((line) => `  ${line}`),
    `model: …${around(model)}`, `core:  …${around(core)}`, `replay: ${replay}`,
  ].join("\n");
}
