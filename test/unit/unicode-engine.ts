// What the JavaScript engine knows of Unicode: whether its tables are of the core's version, and the names of properties to compare.

import { BINARY, CATEGORIES, CATEGORY_GROUPS, SCRIPTS } from "../generate/unicode-names.mjs";

/** The version that the core's tables are made from (test/generate/unicode.mjs). */
const VERSION = "17.0";

/**
 * Whether the engine's tables are of the core's version, as those of Node 20.20, 22.23 and 24.22 are. With others code points differ
 * that were assigned since: that is said, and with CI=true it is an error.
 */
export function sameUnicode(): boolean {
  const { unicode } = process.versions;
  if (unicode === VERSION) return true;
  if (process.env.CI === "true") throw new Error(`this engine has Unicode ${unicode}, and CI=true: take a Node that has ${VERSION}`);
  console.log(`skipped: this engine has Unicode ${unicode}, the core ${VERSION}`);
  return false;
}

/** What may stand between the braces of \\p{…}, by kind: every long and short name and alias of ECMA-262's tables. */
export function propertyNames(): Record<string, string[]> {
  const categories = [...CATEGORIES, ...Object.values(CATEGORY_GROUPS)].flat();
  return {
    "general categories": categories,
    "general categories by name": categories.map((name) => (name.length > 2 ? "General_Category=" : "gc=") + name),
    scripts: SCRIPTS.flat().map((name) => (name.length > 4 ? "Script=" : "sc=") + name),
    "script extensions": SCRIPTS.flat().map((name) => (name.length > 4 ? "Script_Extensions=" : "scx=") + name),
    "binary properties": BINARY.flat(),
  };
}
