// Makes one object of arguments from what an OpenAPI operation takes: the parameters in its path, query, headers and cookies, and the members of its body.
import type { Documents, Part } from './openapi-documents.ts';
import { SchemaConversion, type Shared } from './openapi-schema.ts';
import { emptyObject, escapeToken, isObject, type JsonObject, type JsonValue, type Place } from './position.ts';
import { problemAt, type Saying } from './problems.ts';

/** Where an argument goes in the request: `in` is `path`, `query`, `header`, `cookie` or `body`. */
type Goes = JsonObject;

/** What the tool of an operation takes: `parameters` for the catalogue, and for who sends the request where each argument goes and what the body is. */
export interface Arguments { parameters: JsonObject; goes: Record<string, Goes>; body: JsonObject | null }

/** Where parameters stand, the first to keep a name that two of them have. */
const PLACES = ['path', 'query', 'header', 'cookie'];
/** Headers that are not parameters: OpenAPI says that a definition of them is ignored. */
const NOT_PARAMETERS = new Set(['accept', 'content-type', 'authorization']);
const PARAMETER_MEMBERS = new Set(['name', 'in', 'description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode', 'allowReserved', 'schema', 'example', 'examples', 'content']);
/** Keywords that a body's schema may have for its members to become arguments: with any other, the body is one argument. */
const FLAT = new Set(['type', 'properties', 'required', 'title', 'description', 'example', 'examples', 'additionalProperties', 'xml', 'externalDocs', 'deprecated', 'nullable', '$comment']);
const JSON_MEDIA = /^(?:application\/(?:[\w.+-]+\+)?json|\*\/\*)\s*(?:;|$)/i;
const FORM_MEDIA = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** One parameter, its references followed. */
interface Parameter { name: string; in: string; part: Part; object: JsonObject }

/** The arguments of an operation at `path`. `common` is its path item, which may have parameters for every operation of the path. */
export function argumentsOf(path: string, operation: Part, common: Part, shared: Shared): Arguments {
  const maker = new Maker(shared);
  maker.parameters(path, operation, common);
  maker.body(operation);
  return maker.done();
}

