// `gateway key`: makes a caller's key, shows it once, and prints the lines for the gateway's file.
import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../exit.ts';
import { collect, example, formatOption, type Outcome, run } from '../options.ts';
import { say, type Terminal } from '../terminal.ts';
import { GRANTS, newKey } from '../../shared/caller-keys.ts';
import { callerLines } from './caller-key.ts';

interface Options { tenant?: string; agent?: string[]; may?: string[]; approver?: string; days?: number; format: string }

export function gatewayKey(parent: Command, terminal: Terminal, outcome: Outcome): void {
  const command = parent.command('key')
    .description("make a caller's key, and its lines for the gateway's file")
    .argument('<name>', "the caller's name")
    .option('--tenant <name>', 'its tenant, where the file has several')
    .option('--agent <name>', 'an agent it may propose calls for (again for more)', collect)
    .option('--may <grants>', `what it is granted, with commas: ${GRANTS.join(', ')}`, grants)
    .option('--approver <id>', 'who it is when it approves (otherwise its name)')
    .option('--days <n>', 'the key ends after so many days', days)
    .addOption(formatOption())
    .action(run(terminal, outcome, (name: string, options: Options) => work(terminal, name, options)));
  example(command, 'interlock gateway key ana --may approve,read_approvals', 'interlock gateway key shop-bot --agent desk --days 90');
}

function work(terminal: Terminal, name: string, options: Options): void {
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) throw new CliError('usage', `"${name}" is no caller's name.`, 'Use a letter, then letters, digits, _ . and -, at most 64 in all.');
  const agents = options.agent ?? [];
  const may = options.may ?? [];
  if (agents.length === 0 && may.length === 0) throw new CliError('usage', 'A caller without an agent and without a grant can do nothing.', 'Give --agent or --may.');
  const { key, sha256 } = newKey();
  const expires = options.days === undefined ? undefined : new Date(Date.now() + options.days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const lines = callerLines({ name, sha256, tenant: options.tenant, agents, may, approver: options.approver, expires });
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ name, key, sha256, lines }));
    return;
  }
  say(terminal, `The key, which is shown once:  ${key}`);
  say(terminal, 'Add below callers: in the gateway\'s file, which is read again when it changes:');
  say(terminal);
  terminal.out.write(lines);
}

function grants(text: string): string[] {
  const given = text.split(',').map((word) => word.trim()).filter((word) => word !== '');
  for (const word of given) if (!(GRANTS as readonly string[]).includes(word)) throw new InvalidArgumentError(`${word} is no grant; there are ${GRANTS.join(', ')}.`);
  return [...new Set(given)];
}

function days(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 3650) throw new InvalidArgumentError('A number of days from 1 to 3650 is needed.');
  return value;
}
