// The documents of an OpenAPI import: the one that is named, and the files beside it that it refers to; nothing is fetched from a network.
import { nearest } from './nearest.ts';
import { isObject, type JsonObject, type JsonValue, type Place, type PlaceBook, unescapeToken } from './position.ts';
import { type Problem, problemAt, type Saying } from './problems.ts';
import { readSource } from './sources.ts';

/** The version of the specification that says what a document's schemas mean. */
export type Dialect = '3.0' | '3.1';

/** One document: `name` is its path from the folder of the named one, `file` what people know it by. */
export interface Document { name: string; file: string; value: JsonValue; root: Place; dialect: Dialect }

/** A part of a document, with its place and the RFC 6901 pointer that leads to it. */
export interface Part { value: JsonValue; document: Document; place: Place; pointer: string }

/** Reads a file by its path from the folder of the named document. */
export type ReadBeside = (name: string) => Promise<{ file: string; content: string | Uint8Array }>;

/** The most files one import reads. */
export const FILES = 200;
/** How many references may follow one another before something that is none. */
const CHAIN = 32;

export class Documents {
  readonly #read: ReadBeside;
  readonly #book: PlaceBook;
  readonly #problems: Problem[];
  readonly #known = new Map<string, Document | Saying>();

  constructor(read: ReadBeside, book: PlaceBook, problems: Problem[]) {
    this.#read = read;
    this.#book = book;
    this.#problems = problems;
  }

  /** Takes the named document and reads every file that it, or one of those, refers to. A file that cannot be read is told of where it is needed. */
  async load(named: Document): Promise<void> {
    this.#known.set(named.name, named);
    const waiting = [named];
    for (let document = waiting.pop(); document; document = waiting.pop()) {
      for (const reference of referencesOf(document.value)) {
        const name = fileOf(reference, document);
        if (typeof name !== 'string' || this.#known.has(name)) continue;
        const read = await this.read(name, named.dialect);
        this.#known.set(name, read);
        if ('root' in read) waiting.push(read);
      }
    }
  }

  /** The part that a reference leads to, references behind it followed too; null, with a problem at the reference, where there is none. */
  follow(part: Part): Part | null {
    const seen = new Set<unknown>();
    let at = part;
    while (isObject(at.value) && typeof at.value['$ref'] === 'string') {
      const place = this.#book.of(at.value, '$ref')?.value ?? at.place;
      if (seen.has(at.value) || seen.size >= CHAIN) {
        return this.refuse(place, { code: 'openapi_reference', message: `$ref: ${at.value['$ref']} leads back to itself.`, hint: 'Write the part out at one of the places.' });
      }
      seen.add(at.value);
      const next = this.resolve(at.value['$ref'], at.document, place);
      if (!next) return null;
      at = next;
    }
    return at;
  }

  /** The part that one reference names; null, with a problem at `place`, where there is none. */
  resolve(reference: string, from: Document, place: Place): Part | null {
    const name = fileOf(reference, from);
    if (typeof name !== 'string') return this.refuse(place, name);
    const document = this.#known.get(name);
    if (!document || !('root' in document)) return this.refuse(place, document ?? unreadable(name, 'it is not among what was read'));
    const hash = reference.indexOf('#');
    const fragment = hash < 0 ? '' : decoded(reference.slice(hash + 1));
    if (fragment === null || (fragment !== '' && !fragment.startsWith('/'))) {
      return this.refuse(place, { code: 'openapi_unsupported', message: `$ref: ${reference} is no JSON Pointer: anchors are not read.`, hint: 'Write the path to the part: #/components/schemas/NAME.' });
    }
    return this.walk(document, fragment, reference, place);
  }

  private walk(document: Document, pointer: string, reference: string, at: Place): Part | null {
    let value = document.value;
    let place = document.root;
    for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
      const known = typeof value === 'object' && value !== null && Object.hasOwn(value, token) && !(Array.isArray(value) && !/^\d+$/.test(token));
      if (!known) {
        const meant = isObject(value) ? nearest(token, Object.keys(value)) : undefined;
        return this.refuse(at, { code: 'openapi_reference', message: `$ref: ${reference} leads nowhere: there is no ${token} in ${document.file}.`, hint: meant ? `Did you mean ${meant}?` : 'Correct the path, or add the part.' });
      }
      place = this.#book.of(value as object, token)?.value ?? place;
      value = (value as JsonObject)[token]!;
    }
    return { value, document, place, pointer };
  }

  private async read(name: string, dialect: Dialect): Promise<Document | Saying> {
    if (this.#known.size >= FILES) return { code: 'openapi_size', message: `The document refers to more than ${FILES} files.`, hint: 'Put the parts into fewer files.' };
    try {
      const { file, content } = await this.#read(name);
      const read = readSource(file, content, this.#book);
      this.#problems.push(...read.problems);
      if (read.value === undefined) return unreadable(name, 'it has problems of its own');
      return { name, file, value: read.value, root: read.root, dialect: dialectOf(read.value) ?? dialect };
    } catch (error) {
      return unreadable(name, error instanceof Error ? error.message : String(error));
    }
  }

  private refuse(place: Place, saying: Saying): null {
    this.#problems.push(problemAt(place, saying));
    return null;
  }
}

/** The dialect of a document that says its version; undefined where it says none that is read. */
export function dialectOf(value: JsonValue): Dialect | undefined {
  const version = isObject(value) ? value['openapi'] : undefined;
  return typeof version === 'string' ? (/^(3\.[01])(?:\.\d+)?(?:-.*)?$/.exec(version)?.[1] as Dialect | undefined) : undefined;
}

function unreadable(name: string, why: string): Saying {
  return { code: 'source_unreadable', message: `The file ${name} could not be read: ${why}.`, hint: 'Paths of references count from the file that holds them.' };
}

/** Every `$ref` of a document that names a file. Also those in examples: reading a file too many does no harm. */
function referencesOf(root: JsonValue): string[] {
  const found = new Set<string>();
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const reference = isObject(value) ? value['$ref'] : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#')) found.add(reference);
    for (const inner of Object.values(value)) waiting.push(inner);
  }
  return [...found];
}

/** The name of the file that a reference in `from` leads to, or why there is none: only files in the folder of the named document, and below it, are read. */
function fileOf(reference: string, from: Document): string | Saying {
  const path = decoded(reference.split('#', 1)[0]!);
  if (path === '') return from.name;
  if (path === null || /[\0\\?]/.test(path)) return { code: 'openapi_path', message: `$ref: ${reference} is no path of a file.`, hint: 'Write a relative path with forward slashes.' };
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) {
    return { code: 'openapi_remote', message: `$ref: ${reference} leads off this machine: nothing is fetched.`, hint: 'Save that document beside this one, and write its path.' };
  }
  const parts = from.name.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return outside(reference);
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return path.startsWith('/') ? outside(reference) : parts.join('/');
}

function outside(reference: string): Saying {
  return { code: 'openapi_path', message: `$ref: ${reference} leads out of the folder of the document that is imported.`, hint: 'Put the file into that folder, or below it.' };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
