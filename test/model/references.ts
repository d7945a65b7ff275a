// Finds what `$ref`, `$dynamicRef`, `$id` and anchors of JSON Schemas stand for, over the schema and the documents beside it.
import type { Json } from './json.ts';

export interface Dialect {
  draft: '2020-12' | '7';
  /** False where a metaschema leaves the validation vocabulary out. */
  validation: boolean;
  /** True where a metaschema asks for asserted formats. */
  formats: boolean;
}
/** Where a schema stands: its base URI and its dialect. */
export interface Place {
  base: string;
  dialect: Dialect;
}

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const VOCABULARY = 'https://json-schema.org/draft/2020-12/vocab/';

/** Keywords whose value is a schema, a list of schemas, or an object of schemas, by draft. */
const shapes = {
  '2020-12': {
    one: ['items', 'contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
    list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
    object: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  },
  '7': {
    one: ['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'],
    list: ['allOf', 'anyOf', 'oneOf', 'items'],
    object: ['properties', 'patternProperties', 'dependencies', 'definitions', '$defs'],
  },
};

/** The schemas directly below a schema, where its draft has schemas, with the keyword they stand under. */
export function subschemas(schema: Map<string, Json>, draft: '2020-12' | '7'): { keyword: string; schema: Json }[] {
  const out: { keyword: string; schema: Json }[] = [];
  const isSchema = (v: Json) => v instanceof Map || typeof v === 'boolean';
  for (const [keyword, value] of schema) {
    const candidates: Json[] = [];
    if (shapes[draft].one.includes(keyword) && isSchema(value)) candidates.push(value);
    if (shapes[draft].list.includes(keyword) && Array.isArray(value)) candidates.push(...value);
    if (shapes[draft].object.includes(keyword) && value instanceof Map) candidates.push(...value.values());
    for (const candidate of candidates) if (isSchema(candidate)) out.push({ keyword, schema: candidate });
  }
  return out;
}

/** All resources in reach, by URI. */
export class Resources {
  private readonly roots = new Map<string, Json>();
  private readonly anchors = new Map<string, { schema: Json; dynamic: boolean }>();
  private readonly places = new Map<Json, Place>();

  constructor(root: Json, private readonly documents: Map<string, Json>) {
    const dialect = this.dialectOf(root, { draft: '2020-12', validation: true, formats: false });
    this.add(root, '', dialect);
    // A document that names no dialect is read in the one of the schema that may refer to it.
    for (const [uri, document] of documents) this.add(document, uri.replace(/#$/, ''), dialect);
  }

  private add(schema: Json, uri: string, inherited: Dialect): void {
    this.roots.set(uri, schema);
    this.scan(schema, { base: uri, dialect: this.dialectOf(schema, inherited) }, true);
  }

  private dialectOf(schema: Json, inherited: Dialect): Dialect {
    const uri = schema instanceof Map ? schema.get('$schema') : undefined;
    if (typeof uri !== 'string') return inherited;
    if (DRAFT_7.test(uri)) return { draft: '7', validation: true, formats: false };
    const metaschema = this.documents.get(uri) ?? this.documents.get(uri.replace(/#$/, ''));
    const vocabulary = metaschema instanceof Map ? metaschema.get('$vocabulary') : undefined;
    if (!(vocabulary instanceof Map)) return { draft: '2020-12', validation: true, formats: false };
    return {
      draft: '2020-12',
      validation: vocabulary.has(`${VOCABULARY}validation`),
      formats: vocabulary.has(`${VOCABULARY}format-assertion`),
    };
  }

  /** Gives a schema and those below it their places, and registers identifiers and anchors; the first of a name stays. */
  private scan(schema: Json, place: Place, isRoot: boolean): void {
    if (!(schema instanceof Map) || this.places.has(schema)) return;
    const id = schema.get('$id');
    let here = place;
    const siblingOfRef = place.dialect.draft === '7' && schema.has('$ref');
    if (typeof id === 'string' && !siblingOfRef) {
      const [uri, fragment] = split(resolveUri(place.base, id));
      if (!id.startsWith('#')) {
        here = { base: uri, dialect: isRoot ? place.dialect : this.dialectOf(schema, place.dialect) };
        if (!this.roots.has(uri)) this.roots.set(uri, schema);
      }
      if (fragment && here.dialect.draft === '7') this.anchor(here.base, fragment, schema, false);
    }
    this.places.set(schema, here);
    if (here.dialect.draft === '2020-12') {
      const anchor = schema.get('$anchor');
      const dynamic = schema.get('$dynamicAnchor');
      if (typeof anchor === 'string') this.anchor(here.base, anchor, schema, false);
      if (typeof dynamic === 'string') this.anchor(here.base, dynamic, schema, true);
    }
    for (const below of subschemas(schema, here.dialect.draft)) this.scan(below.schema, here, false);
  }

  private anchor(base: string, name: string, schema: Json, dynamic: boolean): void {
    const key = `${base}#${name}`;
    if (!this.anchors.has(key)) this.anchors.set(key, { schema, dynamic });
  }

  /** The place of a schema that was scanned. */
  place(schema: Json): Place {
    return this.places.get(schema) ?? { base: '', dialect: { draft: '2020-12', validation: true, formats: false } };
  }

  /** The schema a reference stands for; `unknown` where its document is not here, `broken` where the document holds no such place. */
  resolve(reference: string, from: Place): { schema: Json; dynamicName: string | null } | 'unknown' | 'broken' {
    const [uri, fragment] = split(resolveUri(from.base, reference));
    const root = this.roots.get(uri);
    if (root === undefined) return 'unknown';
    if (fragment === '') return { schema: root, dynamicName: null };
    if (!fragment.startsWith('/')) {
      const found = this.anchors.get(`${this.place(root).base}#${fragment}`) ?? this.anchors.get(`${uri}#${fragment}`);
      return found ? { schema: found.schema, dynamicName: found.dynamic ? fragment : null } : 'broken';
    }
    const schema = this.pointer(root, fragment);
    return schema === undefined ? 'broken' : { schema, dynamicName: null };
  }

  private pointer(root: Json, pointer: string): Json | undefined {
    let at: Json = root;
    let place = this.place(root);
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      let next: Json | undefined;
      if (at instanceof Map) next = at.get(name);
      else if (Array.isArray(at) && /^(0|[1-9][0-9]*)$/.test(name)) next = at[Number(name)];
      if (next === undefined) return undefined;
      at = next;
      place = this.places.get(at) ?? place;
    }
    if (!(at instanceof Map) && typeof at !== 'boolean') return undefined;
    // A schema under a keyword that holds none: it gets the place of what surrounds it.
    this.scan(at, place, false);
    return at;
  }

  /** What `$dynamicRef` means in a dynamic scope (base URIs, the outermost first). */
  dynamic(name: string, scope: string[]): Json | undefined {
    for (const base of scope) {
      const found = this.anchors.get(`${base}#${name}`);
      if (found?.dynamic) return found.schema;
    }
    return undefined;
  }
}

/** A URI without its fragment, and the fragment with its percent-escapes undone. */
function split(uri: string): [string, string] {
  const hash = uri.indexOf('#');
  if (hash < 0) return [uri, ''];
  let fragment = uri.slice(hash + 1);
  try {
    fragment = decodeURIComponent(fragment);
  } catch {
    // A fragment that is not UTF-8 stays as it is, and names nothing.
  }
  return [uri.slice(0, hash), fragment];
}

/** RFC 3986 section 5.2. */
export function resolveUri(base: string, reference: string): string {
  const parts = (uri: string) => /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(uri)!.slice(1) as (string | undefined)[];
  const [scheme, authority, path, query, fragment] = parts(reference);
  const [baseScheme, baseAuthority, basePath, baseQuery] = parts(base);
  let out: (string | undefined)[];
  if (scheme !== undefined) out = [scheme, authority, dots(path!), query];
  else if (authority !== undefined) out = [baseScheme, authority, dots(path!), query];
  else if (path === '') out = [baseScheme, baseAuthority, basePath, query ?? baseQuery];
  else if (path!.startsWith('/')) out = [baseScheme, baseAuthority, dots(path!), query];
  else {
    const merged = baseAuthority !== undefined && basePath === '' ? `/${path}` : basePath!.replace(/[^/]*$/, '') + path;
    out = [baseScheme, baseAuthority, dots(merged), query];
  }
  return (
    (out[0] === undefined ? '' : `${out[0]}:`) + (out[1] === undefined ? '' : `//${out[1]}`) + out[2] +
    (out[3] === undefined ? '' : `?${out[3]}`) + (fragment === undefined ? '' : `#${fragment}`)
  );
}

/** Removes `.` and `..` segments. */
function dots(path: string): string {
  if (!path.includes('/')) return path;
  const out: string[] = [];
  const segments = path.split('/');
  for (const [i, segment] of segments.entries()) {
    const last = i === segments.length - 1;
    if (segment === '..') {
      if (out.length > 1 || (out.length === 1 && out[0] !== '')) out.pop();
      if (last) out.push('');
    } else if (segment === '.') {
      if (last) out.push('');
    } else {
      out.push(segment);
    }
  }
  return out.join('/');
}
