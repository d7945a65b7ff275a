// Registering a policy: imports and words laid over them, problems at their places with hints, the starter policy, and what changed.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { describeChange, describeChanges } from '../../bindings/register/describe.ts';
import { compileSources, register, type SourceFile } from '../../bindings/register/index.ts';
import { TABLES } from '../../bindings/register/members.ts';
import { policySchema, policySchemaText } from '../../bindings/register/policy.schema.ts';
import type { JsonObject, JsonValue } from '../../bindings/register/position.ts';
import { formatProblem } from '../../bindings/register/problems.ts';
import { starterPolicy } from '../../bindings/register/starter.ts';
import { readFileSync } from 'node:fs';
import { core } from './register-core.ts';
import { parse } from 'yaml';

const LISTING = JSON.stringify({
  tools: [
    { name: 'read_file', title: 'Read', inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, annotations: { readOnlyHint: true, openWorldHint: false } },
    { name: 'fetch', description: 'Fetch a page.', inputSchema: { type: 'object', properties: { url: { type: 'string' } } }, outputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: { readOnlyHint: true } },
    { name: 'write_file', description: 'Write.', inputSchema: { type: 'object', properties: {} }, annotations: { idempotentHint: true, readOnlyHint: false } },
    { name: 'odd', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, destructiveHint: true } },
  ],
}, null, 1);

const files = (policy: string, ...others: [string, string][]): SourceFile[] => [{ path: 'policy.yaml', text: policy }, ...others.map(([path, text]) => ({ path, text }))];
const HEAD = 'tenant: t\nagents: {a: {tools: ["*"]}}\n';
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;
const codes = (problems: { severity: string; code: string; file: string; line: number; column: number; hint?: string }[]) => (
  problems.filter(({ severity }) => severity === 'error').map(({ code, file, line, column, hint }) => `${code} ${file}:${line}:${column}${hint?.startsWith('Did') ? ` ${hint}` : ''}`));

describe('schemas', () => {
  it.each([
    ['type: dict', "JSON Schema's word for dict is object."],
    ['type: Float', "JSON Schema's word for Float is number."],
    ['type: [string, int]', "JSON Schema's word for int is integer."],
    ['type: any', 'Leave type out: without it any value fits.'],
    ['type: sting', 'Did you mean string?'],
    ['type: quux', 'Write a JSON Schema of draft 2020-12, or of draft-07 with "$schema": "http://json-schema.org/draft-07/schema#".'],
    ['required: true', 'Name the member in the list of the object around it: required: [NAME].'],
    ['required: amount', 'Write a list: required: [amount].'],
  ])('are told what to write instead of %s', async (wrong, hint) => {
    const { problems } = await register(files(`${HEAD}tools:\n  - name: x\n    effect: read\n    parameters: {properties: {a: {${wrong}}}}\n`), core);
    expect(problems.map(({ code, line, hint }) => ({ code, line, hint }))).toEqual([{ code: 'policy_schema', line: 6, hint }]);
  });
});

