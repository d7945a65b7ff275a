// Reads the pages of the embedding guide: the files they show, the commands they give and what these print.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const GUIDE = fileURLToPath(new URL("../../bindings/guide/", import.meta.url));

/** A command of a page, and what it prints where the page says it. */
export interface Step {
  readonly kind: "run" | "bundle" | "serve";
  readonly commands: string;
  prints: string | null;
}

export interface Page {
  readonly text: string;
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
  /** What the page says is printed where no command is. */
  readonly shows: readonly string[];
}

/** Reads a page by its name without `.md`. Throws where a block is of no known kind. */
export function readPage(name: string): Page {
  const text = readFileSync(`${GUIDE}${name}.md`, "utf8");
  const files = new Map<string, string>();
  const steps: Step[] = [];
  const shows: string[] = [];
  for (const [, language, mark, body] of text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)) {
    const last = steps.at(-1);
    if (language === "sh" && (mark === "run" || mark === "bundle" || mark === "serve")) steps.push({ kind: mark, commands: body!, prints: null });
    else if (language === "text" && last?.kind === "run" && last.prints === null) last.prints = body!;
    else if (language === "text") shows.push(body!);
    else if (mark?.includes(".")) files.set(mark, body!);
    else throw new Error(`${name}.md has a block "${language} ${mark ?? ""}" that nothing runs`);
  }
  return { text, files, steps, shows };
}
