// What a command reads from and writes to: streams, colours where they belong, and one way to print for people and for programs.
import { styleText } from 'node:util';
import type { LineDriver } from './package.ts';
import { type CliError, EXIT } from './exit.ts';

export interface Out { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined }

/** The streams, environment and core that a command runs with; tests give their own. */
export interface Terminal {
  out: Out;
  err: Out;
  in: AsyncIterable<Uint8Array | string> & { isTTY?: boolean | undefined };
  env: Record<string, string | undefined>;
  /** The core, loaded when a command first needs it. */
  driver(): Promise<LineDriver>;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colours the text where the stream is a terminal and NO_COLOR is not set. */
export function paint(terminal: Terminal, stream: Out, style: Style, text: string): string {
  const plain = !stream.isTTY || (terminal.env['NO_COLOR'] ?? '') !== '' || terminal.env['TERM'] === 'dumb';
  return plain || text === '' ? text : styled(style, text);
}

/** `styleText` asks the process's own streams since Node 22.13 unless told not to; the streams here have been asked already. */
function styled(style: Style, text: string): string {
  const withOptions = styleText as (style: Style, text: string, options?: { validateStream: boolean }) => string;
  return withOptions(style, text, { validateStream: false });
}

/** A line to standard output. */
export function say(terminal: Terminal, line = ''): void {
  terminal.out.write(`${line}\n`);
}

/** A line to standard error. */
export function warn(terminal: Terminal, line: string): void {
  terminal.err.write(`${line}\n`);
}

/** An error to standard error, as a sentence or as `{"error": {"code", "message", "hint"?}}`. Gives exit code 1. */
export function sayError(terminal: Terminal, error: CliError, format: string): typeof EXIT.failed {
  if (format === 'json') {
    warn(terminal, JSON.stringify({ error: { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) } }));
  } else {
    warn(terminal, `${paint(terminal, terminal.err, 'red', 'error')} ${error.code}: ${error.message}`);
    if (error.hint) warn(terminal, `  hint: ${error.hint}`);
  }
  return EXIT.failed;
}

/** Everything on standard input, as bytes. */
export async function readInput(terminal: Terminal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.in) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
  return Buffer.concat(chunks);
}
