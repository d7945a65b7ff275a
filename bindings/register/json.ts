// Reads a JSON source document strictly (chapter 1's rules), keeping the place of every name and value.
import { inexactMessage, inexactness } from './number.ts';
import { emptyObject, type JsonObject, type JsonValue, type Place, PlaceBook, type SourceText } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

/** How many containers may be open at once, as `limits.depth` has it by default. */
export const DEPTH = 128;

/** What a reader gives: the value (undefined where the text has a syntax error), and every problem it met. */
export interface ReadDocument { value: JsonValue | undefined; root: Place; problems: Problem[] }

/**
 * Reads JSON text. A syntax error ends the reading; names given twice, lone surrogates and numbers that a double cannot hold
 * are noted and the reading goes on. Codes: json_syntax, json_duplicate, json_surrogate, json_number, json_depth.
 */
export function readJson(source: SourceText, book: PlaceBook): ReadDocument {
  const reader = new JsonReader(source, book);
  return reader.read();
}

class Stop extends Error {}

class JsonReader {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #book: PlaceBook;
  readonly #problems: Problem[] = [];
  #at = 0;
  #depth = 0;

  constructor(source: SourceText, book: PlaceBook) {
    this.#source = source;
    this.#text = source.text;
    this.#book = book;
  }

  read(): ReadDocument {
    const whole = { source: this.#source, start: 0, end: this.#text.length };
    try {
      this.space();
      const start = this.#at;
      const value = this.value();
      const root = this.place(start);
      this.space();
      if (this.#at < this.#text.length) this.syntax('Text after the end of the JSON value.', 'Keep one value in the file.');
      return { value, root, problems: this.#problems };
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      return { value: undefined, root: whole, problems: this.#problems };
    }
  }

  private value(): JsonValue {
    const text = this.#text;
    const unit = text[this.#at];
    if (unit === '{') return this.object();
    if (unit === '[') return this.array();
    if (unit === '"') return this.string();
    if (unit !== undefined && (unit === '-' || (unit >= '0' && unit <= '9'))) return this.number();
    for (const [word, value] of LITERALS) {
      if (text.startsWith(word, this.#at) && !/[A-Za-z0-9_]/.test(text[this.#at + word.length] ?? '')) {
        this.#at += word.length;
        return value;
      }
    }
    return this.syntax(...this.notAValue(unit));
  }

  private notAValue(unit: string | undefined): [string, string] {
    if (unit === undefined) return ['The text ends where a value should stand.', 'Close every bracket and give every member a value.'];
    if (unit === "'") return ["Strings stand in double quotes in JSON, not in single ones.", 'Write "…".'];
    if (unit === '/' || unit === '#') return ['JSON has no comments.', 'Leave the comment out, or keep the policy as YAML, which has them.'];
    if (unit === ']' || unit === '}') return ['A value is missing here: there is a comma too many, or the value was left out.', 'Leave the comma before the closing bracket out.'];
    if (unit === '\ufeff') return ['The text starts with a byte-order mark.', 'Save the file as UTF-8 without one.'];
    return [`${JSON.stringify(this.word())} is not a JSON value.`, 'Write a string in double quotes, a number, true, false, null, an object or a list.'];
  }

  private object(): JsonObject {
    const object = emptyObject();
    this.enter();
    this.space();
    if (this.take('}')) return this.leave(object);
    for (;;) {
      this.space();
      const nameStart = this.#at;
      if (this.#text[nameStart] !== '"') {
        if (this.#text[nameStart] === '}') this.syntax('There is a comma before the closing brace.', 'Leave the last comma out.');
        this.syntax('A member name in double quotes should stand here.', 'Write "name": value.');
      }
      const name = this.string();
      const namePlace = this.place(nameStart);
      this.space();
      if (!this.take(':')) this.syntax('A colon should stand between a name and its value.', 'Write "name": value.');
      this.space();
      const start = this.#at;
      const value = this.value();
      if (Object.hasOwn(object, name)) {
        this.problem(namePlace, 'json_duplicate', `The member ${JSON.stringify(name)} is given twice in one object.`, 'Keep one of the two.');
      } else {
        object[name] = value;
        this.#book.note(object, name, { name: namePlace, value: this.place(start) });
      }
      this.space();
      if (this.take(',')) continue;
      if (this.take('}')) return this.leave(object);
      this.syntax('A comma or a closing brace should stand here.', 'Separate members with commas, and close the object with }.');
    }
  }

  private array(): JsonValue[] {
    const array: JsonValue[] = [];
    this.enter();
    this.space();
    if (this.take(']')) return this.leave(array);
    for (;;) {
      this.space();
      const start = this.#at;
      array.push(this.value());
      this.#book.note(array, array.length - 1, { value: this.place(start) });
      this.space();
      if (this.take(',')) continue;
      if (this.take(']')) return this.leave(array);
      this.syntax('A comma or a closing bracket should stand here.', 'Separate elements with commas, and close the list with ].');
    }
  }

  private string(): string {
    const start = this.#at;
    STRING.lastIndex = start;
    const found = STRING.exec(this.#text);
    if (!found) return this.badString(start);
    this.#at += found[0].length;
    const text = found[0].includes('\\') ? (JSON.parse(found[0]) as string) : found[0].slice(1, -1);
    if (!text.isWellFormed()) {
      this.problem(this.place(start), 'json_surrogate', 'The string holds half of a surrogate pair.', 'Write the whole pair (\\ud83d\\ude00), or the character itself.');
    }
    return text;
  }

  private badString(start: number): never {
    const rest = this.#text.slice(start + 1).search(/["\n\r]/);
    this.#at = rest < 0 ? this.#text.length : start + 1 + rest;
    const place = this.place(start);
    const closed = this.#text[this.#at] === '"';
    this.problem(place, 'json_syntax', closed ? 'The string holds a control character or an escape that JSON does not have.' : 'The string is not closed on its line.',
      'Write control characters as escapes (\\n, \\t, \\u0001), a backslash as \\\\, and close the string with a double quote.');
    throw new Stop();
  }

  private number(): number {
    const start = this.#at;
    const token = /[-+.0-9eE]*/y;
    token.lastIndex = start;
    const text = token.exec(this.#text)![0];
    this.#at += text.length;
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
      this.problem(this.place(start), 'json_syntax', `${JSON.stringify(text)} is not a JSON number.`, 'Write it like 40, -1.5 or 2e3: no leading zero, no + and digits on both sides of the point.');
      throw new Stop();
    }
    const why = inexactness(text);
    if (why) {
      const said = inexactMessage(text, why);
      this.problem(this.place(start), 'json_number', said.message, said.hint);
    }
    return Number(text);
  }

  private enter(): void {
    if (++this.#depth > DEPTH) {
      this.problem({ source: this.#source, start: this.#at, end: this.#at + 1 }, 'json_depth', `The document is nested deeper than ${DEPTH} objects and lists.`, 'Flatten it.');
      throw new Stop();
    }
    this.#at++;
  }

  private leave<T>(value: T): T {
    this.#depth--;
    return value;
  }

  private space(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)![0].length;
  }

  private take(unit: string): boolean {
    if (this.#text[this.#at] !== unit) return false;
    this.#at++;
    return true;
  }

  private word(): string {
    return /^[A-Za-z0-9_$+.-]+/.exec(this.#text.slice(this.#at, this.#at + 40))?.[0] ?? this.#text[this.#at] ?? '';
  }

  private place(start: number): Place {
    return { source: this.#source, start, end: this.#at };
  }

  private problem(place: Place, code: string, message: string, hint: string): void {
    this.#problems.push(problemAt(place, { code, message, hint }));
  }

  private syntax(message: string, hint: string): never {
    const length = Math.max(1, this.word().length);
    this.problem({ source: this.#source, start: this.#at, end: Math.min(this.#text.length, this.#at + length) }, 'json_syntax', message, hint);
    throw new Stop();
  }
}

const LITERALS: [string, JsonValue][] = [['true', true], ['false', false], ['null', null]];
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
