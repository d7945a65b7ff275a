// Turns source documents into the policy that the core registers: imports are read, words are laid over imported tools, and every part keeps its place.
import { type ListedTool, readListing, rounded } from './listing.ts';
import { type TableName, TABLES } from './members.ts';
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

/** Which server tool stands behind a tool of the catalogue. */
export interface Imported { tool: string; name: string; source: string }

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
 * mcp_listing, mcp_tool_unknown, mcp_server, mcp_changed, and the warnings mcp_unapproved, mcp_more, mcp_annotations, mcp_rounded, policy_overlay.
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
    positions: new Positions(draft, read.root, book), imported: compiler.imported, incomplete: compiler.incomplete,
  };
}

function nothing(problems: Problem[]): Compiled {
  return { policy: null, draft: null, text: '', documents: {}, problems: sortProblems(problems), positions: null, imported: [], incomplete: true };
}

interface Entry { tool: JsonValue; place: Place | undefined }

class Compiler {
  readonly problems: Problem[];
  readonly documents: JsonObject = emptyObject();
  readonly imported: Imported[] = [];
  incomplete = false;
  readonly #file: string;
  readonly #surroundings: Surroundings;
  readonly #book: PlaceBook;

  constructor(file: string, surroundings: Surroundings, book: PlaceBook, problems: Problem[]) {
    this.#file = file;
    this.#surroundings = surroundings;
    this.#book = book;
    this.problems = [...problems];
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
    const imports = await Promise.all(list.map((entry, index) => (isImport(entry) ? this.import(entry, this.place(list, index)) : null)));
    const entries: Entry[] = [];
    const first = new Map<string, Entry>();
    for (const found of imports) for (const entry of found ?? []) {
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

  private async import(entry: JsonObject, place: Place): Promise<Entry[]> {
    const good = this.shape('import', entry, place);
    if (Object.hasOwn(entry, 'name')) {
      this.say(this.#book.of(entry, 'name')?.name ?? place, { code: 'policy_unknown_member', message: 'An entry is either a tool (name:) or an import (mcp:), not both.', hint: 'Lay words over an imported tool in an entry of its own.' });
    }
    for (const kind of ['openapi', 'module']) {
      if (!Object.hasOwn(entry, kind)) continue;
      this.incomplete = true;
      this.say(this.#book.of(entry, kind)?.name ?? place, { code: 'source_unsupported', message: `${kind}: imports are not read by this version.`, hint: 'Import an MCP server (mcp:), or list the tools here with their parameters.' });
    }
    if (!good || !Object.hasOwn(entry, 'mcp')) {
      this.incomplete = true;
      return [];
    }
    const listed = await this.listing(entry, this.#book.of(entry, 'mcp')?.value ?? place);
    if (!listed) {
      this.incomplete = true;
      return [];
    }
    return this.chosen(entry, listed);
  }

  private async listing(entry: JsonObject, place: Place): Promise<{ file: string; tools: ListedTool[] } | null> {
    const mcp = entry['mcp']!;
    let file: string;
    let content: string | Uint8Array;
    if (typeof mcp === 'string') {
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(mcp)) {
        this.say(place, { code: 'source_unsupported', message: 'MCP servers are asked over stdio; one behind an address is not read by this version.', hint: 'Save its tools/list result and give the path, or give {command: …, args: […]}.' });
        return null;
      }
      try {
        ({ file, content } = await this.#surroundings.read(mcp, this.#file));
      } catch (error) {
        const command = /\s/.test(mcp) ? ` To start a server, write mcp: {command: ${mcp.split(/\s+/)[0]}, args: […]}.` : '';
        this.say(place, { code: 'source_unreadable', message: `The listing ${mcp} could not be read: ${said(error)}`, hint: `Paths count from this file.${command}` });
        return null;
      }
    } else {
      const server = this.server(mcp as JsonObject, place);
      if (!server) return null;
      file = [server.command, ...server.args].join(' ');
      if (!this.#surroundings.list) {
        this.say(place, { code: 'mcp_server', message: 'No server is started here.', hint: 'Save its tools/list result with `interlock import mcp`, and give the path.' });
        return null;
      }
      try {
        content = await this.#surroundings.list(server, this.#file);
      } catch (error) {
        this.say(place, { code: 'mcp_server', message: `The server ${file} gave no listing: ${said(error)}`, hint: 'Try the command in a shell. Servers that need a key read it from env:.' });
        return null;
      }
    }
    const read = readSource(file, content, this.#book, typeof mcp === 'string' ? undefined : 'json');
    this.problems.push(...read.problems);
    if (read.value === undefined) return null;
    if (typeof mcp !== 'string') this.problems.push(...rounded(read.value, read.root, this.#book));
    const pinned = entry['approved'];
    const listing = await readListing(read.value, read.root, this.#book, (digest) => (pinned === undefined ? typeof mcp === 'string' : pinned === digest));
    this.problems.push(...listing.problems);
    if (pinned !== undefined && pinned !== listing.digest && listing.digest !== '') {
      this.say(this.#book.of(entry, 'approved')?.value ?? place, {
        code: 'mcp_changed', message: `The listing of ${file} is not the one that was approved.`, hint: `Read what changed; then write approved: ${listing.digest}`,
      });
    } else if (pinned === undefined && typeof mcp !== 'string') {
      this.say(place, {
        code: 'mcp_unapproved', severity: 'warning', message: 'Nobody has approved what this server says of itself: its annotations do not count, and each of its tools is a write.',
        hint: `Read the listing (\`interlock import mcp\`); then write approved: ${listing.digest} beside mcp:, or lay effect: read over the tools that only read.`,
      });
    }
    return { file, tools: listing.tools };
  }

  private server(mcp: JsonObject, place: Place): Server | null {
    if (!this.shape('server', mcp, place)) return null;
    return {
      command: mcp['command'] as string, args: (mcp['args'] ?? []) as string[], env: { ...(mcp['env'] as Record<string, string> | undefined) },
      ...(typeof mcp['cwd'] === 'string' ? { cwd: mcp['cwd'] } : {}), timeout: (mcp['timeout'] ?? 30) as number,
    };
  }

  private chosen(entry: JsonObject, listed: { file: string; tools: ListedTool[] }): Entry[] {
    const only = entry['only'] as string[] | undefined;
    const known = listed.tools.map(({ name }) => name);
    for (const [index, name] of (only ?? []).entries()) {
      if (known.includes(name)) continue;
      this.incomplete = true;
      const meant = nearest(name, known);
      this.say(this.#book.of(only!, index)?.value, { code: 'mcp_tool_unknown', message: `The listing has no tool named ${name}.`, hint: meant ? `Did you mean ${meant}?` : `It has: ${some(known)}.` });
    }
    const prefix = (entry['prefix'] ?? '') as string;
    return listed.tools.filter(({ name }) => !only || only.includes(name)).map(({ name, tool, place }) => {
      tool['name'] = prefix + name;
      this.imported.push({ tool: prefix + name, name, source: listed.file });
      return { tool, place };
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

  /** Judges an object that the core never sees by its table. */
  private shape(name: TableName, object: JsonObject, place: Place): boolean {
    const before = this.problems.length;
    const { members } = TABLES[name];
    for (const member of Object.keys(object)) {
      if (member.startsWith('x-') || (name === 'import' && member === 'name')) continue;
      const at = this.#book.of(object, member);
      if (!Object.hasOwn(members, member)) {
        const meant = nearest(member, Object.keys(members));
        this.say(at?.name ?? place, { code: 'policy_unknown_member', message: `${member} is no member here.`, hint: meant ? `Did you mean ${meant}?` : `The members are: ${Object.keys(members).join(', ')}.` });
      } else {
        const wanted = wrong(member, object[member]!);
        if (wanted) this.say(at?.value ?? place, { code: 'policy_type', message: `${member}: is ${wanted}.`, hint: `Write ${member}: ${EXAMPLES[member] ?? '…'}` });
      }
    }
    for (const [member, { required }] of Object.entries(members)) {
      if (required && !Object.hasOwn(object, member)) this.say(place, { code: 'policy_missing', message: `${member}: is missing.`, hint: `Write ${member}: ${EXAMPLES[member] ?? '…'}` });
    }
    return this.problems.length === before;
  }

  private place(container: object, index: number): Place {
    return this.#book.of(container, index)!.value;
  }

  private say(place: Place | undefined, saying: Saying): void {
    this.problems.push(place ? problemAt(place, saying) : problemOf(this.#file, saying));
  }
}

function isImport(entry: JsonValue): entry is JsonObject {
  return isObject(entry) && ['mcp', 'openapi', 'module'].some((kind) => Object.hasOwn(entry, kind));
}

/** What a member of an import should be, where it is not that. */
function wrong(member: string, value: JsonValue): string | null {
  const strings = (list: JsonValue[]) => list.every((item) => typeof item === 'string');
  switch (member) {
    case 'mcp': return typeof value === 'string' || isObject(value) ? null : 'a path or a server';
    case 'only': case 'args': return Array.isArray(value) && strings(value) ? null : 'a list of strings';
    case 'env': return isObject(value) && strings(Object.values(value)) ? null : 'an object of strings';
    case 'timeout': return typeof value === 'number' && value > 0 && value <= 600 ? null : 'a number of seconds, at most 600';
    default: return typeof value === 'string' && (value !== '' || member === 'prefix') ? null : 'a string';
  }
}

const EXAMPLES: Record<string, string> = {
  approved: 'the digest that `interlock import mcp` prints',
  mcp: './listing.json, or {command: npx, args: [-y, some-server]}', only: '[read_file, list_directory]', args: '[-y, some-server]', env: '{API_KEY: "…"}',
  timeout: '30', command: 'npx', prefix: 'files_', cwd: './server',
};

function some(names: readonly string[]): string {
  return names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ');
}

function said(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
