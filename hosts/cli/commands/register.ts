// interlock register and lint: turns a policy's sources into the compiled policy, with every problem at its place, and tells what changed.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type Core, openCore } from '../core.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { type Change, describeChange, describeChanges, type JsonObject, type Problem, type Registered, register as registerSources } from '../package.ts';
import { showProblems } from '../problems.ts';
import { writeWhole } from '../store.ts';
import { paint, say, type Terminal } from '../terminal.ts';

interface Options { output?: string; live: boolean; strict?: boolean; format: string }

export function register(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('register')
    .description('compile a policy, tell what changed, and write the compiled form')
    .argument('[policy]', 'the policy: YAML or JSON', 'policy.yaml')
    .option('-o, --output <file>', 'where the compiled policy goes (otherwise beside the policy, as NAME.compiled.json)')
    .option('--no-live', 'start no MCP server')
    .option('--strict', 'a warning is an error')
    .addOption(formatOption())
    .action(run(terminal, outcome, (policy: string, options: Options) => work(terminal, policy, options, true)));
  example(command, 'interlock register policy.yaml');

  const lint = program.command('lint')
    .description('judge a policy and write nothing')
    .argument('[policy]', 'the policy: YAML or JSON', 'policy.yaml')
    .option('--no-live', 'start no MCP server')
    .option('--strict', 'a warning is an error')
    .addOption(formatOption())
    .action(run(terminal, outcome, (policy: string, options: Options) => work(terminal, policy, options, false)));
  lint.addOption(new Option('-o, --output <file>').hideHelp());
  example(lint, 'interlock lint --strict policy.yaml');
}

async function work(terminal: Terminal, policy: string, options: Options, write: boolean): Promise<Exit> {
  const core = await openCore(terminal);
  const registered = await registerSources(policy, core, { live: options.live });
  const errors = registered.problems.filter(({ severity }) => severity === 'error' || options.strict === true);
  const refused = registered.id === null || errors.length > 0;
  const [only] = registered.problems;
  if (only?.code === 'source_unreadable' && only.frame === '') throw new CliError('file_unreadable', `${policy}: ${only.message}`, only.hint);
  const output = options.output ?? compiledName(policy);
  let before: Before | null = null;
  if (!refused && write) {
    await onlyCompiled(output);
    before = await compareWith(core, output, registered);
    await writeWhole(output, `${JSON.stringify(compiledForm(registered), null, 2)}\n`, { replace: true });
  }
  if (options.format === 'json') say(terminal, JSON.stringify(asJson(registered, refused, write ? output : null, before)));
  else show(terminal, policy, registered, refused, write ? output : null, before);
  return refused ? EXIT.refused : EXIT.ok;
}

/** A file that is there is replaced only where it is a compiled policy: another name is a slip of the hand. Fails with file_exists. */
async function onlyCompiled(output: string): Promise<void> {
  if (!existsSync(output)) return;
  const text = await readFile(output, 'utf8').catch(() => '');
  let format: unknown;
  try {
    format = (JSON.parse(text) as { format?: unknown } | null)?.format;
  } catch {
    // No JSON, so no compiled policy.
  }
  if (format !== 'qls-policy/1') throw new CliError('file_exists', `${output} exists already, and is no compiled policy.`, 'Give another name with --output, or remove it first.');
}

/** `policy.yaml` → `policy.compiled.json`. */
function compiledName(policy: string): string {
  return `${policy.replace(/(?:\.compiled)?\.(?:ya?ml|json)$/i, '')}.compiled.json`;
}

/** One file that registers to the same id anywhere: the policy's members, its imports resolved, with the remote schemas themselves. */
function compiledForm({ policy, documents }: Registered): object {
  return Object.keys(documents).length > 0 ? { ...policy, documents } : policy!;
}

/** What is there from the last time: its id, and what changed since. */
interface Before { id: string; changes: Change[] }

/** The compiled policy that is there against the new one; null where there is none, or it can no longer be registered. */
async function compareWith(core: Core, output: string, registered: Registered): Promise<Before | null> {
  if (!existsSync(output)) return null;
  const before = await registerSources(output, core, { live: false });
  return before.id === null ? null : { id: before.id, changes: describeChanges(compiledForm(before) as JsonObject, compiledForm(registered) as JsonObject) };
}

function asJson(registered: Registered, refused: boolean, output: string | null, before: Before | null): object {
  const { id, problems, partial, imported, policy } = registered;
  const tools = Array.isArray(policy?.['tools']) ? policy['tools'].length : 0;
  return { ok: !refused, policy: id, tools, problems: problems.map(withoutFrame), partial, imported, ...(output ? { output } : {}), ...(before ? { before: before.id, changes: before.changes } : {}) };
}

function withoutFrame({ frame: _, ...problem }: Problem): object {
  return problem;
}

function show(terminal: Terminal, policy: string, registered: Registered, refused: boolean, output: string | null, before: Before | null): void {
  showProblems(terminal, registered.problems);
  const count = (severity: string) => registered.problems.filter((problem) => problem.severity === severity).length;
  const tally = [count('error') > 0 ? plural(count('error'), 'error') : '', count('warning') > 0 ? plural(count('warning'), 'warning') : ''].filter(Boolean).join(', ');
  if (refused) {
    const stays = output !== null && existsSync(output) ? output : null;
    say(terminal, `${paint(terminal, terminal.out, 'red', 'refused')} ${policy}: ${tally || 'it could not be registered'}${stays ? `. ${stays} stays as it was.` : ''}`);
    return;
  }
  const tools = (registered.policy!['tools'] as unknown[]).length;
  say(terminal, `${paint(terminal, terminal.out, 'green', 'ok')} ${policy}: ${plural(tools, 'tool')}${tally ? `, ${tally}` : ''}`);
  say(terminal, `policy ${registered.id}${before && before.id !== registered.id ? `   (was ${before.id})` : ''}`);
  if (output) say(terminal, `wrote ${output}`);
  if (!before) return;
  if (before.changes.length === 0) say(terminal, before.id === registered.id ? 'nothing changed' : 'nothing changed but the order of things');
  for (const change of before.changes) {
    const line = describeChange(change);
    say(terminal, `  ${change.loosens ? `${paint(terminal, terminal.out, 'yellow', line)}   (may let more through)` : line}`);
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
