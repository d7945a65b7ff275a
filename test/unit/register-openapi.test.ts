// OpenAPI documents become tools: what each part turns into, real documents in both formats, converted schemas against another validator, and documents that mean harm.
import { readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import AjvDraft04 from 'ajv-draft-04';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compileSources, register, type SourceFile } from '../../bindings/register/index.ts';
import type { JsonObject, JsonValue } from '../../bindings/register/position.ts';
import { Random } from './random.ts';
import { core } from './register-core.ts';
import { parse } from 'yaml';

const HEAD = 'tenant: t\nagents: {a: {tools: ["*"]}}\ntools:\n';
const files = (documents: Record<string, string>, more = ''): SourceFile[] => [
  { path: 'policy.yaml', text: `${HEAD}  - openapi: ./api.yaml\n${more}` }, ...Object.entries(documents).map(([path, text]) => ({ path, text })),
];
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const said = (problems: { code: string; severity: string; file: string; line: number; column: number }[]) => problems.map(({ code, severity, file, line, column }) => `${severity === 'error' ? 'error' : 'warning'} ${code} ${file}:${line}:${column}`);

async function toolsOf(text: string, others: Record<string, string> = {}): Promise<{ tools: JsonObject[]; problems: string[] }> {
  const { draft, problems } = await compileSources(files({ 'api.yaml': text, ...others }));
  return { tools: plain((draft?.['tools'] ?? []) as JsonObject[]), problems: said(problems) };
}

/** The schema that a schema of 3.0 or 3.1 becomes, as the type of a query parameter, and the problems by code. */
async function converted(schema: unknown, version = '3.0.3'): Promise<{ schema: JsonValue; codes: string[] }> {
  const document = { openapi: version, paths: { '/x': { get: { operationId: 'x', parameters: [{ name: 'q', in: 'query', schema }] } } } };
  const { draft, problems } = await compileSources(files({ 'api.yaml': JSON.stringify(document) }));
  const [tool] = plain(draft!['tools'] as JsonObject[]);
  return { schema: ((tool!['parameters'] as JsonObject)['properties'] as JsonObject)['q']!, codes: problems.map(({ code }) => code) };
}

const SHOP = `openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /orders/{order_id}:
    parameters:
      - {name: order_id, in: path, required: true, description: Its number., schema: {type: string}}
    get:
      operationId: getOrder
      summary: Look an order up.
      description: Also those that are closed.
      parameters:
        - {name: fields, in: query, style: form, explode: false, schema: {type: array, items: {type: string}}}
        - {name: Accept, in: header, schema: {type: string}}
      responses:
        "404": {description: None.}
        "200":
          description: The order.
          content:
            application/json: {schema: {$ref: "#/components/schemas/Order"}}
    patch:
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: "#/components/schemas/Order"}}
  /charges:
    post:
      operationId: charge
      requestBody:
        required: true
        content:
          application/xml: {schema: {type: object}}
          application/json:
            schema:
              type: object
              required: [amount]
              properties:
                amount: {type: number, minimum: 0, exclusiveMinimum: true}
                note: {type: string, nullable: true, example: thanks}
components:
  schemas:
    Order:
      type: object
      required: [id, total]
      properties:
        id: {type: string, readOnly: true}
        total: {type: number}
        secret: {type: string, writeOnly: true}
        parent: {$ref: "#/components/schemas/Order"}
`;

