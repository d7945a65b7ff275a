// Makes bindings/register/words.gen.ts from the word lists assembly/turn/words/*.txt: what registration needs of them to warn of an ambiguous catalogue.
//
// Run: node test/generate/register-words.mjs [--check]      (with --check it compares and writes nothing)

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "assembly/turn/words");
const target = join(root, "bindings/register/words.gen.ts");

/** Classes whose words say nothing of what is asked for. */
const CLOSED = ["then", "and", "skip", "determiner", "pronoun", "modal", "infinitive", "toward", "preposition", "question", "negation", "condition", "be", "anaphor"];
/** Classes of verbs, kept by their own name. */
const VERBS = ["look", "light", "verb", "sends"];

const fold = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[-'’]/g, "")
    .trim();

const linesOf = (file) =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .map((line) => /^([\w-]+):\s*(.*)$/.exec(line.replace(/^#.*$/, "").trim()))
    .filter((found) => found !== null)
    .map(([, key, rest]) => ({ key, items: rest.split(",").map((item) => item.trim()).filter((item) => item !== "") }));

function language(file) {
  const lines = linesOf(file);
  const of = (...keys) => lines.filter(({ key }) => keys.includes(key)).flatMap(({ items }) => items);
  const pairs = (items, sign) => items.map((item) => item.split(sign).map(fold));
  const words = (items) => [...new Set(items.map((item) => item.split("=").map(fold).join("=")).filter((item) => !item.includes(" ")))].join(" ");
  return {
    endings: lines.filter(({ key }) => key === "ending").map(({ items }) => pairs(items, ">").map(([from, to = ""]) => `${from}>${to}`).join(" ")),
    irregular: pairs(of("irregular"), ">").map((pair) => pair.join(">")).join(" "),
    forms: of("form").map(fold).join(" "),
    closed: words(of(...CLOSED)),
    ...Object.fromEntries(VERBS.map((name) => [name, words(of(name))])),
  };
}

const files = readdirSync(folder).filter((file) => file.endsWith(".txt") && file !== "parameters.txt").sort();
const languages = Object.fromEntries(files.map((file) => [file.replace(".txt", ""), language(file)]));

const quoted = (value) => (Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : `'${value.replaceAll("'", "\\'")}'`);
const text = [
  "// The words of each language that registration needs to warn of an ambiguous catalogue. Made by `node test/generate/register-words.mjs` from assembly/turn/words/*.txt.",
  "",
  "/** A language: the endings that inflection adds, in groups (`FROM>TO`), irregular forms (`FORM>WORD`), the endings that forms of a verb have, and words by their class, apart by spaces (`WORD=ENGLISH`). */",
  "export interface LanguageWords { endings: readonly string[]; irregular: string; forms: string; closed: string; look: string; light: string; verb: string; sends: string }",
  "",
  "export const LANGUAGES: Readonly<Record<string, LanguageWords>> = {",
  ...Object.entries(languages).flatMap(([name, words]) => [`  '${name}': {`, ...Object.entries(words).map(([key, value]) => `    ${key}: ${quoted(value)},`), "  },"]),
  "};",
  "",
].join("\n");

if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("bindings/register/words.gen.ts is stale");
  process.exitCode = 1;
}