describe('imports', () => {
  it('proposes what annotations say, lays words over, and keeps the order written', async () => {
    const { policy, imported, positions } = await compileSources(files(
      `${HEAD}tools:\n  - name: fs_fetch\n    reads_outside: false\n    description: Mine.\n  - mcp: ./listing.json\n    prefix: fs_\n  - name: own\n    parameters: {}\n`, ['listing.json', LISTING]));
    expect((plain(policy)['tools'] as JsonObject[]).map((tool) => ({ ...tool, parameters: undefined, result: tool['result'] !== undefined }))).toEqual([
      { name: 'fs_read_file', description: 'Read', effect: 'read', result: false },
      { name: 'fs_fetch', description: 'Mine.', effect: 'read', reads_outside: false, result: true },
      { name: 'fs_write_file', description: 'Write.', idempotent: true, result: false },
      { name: 'fs_odd', result: false },
      { name: 'own', result: false },
    ]);
    expect(imported[0]).toEqual({ tool: 'fs_read_file', name: 'read_file', source: 'listing.json', listing: JSON.stringify(JSON.parse(LISTING).tools[0]) });
    expect(imported.every(({ listing, name }) => JSON.parse(listing!).name === name)).toBe(true);
    const at = (pointer: string) => { const { file, line } = positions!.at(pointer); return `${file}:${line}`; };
    expect([at('/tools/1/description'), at('/tools/1/parameters'), at('/tools/4')]).toEqual(['policy.yaml:6', 'listing.json:22', 'policy.yaml:9']);
  });

  it.each<[string, string]>([['an object', LISTING], ['a bare list', JSON.stringify(JSON.parse(LISTING).tools)], ['a whole answer', `{"jsonrpc":"2.0","id":1,"result":${LISTING}}`]])('reads %s', async (_, text) => {
    const { policy } = await compileSources(files(`${HEAD}tools: [{mcp: l.json, only: [fetch]}]\n`, ['l.json', text]));
    expect(plain(policy)['tools']).toHaveLength(1);
  });

  it('says what is wrong with an import, and does not blame what an import may have lacked', async () => {
    const { problems } = await register(files(
      'tenant: t\nagents: {a: {tools: [gone]}}\ntools:\n  - mcp: nothing.json\n  - openapi: x.yaml\n  - {mcp: l.json, only: [fech], prefx: a}\n  - {mcp: {comand: x}}\n  - {mcp: https://x.example}\n  - mcp: bad.json\n', ['l.json', LISTING], ['bad.json', '{"tool": []}']), core);
    expect(codes(problems)).toEqual([
      'mcp_listing bad.json:1:1', 'source_unreadable policy.yaml:4:10', 'source_unreadable policy.yaml:5:14', 'policy_unknown_member policy.yaml:6:33 Did you mean prefix?',
      'policy_missing policy.yaml:7:11', 'policy_unknown_member policy.yaml:7:12 Did you mean command?', 'source_unsupported policy.yaml:8:11',
    ]);
  });

  it('asks a live server by its command, and tells what it wrote when it fails', async () => {
    const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
    const { policy, problems } = await compileSources(files(
      `${HEAD}tools:\n  - mcp: {command: node, args: [${server}, .]}\n    only: [read_text_file]\n  - mcp: {command: node, args: [-e, "console.error('no key'); process.exit(3)"]}\n  - mcp: {command: node, env: {KEY: $INTERLOCK_NOT_SET}}\n`));
    expect(policy).toBeNull();
    expect(problems.map(({ code, line }) => `${code}:${line}`)).toEqual(['mcp_server:6', 'mcp_server:7', 'mcp_unapproved:4']);
    expect(problems[0]!.message).toContain('no key');
    const live = (more: string) => compileSources(files(`${HEAD}tools:\n  - mcp: {command: node, args: [${server}, .]}\n${more}`));
    const alone = await live('');
    expect(alone.problems.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['mcp_unapproved warning']);
    expect((plain(alone.policy)['tools'] as JsonObject[]).filter(({ effect }) => effect !== undefined)).toEqual([]);
    const digest = /approved: ([A-Za-z0-9_-]{43}) /.exec(alone.problems[0]!.hint!)![1];
    const approved = await live(`    approved: ${digest}\n`);
    expect(approved.problems).toEqual([]);
    expect(plain(approved.policy)['tools']).toContainEqual(expect.objectContaining({ name: 'read_text_file', effect: 'read' }));
    const changed = await live('    approved: another\n');
    expect(codes(changed.problems)).toEqual(['mcp_changed policy.yaml:5:15']);
    expect(changed.problems[0]!.hint).toContain(digest);
  }, 30_000);

  it('warns of integers that a live answer may have rounded', async () => {
    const { policy, problems } = await compileSources(files(`${HEAD}tools: [{mcp: {command: node, args: [test/unit/register-server.mjs]}}]\n`));
    expect(problems.map(({ code, severity }) => `${code} ${severity}`)).toEqual(['mcp_rounded warning', 'mcp_rounded warning', 'mcp_unapproved warning']);
    expect((plain(policy)['tools'] as JsonObject[]).map(({ name }) => name)).toEqual(['a', 'b']);
  }, 30_000);

  it('starts no server where that is not wanted', async () => {
    const { problems } = await compileSources(files(`${HEAD}tools: [{mcp: {command: node}}]\n`), { live: false });
    expect(codes(problems)).toEqual(['mcp_server policy.yaml:3:15']);
  });
});