describe('an operation', () => {
  it('becomes a tool: name, words, arguments, result, and how the request is made', async () => {
    const { tools, problems } = await toolsOf(SHOP);
    expect(tools).toEqual([
      {
        name: 'getOrder', description: 'Look an order up.\n\nAlso those that are closed.', effect: 'read', reads_outside: true,
        parameters: {
          type: 'object', required: ['order_id'], additionalProperties: false,
          properties: { order_id: { type: 'string', description: 'Its number.' }, fields: { type: 'array', items: { type: 'string' } } },
        },
        result: {
          type: 'object', required: ['id', 'total'], properties: { id: { type: 'string' }, total: { type: 'number' }, parent: { $ref: '#/$defs/Order' } },
          $defs: { Order: { type: 'object', required: ['id', 'total'], properties: { id: { type: 'string' }, total: { type: 'number' }, parent: { $ref: '#/$defs/Order' } } } },
        },
        'x-openapi': { method: 'get', path: '/orders/{order_id}', arguments: { order_id: { in: 'path', name: 'order_id' }, fields: { in: 'query', name: 'fields', style: 'form', explode: false } } },
      },
      {
        name: 'patch_orders_order_id',
        parameters: {
          type: 'object', required: ['order_id', 'total'],
          properties: { order_id: { type: 'string', description: 'Its number.' }, total: { type: 'number' }, secret: { type: 'string' }, parent: { $ref: '#/$defs/Order' } },
          $defs: { Order: { type: 'object', required: ['total'], properties: { total: { type: 'number' }, secret: { type: 'string' }, parent: { $ref: '#/$defs/Order' } } } },
        },
        'x-openapi': {
          method: 'patch', path: '/orders/{order_id}', body: { media: 'application/json' },
          arguments: { order_id: { in: 'path', name: 'order_id' }, total: { in: 'body' }, secret: { in: 'body' }, parent: { in: 'body' } },
        },
      },
      {
        name: 'charge',
        parameters: { type: 'object', required: ['amount'], properties: { amount: { type: 'number', exclusiveMinimum: 0 }, note: { type: ['string', 'null'], examples: ['thanks'] } } },
        'x-openapi': { method: 'post', path: '/charges', body: { media: 'application/json' }, arguments: { amount: { in: 'body' }, note: { in: 'body' } } },
      },
    ]);
    expect(problems).toEqual(['warning openapi_ignored api.yaml:13:11', 'warning openapi_name api.yaml:20:5', 'warning openapi_media api.yaml:31:11']);
  });

  it('registers, with what the core warns of at its place in the document, and takes words laid over it', async () => {
    const { id, problems, imported } = await register(files({ 'api.yaml': SHOP }, '    prefix: shop_\n    only: [getOrder, charge]\n  - {name: shop_charge, irreversible: true}\n'), core);
    expect(id).not.toBeNull();
    expect(imported).toEqual([{ tool: 'shop_getOrder', name: 'getOrder', source: 'api.yaml' }, { tool: 'shop_charge', name: 'charge', source: 'api.yaml' }]);
    expect(said(problems).filter((line) => line.includes('outside_unmentioned'))).toEqual(['warning outside_unmentioned api.yaml:8:7']);
    const unknown = await register(files({ 'api.yaml': SHOP }, '    only: [get_order]\n'), core);
    expect(unknown.problems.map(({ code, hint }) => [code, hint])).toEqual([['openapi_tool_unknown', 'Did you mean getOrder?']]);
  });

  it('keeps arguments apart that have one name, and a body whole that its members would not say', async () => {
    const body = (schema: string, required = true) => `    post:\n      operationId: x\n      parameters: [{name: id, in: query, schema: {type: string}}]\n      requestBody:\n        required: ${required}\n        content: {application/json: {schema: ${schema}}}\n`;
    const of = async (text: string) => {
      const { tools: [tool], problems } = await toolsOf(`openapi: 3.0.0\npaths:\n  /a/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n${text}`);
      return { arguments: (tool!['x-openapi'] as JsonObject)['arguments'], required: (tool!['parameters'] as JsonObject)['required'], problems };
    };
    const both = { id: { in: 'path', name: 'id' }, query_id: { in: 'query', name: 'id' } };
    const renamed = ['warning openapi_renamed api.yaml:7:20'];
    expect(await of(body('{type: object, properties: {id: {type: string}}}'))).toEqual({ arguments: { ...both, body: { in: 'body' } }, required: ['id', 'body'], problems: renamed });
    expect(await of(body('{type: object, required: [n], properties: {n: {type: string}}}', false))).toEqual({ arguments: { ...both, body: { in: 'body' } }, required: ['id'], problems: renamed });
    expect(await of(body('{type: object, properties: {n: {type: string}}}', false))).toEqual({ arguments: { ...both, n: { in: 'body' } }, required: ['id'], problems: renamed });
    for (const whole of ['{type: object, additionalProperties: true, properties: {n: {}}}', '{allOf: [{type: object, properties: {n: {}}}]}', '{type: array, items: {}}', '{type: object, minProperties: 1, properties: {n: {}}}', '{type: object, required: [m], properties: {n: {}}}']) {
      expect((await of(body(whole))).arguments, whole).toEqual({ ...both, body: { in: 'body' } });
    }
    expect((await of(body('{type: object, properties: {body: {}, query_id: {}}}'))).arguments).toEqual({ ...both, body: { in: 'body' } });
    const clash = await toolsOf('openapi: 3.0.0\npaths:\n  /a/{id}/{query_id}:\n    get:\n      operationId: x\n      parameters: [{name: id, in: path, required: true, schema: {}}, {name: query_id, in: path, required: true, schema: {}}, {name: id, in: query, schema: {}}]\n');
    expect(clash.problems).toEqual(['error openapi_parameter api.yaml:6:126']);
  });

  it('reads the files beside it, and those beside them, from where each stands', async () => {
    const { tools, problems } = await toolsOf(
      'openapi: 3.1.0\npaths:\n  /a: {$ref: "paths/a.yaml"}\n',
      { 'paths/a.yaml': 'get:\n  operationId: a\n  parameters: [{$ref: "../parts.json#/parameters/P%20q"}]\n', 'parts.json': '{"parameters": {"P q": {"name": "p", "in": "query", "schema": {"$ref": "#/schemas/S~1x", "description": "beside"}}}, "schemas": {"S/x": {"$ref": "./paths/s.yaml"}}}', 'paths/s.yaml': 'type: [string, "null"]\n' },
    );
    expect(problems).toEqual([]);
    expect(tools[0]!['parameters']).toEqual({
      type: 'object', additionalProperties: false, properties: { p: { $ref: '#/$defs/S_x', description: 'beside' } }, $defs: { S_x: { $ref: '#/$defs/s' }, s: { type: ['string', 'null'] } },
    });
  });
});

