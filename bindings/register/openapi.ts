// Turns an OpenAPI document (3.0 or 3.1) into tools of the catalogue: each operation is one tool.
import type { ListedTool } from './listing.ts';
import { argumentsOf, isJsonMedia } from './openapi-arguments.ts';
import { dialectOf, Documents, type Part, type ReadBeside } from './openapi-documents.ts';
import { DIALECTS, SCHEMAS, SchemaConversion, type Shared } from './openapi-schema.ts';
import { emptyObject, escapeToken, isObject, type JsonObject, type JsonValue, type Place, type PlaceBook } from './position.ts';
import { type Problem, problemAt, type Saying } from './problems.ts';

/** What an import gives: the names of all its tools, and those of them that are wanted. */
export interface Import { names: string[]; tools: ListedTool[]; problems: Problem[] }

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** Methods that change nothing, as HTTP (RFC 9110, 9.2.1) defines them. */
const SAFE = new Set(['get', 'head', 'options', 'trace']);
const OPERATION_MEMBERS = new Set(['tags', 'summary', 'description', 'externalDocs', 'operationId', 'parameters', 'requestBody', 'responses', 'callbacks', 'deprecated', 'security', 'servers']);
const PATH_MEMBERS = new Set([...METHODS, '$ref', 'summary', 'description', 'servers', 'parameters']);

/**
 * Reads an OpenAPI document whose text stands in `file`. `read` gives the files beside it; `isWanted` says which tools are made, by their name.
 * A tool is named by its `operationId`, else `METHOD_PATH` (`get_pets_petId`). Its description is the summary and the description; its `x-openapi` says how the request is made.
 * Codes: openapi_version, openapi_shape, openapi_schema, openapi_unsupported, openapi_parameter, openapi_reference, openapi_remote, openapi_path, openapi_size, openapi_empty, source_unreadable, and the warnings
 * openapi_name, openapi_renamed, openapi_ignored, openapi_dialect, openapi_media, openapi_responses, openapi_callbacks.
 */
export async function readOpenApi(value: JsonValue, root: Place, file: string, book: PlaceBook, read: ReadBeside, isWanted: (name: string) => boolean): Promise<Import> {
  const problems: Problem[] = [];
  const dialect = dialectOf(value);
  if (!isObject(value) || !dialect) {
    problems.push(noVersion(value, root, book));
    return { names: [], tools: [], problems };
  }
  const documents = new Documents(read, book, problems);
  const document = { name: file.replace(/^.*[/\\]/, ''), file, value, root, dialect };
  await documents.load(document);
  const reader = new Reader({ documents, book, problems, left: SCHEMAS }, isWanted);
  reader.document({ value, document, place: root, pointer: '' });
  return { names: reader.names, tools: reader.tools, problems };
}

function noVersion(value: JsonValue, root: Place, book: PlaceBook): Problem {
  const [name, hint] = isObject(value) && value['swagger'] !== undefined
    ? ['swagger', 'Convert it to OpenAPI 3 first; most API tools do that.'] : ['openapi', 'Write openapi: 3.0.3 or openapi: 3.1.0 at the top.'];
  const place = isObject(value) ? book.of(value, name)?.value : undefined;
  return problemAt(place ?? root, { code: 'openapi_version', message: 'This is no OpenAPI document of version 3.0 or 3.1.', hint });
}

class Reader {
  readonly names: string[] = [];
  readonly tools: ListedTool[] = [];
  readonly #shared: Shared;
  readonly #isWanted: (name: string) => boolean;

  constructor(shared: Shared, isWanted: (name: string) => boolean) {
    this.#shared = shared;
    this.#isWanted = isWanted;
  }

