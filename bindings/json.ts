// Turns what callers give into JSON text without losing anything on the way: values that JSON has, or raw text kept exactly.
import { isOneValue, members } from "./cut.ts";
import { InterlockError } from "./errors.ts";

/** A value that JSON has. Members that are `undefined` are taken as absent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue | undefined };
/** An object of JSON values. */
export type JsonObject = { readonly [name: string]: JsonValue | undefined };

/** JSON text that reaches the core as it stands, every digit and every repeated member included. Made by `rawJson`. */
export class RawJson {
  /** The text, as given. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Raw JSON text, for values that should not be read and printed before the check (chapter 1): a model's arguments as they arrived.
 * @param json text, or UTF-8 bytes; nothing is judged here, the core reads it
 * @throws InterlockError `json_encoding` where bytes are not UTF-8, `json_value` where it is neither text nor bytes
 */
export function rawJson(json: string | Uint8Array): RawJson {
  if (typeof json === "string") return new RawJson(json);
  if (!ArrayBuffer.isView(json)) throw new InterlockError("json_value", "raw JSON is text or UTF-8 bytes; a value goes in as it is", { pointer: "" });
  try {
    return new RawJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json));
  } catch (cause) {
    throw new InterlockError("json_encoding", "the bytes are not UTF-8", { cause });
  }
}

/** A member of a JSON text: its name as a string, escapes read, and its value's text as it stands. */
export interface RawMember {
  readonly name: string;
  readonly value: RawJson;
}

/**
 * The members of an object's JSON text, in order and repeated ones included, for hosts that must know which members a request has without reading a digit of them.
 * What is inside the values is not looked at: the core judges the text. Where a strict reader accepts the text, it sees these very members.
 * @returns null where the text is not one object
 */
export function rawMembers(text: string): RawMember[] | null {
  const found = members(text);
  if (found === null) return null;
  try {
    return found.map(({ name, value }) => ({ name: JSON.parse(name) as string, value: new RawJson(value) }));
  } catch {
    return null; // A name that is no JSON string.
  }
}

/** The JSON text of a value. Throws InterlockError `json_value` at the pointer of what JSON does not have, `json_syntax` where raw text is not one value. */
export function jsonText(value: unknown, pointer: string): string {
  if (value instanceof RawJson) {
    if (isOneValue(value.text)) return value.text;
    throw new InterlockError("json_syntax", "the raw text is not one JSON value", { pointer });
  }
  refuseOther(value, pointer, 0);
  return JSON.stringify(value);
}

/** An object's text with the members that are given; `undefined` ones are left out. */
export function objectText(members: Readonly<Record<string, unknown>>): string {
  const parts: string[] = [];
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) parts.push(`${JSON.stringify(name)}:${jsonText(value, `/${token(name)}`)}`);
  }
  return `{${parts.join(",")}}`;
}

/** Deeper than any limit a policy's depth may have; the core then says json_depth itself. */
const DEEPEST = 1024;
/** Parts of the pointer that is told where a value holds itself: enough to find it. */
const SHOWN = 9;

function refuseOther(value: unknown, pointer: string, depth: number): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return;
    throw new InterlockError("json_value", `${value} is no JSON number`, { pointer });
  }
  if (typeof value !== "object") throw new InterlockError("json_value", `JSON has no ${typeof value}${HINTS[typeof value] ?? ""}`, { pointer });
  if (depth === DEEPEST) throw new InterlockError("json_depth", "the value is nested too deep, or holds itself", { pointer: pointer.split("/", SHOWN).join("/") });
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) refuseOther(value[i], `${pointer}/${i}`, depth + 1);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
    throw new InterlockError("json_value", "JSON has plain objects and lists only: say what this one should be, or give raw text with rawJson()", { pointer });
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") throw new InterlockError("json_value", "an object that prints itself (toJSON) is no JSON value", { pointer });
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) refuseOther(member, `${pointer}/${token(name)}`, depth + 1);
  }
}

const HINTS: Record<string, string> = { bigint: ": send it as a string, or as raw text with rawJson()" };

/** A name as a token of a JSON Pointer. */
function token(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