class Maker {
  readonly #shared: Shared;
  readonly #documents: Documents;
  readonly #schemas: SchemaConversion;
  readonly #properties = emptyObject();
  readonly #required: string[] = [];
  readonly #goes = emptyObject() as Record<string, Goes>;
  #body: JsonObject | null = null;
  #closed = true;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.#documents = shared.documents;
    this.#schemas = new SchemaConversion(shared, 'request');
  }

  done(): Arguments {
    this.#schemas.finish();
    const parameters = emptyObject();
    parameters['type'] = 'object';
    parameters['properties'] = this.#properties;
    if (this.#required.length > 0) parameters['required'] = this.#required;
    if (this.#closed) parameters['additionalProperties'] = false;
    if (Object.keys(this.#schemas.defs).length > 0) parameters['$defs'] = this.#schemas.defs;
    return { parameters, goes: this.#goes, body: this.#body };
  }

  parameters(path: string, operation: Part, common: Part): void {
    const found = new Map<string, Parameter>();
    for (const from of [common, operation]) for (const parameter of this.list(from)) found.set(`${parameter.in} ${parameter.name}`, parameter);
    const inPath = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!));
    for (const parameter of [...found.values()].sort((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in))) {
      if (parameter.in === 'path' && !inPath.delete(parameter.name)) {
        this.say(parameter.part.place, { code: 'openapi_ignored', severity: 'warning', message: `The path ${path} has no {${parameter.name}}: the parameter is passed over.`, hint: 'Put it into the path, or leave it out.' });
      } else this.parameter(parameter);
    }
    for (const name of inPath) this.say(operation.place, { code: 'openapi_parameter', message: `The path ${path} has {${name}}, and the operation no parameter of that name.`, hint: `Add {name: ${name}, in: path, required: true, schema: {type: string}} to its parameters.` });
  }

  private list(from: Part): Parameter[] {
    const list = isObject(from.value) ? from.value['parameters'] : undefined;
    if (list === undefined) return [];
    if (!Array.isArray(list)) {
      this.say(this.at(from.value as JsonObject, 'parameters', from.place), { code: 'openapi_shape', message: 'parameters is a list.', hint: 'Begin each parameter with a dash.' });
      return [];
    }
    const own = new Map<string, Parameter>();
    for (const index of list.keys()) {
      const part = this.#documents.follow({ value: list[index]!, document: from.document, place: this.at(list, index, from.place), pointer: `${from.pointer}/parameters/${index}` });
      if (!part) continue;
      const { value: object, place } = part;
      if (!isObject(object) || typeof object['name'] !== 'string' || !PLACES.includes(object['in'] as string)) {
        this.say(place, { code: 'openapi_shape', message: 'A parameter has a name, and in: path, query, header or cookie.', hint: isObject(object) && ['body', 'formData'].includes(object['in'] as string) ? 'That is OpenAPI 2: write requestBody:.' : 'Write {name: id, in: query, schema: {type: string}}.' });
        continue;
      }
      const parameter = { name: object['name'], in: object['in'] as string, part, object };
      const key = `${parameter.in} ${parameter.name}`;
      if (own.has(key)) this.say(place, { code: 'openapi_parameter', message: `The ${parameter.in} parameter ${parameter.name} is given twice.`, hint: 'Keep one of the two.' });
      own.set(key, parameter);
    }
    return [...own.values()];
  }

  private parameter({ name, in: where, part, object }: Parameter): void {
    if (where === 'header' && NOT_PARAMETERS.has(name.toLowerCase())) {
      this.say(part.place, { code: 'openapi_ignored', severity: 'warning', message: `OpenAPI takes no header parameter ${name}: it is passed over.`, hint: 'Who sends the request sets this header.' });
      return;
    }
    for (const member of Object.keys(object)) {
      if (!PARAMETER_MEMBERS.has(member) && !member.startsWith('x-')) this.say(this.nameOf(object, member, part.place), { code: 'openapi_ignored', severity: 'warning', message: `${member} is no member of a parameter: it is passed over.`, hint: 'Put it into its schema, or begin its name with x-.' });
    }
    const argument = this.free(name, `${where}_${name}`, part.place);
    if (argument === null) return;
    if (argument !== name) this.say(part.place, { code: 'openapi_renamed', severity: 'warning', message: `Two parameters are named ${name}: the one in the ${where} is the argument ${argument}.`, hint: 'Rename one of them if the API allows it.' });
    const goes: Goes = emptyObject();
    goes['in'] = where;
    goes['name'] = name;
    for (const member of ['style', 'explode', 'allowReserved']) if (object[member] !== undefined) goes[member] = object[member]!;
    this.put(argument, this.described(this.valueOf(part, object, goes), object), part.place, goes);
    if (where === 'path' && object['required'] !== true) this.say(part.place, { code: 'openapi_parameter', severity: 'warning', message: `The path parameter ${name} does not say required: true: it is taken as required.`, hint: 'Write required: true.' });
    if (where === 'path' || object['required'] === true) this.#required.push(argument);
  }

  /** The schema of a parameter: its own, or that of its content. */
  private valueOf(part: Part, object: JsonObject, goes: Goes): JsonValue {
    if (object['schema'] !== undefined) return this.#schemas.convert(this.inner(part, object, 'schema'));
    const { content } = object;
    if (!isObject(content) || Object.keys(content).length !== 1) {
      this.say(part.place, { code: 'openapi_parameter', message: 'A parameter has a schema, or content of one media type.', hint: 'Write schema: {type: string}.' });
      return emptyObject();
    }
    const media = Object.keys(content)[0]!;
    goes['content'] = media;
    return this.ofMedia(this.inner(part, object, 'content'), media);
  }

  /** The schema of a media type of `content`: any value where it says none, any text where it is not JSON. */
  private ofMedia(content: Part, media: string): JsonValue {
    const entry = this.inner(content, content.value as JsonObject, media);
    if (isObject(entry.value) && entry.value['schema'] !== undefined) return this.#schemas.convert(this.inner(entry, entry.value, 'schema'));
    const any = emptyObject();
    if (!JSON_MEDIA.test(media) && !FORM_MEDIA.test(media)) any['type'] = 'string';
    return any;
  }

  body(operation: Part): void {
    const value = (operation.value as JsonObject)['requestBody'];
    if (value === undefined) return;
    const part = this.#documents.follow(this.inner(operation, operation.value as JsonObject, 'requestBody'));
    if (!part) return;
    const object = part.value;
    const content = isObject(object) ? object['content'] : undefined;
    if (!isObject(object) || !isObject(content) || Object.keys(content).length === 0) {
      this.say(part.place, { code: 'openapi_shape', message: 'A request body has content, by its media type.', hint: 'Write content: {application/json: {schema: {type: object}}}.' });
      return;
    }
    const media = chooseMedia(Object.keys(content));
    const parts = this.inner(part, object, 'content');
    this.tellOthers(parts, content, media);
    this.#body = emptyObject();
    this.#body['media'] = media;
    if (this.flatten(this.inner(parts, content, media), object['required'] === true)) return;
    const place = this.at(content, media, part.place);
    const argument = this.free('body', 'request_body', place);
    if (argument === null) return;
    if (!JSON_MEDIA.test(media) && !FORM_MEDIA.test(media) && !/^text\//i.test(media)) {
      this.say(this.nameOf(content, media, place), { code: 'openapi_media', severity: 'warning', message: `The body is ${media}: the argument ${argument} is text, sent as it is.`, hint: 'Import other operations with only:, where a text cannot be such a body.' });
    }
    const goes: Goes = emptyObject();
    goes['in'] = 'body';
    this.#body['argument'] = argument;
    this.put(argument, this.described(this.ofMedia(parts, media), object), place, goes);
    if (object['required'] === true) this.#required.push(argument);
  }

  /** Makes the members of a body arguments of their own, where that says the same as one argument would. */
  private flatten(entry: Part, isRequired: boolean): boolean {
    if (!isObject(entry.value) || entry.value['schema'] === undefined) return false;
    const part = this.#documents.follow(this.inner(entry, entry.value, 'schema'));
    if (!part || !isObject(part.value)) return part === null;
    const schema = part.value;
    const { properties, type } = schema;
    const isPlain = Object.keys(schema).every((keyword) => FLAT.has(keyword) || keyword.startsWith('x-')) && isObject(properties) && Object.keys(properties).length > 0
      && (type === undefined || type === 'object') && schema['nullable'] !== true && (schema['additionalProperties'] === undefined || schema['additionalProperties'] === false)
      && (schema['required'] === undefined || Array.isArray(schema['required']));
    const given = schema['required'];
    if (!isPlain || (!isRequired && Array.isArray(given) && given.length > 0)) return false;
    if (Object.keys(properties).some((name) => Object.hasOwn(this.#properties, name))) return false;
    // A required member that is not declared would be an argument that nobody can give.
    if (Array.isArray(given) && given.some((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))) return false;
    const converted = this.#schemas.convert(part) as JsonObject;
    const members = converted['properties'] as JsonObject;
    for (const name of Object.keys(members)) {
      const goes: Goes = emptyObject();
      goes['in'] = 'body';
      this.put(name, members[name]!, this.at(members, name, part.place), goes);
    }
    this.#required.push(...((converted['required'] ?? []) as string[]));
    if (schema['additionalProperties'] !== false) this.#closed = false;
    return true;
  }

  /** Media types beside the chosen one whose schemas say something else. */
  private tellOthers(parts: Part, content: JsonObject, media: string): void {
    const written = (name: string) => JSON.stringify(isObject(content[name]) ? content[name]['schema'] : undefined);
    for (const name of Object.keys(content)) {
      if (name === media || written(name) === written(media)) continue;
      this.say(this.nameOf(content, name, parts.place), { code: 'openapi_media', severity: 'warning', message: `The body may be ${name} too, with another schema: the arguments are those of ${media}.`, hint: 'Give both the same schema, or leave one out.' });
    }
  }

  /** A name that no argument has yet; null, with a problem, where both are taken. */
  private free(name: string, other: string, place: Place): string | null {
    if (!Object.hasOwn(this.#properties, name)) return name;
    if (!Object.hasOwn(this.#properties, other)) return other;
    this.say(place, { code: 'openapi_parameter', message: `The operation has arguments named ${name} and ${other} already.`, hint: 'Rename one of the parameters.' });
    return null;
  }

  /** A schema with the description of what holds it, where it has none of its own. */
  private described(schema: JsonValue, holder: JsonObject): JsonValue {
    if (!isObject(schema) || typeof holder['description'] !== 'string' || schema['description'] !== undefined) return schema;
    schema['description'] = holder['description'];
    this.#shared.book.carry(holder, 'description', schema, 'description');
    return schema;
  }

  private put(argument: string, schema: JsonValue, place: Place, goes: Goes): void {
    this.#properties[argument] = schema;
    this.#goes[argument] = goes;
    this.#shared.book.note(this.#properties, argument, { value: place });
  }

  private inner({ document, place, pointer }: Part, object: JsonObject, name: string): Part {
    return { value: object[name]!, document, place: this.at(object, name, place), pointer: `${pointer}/${escapeToken(name)}` };
  }

  private at(container: object, name: string | number, otherwise: Place): Place {
    return this.#shared.book.of(container, name)?.value ?? otherwise;
  }

  private nameOf(container: object, name: string, otherwise: Place): Place {
    return this.#shared.book.of(container, name)?.name ?? this.at(container, name, otherwise);
  }

  private say(place: Place, saying: Saying): void {
    this.#shared.problems.push(problemAt(place, saying));
  }
}

/** Of the media types of a content, the one that the tool is made from: JSON, else a form, else text, else the first. */
export function chooseMedia(names: readonly string[]): string {
  return names.find((name) => JSON_MEDIA.test(name)) ?? names.find((name) => FORM_MEDIA.test(name)) ?? names.find((name) => /^text\//i.test(name)) ?? names[0]!;
}

/** Whether a media type is JSON. */
export function isJsonMedia(media: string): boolean {
  return JSON_MEDIA.test(media);
}
