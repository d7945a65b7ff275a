// Registers policies from sources held in memory, on any runtime: there are no files and no servers here.
import { compile, type Compiled, type Surroundings } from './compile.ts';
import { judge, type Registered, type RegisteringCore } from './register.ts';

/** A source document held in memory. */
export interface SourceFile { path: string; text: string }

/** Compiles files in memory, of which the first is the policy; what they import is looked for among the others. Throws TypeError without one. */
export function compileMemory(files: readonly SourceFile[], more: Omit<Surroundings, 'read'> = {}): Promise<Compiled> {
  if (typeof files === 'string') throw new TypeError('"sources" expected files held in memory ([{path, text}]): there is no file system here');
  const first = files[0];
  if (!first) throw new TypeError('"sources" expected a path or at least one file, got an empty list');
  return compile(first.path, first.text, { read: among(files), ...more });
}

/** Compiles files in memory and lets the core judge them: `policyJudge` of `interlock` is that core. Throws TypeError without a core or a file. */
export async function register(files: readonly SourceFile[], core: RegisteringCore): Promise<Registered> {
  expectJudge(core);
  return judge(await compileMemory(files), core);
}

/** Throws TypeError where nothing judges. */
export function expectJudge(core: RegisteringCore): void {
  if (typeof (core as Partial<RegisteringCore> | undefined)?.register !== 'function') throw new TypeError('"core" expected what judges the policy: import { policyJudge } from "interlock"');
}

function among(files: readonly SourceFile[]): Surroundings['read'] {
  return (path, from) => {
    const wanted = plain(path.startsWith('/') ? path : `${from.slice(0, from.lastIndexOf('/') + 1)}${path}`);
    const found = files.find((file) => plain(file.path) === wanted);
    return found ? Promise.resolve({ file: found.path, content: found.text }) : Promise.reject(new Error('there is no such file'));
  };
}

/** A path without `.`, `..` and empty parts. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