  document(part: Part): void {
    const value = part.value as JsonObject;
    const dialect = value['jsonSchemaDialect'];
    if (dialect !== undefined && !(typeof dialect === 'string' && DIALECTS.has(dialect))) {
      this.say(this.at(value, 'jsonSchemaDialect', part.place), { code: 'openapi_unsupported', message: 'Schemas of this dialect are not read.', hint: 'Leave jsonSchemaDialect out: draft 2020-12 is read.' });
    }
    const { paths } = value;
    if (paths !== undefined && !isObject(paths)) this.say(this.at(value, 'paths', part.place), { code: 'openapi_shape', message: 'paths is an object of paths.', hint: 'Write paths: {/orders: {get: …}}.' });
    const all = this.inner(part, value, 'paths');
    for (const path of isObject(paths) ? Object.keys(paths) : []) if (!path.startsWith('x-')) this.path(path, this.inner(all, paths as JsonObject, path));
    if (this.names.length === 0) this.say(part.place, { code: 'openapi_empty', severity: 'warning', message: 'The document has no operations: no tool is imported.', hint: 'Operations stand in paths:; webhooks are calls that the API makes.' });
  }

  private path(path: string, given: Part): void {
    if (!path.startsWith('/')) this.say(given.place, { code: 'openapi_shape', message: `The path ${path} does not begin with a slash.`, hint: `Write /${path}.` });
    const item = this.#shared.documents.follow(given);
    if (!item) return;
    if (!isObject(item.value)) {
      this.say(item.place, { code: 'openapi_shape', message: 'A path is an object of operations, by their method.', hint: 'Write get: {operationId: …, responses: …}.' });
      return;
    }
    for (const member of Object.keys(item.value)) {
      if (METHODS.includes(member)) this.operation(path, member, this.inner(item, item.value, member), item);
      else this.unknown(member, PATH_MEMBERS, 'a path', item);
    }
  }

