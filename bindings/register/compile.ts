// Turns source documents into the policy that the core registers: imports are read, words are laid over imported tools, and every part keeps its place.
import { type Entry, Imports, isImport } from './imports.ts';
import { nearest } from './nearest.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, type Place, PlaceBook, Positions } from './position.ts';
import { type Problem, problemAt, problemOf, type Saying, sortProblems } from './problems.ts';
import { readSource } from './sources.ts';

/** An MCP server to start over stdio and ask for its tools. `timeout` in seconds. */
export interface Server { command: string; args: string[]; env: Record<string, string>; cwd?: string; timeout: number }

/** What compiling needs from where it runs. Each rejects with an Error whose message says what went wrong, for people. */
export interface Surroundings {
  /** The content of the file at `path`, seen from the file `from`, and the name people know it by. */
  read(path: string, from: string): Promise<{ file: string; content: string | Uint8Array }>;
  /** The JSON text of a server's whole tools/list result. Absent where no server may be started. */
  list?(server: Server, from: string): Promise<string>;
}

/** Which server tool stands behind a tool of the catalogue; of an MCP listing, its entry there as JSON text. */
export interface Imported { tool: string; name: string; source: string; listing?: string }

export interface Compiled {
  /** The policy's members, defaults left out; null where a problem is an error. */
  policy: JsonObject | null;
  /** The same, as far as it could be read in spite of errors, for the core to judge too. */
  draft: JsonObject | null;
  /** The policy as JSON text; empty where `policy` is null. */
  text: string;
  /** The remote schemas, by URI. */
  documents: Record<string, JsonValue>;
  problems: Problem[];
  positions: Positions | null;
  imported: Imported[];
  /** An import failed: names that seem unknown may only be missing for that reason. */
  incomplete: boolean;
}

/**
 * Compiles the policy in `file`. Every problem of the sources is in `problems`, at its place; what the policy means is judged by the core afterwards.
 * Codes beside the readers': source_unreadable, source_unsupported, source_document, policy_type, policy_missing, policy_unknown_member, policy_duplicate_tool,
 * those of imports (listing.ts, openapi.ts, module.ts; mcp_server, mcp_changed, mcp_tool_unknown, openapi_tool_unknown, module_tool_unknown), and the warning policy_overlay.
 */
export async function compile(file: string, content: string | Uint8Array, surroundings: Surroundings): Promise<Compiled> {
  const book = new PlaceBook();
  const read = readSource(file, content, book);
  if (read.value === undefined) return nothing(read.problems);
  const compiler = new Compiler(file, surroundings, book, read.problems);
  if (!isObject(read.value)) {
    return nothing([...read.problems, problemAt(read.root, { code: 'policy_type', message: 'A policy is an object of members.', hint: 'Start with tenant:, agents: and tools:.', pointer: '' })]);
  }
  const draft = await compiler.policy(read.value);
  const problems = sortProblems(compiler.problems);
  const policy = problems.some(({ severity }) => severity === 'error') ? null : draft;
  return {
    policy, draft, text: policy ? JSON.stringify(policy) : '', documents: compiler.documents, problems,
    positions: new Positions(draft, read.root, book), imported: compiler.imported, incomplete: compiler.imports.incomplete,
  };
}

function nothing(problems: Problem[]): Compiled {
  return { policy: null, draft: null, text: '', documents: {}, problems: sortProblems(problems), positions: null, imported: [], incomplete: true };
}

class Compiler {
  readonly problems: Problem[];
  readonly documents: JsonObject = emptyObject();
  readonly imports: Imports;
  readonly imported: Imported[] = [];
  readonly #file: string;
  readonly #surroundings: Surroundings;
  readonly #book: PlaceBook;

  constructor(file: string, surroundings: Surroundings, book: PlaceBook, problems: Problem[]) {
    this.#file = file;
    this.#surroundings = surroundings;
    this.#book = book;
    this.problems = [...problems];
    this.imports = new Imports(file, surroundings, book, this.problems);
  }

  async policy(source: JsonObject): Promise<JsonObject> {
    const policy = emptyObject();
    if (!Object.hasOwn(source, 'format')) policy['format'] = 'qls-policy/1';
    for (const name of Object.keys(source)) {
      if (name === 'documents') continue;
      policy[name] = name === 'tools' && Array.isArray(source['tools']) ? await this.tools(source['tools']) : source[name]!;
      this.#book.carry(source, name, policy, name);
    }
    if (Object.hasOwn(source, 'documents')) await this.readDocuments(source);
    return policy;
  }

