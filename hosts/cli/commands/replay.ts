// `replay`: recorded calls decided again under another policy, and which decisions would change.
import type { Command } from 'commander';
import { PRACTICE_KEYS } from '../../shared/practice-keys.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { loadGateway } from '../gateway/load.ts';
import { example, formatOption, type Outcome, policyOption, run } from '../options.ts';
import { Client, policyJudge, register, visible } from '../package.ts';
import { showProblems } from '../problems.ts';
import { readText } from '../store.ts';
import { newTable } from '../table.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options { policy: string; format: string }

export function replayRecording(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('replay')
    .description("decide a gateway's recorded calls again under another policy; ends with 2 where a decision would change")
    .argument('<recording>', "the file of the gateway's setting `recording`; - reads standard input")
    .addOption(policyOption())
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: Options) => work(terminal, file, options)));
  example(command, 'interlock replay recorded.jsonl --policy stricter.yaml');
}

async function work(terminal: Terminal, file: string, options: Options): Promise<Exit> {
  const { readRecording, replay } = await loadGateway();
  const calls = readRecording(await readText(terminal, file, 'The recording'));
  const policy = await register(options.policy, policyJudge);
  if (policy.id === null) {
    showProblems(terminal, policy.problems.filter(({ severity }) => severity === 'error'));
    throw new CliError('policy_invalid', 'The policy cannot be loaded, so nothing was decided.', 'interlock lint shows all that is wrong.');
  }
  const client = new Client({ policy, keys: PRACTICE_KEYS });
  const replayed = replay(calls, client);
  const same = replayed.changed.length === 0 && replayed.undecided === 0;
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ policy: policy.id, ...replayed }));
    return same ? EXIT.ok : EXIT.refused;
  }
  if (replayed.changed.length > 0) {
    const table = await newTable({ head: ['when', 'session', 'tool', 'was', 'would be', 'because'] });
    for (const { at, session, tool, was, now } of replayed.changed) table.push([new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'), visible(session), visible(tool), was.decision, paint(terminal, terminal.out, 'bold', now.decision), visible(now.reasons.join(', '))]);
    say(terminal, table.toString());
  }
  say(terminal, `${replayed.calls} ${replayed.calls === 1 ? 'call' : 'calls'}, ${replayed.changed.length} decided another way${replayed.undecided === 0 ? '' : `, ${replayed.undecided} recorded without arguments and not decided (recording: {arguments: true} records them)`}${replayed.before === 0 ? '' : `, ${replayed.before} refused before any policy was asked (by a hook, or a person's no) and left out`}.`);
  return same ? EXIT.ok : EXIT.refused;
}
