// The strict JSON reader, the value model and the canonical printer of chapter 1, written out plainly.

/** A JSON number: its source text, the nearest double, and whether reading it so changes what it says (chapter 1, Numbers). */
export class JsonNumber {
  readonly text: string;
  readonly value: number;
  readonly inexact: boolean;
  /** Offset in bytes of the number token in the text it was read from; -1 for a number made here. */
  readonly offset: number;

  constructor(text: string, offset = -1) {
    this.text = text;
    this.value = Number(text);
    this.inexact = isInexact(text);
    this.offset = offset;
  }

  static of(value: number): JsonNumber {
    return new JsonNumber(Object.is(value, -0) ? "-0" : String(value));
  }
}

/** A value as chapter 1 reads it; an object is a Map with its members in source order. */
export type Json = null | boolean | string | JsonNumber | Json[] | Map<string, Json>;
export type JsonObject = Map<string, Json>;

/** A refusal to read: `code` of chapter 1's table, `offset` in bytes, `pointer` (RFC 6901) to the innermost value being read. */
export class JsonError extends Error {
  constructor(readonly code: string, readonly offset: number, readonly pointer: string, message = code) {
    super(message);
  }
}

export interface Limits { depth: number; bytes: number }
export const DEFAULT_LIMITS: Limits = { depth: 128, bytes: 8388608 };
export const NO_LIMITS: Limits = { depth: Infinity, bytes: Infinity };

/** Reads one JSON text (UTF-8 bytes). Throws JsonError. Inexact numbers are read and marked; who reads decides about them. */
export function read(bytes: Uint8Array, limits: Limits = DEFAULT_LIMITS): Json {
  // Where several errors hold: json_size, then json_encoding, then the one with the lowest offset.
  if (bytes.length > limits.bytes) throw new JsonError("json_size", limits.bytes, "");
  const bad = firstIllFormed(bytes);
  if (bad !== -1) throw new JsonError("json_encoding", bad, "");
  return new Reader(bytes, limits.depth).whole();
}

/** Reads a text without limits, and gives the bytes of each top-level member's value as they stand in it. Throws JsonError. */
export function readMembers(bytes: Uint8Array): { value: Json; texts: Map<string, Uint8Array> } {
  const bad = firstIllFormed(bytes);
  if (bad !== -1) throw new JsonError("json_encoding", bad, "");
  const reader = new Reader(bytes, Infinity);
  reader.spans = new Map();
  const value = reader.whole();
  return { value, texts: new Map([...reader.spans].map(([name, [from, to]]) => [name, bytes.slice(from, to)])) };
}

/** The inexact numbers of a value in document order, each with its pointer. */
export function inexactNumbers(value: Json, pointer = ""): { pointer: string; number: JsonNumber }[] {
  if (value instanceof JsonNumber) return value.inexact ? [{ pointer, number: value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, i) => inexactNumbers(item, `${pointer}/${i}`));
  if (value instanceof Map) return [...value].flatMap(([name, item]) => inexactNumbers(item, `${pointer}/${escapeToken(name)}`));
  return [];
}

/** Reads a text in which an inexact number anywhere is the error `json_number` (lowest offset first). */
export function readExact(bytes: Uint8Array, limits: Limits = DEFAULT_LIMITS): Json {
  const value = read(bytes, limits);
  const [first] = inexactNumbers(value);
  if (first) throw new JsonError("json_number", first.number.offset, first.pointer);
  return value;
}

/** One reference token of a JSON Pointer (RFC 6901 section 3). */
export function escapeToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Order by UTF-16 code units, which is how JavaScript compares strings. */
export function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The canonical text (RFC 8785); an inexact number stands as its source text. */
export function canonical(value: Json): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return quote(value);
  if (value instanceof JsonNumber) return value.inexact ? value.text : String(Object.is(value.value, -0) ? 0 : value.value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const names = [...value.keys()].sort(byUnits);
  return `{${names.map((name) => `${quote(name)}:${canonical(value.get(name) as Json)}`).join(",")}}`;
}

export function canonicalBytes(value: Json): Uint8Array {
  return new TextEncoder().encode(canonical(value));
}

/** Builds a Json value from plain JavaScript; members that are undefined are left out, Json values pass through. */
export function json(value: unknown): Json {
  if (value === null || typeof value === "boolean" || typeof value === "string" || value instanceof JsonNumber) return value;
  if (typeof value === "number") return JsonNumber.of(value);
  if (Array.isArray(value)) return value.map(json);
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value as object);
  return new Map(members.filter(([, item]) => item !== undefined).map(([name, item]) => [name, json(item)]));
}

