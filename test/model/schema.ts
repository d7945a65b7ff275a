// Walks a JSON Schema over a value, every keyword by its own sentence of draft 2020-12 or draft-07 (chapter 2, "What the schema walk asserts").
import { JsonNumber, type Json } from './json.ts';
import { compareDecimal, decimal, isInteger, isMultiple } from './decimal.ts';
import { formats } from './formats.ts';
import { compilePattern } from './pattern.ts';
import { Resources } from './references.ts';
import { isPartial } from './schema-partial.ts';
import { valueKey } from './value-key.ts';

export { schemaProblem } from './schema-problem.ts';

export interface SchemaError {
  /** RFC 6901, from the value's root. */
  pointer: string;
  /** The keyword, or `false` for a false schema, or `steps` for a reference that runs in a circle. */
  rule: string;
}

export interface WalkOptions {
  /** Schemas that `$ref` may name, by URI. */
  documents: Map<string, Json>;
  /** Whether the formats of chapter 2 are asserted. */
  formats: boolean;
  /** Whether members of nested objects that their schema does not list are refused (setting `undeclared_arguments: deep`). */
  deep?: boolean;
}

/**
 * Validates a value. Errors are sorted by pointer (UTF-16 code units), then by rule, without repeats.
 * `partial` tells that the schema holds something not asserted.
 */
export function walk(schema: Json, value: Json, options: WalkOptions): { errors: SchemaError[]; partial: boolean } {
  const resources = new Resources(schema, options.documents);
  let errors: SchemaError[];
  try {
    errors = new Walk(resources, options).apply(schema, value, '', { bases: [], active: [], quiet: false }).errors;
  } catch (error) {
    if (!(error instanceof Circle)) throw error;
    errors = [{ pointer: '', rule: 'steps' }];
  }
  const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  errors.sort((a, b) => order(a.pointer, b.pointer) || order(a.rule, b.rule));
  errors = errors.filter((e, i) => i === 0 || e.pointer !== errors[i - 1]!.pointer || e.rule !== errors[i - 1]!.rule);
  return { errors, partial: isPartial(schema, resources, options.formats) };
}

class Circle extends Error {}

/** The way to a schema: base URIs entered, the schemas being applied at places of the value, and whether the deep rule rests. */
interface Way {
  bases: string[];
  active: { schema: Json; pointer: string }[];
  quiet: boolean;
}

/** What applying a schema at one place gives. */
class Outcome {
  errors: SchemaError[] = [];
  /** Members and items that some keyword evaluated. */
  members = new Set<string>();
  items = new Set<number>();
  /** For the deep rule: the members declared, and whether a schema lists `properties`. */
  declared = new Set<string>();
  lists = false;

  get valid(): boolean {
    return this.errors.length === 0;
  }
  /** Takes over what a schema found at the same place. */
  take(other: Outcome): void {
    this.errors.push(...other.errors);
    this.takeAnnotations(other);
  }
  takeAnnotations(other: Outcome): void {
    for (const m of other.members) this.members.add(m);
    for (const i of other.items) this.items.add(i);
    for (const d of other.declared) this.declared.add(d);
    this.lists ||= other.lists;
  }
}

