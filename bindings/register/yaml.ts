// Reads a YAML source document (version 1.2, core schema) into a plain value, keeping the place of every name and value.
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar, visit, type YAMLError } from 'yaml';
import { DEPTH, type ReadDocument } from './json.ts';
import { inexactMessage, inexactness } from './number.ts';
import { emptyObject, type JsonObject, type JsonValue, type Place, PlaceBook, type SourceText } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

/** How many values the aliases of one document may repeat; past it the document is refused as an alias bomb. */
export const REPEATED = 20_000;
/** How many characters of names and strings the aliases of one document may repeat: one long string is a bomb too. */
export const REPEATED_CHARACTERS = 4 * 1024 * 1024;
/** How many problems of one document are told. */
export const PROBLEMS = 1000;

/**
 * Reads YAML text with comments, anchors and aliases. Every problem is noted, and the value is undefined where the text has a syntax error.
 * Codes: yaml_syntax, yaml_duplicate, yaml_key, yaml_tag, yaml_alias, yaml_number, yaml_surrogate, yaml_depth, yaml_empty.
 */
export function readYaml(source: SourceText, book: PlaceBook): ReadDocument {
  const document = parseDocument(source.text, {
    version: '1.2', schema: 'core', strict: true, stringKeys: true, uniqueKeys: false, prettyErrors: false, logLevel: 'error',
  });
  const whole: Place = { source, start: 0, end: source.text.length };
  const problems = libraryProblems(source, [...document.errors, ...document.warnings]);
  if (problems.length > 0) return { value: undefined, root: whole, problems };
  if (!document.contents) {
    problems.push(problemAt({ source, start: 0, end: 0 }, { code: 'yaml_empty', message: 'The document is empty.', hint: 'Start with tenant:, agents: and tools:.' }));
    return { value: undefined, root: whole, problems };
  }
  const walk = new Walk(source, book, problems);
  const value = walk.value(document.contents as Node);
  return { value: walk.stopped ? undefined : value, root: walk.place(document.contents as Node), problems };
}

class Walk {
  readonly #source: SourceText;
  readonly #book: PlaceBook;
  readonly #problems: Problem[];
  readonly #open = new Set<Node>();
  /** The last value of each anchor, as far as the document was walked; and what each alias stood for when it was met. The library would search the document anew for every alias. */
  readonly #anchors = new Map<string, Node>();
  readonly #aliases = new Map<Node, Node | undefined>();
  #repeated = 0;
  #characters = 0;
  #inAlias = 0;
  #site: Node | null = null;
  stopped = false;

  constructor(source: SourceText, book: PlaceBook, problems: Problem[]) {
    this.#source = source;
    this.#book = book;
    this.#problems = problems;
  }

