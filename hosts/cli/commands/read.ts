// interlock read: reads what a person wrote into a plan, without a model: what would be called with what, or why nothing may be.
import type { Command } from 'commander';
import { CliError, type Exit } from '../exit.ts';
import { loadReader } from '../loaded.ts';
import { example, formatOption, languageOption, type Outcome, policyOption, run } from '../options.ts';
import { exitOfPlan, showPlan } from '../plans.ts';
import { readText } from '../store.ts';
import { say, type Terminal } from '../terminal.ts';

interface Options { policy: string; agent?: string; language?: string; format: string }

export function read(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('read')
    .description('read a turn into a plan, without a model: run (0), confirm or ask (3), declined or unread (2)')
    .argument('<turn>', 'what the person wrote, or - for standard input')
    .addOption(policyOption())
    .option('--agent <name>', 'who is asked')
    .addOption(languageOption())
    .addOption(formatOption())
    .action(run(terminal, outcome, (turn: string, options: Options) => work(terminal, turn, options)));
  example(command, 'interlock read "show order 4411"', 'interlock read "exporte o pedido 4411" --agent desk --language pt-BR');
}

async function work(terminal: Terminal, given: string, { policy, agent, language, format }: Options): Promise<Exit> {
  const turn = given === '-' ? (await readText(terminal, '-', 'The turn')).replace(/\r?\n$/, '') : given;
  if (turn.trim() === '') throw new CliError('usage', 'The turn is empty.', 'interlock read "show order 4411"');
  const plan = (await loadReader(terminal, policy)).read(turn, { agent, language, session: 'cli' });
  if (format === 'json') say(terminal, JSON.stringify(plan));
  else showPlan(terminal, plan);
  return exitOfPlan(plan);
}