const child = (pointer: string, name: string | number) => `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

class Walk {
  constructor(private readonly resources: Resources, private readonly options: WalkOptions) {}

  /** Applies a schema at a place of the value. */
  apply(schema: Json, value: Json, pointer: string, way: Way): Outcome {
    const out = new Outcome();
    if (schema === false) out.errors.push({ pointer, rule: 'false' });
    if (!(schema instanceof Map)) return out;
    const { base, dialect } = this.resources.place(schema);
    const bases = way.bases.at(-1) === base ? way.bases : [...way.bases, base];
    if (way.active.some((a) => a.schema === schema && a.pointer === pointer)) {
      // The same schema at the same place again. With one more base in scope a dynamic reference may lead elsewhere, so allow a few rounds.
      if (way.active.filter((a) => a.schema === schema && a.pointer === pointer).length > 8) throw new Circle();
    }
    const here: Way = { ...way, bases, active: [...way.active, { schema, pointer }] };
    const site = { schema, value, pointer, way: here, out };
    if (dialect.draft === '7' && typeof schema.get('$ref') === 'string') {
      this.reference(site, '$ref');
      return out;
    }
    this.reference(site, '$ref');
    if (dialect.draft === '2020-12') this.reference(site, '$dynamicRef');
    if (dialect.validation) this.assertions(site, dialect.draft);
    if (this.options.formats || dialect.formats) this.format(site);
    this.inPlace(site, dialect.draft);
    if (value instanceof Map) this.members(site);
    if (Array.isArray(value)) this.items(site, dialect.draft);
    if (dialect.draft === '2020-12') this.unevaluated(site);
    return out;
  }

  /** Applies a schema to a member or item, with the deep rule where it holds. */
  private below(site: Site, schema: Json, value: Json, name: string | number): Outcome {
    const pointer = child(site.pointer, name);
    const found = this.apply(schema, value, pointer, site.way);
    if (this.options.deep && !site.way.quiet && value instanceof Map && found.lists) {
      for (const member of value.keys()) {
        if (!found.declared.has(member)) found.errors.push({ pointer: child(pointer, member), rule: 'additionalProperties' });
      }
    }
    return found;
  }

  /** Applies a schema whose errors are not reported: only its verdict counts, and the deep rule rests where it would change a condition. */
  private trial(site: Site, schema: Json, quiet: boolean): Outcome {
    return this.apply(schema, site.value, site.pointer, { ...site.way, quiet: site.way.quiet || quiet });
  }

  private reference({ schema, value, pointer, way, out }: Site, keyword: '$ref' | '$dynamicRef'): void {
    const reference = schema.get(keyword);
    if (typeof reference !== 'string') return;
    const found = this.resources.resolve(reference, this.resources.place(schema));
    if (typeof found === 'string') return;
    let target = found.schema;
    if (keyword === '$dynamicRef' && found.dynamicName !== null) target = this.resources.dynamic(found.dynamicName, way.bases) ?? target;
    out.take(this.apply(target, value, pointer, way));
  }

  private assertions({ schema, value, pointer, out }: Site, draft: string): void {
    for (const [keyword, argument] of schema) {
      const check = assertionsOf[keyword];
      if (!check || (Object.hasOwn(only, keyword) && only[keyword] !== draft)) continue;
      if (!check(argument, value)) out.errors.push({ pointer, rule: keyword });
    }
  }

  private format({ schema, value, pointer, out }: Site): void {
    const check = formats.get(String(schema.get('format')));
    if (check && typeof value === 'string' && !check(value)) out.errors.push({ pointer, rule: 'format' });
  }

  /** Keywords that apply schemas to the value itself. */
  private inPlace(site: Site, draft: string): void {
    const { schema, value, pointer, way, out } = site;
    for (const branch of list(schema.get('allOf'))) out.take(this.apply(branch, value, pointer, way));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema.get(keyword);
      if (!Array.isArray(branches)) continue;
      const passing = branches.map((b) => this.trial(site, b, false)).filter((o) => o.valid);
      if (keyword === 'anyOf' ? passing.length === 0 : passing.length !== 1) out.errors.push({ pointer, rule: keyword });
      for (const o of passing) out.takeAnnotations(o);
    }
    if (schema.has('not') && this.trial(site, schema.get('not')!, true).valid) out.errors.push({ pointer, rule: 'not' });
    if (schema.has('if')) {
      const condition = this.trial(site, schema.get('if')!, true);
      if (condition.valid) out.takeAnnotations(condition);
      const next = schema.get(condition.valid ? 'then' : 'else');
      if (next !== undefined) out.take(this.apply(next, value, pointer, way));
    }
    const dependent = schema.get(draft === '7' ? 'dependencies' : 'dependentSchemas');
    if (value instanceof Map && dependent instanceof Map) {
      for (const [name, below] of dependent) {
        if (value.has(name) && !Array.isArray(below)) out.take(this.apply(below, value, pointer, way));
      }
    }
  }

  /** `properties`, `patternProperties`, `additionalProperties`, `propertyNames`. */
  private members(site: Site): void {
    const { schema, pointer, way, out } = site;
    const value = site.value as Map<string, Json>;
    const properties = schema.get('properties');
    const patterns = schema.get('patternProperties');
    const additional = schema.get('additionalProperties');
    out.lists ||= properties instanceof Map;
    for (const [name, member] of value) {
      const found: Json[] = [];
      if (properties instanceof Map && properties.has(name)) found.push(properties.get(name)!);
      if (patterns instanceof Map) {
        for (const [text, below] of patterns) {
          const pattern = compilePattern(text);
          if (pattern.kind === 'ok' && pattern.test(name)) found.push(below);
        }
      }
      const own = found.length > 0;
      if (!own && additional !== undefined) {
        if (additional === false) out.errors.push({ pointer: child(pointer, name), rule: 'additionalProperties' });
        else found.push(additional);
      }
      if (own || additional instanceof Map) out.declared.add(name);
      if (found.length > 0 || additional === false) out.members.add(name);
      for (const below of found) out.errors.push(...this.below(site, below, member, name).errors);
      const names = schema.get('propertyNames');
      if (names !== undefined && !this.apply(names, name, child(pointer, name), { ...way, quiet: true }).valid) {
        out.errors.push({ pointer, rule: 'propertyNames' });
      }
    }
  }

  /** `prefixItems`, `items`, `additionalItems`, `contains`. */
  private items(site: Site, draft: string): void {
    const { schema, pointer, out } = site;
    const value = site.value as Json[];
    const items = schema.get('items');
    const isTuple = draft === '7' && Array.isArray(items);
    const prefix = draft === '7' ? (isTuple ? (items as Json[]) : []) : list(schema.get('prefixItems'));
    const rest = isTuple ? schema.get('additionalItems') : items;
    for (const [i, item] of value.entries()) {
      const below = i < prefix.length ? prefix[i] : rest;
      if (below === undefined) continue;
      out.items.add(i);
      if (isTuple && i >= prefix.length && below === false) out.errors.push({ pointer: child(pointer, i), rule: 'additionalItems' });
      else out.errors.push(...this.below(site, below, item, i).errors);
    }
    if (schema.has('contains')) this.contains(site, value, draft);
  }

  private contains({ schema, pointer, way, out }: Site, value: Json[], draft: string): void {
    const contains = schema.get('contains')!;
    const matching = [...value.entries()].filter(([i, item]) => this.apply(contains, item, child(pointer, i), { ...way, quiet: true }).valid);
    const count = matching.length;
    const bound = (keyword: string) => {
      const limit = schema.get(keyword);
      return draft === '2020-12' && limit instanceof JsonNumber ? limit : null;
    };
    const least = bound('minContains');
    const most = bound('maxContains');
    if (count === 0 && !(least && decimal(least.text).digits === 0n)) out.errors.push({ pointer, rule: 'contains' });
    if (least && compareCount(count, least) < 0) out.errors.push({ pointer, rule: 'minContains' });
    if (most && compareCount(count, most) > 0) out.errors.push({ pointer, rule: 'maxContains' });
    if (draft === '2020-12') for (const [i] of matching) out.items.add(i);
  }

  private unevaluated(site: Site): void {
    const { schema, value, pointer, out } = site;
    const one = (keyword: string, below: Json, item: Json, name: string | number) => {
      if (below === false) out.errors.push({ pointer: child(pointer, name), rule: keyword });
      else out.errors.push(...this.below(site, below, item, name).errors);
    };
    const properties = schema.get('unevaluatedProperties');
    if (value instanceof Map && properties !== undefined) {
      for (const [name, member] of value) {
        if (out.members.has(name)) continue;
        one('unevaluatedProperties', properties, member, name);
        out.members.add(name);
      }
    }
    const items = schema.get('unevaluatedItems');
    if (Array.isArray(value) && items !== undefined) {
      for (const [i, item] of value.entries()) {
        if (out.items.has(i)) continue;
        one('unevaluatedItems', items, item, i);
        out.items.add(i);
      }
    }
  }
}

interface Site {
  schema: Map<string, Json>;
  value: Json;
  pointer: string;
  way: Way;
  out: Outcome;
}

const list = (v: Json | undefined): Json[] => (Array.isArray(v) ? v : []);
const compareCount = (count: number, limit: JsonNumber) => compareDecimal(decimal(String(count)), decimal(limit.text));

const codePoints = (s: string) => [...s].length;

function isType(type: Json, value: Json): boolean {
  switch (type) {
    case 'null': return value === null;
    case 'boolean': return typeof value === 'boolean';
    case 'string': return typeof value === 'string';
    case 'array': return Array.isArray(value);
    case 'object': return value instanceof Map;
    case 'number': return value instanceof JsonNumber;
    case 'integer': return value instanceof JsonNumber && isInteger(decimal(value.text));
    default: return false;
  }
}

/** A number keyword against a number. */
const number = (holds: (order: number) => boolean) => (limit: Json, value: Json) =>
  !(value instanceof JsonNumber) || !(limit instanceof JsonNumber) || holds(compareDecimal(decimal(value.text), decimal(limit.text)));
/** A size keyword against what a value counts; null where it counts nothing. */
const counted = (count: (value: Json) => number | null, holds: (order: number) => boolean) => (limit: Json, value: Json) => {
  const n = count(value);
  return n === null || !(limit instanceof JsonNumber) || holds(compareCount(n, limit));
};
const atLeast = (order: number) => order >= 0;
const atMost = (order: number) => order <= 0;
const length = (v: Json) => (typeof v === 'string' ? codePoints(v) : null);
const itemCount = (v: Json) => (Array.isArray(v) ? v.length : null);
const memberCount = (v: Json) => (v instanceof Map ? v.size : null);
const holdsAll = (value: Map<string, Json>, names: Json) => list(names).every((n) => typeof n !== 'string' || value.has(n));
const dependent = (rules: Json, value: Json) =>
  !(value instanceof Map) || !(rules instanceof Map) || [...rules].every(([name, names]) => !value.has(name) || holdsAll(value, names));

/** Assertions that only one of the drafts knows. */
const only: Record<string, string> = { dependentRequired: '2020-12', dependencies: '7' };

const assertionsOf: Record<string, (argument: Json, value: Json) => boolean> = {
  __proto__: null as never,
  type: (types, value) => (Array.isArray(types) ? types.some((t) => isType(t, value)) : isType(types, value)),
  enum: (values, value) => list(values).some((v) => valueKey(v) === valueKey(value)),
  const: (wanted, value) => valueKey(wanted) === valueKey(value),
  multipleOf: (by, value) => !(value instanceof JsonNumber) || !(by instanceof JsonNumber) || isMultiple(decimal(value.text), decimal(by.text)),
  minimum: number(atLeast),
  maximum: number(atMost),
  exclusiveMinimum: number((order) => order > 0),
  exclusiveMaximum: number((order) => order < 0),
  minLength: counted(length, atLeast),
  maxLength: counted(length, atMost),
  minItems: counted(itemCount, atLeast),
  maxItems: counted(itemCount, atMost),
  minProperties: counted(memberCount, atLeast),
  maxProperties: counted(memberCount, atMost),
  uniqueItems: (on, value) => on !== true || !Array.isArray(value) || new Set(value.map(valueKey)).size === value.length,
  required: (names, value) => !(value instanceof Map) || holdsAll(value, names),
  dependentRequired: dependent,
  dependencies: dependent,
  pattern: (text, value) => {
    if (typeof text !== 'string' || typeof value !== 'string') return true;
    const pattern = compilePattern(text);
    return pattern.kind !== 'ok' || pattern.test(value);
  },
};