  value(node: Node | null): JsonValue {
    if (this.stopped || node === null) return null;
    if (this.#inAlias === 0) this.anchored(node);
    else if (++this.#repeated > REPEATED) return this.bomb(node, `${REPEATED} values`);
    if (isAlias(node)) return this.alias(node);
    if (isScalar(node)) return this.scalar(node);
    if (this.#open.size >= DEPTH) {
      this.problem(node, 'yaml_depth', `The document is nested deeper than ${DEPTH} mappings and lists.`, 'Flatten it.');
      this.stopped = true;
      return null;
    }
    this.#open.add(node);
    const value = isMap(node) ? this.mapping(node.items as Pair<Node, Node | null>[]) : isSeq(node) ? this.list(node.items as (Node | null)[]) : null;
    this.#open.delete(node);
    return value;
  }

  place(node: Node): Place {
    const [start, end] = node.range ?? [0, 0];
    return { source: this.#source, start, end: Math.max(start, end) };
  }

  private alias(node: Node & { source: string }): JsonValue {
    const target = this.meant(node);
    if (!target || this.#open.has(target)) {
      this.problem(node, 'yaml_alias', target ? `*${node.source} stands inside the value it repeats.` : `No anchor &${node.source} comes before this alias.`,
        target ? 'Write the value out.' : `Put &${node.source} on an earlier value, or write the value out.`);
      return null;
    }
    this.#inAlias++;
    this.#site ??= node;
    const value = this.value(target);
    if (--this.#inAlias === 0) this.#site = null;
    return value;
  }

  /** Notes a value's anchor. Values are met in the order of the text, so that an alias finds the last one before it. */
  private anchored(node: Node): void {
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  /** A value that is not taken still has the anchors that come after it. */
  private passOver(value: Node | null): void {
    if (value !== null && this.#inAlias === 0) visit(value, { Node: (_, node) => this.anchored(node as Node) });
  }

  /** What an alias stands for; the same again where it is inside of what another one repeats. */
  private meant(node: Node & { source: string }): Node | undefined {
    if (!this.#aliases.has(node)) this.#aliases.set(node, this.#anchors.get(node.source));
    return this.#aliases.get(node);
  }

  /** Refuses a document whose aliases repeat too much. */
  private bomb(node: Node, what: string): null {
    this.problem(this.#site ?? node, 'yaml_alias', `The document's aliases repeat more than ${what}.`, 'Write the parts out, or use fewer aliases.');
    this.stopped = true;
    return null;
  }

  /** Counts the characters of a name or string that an alias repeats. */
  private repeats(node: Node, text: string): string {
    if (this.#inAlias > 0 && !this.stopped && (this.#characters += text.length) > REPEATED_CHARACTERS) this.bomb(node, `${REPEATED_CHARACTERS} characters`);
    return text;
  }

  private mapping(items: Pair<Node, Node | null>[]): JsonObject {
    const object = emptyObject();
    for (const { key, value } of items) {
      if (this.stopped) break;
      const name = this.name(key);
      if (name === undefined) {
        this.passOver(value);
        continue;
      }
      if (name === '<<') {
        this.problem(key, 'yaml_key', 'Merge keys (<<) are not part of YAML 1.2.', 'Repeat the members, or use an alias for a whole value.');
        this.passOver(value);
        continue;
      }
      if (Object.hasOwn(object, name)) {
        this.problem(key, 'yaml_duplicate', `The member ${JSON.stringify(name)} is given twice in one mapping.`, 'Keep one of the two.');
        this.passOver(value);
        continue;
      }
      const namePlace = this.place(key);
      object[name] = this.value(value);
      this.#book.note(object, name, { name: namePlace, value: value?.range && value.range[1] > value.range[0] ? this.place(value) : namePlace });
    }
    return object;
  }

  private name(key: Node): string | undefined {
    if (this.#inAlias === 0) this.anchored(key);
    const node = isAlias(key) ? this.meant(key) : key;
    if (isScalar(node)) {
      const name = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
      if (name.isWellFormed()) return this.repeats(key, name);
      this.problem(key, 'yaml_surrogate', 'The name holds half of a surrogate pair.', 'Write the character itself.');
      return undefined;
    }
    this.problem(key, 'yaml_key', 'A member name is a string.', 'Write name: value.');
    return undefined;
  }

  private list(items: (Node | null)[]): JsonValue[] {
    const array: JsonValue[] = [];
    for (const item of items) {
      if (this.stopped) break;
      array.push(this.value(item));
      if (item) this.#book.note(array, array.length - 1, { value: this.place(item) });
    }
    return array;
  }

  private scalar(node: Scalar): JsonValue {
    const value = node.value;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) this.problem(node, 'yaml_surrogate', 'The string holds half of a surrogate pair.', 'Write the character itself.');
      return this.repeats(node, value);
    }
    if (typeof value === 'number') return this.number(node, value);
    this.problem(node, 'yaml_tag', 'This value has no counterpart in JSON.', 'Write a string, a number, true, false, null, a mapping or a list.');
    return null;
  }

  private number(node: Scalar, value: number): number {
    const text = node.source ?? String(value);
    if (/^[-+]?\.?(?:inf|nan)$/i.test(text)) {
      this.problem(node, 'yaml_number', `${text} is not a JSON number.`, 'Leave the bound out, or put quotes around a word.');
      return 0;
    }
    const plain = /^0[xo]/.test(text) ? BigInt(text).toString() : text;
    const why = inexactness(plain);
    if (why) {
      const said = inexactMessage(text, why);
      this.problem(node, 'yaml_number', said.message, said.hint);
    }
    return value;
  }

  private problem(node: Node, code: string, message: string, hint: string): void {
    if (this.#problems.length >= PROBLEMS) {
      this.stopped = true;
      return;
    }
    this.#problems.push(problemAt(this.place(node), { code, message, hint }));
  }
}

/** The first problem of each line: what follows on the same line is usually its echo. */
function libraryProblems(source: SourceText, errors: readonly YAMLError[]): Problem[] {
  const lines = new Set<number>();
  return errors.slice(0, PROBLEMS).map((error) => libraryProblem(source, error)).filter(({ line }) => !lines.has(line) && lines.add(line));
}

function libraryProblem(source: SourceText, error: YAMLError): Problem {
  const [start, end] = error.pos;
  const place = { source, start, end: Math.max(start, end) };
  if (/call stack/i.test(error.message)) return problemAt(place, { code: 'yaml_depth', message: `The document is nested deeper than ${DEPTH} mappings and lists.`, hint: 'Flatten it.' });
  if (/indicator/.test(error.message)) return problemAt(place, { code: 'yaml_syntax', message: sentence(error.message), hint: 'Give items of one list, and members of one mapping, the same indentation.' });
  const [code, hint] = SAID[error.code] ?? ['yaml_syntax', 'See the YAML 1.2 rules for this place; when in doubt, put the text in double quotes.'];
  return problemAt(place, { code, message: sentence(error.message), hint });
}

function sentence(text: string): string {
  const first = text.split('\n', 1)[0]!.trim();
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** The library's error codes that have a code or hint of their own here. */
const SAID: Record<string, [string, string]> = {
  TAG_RESOLVE_FAILED: ['yaml_tag', 'Leave the tag (!…) out: values are plain strings, numbers, true, false, null, mappings and lists.'],
  BAD_ALIAS: ['yaml_alias', 'Put the anchor (&name) on an earlier value, or write the value out.'],
  NON_STRING_KEY: ['yaml_key', 'Write name: value, the name in quotes where it holds special characters.'],
  TAB_AS_INDENT: ['yaml_syntax', 'Indent with spaces, not tabs.'],
  BAD_INDENT: ['yaml_syntax', 'Give members of one mapping the same indentation.'],
  MULTIPLE_DOCS: ['yaml_syntax', 'Keep one document in the file: leave out the second ---.'],
  MISSING_CHAR: ['yaml_syntax', 'Close the quote, bracket or brace that is open, or put the text in double quotes.'],
  BLOCK_AS_IMPLICIT_KEY: ['yaml_syntax', 'Put the text in double quotes: it holds a colon followed by a space.'],
  BAD_SCALAR_START: ['yaml_syntax', 'Put the text in double quotes: a plain value cannot start with this character.'],
};