/** True where both values have one canonical text. */
export function same(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

export const isObject = (v: Json | undefined): v is JsonObject => v instanceof Map;
export const isInteger = (v: Json | undefined): v is JsonNumber => v instanceof JsonNumber && Number.isInteger(v.value) && Math.abs(v.value) <= 2 ** 53;

const SHORT: Record<string, string> = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quote(text: string): string {
  if (!/["\\\u0000-\u001f]/.test(text)) return `"${text}"`;
  let out = '"';
  for (const unit of text) {
    const short = SHORT[unit];
    if (short !== undefined) out += short;
    else if (unit < " ") out += `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    else out += unit;
  }
  return `${out}"`;
}

/** A decimal text as (digits without leading or trailing zeros, power of ten); zero is digits "". */
export function decimal(text: string): { negative: boolean; digits: string; power: bigint } {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) as RegExpExecArray;
  const fraction = parts[3] ?? "";
  let digits = (parts[2] + fraction).replace(/^0+/, "");
  let power = BigInt((parts[4] ?? "0").replace(/^\+/, "")) - BigInt(fraction.length);
  const kept = digits.replace(/0+$/, "");
  power += BigInt(digits.length - kept.length);
  digits = kept;
  return { negative: parts[1] === "-", digits, power: digits === "" ? 0n : power };
}

/** Chapter 1: it overflows, it is not zero and the double is, or it is an integer and what the double prints as is another one. */
function isInexact(text: string): boolean {
  const said = decimal(text);
  const value = Number(text);
  if (!Number.isFinite(value)) return true;
  if (said.digits === "") return false;
  if (value === 0) return true;
  if (said.power < 0n) return false; // not an integer
  const printed = decimal(String(value));
  return printed.digits !== said.digits || printed.power !== said.power;
}

/** The first byte of the first ill-formed UTF-8 sequence, or of a byte-order mark at the start; -1 where all is well. */
function firstIllFormed(bytes: Uint8Array): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 0;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i];
    const more = lead < 0x80 ? 0 : lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : -1;
    if (more === -1) return i;
    for (let k = 1; k <= more; k++) {
      if (i + k >= bytes.length || (bytes[i + k] & 0xc0) !== 0x80) return i;
    }
    const second = bytes[i + 1];
    if (lead === 0xe0 && second < 0xa0) return i; // overlong
    if (lead === 0xed && second > 0x9f) return i; // surrogate code point
    if (lead === 0xf0 && second < 0x90) return i; // overlong
    if (lead === 0xf4 && second > 0x8f) return i; // above U+10FFFF
    i += more + 1;
  }
  return -1;
}

const isNumberByte = (c: string) => c !== "" && "0123456789+-.eE".includes(c);
const isLetter = (c: string) => /^[A-Za-z]$/.test(c);
const ESCAPES: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Recursive descent over bytes; a token is judged whole, so the first error met is the one with the lowest offset. */
class Reader {
  at = 0;
  spans: Map<string, [number, number]> | null = null;

  constructor(readonly bytes: Uint8Array, readonly depth: number) {}

  whole(): Json {
    const value = this.value("", 0);
    this.space();
    if (this.at < this.bytes.length) this.syntax(this.at, "");
    return value;
  }

  char(i = this.at): string {
    return i < this.bytes.length ? String.fromCharCode(this.bytes[i]) : "";
  }

  space(): void {
    while (this.at < this.bytes.length && " \t\n\r".includes(this.char())) this.at++;
  }

  /** At the end of the text what was read is the beginning of something valid: the offset is the length. */
  syntax(offset: number, pointer: string): never {
    throw new JsonError("json_syntax", Math.min(offset, this.bytes.length), pointer);
  }

  value(pointer: string, open: number): Json {
    this.space();
    const c = this.char();
    if (c === "") this.syntax(this.bytes.length, pointer);
    if (c === "{" || c === "[") {
      if (open + 1 > this.depth) throw new JsonError("json_depth", this.at, pointer);
      return c === "{" ? this.object(pointer, open + 1) : this.array(pointer, open + 1);
    }
    if (c === '"') return this.string(pointer);
    if (isNumberByte(c) && !isLetter(c)) return this.number(pointer);
    if (isLetter(c)) return this.literal(pointer);
    this.syntax(this.at, pointer);
  }

  object(pointer: string, open: number): Json {
    const members: JsonObject = new Map();
    this.at++;
    this.space();
    if (this.char() === "}") return this.at++, members;
    for (;;) {
      this.space();
      if (this.char() !== '"') this.syntax(this.at, pointer);
      const start = this.at;
      const name = this.string(pointer);
      if (members.has(name)) throw new JsonError("json_duplicate", start, pointer);
      this.space();
      if (this.char() !== ":") this.syntax(this.at, pointer);
      this.at++;
      this.space();
      const from = this.at;
      members.set(name, this.value(`${pointer}/${escapeToken(name)}`, open));
      if (open === 1 && this.spans) this.spans.set(name, [from, this.at]);
      this.space();
      const c = this.char();
      if (c !== "," && c !== "}") this.syntax(this.at, pointer);
      this.at++;
      if (c === "}") return members;
    }
  }

