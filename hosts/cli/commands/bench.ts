// interlock bench: how fast this machine decides calls under a policy, JSON text in and signed JSON text out, as history grows.
import { Command } from 'commander';
import { Core, type HistoryDocument } from '../core.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { grown, newHistory } from '../history.ts';
import { loadKeys } from '../loaded.ts';
import { example, formatOption, integer, type Outcome, run } from '../options.ts';
import { type LineDriver, register, type SourceFile, starterPolicy } from '../package.ts';
import { showProblems } from '../problems.ts';
import { parseJson, readText } from '../store.ts';
import { newTable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';
import { PRACTICE_KEYS } from '../../shared/practice-keys.ts';

interface Options { policy?: string; tool: string; agent?: string; args: string; keys?: string; count: number; format: string }

/** Entries of history at which a check is timed. */
const LENGTHS = [0, 6, 50, 500];
/** Checks made before any is timed, so that the engine has compiled what it will. */
const WARM = 2000;
const SESSION = 'bench';
const NOW = 1764445000;

interface Row { way: 'stateless' | 'session'; entries: number; bytes: number; p50: number; p99: number; perSecond: number }

export function bench(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('bench')
    .description('time the check on this machine, as the history grows')
    .option('-p, --policy <file>', 'the policy (otherwise the starter)')
    .option('-k, --keys <file>', 'the key set (otherwise one for scripts only)')
    .option('--tool <name>', 'the tool called', 'get_order')
    .option('--agent <name>', 'who calls', 'desk')
    .option('--args <json>', 'its arguments as JSON text', '{"order_id":"4411"}')
    .option('-n, --count <checks>', 'checks timed for each row', integer(10), 1000)
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => work(terminal, options)));
  example(command, 'interlock bench', 'interlock bench --policy policy.yaml --tool get_order --args \'{"order_id":"4411"}\'');
}

async function work(terminal: Terminal, options: Options): Promise<Exit> {
  parseJson(options.args, '--args', 'The text of');
  const begun = performance.now();
  const driver = await terminal.driver();
  const core = new Core(driver);
  const sources: string | SourceFile[] = options.policy ?? [{ path: 'policy.yaml', text: starterPolicy('bench') }];
  const compiled = performance.now();
  const registered = await register(sources, core);
  if (registered.id === null) showProblems(terminal, registered.problems.filter(({ severity }) => severity === 'error'));
  if (registered.id === null) throw new CliError('policy_invalid', `${options.policy ?? 'the starter policy'} is no policy that can be loaded.`, 'Mend the problems above; `interlock lint` lists them again.');
  loadKeys(core, options.keys ? await readText(terminal, options.keys, 'The key set') : PRACTICE_KEYS, options.keys ?? 'of scripts');
  const loaded = performance.now();
  const first = core.check(request(options, newHistory(SESSION)));
  const decided = performance.now();
  for (let warm = 0; warm < WARM; warm++) core.check(request(options, newHistory(SESSION)));
  const rows = [...stateless(driver, core, options), ...session(driver, options)];
  const start = { module: compiled - begun, register: loaded - compiled, first: decided - loaded };
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ decision: first.decision, reason: first.reason, milliseconds: start, rows }));
    return EXIT.ok;
  }
  say(terminal, `${options.tool}: ${first.decision} (${first.reason}).  Start: module ${start.module.toFixed(1)} ms, policy and keys ${start.register.toFixed(1)} ms, first decision ${start.first.toFixed(1)} ms.`);
  const table = await newTable({ head: ['history', 'entries', 'request', 'p50', 'p99', 'checks/s'], colAligns: ['left', 'right', 'right', 'right', 'right', 'right'] });
  for (const { way, entries, bytes, p50, p99, perSecond } of rows) table.push([way, entries, `${(bytes / 1000).toFixed(1)} KB`, `${p50.toFixed(1)} µs`, `${p99.toFixed(1)} µs`, Math.round(perSecond)]);
  say(terminal, table.toString());
  return EXIT.ok;
}

/** The whole history comes with each request and is verified each time. */
function stateless(driver: LineDriver, core: Core, options: Options): Row[] {
  let history = newHistory(SESSION);
  return LENGTHS.map((entries) => {
    while (history.entries.length < entries) history = grown(history, core.check(request(options, history)));
    const text = request(options, history);
    const line = `{"id":0,"op":"check","policy":"policy","keys":"keys","request":${text}}`;
    return { way: 'stateless', entries, bytes: text.length, ...timed(driver, () => line, Math.max(10, Math.min(options.count, Math.round(options.count * 60 / (entries + 10))))) };
  });
}

/** A handle keeps the history in the core: its cost does not grow. */
function session(driver: LineDriver, options: Options): Row[] {
  const text = request(options, null);
  const line = `{"id":0,"op":"check","handle":"bench","request":${text}}`;
  driver.answer(JSON.stringify({ id: 0, op: 'open', name: 'bench', policy: 'policy', keys: 'keys', session: SESSION }));
  const rows: Row[] = [];
  let entries = 0;
  for (const length of LENGTHS) {
    for (; entries < length; entries++) driver.answer(line);
    rows.push({ way: 'session', entries, bytes: text.length, ...timed(driver, () => line, Math.min(options.count, 2000)) });
    entries += Math.min(options.count, 2000);
  }
  driver.answer(JSON.stringify({ id: 0, op: 'close', name: 'bench' }));
  return rows;
}

function request(options: Options, history: HistoryDocument | null): string {
  const members = JSON.stringify({ format: 'qls-tool-check/1', session: SESSION, agent: options.agent, tool: options.tool, turns: ['show order 4411'], now: NOW, ...(history ? { history } : {}) });
  return `${members.slice(0, -1)},"arguments":${options.args}}`;
}

/** Microseconds of single checks: the middle one and the one that 99 of 100 stay under. */
function timed(driver: LineDriver, next: () => string, count: number): { p50: number; p99: number; perSecond: number } {
  const took: number[] = [];
  const begun = performance.now();
  for (let i = 0; i < count; i++) {
    const line = next();
    const before = performance.now();
    const answer = driver.answer(line);
    took.push((performance.now() - before) * 1000);
    if (i === 0 && answer.includes('"error"') && !answer.includes('"ok"')) throw new CliError('bench_refused', `The core answers ${answer.slice(0, 200)}.`);
  }
  const seconds = (performance.now() - begun) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]!;
  return { p50: at(0.5), p99: at(0.99), perSecond: count / seconds };
}
