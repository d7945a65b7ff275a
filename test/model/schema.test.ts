// Holds the model's schema walk against the JSON Schema test suite: every verdict of both drafts.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, type Json } from './json.ts';
import { schemaProblem, walk } from './schema.ts';
import { describeShared, shared } from '../vectors/shared.ts';

const parse = (text: string): Json => read(new TextEncoder().encode(text));
const readJson = (path: string): Json => read(readFileSync(path));
const suite = shared('vectors/json-schema-test-suite');

/** The remotes of the suite and the metaschemas, which a development dependency carries as data. */
function documents(): Map<string, Json> {
  const out = new Map<string, Json>();
  const add = (folder: string, path: string) => {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (statSync(file).isDirectory()) add(file, `${path}${name}/`);
      else if (name.endsWith('.json')) out.set(`http://localhost:1234/${path}${name}`, readJson(file));
    }
  };
  add(join(suite, 'remotes'), '');
  const refs = join(dirname(createRequire(import.meta.url).resolve('ajv')), 'refs');
  const metaschemas = ['schema', 'meta/core', 'meta/applicator', 'meta/unevaluated', 'meta/validation', 'meta/meta-data', 'meta/format-annotation', 'meta/content'];
  for (const name of metaschemas) out.set(`https://json-schema.org/draft/2020-12/${name}`, readJson(join(refs, 'json-schema-2020-12', `${name}.json`)));
  out.set('http://json-schema.org/draft-07/schema', readJson(join(refs, 'json-schema-draft-07.json')));
  return out;
}

/** Files whose subject the spec leaves out: keywords that a draft only keeps for old schemas, contents of strings, other drafts. */
const leftOut = ['draft2020-12/dependencies-compatibility.json', 'draft2020-12/cross-draft.json', 'draft7/content.json'];
const formatsAsserted = ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid', 'json-pointer', 'relative-json-pointer', 'regex', 'ecmascript-regex', 'unknown'];

interface Group {
  description: string;
  schema: Json;
  tests: { description: string; data: Json; valid: boolean }[];
}
function groups(path: string): Group[] {
  return (readJson(path) as Map<string, Json>[]).map((g) => ({
    description: g.get('description') as string,
    schema: g.get('schema')!,
    tests: (g.get('tests') as Map<string, Json>[]).map((t) => ({ description: t.get('description') as string, data: t.get('data')!, valid: t.get('valid') as boolean })),
  }));
}

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

