// Makes assembly/evidence/domains.gen.ts from the npm package tlds: the top-level domains by which a host is known.
//
// Run: node test/generate/domains.mjs [--check]      (with --check it compares and writes nothing)

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { domainToASCII, fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const version = JSON.parse(readFileSync(require.resolve("tlds/package.json"), "utf8")).version;
/** Names that chapter 5 adds to the list. */
const ADDED = ["localhost", "local", "internal", "invalid", "test", "example", "onion"];

/** Half-width kana by the kana they stand for; a voiced one is two characters. */
const HALF_WIDTH = new Map();
for (let code = 0xff66; code <= 0xff9f; code++) HALF_WIDTH.set(String.fromCodePoint(code).normalize("NFKC"), String.fromCodePoint(code));
const isKana = (name) => [...name.normalize("NFD")].every((character) => HALF_WIDTH.has(character));

const names = new Set(ADDED);
for (const name of require("tlds")) {
  const lower = name.toLowerCase();
  names.add(lower);
  // A program composes a name before it looks it up.
  names.add(lower.normalize("NFD"));
  if (isKana(lower)) names.add([...lower.normalize("NFD")].map((character) => HALF_WIDTH.get(character)).join(""));
  const ascii = domainToASCII(lower);
  if (ascii === "") throw new Error(`no ASCII form of ${lower}`);
  names.add(ascii);
}

const records = [...names].map((name) => Buffer.from(name));
records.sort((a, b) => a.length - b.length || Buffer.compare(a, b));
const longest = records[records.length - 1].length;
/** By length: how many names there are, and where they begin. */
const counts = Array.from({ length: longest + 1 }, (_, length) => records.filter((record) => record.length === length).length);
const offsets = counts.map((_, length) => counts.slice(0, length).reduce((sum, count, shorter) => sum + count * shorter, 0));

const blob = Buffer.concat([...records, Buffer.alloc(8)]);
const words = [];
for (let at = 0; at + 8 <= blob.length; at += 8) words.push(`0x${blob.readBigUInt64LE(at).toString(16)}`);
const lines = (list, each) => {
  const made = [];
  for (let i = 0; i < list.length; i += each) made.push(`  ${list.slice(i, i + each).join(", ")},`);
  return made.join("\n");
};

const TARGET = fileURLToPath(new URL("../../assembly/evidence/domains.gen.ts", import.meta.url));
const text = `// The top-level domains by which a host is known, by length and in byte order; made by \`node test/generate/domains.mjs\`.
//
// From npm tlds ${version} (the IANA root zone's names, facts), internationalised ones as UTF-8 (composed, decomposed, half-width kana) and as
// ASCII, and chapter 5's own: ${ADDED.join(", ")}. ${records.length} names, ${blob.length - 8} bytes.

/** The longest name, in bytes. */
export const LONGEST_DOMAIN: i32 = ${longest};

/** By length in bytes: how many names have it (u16). */
export const DOMAIN_COUNTS: usize = memory.data<u16>([
${lines(counts, 16)}
]);

/** By length in bytes: where its names begin in DOMAIN_NAMES (u16). */
export const DOMAIN_OFFSETS: usize = memory.data<u16>([
${lines(offsets, 16)}
]);

/** The names, one after the other, lower case. */
export const DOMAIN_NAMES: usize = memory.data<u64>([
${lines(words, 6)}
]);
`;
console.log(`${records.length} names`);
if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) {
    console.error("assembly/evidence/domains.gen.ts is not what test/generate/domains.mjs makes: run it again");
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
}
