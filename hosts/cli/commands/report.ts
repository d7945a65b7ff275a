// interlock report: writes into a history what became of an allowed call.
import { Argument, Command } from 'commander';
import { EXIT, type Exit } from '../exit.ts';
import { sessionOf, writeHistory } from '../history.ts';
import { loadBoth } from '../loaded.ts';
import { example, formatOption, integer, keysOption, type Outcome, policyOption, run } from '../options.ts';
import { parseJson, readText } from '../store.ts';
import { say, type Terminal } from '../terminal.ts';

interface Options { policy: string; keys: string; session?: string; step?: number; result?: string; externalId?: string; at?: number; write: boolean; format: string }

export function report(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('report')
    .description('write into a history what became of an allowed call')
    .argument('<history>', 'the history; it is written back')
    .addArgument(new Argument('<status>', 'what became of it').choices(['ran', 'failed', 'outcome_unknown', 'compensated']))
    .addOption(policyOption())
    .addOption(keysOption())
    .option('--session <id>', "the session (otherwise the history's own)")
    .option('--step <step>', 'the step (otherwise the last)', integer(0))
    .option('--result <json>', 'the result as JSON text, or @FILE; only digests of its fields are kept')
    .option('--external-id <json>', "the other side's id for it, as JSON text or a word")
    .option('--at <seconds>', 'when', integer(0))
    .option('--no-write', 'print the history instead of writing it back')
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string, status: string, options: Options) => work(terminal, file, status, options)));
  example(command, "interlock report history.json ran --result '{\"total\": 40}'");
}

async function work(terminal: Terminal, file: string, status: string, options: Options): Promise<Exit> {
  const text = await readText(terminal, file, 'The history');
  const entries = (parseJson(text, file, 'The history') as { entries?: unknown[] } | null)?.entries;
  const step = options.step ?? Math.max(0, (Array.isArray(entries) ? entries.length : 0) - 1);
  const { core } = await loadBoth(terminal, options.policy, options.keys);
  const result = options.result?.startsWith('@') ? await readText(terminal, options.result.slice(1), 'The result') : options.result;
  if (result !== undefined) parseJson(result, options.result!, 'The result');
  const history = core.report(
    { session: options.session ?? sessionOf(text, file), step, status, ...(options.at === undefined ? {} : { at: options.at }) }, text,
    { ...(result === undefined ? {} : { result }), ...(options.externalId === undefined ? {} : { external_id: asJson(options.externalId) }) },
  );
  if (options.write && file !== '-') await writeHistory(file, history);
  if (!options.write || file === '-' || options.format === 'json') say(terminal, JSON.stringify(history));
  else say(terminal, `step ${step}: ${status}`);
  return EXIT.ok;
}

/** A word that is no JSON is the string it looks like. */
function asJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
