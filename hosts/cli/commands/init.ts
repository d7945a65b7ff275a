// interlock init: writes a commented starter policy, its schema for editors, keys, and a script of calls that tests the policy.
import { existsSync } from 'node:fs';
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
  const there = files.map(([name]) => name).filter((name) => existsSync(join(folder, name)));
  if (there.length > 0 && !options.force) {
    throw new CliError('file_exists', `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already in ${folder}.`, 'Give --force to replace, or another folder.');
  }
  for (const [name, text, mode] of files) await writeWhole(join(folder, name), text, { mode, replace: true });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) await writeWhole(ignore, '# Keys are secrets.\nkeys.json\n', { replace: false });
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ folder, files: files.map(([name]) => name) }));
    return;
  }
  for (const [name] of files) say(terminal, `wrote ${join(folder, name)}`);
  say(terminal);
  if (existsSync(ignore)) say(terminal, 'Keys are secrets: keep keys.json out of version control.');
  say(terminal, `Next:  ${folder === '.' ? '' : `cd ${folder} && `}interlock lint && interlock run`);
}
