// The chat on a terminal: Ctrl-C and Ctrl-D, at a question, while a call runs and where nothing is under way.
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { main } from '../../hosts/cli/program.ts';
import { testDriver } from './cli-driver.ts';

const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];

/** Talks: each pair is what must be on the screen, after what was there before, and what is typed then. Gives the exit code and the screen. */
async function talk(typed: [string, string][]): Promise<{ exit: number; screen: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const out = Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
  let screen = '';
  let seen = 0;
  const left = [...typed];
  out.on('data', (piece: Buffer) => {
    screen += piece.toString();
    for (let next = left[0]; next !== undefined; next = left[0]) {
      const at = screen.indexOf(next[0], seen);
      if (at < 0) break;
      seen = at + next[0].length;
      left.shift();
      input.write(next[1]);
    }
  });
  const exit = await main(['chat'], { out, err: out, in: input, env: { NO_COLOR: '1' }, driver: testDriver }, '0.0.0');
  expect(left).toEqual([]);
  const folder = /The folder is (.*)\/files\./.exec(screen)?.[1];
  expect([typeof folder, existsSync(String(folder))]).toEqual(['string', false]);
  return { exit, screen };
}

it('Ctrl-D leaves with 0', async () => {
  const { exit, screen } = await talk([['> ', 'list the folder\r'], ['minutes.txt', ''], ['> ', CTRL_D!]]);
  expect(exit).toBe(0);
  expect(screen).toContain('The signed history is valid: 1 entry.');
});

it('Ctrl-C at a question: it counts as not answered, and the next line is a turn again', async () => {
  const { exit, screen } = await talk([
    ['> ', 'move ./draft.txt to ./final.txt\r'], ['[y/N] ', CTRL_C!], ['unanswered', ''], ['> ', 'list the folder\r'], ['[FILE] draft.txt', ''], ['> ', CTRL_C!],
  ]);
  expect(exit).toBe(130);
  expect(screen).toContain('move_file did not run: nobody answered.');
  expect(screen).toContain('The signed history is valid: 2 entries.');
});

it('Ctrl-D at a question: nothing runs, and the chat ends', async () => {
  const { exit, screen } = await talk([['> ', 'move ./draft.txt to ./final.txt\r'], ['[y/N] ', CTRL_D!]]);
  expect(exit).toBe(0);
  expect(screen).toContain('move_file: confirm (write), unanswered');
  expect(screen).toContain('The signed history is valid: 1 entry.');
});

it('a line typed while a turn runs is the next one', async () => {
  const { exit, screen } = await talk([['> ', 'list the folder\rread file ./draft.txt\r'], ['The draft of the offer.', ''], ['> ', '/quit\r']]);
  expect(exit).toBe(0);
  expect(screen).toContain('The signed history is valid: 2 entries.');
});
