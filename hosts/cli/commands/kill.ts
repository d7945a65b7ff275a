// `kill`: switches that stop a tool, an agent, a session or a whole tenant at once, calls in flight too.
import type { Command } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { remote, remoteOptions, type RemoteOptions } from '../gateway/remote.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { visible } from '../package.ts';
import { newTable } from '../table.ts';
import { say, type Terminal } from '../terminal.ts';

interface Options extends RemoteOptions { format: string }
interface SetOptions extends Options { tool?: string; agent?: string; session?: string; all?: boolean; why: string }
interface Kill { id: string; tool?: string; agent?: string; session?: string; all?: true; why: string; by: string; at: number }

export function kill(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('kill').description('stop a tool, an agent, a session or everything, now: set, lift, list');
  const set = remoteOptions(parent.command('set').alias('on').description('stop what all the given members match, calls in flight too'))
    .option('--tool <name>', 'the tool').option('--agent <name>', 'the agent').option('--session <id>', 'the session').option('--all', "everything of the key's tenant")
    .requiredOption('--why <text>', 'what is told to those who are stopped, and kept in the log')
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: SetOptions) => setOne(terminal, options)));
  const lift = remoteOptions(parent.command('lift').alias('off').description('take a switch away').argument('<id>', "the switch's id"))
    .addOption(formatOption())
    .action(run(terminal, outcome, (id: string, options: Options) => liftOne(terminal, id, options)));
  const list = remoteOptions(parent.command('list').description('the switches that are set')).addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => showAll(terminal, options)));
  example(parent, "interlock kill set --tool write_file --why 'a bad run'");
  example(set, "interlock kill set --agent desk --why 'it loops'", "interlock kill set --all --why incident");
  example(lift, 'interlock kill lift 0198c3f0-7d7a-7000-8000-000000000001');
  example(list, 'interlock kill list');
}

async function setOne(terminal: Terminal, { tool, agent, session, all, why, ...options }: SetOptions): Promise<Exit> {
  const members = { ...(tool === undefined ? {} : { tool }), ...(agent === undefined ? {} : { agent }), ...(session === undefined ? {} : { session }), ...(all ? { all: true } : {}) };
  if (Object.keys(members).length === 0) throw new CliError('usage', 'Nothing says what is to be stopped.', 'Give --tool, --agent, --session or --all.');
  if (all && Object.keys(members).length > 1) throw new CliError('usage', '--all stops everything; another member beside it says otherwise.');
  const made = await (await remote(terminal, options)).ask<Kill>('POST', '/v1/kill', JSON.stringify({ ...members, why }));
  say(terminal, options.format === 'json' ? JSON.stringify(made) : `stopped: ${what(made)}\nlift it with:  interlock kill lift ${made.id}`);
  return EXIT.ok;
}

async function liftOne(terminal: Terminal, id: string, options: Options): Promise<Exit> {
  await (await remote(terminal, options)).ask('DELETE', `/v1/kill/${encodeURIComponent(id)}`);
  say(terminal, options.format === 'json' ? JSON.stringify({ lifted: id }) : `lifted ${id}`);
  return EXIT.ok;
}

async function showAll(terminal: Terminal, options: Options): Promise<Exit> {
  const { kills } = await (await remote(terminal, options)).ask<{ kills: Kill[] }>('GET', '/v1/kill');
  if (options.format === 'json') say(terminal, JSON.stringify(kills));
  else if (kills.length === 0) say(terminal, 'No switch is set.');
  else {
    const table = await newTable({ head: ['id', 'stops', 'why', 'by', 'since'] });
    for (const one of kills) table.push([one.id, what(one), visible(one.why), visible(one.by), new Date(one.at).toISOString()]);
    say(terminal, table.toString());
  }
  return EXIT.ok;
}

function what({ tool, agent, session, all }: Kill): string {
  if (all) return 'everything';
  return [tool && `tool ${visible(tool)}`, agent && `agent ${visible(agent)}`, session && `session ${visible(session)}`].filter(Boolean).join(', ');
}