describe('a schema of 3.0', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['nullable adds null to the type', { type: 'integer', nullable: true }, { type: ['integer', 'null'] }, []],
    ['nullable leaves an enum alone', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a'] }, []],
    ['nullable without a type', { nullable: true, enum: ['a', null] }, { enum: ['a', null] }, ['openapi_ignored']],
    ['nullable: false', { type: 'string', nullable: false }, { type: 'string' }, []],
    ['both bounds exclusive', { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true }, { exclusiveMinimum: 1, exclusiveMaximum: 2 }, []],
    ['not exclusive', { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }, []],
    ['exclusive without a bound', { type: 'number', exclusiveMaximum: true }, { type: 'number' }, ['openapi_ignored']],
    ['a number as in 2020-12', { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }, ['openapi_dialect']],
    ['types as in 2020-12', { type: ['string', 'null'] }, { type: ['string', 'null'] }, ['openapi_dialect']],
    ['const as in 2020-12', { const: 1 }, { const: 1 }, ['openapi_dialect']],
    ['what says nothing of values', { type: 'string', xml: {}, externalDocs: {}, deprecated: true, 'x-y': 1, discriminator: { propertyName: 'a' } }, { type: 'string', deprecated: true }, []],
    ['a word that is no keyword', { type: 'string', optional: true }, { type: 'string' }, ['openapi_ignored']],
    ['within others', { allOf: [{ type: 'object', properties: { a: { type: 'array', items: { type: 'string', nullable: true } } }, additionalProperties: { not: { type: 'string', nullable: true } } }] }, { allOf: [{ type: 'object', properties: { a: { type: 'array', items: { type: ['string', 'null'] } } }, additionalProperties: { not: { type: ['string', 'null'] } } }] }, []],
    ['members named like keywords', { type: 'object', properties: { nullable: { type: 'string' }, $ref: { type: 'string' }, __proto__x: { type: 'string' } } }, { type: 'object', properties: { nullable: { type: 'string' }, $ref: { type: 'string' }, __proto__x: { type: 'string' } } }, []],
  ])('%s', async (_, given, wanted, codes) => {
    expect(await converted(given)).toEqual({ schema: wanted, codes });
  });

  it('allows the same values as ajv reads in it (draft-04 and nullable)', async () => {
    const source = new Random();
    const next = (bound: number) => source.below(bound);
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const schema = (depth: number): Record<string, unknown> => {
      const type = pick(['string', 'number', 'integer', 'boolean', 'array', 'object']);
      const out: Record<string, unknown> = { type };
      if (next(2) === 0) out['nullable'] = next(3) > 0;
      if (type === 'string') Object.assign(out, next(2) === 0 ? { minLength: next(3), maxLength: 2 } : { pattern: '^a' });
      if (type === 'number' || type === 'integer') Object.assign(out, { minimum: next(3), maximum: 1 + next(4) }, next(2) === 0 ? { exclusiveMinimum: next(2) === 0 } : {}, next(2) === 0 ? { exclusiveMaximum: next(2) === 0 } : {});
      if (next(5) === 0) out['enum'] = [pick(['a', 'ab', 1, 2, true]), null];
      if (depth > 2) return out;
      if (type === 'array') Object.assign(out, { items: schema(depth + 1), maxItems: 1 + next(2), uniqueItems: next(2) === 0 });
      if (type === 'object') Object.assign(out, { properties: { a: schema(depth + 1), b: schema(depth + 1) }, additionalProperties: pick<unknown>([true, false, schema(depth + 1)]), ...(next(2) === 0 ? { required: ['a'] } : {}) });
      if (next(4) === 0) out[pick(['allOf', 'anyOf', 'oneOf'])] = [schema(depth + 1), schema(depth + 1)];
      if (next(6) === 0) out['not'] = schema(depth + 1);
      return out;
    };
    const value = (depth: number): unknown => pick<() => unknown>([() => null, () => pick(['', 'a', 'ab', 'b', 'abc']), () => next(6), () => next(6) / 2, () => true,
      () => (depth > 2 ? [] : Array.from({ length: next(3) }, () => value(depth + 1))), () => (depth > 2 ? {} : Object.fromEntries(['a', 'b', 'c'].filter(() => next(2) === 0).map((name) => [name, value(depth + 1)])))])();
    const theirs = new AjvDraft04({ strict: false });
    const ours = new Ajv2020({ strict: false });
    const seen = [0, 0];
    for (let i = 0; i < 150; i++) {
      const given = schema(0);
      const { schema: made, codes } = await converted(given);
      expect(codes, JSON.stringify(given)).toEqual([]);
      const [before, after] = [theirs.compile(given), ours.compile(made as object)];
      for (let j = 0; j < 40; j++) {
        const one = value(0);
        const allowed = before(one);
        seen[allowed ? 1 : 0]!++;
        expect(after(one), `SEED=${source.seed}: ${JSON.stringify(given)} became ${JSON.stringify(made)}, of ${JSON.stringify(one)}`).toBe(allowed);
      }
    }
    expect(Math.min(...seen)).toBeGreaterThan(100);
  });
});

