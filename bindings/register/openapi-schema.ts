// Turns the schemas of OpenAPI 3.0 and 3.1 into JSON Schema of draft 2020-12 that says the same of every value.
import type { Document, Documents, Part } from './openapi-documents.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, type Place, type PlaceBook } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

/** Which way a value goes: what is readOnly is no argument, what is writeOnly no result. */
export type Direction = 'request' | 'response';

/** How many schemas one import may make, over all of its tools. */
export const SCHEMAS = 250_000;

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const ONE = new Set(['not', 'items', 'additionalProperties', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema']);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords that stay as they are. */
const PLAIN = new Set([
  'title', 'description', 'default', 'deprecated', 'type', 'enum', 'const', 'multipleOf', 'maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'format',
  'maxItems', 'minItems', 'uniqueItems', 'maxContains', 'minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired', 'contentEncoding', 'contentMediaType', '$comment', 'examples',
]);
/** What of those OpenAPI 3.0 does not have. */
const NOT_IN_30 = new Set([
  'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema', 'prefixItems', 'patternProperties', 'dependentSchemas', 'const', 'maxContains', 'minContains',
  'dependentRequired', 'contentEncoding', 'contentMediaType', '$comment', 'examples',
]);
/** What says nothing about which values are meant: kept by neither dialect. */
const ASIDE = new Set(['xml', 'externalDocs', 'discriminator', 'readOnly', 'writeOnly', '$defs', '$anchor', '$dynamicAnchor']);
/** Keywords that would change what a reference names, or what the others mean. */
const REFUSED = new Set(['$id', '$dynamicRef', '$recursiveRef', '$recursiveAnchor', '$vocabulary']);

/** The `$schema` and `jsonSchemaDialect` that mean draft 2020-12. */
export const DIALECTS: ReadonlySet<string> = new Set([
  'https://json-schema.org/draft/2020-12/schema', 'https://spec.openapis.org/oas/3.1/dialect/base', 'https://spec.openapis.org/oas/3.1/dialect/2024-10-25', 'https://spec.openapis.org/oas/3.1/dialect/2024-11-10',
]);

/** What several conversions share: the documents, the places, the problems, and how many schemas may still be made. */
export interface Shared { documents: Documents; book: PlaceBook; problems: Problem[]; left: number }

/** Converts the schemas of one tool's arguments, or of its result: `defs` holds those that were referred to. */
export class SchemaConversion {
  readonly defs: JsonObject = emptyObject();
  readonly #shared: Shared;
  readonly #direction: Direction;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { name: string; part: Part }[] = [];

  constructor(shared: Shared, direction: Direction) {
    this.#shared = shared;
    this.#direction = direction;
  }

  /** The schema in draft 2020-12. What it refers to stands in `defs` once `finish` was called. */
  convert(part: Part): JsonValue {
    const { value: schema, document, place } = part;
    if (typeof schema === 'boolean') return schema;
    if (this.#shared.left-- <= 0) {
      if (this.#shared.left === -1) this.say(place, 'openapi_size', `The tools of the document would hold more than ${SCHEMAS} schemas.`, 'Import the operations that are used: only: [NAME, …].');
      return emptyObject();
    }
    if (!isObject(schema)) {
      this.say(place, 'openapi_schema', 'A schema is an object of keywords.', 'Write {type: string}, for example.');
      return emptyObject();
    }
    const out = emptyObject();
    if (typeof schema['$ref'] === 'string') {
      const name = this.refer(schema['$ref'], document, this.at(schema, '$ref', place));
      if (name !== null) this.put(out, '$ref', `#/$defs/${name}`, schema, '$ref');
      if (document.dialect === '3.0') {
        this.ignoredBeside(schema, place);
        return out;
      }
    }
    for (const keyword of Object.keys(schema)) if (keyword !== '$ref' && !keyword.startsWith('x-')) this.keyword(keyword, schema, part, out);
    if (document.dialect === '3.0') this.bounds(schema, part, out);
    this.hide(schema, out, part);
    return out;
  }

  /** Converts what was referred to, and what that refers to. */
  finish(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.defs[next.name] = this.convert(next.part);
  }

  private keyword(keyword: string, schema: JsonObject, { document, place, pointer }: Part, out: JsonObject): void {
    const value = schema[keyword]!;
    const at = this.at(schema, keyword, place);
    const isOld = document.dialect === '3.0';
    const inner = (from: object, name: string | number, path: string): JsonValue => (
      this.convert({ value: (from as JsonObject)[name]!, document, place: this.#shared.book.of(from, name)?.value ?? at, pointer: `${pointer}/${path}` }));
    if (isOld && NOT_IN_30.has(keyword)) {
      this.say(this.nameOf(schema, keyword, place), 'openapi_dialect', `${keyword} is no keyword of OpenAPI 3.0: it is taken as draft 2020-12 of JSON Schema means it.`, 'Write openapi: 3.1.0, or leave the keyword out.', true);
    }
    if (keyword === 'examples' && !Array.isArray(value)) this.say(this.nameOf(schema, keyword, place), 'openapi_ignored', 'The examples of a schema are a list: these are passed over.', 'Write a list, or example: with one of them.', true);
    else if (ONE.has(keyword) && !Array.isArray(value)) this.put(out, keyword, inner(schema, keyword, keyword), schema, keyword);
    else if (LIST.has(keyword) && Array.isArray(value)) this.put(out, keyword, this.each(value, (name) => inner(value, name, `${keyword}/${name}`)), schema, keyword);
    else if (BY_NAME.has(keyword) && isObject(value)) {
      const members = emptyObject();
      for (const name of Object.keys(value)) {
        members[name] = inner(value, name, `${keyword}/${name}`);
        this.#shared.book.carry(value, name, members, name);
      }
      this.put(out, keyword, members, schema, keyword);
    } else if (ONE.has(keyword) || LIST.has(keyword) || BY_NAME.has(keyword) || PLAIN.has(keyword)) this.put(out, keyword, value, schema, keyword);
    else this.other(keyword, schema, isOld, place, out);
  }

  /** Keywords of OpenAPI alone, and what is none. */
  private other(keyword: string, schema: JsonObject, isOld: boolean, place: Place, out: JsonObject): void {
    const at = this.nameOf(schema, keyword, place);
    if (ASIDE.has(keyword) || (isOld && keyword === 'nullable')) return;
    if (keyword === 'example') {
      if (schema['examples'] === undefined) out['examples'] = [schema['example']!];
    } else if (keyword === '$schema' && typeof schema['$schema'] === 'string' && DIALECTS.has(schema['$schema'].replace(/#$/, ''))) {
      // The dialect that is read anyway.
    } else if (REFUSED.has(keyword) || keyword === '$schema') {
      const hint = keyword === '$schema' ? 'Write the schema in draft 2020-12, and leave $schema out.' : 'Refer to other schemas by their path: $ref: "#/components/schemas/NAME".';
      this.say(at, 'openapi_unsupported', `${keyword}${keyword === '$schema' ? ` ${JSON.stringify(schema[keyword])}` : ''} is not read in the schemas of an OpenAPI document.`, hint);
    } else if (keyword === 'nullable') {
      this.say(at, 'openapi_ignored', 'nullable is no keyword of OpenAPI 3.1: it is passed over.', 'Write type: [TYPE, "null"].', true);
    } else {
      this.say(at, 'openapi_ignored', `${keyword} is no keyword of a schema: it is passed over.`, 'Leave it out, or begin its name with x-.', true);
    }
  }

  /** 3.0: `nullable` adds null to the type beside it, and `exclusiveMinimum: true` makes the minimum beside it exclusive. */
  private bounds(schema: JsonObject, { place }: Part, out: JsonObject): void {
    if (schema['nullable'] === true) {
      if (typeof schema['type'] === 'string') this.put(out, 'type', [schema['type'], 'null'], schema, 'type');
      else this.say(this.nameOf(schema, 'nullable', place), 'openapi_ignored', 'nullable says nothing without a type beside it: it is passed over.', 'Write the type beside it, or anyOf with a schema whose enum is [null].', true);
    }
    if (Array.isArray(schema['type'])) this.say(this.at(schema, 'type', place), 'openapi_dialect', 'In OpenAPI 3.0 a type is one word: the list is taken as draft 2020-12 of JSON Schema means it.', 'Write openapi: 3.1.0, or one type and nullable: true.', true);
    for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
      const value = schema[exclusive];
      if (typeof value === 'number') {
        this.say(this.at(schema, exclusive, place), 'openapi_dialect', `In OpenAPI 3.0 ${exclusive} is true or false: the number is taken as draft 2020-12 of JSON Schema means it.`, `Write ${bound}: ${value} and ${exclusive}: true.`, true);
      } else if (typeof value === 'boolean') {
        delete out[exclusive];
        if (!value) continue;
        if (typeof schema[bound] !== 'number') {
          this.say(this.at(schema, exclusive, place), 'openapi_ignored', `${exclusive} says nothing without ${bound}: it is passed over.`, `Write ${bound}: beside it.`, true);
          continue;
        }
        delete out[bound];
        this.put(out, exclusive, schema[bound]!, schema, bound);
      }
    }
  }

  /** Leaves out what goes the other way only; where it is required, that holds of the other way. */
  private hide(schema: JsonObject, out: JsonObject, part: Part): void {
    const { properties } = schema;
    if (!isObject(properties)) return;
    const keyword = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const hidden = new Set(Object.keys(properties).filter((name) => this.says(properties[name]!, keyword, part)));
    if (hidden.size === 0) return;
    for (const name of hidden) delete (out['properties'] as JsonObject)[name];
    if (!Array.isArray(out['required'])) return;
    const required = out['required'].filter((name) => !hidden.has(name as string));
    if (required.length === 0) delete out['required'];
    else this.put(out, 'required', required, schema, 'required');
  }

  /** Whether a schema, or the one it refers to, says a keyword is true. */
  private says(schema: JsonValue, keyword: string, { document, place, pointer }: Part): boolean {
    if (!isObject(schema)) return false;
    const isReference = typeof schema['$ref'] === 'string';
    if (schema[keyword] === true && !(isReference && document.dialect === '3.0')) return true;
    if (!isReference) return false;
    const target = this.#shared.documents.follow({ value: schema, document, place, pointer });
    return target !== null && isObject(target.value) && target.value[keyword] === true;
  }

  /** The name in `defs` of what a reference leads to; null where it leads nowhere. */
  private refer(reference: string, from: Document, place: Place): string | null {
    const target = this.#shared.documents.resolve(reference, from, place);
    if (!target) return null;
    if (isObject(target.value) && typeof target.value['$ref'] === 'string' && !this.#shared.documents.follow(target)) return null;
    const key = `${target.document.name}#${target.pointer}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const last = target.pointer === '' ? target.document.name.replace(/^.*\//, '').replace(/\.[^.]*$/, '') : target.pointer.replace(/^.*\//, '');
    const plain = last.replace(/~1|~0|[^A-Za-z0-9._-]+/g, '_') || '_';
    let name = plain;
    for (let n = 2; this.#taken.has(name); n++) name = `${plain}_${n}`;
    this.#names.set(key, name);
    this.#taken.add(name);
    this.#waiting.push({ name, part: target });
    return name;
  }

  private ignoredBeside(schema: JsonObject, place: Place): void {
    for (const keyword of Object.keys(schema)) {
      if (keyword === '$ref' || keyword.startsWith('x-')) continue;
      this.say(this.nameOf(schema, keyword, place), 'openapi_ignored', `In OpenAPI 3.0 a reference stands alone: ${keyword} beside it is passed over.`, 'Write allOf: [{$ref: …}] with the keyword beside it, or openapi: 3.1.0.', true);
    }
  }

  private each(list: JsonValue[], convert: (index: number) => JsonValue): JsonValue[] {
    const out: JsonValue[] = [];
    for (const index of list.keys()) {
      out.push(convert(index));
      this.#shared.book.carry(list, index, out, index);
    }
    return out;
  }

  private put(out: JsonObject, name: string, value: JsonValue, from: JsonObject, fromName: string): void {
    out[name] = value;
    this.#shared.book.carry(from, fromName, out, name);
  }

  private at(container: JsonObject, name: string, otherwise: Place): Place {
    return this.#shared.book.of(container, name)?.value ?? otherwise;
  }

  private nameOf(container: JsonObject, name: string, otherwise: Place): Place {
    return this.#shared.book.of(container, name)?.name ?? this.at(container, name, otherwise);
  }

  private say(place: Place, code: string, message: string, hint: string, isWarning = false): void {
    this.#shared.problems.push(problemAt(place, { code, message, hint, ...(isWarning ? { severity: 'warning' } : {}) }));
  }
}
