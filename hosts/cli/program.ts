// The command line's program: every subcommand, its help, completion, and one way out.
import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { bench } from './commands/bench.ts';
import { check } from './commands/check.ts';
import { conform } from './commands/conform.ts';
import { demo } from './commands/demo.ts';
import { explain } from './commands/explain.ts';
import { importTools } from './commands/import.ts';
import { init } from './commands/init.ts';
import { keygen } from './commands/keygen.ts';
import { receipt } from './commands/receipt.ts';
import { register } from './commands/register.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { verify } from './commands/verify.ts';
import { EXIT, type Exit } from './exit.ts';
import type { Outcome } from './options.ts';
import type { Terminal } from './terminal.ts';

/** The subcommands in the order the help lists them. */
const SUBCOMMANDS = [init, keygen, register, importTools, check, explain, run, verify, report, receipt, conform, bench, demo];

/** The program for a terminal; `outcome` gets the exit code of the subcommand that runs. */
export function buildProgram(terminal: Terminal, outcome: Outcome, version = '0.0.0'): Command {
  const program = new Command('interlock')
    .description('The check between an AI agent and its tools: allow, confirm or refuse, with reasons, before anything runs.')
    .version(version, '-V, --version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => { terminal.out.write(text); }, writeErr: (text) => { terminal.err.write(text); } })
    .addHelpText('after', [
      '', 'Exit codes:', '  0  allowed, valid, done', '  1  the tool itself failed', '  2  refused, not valid, not as expected', '  3  a person has to answer first',
      '', 'Example:', '  $ interlock init shop && cd shop && interlock lint && interlock run', '', 'Completion:', '  $ source <(interlock complete bash)        # or zsh, fish, powershell',
    ].join('\n'));
  for (const add of SUBCOMMANDS) add(program, terminal, outcome);
  tab(program);
  return program;
}

/** Runs the command line on its arguments (without the program's own name) and gives the exit code. */
export async function main(args: readonly string[], terminal: Terminal, version?: string): Promise<Exit> {
  const outcome: Outcome = { exit: EXIT.ok };
  const program = buildProgram(terminal, outcome, version);
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.ok;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return outcome.exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failed;
    throw error;
  }
}
