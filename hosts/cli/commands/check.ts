// interlock check: decides one call, from a request file, standard input or flags.
import { Command } from 'commander';
import { showAnswer } from '../answers.ts';
import type { HistoryDocument } from '../core.ts';
import { type Exit, exitOf } from '../exit.ts';
import { grown, newHistory, setAside, writeHistory } from '../history.ts';
import { loadBoth } from '../loaded.ts';
import { example, formatOption, keysOption, type Outcome, policyOption, run } from '../options.ts';
import { buildRequest, decided, type RequestOptions, requestOptions } from '../request.ts';
import { say, type Terminal, warn } from '../terminal.ts';

interface Options extends RequestOptions { policy: string; keys: string; write: boolean; format: string }

export function check(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = requestOptions(program.command('check')
    .description('decide one call: allow (0), refuse (2), or ask a person (3)')
    .argument('[request]', 'a request file (JSON), or - for standard input; flags add what it lacks')
    .addOption(policyOption())
    .addOption(keysOption()))
    .option('--no-write', 'leave the file of --history as it is')
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string | undefined, options: Options) => work(terminal, file, options)));
  example(command,
    'interlock check --agent desk --tool get_order --arg order_id=\'"4411"\' --origin order_id=typed --turn "show order 4411" --history history.json',
    'echo \'{"format":"qls-tool-check/1","session":"s","agent":"desk","tool":"get_order","arguments":{"order_id":"4411"}}\' | interlock check - --format json');
}

async function work(terminal: Terminal, file: string | undefined, options: Options): Promise<Exit> {
  const request = await buildRequest(terminal, file, options);
  const { core } = await loadBoth(terminal, options.policy, options.keys);
  const answer = decided(core, request.text, file);
  if (options.history && options.history !== '-' && options.write && answer.entry) {
    const before = request.history === null ? newHistory(request.session) : JSON.parse(request.history) as HistoryDocument;
    if (answer.entry['restarted'] === true && request.history !== null) {
      warn(terminal, `${options.history} does not verify: a new history starts in it, and the old one is kept as ${await setAside(options.history, request.history)}`);
    }
    await writeHistory(options.history, grown(before, answer));
  }
  if (options.format === 'json') say(terminal, JSON.stringify(answer));
  else showAnswer(terminal, answer);
  return exitOf(answer.decision);
}
