// Loads what most commands start from: the policy and the key set.
import { type Core, openCore } from './core.ts';
import { CliError } from './exit.ts';
import { register } from './package.ts';
import { showProblems } from './problems.ts';
import { readText } from './store.ts';
import type { Terminal } from './terminal.ts';

/** Registers the policy in a file and loads it under the name `policy`. Its errors go to standard error; fails with policy_invalid. */
export async function loadPolicy(terminal: Terminal, file: string, core?: Core): Promise<{ core: Core; id: string }> {
  const into = core ?? await openCore(terminal);
  const registered = await register(file, into);
  if (registered.id === null) {
    showProblems(terminal, registered.problems.filter(({ severity }) => severity === 'error'));
    throw new CliError('policy_invalid', `${file} is no policy that can be loaded.`, 'Mend the problems above; `interlock lint` lists them again.');
  }
  return { core: into, id: registered.id };
}

/** Loads the policy and the key set. */
export async function loadBoth(terminal: Terminal, policy: string, keys: string): Promise<{ core: Core; id: string }> {
  const loaded = await loadPolicy(terminal, policy);
  loadKeys(loaded.core, await readText(terminal, keys, 'The key set'), keys);
  return loaded;
}

/** Loads a key set's text. Fails with the core's keys_invalid, or file_json. */
export function loadKeys(core: Core, text: string, file: string): void {
  try {
    core.keys(text);
  } catch (error) {
    const { code, message } = error as CliError;
    throw code === 'line_invalid' ? new CliError('file_json', `The key set ${file} is not JSON.`) : new CliError(code, `The key set ${file}: ${message}.`);
  }
}