describeShared('the JSON Schema test suite', () => {
  const beside = documents();
  for (const [draft, folder, formats] of [
    ['draft2020-12', '', false], ['draft2020-12', 'optional', false], ['draft2020-12', 'optional/format', true],
    ['draft7', '', false], ['draft7', 'optional', false], ['draft7', 'optional/format', true],
  ] as const) {
    const path = join(suite, 'tests', draft, folder);
    for (const file of readdirSync(path)) {
      if (!file.endsWith('.json') || (formats && !formatsAsserted.includes(file.replace('.json', '')))) continue;
      if (leftOut.includes(`${draft}/${file}`)) continue;
      it(`${draft}/${folder}/${file}`, () => {
        const wrong: string[] = [];
        for (const group of groups(join(path, file))) {
          let schema = group.schema;
          if (draft === 'draft7' && schema instanceof Map && !schema.has('$schema')) schema = new Map([['$schema', DRAFT_7], ...schema]);
          for (const test of group.tests) {
            const { errors, partial } = walk(schema, test.data, { documents: beside, formats });
            if ((errors.length === 0) !== test.valid) wrong.push(`${partial ? 'partial: ' : ''}${group.description}: ${test.description}: ${JSON.stringify(errors)}`);
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  }
});

const none = { documents: new Map<string, Json>(), formats: true };
const errorsOf = (schema: string, value: string, deep = false) =>
  walk(parse(schema), parse(value), { ...none, deep }).errors.map((e) => `${e.pointer} ${e.rule}`);

describe('which errors are reported', () => {
  it.each([
    ['{"type":"object","required":["a","b"],"properties":{"c":{"type":"string"}}}', '{"c":1}', [' required', '/c type']],
    ['{"additionalProperties":false,"properties":{"a":false}}', '{"a":1,"b":2}', ['/a false', '/b additionalProperties']],
    ['{"additionalProperties":{"type":"string"}}', '{"b":2}', ['/b type']],
    ['{"anyOf":[{"type":"string"},{"minimum":5}]}', '1', [' anyOf']],
    ['{"properties":{"a":{"oneOf":[true,true]}}}', '{"a":1}', ['/a oneOf']],
    ['{"not":{}}', '1', [' not']],
    ['{"contains":{"type":"string"}}', '[1]', [' contains']],
    ['{"allOf":[{"minimum":5},{"type":"string"}]}', '1', [' minimum', ' type']],
    ['{"if":true,"then":{"minimum":5}}', '1', [' minimum']],
    ['{"propertyNames":{"maxLength":1}}', '{"ab":1,"cd":2}', [' propertyNames']],
    ['{"prefixItems":[true],"items":{"type":"string"}}', '[1,2]', ['/1 type']],
    ['{"properties":{"a":true},"unevaluatedProperties":false}', '{"a":1,"b~/":2}', ['/b~0~1 unevaluatedProperties']],
    ['{"$ref":"#/$defs/a","$defs":{"a":{"enum":[1]}}}', '2', [' enum']],
    ['{"multipleOf":0.01}', '19.99', []],
    ['{"multipleOf":0.01}', '19.999', [' multipleOf']],
    ['{"maximum":9007199254740992}', '9007199254740993', [' maximum']],
    ['{"format":"ipv4"}', '"1.2.3"', [' format']],
    ['{"$ref":"#"}', '2', [' steps']],
    ['{"minLength":2}', '"𝒳"', [' minLength']],
  ])('%s over %s', (schema, value, errors) => expect(errorsOf(schema, value)).toEqual(errors));

  it('refuses nested members that no schema lists, where asked', () => {
    const schema = '{"properties":{"a":{"properties":{"x":{}}},"b":{"type":"object"},"c":{"allOf":[{"properties":{"x":{}}},{"properties":{"y":{}}}]},"d":{"properties":{},"additionalProperties":{}}}}';
    expect(errorsOf(schema, '{"a":{"x":1,"z":2},"b":{"z":1},"c":{"x":1,"y":1,"z":1},"d":{"z":1},"e":{"z":1}}', true)).toEqual(['/a/z additionalProperties', '/c/z additionalProperties']);
  });
});

describe('partial schemas', () => {
  it.each([
    ['{}', false], ['true', false], ['{"title":"a","x-b":1,"format":"colour"}', false], ['{"$defs":{"a":{"type":"string"}}}', false], ['{"minlength":1}', true], ['{"properties":{"a":{"$ref":"http://x/"}}}', true],
    ['{"pattern":"(?=a)"}', true], ['{"patternProperties":{"(a)\\\\1":true}}', true], ['{"properties":{"minlength":{}}}', false], ['{"enum":[{"minlength":1}]}', false], ['{"dependencies":{}}', true],
    ['{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{}}', false], ['{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[]}', true],
  ])('%s: %s', (schema, partial) => expect(walk(parse(schema), null, none).partial).toBe(partial));
});

describe('valid schemas', () => {
  it.each(['{}', 'true', '{"type":["string","null"]}', '{"$ref":"http://elsewhere/"}', '{"pattern":"\\\\p{L}"}', '{"minLength":2.0}', '{"enum":[]}'])('%s is one', (schema) => expect(schemaProblem(parse(schema))).toBeNull());
  it.each([
    '1', '{"type":"str"}', '{"type":[]}', '{"minLength":-1}', '{"minLength":1.5}', '{"pattern":"("}', '{"$ref":"#/$defs/a"}', '{"properties":{"a":1}}', '{"allOf":[]}', '{"items":[]}', '{"required":["a","a"]}', '{"multipleOf":0}',
    '{"exclusiveMinimum":true}', '{"$ref":1}', '{"patternProperties":{"(":{}}}', '{"properties":{"a":{"items":{"type":1}}}}',
  ])('%s is none', (schema) => expect(schemaProblem(parse(schema))).not.toBeNull());
});
