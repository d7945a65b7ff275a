// Modules become tools without running: what each part turns into, types against what the TypeScript compiler says, and modules that are wrong or mean harm.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compileSources, register } from '../../bindings/register/index.ts';
import type { JsonObject } from '../../bindings/register/position.ts';
import type { Problem } from '../../bindings/register/problems.ts';
import { core } from './register-core.ts';

const HEAD = 'tenant: t\nagents: {a: {tools: ["*"]}}\ntools:\n';
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const said = (problems: readonly Problem[]) => problems.map(({ code, severity, file, line, column }) => `${severity} ${code} ${file}:${line}:${column}`);

async function read(text: string, others: Record<string, string> = {}, file = 'tools.ts'): Promise<{ tools: JsonObject[]; problems: Problem[] }> {
  const { draft, problems } = await compileSources([{ path: 'policy.yaml', text: `${HEAD}  - module: ./${file}\n` }, { path: file, text }, ...Object.entries(others).map(([path, content]) => ({ path, text: content }))]);
  return { tools: plain((draft?.['tools'] ?? []) as JsonObject[]), problems };
}

const LINE = { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'number' } }, required: ['sku', 'quantity'] };
const ORDER = {
  type: 'object', required: ['id', 'lines', 'status', 'pair', 'extra'],
  properties: {
    id: { type: 'string' }, lines: { type: 'array', items: { $ref: '#/$defs/Line' } }, parent: { $ref: '#/$defs/Order' }, status: { enum: ['open', 'closed'] },
    pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false, minItems: 1 }, extra: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
  },
};

