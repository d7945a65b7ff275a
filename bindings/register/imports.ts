// Reads the import entries of a catalogue: listings of MCP servers, OpenAPI documents and modules, each into the tools that it names.
import type { Imported, Server, Surroundings } from './compile.ts';
import { type ListedTool, readListing, rounded } from './listing.ts';
import { type TableName, TABLES } from './members.ts';
import { readModule } from './module.ts';
import { nearest } from './nearest.ts';
import { type Import, readOpenApi } from './openapi.ts';
import { isObject, type JsonObject, type JsonValue, type Place, type PlaceBook } from './position.ts';
import { type Problem, problemAt, problemOf, type Saying } from './problems.ts';
import { readSource } from './sources.ts';

/** A tool of the catalogue, where it stands, and what stands behind it where it is imported. */
export interface Entry { tool: JsonValue; place: Place | undefined; imported?: Imported }

const KINDS = ['mcp', 'openapi', 'module'] as const;
type Kind = (typeof KINDS)[number];
/** What people import by each kind. */
const WHAT: Record<Kind, string> = { mcp: 'listing', openapi: 'OpenAPI document', module: 'module' };

/** Whether an entry of `tools` is an import. */
export function isImport(entry: JsonValue): entry is JsonObject {
  return isObject(entry) && KINDS.some((kind) => Object.hasOwn(entry, kind));
}

/** A file that an import names, and its content. */
interface Read { file: string; content: string | Uint8Array }

export class Imports {
  /** An import failed: names that seem unknown may only be missing for that reason. */
  incomplete = false;
  readonly #file: string;
  readonly #surroundings: Surroundings;
  readonly #book: PlaceBook;
  readonly #problems: Problem[];

  /** Imports of the policy in `file`; what is wrong with them joins `problems`. */
  constructor(file: string, surroundings: Surroundings, book: PlaceBook, problems: Problem[]) {
    this.#file = file;
    this.#surroundings = surroundings;
    this.#book = book;
    this.#problems = problems;
  }

