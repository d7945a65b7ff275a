// Canonical JSON (RFC 8785) of values that the log holds: texts, doubles, booleans, lists and objects.

/** Members' names as they are printed: an entry has the same ones as the one before. */
const names = new Map<string, string>();
const NAMES = 1024;

function printed(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= NAMES) names.clear();
  const text = `${canonicalJson(name)}:`;
  names.set(name, text);
  return text;
}

/** The canonical text of a value. Members that are `undefined` are left out. Throws TypeError for what JSON does not have. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    if (typeof value === "string" && !value.isWellFormed()) throw new TypeError("a text in the log is not well formed");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("a number in the log is not finite");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`JSON has no ${typeof value}`);
  let members = "";
  // By UTF-16 code units, as a sort without a function compares texts.
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members === "" ? "" : ","}${printed(name)}${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
