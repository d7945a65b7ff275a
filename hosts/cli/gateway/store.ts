// `gateway backup`, `restore`, `migrate`, `erase` and `purge`: looking after what a gateway keeps.
import { type Command, Option } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { visible } from '../package.ts';
import { say, type Terminal } from '../terminal.ts';
import { type Gateway, loadGateway, loadSettings } from './load.ts';
import { remote, remoteOptions, type RemoteOptions } from './remote.ts';

interface Options { config: string; force?: boolean; format: string }

export function gatewayStore(parent: Command, terminal: Terminal, outcome: Outcome): void {
  const config = () => new Option('-c, --config <file>', "the gateway's file, which says where the store is").default('gateway.yaml');
  const backup = parent.command('backup').description('copy the store as it is at one moment, also while the gateway runs')
    .argument('<file>', 'where the copy goes').addOption(config()).addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: Options) => backUp(terminal, file, options)));
  const restore = parent.command('restore').description('put a copy back, while no gateway runs')
    .argument('<file>', 'the copy').addOption(config()).option('--force', 'where there is a store already: keep it beside the one put back').addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: Options) => putBack(terminal, file, options)));
  const migrate = parent.command('migrate').description("bring the store's file up to this program's version; `gateway` does it too when it starts")
    .addOption(config()).addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => bringUp(terminal, options)));
  const erase = remoteOptions(parent.command('erase').description("erase a session's records from a running gateway; the audit log goes on verifying").argument('<session>', "the session's id")).addOption(formatOption())
    .action(run(terminal, outcome, (session: string, options: RemoteOptions & { format: string }) => eraseSession(terminal, session, options)));
  const purge = remoteOptions(parent.command('purge').description('erase now what retention: in the file no longer keeps, as a running gateway does by itself')).option('--dry-run', 'only tell what would be erased').addOption(formatOption())
    .action(run(terminal, outcome, (options: RemoteOptions & { dryRun?: boolean; format: string }) => purgeNow(terminal, options)));
  example(purge, 'interlock gateway purge --dry-run');
  example(backup, 'interlock gateway backup backups/monday.db');
  example(restore, 'interlock gateway restore backups/monday.db --force');
  example(migrate, 'interlock gateway migrate');
  example(erase, 'interlock gateway erase agent/chat-1');
}

/** The store's folder, by the gateway's file. Fails with engine_distributed. */
async function folder(terminal: Terminal, gateway: Gateway, options: Options): Promise<string> {
  const { settings } = await loadSettings(terminal, gateway, options.config);
  if (settings.engine.kind === 'embedded') return settings.engine.folder;
  throw new CliError('engine_distributed', 'This gateway keeps its state in the distributed engine.', "Use the engine's own snapshots.");
}

async function backUp(terminal: Terminal, file: string, options: Options): Promise<Exit> {
  const gateway = await loadGateway();
  const found = await gateway.backUp(await folder(terminal, gateway, options), file);
  if (options.format === 'json') say(terminal, JSON.stringify({ file, ...found }));
  else say(terminal, `wrote ${file}, checked: ${told(found.tenants)}\nKeys and the gateway's file are not in it: keep them apart.`);
  return EXIT.ok;
}

async function putBack(terminal: Terminal, file: string, options: Options): Promise<Exit> {
  const gateway = await loadGateway();
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const found = await gateway.restore(file, await folder(terminal, gateway, options), options.force === true, stamp);
  if (options.format === 'json') say(terminal, JSON.stringify(found));
  else {
    say(terminal, `put back ${file}: ${told(found.tenants)}`);
    if (found.kept !== null) say(terminal, `kept what was there: ${found.kept}`);
    say(terminal, 'Sessions that went on after the copy was made end at an earlier head now: their clients have to start new ones.');
  }
  return EXIT.ok;
}

async function bringUp(terminal: Terminal, options: Options): Promise<Exit> {
  const gateway = await loadGateway();
  const { from, to, kept } = await gateway.bringUp(await folder(terminal, gateway, options));
  say(terminal, options.format === 'json' ? JSON.stringify({ from, to, kept }) : from === to ? `the store has version ${to} already` : `the store had version ${from} and has version ${to} now${kept === null ? '' : `; as it was it is kept in ${kept}`}`);
  return EXIT.ok;
}

async function eraseSession(terminal: Terminal, session: string, options: RemoteOptions & { format: string }): Promise<Exit> {
  await (await remote(terminal, options)).ask('DELETE', `/v1/sessions/${encodeURIComponent(session)}`);
  say(terminal, options.format === 'json' ? JSON.stringify({ erased: session }) : `erased ${session}`);
  return EXIT.ok;
}

interface Purged { sessions: string[]; results: number; kept: { session: string; why: string }[] }

async function purgeNow(terminal: Terminal, options: RemoteOptions & { dryRun?: boolean; format: string }): Promise<Exit> {
  const found = await (await remote(terminal, options)).ask<Purged>('POST', `/v1/purge${options.dryRun ? '?dry_run=true' : ''}`);
  if (options.format === 'json') say(terminal, JSON.stringify(found));
  else {
    say(terminal, `${options.dryRun ? 'would erase' : 'erased'} ${found.sessions.length} ${found.sessions.length === 1 ? 'session' : 'sessions'}${options.dryRun ? '' : `, and the results of ${found.results} calls of others`}`);
    for (const { session, why } of found.kept) say(terminal, `kept ${visible(session)}: ${visible(why)}`);
  }
  return EXIT.ok;
}

function told(tenants: readonly { tenant: string; records: number; lines: number }[]): string {
  return tenants.length === 0 ? 'an empty store' : tenants.map(({ tenant, records, lines }) => `${tenant} with ${records} records and ${lines} lines of its log`).join(', ');
}
