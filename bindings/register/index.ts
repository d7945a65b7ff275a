// The entry of registration on Node: policies by path, or as files held in memory.
import { resolve } from 'node:path';
import { compile, type Compiled } from './compile.ts';
import { fileSurroundings, readWhole, shownPath } from './files.ts';
import { compileMemory, expectJudge, type SourceFile } from './memory.ts';
import { problemOf } from './problems.ts';
import { judge, type Registered, type RegisteringCore } from './register.ts';

export type { SourceFile } from './memory.ts';
/** `live: false` starts no server: an import of one is then a problem. `reads` is told of each file of the disk, by its absolute path, before it is read: also of one that is not there. */
export interface CompileOptions { live?: boolean; reads?: (file: string) => void }

/**
 * Compiles source documents into the policy's members: a policy file by its path, or files in memory of which the first is the policy.
 * Nothing is judged that needs the core; see Compiled for what comes back.
 */
export async function compileSources(sources: string | readonly SourceFile[], options: CompileOptions = {}): Promise<Compiled> {
  const files = fileSurroundings(options);
  if (typeof sources !== 'string') return compileMemory(sources, files.list ? { list: files.list } : {});
  try {
    options.reads?.(resolve(sources));
    return await compile(shownPath(sources), await readWhole(sources), files);
  } catch (error) {
    const problem = problemOf(shownPath(sources), { code: 'source_unreadable', message: `The policy could not be read: ${(error as Error).message}.`, hint: '`interlock init` writes a starter policy.' });
    return { policy: null, draft: null, text: '', documents: {}, problems: [problem], positions: null, imported: [], incomplete: true };
  }
}

/** Compiles source documents as compileSources does and lets the core judge them: `policyJudge` of `interlock` is that core. Throws TypeError without one. */
export async function register(sources: string | readonly SourceFile[], core: RegisteringCore, options: CompileOptions = {}): Promise<Registered> {
  expectJudge(core);
  return judge(await compileSources(sources, options), core);
}
