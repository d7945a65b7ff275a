// The options that several subcommands share, and how a subcommand's outcome reaches the exit code.
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError, EXIT, type Exit } from './exit.ts';
import { sayError, type Terminal } from './terminal.ts';

/** Where the program notes how the subcommand ended. */
export interface Outcome { exit: Exit }

/** `--format human|json`. */
export function formatOption(): Option {
  return new Option('--format <format>', 'print for people or for programs').choices(['human', 'json']).default('human');
}

/** `-p, --policy FILE`. */
export function policyOption(): Option {
  return new Option('-p, --policy <file>', 'the policy: YAML, JSON or compiled').default('policy.yaml');
}

/** `-k, --keys FILE`. */
export function keysOption(): Option {
  return new Option('-k, --keys <file>', 'the key set').default('keys.json');
}

/** `--language en|pt-BR`. */
export function languageOption(): Option {
  return new Option('--language <language>', "the turn's language (otherwise the policy's)").choices(['en', 'pt-BR']);
}

/** Runs a subcommand's work: its exit code is noted, and what it throws becomes a sentence on standard error. */
export function run<Arguments extends unknown[]>(
  terminal: Terminal, outcome: Outcome, work: (...given: Arguments) => Promise<Exit | void> | Exit | void,
): (...given: Arguments) => Promise<void> {
  return async (...given) => {
    const options = given.find((item): item is Arguments[number] & { format?: string } => typeof item === 'object' && item !== null && !(item instanceof Command) && !Array.isArray(item));
    try {
      outcome.exit = (await work(...given)) ?? EXIT.ok;
    } catch (error) {
      outcome.exit = sayError(terminal, error instanceof CliError ? error : failure(error), options?.format ?? 'human');
    }
  };
}

/** An error nobody foresaw, or one of the binding's with a code of its own. */
function failure(error: unknown): CliError {
  const { code, pointer } = error as { code?: unknown; pointer?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(typeof code === 'string' ? code : 'failed', typeof pointer === 'string' && pointer !== '' ? `${message} at ${pointer}` : message);
}

/** Collects an option that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** An integer of at least `least`. */
export function integer(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) throw new InvalidArgumentError(`An integer of at least ${least} is needed.`);
    return value;
  };
}

/** `Example:` below a subcommand's help. */
export function example(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
}