  /** The catalogue: imports take the place where they are written, and an own entry with an imported tool's name is laid over it. */
  private async tools(list: JsonValue[]): Promise<JsonValue[]> {
    const imports = await Promise.all(list.map((entry, index) => (isImport(entry) ? this.imports.import(entry, this.place(list, index)) : null)));
    const entries: Entry[] = [];
    const first = new Map<string, Entry>();
    for (const found of imports) for (const entry of found ?? []) {
      this.imported.push(entry.imported!);
      const name = (entry.tool as JsonObject)['name'] as string;
      if (!first.has(name)) first.set(name, entry);
    }
    const laid = new Set<string>();
    for (const [index, tool] of list.entries()) {
      const listed = imports[index];
      if (listed) {
        entries.push(...listed);
        continue;
      }
      const name = isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : undefined;
      const under = name === undefined ? undefined : first.get(name);
      if (!under) {
        if (first.size > 0 && isObject(tool)) this.strangeWords(tool, first);
        entries.push({ tool, place: this.#book.of(list, index)?.value });
      } else if (laid.has(name!)) {
        this.say(this.#book.of(tool as JsonObject, 'name')?.value, { code: 'policy_duplicate_tool', message: `Words are laid over ${name} twice.`, hint: 'Put all of them in one entry.' });
      } else {
        laid.add(name!);
        this.layOver(under.tool as JsonObject, tool as JsonObject);
      }
    }
    const out: JsonValue[] = [];
    for (const { tool, place } of entries) {
      if (place) this.#book.note(out, out.length, { value: place });
      out.push(tool);
    }
    return out;
  }

  private layOver(under: JsonObject, words: JsonObject): void {
    for (const name of Object.keys(words)) {
      under[name] = words[name]!;
      this.#book.carry(words, name, under, name);
    }
  }

  /** An entry that only adds words, beside imports none of which has its name, was probably meant for one of them. */
  private strangeWords(tool: JsonObject, first: ReadonlyMap<string, Entry>): void {
    const name = tool['name'];
    if (typeof name !== 'string' || Object.hasOwn(tool, 'parameters') || Object.hasOwn(tool, 'description')) return;
    const meant = nearest(name, first.keys());
    this.say(this.#book.of(tool, 'name')?.value, {
      code: 'policy_overlay', severity: 'warning', message: `No imported tool is named ${name}: this entry is a tool of its own, without parameters.`,
      hint: meant ? `Did you mean ${meant}?` : 'Give it parameters and a description, or the name of an imported tool.',
    });
  }

  private async readDocuments(source: JsonObject): Promise<void> {
    const documents = source['documents']!;
    const place = this.#book.of(source, 'documents')?.value;
    if (!isObject(documents)) {
      this.say(place, { code: 'policy_type', message: 'documents: is an object of URIs, each with the path of a file or the schema itself.', hint: 'Write documents: {"https://example.com/money.json": ./money.json}.', pointer: '/documents' });
      return;
    }
    await Promise.all(Object.keys(documents).map(async (uri) => {
      const path = documents[uri]!;
      const at = this.#book.of(documents, uri)?.value ?? place;
      if (isObject(path) || typeof path === 'boolean') {
        this.documents[uri] = path;
        return;
      }
      if (typeof path !== 'string') {
        this.say(at, { code: 'policy_type', message: 'A document is the path of its file, or the schema itself.', hint: 'Write the path of a JSON or YAML file.' });
        return;
      }
      try {
        const { file, content } = await this.#surroundings.read(path, this.#file);
        const read = readSource(file, content, this.#book);
        this.problems.push(...read.problems);
        if (read.value !== undefined) this.documents[uri] = read.value;
      } catch (error) {
        this.say(at, { code: 'source_unreadable', message: `The document ${path} could not be read: ${said(error)}`, hint: 'Paths count from this file.' });
      }
    }));
  }

  private place(container: object, index: number): Place {
    return this.#book.of(container, index)!.value;
  }

  private say(place: Place | undefined, saying: Saying): void {
    this.problems.push(place ? problemAt(place, saying) : problemOf(this.#file, saying));
  }
}

function said(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
