// `gateway init`: writes a gateway's file, its keys and its policy, over an MCP server where one is given; the callers' keys are printed once.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import { keySetText, newKey, newKeySet, withKey } from '../keys.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { connect, isObject, PlaceBook, policySchemaText, readListing, readSource } from '../package.ts';
import { writeWhole } from '../store.ts';
import { paint, say, type Terminal, warn } from '../terminal.ts';
import { newKey as newCallerKey } from '../../shared/caller-keys.ts';
import { clientOverHttp, clientOverStdio, programWords, shellWord, shownProgram } from './client-settings.ts';
import { loadGateway } from './load.ts';
import { AGENT, starterGateway, type StarterServer, starterServerPolicy, starterShopPolicy } from './starter.ts';

interface Options { tenant?: string; name: string; force?: boolean; format: string }

export function gatewayInit(parent: Command, terminal: Terminal, outcome: Outcome): void {
  const command = parent.command('init')
    .description("write a gateway's file, keys and policy; the first administrator's key is printed once")
    .argument('[folder]', 'where to write', '.')
    .argument('[server...]', 'the program that starts an MCP server, after --; its tools become the policy')
    .option('--tenant <name>', "whose gateway it is (otherwise the folder's name)")
    .option('--name <name>', "the server's name in the file", 'files')
    .option('--force', 'replace files that are there; keys stay')
    .addOption(formatOption())
    .action(run(terminal, outcome, (_folder: string, _server: string[], options: Options) => {
      const [folder, server] = parted(command);
      return work(terminal, folder, server, options);
    }));
  example(command, 'interlock gateway init gate -- npx -y @modelcontextprotocol/server-filesystem ~/Documents');
}

/** The folder and the server's program: what stands before `--`, and what after. */
function parted(command: Command): [folder: string, server: string[]] {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs } = root as unknown as { rawArgs: string[] };
  const at = rawArgs.indexOf('--');
  const server = at < 0 ? [] : rawArgs.slice(at + 1);
  const before = command.args.slice(0, command.args.length - server.length);
  if (before.length > 1) throw new CliError('usage', `${before.slice(1).join(' ')}: one folder is written to.`, "The server's program stands after --.");
  return [before[0] ?? '.', server];
}

async function work(terminal: Terminal, folder: string, server: string[], options: Options): Promise<void> {
  const tenant = options.tenant ?? (basename(resolve(folder)).replace(/[^A-Za-z0-9_-]/g, '-').replace(/^[^A-Za-z]+/, '') || 'default');
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(options.name)) throw new CliError('usage', `--name ${options.name} is no name.`, 'Use a letter, then letters, digits, _ . and -.');
  const keysThere = existsSync(join(folder, 'keys.json'));
  const named = ['gateway.yaml', 'policy.yaml', 'gateway.schema.json', 'policy.schema.json', ...(server.length > 0 ? [`${options.name}.tools.json`] : [])];
  const there = [...named, ...(keysThere ? ['keys.json'] : [])].filter((name) => existsSync(join(folder, name)));
  if (there.length > 0 && !options.force) throw new CliError('file_exists', `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already in ${folder === '.' ? 'this folder' : folder}.`, 'Give --force to replace, or another folder.');
  const asked = server.length === 0 ? null : await ask(options.name, server, folder);
  const keys = { admin: newCallerKey(), agent: newCallerKey() };
  const agent = asked === null ? 'desk' : AGENT;
  const files: [string, string, number][] = [
    ['gateway.yaml', starterGateway(tenant, asked?.server ?? null, keys, agent), 0o644],
    ['policy.yaml', asked === null ? starterShopPolicy(tenant) : starterServerPolicy(tenant, asked.server, agent), 0o644],
    ['gateway.schema.json', (await loadGateway()).gatewaySchemaText(), 0o644],
    ['policy.schema.json', policySchemaText(), 0o644],
    ...(asked === null ? [] : [[`${options.name}.tools.json`, asked.listing, 0o644] satisfies [string, string, number]]),
    ...(keysThere ? [] : [['keys.json', keySetText(withKey(newKeySet(newKey('HS256')), newKey('EdDSA', 'approve'))), 0o600] satisfies [string, string, number]]),
  ];
  for (const [name, text, mode] of files) await writeWhole(join(folder, name), text, { mode, replace: true });
  const ignored = await ignore(folder);
  told(terminal, folder, options, { tenant, server: asked?.server ?? null, files: files.map(([name]) => name), keys, keysThere, ignored });
}

