// Makes the published JSON Schema of the policy file (draft 2020-12, for editors) from the table of members.
import { type Fragment, type Table, type TableName, TABLES } from './members.ts';
import type { JsonValue } from './position.ts';

/** The published schema as a value: `policy.schema.json` is this, printed. */
export function policySchema(): Fragment {
  const defs: Record<string, JsonValue> = {};
  for (const [name, table] of Object.entries(TABLES) as [TableName, Table][]) {
    if (name !== 'policy') defs[name] = objectSchema(name, table);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'Generated from members.ts by `node test/generate/policy-schema.mjs`.',
    title: 'Interlock policy',
    ...objectSchema('policy', TABLES.policy),
    $defs: defs,
  };
}

/** The published schema as the text of its file. */
export function policySchemaText(): string {
  return `${JSON.stringify(policySchema(), null, 2)}\n`;
}

function objectSchema(name: TableName, { says, members }: Table): Fragment {
  const properties: Record<string, JsonValue> = {};
  for (const [member, { says: description, shape, fill }] of Object.entries(members)) {
    properties[member] = { description, ...shape, ...(fill === undefined ? {} : { default: fill }) };
  }
  const required = Object.entries(members).filter(([, member]) => member.required).map(([member]) => member);
  return {
    description: says, type: 'object', properties, patternProperties: { '^x-': true }, additionalProperties: false,
    ...(required.length > 0 ? { required } : {}), ...CONDITIONS[name],
  };
}

/** What a table alone cannot say. */
const CONDITIONS: { [name in TableName]?: Fragment } = {
  import: { oneOf: [{ required: ['mcp'] }, { required: ['openapi'] }, { required: ['module'] }] },
  rule: { oneOf: [{ required: ['allow_if'] }, { required: ['refuse_if'] }, { required: ['ask_if'] }] },
  tool: { not: { required: ['undo', 'irreversible'], properties: { irreversible: { const: true } }, $comment: 'With undo, irreversible may not be true.' } },
};
