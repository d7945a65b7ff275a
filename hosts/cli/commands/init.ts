// interlock init: writes a commented starter policy, its schema for editors, keys, and a script of calls that tests the policy.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { policySchemaText, starterPolicy, starterScript } from '../package.ts';
import { CliError } from '../exit.ts';
import { keySetText, newKey, newKeySet } from '../keys.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { writeWhole } from '../store.ts';
import { say, type Terminal } from '../terminal.ts';

interface Options { tenant?: string; force?: boolean; format: string }

export function init(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('init')
    .description('write a starter policy, its schema for editors, keys, and a script of calls')
    .argument('[folder]', 'where to write', '.')
    .option('--tenant <name>', "whose policy it is (otherwise the folder's name)")
    .option('--force', 'replace files that are there')
    .addOption(formatOption())
    .action(run(terminal, outcome, (folder: string, options: Options) => work(terminal, folder, options)));
  example(command, 'interlock init shop && cd shop && interlock run');
}

async function work(terminal: Terminal, folder: string, options: Options): Promise<void> {
  const tenant = options.tenant ?? (basename(resolve(folder)).replace(/[^A-Za-z0-9_-]/g, '-') || 'acme');
  const files: [string, string, number][] = [
    ['policy.yaml', starterPolicy(tenant), 0o644],
    ['policy.schema.json', policySchemaText(), 0o644],
    ['session.yaml', starterScript(), 0o644],
    ['keys.json', keySetText(newKeySet(newKey('HS256'))), 0o600],
  ];
  // Keys cannot be made again: what they signed would never verify. --force leaves them.
  const kept = existsSync(join(folder, 'keys.json')) && options.force ? files.pop() : undefined;
  const there = files.map(([name]) => name).filter((name) => existsSync(join(folder, name)));
  if (there.length > 0 && !options.force) {
    throw new CliError('file_exists', `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already in ${folder === '.' ? 'this folder' : folder}.`, 'Give --force to replace, or another folder.');
  }
  for (const [name, text, mode] of files) await writeWhole(join(folder, name), text, { mode, replace: true });
  const written = files.map(([name]) => name);
  const ignore = join(folder, '.gitignore');
  const ignored = existsSync(ignore) ? (await readFile(ignore, 'utf8')).split(/\r?\n/).some((line) => /^\/?keys\.json\s*$/.test(line)) : true;
  if (!existsSync(ignore)) {
    await writeWhole(ignore, '# Keys are secrets.\nkeys.json\n', { replace: false });
    written.push('.gitignore');
  }
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ folder, files: written, ...(kept ? { kept: ['keys.json'] } : {}) }));
    return;
  }
  for (const name of written) say(terminal, `wrote ${join(folder, name)}`);
  if (kept) say(terminal, `kept ${join(folder, 'keys.json')}: new keys could not verify what it signed (interlock keygen replaces it)`);
  say(terminal);
  say(terminal, ignored ? 'Keys are secrets: .gitignore keeps keys.json out of version control.' : 'Keys are secrets: add keys.json to .gitignore, which was there already.');
  say(terminal, `Next:  ${folder === '.' ? '' : `cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`} && `}interlock lint && interlock run`);
}
