// Makes assembly/turn/words.gen.ts from the word lists assembly/turn/words/*.txt, one a language, and the letters that fold into others.
//
// Run: node test/generate/turn-words.mjs [--check] [--root FOLDER]      (with --check it compares and writes nothing;
//      --root: another checkout than this one)

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const given = process.argv.indexOf("--root");
const root = given < 0 ? fileURLToPath(new URL("../..", import.meta.url)) : resolve(process.argv[given + 1]);
const folder = join(root, "assembly/turn/words");
const target = join(root, "assembly/turn/words.gen.ts");

/** Classes of words, by their bit in assembly/turn/classes.ts; the letter of a line is `A` and the bit. */
const CLASSES = [
  "then", "and", "skip", "determiner", "pronoun", "modal", "infinitive", "toward", "preposition", "question", "look", "light", "verb", "sends", "sends-noun", "calculation",
  "operator", "place", "negation", "condition", "wish", "month", "on", "off", "money", "filler", "abbreviation", "anaphor", "be", "operand", "multiple",
];
/** Traits of words, by their bit in assembly/turn/classes.ts: the letter of a line is `a` and the bit, `2`, `3`, `4` those of bits 29 to 31, `6`, `7`, `8`, `9`, `:`, `;`, `<`, `=` those of bits 3, 5, 13, 15, 18 and 21 to 23. */
const TRAITS = { "put-verb": "a", within: "b", unit: "c", "switch-verb": "e", "change-verb": "g", by: "h", subjunctive: "i", that: "j", you: "k", teller: "l", of: "m", span: "q", more: "r", have: "t", or: "u", "adjust-verb": "y", often: "z", counted: "o", "use-verb": "{", ensure: "|", approximate: "}", indefinite: "2", corrects: "3", reason: "4", becomes: "6", until: "7", counts: "8", "object-verb": "9", "polite-negation": ":", quantifier: ";", "bidding-verb": "<", "extends-verb": "=" };
/** What else a language says, by the character that begins its line. */
const OTHERS = { language: "!", thousands: ",", decimals: ".", first: "1", ending: ">", irregular: "~", always: "+", participle: "-", "noun-form": "s", "command-never": "x", form: "f", conjugated: "v", "noun-too": "n", past: "p", gerund: "5", "past-ending": "w", derived: "d", "stem-change": "?", "vowel-change": "@", ...TRAITS };
/** Kinds of parameters, by their bit in assembly/turn/parameters.ts. */
const KINDS = ["email", "url", "host", "ip", "path", "id", "money", "text", "date", "time", "percent", "goal", "extension"];

