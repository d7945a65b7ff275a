// Tables and lists that a test computes and a file keeps: the test fails where the file no longer says what is true. KEEP=1 writes them anew.

import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

const README = new URL("README.md", import.meta.url);
const WRITE = process.env.KEEP === "1";

/** A table in Markdown: the first row names the columns; numbers stand right. */
export function markdown(rows: readonly (readonly (string | number)[])[]): string {
  const [head, ...body] = rows;
  const aligned = head!.map((_, column) => (body.every((row) => typeof row[column] === "number" || row[column] === "") ? "---:" : "---"));
  return [head!, aligned, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Prints a text and holds a README (this folder's, unless another is given) to it, between `<!-- NAME -->` and `<!-- end of NAME -->`. */
export function keptInReadme(name: string, text: string, file: URL = README): void {
  console.log(`${name}\n${text}`);
  const readme = readFileSync(file, "utf8");
  const [before, after] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const from = readme.indexOf(before) + before.length;
  const to = readme.indexOf(after, from);
  if (from < before.length || to < 0) throw new Error(`README.md has no place for "${name}": ${before}…${after}`);
  if (WRITE) writeFileSync(file, readme.slice(0, from) + text + readme.slice(to));
  else expect(readme.slice(from, to), "README.md is no longer true; KEEP=1 writes it anew").toBe(text);
}

/** Holds a JSON file of this folder to a value. */
export function keptInFile(name: string, value: unknown): void {
  const file = new URL(name, import.meta.url);
  if (WRITE) writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);
  else expect(value, `${name} is no longer exact; KEEP=1 writes it anew, and then somebody looks at what changed`).toEqual(JSON.parse(readFileSync(file, "utf8")));
}