describe('a module', () => {
  it('gives a tool for each function it exports, read from its text and never run', async () => {
    const { draft, problems, imported } = await compileSources([
      { path: 'policy.yaml', text: `${HEAD}  - module: test/unit/modules/shop.ts\n    prefix: shop_\n  - {name: shop_chargeCard, description: Charge., irreversible: true}\n` }, ...['shop.ts', 'types.ts', 'refunds.js'].map((name) => ({ path: `test/unit/modules/${name}`, text: moduleText(name) })),
    ]);
    expect(said(problems)).toEqual([]);
    expect(imported.map(({ name, source }) => `${name} ${source}`)).toEqual(['refund', 'odd', 'getOrder', 'chargeCard', 'list', 'declared', 'search', 'wait'].map((name) => `${name} test/unit/modules/shop.ts`));
    const tools = plain(draft!['tools'] as JsonObject[]);
    expect(tools).toEqual([
      {
        name: 'shop_refund', description: 'Refund a charge.', result: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }, 'x-module': { export: 'refund', call: 'object' },
        parameters: { type: 'object', properties: { chargeId: { type: 'string', description: 'the charge' }, amount: { type: 'number', description: 'how much of it' } }, required: ['chargeId'] },
      },
      {
        name: 'shop_odd', 'x-module': { export: 'odd', call: 'positional', arguments: ['a', 'b', 'c'] },
        parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: ['number', 'null'], description: 'a number' }, c: { type: 'array', items: { type: 'string' } } }, required: ['a', 'c'], additionalProperties: false },
      },
      {
        name: 'shop_getOrder', description: 'Look an order up.', 'x-module': { export: 'getOrder', call: 'positional', arguments: ['orderId', 'deep'] },
        parameters: { type: 'object', properties: { orderId: { type: 'string', description: 'the number of the order' }, deep: { type: 'boolean', default: false } }, required: ['orderId'], additionalProperties: false },
        result: { ...ORDER, $defs: { Order: ORDER, Line: LINE } },
      },
      {
        name: 'shop_chargeCard', description: 'Charge.', irreversible: true, 'x-module': { export: 'chargeCard', call: 'object' }, result: { type: 'object', properties: { chargeId: { type: 'string' } }, required: ['chargeId'] },
        parameters: {
          type: 'object', required: ['orderId', 'amount'],
          properties: { orderId: { type: 'string' }, amount: { type: 'number', description: 'in major units' }, currency: { enum: ['EUR', 'USD'], default: 'EUR' }, status: { enum: ['open', 'closed', null] } },
        },
      },
      {
        name: 'shop_list', description: 'List what there is.', 'x-module': { export: 'list', call: 'positional', arguments: ['options', 'tags'], rest: true }, result: { type: 'array', items: { type: 'string' } },
        parameters: { type: 'object', properties: { options: { type: 'object', properties: { limit: { type: 'number' } }, required: ['limit'] }, tags: { type: 'array', items: { type: 'string' } } }, additionalProperties: false },
      },
      {
        name: 'shop_declared', 'x-module': { export: 'declared', call: 'positional', arguments: ['id', 'times'] }, result: { type: 'boolean' },
        parameters: { type: 'object', properties: { id: { type: 'string' }, times: { type: 'number' } }, required: ['id'], additionalProperties: false },
      },
      {
        name: 'shop_search', 'x-module': { export: 'search', call: 'object' },
        parameters: { type: 'object', properties: { id: { type: 'string' }, lines: ORDER.properties.lines, status: ORDER.properties.status, pair: ORDER.properties.pair, q: { type: 'string' } }, $defs: { Line: LINE } },
      },
      { name: 'shop_wait', description: 'Wait.', 'x-module': { export: 'default', call: 'positional', arguments: [] }, parameters: { type: 'object', properties: {}, additionalProperties: false } },
    ]);
  });

  it('registers by its path too, with the problems of the core at their places in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'modules-'));
    try {
      writeFileSync(join(folder, 'tools.ts'), 'process.exit(87);\n/** Send a note. */\nexport function sendNote(text: string): void {}\n');
      writeFileSync(join(folder, 'policy.yaml'), `${HEAD}  - module: tools.ts\n    only: [sendNote]\n`);
      const { id, problems } = await register(join(folder, 'policy.yaml'), core);
      expect(id).not.toBeNull();
      expect(said(problems).map((line) => line.replace(folder, '')).filter((line) => line.includes('write_without_undo'))).toEqual(['warning write_without_undo /tools.ts:3:1']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('types', () => {
  /** Declarations, and types made of them; each is asked of many values. */
  const DECLARED = `
type Word = 'a' | 'b';
enum Kind { A = 'a', B = 2, C }
interface Base { id: string; n?: number }
interface Tree extends Base { children: Tree[]; id: 'a' | 'b' }
interface Part { x: number }
interface Part { y?: string | null }
type Pair = [string, number?];
type Alias = Aliased;
type Aliased = Tree | null;
`;
  const TYPES = [
    'string', 'number', 'boolean', 'null', 'unknown', 'object', "'a'", '1', '-1', 'true', 'string | number', 'Word', 'Word | null', 'Kind', 'Base', 'Tree', 'Part', 'Pair', 'Alias', 'string[]', 'readonly Word[]', 'Array<number | null>', '(string | number)[]',
    '{ a: string }', '{ a?: string; readonly b: number }', '{ a: { b: Word } }', '{ [key: string]: number }', '{ a: number; [key: string]: number }', 'Record<string, boolean>', 'Record<Word, number>', 'Partial<Base>', 'Required<Base>', 'Readonly<Part>',
    "Pick<Base, 'id'>", "Omit<Tree, 'children' | 'n'>", 'Base & Part', 'Base & { id: Word }', '{ a: string } | { b: number }', '[Word, ...number[]]', '[]', 'NonNullable<Word | null>', '{ a: string | undefined }', 'Partial<Record<Word, string>>', '`a`',
  ];
  const VALUES: unknown[] = [
    null, true, false, 0, 1, -1, 2, 3, 1.5, '', 'a', 'b', 'c', [], ['a'], ['a', 1], ['a', 'b'], [1, null], ['a', 1, 2], [true], {}, { a: 'a' }, { a: 1 }, { a: { b: 'a' } }, { a: { b: 'c' } }, { b: 1 }, { a: 'a', b: 1 }, { a: 1, b: 2 }, { a: true, b: false }, { id: 'a' }, { id: 'z', n: 1 },
    { id: 'a', n: null }, { id: 'a', children: [] }, { id: 'a', children: [{ id: 'b', children: [] }] }, { id: 'a', children: [{ id: 'z', children: [] }] }, { id: 'z', children: [] }, { x: 1 }, { x: 1, y: null }, { x: 1, y: 2 }, { id: 'a', x: 1 }, { id: 'a', x: 1, y: 'y' }, { n: 1 },
  ];

  it('allow the values that the TypeScript compiler allows', async () => {
    const { tools, problems } = await read(`${DECLARED}${TYPES.map((type, i) => `export function f${i}(only: string, value: ${type}): void {}`).join('\n')}\n`);
    expect(said(problems)).toEqual([]);
    const ajv = new Ajv2020({ strict: false });
    const ours = TYPES.flatMap((type, i) => {
      const parameters = tools[i]!['parameters'] as JsonObject;
      const schema = { ...(parameters['properties'] as JsonObject)['value'] as JsonObject, ...(parameters['$defs'] === undefined ? {} : { $defs: parameters['$defs'] }) };
      const validate = ajv.compile(schema);
      return VALUES.map((value) => `${type} of ${JSON.stringify(value)}: ${validate(value)}`);
    });
    // A member that is not there: TypeScript's compiler asks for it where JSON cannot say undefined. Written so, it does not.
    const types = TYPES.map((type) => (type === '{ a: string | undefined }' ? '{ a?: string }' : type));
    // Values pass through a type parameter, so that members nobody declared are no error, as they are none in JSON Schema.
    const lines = types.flatMap((type) => VALUES.map((value) => `take<${type}>()(${JSON.stringify(value)});`));
    const head = `${DECLARED}declare function take<T>(): <const V>(value: V & ([V] extends [Loose<T>] ? unknown : never)) => void;\ntype Loose<T> = T extends object ? (object extends T ? T : { readonly [k in keyof T]: Loose<T[k]> }) : T;\n`;
    const found = compiler(`${head}${lines.join('\n')}\n`);
    const offset = head.split('\n').length;
    const theirs = types.flatMap((_, i) => VALUES.map((value, j) => `${TYPES[i]} of ${JSON.stringify(value)}: ${!found.has(offset + i * VALUES.length + j)}`));
    const differ = ours.filter((line, i) => line !== theirs[i]);
    expect(differ.filter((line) => !KNOWN.some((known) => known.test(line)))).toEqual([]);
    expect(found.size).toBeGreaterThan(500);
    expect(lines.length - found.size).toBeGreaterThan(100);
  }, 60_000);

  /** Where the two say different things, and right so. */
  const KNOWN = [
    // To the compiler a word is no member of an enumeration that has it as a value; in JSON there is only the value.
    /^Kind of "a": true$/,
    // The compiler takes an object that has none of the members, all of which may be left out, for a mistake; the type allows it.
    /^Partial<Base> of \{(?!.*"(?:id|n)").*\}: true$/, /^\{ a: string \| undefined \} of \{(?!.*"a":).*\}: true$/, /^Partial<Record<Word, string>> of \{(?!.*"[ab]":).*\}: true$/,
  ];

  /** The lines of a module in which the compiler finds an error. */
  function compiler(text: string): Set<number> {
    const folder = mkdtempSync(join(tmpdir(), 'types-'));
    try {
      writeFileSync(join(folder, 'x.ts'), text);
      const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--pretty', 'false', '--target', 'es2022', '--ignoreConfig', join(folder, 'x.ts')], { encoding: 'utf8' });
      const found = new Set([...stdout.matchAll(/x\.ts\((\d+),\d+\): error TS(\d+)/g)].filter(([, , code]) => code === '2345').map(([, line]) => Number(line)));
      const others = [...stdout.matchAll(/error TS(?!2345)\d+.*/g)].map(([line]) => line);
      expect(others).toEqual([]);
      return found;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
});

describe('a module that is wrong, or means harm', () => {
  it.each<[string, string, string[], Record<string, string>?]>([
    ['is no TypeScript', 'export function f(a: string { }\n', ['error module_syntax tools.ts:1:29']],
    ['exports nothing', 'const a = 1;\n', ['warning module_empty tools.ts:1:1']],
    ['exports with CommonJS', 'module.exports = { f() {} };\nexport = f;\n', ['warning module_empty tools.ts:1:1', 'warning module_export tools.ts:2:1']],
    ['says no type', 'export function f(a) {}\nexport const g = (a: string, b = c()) => 1;\nexport function h(x: { a }) {}\n', ['error module_untyped tools.ts:1:19', 'error module_untyped tools.ts:2:30', 'error module_untyped tools.ts:3:24']],
    ['overloads', 'export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: unknown) {}\n', ['error module_overload tools.ts:1:8', 'warning module_empty tools.ts:1:1']],
    ['has a default without a name', 'export default (a: string) => 1;\n', ['error module_default tools.ts:1:1', 'warning module_empty tools.ts:1:1']],
    ['makes functions when it runs', 'export const f = make();\nexport const g = import.meta.f;\n', ['warning module_export tools.ts:1:18', 'warning module_export tools.ts:2:18', 'warning module_empty tools.ts:1:1']],
    ['hands on a package', 'export { f } from "p";\nexport * from "q";\nimport { g } from "r";\nexport { g };\n', ['warning module_export tools.ts:1:10', 'warning module_export tools.ts:2:1', 'warning module_export tools.ts:4:10', 'warning module_empty tools.ts:1:1']],
    ['destructures lists', 'export function f([a]: [string]) {}\n', ['error module_parameter tools.ts:1:19']],
    ['uses types JSON has no value for', 'export function f(a: Date, b: bigint, c: () => void, d: Map<string, string>, e: undefined, g: symbol) {}\n', ['error module_type tools.ts:1:22', 'error module_type tools.ts:1:31', 'error module_type tools.ts:1:42', 'error module_type tools.ts:1:57', 'error module_untyped tools.ts:1:78', 'error module_type tools.ts:1:95']],
    ['uses types that are not read', 'type P<T> = T;\nexport function f(a: P<string>, b: keyof X, c: X["y"], d: `a\x24{string}`, e: { [k in "a"]: 1 }, g: typeof f, h: A extends B ? C : D, i: Unknown) {}\n', [22, 36, 48, 59, 76, 98, 111, 135].map((column) => `error module_type tools.ts:2:${column}`)],
    ['uses types of a package', 'import type { T } from "p";\nexport function f(a: T) {}\n', ['error module_type tools.ts:2:22']],
    ['imports what is not there', 'import type { T } from "./none";\nexport function f(a: T) {}\n', ['error source_unreadable tools.ts:1:24', 'error module_type tools.ts:2:22']],
    ['imports what is broken', 'import type { T } from "./bad";\nexport function f(a: T) {}\n', ['error module_syntax bad.ts:1:8', 'error source_unreadable tools.ts:1:24', 'error module_type tools.ts:2:22'], { 'bad.ts': 'export }' }],
    ['types that are themselves', 'type A = B;\ntype B = A;\nexport function f(a: A) {}\n', ['error module_type tools.ts:3:22']],
    ['interfaces that extend themselves', 'interface A extends B { a: string }\ninterface B extends A { b: string }\nexport function f(x: string, a: A) {}\n', ['error module_size tools.ts:2:1']],
    ['has a result that is not read', 'export function f(): Promise<Date> { return 1 as never }\n', ['warning module_result tools.ts:1:30']],
    ['nests without end', `export const f = ${'['.repeat(20000)}`, ['error module_depth tools.ts:1:1']],
    ['nests types without end', `export function f(a: ${'Array<'.repeat(20000)}`, ['error module_depth tools.ts:1:1']],
    ['is ambiguous without end', `export const f = ${'<T>('.repeat(40)}1${')'.repeat(40)};\n`, ['error module_depth tools.ts:1:1']],
    ['exports in a ring', 'export * from "./b";\nexport * from "./b";\nexport function f(a: T) {}\nimport type { T } from "./b";\n', ['error module_type tools.ts:3:22'], { 'b.ts': 'export * from "./tools";\nexport * from "./tools.ts";\nexport * from "./c";', 'c.ts': 'export * from "./b";\nexport * from "./tools";' }],
  ])('%s', async (_, text, wanted, others = {}) => {
    const { problems } = await read(text, others);
    expect(said(problems).sort()).toEqual([...wanted].sort());
    for (const { hint } of problems) expect(hint).toMatch(/\S \S/);
  });

  it('is not long at work over types that double at each step, and takes names of prototypes as names', async () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `interface T${i} { a: T${i + 1}; b: T${i + 1} }`).join('\n');
    const { tools, problems } = await read(`${doubling}\ntype T60 = string;\nexport function f(x: string, __proto__: T0): void {}\nexport function g(args: { __proto__: string; constructor: number }): void {}\n`);
    expect(said(problems)).toEqual([]);
    const [f, g] = tools.map(({ parameters }) => parameters as JsonObject);
    expect(Object.keys(f!['$defs'] as JsonObject)).toHaveLength(60);
    expect(JSON.stringify(f!['properties'])).toBe('{"x":{"type":"string"},"__proto__":{"$ref":"#/$defs/T0"}}');
    expect(JSON.stringify(g)).toBe('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__","constructor"]}');
    const spread = `${Array.from({ length: 40 }, (_, i) => `type S${i} = S${i + 1} & S${i + 1};`).join('\n')}\ntype S40 = { a: string };\nexport function f(s: S0): void {}\n`;
    expect(said((await read(spread)).problems).map((line) => line.split(' ')[1])).toContain('module_size');
  });

  it('of JavaScript says its types in comments, and what is wrong with them there', async () => {
    const { problems } = await read('/**\n * @param {Map<string>} a\n * @param {[} b\n * @param {object} c\n * @param {string} c.d.e\n */\nexport function f(a, b, c) {}\n', {}, 'tools.js');
    expect(said(problems)).toEqual(['error module_type tools.js:2:12', 'error module_type tools.js:3:12', 'error module_untyped tools.js:7:22']);
  });
});

function moduleText(name: string): string {
  return readFileSync(new URL(`modules/${name}`, import.meta.url), 'utf8');
}
