// A running gateway as the command line asks it: over its HTTP API, with a key that never stands on the command line.
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { CliError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { running } from './state.ts';

/** Which gateway is meant. */
export interface RemoteOptions { url?: string; keyFile?: string }

/** Adds `--url` and `--key-file`. */
export function remoteOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <address>', 'the gateway (otherwise INTERLOCK_URL, else those of this user that run on this machine, else http://127.0.0.1:8484)'))
    .addOption(new Option('--key-file <file>', "a file with the caller's key (otherwise INTERLOCK_KEY)"));
}

/** One gateway. `name` says which, where several run. */
export class Remote {
  readonly name: string;
  readonly #url: string;
  readonly #key: string;

  constructor(name: string, url: string, key: string) {
    this.name = name;
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
  }

  get url(): string {
    return this.#url;
  }

  /** A JSON answer. Fails with the gateway's own code and message, or gateway_unreachable. */
  async ask<Answer>(method: string, path: string, body?: string, signal?: AbortSignal): Promise<Answer> {
    const response = await this.#fetch(method, path, { accept: 'application/json', body, signal });
    const text = await response.text();
    try {
      return (text === '' ? null : JSON.parse(text)) as Answer;
    } catch {
      throw new CliError('gateway_answer', `${this.#url} answered ${path} with something that is no JSON.`, 'Is it an Interlock gateway?');
    }
  }

  /** A harness's event: the answer's text as it is, and the code by which the gateway says that it could decide nothing. */
  async hook(path: string, body: string, signal: AbortSignal): Promise<{ body: string; error: string | null }> {
    try {
      const response = await this.#fetch('POST', path, { accept: 'application/json', body, signal });
      const text = await response.text();
      JSON.parse(text);
      return { body: text, error: response.headers.get('interlock-error') };
    } catch (error) {
      if (signal.aborted) throw new CliError('gateway_timeout', `The gateway at ${this.#url} did not answer in time.`);
      if (error instanceof SyntaxError) throw new CliError('gateway_answer', `${this.#url} answered ${path} with something that is no JSON.`, 'Is it an Interlock gateway?');
      throw error;
    }
  }

  /** The answer's bytes as they come. Fails with gateway_unreachable, also in the middle. */
  async *stream(path: string, accept: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const response = await this.#fetch('GET', path, { accept, signal });
    if (response.body === null) return;
    try {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) yield part;
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new CliError('gateway_unreachable', `The connection to ${this.#url} broke off in the middle of the answer.`, 'Ask again: what came so far is not all.');
    }
  }

  async #fetch(method: string, path: string, { accept, body, signal }: { accept: string; body?: string | undefined; signal?: AbortSignal | undefined }): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}`, accept, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    let response: Response;
    try {
      response = await fetch(this.#url + path, { method, headers, redirect: 'error', ...(body === undefined ? {} : { body }), ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { cause } = error as { cause?: { code?: string; message?: string } };
      throw new CliError('gateway_unreachable', `No gateway answers at ${this.#url} (${cause?.code ?? cause?.message ?? (error as Error).message}).`, 'Start one with `interlock gateway`, or name it with --url.');
    }
    if (response.ok) return response;
    const text = await response.text();
    throw refusal(text, response.status, this.#url);
  }
}

function refusal(text: string, status: number, url: string): CliError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    if (typeof error.code === 'string' && typeof error.message === 'string') return new CliError(error.code, error.message, status === 401 ? 'Give the key in INTERLOCK_KEY or in a file with --key-file.' : undefined);
  } catch {
    // Not the gateway's own words.
  }
  return new CliError('gateway_answer', `${url} answered with status ${status}.`, 'Is it an Interlock gateway?');
}

/** The gateways that are meant: the one that is named, else every one of this user on this machine. Fails with gateway_key, gateway_none. */
export async function remotes(terminal: Terminal, options: RemoteOptions): Promise<Remote[]> {
  const key = await keyGiven(terminal, options);
  const url = options.url ?? terminal.env['INTERLOCK_URL'];
  const here = running(terminal.env);
  if (url !== undefined) {
    if (!/^https?:\/\/[^\s/]+/.test(url)) throw new CliError('usage', `${url} is no address of a gateway.`, 'Write it as http://127.0.0.1:8484.');
    const known = here.find((one) => one.url.replace(/\/+$/, '') === url.replace(/\/+$/, ''));
    const given = key ?? known?.key;
    if (given === undefined) throw noKey();
    return [new Remote(known?.name ?? url, url, given)];
  }
  if (key !== undefined) return [new Remote('http://127.0.0.1:8484', 'http://127.0.0.1:8484', key)];
  if (here.length === 0) throw new CliError('gateway_none', 'No gateway of this user runs on this machine, and no key is given.', 'For one that runs elsewhere give --url, and its key in INTERLOCK_KEY or in a file with --key-file.');
  return here.map((one) => new Remote(one.name, one.url, one.key));
}

/** The one gateway that is meant. Fails with gateway_several. */
export async function remote(terminal: Terminal, options: RemoteOptions): Promise<Remote> {
  const [first, second] = await remotes(terminal, options);
  if (second !== undefined) throw new CliError('gateway_several', 'Several gateways of this user run on this machine.', `Name one with --url, for example ${first!.url} (${first!.name}).`);
  return first!;
}

/** The key that is given. Fails with gateway_key, file_unreadable. */
export async function remoteKey(terminal: Terminal, options: RemoteOptions): Promise<string> {
  const key = await keyGiven(terminal, options);
  if (key === undefined) throw noKey();
  return key;
}

async function keyGiven(terminal: Terminal, { keyFile }: RemoteOptions): Promise<string | undefined> {
  return keyFile === undefined ? terminal.env['INTERLOCK_KEY'] : keyOf(keyFile);
}

async function keyOf(file: string): Promise<string> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (key !== '' && !/\s/.test(key)) return key;
  } catch (error) {
    throw new CliError('file_unreadable', `The key's file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  throw new CliError('gateway_key', `The file ${file} holds no key.`, 'Write the key into it, and nothing else.');
}

function noKey(): CliError {
  return new CliError('gateway_key', 'No key is given.', 'Give it in INTERLOCK_KEY or in a file with --key-file.');
}