describe('a schema of 3.1', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['stays as it is', { type: ['string', 'null'], const: 'a', patternProperties: { '^x': { type: 'string' } }, if: {}, then: false, prefixItems: [true], unevaluatedProperties: false }, { type: ['string', 'null'], const: 'a', patternProperties: { '^x': { type: 'string' } }, if: {}, then: false, prefixItems: [true], unevaluatedProperties: false }, []],
    ['says its dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, { type: 'string' }, []],
    ['of another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, {}, ['openapi_unsupported']],
    ['with a base of its own', { $id: 'https://example.com/x' }, {}, ['openapi_unsupported']],
    ['with a dynamic reference', { $dynamicRef: '#meta' }, {}, ['openapi_unsupported']],
    ['with nullable', { type: 'string', nullable: true }, { type: 'string' }, ['openapi_ignored']],
    ['with an example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }, []],
  ])('%s', async (_, given, wanted, codes) => {
    expect(await converted(given, '3.1.0')).toEqual({ schema: wanted, codes });
  });
});

describe('a document that is wrong, or means harm', () => {
  const get = (inside: string) => `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: a\n${inside}`;
  it.each<[string, string, string[], Record<string, string>?]>([
    ['swagger', 'swagger: "2.0"\npaths: {}\n', ['error openapi_version api.yaml:1:10']],
    ['no document', 'a: 1\n', ['error openapi_version api.yaml:1:1']],
    ['a version to come', 'openapi: 4.0.0\n', ['error openapi_version api.yaml:1:10']],
    ['no operation', 'openapi: 3.1.0\nwebhooks: {x: {post: {}}}\n', ['warning openapi_empty api.yaml:1:1']],
    ['paths that are a list', 'openapi: 3.0.0\npaths: []\n', ['error openapi_shape api.yaml:2:8', 'warning openapi_empty api.yaml:1:1']],
    ['a misspelt member', get('      operationID: b\n'), ['warning openapi_ignored api.yaml:6:7']],
    ['a parameter that the path lacks', 'openapi: 3.0.0\npaths:\n  /a/{b}:\n    get: {operationId: a}\n', ['error openapi_parameter api.yaml:4:10']],
    ['a parameter of OpenAPI 2', get('      parameters:\n        - {name: b, in: body}\n'), ['error openapi_shape api.yaml:7:11']],
    ['a parameter without a schema', get('      parameters:\n        - {name: b, in: query}\n'), ['error openapi_parameter api.yaml:7:11']],
    ['a parameter twice', get('      parameters:\n        - {name: b, in: query, schema: {}}\n        - {name: b, in: query, schema: {}}\n'), ['error openapi_parameter api.yaml:8:11']],
    ['a schema that is none', get('      parameters:\n        - {name: b, in: query, schema: [x]}\n'), ['error openapi_schema api.yaml:7:40']],
    ['a reference to nothing', get('      parameters:\n        - {$ref: "#/components/parameters/b"}\n'), ['error openapi_reference api.yaml:7:18']],
    ['a reference into a prototype', get('      parameters:\n        - {$ref: "#/constructor/prototype"}\n        - {$ref: "#/__proto__"}\n        - {$ref: "#/paths/length"}\n'), ['error openapi_reference api.yaml:7:18', 'error openapi_reference api.yaml:8:18', 'error openapi_reference api.yaml:9:18']],
    ['a reference to itself', `${get('      parameters:\n        - {$ref: "#/components/parameters/b"}\n')}components: {parameters: {b: {$ref: "#/components/parameters/c"}, c: {$ref: "#/components/parameters/b"}}}\n`, ['error openapi_reference api.yaml:8:37']],
    ['a schema that is only itself', `${get('      parameters:\n        - {name: q, in: query, schema: {$ref: "#/components/schemas/B"}}\n')}components: {schemas: {B: {$ref: "#/components/schemas/B"}}}\n`, ['error openapi_reference api.yaml:8:34']],
    ['an anchor', get('      parameters:\n        - {$ref: "#b"}\n'), ['error openapi_unsupported api.yaml:7:18']],
    ['a network', get('      parameters:\n        - {$ref: "https://example.com/x.yaml"}\n        - {$ref: "//example.com/x.yaml"}\n        - {$ref: "file:///etc/passwd"}\n'), ['error openapi_remote api.yaml:7:18', 'error openapi_remote api.yaml:8:18', 'error openapi_remote api.yaml:9:18']],
    ['paths out of the folder', get('      parameters:\n        - {$ref: "../secret.yaml"}\n        - {$ref: "/etc/passwd"}\n        - {$ref: "a/../../secret.yaml"}\n        - {$ref: "%2e%2e/secret.yaml"}\n        - {$ref: "..\\\\secret.yaml"}\n        - {$ref: "%zz.yaml"}\n'),
      [7, 8, 9, 10, 11, 12].map((line) => `error openapi_path api.yaml:${line}:18`), { '../secret.yaml': 'a: 1\n', 'secret.yaml': 'a: 1\n' }],
    ['a file that is missing, and one that is broken', get('      parameters:\n        - {$ref: "none.yaml"}\n        - {$ref: "bad.json"}\n'), ['error source_unreadable api.yaml:7:18', 'error source_unreadable api.yaml:8:18', 'error json_syntax bad.json:1:2'], { 'bad.json': '{]' }],
    ['a bomb of aliases', `x1: &x1 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n${[2, 3, 4, 5, 6].map((n) => `x${n}: &x${n} [${Array(10).fill(`*x${n - 1}`).join(', ')}]\n`).join('')}`, ['error yaml_alias api.yaml:5:10']],
    ['nesting without end', `openapi: 3.0.0\npaths: ${'['.repeat(500)}${']'.repeat(500)}\n`, ['error yaml_depth api.yaml:2:135']],
  ])('%s', async (_, text, wanted, others = {}) => {
    const { problems } = await compileSources(files({ 'api.yaml': text, ...others }));
    expect(said(problems).sort()).toEqual([...wanted].sort());
    for (const { hint, message } of problems) expect(`${message} ${hint}`).toMatch(/\S \S/);
  });

  it('members and names of prototypes are members and names', async () => {
    const { tools, problems } = await toolsOf(get('      parameters: [{name: __proto__, in: query, schema: {$ref: "#/components/schemas/__proto__"}}]\n') + 'components: {schemas: {__proto__: {type: string}}}\n');
    expect(problems).toEqual([]);
    expect(JSON.stringify(tools[0]!['parameters'])).toBe('{"type":"object","properties":{"__proto__":{"$ref":"#/$defs/__proto__"}},"additionalProperties":false,"$defs":{"__proto__":{"type":"string"}}}');
    expect(({} as JsonObject)['type']).toBeUndefined();
  });

  it('schemas without end are refused by their count, and operations that are not wanted cost nothing', async () => {
    // Each operation would hold a copy of every schema.
    const schemas = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`s${i}`, { type: 'object', properties: { next: { $ref: `#/components/schemas/s${(i + 1) % 500}` } } }]));
    const operation = (i: number) => ({ get: { operationId: `o${i}`, parameters: [{ name: 'q', in: 'query', schema: { $ref: '#/components/schemas/s0' } }] } });
    const text = JSON.stringify({ openapi: '3.0.0', paths: Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`/p${i}`, operation(i)])), components: { schemas } });
    const at = (more: string) => compileSources([{ path: 'policy.yaml', text: `${HEAD}  - openapi: ./api.json\n${more}` }, { path: 'api.json', text }]);
    expect((await at('')).problems.map(({ code }) => code)).toEqual(['openapi_size']);
    expect((await at('    only: [o5]\n')).problems).toEqual([]);
  });
});

