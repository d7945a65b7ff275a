// interlock explain: tells why a call is decided as it is, step by step, with the failing clause and the nearest fix. Writes nothing.
import { Command } from 'commander';
import { showAnswer, showTrace } from '../answers.ts';
import { type Exit, exitOf } from '../exit.ts';
import { fixes } from '../../shared/fixes.ts';
import { loadBoth } from '../loaded.ts';
import { example, formatOption, keysOption, type Outcome, policyOption, run } from '../options.ts';
import { buildRequest, decided, explained, type RequestOptions, requestOptions } from '../request.ts';
import { visible } from '../package.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options extends RequestOptions { policy: string; keys: string; format: string }

export function explain(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = requestOptions(program.command('explain')
    .description('tell why a call is decided as it is, step by step, and what would change it')
    .argument('[request]', 'a request file (JSON), or - for standard input; flags add what it lacks')
    .addOption(policyOption())
    .addOption(keysOption()))
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string | undefined, options: Options) => work(terminal, file, options)));
  example(command, 'interlock explain --agent desk --tool charge_card --arg order_id=\'"4411"\' --arg amount=40');
}

async function work(terminal: Terminal, file: string | undefined, options: Options): Promise<Exit> {
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
