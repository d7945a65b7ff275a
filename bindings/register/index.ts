// The entry of registration on Node: policies by path, or as files held in memory.
import { posix } from 'node:path';
import { compile, type Compiled, type Surroundings } from './compile.ts';
import { fileSurroundings, readWhole, shownPath } from './files.ts';
import { problemOf } from './problems.ts';
import { judge, type Registered, type RegisteringCore } from './register.ts';

/** A source document held in memory. */
export interface SourceFile { path: string; text: string }
/** `live: false` starts no server: an import of one is then a problem. */
export interface CompileOptions { live?: boolean }

/**
 * Compiles source documents into the policy's members: a policy file by its path, or files in memory of which the first is the policy.
 * Nothing is judged that needs the core; see Compiled for what comes back.
 */
export async function compileSources(sources: string | readonly SourceFile[], options: CompileOptions = {}): Promise<Compiled> {
  const files = fileSurroundings(options);
  if (typeof sources !== 'string') {
    const first = sources[0];
    if (!first) throw new TypeError('"sources" expected a path or at least one file, got an empty list');
    const list = files.list ? { list: files.list } : {};
    return compile(first.path, first.text, { read: memory(sources), ...list });
  }
  try {
    return await compile(shownPath(sources), await readWhole(sources), files);
  } catch (error) {
    const problem = problemOf(shownPath(sources), { code: 'source_unreadable', message: `The policy could not be read: ${(error as Error).message}.`, hint: '`interlock init` writes a starter policy.' });
    return { policy: null, draft: null, text: '', documents: {}, problems: [problem], positions: null, imported: [], incomplete: true };
  }
}

/** Compiles source documents as compileSources does and lets the core judge them: `policyJudge` of `interlock` is that core. Throws TypeError without one. */
export async function register(sources: string | readonly SourceFile[], core: RegisteringCore, options: CompileOptions = {}): Promise<Registered> {
  if (typeof (core as Partial<RegisteringCore> | undefined)?.register !== 'function') throw new TypeError('"core" expected what judges the policy: import { policyJudge } from "interlock"');
  return judge(await compileSources(sources, options), core);
}

function memory(files: readonly SourceFile[]): Surroundings['read'] {
  return (path, from) => {
    const wanted = posix.normalize(posix.join(posix.dirname(from), path));
    const found = files.find((file) => posix.normalize(file.path) === wanted);
    return found ? Promise.resolve({ file: found.path, content: found.text }) : Promise.reject(new Error('there is no such file'));
  };
}
