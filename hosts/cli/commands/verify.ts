// interlock verify: tells whether a history is one that these keys signed, whole and unchanged.
import { Command } from 'commander';
import { whereBroken } from '../broken.ts';
import type { HistoryDocument } from '../core.ts';
import { EXIT, type Exit } from '../exit.ts';
import { sessionOf } from '../history.ts';
import { loadBoth } from '../loaded.ts';
import { example, formatOption, keysOption, type Outcome, policyOption, run } from '../options.ts';
import { visible } from '../package.ts';
import { parseJson, readText } from '../store.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options { policy: string; keys: string; session?: string; head?: string; format: string }

export function verify(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('verify')
    .description('tell whether a history is whole, unchanged and signed by these keys')
    .argument('<history>', 'the history, or - for standard input')
    .addOption(policyOption())
    .addOption(keysOption())
    .option('--session <id>', "the session it must be of (otherwise the history's own)")
    .option('--head <file>', 'the head that was kept: without it, entries cut off at the end cannot be seen')
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: Options) => work(terminal, file, options)));
  example(command, 'interlock verify history.json');
}

async function work(terminal: Terminal, file: string, options: Options): Promise<Exit> {
  const text = await readText(terminal, file, 'The history');
  const session = sessionOf(text, file);
  const head = options.head ? await readText(terminal, options.head, 'The head') : undefined;
  if (head !== undefined) parseJson(head, options.head!, 'The head');
  const { core } = await loadBoth(terminal, options.policy, options.keys);
  const wanted = options.session ?? session;
  const answer = core.verify(wanted, text, head);
  const why = answer.valid || answer.detail !== undefined ? null
    : whereBroken(core, { history: JSON.parse(text) as HistoryDocument, session: wanted, keys: await readText(terminal, options.keys, 'The key set'), keysFile: options.keys });
  if (options.format === 'json') say(terminal, JSON.stringify(why === null ? answer : { ...answer, why }));
  else if (answer.valid) say(terminal, `${paint(terminal, terminal.out, 'green', 'valid')}  ${answer.head!.step + 1} ${answer.head!.step === 0 ? 'entry' : 'entries'}, link ${answer.head!.link}`);
  else say(terminal, `${paint(terminal, terminal.out, 'red', 'not valid')}${answer.detail === undefined ? '' : `  ${JSON.stringify(answer.detail)}`}${why === null ? '' : `  ${visible(why)}`}`);
  return answer.valid ? EXIT.ok : EXIT.refused;
}
