// The licences of the packages whose code is in what the build makes, and of the data that its tables are made from.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./core.mjs";

/** The file's name, in dist/ and in the console. */
export const NOTICES = "THIRD-PARTY-NOTICES.txt";
/** The packages of which the core's modules hold code: the compiler's standard library, and what the WASI command adds. */
export const CORE_PACKAGES = ["assemblyscript", "@assemblyscript/wasi-shim"].map((name) => join(ROOT, "node_modules", name));

/** Licences that ask nothing of whoever uses the package but the notice. */
const FREE = /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0)(?: (?:AND|OR) |\)|MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD)*$/;

const DATA = `Unicode Character Database 17.0.0 and its security data (Unicode License V3)

The core's tables of characters are made from them. Copyright 1991-2025 Unicode, Inc. All rights reserved.
Terms: https://www.unicode.org/license.txt
`;

/**
 * The notices of a thing that holds the core and code of these packages, as one text. Throws where a package has no licence, or one that asks for more.
 * @param thing how the text calls it
 * @param folders the packages' folders
 */
export function notices(thing, folders) {
  const parts = [...new Set([...folders.map(notice), DATA])].sort();
  return `${thing} is part of Interlock (Apache-2.0). It holds code of these packages, or what was made from these data:\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** Writes the notices of the core's modules into dist/. */
export function writeNotices() {
  writeFileSync(join(ROOT, "dist", NOTICES), notices("The core, alone and as a WASI command,", CORE_PACKAGES));
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string" || !FREE.test(license)) throw new Error(`${name} ${version}: its licence ${license} may not go into what is shipped`);
  const files = readdirSync(folder);
  const text = (pattern) => files.filter((each) => pattern.test(each)).map((each) => readFileSync(join(folder, each), "utf8").trim());
  const [terms] = text(/^(?:licen[cs]e|copying)(?:\.|$)/i);
  const more = text(/^notice(?:\.|$)/i);
  return `${name} ${version} (${license})\n\n${[terms ?? `Its package holds no text of the licence; ${license} as published by its authors applies.`, ...more].join("\n\n")}\n`;
}
