// Loads the gateway when a command first needs it: the other commands start without it.
import { CliError } from '../exit.ts';
import { paint, type Terminal, warn } from '../terminal.ts';
import { showProblems } from '../problems.ts';

/** The gateway's own file, built beside the command line. */
export function loadGateway(): Promise<typeof import('../../gateway/entry.ts')> {
  return import('../../gateway/entry.ts');
}

export type Gateway = Awaited<ReturnType<typeof loadGateway>>;
export type Settings = NonNullable<Awaited<ReturnType<Gateway['readSettings']>>['settings']>;

/** The settings of a gateway's file; its problems are printed, as registration prints a policy's. Fails with config_invalid. */
export async function loadSettings(terminal: Terminal, gateway: Gateway, file: string): Promise<Awaited<ReturnType<Gateway['readSettings']>> & { settings: Settings }> {
  const read = await gateway.readSettings(file, terminal.env, file);
  showProblems(terminal, read.problems);
  if (read.settings !== null) return { ...read, settings: read.settings };
  const count = read.problems.filter(({ severity }) => severity === 'error').length;
  throw new CliError('config_invalid', `The configuration has ${count === 1 ? 'a problem' : `${count} problems`}.`, 'Nothing was started.');
}

/** A line about what goes on, for the person who started it: standard output stays for what programs read. */
export function tell(terminal: Terminal, text: string): void {
  warn(terminal, `${paint(terminal, terminal.err, 'dim', 'interlock')} ${text}`);
}
