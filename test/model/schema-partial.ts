// Tells whether a schema holds anything that the walk does not assert (chapter 2: such a schema is partial).
import type { Json } from './json.ts';
import { compilePattern } from './pattern.ts';
import { subschemas, type Resources } from './references.ts';

const annotations = [
  '$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly',
  'contentEncoding', 'contentMediaType', 'contentSchema', '$vocabulary', '$defs', 'definitions', 'format',
];
const both = [
  '$ref', 'type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems',
  'minProperties', 'maxProperties', 'required', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'items', 'contains',
];
const known = {
  '2020-12': [...both, '$anchor', '$dynamicRef', '$dynamicAnchor', 'dependentRequired', 'dependentSchemas', 'prefixItems', 'minContains', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'],
  '7': [...both, 'dependencies', 'additionalItems'],
};
/** Formats of both drafts that chapter 2 does not name: where formats are asserted, a schema with one of them holds something that is not. */
const otherFormats = ['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'uri-template'];
const isAnnotation = (keyword: string) => annotations.includes(keyword) || keyword.startsWith('x-');

/** Looks at the schema, all below it, and all that its references reach. */
export function isPartial(root: Json, resources: Resources, formats: boolean): boolean {
  const seen = new Set<Json>();
  const waiting: Json[] = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!(schema instanceof Map) || seen.has(schema)) continue;
    seen.add(schema);
    const place = resources.place(schema);
    const draft = place.dialect.draft;
    const onlyRef = draft === '7' && schema.has('$ref');
    for (const [keyword, value] of schema) {
      if (keyword === 'format' && (formats || place.dialect.formats) && typeof value === 'string' && otherFormats.includes(value)) return true;
      // Draft-07 lets these assert.
      if (draft === '7' && !onlyRef && (keyword === 'contentEncoding' || keyword === 'contentMediaType')) return true;
      if (isAnnotation(keyword)) continue;
      if (!known[draft].includes(keyword)) return true;
      // In draft-07 what stands beside `$ref` is not asserted.
      if (onlyRef && keyword !== '$ref') return true;
      if (keyword === 'pattern' && typeof value === 'string' && compilePattern(value).kind !== 'ok') return true;
      if (keyword === 'patternProperties' && value instanceof Map && [...value.keys()].some((p) => compilePattern(p).kind !== 'ok')) return true;
      if ((keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string') {
        const found = resources.resolve(value, place);
        if (typeof found === 'string') return true;
        waiting.push(found.schema);
      }
    }
    waiting.push(...subschemas(schema, draft).filter((s) => s.keyword !== 'contentSchema').map((s) => s.schema));
  }
  return false;
}