/** As assembly/turn/fold.ts reads words: small letters without marks, hyphens and apostrophes left out. */
const fold = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[-'’]/g, "")
    .replace(/\s+/g, " ")
    .trim();

function linesOf(file) {
  return readFileSync(join(folder, file), "utf8")
    .split("\n")
    .map((text, index) => ({ text: text.replace(/^#.*$/, "").trim(), at: `${file}:${index + 1}` }))
    .filter(({ text }) => text !== "")
    .map(({ text, at }) => {
      const [, key, rest] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
      if (key === undefined) throw new Error(`${at}: a line is "key: words"`);
      return { key, rest, at };
    });
}

const items = (rest) => rest.split(",").map((item) => item.trim()).filter((item) => item !== "");

/** `word`, `word=English` (as it is written) or `form>other`. */
function pair(item, isClass) {
  const at = item.search(/[=>]/);
  if (at < 0) return fold(item);
  const after = item.slice(at + 1).trim();
  return `${fold(item.slice(0, at))}${item[at]}${isClass ? after : fold(after)}`;
}

/** A language as the core reads it: a line a key, its letter first. */
function language(file) {
  const lines = linesOf(file);
  const ordered = [...lines.filter(({ key }) => key in OTHERS), ...lines.filter(({ key }) => !(key in OTHERS))];
  const written = ordered.map(({ key, rest, at }) => {
    const bit = CLASSES.indexOf(key);
    if (bit < 0 && !(key in OTHERS)) throw new Error(`${at}: there is no key ${key}; the keys are ${[...Object.keys(OTHERS), ...CLASSES].join(", ")}`);
    if (key === "language" || key === "thousands" || key === "decimals" || key === "first") return OTHERS[key] + rest;
    const letter = bit < 0 ? OTHERS[key] : String.fromCharCode(65 + bit);
    return letter + items(rest).map((item) => pair(item, bit >= 0)).join(",");
  });
  const named = lines.find(({ key }) => key === "language")?.rest;
  if (named === undefined || `${named}.txt` !== file) throw new Error(`${file}: language is the file's name`);
  for (const key of ["thousands", "decimals", "first", "ending", "then", "and"]) if (!lines.some((line) => line.key === key)) throw new Error(`${file}: there is no ${key}`);
  return { named, text: `${written.join("\n")}\n` };
}

function parameters() {
  return `${linesOf("parameters.txt")
    .map(({ key, rest, at }) => {
      if (!KINDS.includes(key)) throw new Error(`${at}: there is no kind ${key}`);
      return String.fromCharCode(65 + KINDS.indexOf(key)) + items(rest).map(fold).join(",");
    })
    .join("\n")}\n`;
}

/** Letters U+00C0 to U+017F as the ASCII letter below their marks; 0 where there is none. */
const latin = Array.from({ length: 0x180 - 0xc0 }, (_, i) => {
  const base = fold(String.fromCodePoint(0xc0 + i));
  return /^[a-z]$/.test(base) ? base.charCodeAt(0) : 0;
});
latin[0x131 - 0xc0] = 0x69;

/** Letters of other scripts that look like an ASCII letter, by their code. */
const ALIKE = "аaеeоoрpсcуyхxѕsіiјjһhԁdԛqԝwкkмmтtвbнhոnѵvοoαaνvιiρpκkτtυuεeɡgɑa";
const alike = [...ALIKE]
  .flatMap((letter, i, all) => (i % 2 === 0 ? [[letter.codePointAt(0), all[i + 1].charCodeAt(0)]] : []))
  .sort((a, b) => a[0] - b[0]);

function data(name, comment, type, numbers) {
  const lines = [`/** ${comment} */`, `${name} = memory.data<${type}>([`];
  for (let i = 0; i < numbers.length; ) {
    let line = " ";
    while (i < numbers.length && line.length < 134) line += ` ${numbers[i++]},`;
    lines.push(line);
  }
  return [...lines, "]);", ""];
}

const languages = readdirSync(folder)
  .filter((file) => file.endsWith(".txt") && file !== "parameters.txt")
  .sort((a, b) => (a === "en.txt" ? -1 : b === "en.txt" ? 1 : a < b ? -1 : 1))
  .map(language);
const utf8 = (text) => [...new TextEncoder().encode(text)];
const texts = languages.map(({ text }) => utf8(text));
const kinds = utf8(parameters());
const written = [
  "// The words of each language, of parameters' names, and letters that fold into others. Made by `node test/generate/turn-words.mjs` from words/*.txt.",
  "",
  `/** How many languages there are: ${languages.map(({ named }) => named).join(", ")}. */`,
  `export const LANGUAGES: i32 = ${languages.length};`,
  "",
  ...texts.flatMap((bytes, i) => data(`const WORDS_${i}: usize`, `Words of ${languages[i].named}: a line a class.`, "u8", bytes)),
  "/** Where the words of language `index` are. */",
  "export function languageStart(index: i32): usize {",
  ...texts.slice(1).map((_, i) => `  if (index == ${i + 1}) return WORDS_${i + 1};`),
  "  return WORDS_0;",
  "}",
  "",
  "/** How many bytes they have. */",
  "export function languageLength(index: i32): i32 {",
  ...texts.slice(1).map((bytes, i) => `  if (index == ${i + 1}) return ${bytes.length};`),
  `  return ${texts[0].length};`,
  "}",
  "",
  ...data("export const PARAMETER_WORDS: usize", "What parameters take, by the words of their names: a line a kind.", "u8", kinds),
  `export const PARAMETER_LENGTH: i32 = ${kinds.length};`,
  "",
  ...data("export const LATIN: usize", "U+00C0 … U+017F as ASCII letters, or 0.", "u8", latin),
  `export const ALIKE_COUNT: i32 = ${alike.length};`,
  ...data("export const ALIKE: usize", "Letters of other scripts that look like an ASCII letter, by code: the code, the letter.", "u16", alike.flat()),
].join("\n");
const text = `${written.trimEnd()}\n`;
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("assembly/turn/words.gen.ts is not what test/generate/turn-words.mjs makes: run it again");
  process.exit(1);
}