describe('problems', () => {
  it('stand at their places, all at once, with what to write instead', async () => {
    const { id, problems } = await register(files([
      'tenant: t', 'agents:', '  desk: {tools: [charge_crd]}', 'tools:', '  - name: charge_card', '    effect: raed', '    not_afer: [x]', '    inputSchema: {}',
      '    undo: {tool: refund_card, bind: {order: arguments.ordr_id}}', '    parameters: {type: object, properties: {order_id: {type: strin}}}', '  - name: refund_card', '    parameters: {properties: {order_id: {}}}',
      'rulebook:', '  facts: [a]', '  flows:', '    - name: f', '      on: ["*"]', '      rules:', '        - {id: r, refuse_if: $b}', 'settings: {head: allways, limts: {}}', '',
    ].join('\n')), core);
    expect(id).toBeNull();
    const found = codes(problems);
    for (const problem of [
      'policy_unknown_tool policy.yaml:3:18 Did you mean charge_card?', 'policy_type policy.yaml:6:13 Did you mean read?', 'policy_unknown_member policy.yaml:7:5 Did you mean not_after?',
      'policy_unknown_member policy.yaml:8:5 Did you mean parameters?', 'policy_fact policy.yaml:19:30', 'policy_unknown_member policy.yaml:20:27 Did you mean limits?',
    ]) expect(found).toContain(problem);
    expect(found.some((problem) => problem.startsWith('policy_schema policy.yaml:10:'))).toBe(true);
    expect(found.some((problem) => problem.startsWith('policy_unknown_argument policy.yaml:9:'))).toBe(true);
  });

  it('of numbers and strings that JSON cannot carry are told once, by the sources', async () => {
    const { id, problems } = await register(files(`${HEAD}tools: [{name: x, at_most: 9007199254740993, description: "\\uD800"}]\n`), core);
    expect(id).toBeNull();
    expect(codes(problems)).toEqual(['yaml_number policy.yaml:3:28', 'yaml_surrogate policy.yaml:3:59']);
  });

  it('of a member __proto__ are those of any other', async () => {
    const { problems } = await register(files(`${HEAD}tools: [{name: x, __proto__: {effect: read}}]\n__proto__: {}\n`), core);
    expect(codes(problems)).toEqual(['policy_unknown_member policy.yaml:3:19', 'policy_unknown_member policy.yaml:4:1']);
  });

  it('print with a frame and a caret', async () => {
    const { problems } = await register(files(`${HEAD}tools:\n  - name: x\n    effect: read\n    at_mots: 1\n`), core);
    expect(formatProblem({ ...problems[0]!, message: 'M' })).toBe([
      'policy.yaml:6:5: error policy_unknown_member: M', '  4 |   - name: x', '  5 |     effect: read', '> 6 |     at_mots: 1', '    |     ^^^^^^^', '  hint: Did you mean at_most?',
    ].join('\n'));
  });

  it('of a listing stand in the listing', async () => {
    const { problems } = await register(files(`${HEAD}tools: [{mcp: l.json}]\n`, ['l.json', '[{"name": "x",\n  "inputSchema": {"type": 5}}]']), core);
    expect(codes(problems)).toEqual([expect.stringMatching(/^policy_schema l\.json:2:/)]);
  });
});

