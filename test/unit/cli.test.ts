// The command line's behaviour, as text scripts that a person can read: each file of test/unit/cli is run in a folder of its own.
//
//   -- name --      a file, up to a line that is only --
//   $ interlock …   a command; `< name` at the end gives it a file on standard input
//   text            a line it prints; … stands for anything in a line, a line of ... for any number of lines
//   ! text          a line it prints on standard error
//   ? 2             its exit code; 0 where none is written
//   == name         a file it leaves, up to a line that is only ==
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { main } from '../../hosts/cli/program.ts';
import { testDriver } from './cli-driver.ts';

const FOLDER = fileURLToPath(new URL('./cli/', import.meta.url));

interface Step { line: number; args: string[]; input: string | null; out: string[]; err: string[]; exit: number; leaves: [string, string][] }

function parse(text: string): { files: [string, string][]; steps: Step[] } {
  const files: [string, string][] = [];
  const steps: Step[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const file = /^-- (\S+) --$/.exec(line)?.[1];
    if (file) {
      const end = lines.indexOf('--', at);
      files.push([file, `${lines.slice(at + 1, end).join('\n')}\n`]);
      at = end;
      continue;
    }
    const step = steps.at(-1);
    if (line.startsWith('$ interlock')) {
      const [words, input = null] = line.slice('$ interlock'.length).split(/ < (?=\S+$)/);
      steps.push({ line: at + 1, args: split(words!), input, out: [], err: [], exit: 0, leaves: [] });
    } else if (line.startsWith('== ')) {
      const end = lines.indexOf('==', at);
      step!.leaves.push([line.slice(3), `${lines.slice(at + 1, end).join('\n')}\n`]);
      at = end;
    } else if (line.startsWith('#') || !step) continue;
    else if (line.startsWith('? ')) step.exit = Number(line.slice(2));
    else if (line.startsWith('!')) step.err.push(line.slice(2));
    else step.out.push(line);
  }
  for (const step of steps) while (step.out.at(-1) === '') step.out.pop();
  return { files, steps };
}

/** Words as a shell splits them: single and double quotes, no expansion. */
function split(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
}

function pattern(lines: string[]): RegExp {
  const body = lines.map((line) => (line === '...' ? '(?:.*\n)*?' : `${line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')} *\n`)).join('');
  return new RegExp(`^${body}$`);
}

/** Output with its last empty lines dropped. */
const trimmed = (text: string) => text.replace(/\n*$/, text === '' ? '' : '\n');

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.txt')).sort()) {
  it(name.replace('.txt', ''), async () => {
    const { files, steps } = parse(readFileSync(join(FOLDER, name), 'utf8'));
    const folder = mkdtempSync(join(tmpdir(), 'interlock-cli-'));
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const [file, text] of files) writeFileSync(file, text);
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) {
        const [out, err] = [[] as string[], [] as string[]];
        const input = step.input === null ? [] : [readFileSync(step.input)];
        const exit = await main(step.args, {
          out: { write: (text: string) => { out.push(text); } }, err: { write: (text: string) => { err.push(text); } },
          in: Object.assign((async function* () { yield* input; })(), { isTTY: false }), env: {}, driver: testDriver,
        }, '0.0.0');
        const where = `${name}:${step.line}: interlock ${step.args.join(' ')}\n${out.join('')}${err.join('')}`;
        expect(exit, where).toBe(step.exit);
        expect(trimmed(out.join('')), where).toMatch(pattern(step.out));
        expect(trimmed(err.join('')), where).toMatch(pattern(step.err));
        for (const [file, text] of step.leaves) expect(readFileSync(file, 'utf8'), `${where}${file}`).toBe(text);
      }
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
}

it('colours on a terminal, and never with NO_COLOR', async () => {
  const ask = async (isTTY: boolean, env: Record<string, string>) => {
    let text = '';
    const stream = { write: (piece: string) => { text += piece; }, isTTY };
    await main(['check'], { out: stream, err: stream, in: Object.assign((async function* () { /* empty */ })(), { isTTY }), env, driver: testDriver }, '0.0.0');
    return text.includes('\u001b[');
  };
  expect([await ask(true, {}), await ask(false, {}), await ask(true, { NO_COLOR: '1' }), await ask(true, { TERM: 'dumb' })]).toEqual([true, false, false, false]);
});

it('every subcommand has help with an example', async () => {
  let text = '';
  const stream = { write: (piece: string) => { text += piece; } };
  const terminal = { out: stream, err: stream, in: Object.assign((async function* () { /* empty */ })(), { isTTY: false }), env: {}, driver: testDriver };
  await main(['--help'], terminal, '0.0.0');
  const names = [...text.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => !['help', 'complete'].includes(name));
  expect(names).toEqual(expect.arrayContaining(['init', 'keygen', 'register', 'lint', 'import', 'check', 'run', 'explain', 'verify', 'receipt', 'report', 'conform', 'demo']));
  for (const name of names) {
    text = '';
    expect(await main([...(name === 'import' ? ['import', 'mcp'] : [name]), '--help'], terminal, '0.0.0'), name).toBe(0);
    expect(text, name).toMatch(/\nExamples?:\n {2}\$ interlock /);
  }
});