/** Asks the server for its tools. Fails with mcp_server, or with the listing's first problem. */
async function ask(name: string, [command = '', ...args]: string[], folder: string): Promise<{ server: StarterServer; listing: string }> {
  const absolute = args.map((arg) => (arg.startsWith('./') || arg.startsWith('../') || arg === '.' ? resolve(arg) : arg));
  const connection = await connect({ command, args: absolute, env: {}, timeout: 120 });
  try {
    const listing = await connection.listing();
    const book = new PlaceBook();
    const read = readSource(`${name}.tools.json`, listing, book, 'json');
    const { tools, problems } = read.value === undefined ? { tools: [], problems: read.problems } : await readListing(read.value, read.root, book, () => true);
    const wrong = problems.find(({ severity }) => severity === 'error');
    if (wrong) throw new CliError(wrong.code, `The server's tools cannot be a policy: ${wrong.message}`, folder === '.' ? undefined : 'interlock import mcp shows every problem at its place.');
    return { server: { name, command, args: absolute, tools: tools.map(({ name: tool, tool: members }) => ({ name: tool, effect: isObject(members) && members['effect'] === 'read' ? 'read' : 'write' })) }, listing };
  } finally {
    await connection.close();
  }
}

/** Keeps secrets and state out of version control, where no .gitignore says otherwise already. */
async function ignore(folder: string): Promise<boolean> {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) {
    await writeWhole(file, '# Keys are secrets; the state holds what was asked and answered.\nkeys.json\ninterlock-data/\nrecorded.jsonl\n', { replace: false });
    return true;
  }
  const lines = (await readFile(file, 'utf8')).split(/\r?\n/);
  return lines.some((line) => /^\/?keys\.json\s*$/.test(line)) && lines.some((line) => /^\/?interlock-data\/?\s*$/.test(line));
}

interface Made { tenant: string; server: StarterServer | null; files: string[]; keys: { admin: { key: string }; agent: { key: string } }; keysThere: boolean; ignored: boolean }

function told(terminal: Terminal, folder: string, options: Options, { tenant, server, files, keys, keysThere, ignored }: Made): void {
  if (options.format === 'json') {
    say(terminal, JSON.stringify({ folder, files, keys: { admin: keys.admin.key, agent: keys.agent.key } }));
    return;
  }
  for (const name of files) say(terminal, `wrote ${join(folder, name)}`);
  if (keysThere) say(terminal, `kept ${join(folder, 'keys.json')}: new keys could not verify what it signed`);
  if (!ignored) warn(terminal, 'Add keys.json and interlock-data/ to .gitignore, which was there already.');
  say(terminal);
  say(terminal, 'These keys are shown once; gateway.yaml holds their hashes alone.');
  say(terminal, `  administrator (answers questions, looks after the gateway)  ${paint(terminal, terminal.out, 'bold', keys.admin.key)}`);
  say(terminal, `  agent (proposes calls)                                      ${paint(terminal, terminal.out, 'bold', keys.agent.key)}`);
  say(terminal);
  const into = folder === '.' ? '' : `--config ${shellWord(join(folder, 'gateway.yaml'))}`;
  say(terminal, `Next:  ${shownProgram(terminal.env)} gateway ${into}`.trimEnd());
  say(terminal);
  say(terminal, "Your MCP client's settings, once the gateway runs:");
  say(terminal, clientOverHttp(tenant, 'http://127.0.0.1:8484/mcp', keys.agent.key));
  if (server === null) return;
  say(terminal, "or, without a gateway that runs, for a client that starts its servers:");
  say(terminal, clientOverStdio(server.name, programWords(), resolve(folder, 'policy.yaml'), [server.command, ...server.args]));
}