  private operation(path: string, method: string, operation: Part, item: Part): void {
    const { value, place } = operation;
    if (!isObject(value)) {
      this.say(place, { code: 'openapi_shape', message: 'An operation is an object.', hint: 'Write {operationId: …, responses: …}.' });
      return;
    }
    const id = value['operationId'];
    const name = typeof id === 'string' && id !== '' ? id : derivedName(method, path);
    this.names.push(name);
    if (!this.#isWanted(name)) return;
    const tool = emptyObject();
    const book = this.#shared.book;
    tool['name'] = name;
    if (id === name) book.carry(value, 'operationId', tool, 'name');
    else {
      const at = book.of(item.value as JsonObject, method);
      book.note(tool, 'name', { value: at?.name ?? place });
      this.say(at?.name ?? place, { code: 'openapi_name', severity: 'warning', message: `The operation has no operationId: the tool is named ${name}.`, hint: `Write operationId: ${name}, or a better one.` });
    }
    for (const member of Object.keys(value)) this.unknown(member, OPERATION_MEMBERS, 'an operation', operation);
    this.describe(tool, value, item.value as JsonObject);
    if (SAFE.has(method)) for (const [member, proposed] of [['effect', 'read'], ['reads_outside', true]] as const) {
      tool[member] = proposed;
      book.note(tool, member, { value: book.of(item.value as JsonObject, method)?.name ?? place });
    }
    if (isObject(value['callbacks']) && Object.keys(value['callbacks']).length > 0) {
      this.say(this.at(value, 'callbacks', place), { code: 'openapi_callbacks', severity: 'warning', message: `${name} calls back: it may send data to an address that an argument names.`, hint: `Lay it over the tool: - {name: ${name}, sends_out: true}.` });
    }
    const { parameters, goes, body } = argumentsOf(path, operation, item, this.#shared);
    tool['parameters'] = parameters;
    book.note(tool, 'parameters', { value: this.at(value, value['requestBody'] === undefined ? 'parameters' : 'requestBody', place) });
    this.result(tool, operation);
    tool['x-openapi'] = Object.assign(emptyObject(), { method, path, arguments: goes }, body ? { body } : {});
    this.tools.push({ name, tool, place });
  }

  private describe(tool: JsonObject, operation: JsonObject, item: JsonObject): void {
    const from = ['summary', 'description'].some((name) => typeof operation[name] === 'string') ? operation : item;
    const said = ['summary', 'description'].filter((name) => typeof from[name] === 'string' && from[name] !== '');
    if (said.length === 0) return;
    tool['description'] = [...new Set(said.map((name) => (from[name] as string).trim()))].join('\n\n');
    this.#shared.book.carry(from, said[0]!, tool, 'description');
  }

  /** The schema of what the operation answers when it worked: of its first response of class 2 that has one. */
  private result(tool: JsonObject, operation: Part): void {
    const { responses } = operation.value as JsonObject;
    if (responses === undefined) return;
    const all = this.inner(operation, operation.value as JsonObject, 'responses');
    if (!isObject(responses)) {
      this.say(all.place, { code: 'openapi_shape', message: 'responses is an object, by the status.', hint: 'Write responses: {"200": {description: …}}.' });
      return;
    }
    const worked = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status)).sort();
    let first: Part | null = null;
    for (const status of worked) {
      const schema = this.answer(this.inner(all, responses, status));
      if (!schema) continue;
      if (!first) first = schema;
      else if (JSON.stringify(first.value) !== JSON.stringify(schema.value)) {
        this.say(schema.place, { code: 'openapi_responses', severity: 'warning', message: `The answer to ${status} has another schema than the one before: the result is taken from that.`, hint: 'Give both one schema, or lay result: over the tool.' });
      }
    }
    if (!first) return;
    const part = this.#shared.documents.follow(first);
    if (!part) return;
    const schemas = new SchemaConversion(this.#shared, 'response');
    // Fields that later calls may take values from are looked for at the top: a reference there is followed, if nothing stands beside it.
    const isAlone = isObject(first.value) && typeof first.value['$ref'] === 'string' && (first.document.dialect === '3.0' || Object.keys(first.value).length === 1);
    const result = schemas.convert(isAlone ? part : first);
    schemas.finish();
    if (isObject(result) && Object.keys(schemas.defs).length > 0) result['$defs'] = schemas.defs;
    tool['result'] = result;
    this.#shared.book.note(tool, 'result', { value: first.place });
  }

  /** The schema of a response's JSON, or none. */
  private answer(given: Part): Part | null {
    const response = this.#shared.documents.follow(given);
    if (!response || !isObject(response.value) || !isObject(response.value['content'])) return null;
    const { content } = response.value;
    const names = Object.keys(content);
    const media = names.find(isJsonMedia);
    const parts = this.inner(response, response.value, 'content');
    if (media === undefined) {
      if (names.length > 0) this.say(parts.place, { code: 'openapi_media', severity: 'warning', message: `The answer is ${names[0]}, and not JSON: the tool has no result schema.`, hint: 'Lay result: over the tool, where later calls take values from it.' });
      return null;
    }
    const entry = this.inner(parts, content, media);
    return isObject(entry.value) && entry.value['schema'] !== undefined ? this.inner(entry, entry.value, 'schema') : null;
  }

  private unknown(member: string, known: ReadonlySet<string>, what: string, { value, place }: Part): void {
    if (known.has(member) || member.startsWith('x-')) return;
    const at = this.#shared.book.of(value as JsonObject, member);
    this.say(at?.name ?? place, { code: 'openapi_ignored', severity: 'warning', message: `${member} is no member of ${what}: it is passed over.`, hint: 'Correct its name, or begin it with x-.' });
  }

  private inner({ document, place, pointer }: Part, object: JsonObject, name: string): Part {
    return { value: object[name]!, document, place: this.at(object, name, place), pointer: `${pointer}/${escapeToken(name)}` };
  }

  private at(container: object, name: string, otherwise: Place): Place {
    return this.#shared.book.of(container, name)?.value ?? otherwise;
  }

  private say(place: Place, saying: Saying): void {
    this.#shared.problems.push(problemAt(place, saying));
  }
}

/** The name of an operation without one: its method and path, what is no letter or digit as `_`. */
function derivedName(method: string, path: string): string {
  return [method, ...path.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')].join('_');
}
