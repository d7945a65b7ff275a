// interlock conform: the conformance driver of chapter 8, NDJSON in and canonical lines out, in order.
import { Command } from 'commander';
import { EXIT, type Exit } from '../exit.ts';
import { example, type Outcome, run } from '../options.ts';
import type { Terminal } from '../terminal.ts';

export function conform(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('conform')
    .description('answer conformance lines (chapter 8) from standard input')
    .action(run(terminal, outcome, () => work(terminal)));
  example(command, 'interlock conform < cases.ndjson > answers.ndjson', `echo '{"id":1,"op":"sha256","base64":""}' | interlock conform`);
}

/** Answers are written in pieces of about this many characters. */
const PIECE = 1 << 16;

async function work(terminal: Terminal): Promise<Exit> {
  const driver = await terminal.driver();
  let out = '';
  for await (const line of lines(terminal.in)) {
    out += `${driver.answer(line)}\n`;
    if (out.length < PIECE) continue;
    await write(terminal, out);
    out = '';
  }
  if (out) await write(terminal, out);
  return EXIT.ok;
}

/** Lines as bytes (hostile ones are not UTF-8), without their line feed; the last may lack it. An empty line is a line: it is answered `line_invalid`. */
async function* lines(input: Terminal['in']): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  for await (const given of input) {
    const chunk = typeof given === 'string' ? Buffer.from(given) : given;
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      rest.push(chunk.subarray(start, end));
      yield line(rest);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  if (rest.length > 0) yield line(rest);
}

function line(parts: readonly Uint8Array[]): Uint8Array {
  const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return whole.at(-1) === 13 ? whole.subarray(0, -1) : whole;
}

/** Writes and waits where the stream asks for it. */
async function write(terminal: Terminal, text: string): Promise<void> {
  const out = terminal.out as Terminal['out'] & { once?(event: 'drain', heard: () => void): unknown };
  if (out.write(text) === false && out.once) await new Promise<void>((heard) => { out.once!('drain', heard); });
}
