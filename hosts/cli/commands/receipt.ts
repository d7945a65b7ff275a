// interlock receipt: tells whether an entry of a history is the permit for exactly this call, for whoever carries it out.
import { Command } from 'commander';
import { type Exit, exitOf } from '../exit.ts';
import { sessionOf } from '../history.ts';
import { loadBoth } from '../loaded.ts';
import { collect, example, formatOption, integer, keysOption, type Outcome, policyOption, run } from '../options.ts';
import { argumentsText } from '../request.ts';
import { parseJson, readText } from '../store.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options {
  policy: string; keys: string; session?: string; tool: string; args?: string; arg?: string[]; agent?: string; principal?: string; step?: number; sends?: number; head?: string; now?: number; format: string;
}

export function receipt(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('receipt')
    .description('tell whether an entry of a history is the permit for exactly this call')
    .argument('<history>', 'the history, or - for standard input')
    .requiredOption('--tool <name>', 'the tool about to run')
    .addOption(policyOption())
    .addOption(keysOption())
    .option('--args <json>', 'its arguments as JSON text')
    .option('--arg <name=value>', 'one argument; JSON, else a string (again for more)', collect)
    .option('--agent <name>', 'who calls')
    .option('--principal <id>', 'who the call is for: an id, or a JSON object')
    .option('--step <step>', 'the entry (otherwise the last)', integer(0))
    .option('--sends <count>', 'how often this call was sent already', integer(0))
    .option('--session <id>', "the session (otherwise the history's own)")
    .option('--head <file>', 'the head that was kept')
    .option('--now <seconds>', 'the time (otherwise the clock)', integer(0))
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: Options) => work(terminal, file, options)));
  example(command, 'interlock receipt history.json --agent desk --tool get_order --arg order_id=\'"4411"\'');
}

async function work(terminal: Terminal, file: string, options: Options): Promise<Exit> {
  const history = await readText(terminal, file, 'The history');
  const session = sessionOf(history, file);
  const given = argumentsText(options);
  parseJson(given, '--args', 'The text of');
  const head = options.head ? await readText(terminal, options.head, 'The head') : undefined;
  const { core } = await loadBoth(terminal, options.policy, options.keys);
  const some = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
  const principal = options.principal === undefined ? undefined : options.principal.trimStart().startsWith('{') ? options.principal : JSON.stringify({ id: options.principal });
  const answer = core.receipt(
    {
      session: options.session ?? session, tool: options.tool, now: options.now ?? Math.floor(Date.now() / 1000),
      ...some('agent', options.agent), ...some('step', options.step), ...some('sends', options.sends),
    },
    { history, arguments: given, ...(head === undefined ? {} : { head }), ...(principal === undefined ? {} : { principal }) },
  );
  if (options.format === 'json') say(terminal, JSON.stringify(answer));
  else {
    say(terminal, `${paint(terminal, terminal.out, answer.decision === 'allow' ? 'green' : 'red', answer.decision)}  ${answer.reason}`);
    const meant = MEANT[answer.reason];
    if (meant) say(terminal, `  ${meant}`);
    if (answer.once) say(terminal, `  once: ${answer.once}`);
  }
  return exitOf(answer.decision);
}

/** What a refused receipt means, for people. */
const MEANT: Record<string, string> = {
  history_invalid: 'The history does not verify: interlock verify says where.',
  receipt_missing: 'The history has no such entry.',
  receipt_not_allowed: 'That entry is not an allow: nothing may run on it.',
  receipt_mismatch: 'That entry is for another tool, agent, principal or arguments, or the policy has changed since.',
  receipt_expired: 'That entry is too old, or of the future by this clock: ask for the call again.',
  receipt_spent: 'The call was made already.',
};
