// Turns an MCP tools/list result, in any of the forms it is saved in, into tools of the catalogue.
import { emptyObject, isObject, type JsonObject, type JsonValue, type MemberPlace, type Place, type PlaceBook } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

/** A tool made from a listing, with the name that its server knows it by, and where it stands. */
export interface ListedTool { name: string; tool: JsonObject; place: Place; /** Of an MCP listing: the entry there, JSON text. */ listing?: string }

/** The tools of a listing, and what is wrong with it. `digest` names the listing whole: every word, schema and annotation of every tool. */
export interface Listing { tools: ListedTool[]; problems: Problem[]; digest: string }

/**
 * Reads a listing: `{"tools": […]}` (other members are passed over), a bare array of tools, or a whole JSON-RPC answer `{"result": {"tools": […]}}`.
 * Each tool's `name`, `description` (else `title`), `inputSchema`, `outputSchema` and `annotations` are taken; the rest of it is passed over.
 * Annotations propose only where `approved` says that a person has looked at them. Codes: mcp_listing, and the warnings mcp_annotations, mcp_more.
 */
export async function readListing(value: JsonValue, root: Place, book: PlaceBook, approved: (digest: string) => boolean): Promise<Listing> {
  const problems: Problem[] = [];
  const found = toolsOf(value);
  if (!found) {
    const hint = 'Save the result of tools/list: {"tools": [{"name": …, "inputSchema": …}, …]}.';
    return { tools: [], problems: [problemAt(root, { code: 'mcp_listing', message: 'This is no tools/list result: no list of tools was found in it.', hint })], digest: '' };
  }
  if (found.more) {
    problems.push(problemAt(root, { code: 'mcp_more', severity: 'warning', message: 'The listing has a nextCursor: it is one page of several.', hint: 'Save every page: `interlock import mcp` asks for all of them.' }));
  }
  const digest = await digestOf(found.list);
  const counts = approved(digest);
  const tools: ListedTool[] = [];
  for (const [index, entry] of found.list.entries()) {
    const place = book.of(found.list, index)?.value ?? root;
    if (!isObject(entry) || typeof entry['name'] !== 'string') {
      problems.push(problemAt(place, { code: 'mcp_listing', message: `Tool ${index} of the listing has no name.`, hint: 'Every tool of a listing is an object with "name" and "inputSchema".' }));
      continue;
    }
    tools.push({ name: entry['name'], tool: toolFrom(entry, place, book, problems, counts), place, listing: JSON.stringify(entry) });
  }
  return { tools, problems, digest };
}

/** base64url of SHA-256 over a label and the canonical text of the list. */
async function digestOf(list: JsonValue[]): Promise<string> {
  const text = JSON.stringify(list, (_, inner: unknown) => {
    if (!isObject(inner)) return inner;
    const sorted = emptyObject();
    for (const name of Object.keys(inner).sort()) sorted[name] = inner[name]!;
    return sorted;
  });
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`interlock-listing/1\n${text}`)));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function toolsOf(value: JsonValue): { list: JsonValue[]; more: boolean } | null {
  if (Array.isArray(value)) return { list: value, more: false };
  if (!isObject(value)) return null;
  if (Array.isArray(value['tools'])) return { list: value['tools'], more: typeof value['nextCursor'] === 'string' };
  return isObject(value['result']) ? toolsOf(value['result']) : null;
}

/** The members a listed tool proposes. What is left out gets the catalogue's default: a tool that does not say it only reads is a write. */
function toolFrom(entry: JsonObject, place: Place, book: PlaceBook, problems: Problem[], counts: boolean): JsonObject {
  const tool = emptyObject();
  const take = (from: JsonObject, fromName: string, name: string) => {
    tool[name] = from[fromName]!;
    book.carry(from, fromName, tool, name);
  };
  const propose = (name: string, value: JsonValue, because: MemberPlace | undefined) => {
    tool[name] = value;
    book.note(tool, name, because ?? { value: place });
  };
  take(entry, 'name', 'name');
  const annotations = isObject(entry['annotations']) ? entry['annotations'] : emptyObject();
  const [words, key] = [[entry, 'description'], [entry, 'title'], [annotations, 'title']].find(([from, name]) => typeof (from as JsonObject)[name as string] === 'string') as [JsonObject, string] | undefined ?? [];
  if (words) take(words, key!, 'description');
  if (entry['inputSchema'] !== undefined) take(entry, 'inputSchema', 'parameters');
  if (entry['outputSchema'] !== undefined) take(entry, 'outputSchema', 'result');

  if (!counts) return tool;
  const hint = (name: string) => annotations[name];
  const at = (name: string) => book.of(annotations, name);
  if (hint('readOnlyHint') === true && hint('destructiveHint') === true) {
    problems.push(problemAt(at('destructiveHint')?.value ?? place, {
      code: 'mcp_annotations', severity: 'warning', message: `${entry['name']} says both readOnlyHint and destructiveHint: it is taken for a write.`,
      hint: `Lay the right effect over it: - name: ${entry['name']}, effect: read.`,
    }));
  } else if (hint('readOnlyHint') === true) {
    propose('effect', 'read', at('readOnlyHint'));
    if (hint('openWorldHint') !== false) propose('reads_outside', true, at('openWorldHint') ?? at('readOnlyHint'));
  }
  if (tool['effect'] === undefined && hint('idempotentHint') === true) propose('idempotent', true, at('idempotentHint'));
  return tool;
}

/**
 * A live answer was read by the MCP library before it came here, so an integer past 2^53 may have lost digits unseen: each such number, as a warning mcp_rounded.
 * A saved listing is read here from its text, where such a loss is an error.
 */
export function rounded(value: JsonValue, place: Place, book: PlaceBook): Problem[] {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return [];
    return [problemAt(place, {
      code: 'mcp_rounded', severity: 'warning', message: `${value} may have lost digits on its way: a double cannot tell integers of this size apart.`,
      hint: "Look at the server's own schema; lay parameters: over the tool where the bound matters.",
    })];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => rounded(inner, book.of(value, name)?.value ?? place, book));
}