  array(pointer: string, open: number): Json {
    const items: Json[] = [];
    this.at++;
    this.space();
    if (this.char() === "]") return this.at++, items;
    for (;;) {
      items.push(this.value(`${pointer}/${items.length}`, open));
      this.space();
      const c = this.char();
      if (c !== "," && c !== "]") this.syntax(this.at, pointer);
      this.at++;
      if (c === "]") return items;
    }
  }

  literal(pointer: string): Json {
    const start = this.at;
    let end = start;
    while (isLetter(this.char(end))) end++;
    const word = Buffer.from(this.bytes.subarray(start, end)).toString("latin1");
    this.at = end;
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    const begins = ["true", "false", "null"].some((full) => full.startsWith(word));
    if (begins) this.syntax(end, pointer); // cut short: the next byte, or the end of the text, is what cannot stand here
    this.syntax(start, pointer);
  }

  number(pointer: string): Json {
    const start = this.at;
    let end = start;
    while (isNumberByte(this.char(end))) end++;
    const text = Buffer.from(this.bytes.subarray(start, end)).toString("latin1");
    this.at = end;
    if (/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) return new JsonNumber(text, start);
    // The beginning of a number: the byte after the token is what cannot stand there.
    if (/^-?$|^-?(0|[1-9][0-9]*)(\.|(\.[0-9]+)?[eE][+-]?)$/.test(text)) this.syntax(end, pointer);
    this.syntax(start, pointer);
  }

  string(pointer: string): string {
    const start = this.at;
    const units: number[] = []; // bytes of the unescaped text, UTF-8
    let i = start + 1;
    const end = () => this.syntax(this.bytes.length, pointer);
    while (i < this.bytes.length && this.bytes[i] !== 0x22 && this.bytes[i] !== 0x5c && this.bytes[i] >= 0x20) i++;
    if (this.bytes[i] === 0x22) {
      this.at = i + 1; // no escape in it
      return Buffer.from(this.bytes.subarray(start + 1, i)).toString("utf8");
    }
    i = start + 1;
    for (;;) {
      const c = this.char(i);
      if (c === "") end();
      if (c === '"') break;
      if (c < " ") this.syntax(start, pointer);
      if (c !== "\\") {
        units.push(this.bytes[i++]);
        continue;
      }
      const e = this.char(i + 1);
      if (e === "") end();
      if (ESCAPES[e] !== undefined) {
        units.push(ESCAPES[e].charCodeAt(0));
        i += 2;
        continue;
      }
      if (e !== "u") this.syntax(start, pointer);
      const unit = this.hex4(i + 2, start, pointer);
      i += 6;
      if (unit >= 0xdc00 && unit <= 0xdfff) throw new JsonError("json_surrogate", start, pointer);
      if (unit >= 0xd800 && unit <= 0xdbff) {
        const low = this.lowEscape(i);
        if (low === "cut") end();
        if (low === null) throw new JsonError("json_surrogate", start, pointer);
        units.push(...Buffer.from(String.fromCharCode(unit, low as number), "utf8"));
        i += 6;
      } else units.push(...Buffer.from(String.fromCharCode(unit), "utf8"));
    }
    this.at = i + 1;
    return Buffer.from(units).toString("utf8");
  }

  hex4(i: number, start: number, pointer: string): number {
    for (let k = 0; k < 4; k++) {
      const c = this.char(i + k);
      if (c === "") this.syntax(this.bytes.length, pointer);
      if (!/^[0-9a-fA-F]$/.test(c)) this.syntax(start, pointer);
    }
    return parseInt(Buffer.from(this.bytes.subarray(i, i + 4)).toString("latin1"), 16);
  }

  /** The low surrogate escape at i; null where none stands there; "cut" where the text ends inside what could be one. */
  lowEscape(i: number): number | null | "cut" {
    const text = Buffer.from(this.bytes.subarray(i, i + 6)).toString("latin1");
    if (/^\\u[dD][c-fC-F][0-9a-fA-F]{2}$/.test(text)) return parseInt(text.slice(2), 16);
    const atEnd = i + text.length === this.bytes.length && text.length < 6;
    if (atEnd && /^(\\(u([dD]([c-fC-F][0-9a-fA-F]?)?)?)?)?$/.test(text)) return "cut";
    return null;
  }
}
