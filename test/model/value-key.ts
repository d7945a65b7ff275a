// Gives every JSON value a key that tells whether two are the same value, numbers by what they say.
import { JsonNumber, type Json } from './json.ts';
import { decimal, decimalKey } from './decimal.ts';

/** Two values are the same JSON value exactly if they have the same key: numbers by value, members in any order. */
export function valueKey(value: Json): string {
  if (value instanceof JsonNumber) return decimalKey(decimal(value.text));
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  if (value instanceof Map) return `{${[...value.keys()].sort().map((n) => `${JSON.stringify(n)}:${valueKey(value.get(n)!)}`).join()}}`;
  return JSON.stringify(value);
}
