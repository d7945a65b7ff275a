// Canonical JSON (RFC 8785) of values that the log holds: texts, doubles, booleans, lists and objects.

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
  const names = Object.keys(value)
    .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson((value as Record<string, unknown>)[name])}`).join(",")}}`;
}
