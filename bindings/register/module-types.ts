// Turns the types of TypeScript into JSON Schema (draft 2020-12) that says which JSON values are of that type.
import { child, children, commentBefore, keyOf, type Module, type Node, placeOf } from './module-source.ts';
import type { Meaning, Modules } from './module-scope.ts';
import { emptyObject, isObject, type JsonObject, type JsonValue, type PlaceBook } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

/** A type in the module where it stands. */
export interface Typed { node: Node; module: Module }

/** How many schemas one tool may be made of. */
const SCHEMAS = 20_000;
/** How many names of types may stand for one another before a type. */
const CHAIN = 64;
const JSON_ONLY = 'Write a type that JSON has: string, number, boolean, null, arrays, objects of these, and unions of them.';
/** What JSON has no value for, by the names of types, and what to write instead. */
const NO_JSON: Record<string, string> = {
  Date: 'Write string, the date as text.', Map: 'Write Record<string, …>.', Set: 'Write an array.', URL: 'Write string.', RegExp: 'Write string.', Buffer: 'Write string, the bytes as base64.', Uint8Array: 'Write string, the bytes as base64.',
};
const KEYWORDS: Record<string, string> = { TSStringKeyword: 'string', TSNumberKeyword: 'number', TSBooleanKeyword: 'boolean', TSNullKeyword: 'null' };
const UTILITIES = new Set(['Partial', 'Required', 'Readonly', 'Pick', 'Omit']);

/** Converts the types of one tool's parameters, or of its result. Problems come as errors. */
export class TypeConversion {
  readonly #defs: JsonObject = emptyObject();
  readonly #modules: Modules;
  readonly #book: PlaceBook;
  readonly #problems: Problem[];
  readonly #names = new Map<Node, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { name: string; meaning: Meaning }[] = [];
  #left = SCHEMAS;

  constructor(modules: Modules, book: PlaceBook, problems: Problem[]) {
    this.#modules = modules;
    this.#book = book;
    this.#problems = problems;
  }

  /** The schema of a type. What it names stands in `$defs` once `finish` was called. */
  async convert({ node, module }: Typed): Promise<JsonObject> {
    if (this.isSpent({ node, module })) return emptyObject();
    if (Object.hasOwn(KEYWORDS, node.type)) return ofType(KEYWORDS[node.type]!);
    const inner = (member: string): Typed => ({ node: child(node, member)!, module });
    switch (node.type) {
      // An array is an object to TypeScript.
      case 'TSObjectKeyword': return Object.assign(emptyObject(), { type: ['object', 'array'] });
      case 'TSAnyKeyword': case 'TSUnknownKeyword': return emptyObject();
      case 'TSParenthesizedType': return this.convert(inner('typeAnnotation'));
      case 'TSLiteralType': return this.literal({ node, module });
      case 'TSArrayType': return this.array(inner('elementType'));
      case 'TSTupleType': return this.tuple({ node, module });
      case 'TSUnionType': return this.union({ node, module });
      case 'TSTypeOperator': if (node['operator'] === 'readonly') return this.convert(inner('typeAnnotation')); break;
      case 'TSTypePredicate': if (node['asserts'] !== true) return ofType('boolean'); break;
      case 'TSTypeLiteral': return this.object({ node, module }, children(node, 'members'));
      case 'TSIntersectionType': return this.intersection({ node, module });
      case 'TSTypeReference': return this.reference({ node, module });
      default:
    }
    return this.unsupported({ node, module });
  }

