// The command line's program: every subcommand, its help, completion, and one way out.
import { Command, CommanderError } from 'commander';
import { approvals } from './commands/approvals.ts';
import { audit } from './commands/audit.ts';
import { bench } from './commands/bench.ts';
import { chat } from './commands/chat.ts';
import { check } from './commands/check.ts';
import { conform } from './commands/conform.ts';
import { serveConsole } from './commands/console.ts';
import { demo } from './commands/demo.ts';
import { explain } from './commands/explain.ts';
import { gateway } from './commands/gateway.ts';
import { hook } from './commands/hook.ts';
import { importTools } from './commands/import.ts';
import { init } from './commands/init.ts';
import { keygen } from './commands/keygen.ts';
import { kill } from './commands/kill.ts';
import { read } from './commands/read.ts';
import { receipt } from './commands/receipt.ts';
import { register } from './commands/register.ts';
import { replayRecording } from './commands/replay.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { verify } from './commands/verify.ts';
import { wrapServer } from './commands/wrap.ts';
import { completion } from './completion.ts';
import { CliError, EXIT, type Exit } from './exit.ts';
import type { Outcome } from './options.ts';
import { sayError, type Terminal } from './terminal.ts';

/** The subcommands in the order the help lists them. */
const SUBCOMMANDS = [init, keygen, register, importTools, check, explain, read, run, verify, report, receipt, conform, bench, serveConsole, demo, chat, gateway, wrapServer, hook, approvals, audit, kill, replayRecording];

/** The program for a terminal; `outcome` gets the exit code of the subcommand that runs. Its own errors are printed in `format`. */
export function buildProgram(terminal: Terminal, outcome: Outcome, version = '0.0.0', format = 'human'): Command {
  const program = new Command('interlock')
    .description('The check between an AI agent and its tools: allow, confirm or refuse, with reasons, before anything runs.')
    .version(version, '-V, --version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => { terminal.out.write(text); }, writeErr: (text) => { terminal.err.write(text); },
      outputError: (text) => { sayError(terminal, usageError(text), format); },
    })
    .addHelpText('after', [
      '', 'Exit codes:', '  0  allowed, valid, done', '  1  the tool itself failed', '  2  refused, not valid, not as expected', '  3  a person has to answer first',
      '', 'Example:', '  $ interlock init shop && cd shop && interlock lint && interlock run', '', 'Completion:', '  $ source <(interlock complete bash)        # or zsh, fish, powershell',
    ].join('\n'));
  for (const add of SUBCOMMANDS) add(program, terminal, outcome);
  completion(program, terminal);
  return program;
}

/** Runs the command line on its arguments (without the program's own name) and gives the exit code. */
export async function main(args: readonly string[], terminal: Terminal, version?: string): Promise<Exit> {
  const outcome: Outcome = { exit: EXIT.ok };
  const program = buildProgram(terminal, outcome, version, asked(args));
  const strange = strangeCommand(program, args);
  if (strange) {
    sayError(terminal, strange, asked(args));
    return failedExit(args);
  }
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.ok;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return outcome.exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : failedExit(args);
    throw error;
  }
}

/** How a command ends that failed. A coding agent goes on with a call whose hook ends with any code but 2. */
export function failedExit(args: readonly string[]): Exit {
  return args[0] === 'hook' ? EXIT.refused : EXIT.failed;
}

/** The format that the arguments ask for, before they are parsed: an error of parsing is printed in it too. */
function asked(args: readonly string[]): string {
  const at = args.findLastIndex((arg) => arg === '--format' || arg.startsWith('--format='));
  return at >= 0 && (args[at] === '--format=json' || args[at + 1] === 'json') ? 'json' : 'human';
}

/** The library's sentence (`error: unknown option …`, a second line where it knows a near word) as this program's errors are. */
function usageError(text: string): CliError {
  const [first = '', second] = text.trim().split('\n');
  const message = first.replace(/^error: /, '').replace(/\.?$/, '.');
  return new CliError('usage', `${message[0]!.toUpperCase()}${message.slice(1)}`, second?.replace(/^\((.*)\)$/, '$1') ?? 'See --help.');
}

/** `interlock help nonsense` and `interlock nonsense --help` are mistakes, which the library answers with its help and 0. */
function strangeCommand(program: Command, args: readonly string[]): CliError | null {
  const name = args[0] === 'help' ? args[1] : args.some((arg) => arg === '--help' || arg === '-h') ? args[0] : undefined;
  if (name === undefined || name.startsWith('-') || name === 'help' || program.commands.some((command) => command.name() === name)) return null;
  return new CliError('usage', `Unknown command '${name}'.`, 'interlock --help lists the commands.');
}
