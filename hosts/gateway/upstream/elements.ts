// Cuts the texts of a list's elements out of JSON text, so that no digit of them is read and printed again.
import { rawMembers } from "interlock";

/** The texts of the elements of a list, in order; null where the text is no JSON list. */
export function elementsOf(text: string): string[] | null {
  try {
    if (!Array.isArray(JSON.parse(text))) return null;
  } catch {
    return null;
  }
  // Valid JSON from here on: commas outside strings and brackets part the elements.
  const found: string[] = [];
  const from = text.indexOf("[") + 1;
  let start = from;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') at = stringEnd(text, at);
    else if (unit === "[" || unit === "{") depth++;
    else if (unit === "]" || unit === "}") {
      if (depth-- === 0) {
        const last = text.slice(start, at).trim();
        if (last !== "") found.push(last);
        return found;
      }
    } else if (unit === "," && depth === 0) {
      found.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return null;
}

/** The one member of an object's text with this name; null where there is none or more than one, or it is no object. */
export function memberOf(text: string, wanted: string): string | null {
  const found = rawMembers(text)?.filter(({ name }) => name === wanted);
  return found?.length === 1 ? found[0]!.value.text : null;
}

/** The place of the quote that ends the string starting at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