describe('real documents', () => {
  const folder = 'node_modules/@readme/oas-examples';
  /** Documents with an error, and why that is right. */
  const REFUSED: Record<string, string> = {
    '3.0/schema-validation': 'policy_schema', // a pattern that is none with the u flag of ECMA-262
    '3.1/schema-validation-local': 'openapi_unsupported, policy_schema', // schemas of draft-04
    '3.1/schema-validation-top-level': 'openapi_unsupported, policy_schema', // the same for the whole document
  };

  it.each(['3.0', '3.1'])('of version %s register, and say the same in YAML and in JSON', async (version) => {
    const refused: Record<string, string> = {};
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    let tools = 0;
    let same = 0;
    const names = readdirSync(`${folder}/${version}/yaml`).map((name) => name.replace('.yaml', '')).sort();
    for (const name of names) {
      const answers = [];
      const values: unknown[] = [];
      for (const kind of ['yaml', 'json']) {
        const text = readFileSync(`${folder}/${version}/${kind}/${name}.${kind}`, 'utf8');
        values.push(kind === 'yaml' ? parse(text) : JSON.parse(text));
        answers.push(await register([{ path: 'policy.yaml', text: `${HEAD}  - openapi: ./${name}.${kind}\n` }, { path: `${name}.${kind}`, text }], core));
      }
      const [yaml, json] = answers as [typeof answers[0], typeof answers[0]];
      const errors = [...new Set(json.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code))].sort().join(', ');
      if (errors !== '') refused[`${version}/${name}`] = errors;
      expect(yaml.problems.map(({ code }) => code).sort(), name).toEqual(json.problems.map(({ code }) => code).sort());
      // A few documents are kept by hand in two forms, and are not the same.
      if (isDeepStrictEqual(...values as [unknown, unknown])) {
        same++;
        expect(yaml.id, name).toBe(json.id);
      }
      for (const tool of (json.policy?.['tools'] ?? []) as JsonObject[]) for (const part of ['parameters', 'result']) {
        if (tool[part] !== undefined) expect(() => ajv.compile(plain(tool[part] as object)), `${name} ${tool['name']} ${part}`).not.toThrow();
      }
      tools += json.imported.length;
    }
    console.log(`OpenAPI ${version}: ${names.length} documents (${same} the same in both forms), ${tools} tools, refused: ${JSON.stringify(refused)}`);
    expect(tools).toBeGreaterThan(150);
    expect(same).toBeGreaterThan(names.length / 2);
    expect(refused).toEqual(Object.fromEntries(Object.entries(REFUSED).filter(([name]) => name.startsWith(version))));
  }, 60_000);
});
