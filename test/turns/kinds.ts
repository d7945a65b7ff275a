// Kinds of turns: frames, what is put into them, and the turns that this makes; and lines of turns with what must come of each.
import { readFileSync } from "node:fs";
import { policyText } from "./held-apart/set.ts";
import { TRADES } from "./trades.ts";
import { type Json, Reader } from "./turns.ts";

/** What is put into a frame, by its name; `policy` is a policy of held-apart/ or trades.ts, `tool` and `args` the step that a write's plan has. */
export type Slots = Record<string, string>;

export interface Kind {
  name: string;
  /** A rule that must be among those that decline it; `runs`: its write runs or is confirmed, just so; `no write`: none runs. */
  expect: "S1" | "S3" | "S4" | "runs" | "no write";
  frames: string[];
  slots: Slots[];
}

/** Each of the records with each, their members together. */
export function cross(...lists: Slots[][]): Slots[] {
  return lists.reduce((made, list) => made.flatMap((one) => list.map((other) => ({ ...one, ...other }))), [{}]);
}

/** A frame with its slots filled. */
export function filled(frame: string, slots: Slots): string {
  return frame.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (slots[name] === undefined) throw new Error(`nothing for ${name} in "${frame}"`);
    return slots[name];
  });
}

/** A text as it is typed without accents. */
export function bare(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}

/** Readers of the policies of held-apart/ and trades.ts, each made once. */
export class Desks {
  readonly #readers = new Map<string, { reader: Reader; writes: Set<string> }>();

  of(name: string): { reader: Reader; writes: Set<string> } {
    let found = this.#readers.get(name);
    if (!found) {
      const policy: Json = TRADES[name] ?? JSON.parse(policyText(name));
      found = { reader: new Reader(policy, policy.settings?.language), writes: new Set(policy.tools.filter((tool: Json) => tool.effect !== "read").map((tool: Json) => tool.name)) };
      this.#readers.set(name, found);
    }
    return found;
  }
}

/** The lines of a file: policy, turn, what must come of it. */
export function lines(file: string): [string, string, string][] {
  let policy = "";
  const found: [string, string, string][] = [];
  for (const line of readFileSync(new URL(file, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("@")) policy = line.slice(1);
    const at = line.lastIndexOf(" => ");
    if (at > 0 && !line.startsWith("#")) found.push([policy, line.slice(0, at), line.slice(at + 4)]);
  }
  return found;
}
