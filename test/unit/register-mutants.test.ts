// Policies damaged at random: registering never throws, every problem stands in a file, and nothing that is refused is half accepted.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { register } from '../../bindings/register/index.ts';
import { starterPolicy } from '../../bindings/register/starter.ts';
import { core } from './register-core.ts';

const ROUNDS = Number(process.env['MUTANTS'] ?? 150);
const SEED = Number(process.env['SEED'] ?? 20261129);

/** A small generator of its own, so that a printed seed replays a failure. */
function generator(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const PIECES = ['\n', '  ', '- ', ': ', '"', "'", '{', '}', '[', ']', ',', '#', '&a ', '*a', '*order', '<<: ', '!x ', '|\n', '0x', '1e400', '9007199254740993', '.inf', '~', 'true', '\t', '\u0000', '\u2028', '\ud800', '__proto__: {}', 'name: ', 'undo: ', 'after: [x]', 'allow_if: ', '$', 'args.', '\ufeff', '---\n', '? ', '%YAML 1.1\n'];

function mutant(text: string, random: (n: number) => number): string {
  let out = text;
  for (let i = random(4); i >= 0; i--) {
    const at = random(out.length + 1);
    const length = random(12);
    switch (random(4)) {
      case 0: out = out.slice(0, at) + out.slice(at + length); break;
      case 1: out = out.slice(0, at) + PIECES[random(PIECES.length)]! + out.slice(at); break;
      case 2: out = out.slice(0, at) + PIECES[random(PIECES.length)]! + out.slice(at + length); break;
      default: { const from = random(out.length); out = out.slice(0, at) + out.slice(from, from + length * 6) + out.slice(at); }
    }
  }
  return out;
}

const asJson = JSON.stringify({
  tenant: 't', agents: { a: { tools: ['*'] } }, tools: [{ mcp: 'policy.json' }, { name: 'x', undo: { tool: 'y', bind: { a: 'arguments.a' } }, parameters: { properties: { a: { type: 'string' } } } }, { name: 'y', parameters: { properties: { a: {} } } }],
  rulebook: { flows: [{ name: 'f', on: ['*'], rules: [{ id: 'r', ask_if: 'args.a == "1"' }] }] },
}, null, 2);

const asOpenApi = readFileSync('node_modules/@readme/oas-examples/3.0/yaml/petstore-expanded.yaml', 'utf8');
const asModule = ['types.ts', 'shop.ts'].map((name) => readFileSync(new URL(`modules/${name}`, import.meta.url), 'utf8')).join('').replaceAll("'./types.js'", "'./tools.ts'");
const importing = (entry: string) => ({ path: 'policy.yaml', text: `tenant: t\nagents: {a: {tools: ["*"]}}\ntools:\n  - ${entry}\n` });

it.each<[string, string, { path: string; text: string }?]>([
  ['policy.yaml', starterPolicy()], ['policy.json', asJson], ['api.yaml', asOpenApi, importing('openapi: ./api.yaml')], ['tools.ts', asModule, importing('module: ./tools.ts')],
])('%s', async (path, whole, policy) => {
  const random = generator(SEED);
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = mutant(whole, random);
    const where = `SEED=${SEED} round ${round}: ${JSON.stringify(text)}`;
    const answer = await register([...(policy ? [policy] : []), { path, text }], core, { live: false }).catch((error: unknown) => { throw new Error(where, { cause: error }); });
    const errors = answer.problems.filter(({ severity }) => severity === 'error');
    expect(answer.id === null, where).toBe(errors.length > 0);
    expect(answer.policy === null, where).toBe(answer.id === null);
    if (answer.id === null) refused++;
    for (const { line, column, endLine, message, code } of answer.problems) {
      expect(line >= 1 && column >= 1 && endLine >= line && message.length > 0 && /^[a-z_]+$/.test(code), where).toBe(true);
    }
  }
  expect(refused).toBeGreaterThan(ROUNDS / 4);
}, 5000 + ROUNDS * 50);
