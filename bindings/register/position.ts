// Remembers where in a source text each value and member name stands, so that a JSON Pointer can be turned into file, line and column.

/** A value as JSON has it. Objects made by the readers have no prototype, so that a member `__proto__` is a member. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject { [name: string]: JsonValue }

/** Narrows a value to an object of members. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A new object without a prototype. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** A line and a column, both from 1, columns in UTF-16 code units as editors count them. */
export interface LineColumn { line: number; column: number }

/** One source document: its name as shown to people, and its text. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  #starts: number[] | null = null;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The line and column of an offset (UTF-16 code units from the start of the text). */
  at(offset: number): LineColumn {
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  /** The text of a line (from 1), without its line end; undefined past the last. */
  line(number: number): string | undefined {
    const starts = this.starts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/\r?\n$|\r$/, '');
  }

  private starts(): number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    for (let i = 0; i < this.text.length; i++) {
      const unit = this.text.charCodeAt(i);
      if (unit === 10 || (unit === 13 && this.text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
    }
    return (this.#starts = starts);
  }
}

/** A stretch of a source text; `end` is the offset after it. */
export interface Place { source: SourceText; start: number; end: number }

/** Where one member or element stands: its value, and its name where it has one. */
export interface MemberPlace { name?: Place | undefined; value: Place }

/** Where a pointer leads in the sources. `found` is false where only a parent of it stands in a text. */
export interface Position {
  file: string; line: number; column: number; endLine: number; endColumn: number; found: boolean; place: Place;
}

/** The places of the members of every container that was read, by the container's identity: a part moved into another document keeps its places. */
export class PlaceBook {
  readonly #members = new WeakMap<object, Map<string, MemberPlace>>();

  /** Notes where a member (or element, its index as a decimal) of a container stands. */
  note(container: object, name: string | number, place: MemberPlace): void {
    let members = this.#members.get(container);
    if (!members) this.#members.set(container, (members = new Map()));
    members.set(String(name), place);
  }

  /** Where a member of a container stands, if it was read from a text. */
  of(container: object, name: string | number): MemberPlace | undefined {
    return this.#members.get(container)?.get(String(name));
  }

  /** Sets a member of `to`, with the place that a member of `from` has. */
  carry(from: object, fromName: string | number, to: object, toName: string | number): void {
    const place = this.of(from, fromName);
    if (place) this.note(to, toName, place);
  }
}

/** One read document with the places of all its parts. */
export class Positions {
  readonly value: JsonValue;
  readonly root: Place;
  readonly book: PlaceBook;

  constructor(value: JsonValue, root: Place, book: PlaceBook) {
    this.value = value;
    this.root = root;
    this.book = book;
  }

  /**
   * Where an RFC 6901 pointer leads. `part` says whether the member's name or its value is wanted (`name` falls back on the value).
   * A pointer to something that no text holds gives the nearest parent that one does.
   */
  at(pointer: string, part: 'name' | 'value' = 'value'): Position {
    const tokens = pointer === '' ? [] : pointer.slice(1).split('/').map(unescapeToken);
    let value: JsonValue = this.value;
    let place = this.root;
    let found = true;
    for (const [index, token] of tokens.entries()) {
      if (typeof value !== 'object' || value === null) { found = false; break; }
      const member = this.book.of(value, token);
      const last = index === tokens.length - 1;
      const next = member && last && part === 'name' ? (member.name ?? member.value) : member?.value;
      const inner: JsonValue | undefined = Array.isArray(value) ? value[Number(token)] : value[token];
      if (next) place = next;
      else found = false;
      if (inner === undefined) { found = false; break; }
      if (next) found = true;
      value = inner;
    }
    return { ...positionOf(place), found };
  }
}

/** Line and column of a place's start and end. */
export function positionOf(place: Place): Position {
  const start = place.source.at(place.start);
  const end = place.source.at(Math.max(place.start, place.end));
  return { file: place.source.file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, found: true, place };
}

/** A name as a token of an RFC 6901 pointer. */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name that a token of an RFC 6901 pointer stands for. */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
