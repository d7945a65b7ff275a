// Tells whether a JSON value is a valid schema: the types of its keywords' values, its patterns, its local references.
import { JsonNumber, type Json } from './json.ts';
import { decimal, isInteger } from './decimal.ts';
import { compilePattern } from './pattern.ts';
import { Resources, subschemas } from './references.ts';
import { valueKey } from './value-key.ts';

/** The first problem of a schema, in words, or null. */
export function schemaProblem(schema: Json): string | null {
  const resources = new Resources(schema, new Map());
  return problemBelow(schema, '', resources);
}

function problemBelow(schema: Json, at: string, resources: Resources): string | null {
  if (typeof schema === 'boolean') return null;
  if (!(schema instanceof Map)) return `${at || 'the schema'} is neither an object nor a boolean`;
  const place = resources.place(schema);
  const draft = place.dialect.draft;
  for (const [keyword, value] of schema) {
    const check = Object.hasOwn(checks[draft], keyword) ? checks[draft][keyword]! : null;
    if (check && !check(value)) return `${at}/${keyword} has no value that the keyword takes`;
    if (keyword === '$ref' || (keyword === '$dynamicRef' && draft === '2020-12')) {
      if (resources.resolve(value as string, place) === 'broken') return `${at}/${keyword} names nothing in this schema`;
    }
  }
  for (const below of subschemas(schema, draft)) {
    const problem = problemBelow(below.schema, `${at}/${below.keyword}`, resources);
    if (problem !== null) return problem;
  }
  return null;
}

type Check = (value: Json) => boolean;
const isString: Check = (v) => typeof v === 'string';
const isBoolean: Check = (v) => typeof v === 'boolean';
const isNumber: Check = (v) => v instanceof JsonNumber;
const isCount: Check = (v) => v instanceof JsonNumber && isInteger(decimal(v.text)) && decimal(v.text).digits >= 0n;
const isSchema: Check = (v) => typeof v === 'boolean' || v instanceof Map;
const isSchemas: Check = (v) => Array.isArray(v) && v.length > 0 && v.every(isSchema);
const isObjectOf = (check: Check): Check => (v) => v instanceof Map && [...v.values()].every(check);
const isNames: Check = (v) => Array.isArray(v) && v.every(isString) && new Set(v).size === v.length;
const isPattern: Check = (v) => typeof v === 'string' && compilePattern(v).kind !== 'invalid';
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isTypes: Check = (v) =>
  Array.isArray(v) ? v.length > 0 && v.every((t) => types.includes(t as string)) && new Set(v.map(valueKey)).size === v.length : types.includes(v as string);
const isAnchor: Check = (v) => typeof v === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(v);

const shared: Record<string, Check> = {
  $schema: isString,
  $ref: isString,
  $comment: isString,
  title: isString,
  description: isString,
  readOnly: isBoolean,
  writeOnly: isBoolean,
  examples: (v) => Array.isArray(v),
  type: isTypes,
  enum: (v) => Array.isArray(v),
  multipleOf: (v) => v instanceof JsonNumber && decimal(v.text).digits > 0n,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  pattern: isPattern,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isBoolean,
  minProperties: isCount,
  maxProperties: isCount,
  required: isNames,
  format: isString,
  contentMediaType: isString,
  contentEncoding: isString,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  if: isSchema,
  then: isSchema,
  else: isSchema,
  properties: isObjectOf(isSchema),
  patternProperties: (v) => isObjectOf(isSchema)(v) && [...(v as Map<string, Json>).keys()].every(isPattern),
  additionalProperties: isSchema,
  propertyNames: isSchema,
  contains: isSchema,
  definitions: isObjectOf(isSchema),
};

/** The keywords' values by draft, as the metaschemas have them. */
const checks: Record<'2020-12' | '7', Record<string, Check>> = {
  '2020-12': {
    ...shared,
    $id: (v) => typeof v === 'string' && /^[^#]*#?$/.test(v),
    $anchor: isAnchor,
    $dynamicAnchor: isAnchor,
    $dynamicRef: isString,
    $vocabulary: isObjectOf(isBoolean),
    $defs: isObjectOf(isSchema),
    deprecated: isBoolean,
    dependentRequired: isObjectOf(isNames),
    dependentSchemas: isObjectOf(isSchema),
    dependencies: isObjectOf((v) => isSchema(v) || isNames(v)),
    prefixItems: isSchemas,
    items: isSchema,
    minContains: isCount,
    maxContains: isCount,
    unevaluatedItems: isSchema,
    unevaluatedProperties: isSchema,
    contentSchema: isSchema,
  },
  '7': {
    ...shared,
    $id: isString,
    items: (v) => isSchema(v) || isSchemas(v),
    additionalItems: isSchema,
    dependencies: isObjectOf((v) => isSchema(v) || isNames(v)),
  },
};
