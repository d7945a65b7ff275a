// Gives registration the file system and the starting of servers. Node only.
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Surroundings } from './compile.ts';
import { listTools } from './mcp.ts';
import { SOURCE_BYTES } from './sources.ts';

/** Reads files beside the policy, and starts the servers it names unless `live` is false. Names shown to people are relative to the working folder. */
export function fileSurroundings(options: { live?: boolean; reads?: (file: string) => void } = {}): Surroundings {
  const read = async (path: string, from: string) => {
    const full = isAbsolute(path) ? path : resolve(dirname(from), path);
    options.reads?.(full);
    return { file: shownPath(full), content: await readWhole(full) };
  };
  if (options.live === false) return { read };
  return {
    read,
    list: (server, from) => listTools({ ...server, cwd: resolve(dirname(from), server.cwd ?? '.') }),
  };
}

/** The bytes of a source file. Rejects with a sentence for people where it is missing, no file, or too large. */
export async function readWhole(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > SOURCE_BYTES) throw new Error(`it is larger than ${SOURCE_BYTES} bytes`);
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error('there is no such file', { cause: error });
    if (code === 'EISDIR') throw new Error('it is a folder', { cause: error });
    if (code === 'EACCES') throw new Error('reading it is not allowed', { cause: error });
    throw error;
  }
}

/** A path as people know it: relative to the working folder where it lies below it. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return short.startsWith('..') || isAbsolute(short) || short === '' ? path : short;
}
