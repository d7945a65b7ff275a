// interlock explain: tells why a call is decided as it is, step by step, or why a turn is read as it is, with the failing clause and the nearest fix. Writes nothing.
import { Command } from 'commander';
import { showAnswer, showTrace } from '../answers.ts';
import { CliError, type Exit, exitOf } from '../exit.ts';
import { fixes } from '../../shared/fixes.ts';
import { loadBoth, loadReader } from '../loaded.ts';
import { example, formatOption, keysOption, languageOption, type Outcome, policyOption, run } from '../options.ts';
import { exitOfPlan, showReading, turnFixes } from '../plans.ts';
import { buildRequest, decided, explained, type RequestOptions, requestOptions } from '../request.ts';
import { visible } from '../package.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options extends RequestOptions { policy: string; keys: string; language?: string; format: string }

export function explain(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = requestOptions(program.command('explain')
    .description('tell why a call is decided as it is, or with --turn alone why a turn is read as it is, and what would change it')
    .argument('[request]', 'a request file (JSON), or - for standard input; flags add what it lacks')
    .addOption(policyOption())
    .addOption(keysOption()))
    .addOption(languageOption())
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string | undefined, options: Options) => work(terminal, file, options)));
  example(command, 'interlock explain --agent desk --tool charge_card --arg order_id=\'"4411"\' --arg amount=40', 'interlock explain --agent desk --turn "export order 4411"');
}

async function work(terminal: Terminal, file: string | undefined, options: Options): Promise<Exit> {
  if (file === undefined && options.tool === undefined && options.turn !== undefined) return reading(terminal, options, options.turn);
  if (options.language !== undefined) throw new CliError('usage', '--language is for a turn alone: a check reads the person\'s words in the policy\'s language.', 'Leave it out, or leave out the call.');
  const request = await buildRequest(terminal, file, options);
  const { core } = await loadBoth(terminal, options.policy, options.keys);
  const answer = decided(core, explained(request.text), file);
  const nearest = fixes(answer);
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ ...answer, fixes: nearest }));
    return exitOf(answer.decision);
  }
  showTrace(terminal, answer.trace ?? []);
  say(terminal);
  // Its entry is written nowhere, so neither its place nor its confirmation leads on.
  showAnswer(terminal, { ...answer, step: null, confirmation: null });
  for (const fix of nearest) say(terminal, `  ${paint(terminal, terminal.out, 'cyan', 'fix')}: ${visible(fix)}`);
  return exitOf(answer.decision);
}

/** What a turn is read by; every other flag belongs to a call, and is told of. */
const READS = new Set(['turn', 'agent', 'session', 'now', 'language', 'policy', 'keys', 'format']);

/** Why a turn is read as it is: no call, so nothing is checked. */
async function reading(terminal: Terminal, options: Options, turns: string[]): Promise<Exit> {
  const other = Object.entries(options).find(([name, value]) => value !== undefined && !READS.has(name));
  if (other) throw new CliError('usage', `--${other[0]} is about a call, and there is none.`, 'Name the call with --tool or a request file, or leave the flag out to explain how --turn is read.');
  if (turns.length > 1) throw new CliError('usage', 'One turn is explained at a time: those before it decide nothing about how it is read.', 'Give --turn once.');
  const { policy, agent, language, format } = options;
  const explained = (await loadReader(terminal, policy)).explainTurn(turns[0]!, { agent, language, session: options.session, now: options.now });
  if (format === 'json') say(terminal, JSON.stringify({ ...explained, fixes: turnFixes(explained.plan) }));
  else showReading(terminal, explained);
  return exitOfPlan(explained.plan);
}
