// Reads and writes the files a command works on: whole or not at all, keys readable by their owner only.
import { existsSync, statSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError } from './exit.ts';
import { readInput, type Terminal } from './terminal.ts';

/** The bytes of a file, or of standard input where the name is `-`. Fails with file_unreadable. */
export async function readBytes(terminal: Terminal, file: string, what: string): Promise<Uint8Array> {
  if (file === '-') return readInput(terminal);
  try {
    return await readFile(file);
  } catch (error) {
    throw new CliError('file_unreadable', `${what} ${file} cannot be read: ${reason(error)}.`, existsHint(what));
  }
}

/** The UTF-8 text of a file or of standard input. Fails with file_unreadable, file_encoding. */
export async function readText(terminal: Terminal, file: string, what: string): Promise<string> {
  const bytes = await readBytes(terminal, file, what);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError('file_encoding', `${what} ${file} is not UTF-8 text.`);
  }
}

/** A JSON value whose digits do not matter here (key sets, heads). Fails with file_json. */
export function parseJson(text: string, file: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CliError('file_json', `${what} ${file} is not JSON: ${(error as Error).message}.`);
  }
}

/** Writes a file whole: beside it first, then into place. `mode` is octal, 0o644 unless given. Fails with file_exists, file_unwritable. */
export async function writeWhole(file: string, content: string, options: { mode?: number; replace: boolean }): Promise<void> {
  if (!options.replace && existsSync(file)) throw new CliError('file_exists', `${file} exists already.`, statSync(file).isDirectory() ? 'It is a folder: name a file.' : 'Give --force to replace it, or another name.');
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.new`);
  try {
    if (existsSync(file) && statSync(file).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(beside, content, { mode: options.mode ?? 0o644, flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw new CliError('file_unwritable', `${file} cannot be written: ${reason(error)}.`);
  }
}

/** Writes a file whole where there is none yet. Of several processes that do so at once the first one's stays. Fails with file_unwritable. */
export async function writeOnce(file: string, content: string, mode: number): Promise<void> {
  if (existsSync(file)) return;
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.new`);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(beside, content, { mode, flag: 'wx' });
    await link(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new CliError('file_unwritable', `${file} cannot be written: ${reason(error)}.`);
  } finally {
    await rm(beside, { force: true });
  }
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return { ENOENT: 'there is no such file', EACCES: 'that is not allowed', EISDIR: 'it is a folder', ENOTDIR: 'a part of the path is no folder', EEXIST: 'a part of the path is no folder', EROFS: 'the file system is read-only', ENOSPC: 'the disk is full' }[code ?? ''] ?? message;
}

function existsHint(what: string): string | undefined {
  if (what === 'The key set') return 'Make one with `interlock keygen -o keys.json`, or name another with --keys.';
  if (what === 'The policy') return 'Make one with `interlock init`, or name another with --policy.';
  return undefined;
}
