// The command line as a process: exit codes where nobody reads the answer, and nothing left behind.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import 'interlock';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'interlock-process-'));

beforeAll(() => {
  const key = { kid: 'k', kty: 'oct', alg: 'HS256', k: Buffer.alloc(32, 7).toString('base64url') };
  writeFileSync(join(folder, 'policy.yaml'), 'tenant: t\nagents: {a: {tools: ["*"]}}\ntools: [{name: look, effect: read}]\n');
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ format: 'qls-keys/1', active: 'k', keys: [key], digest_key: key.k }));
  mkdirSync(join(folder, 'tmp'));
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

/** Runs the program; `deaf` closes its standard output at once, `after` gets the process. */
function run(args: string[], { deaf = false, after }: { deaf?: boolean; after?: (child: ReturnType<typeof spawn>) => void } = {}): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { ...process.env, TMPDIR: join(folder, 'tmp'), NO_COLOR: '1' } });
    let [out, err] = ['', ''];
    if (deaf) child.stdout.destroy();
    child.stdout.on('data', (piece: Buffer) => { out += piece.toString(); });
    child.stderr.on('data', (piece: Buffer) => { err += piece.toString(); });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    after?.(child);
  });
}

it('says with its exit code what was decided', async () => {
  expect((await run(['check', '--tool', 'look'])).code).toBe(0);
  expect((await run(['check', '--tool', 'nothing'])).code).toBe(2);
});

it.each([['look'], ['nothing']])('never ends with 0 where nobody reads the answer: %s', async (tool) => {
  const { code, err } = await run(['check', '--tool', tool], { deaf: true });
  expect(code).toBeGreaterThan(0);
  expect(err).toBe('');
});

it.each([[['demo', '--yes']], [['chat']]])('leaves no folder of the demo behind when it is stopped: %j', async (args) => {
  const { code } = await run(args, { after: (child) => child.stdout!.once('data', () => child.kill('SIGINT')) });
  expect(code).toBe(130);
  expect(existsSync(join(folder, 'tmp'))).toBe(true);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

it('says of a document nested without end that it is nested too deep', async () => {
  writeFileSync(join(folder, 'deep.yaml'), `a: ${'['.repeat(100_000)}`);
  const { code, err } = await run(['lint', 'deep.yaml']);
  expect(code).toBe(2);
  expect(err).toContain('error yaml_depth: ');
});

/** A server by hand: it lists one tool, and is as particular as some are. */
const SERVER = `
import { createInterface } from 'node:readline';
const [, , slow, strict] = process.argv;
await new Promise((woken) => setTimeout(woken, Number(slow)));
let begun = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') begun = true;
  if (!begun && strict === '--strict') process.exit(1);
  if (id === undefined) continue;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'particular', version: String(process.pid) } } : { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
  const answer = method === 'initialize' || method === 'tools/list' ? { result } : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}`;

it.each([[['0']], [['0', '--strict']], [['700']]])('imports from a server that is slow to start, or ends when it is not greeted: %j', async (args) => {
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  const { code, out, err } = await run(['import', 'mcp', process.execPath, 'server.mjs', ...args]);
  expect(err).toBe('');
  expect(code).toBe(0);
  expect((JSON.parse(out) as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(['look']);
});