  /** The tools that an entry imports, in their order; none where it failed. */
  async import(entry: JsonObject, place: Place): Promise<Entry[]> {
    const good = this.shape('import', entry, place);
    if (Object.hasOwn(entry, 'name')) {
      this.say(this.#book.of(entry, 'name')?.name ?? place, { code: 'policy_unknown_member', message: 'An entry is either a tool (name:) or an import (mcp:, openapi:, module:), not both.', hint: 'Lay words over an imported tool in an entry of its own.' });
    }
    const [kind, another] = KINDS.filter((one) => Object.hasOwn(entry, one));
    if (another) this.say(this.#book.of(entry, another)?.name ?? place, { code: 'policy_unknown_member', message: `An entry imports one thing: ${kind}: or ${another}:.`, hint: 'Write two entries.' });
    if (kind !== 'mcp' && Object.hasOwn(entry, 'approved')) {
      this.say(this.#book.of(entry, 'approved')?.name ?? place, { code: 'policy_unknown_member', message: `approved: is for mcp: imports; naming the ${WHAT[kind!]} approves that file.`, hint: 'Leave it out.' });
    }
    const listed = good && !another ? await this.listed(kind!, entry, this.#book.of(entry, kind!)?.value ?? place) : null;
    if (listed) return this.chosen(kind!, entry, listed);
    this.incomplete = true;
    return [];
  }

  private async listed(kind: Kind, entry: JsonObject, place: Place): Promise<(Import & { file: string }) | null> {
    if (kind === 'mcp') return this.listing(entry, place);
    const read = await this.read(kind, entry[kind] as string, place);
    if (!read) return null;
    const beside = (name: string) => this.#surroundings.read(name, read.file);
    const only = entry['only'] as string[] | undefined;
    const isWanted = (name: string) => !only || only.includes(name);
    const found = kind === 'openapi' ? await this.openApi(read, beside, isWanted) : await readModule(read.file, read.content, this.#book, beside, isWanted);
    if (!found) return null;
    this.#problems.push(...found.problems);
    return { ...found, file: read.file };
  }

  private async openApi({ file, content }: Read, beside: (name: string) => Promise<Read>, isWanted: (name: string) => boolean): Promise<Import | null> {
    const read = readSource(file, content, this.#book);
    this.#problems.push(...read.problems);
    return read.value === undefined ? null : readOpenApi(read.value, read.root, file, this.#book, beside, isWanted);
  }

  /** The file that an import names; null, with a problem, where it cannot be read. */
  private async read(kind: Kind, path: string, place: Place): Promise<Read | null> {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
      this.say(place, kind === 'mcp'
        ? { code: 'source_unsupported', message: 'MCP servers are asked over stdio; one behind an address is not read by this version.', hint: 'Save its tools/list result and give the path, or give {command: …, args: […]}.' }
        : { code: 'source_unsupported', message: `The ${WHAT[kind]} is read from a file: nothing is fetched.`, hint: 'Save it beside the policy, and give the path.' });
      return null;
    }
    try {
      return await this.#surroundings.read(path, this.#file);
    } catch (error) {
      const command = kind === 'mcp' && /\s/.test(path) ? ` To start a server, write mcp: {command: ${path.split(/\s+/)[0]}, args: […]}.` : '';
      this.say(place, { code: 'source_unreadable', message: `The ${WHAT[kind]} ${path} could not be read: ${said(error)}`, hint: `Paths count from this file.${command}` });
      return null;
    }
  }

  private async listing(entry: JsonObject, place: Place): Promise<(Import & { file: string }) | null> {
    const mcp = entry['mcp']!;
    const listed = typeof mcp === 'string' ? await this.read('mcp', mcp, place) : await this.ask(mcp as JsonObject, place);
    if (!listed) return null;
    const { file, content } = listed;
    const read = readSource(file, content, this.#book, typeof mcp === 'string' ? undefined : 'json');
    this.#problems.push(...read.problems);
    if (read.value === undefined) return null;
    if (typeof mcp !== 'string') this.#problems.push(...rounded(read.value, read.root, this.#book));
    const pinned = entry['approved'];
    const listing = await readListing(read.value, read.root, this.#book, (digest) => (pinned === undefined ? typeof mcp === 'string' : pinned === digest));
    this.#problems.push(...listing.problems);
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
    return { file, names: listing.tools.map(({ name }) => name), tools: listing.tools, problems: [] };
  }

  /** What a server that is started answers; null, with a problem, where it gives no listing. */
  private async ask(mcp: JsonObject, place: Place): Promise<Read | null> {
    const server = this.server(mcp, place);
    if (!server) return null;
    const file = [server.command, ...server.args].join(' ');
    if (!this.#surroundings.list) {
      this.say(place, { code: 'mcp_server', message: 'No server is started here.', hint: 'Save its tools/list result with `interlock import mcp`, and give the path.' });
      return null;
    }
    try {
      return { file, content: await this.#surroundings.list(server, this.#file) };
    } catch (error) {
      this.say(place, { code: 'mcp_server', message: `The server ${file} gave no listing: ${said(error)}`, hint: 'Try the command in a shell. Servers that need a key read it from env:.' });
      return null;
    }
  }

  private server(mcp: JsonObject, place: Place): Server | null {
    if (!this.shape('server', mcp, place)) return null;
    return {
      command: mcp['command'] as string, args: (mcp['args'] ?? []) as string[], env: { ...(mcp['env'] as Record<string, string> | undefined) },
      ...(typeof mcp['cwd'] === 'string' ? { cwd: mcp['cwd'] } : {}), timeout: (mcp['timeout'] ?? 30) as number,
    };
  }

  private chosen(kind: Kind, entry: JsonObject, { file, names, tools }: { file: string; names: string[]; tools: ListedTool[] }): Entry[] {
    const only = entry['only'] as string[] | undefined;
    for (const [index, name] of (only ?? []).entries()) {
      if (names.includes(name)) continue;
      this.incomplete = true;
      const meant = nearest(name, names);
      this.say(this.#book.of(only!, index)?.value, { code: `${kind}_tool_unknown`, message: `The ${WHAT[kind]} has no tool named ${name}.`, hint: meant ? `Did you mean ${meant}?` : `It has: ${some(names)}.` });
    }
    const prefix = (entry['prefix'] ?? '') as string;
    return tools.filter(({ name }) => !only || only.includes(name)).map(({ name, tool, place, listing }) => {
      tool['name'] = prefix + name;
      return { tool, place, imported: { tool: prefix + name, name, source: file, ...(listing === undefined ? {} : { listing }) } };
    });
  }

  /** Judges an object that the core never sees by its table. */
  private shape(name: TableName, object: JsonObject, place: Place): boolean {
    const before = this.#problems.length;
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
    return this.#problems.length === before;
  }

  private say(place: Place | undefined, saying: Saying): void {
    this.#problems.push(place ? problemAt(place, saying) : problemOf(this.#file, saying));
  }
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
  openapi: './api.yaml', module: './tools.ts', approved: 'the digest that `interlock import mcp` prints',
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
