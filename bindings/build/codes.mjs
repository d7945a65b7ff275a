// Makes bindings/codes.gen.ts from assembly/abi.ts: the numbers that both sides of the boundary agree on.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = new URL("../../assembly/abi.ts", import.meta.url);
export const TARGET = new URL("../codes.gen.ts", import.meta.url);

/** The text of the generated file. */
export function codes() {
  const source = readFileSync(SOURCE, "utf8");
  const lines = ["// The numbers that both sides of the boundary agree on. Made from assembly/abi.ts by `node bindings/build/codes.mjs`.", ""];
  for (const [, comment, name, value] of source.matchAll(/(\/\*\*[^*]*\*\/\n)?export const (\w+): i(?:32|64) = (\d+);/g))
    lines.push(`${comment ?? ""}export const ${name} = ${value};`);
  return `${lines.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, codes());
