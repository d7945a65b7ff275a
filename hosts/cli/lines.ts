// Lines that a person types or that come through a pipe, one at a time, with what Ctrl-C and Ctrl-D mean.
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { paint, type Terminal } from './terminal.ts';

/** Reads lines from the terminal's input. On a terminal they can be edited; through a pipe each is shown after its prompt, so that the output reads by itself, unless it is for a program. */
export class Lines {
  readonly #terminal: Terminal;
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  /** The next line, where somebody stopped waiting for it: whoever asks next gets it. */
  #next: Promise<IteratorResult<string>> | null = null;

  readonly #shows: boolean;

  /** `onInterrupt` is called for each Ctrl-C on a terminal; elsewhere the process gets the signal. `format` json shows no prompt through a pipe. */
  constructor(terminal: Terminal, format: string, onInterrupt: () => void) {
    const live = terminal.in.isTTY === true && terminal.in instanceof Readable;
    this.#terminal = terminal;
    this.#shows = format !== 'json';
    this.#reader = createInterface({
      input: live ? (terminal.in as unknown as Readable) : Readable.from(terminal.in), crlfDelay: Number.POSITIVE_INFINITY,
      ...(live ? { output: terminal.out as NodeJS.WriteStream, terminal: true } : {}),
    });
    this.#reader.on('SIGINT', onInterrupt);
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** The next line; null at the end of the input (Ctrl-D), and where `signal` stops the waiting. */
  async next(prompt: string, signal?: AbortSignal): Promise<string | null> {
    const shown = paint(this.#terminal, this.#terminal.out, 'bold', prompt);
    if (this.#reader.terminal) {
      this.#reader.setPrompt(shown);
      this.#reader.prompt();
    } else if (this.#shows) this.#terminal.out.write(shown);
    this.#next ??= this.#lines.next();
    const line = await Promise.race([this.#next, stopped(signal)]);
    if (line !== null) this.#next = null;
    const text = line === null || line.done ? null : line.value;
    if (this.#reader.terminal ? text === null : this.#shows) this.#terminal.out.write(`${text ?? ''}\n`);
    return text;
  }

  /** Gives the input up. */
  close(): void {
    this.#reader.close();
  }
}

function stopped(signal: AbortSignal | undefined): Promise<null> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(null);
    signal?.addEventListener('abort', () => resolve(null), { once: true });
  });
}
