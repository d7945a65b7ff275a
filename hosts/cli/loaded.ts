// Loads what most commands start from: the policy and the key set, or the policy alone to read turns by.
import { type Core, openCore } from './core.ts';
import { CliError } from './exit.ts';
import { Client, policyJudge, register, type Registered, type RegisteringCore } from './package.ts';
import { showProblems } from './problems.ts';
import { readText } from './store.ts';
import type { Terminal } from './terminal.ts';
import { PRACTICE_KEYS } from '../shared/practice-keys.ts';

/** Registers the policy in a file and loads it under the name `policy`. Its errors go to standard error; fails with policy_invalid. */
export async function loadPolicy(terminal: Terminal, file: string, core?: Core): Promise<{ core: Core; id: string }> {
  const into = core ?? await openCore(terminal);
  const { id } = await registered(terminal, file, into);
  return { core: into, id };
}

/** A client that reads turns by the policy in a file. It signs nothing worth having: reading needs no key. Fails with policy_invalid. */
export async function loadReader(terminal: Terminal, file: string): Promise<Client> {
  return new Client({ policy: await registered(terminal, file, policyJudge), keys: PRACTICE_KEYS });
}

async function registered(terminal: Terminal, file: string, core: RegisteringCore): Promise<Registered & { id: string }> {
  const policy = await register(file, core);
  if (policy.id === null) {
    showProblems(terminal, policy.problems.filter(({ severity }) => severity === 'error'));
    throw new CliError('policy_invalid', `${file} is no policy that can be loaded.`, 'Mend the problems above; `interlock lint` lists them again.');
  }
  return { ...policy, id: policy.id };
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
