// Registration without Node: the entry for browsers and Workers tells the same of sources in memory as the one on Node, and reaches nothing of Node's.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { policyJudge } from 'interlock';
import { register } from 'interlock/register';
import { expect, it } from 'vitest';
import * as onNode from '../../bindings/entry/register.ts';
import * as anywhere from '../../bindings/entry/register-neutral.ts';

const LISTING = JSON.stringify({ tools: [{ name: 'read_file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } }, annotations: { readOnlyHint: true } }] });
const policy = (path: string) => `tenant: t\nagents: {desk: {tools: ["*"]}}\ntools:\n  - mcp: ${path}\n    prefix: f_\nsettings: {langage: en}\n`;

it.each([
  ['policy.yaml', './lists/files.json', 'lists/files.json'],
  ['a/policy.yaml', '../lists/files.json', 'lists/files.json'],
  ['/a/b/policy.yaml', '../../lists/./files.json', '/lists/files.json'],
  ['policy.yaml', './none.json', 'lists/files.json'],
  ['../policy.yaml', 'lists/files.json', '../lists/files.json'],
])('a policy in %s that imports %s', async (path, named, listing) => {
  const files = [{ path, text: policy(named) }, { path: listing, text: LISTING }];
  const found = await anywhere.register(files, policyJudge);
  expect(found).toEqual(await register(files, policyJudge));
  expect(found.imported.map(({ tool }) => tool)).toEqual(named.includes('none') ? [] : ['f_read_file']);
  expect(found.problems.map(({ code, line }) => [code, line])).toContainEqual(['policy_unknown_member', 6]);
});

it('says what it expects where it is given something else', async () => {
  await expect(anywhere.register('policy.yaml' as never, policyJudge)).rejects.toThrow('there is no file system here');
  await expect(anywhere.register([], policyJudge)).rejects.toThrow('at least one file');
  await expect(anywhere.register([], undefined as never)).rejects.toThrow('"core" expected');
});

it('offers what the entry on Node does, but for asking servers; its bundle imports the readers of YAML and of modules alone', () => {
  expect(Object.keys(onNode).filter((name) => !(name in anywhere)).sort()).toEqual(['connect', 'listTools']);
  expect(Object.keys(anywhere).filter((name) => !(name in onNode))).toEqual([]);
  const text = readFileSync(fileURLToPath(new URL('../../dist/register-neutral.js', import.meta.url)), 'utf8');
  const imported = [...text.matchAll(/^import\b[^;"'()]*["']([^"']+)["'];$|\b(?:import|require)\(\s*["']([^"']+)["']\s*\)/gm)].map(([, one, other]) => one ?? other);
  expect([...new Set(imported)].sort()).toEqual(['@sveltejs/acorn-typescript', 'acorn', 'yaml']);
  expect(text).not.toMatch(/["']node:|\bprocess\.|\bBuffer\./);
});