describe('the published schema', () => {
  const validate = new Ajv2020({ strict: false }).compile(policySchema());

  it('is fresh', () => {
    expect(readFileSync(new URL('../../bindings/register/policy.schema.json', import.meta.url), 'utf8')).toBe(policySchemaText());
  });

  it('takes the starter and refuses misspelt members', () => {
    const starter = parse(starterPolicy()) as { tools: object[] };
    expect(validate(starter), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...starter, setings: {} })).toBe(false);
    expect(validate({ ...starter, tools: [...starter.tools, { name: 'x', not_afer: [] }] })).toBe(false);
    expect(validate({ ...starter, tools: [...starter.tools, { mcp: 'x.json', prefx: '' }] })).toBe(false);
    expect(validate({ ...starter, 'x-mine': 1 })).toBe(true);
  });

  /** A value for each member that the core takes. */
  const SAMPLES: Record<string, JsonValue> = {
    undo: { tool: 'other', bind: {} }, after: ['other'], not_after: ['untrusted'], at_most: 2, subject_argument: 'p', idempotency_key: 'p', parameters: { type: 'object', properties: { p: {} } },
    result: { type: 'object' }, defaults: {}, also_called: ['x'], limits: { bytes: 10 }, description: 'd', irreversible: false,
  };

  it('names exactly the members that the core takes', () => {
    const unknown = (policy: JsonObject) => {
      const answer = core.register(JSON.stringify(policy));
      return ('problems' in answer ? answer.problems : []).map(({ code, pointer }) => `${code} ${pointer}`);
    };
    const base = (): JsonObject => ({
      format: 'qls-policy/1', tenant: 't', agents: { a: { privilege: 'normal', tools: ['*'], defaults: {} } },
      tools: [{ name: 'x', after: [{ tool: 'other', bind: {} }], limits: { bytes: 9 }, undo: { tool: 'other', bind: {} } }, { name: 'other' }],
      rulebook: { facts: [], flows: [{ name: 'f', on: ['*'], rules: [{ id: 'r', ask_if: 'true', question: 'q', because: 'b' }] }] },
      settings: { approval: { mode: 'token', count: 1, deciders: [] }, limits: { depth: 9, bytes: 9, history: 9, steps: 9 } },
    });
    expect(unknown(base())).toEqual([]);
    const into: Record<string, (policy: any) => any> = {
      policy: (p) => p, agent: (p) => p.agents.a, tool: (p) => p.tools[0], after: (p) => p.tools[0].after[0], undo: (p) => p.tools[0].undo, toolLimits: (p) => p.tools[0].limits,
      rulebook: (p) => p.rulebook, flow: (p) => p.rulebook.flows[0], rule: (p) => p.rulebook.flows[0].rules[0], settings: (p) => p.settings, approval: (p) => p.settings.approval, limits: (p) => p.settings.limits,
    };
    for (const [name, { members }] of Object.entries(TABLES)) {
      if (!into[name]) continue;
      const misspelt = base();
      into[name](misspelt).misspelt_member = 1;
      expect(unknown(misspelt), name).toEqual([expect.stringMatching(/^policy_unknown_member .*misspelt_member$/)]);
      for (const [member, { sourceOnly, shape, fill }] of Object.entries(members)) {
        if (sourceOnly) continue;
        const policy = base();
        const object = into[name](policy);
        const value = SAMPLES[member] ?? fill ?? (Array.isArray(shape['enum']) ? shape['enum'][0] : undefined);
        if (object[member] === undefined && value !== undefined) object[member] = value;
        expect(unknown(policy).filter((problem) => problem.startsWith('policy_unknown_member')), `${name}.${member}`).toEqual([]);
      }
    }
  });
});

describe('the starter policy', () => {
  it('registers without a problem', async () => {
    const { id, problems, partial } = await register([{ path: 'policy.yaml', text: starterPolicy('my shop: "1"') }], core);
    expect(problems.map(formatProblem)).toEqual([]);
    expect(partial).toEqual([]);
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});

describe('what changed', () => {
  it('is told by tool, words, schema, rules, agents and settings, the loosening ones marked', () => {
    const before: JsonObject = {
      tenant: 't', agents: { a: { tools: ['x'] }, gone: { tools: [] } }, tools: [{ name: 'x', description: 'one', parameters: { properties: { a: {}, b: {} } }, at_most: 1 }, { name: 'old' }],
      rulebook: { flows: [{ name: 'f', on: ['*'], rules: [{ id: 'r', ask_if: 'true' }] }] }, settings: { head: 'required' },
    };
    const after: JsonObject = {
      tenant: 't', agents: { a: { tools: ['x', 'new'] } }, tools: [{ name: 'x', description: 'two', effect: 'read', parameters: { properties: { a: { type: 'string' }, c: {} } }, at_most: 1, not_after: [] }, { name: 'new' }],
      rulebook: { flows: [{ name: 'f', on: ['*'], rules: [{ id: 's', ask_if: 'true' }] }] }, settings: { receipt_ttl: 300 },
    };
    expect(describeChanges(before, before)).toEqual([]);
    expect(describeChanges(before, after).map((change) => `${describeChange(change)}${change.loosens ? ' !' : ''}`)).toEqual([
      '~ agent a: tools ["x"] → ["x","new"] !', '- agent gone', '~ tool x: description "one" → "two"', '~ tool x: effect "write" → "read" !', '~ tool x: parameters (~a, -b, +c) !',
      '- tool old', '+ tool new !', '- rule f/r !', '+ rule f/s', '~ setting head "required" → "optional" !',
    ]);
  });
});
