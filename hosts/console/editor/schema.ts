// Walks the policy's JSON Schema along a path: which members may stand there, with their descriptions and values.
import { isObject, type JsonObject, policySchema } from '../package.ts';

const SCHEMA = policySchema() as JsonObject;

/** A member that may stand somewhere. */
export interface Offered { name: string; says: string; shape: JsonObject }

/** The schemas that a value at a path may have: several where the schema tells kinds apart (a tool, an import). `tool` says which kind the value at a path already is. */
export function schemasAt(path: readonly (string | number)[], has: (path: readonly (string | number)[]) => ReadonlySet<string>): JsonObject[] {
  let schemas = opened([SCHEMA], has([]));
  for (const [depth, part] of path.entries()) {
    const inner = schemas.flatMap((schema) => step(schema, part));
    schemas = opened(inner, has(path.slice(0, depth + 1)));
  }
  return schemas;
}

/** The members that an object at a path may have. */
export function membersOf(schemas: readonly JsonObject[]): Offered[] {
  const offered = new Map<string, Offered>();
  for (const schema of schemas) {
    for (const [name, shape] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
      if (!offered.has(name) && isObject(shape)) offered.set(name, { name, says: String(shape['description'] ?? ''), shape: plain(shape) });
    }
  }
  return [...offered.values()];
}

/** The words that a value may be; empty where it is free. */
export function wordsOf(schemas: readonly JsonObject[]): string[] {
  return schemas.flatMap((schema) => {
    if (Array.isArray(schema['enum'])) return schema['enum'].map(String);
    if (typeof schema['const'] === 'string') return [schema['const']];
    return schema['type'] === 'boolean' ? ['true', 'false'] : [];
  });
}

/** What a schema says of itself: its kind, or the words it is one of. */
export function kindOf(shape: JsonObject): string {
  if (Array.isArray(shape['enum'])) return shape['enum'].join(' | ');
  const type = shape['type'];
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : '';
}

function step(schema: JsonObject, part: string | number): JsonObject[] {
  const inside = typeof part === 'number' ? schema['items'] : isObject(schema['properties']) && Object.hasOwn(schema['properties'], part) ? schema['properties'][part] : schema['additionalProperties'];
  return isObject(inside) ? [inside] : [];
}

const NONE: ReadonlySet<string> = new Set();

/** References followed, and alternatives opened; of if/then/else the branches that have the names which the value has already. */
function opened(schemas: readonly JsonObject[], names: ReadonlySet<string>): JsonObject[] {
  return schemas.flatMap((given): JsonObject[] => {
    const schema = plain(given);
    if (isObject(schema['if'])) {
      const branches = [schema['then'], schema['else']].filter(isObject);
      const fitting = branches.filter((branch) => [...names].every((name) => membersOf(opened([branch], NONE)).some((offered) => offered.name === name)));
      return opened(fitting.length > 0 ? fitting : branches, names);
    }
    const alternatives = [schema['anyOf'], schema['oneOf']].filter(Array.isArray).flat().filter(isObject).filter((one) => Object.keys(one).some((key) => key !== 'required'));
    return [schema, ...opened(alternatives, names)];
  });
}

/** A schema with its reference put in place; what stands beside the reference (a description) comes first. */
function plain(schema: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const name = reference.split('/').at(-1)!;
  const target = isObject(SCHEMA['$defs']) ? SCHEMA['$defs'][name] : undefined;
  return isObject(target) ? { ...target, ...schema } : schema;
}
