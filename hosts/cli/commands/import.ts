// interlock import mcp: asks an MCP server for its tools and saves the listing that a policy imports.
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { collect, example, formatOption, type Outcome, run } from '../options.ts';
import { formatProblem, listTools, PlaceBook, readListing, readSource } from '../package.ts';
import { writeWhole } from '../store.ts';
import { newTable } from '../table.ts';
import { say, type Terminal, warn } from '../terminal.ts';

interface Options { output?: string; env?: string[]; cwd?: string; timeout: number; force?: boolean; format: string }

export function importTools(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('import').description('import tools from elsewhere').enablePositionalOptions();
  const command = parent.command('mcp')
    .description("save an MCP server's tools/list result, for `- mcp: FILE` in a policy")
    .argument('<command>', 'the program that starts the server')
    .argument('[args...]', 'its arguments, its own options among them')
    .option('-o, --output <file>', 'where the listing goes (otherwise to standard output)')
    .option('--env <name=value>', 'an environment variable for the server (again for more)', collect)
    .option('--cwd <folder>', 'the folder it starts in')
    .option('--timeout <seconds>', 'how long it may take', seconds, 30)
    .option('--force', 'replace the file of --output')
    .addOption(formatOption())
    .passThroughOptions()
    .action(run(terminal, outcome, (program_: string, args: string[], options: Options) => work(terminal, program_, args, options)));
  for (const one of [parent, command]) example(one, 'interlock import mcp -o files.json -- npx -y @modelcontextprotocol/server-filesystem .');
}

async function work(terminal: Terminal, program: string, args: string[], options: Options): Promise<Exit> {
  const env: Record<string, string> = {};
  for (const pair of options.env ?? []) {
    const at = pair.indexOf('=');
    if (at < 1) throw new CliError('usage', `--env ${pair}: NAME=VALUE is needed.`);
    env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  const text = await listTools({ command: program, args, env, timeout: options.timeout, ...(options.cwd ? { cwd: options.cwd } : {}) });
  const book = new PlaceBook();
  const read = readSource(options.output ?? 'the listing', text, book, 'json');
  const listing = read.value === undefined ? { tools: [], problems: [], digest: '' } : await readListing(read.value, read.root, book, () => true);
  const problems = [...read.problems, ...listing.problems];
  for (const problem of problems) warn(terminal, formatProblem(problem));
  if (problems.some(({ severity }) => severity === 'error')) return EXIT.refused;
  if (!options.output) {
    terminal.out.write(text);
    return EXIT.ok;
  }
  await writeWhole(options.output, text, { replace: options.force === true });
  const rows = listing.tools.map(({ name, tool }) => ({ name, effect: tool['effect'] ?? 'write', reads_outside: tool['reads_outside'] === true }));
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ output: options.output, approved: listing.digest, tools: rows }));
    return EXIT.ok;
  }
  const table = await newTable({ head: ['tool', 'proposed effect', 'reads outside'] });
  for (const { name, effect, reads_outside } of rows) table.push([name, effect as string, reads_outside ? 'yes' : '']);
  say(terminal, table.toString());
  say(terminal, `wrote ${options.output}. The annotations are the server's word: read them before you name the file in a policy.`);
  say(terminal, `approved: ${listing.digest}   (beside mcp: {command: …}, to import it live and be told when it changes)`);
  return EXIT.ok;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 600)) throw new InvalidArgumentError('Seconds, at most 600.');
  return value;
}
