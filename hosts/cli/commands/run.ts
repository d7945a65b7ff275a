// interlock run: runs scripts of calls against a policy and compares the answers with what they should be.
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { openCore } from '../core.ts';
import { EXIT, type Exit } from '../exit.ts';
import { loadKeys, loadPolicy } from '../loaded.ts';
import { example, formatOption, type Outcome, run as guarded } from '../options.ts';
import { visible } from '../package.ts';
import { type Ran, readScript, runScript, updated } from '../script.ts';
import { readText, writeWhole } from '../store.ts';
import { paint, say, type Terminal } from '../terminal.ts';
import { PRACTICE_KEYS } from '../../shared/practice-keys.ts';

interface Options { policy?: string; keys?: string; update?: boolean; format: string }

export function run(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('run')
    .description('run scripts of calls and compare the answers with what they should be')
    .argument('[scripts...]', 'the scripts (otherwise session.yaml)')
    .option('-p, --policy <file>', "the policy (otherwise the script's)")
    .option('-k, --keys <file>', "the key set (otherwise the script's, else one for scripts only)")
    .option('--update', 'write the answers given into the scripts')
    .addOption(formatOption())
    .action(guarded(terminal, outcome, (scripts: string[], options: Options) => work(terminal, scripts, options)));
  example(command, 'interlock run session.yaml', 'interlock run --update session.yaml');
}

async function work(terminal: Terminal, scripts: string[], options: Options): Promise<Exit> {
  const results: { script: string; ran: Ran[] }[] = [];
  let rewritten = 0;
  for (const file of scripts.length > 0 ? scripts : ['session.yaml']) {
    const script = readScript(file, await readText(terminal, file, 'The script'));
    const beside = (path: string) => resolve(dirname(file), path);
    const core = await openCore(terminal);
    await loadPolicy(terminal, options.policy ?? beside(script.policy ?? 'policy.yaml'), core);
    const keys = options.keys ?? (script.keys ? beside(script.keys) : undefined);
    loadKeys(core, keys ? await readText(terminal, keys, 'The key set') : PRACTICE_KEYS, keys ?? 'of scripts');
    const ran = runScript(core, script);
    const fresh = options.update ? updated(script, ran) : script.text;
    if (fresh !== script.text) {
      await writeWhole(file, fresh, { replace: true });
      rewritten++;
    }
    results.push({ script: file, ran });
  }
  const all = results.flatMap(({ ran }) => ran);
  const failed = all.filter(({ differs }) => differs.length > 0).length;
  const open = all.filter(({ expected }) => expected === undefined).length;
  if (options.format === 'json') {
    const shown = results.map(({ script, ran }) => ({ script, steps: ran.map(({ path: _, ...step }) => ({ ...step, answer: brief(step.answer) })) }));
    say(terminal, JSON.stringify({ ok: failed === 0 || options.update === true, passed: all.length - failed - open, failed, open, updated: rewritten > 0, scripts: shown }));
  } else {
    for (const { script, ran } of results) show(terminal, script, ran);
    say(terminal, `${all.length - failed - open} as expected, ${failed} not${open > 0 ? `, ${open} without expect:` : ''}${options.update ? rewritten > 0 ? '; the answers were written in' : '; nothing to update' : ''}`);
  }
  return failed > 0 && !options.update ? EXIT.refused : EXIT.ok;
}

function brief(answer: Ran['answer']): object | null {
  return answer && { decision: answer.decision, reason: answer.reason, ...('pointer' in answer ? { pointer: answer.pointer } : {}), ...('detail' in answer ? { detail: answer.detail } : {}) };
}

function show(terminal: Terminal, script: string, ran: readonly Ran[]): void {
  let last: string | undefined;
  for (const { case: name, index, what, answer, differs, expected } of ran) {
    if (name !== last) say(terminal, paint(terminal, terminal.out, 'bold', name === script ? script : `${script}: ${name}`));
    last = name;
    const mark = expected === undefined ? paint(terminal, terminal.out, 'dim', '--  ') : differs.length === 0 ? paint(terminal, terminal.out, 'green', 'ok  ') : paint(terminal, terminal.out, 'red', 'FAIL');
    say(terminal, `  ${mark} ${String(index + 1).padStart(2)} ${visible(what)}: ${answer?.decision} (${visible(answer?.reason ?? '')})`);
    for (const line of differs) say(terminal, `          ${visible(line)}`);
  }
}