  /** Converts the types that were named, and those that these name, and puts those that `schema` comes to into its `$defs`. */
  async finish(schema: JsonObject): Promise<void> {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#defs[next.name] = await this.declared(next.meaning);
    const used = emptyObject();
    const waiting: JsonValue[] = [schema];
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (typeof value !== 'object' || value === null) continue;
      const reference = isObject(value) ? value['$ref'] : undefined;
      const name = typeof reference === 'string' ? reference.slice('#/$defs/'.length) : '';
      if (Object.hasOwn(this.#defs, name) && !Object.hasOwn(used, name)) waiting.push((used[name] = this.#defs[name]!));
      for (const inner of Object.values(value)) waiting.push(inner);
    }
    if (Object.keys(used).length > 0) schema['$defs'] = used;
  }

  /** The schema of an object type written out, not as a reference, so that its members can be seen; null where the type is none. Never tells a problem of a type that is no object. */
  async members(typed: Typed, depth = 0): Promise<JsonObject | null> {
    const { node, module } = typed;
    if (depth > CHAIN || this.isSpent(typed)) return null;
    if (node.type === 'TSParenthesizedType') return this.members({ node: child(node, 'typeAnnotation')!, module }, depth + 1);
    if (node.type === 'TSTypeLiteral') return this.convert(typed);
    if (node.type === 'TSIntersectionType') {
      const merged = await this.intersection(typed);
      return isObject(merged['properties']) ? merged : null;
    }
    if (node.type !== 'TSTypeReference') return null;
    const name = keyOf(child(node, 'typeName'));
    const meaning = name === null ? null : await this.#modules.typeNamed(name, module);
    if (meaning === 'package') return null;
    if (!meaning) return name === 'Record' ? this.namedMembers(typed) : name !== null && UTILITIES.has(name) ? this.utility(name, typed) : null;
    const [declaration] = meaning.declarations;
    if (isGeneric(declaration!)) return null;
    if (declaration!.type === 'TSInterfaceDeclaration') return this.declared(meaning);
    return declaration!.type === 'TSTypeAliasDeclaration' ? this.members({ node: child(declaration!, 'typeAnnotation')!, module: meaning.module }, depth + 1) : null;
  }

  /** `Record` of words has these words as members. */
  private async namedMembers({ node, module }: Typed): Promise<JsonObject | null> {
    const [keys, values] = children(child(node, 'typeArguments') ?? node, 'params').map((each) => ({ node: each, module }));
    const record = keys && values && isWords(keys.node) ? await this.record(keys, values) : null;
    return record && isObject(record['properties']) ? record : null;
  }

  private async object({ node, module }: Typed, members: Node[]): Promise<JsonObject> {
    const out = ofType('object');
    const properties = emptyObject();
    const required: string[] = [];
    out['properties'] = properties;
    for (const member of members) {
      const type = child(child(member, 'typeAnnotation') ?? member, 'typeAnnotation');
      if (member.type === 'TSIndexSignature' && type) {
        out['additionalProperties'] = await this.convert({ node: type, module });
        continue;
      }
      const name = member['computed'] === true ? null : keyOf(child(member, 'key'));
      if (member.type !== 'TSPropertySignature' || name === null || !type) {
        if (member.type === 'TSPropertySignature' && name !== null) this.refuse({ node: member, module }, 'module_untyped', `The member ${name} has no type.`, `Write ${name}: string, for example.`);
        else this.unsupported({ node: member, module });
        continue;
      }
      const present = withoutUndefined(type);
      if (!present) {
        this.refuse({ node: type, module }, 'module_type', `The member ${name} can have no value.`, 'Leave it out.');
        continue;
      }
      this.property(properties, name, await this.convert({ node: present.node, module }), { node: member, module });
      if (member['optional'] !== true && !present.isOptional) required.push(name);
    }
    if (required.length > 0) out['required'] = required;
    return describedBy(out, firstLine(commentBefore(module, node.start)?.text));
  }

  private property(properties: JsonObject, name: string, schema: JsonObject, { node, module }: Typed): void {
    properties[name] = describedBy(schema, firstLine(commentBefore(module, node.start)?.text));
    this.#book.note(properties, name, { name: placeOf(module, child(node, 'key') ?? node), value: placeOf(module, child(node, 'typeAnnotation') ?? node) });
  }

  /** A named declaration, written out. */
  private async declared({ module, declarations }: Meaning): Promise<JsonObject> {
    const [first] = declarations as [Node];
    if (this.isSpent({ node: first, module })) return emptyObject();
    if (first.type === 'TSTypeAliasDeclaration') return this.convert({ node: child(first, 'typeAnnotation')!, module });
    if (first.type === 'TSEnumDeclaration') return this.enumeration({ node: first, module });
    if (first.type !== 'TSInterfaceDeclaration') return this.unsupported({ node: first, module });
    const parts: JsonObject[] = [];
    for (const declaration of declarations) {
      for (const base of children(declaration, 'extends')) {
        const expression = child(base, 'expression')!;
        const parameters = child(base, 'typeParameters') ?? child(base, 'typeArguments');
        const reference: Node = { type: 'TSTypeReference', start: base.start, end: base.end, typeName: expression, ...(parameters ? { typeArguments: parameters } : {}) };
        const part = await this.members({ node: reference, module });
        parts.push(part ?? await this.convert({ node: reference, module }));
      }
    }
    for (const declaration of declarations) {
      const body = child(declaration, 'body')!;
      parts.push(await this.object({ node: declaration, module }, children(body, 'body')));
    }
    // What an interface says again takes the place of what it extends.
    return this.merge(parts, true);
  }

  private async intersection({ node, module }: Typed): Promise<JsonObject> {
    const parts: JsonObject[] = [];
    let isMembers = true;
    for (const type of children(node, 'types')) {
      const members = await this.members({ node: type, module });
      isMembers &&= members !== null;
      parts.push(members ?? await this.convert({ node: type, module }));
    }
    const names = parts.flatMap((part) => Object.keys((part['properties'] ?? {}) as JsonObject));
    if (isMembers && new Set(names).size === names.length && !parts.some((part) => part['additionalProperties'] !== undefined)) return this.merge(parts, false);
    const out = emptyObject();
    out['allOf'] = parts;
    return out;
  }

  /** One object of the members of several. */
  private merge(parts: JsonObject[], replaces: boolean): JsonObject {
    if (parts.length === 1) return parts[0]!;
    const out = ofType('object');
    const properties = emptyObject();
    const required = new Set<string>();
    out['properties'] = properties;
    for (const part of parts) {
      const more = (part['properties'] ?? emptyObject()) as JsonObject;
      const needed = new Set((part['required'] ?? []) as string[]);
      for (const name of Object.keys(more)) {
        if (replaces) required.delete(name);
        properties[name] = more[name]!;
        this.#book.carry(more, name, properties, name);
        if (needed.has(name)) required.add(name);
      }
      for (const keyword of ['additionalProperties', 'description']) if (part[keyword] !== undefined) out[keyword] = part[keyword]!;
    }
    if (required.size > 0) out['required'] = [...required];
    return out;
  }

  private async reference({ node, module }: Typed): Promise<JsonObject> {
    const name = keyOf(child(node, 'typeName'));
    if (name === null) return this.unsupported({ node, module });
    const meaning = await this.#modules.typeNamed(name, module);
    if (meaning === 'package') return this.refuse({ node, module }, 'module_type', `The type ${name} comes from a package, which is not read.`, 'Write the type out here.');
    if (meaning) return this.named(name, meaning, { node, module });
    const given = children(child(node, 'typeArguments') ?? node, 'params').map((each) => ({ node: each, module }));
    if ((name === 'Array' || name === 'ReadonlyArray') && given[0]) return this.array(given[0]);
    if (name === 'Record' && given.length === 2) return this.record(given[0]!, given[1]!);
    if (UTILITIES.has(name)) return (await this.utility(name, { node, module })) ?? this.unsupported({ node, module });
    if (name === 'NonNullable' && given[0]) return this.nonNullable(given[0]);
    return this.refuse({ node, module }, 'module_type', Object.hasOwn(NO_JSON, name) ? `JSON has no ${name}.` : `The type ${name} is not declared here, nor in a module beside.`, Object.hasOwn(NO_JSON, name) ? NO_JSON[name]! : JSON_ONLY);
  }

  private async named(name: string, meaning: Meaning, at: Typed): Promise<JsonObject> {
    const [declaration] = meaning.declarations as [Node];
    if (isGeneric(declaration)) return this.refuse(at, 'module_type', `The type ${name} has parameters of its own: such types are not read.`, 'Write the type out with its arguments in place.');
    if (declaration.type === 'ClassDeclaration' || declaration.type === 'TSModuleDeclaration') return this.unsupported(at);
    // Words and numbers stand where they are used: so they are seen by who reads the parameter alone.
    if (declaration.type === 'TSEnumDeclaration') return this.enumeration({ node: declaration, module: meaning.module });
    const type = declaration.type === 'TSTypeAliasDeclaration' ? child(declaration, 'typeAnnotation')! : null;
    if (type && isFlat(type)) return this.convert({ node: type, module: meaning.module });
    const known = this.#names.get(declaration);
    if (known !== undefined) return referTo(known);
    if (type && await this.isRing(type, meaning.module)) return this.refuse(at, 'module_type', `The type ${name} stands for itself.`, 'Write out what it is.');
    let unique = name;
    for (let n = 2; this.#taken.has(unique); n++) unique = `${name}_${n}`;
    this.#names.set(declaration, unique);
    this.#taken.add(unique);
    this.#waiting.push({ name: unique, meaning });
    return referTo(unique);
  }

  /** Whether an alias only names aliases that lead back to one of them. */
  private async isRing(type: Node, module: Module): Promise<boolean> {
    const seen = new Set<Node>();
    let at: Typed = { node: type, module };
    while (at.node.type === 'TSTypeReference') {
      if (seen.has(at.node)) return true;
      seen.add(at.node);
      const name = keyOf(child(at.node, 'typeName'));
      const meaning = name === null ? null : await this.#modules.typeNamed(name, at.module);
      const declaration = meaning && meaning !== 'package' ? meaning.declarations[0]! : null;
      if (declaration?.type !== 'TSTypeAliasDeclaration') return false;
      at = { node: child(declaration, 'typeAnnotation')!, module: (meaning as Meaning).module };
    }
    return false;
  }

  private async utility(name: string, { node, module }: Typed): Promise<JsonObject | null> {
    const [of, keys] = children(child(node, 'typeArguments') ?? node, 'params').map((each) => ({ node: each, module }));
    const object = of ? await this.members(of) : null;
    if (!object || !isObject(object['properties'])) return null;
    const all = Object.keys(object['properties']);
    const required = new Set((object['required'] ?? []) as string[]);
    let kept = all;
    if (name === 'Pick' || name === 'Omit') {
      const named = keys ? await this.words(keys) : null;
      if (!named) return null;
      kept = all.filter((each) => named.has(each) === (name === 'Pick'));
    }
    const out = ofType('object');
    const properties = emptyObject();
    for (const each of kept) {
      properties[each] = object['properties'][each]!;
      this.#book.carry(object['properties'], each, properties, each);
    }
    out['properties'] = properties;
    const needed = name === 'Partial' ? [] : name === 'Required' ? kept : kept.filter((each) => required.has(each));
    if (needed.length > 0) out['required'] = needed;
    if (object['additionalProperties'] !== undefined) out['additionalProperties'] = object['additionalProperties'];
    return out;
  }

  /** The words that a type of words means; null where it is another type. */
  private async words(typed: Typed): Promise<Set<string> | null> {
    const schema = await this.convert(typed);
    const values = schema['const'] !== undefined ? [schema['const']] : schema['enum'];
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? new Set(values) : null;
  }

  private async record(keys: Typed, values: Typed): Promise<JsonObject> {
    const out = ofType('object');
    const schema = await this.convert(values);
    const key = await this.convert(keys);
    if (key['type'] === 'string' && key['enum'] === undefined) {
      out['additionalProperties'] = schema;
      return out;
    }
    const words = key['const'] !== undefined ? [key['const']] : key['enum'];
    if (!Array.isArray(words)) return this.unsupported(keys);
    const properties = emptyObject();
    for (const word of words) properties[String(word)] = schema;
    out['properties'] = properties;
    out['required'] = Object.keys(properties);
    return out;
  }

  private async array(element: Typed): Promise<JsonObject> {
    const out = ofType('array');
    out['items'] = await this.convert(element);
    return out;
  }

  private async tuple({ node, module }: Typed): Promise<JsonObject> {
    const out = ofType('array');
    const items: JsonObject[] = [];
    let least = 0;
    let rest: JsonValue = false;
    const elements = children(node, 'elementTypes');
    for (const [index, element] of elements.entries()) {
      const isNamed = element.type === 'TSNamedTupleMember';
      const type = child(element, 'elementType') ?? element;
      if (type.type === 'TSRestType' || element.type === 'TSRestType') {
        const array = child(element.type === 'TSRestType' ? element : type, 'typeAnnotation')!;
        const inner = await this.convert({ node: array.type === 'TSNamedTupleMember' ? child(array, 'elementType')! : array, module });
        if (index !== elements.length - 1 || !isObject(inner['items'])) return this.unsupported({ node: element, module });
        rest = inner['items'];
        continue;
      }
      const isOptional = element.type === 'TSOptionalType' || (isNamed && element['optional'] === true);
      items.push(await this.convert({ node: element.type === 'TSOptionalType' ? child(element, 'typeAnnotation')! : type, module }));
      if (!isOptional) least = items.length;
    }
    if (items.length > 0) out['prefixItems'] = items;
    out['items'] = rest;
    if (least > 0) out['minItems'] = least;
    return out;
  }

  private async union({ node, module }: Typed): Promise<JsonObject> {
    const schemas: JsonObject[] = [];
    for (const type of children(node, 'types')) schemas.push(await this.convert({ node: type, module }));
    return oneOf(schemas);
  }

  private async nonNullable(typed: Typed): Promise<JsonObject> {
    const out = emptyObject();
    out['allOf'] = [await this.convert(typed)];
    out['not'] = ofType('null');
    return out;
  }

  private enumeration({ node, module }: Typed): JsonObject {
    const values: JsonValue[] = [];
    let next: number | null = 0;
    for (const member of children(node, 'members').length > 0 ? children(node, 'members') : children(child(node, 'body') ?? node, 'members')) {
      const initializer = child(member, 'initializer');
      const value: JsonValue | undefined = initializer ? literalValue(initializer) : next ?? undefined;
      if (typeof value !== 'string' && typeof value !== 'number') return this.refuse({ node: initializer ?? member, module }, 'module_type', 'The value of this member is not written out.', 'Write a string or a number.');
      values.push(value);
      next = typeof value === 'number' ? value + 1 : null;
    }
    return oneOf(values.map(constant));
  }

  private literal({ node, module }: Typed): JsonObject {
    const value = literalValue(child(node, 'literal')!);
    return value === undefined ? this.unsupported({ node, module }) : constant(value);
  }

  /** Counts a type; whether there were too many, which is told once. */
  private isSpent(typed: Typed): boolean {
    if (this.#left-- === 0) this.refuse(typed, 'module_size', `The types of one tool make more than ${SCHEMAS} schemas.`, 'Take simpler types; an interface cannot extend itself.');
    return this.#left < 0;
  }

  private unsupported(typed: Typed): JsonObject {
    const text = typed.module.source.text.slice(typed.node.start, typed.node.end).replace(/\s+/g, ' ');
    return this.refuse(typed, 'module_type', `This type is not read: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}.`, JSON_ONLY);
  }

  private refuse({ node, module }: Typed, code: string, message: string, hint: string): JsonObject {
    this.#problems.push(problemAt(placeOf(module, node), { code, message, hint }));
    return emptyObject();
  }
}

/** A type without `undefined`: in JSON that is a member left out. Null where nothing else is left. */
export function withoutUndefined(node: Node): { node: Node; isOptional: boolean } | null {
  const isNothing = ({ type }: Node) => type === 'TSUndefinedKeyword' || type === 'TSVoidKeyword';
  if (isNothing(node)) return null;
  if (node.type !== 'TSUnionType') return { node, isOptional: false };
  const types = children(node, 'types');
  const rest = types.filter((type) => !isNothing(type));
  if (rest.length === 0) return null;
  if (rest.length === types.length) return { node, isOptional: false };
  return { node: rest.length === 1 ? rest[0]! : { ...node, types: rest }, isOptional: true };
}

/** The value of a literal expression that JSON has; undefined where it is none. */
export function literalValue(node: Node): JsonValue | undefined {
  if (node.type === 'Literal' && node['bigint'] === undefined && node['regex'] === undefined) return node['value'] as JsonValue;
  if (node.type === 'TemplateLiteral' && children(node, 'expressions').length === 0) return (children(node, 'quasis')[0]!['value'] as { cooked?: string }).cooked;
  const argument = child(node, 'argument');
  if (node.type !== 'UnaryExpression' || node['operator'] !== '-' || argument?.type !== 'Literal' || typeof argument['value'] !== 'number' || argument['bigint'] !== undefined) return undefined;
  return -argument['value'];
}

/** The first line of a documentation comment, empty where it begins with a tag. */
export function firstLine(comment: string | undefined): string {
  const lines = (comment ?? '').replace(/^\*/, '').split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.replace(/^\s*\*(?: |$)?/, '').trim());
  const first = lines.find((line) => line !== '') ?? '';
  return first.startsWith('@') ? '' : first;
}

/** A schema with a description, where there is one and the schema has none. */
export function describedBy(schema: JsonObject, description: string): JsonObject {
  if (description !== '' && schema['description'] === undefined) schema['description'] = description;
  return schema;
}

function ofType(type: string): JsonObject {
  const out = emptyObject();
  out['type'] = type;
  return out;
}

function referTo(name: string): JsonObject {
  const out = emptyObject();
  out['$ref'] = `#/$defs/${name}`;
  return out;
}

/** The schema of one value. */
function constant(value: JsonValue): JsonObject {
  const out = value === null ? ofType('null') : emptyObject();
  if (value !== null) out['const'] = value;
  return out;
}

/** The schema that any of several allows: values as one enumeration, types as one list. */
function oneOf(schemas: JsonObject[]): JsonObject {
  if (schemas.length === 1) return schemas[0]!;
  const out = emptyObject();
  const isNull = (schema: JsonObject) => schema['type'] === 'null';
  const values = schemas.map((schema) => (isNull(schema) ? [null] : schema['const'] !== undefined ? [schema['const']] : Array.isArray(schema['enum']) && Object.keys(schema).length === 1 ? schema['enum'] : null));
  if (values.every((value) => value !== null) && !schemas.every(isNull)) out['enum'] = [...new Set(values.flat())];
  else if (schemas.every((schema) => typeof schema['type'] === 'string' && Object.keys(schema).length === 1)) out['type'] = [...new Set(schemas.map((schema) => schema['type']!))];
  else out['anyOf'] = schemas;
  return out;
}

/** Whether a type is made of words, numbers and the like alone. */
function isFlat(node: Node): boolean {
  if (node.type === 'TSUnionType') return children(node, 'types').every(isFlat);
  if (node.type === 'TSParenthesizedType') return isFlat(child(node, 'typeAnnotation')!);
  return node.type === 'TSLiteralType' || Object.hasOwn(KEYWORDS, node.type);
}

/** Whether a type may be one of words alone: a record of any string has no members that are known. */
function isWords({ type }: Node): boolean {
  return type === 'TSLiteralType' || type === 'TSUnionType' || type === 'TSTypeReference';
}

function isGeneric(declaration: Node): boolean {
  return child(declaration, 'typeParameters') !== null;
}
