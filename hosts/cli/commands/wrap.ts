// `wrap`: one MCP server behind the check, in place of its command in any MCP client's settings.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { onlyAgent } from '../gateway/agent.ts';
import { newKey as newCallerKey } from '../../shared/caller-keys.ts';
import { callerLines, scalar } from '../gateway/caller-key.ts';
import { loadGateway, loadSettings } from '../gateway/load.ts';
import { logWriter, notStarted, untilEnded, versionOf } from '../gateway/serve.ts';
import { announce, stateFolder } from '../gateway/state.ts';
import { keySetText, newKey, newKeySet, withKey } from '../keys.ts';
import { example, type Outcome, run } from '../options.ts';
import { compileSources, isObject } from '../package.ts';
import { showProblems } from '../problems.ts';
import { writeOnce, writeWhole } from '../store.ts';
import { paint, type Terminal, warn } from '../terminal.ts';

interface Options { policy: string; observe?: boolean; agent?: string; data?: string }

/** How long an end by a signal may take, in milliseconds; then the server is killed. */
const HASTE_MS = 1_200;

export function wrapServer(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('wrap')
    .description("one MCP server behind the check: put it before the server's command in an MCP client's settings")
    .requiredOption('-p, --policy <file>', 'the policy')
    .argument('<command>', "the server's program, after --")
    .argument('[args...]', 'its arguments')
    .option('--observe', 'let every call through, and record what would have been answered')
    .option('--agent <name>', "the policy's agent that the client is (otherwise its only one)")
    .option('--data <folder>', "where what is asked and answered is kept (otherwise a folder of this user's)")
    .passThroughOptions()
    .action(run(terminal, outcome, (server: string, args: string[], options: Options) => work(terminal, command, [server, ...args], options)));
  example(command, 'interlock wrap --policy policy.yaml -- npx -y @modelcontextprotocol/server-filesystem ~/Documents', 'interlock approvals watch                  # in another window');
}

async function work(terminal: Terminal, command: Command, server: string[], options: Options): Promise<Exit> {
  const policy = resolve(options.policy);
  const { tenant, agent } = await said(terminal, policy, options.agent);
  const name = createHash('sha256').update(JSON.stringify([policy, server])).digest('hex').slice(0, 16);
  const folder = options.data === undefined ? join(stateFolder(terminal.env), 'wraps', name) : resolve(options.data);
  const key = newCallerKey();
  const keys = join(folder, 'keys.json');
  await writeOnce(keys, keySetText(withKey(newKeySet(newKey('HS256')), newKey('EdDSA', 'approve'))), 0o600);
  // Of this process alone: another one of the same client has a key of its own.
  const config = join(folder, `gateway-${process.pid}.yaml`);
  await writeWhole(config, configText(policy, tenant, agent, options.observe === true, key.sha256), { mode: 0o600, replace: true });
  const loaded = await loadGateway();
  const { settings } = await loadSettings(terminal, loaded, config).finally(() => rmSync(config, { force: true }));
  let forget = () => { /* Nothing is noted yet. */ };
  if (options.observe) warn(terminal, paint(terminal, terminal.err, 'yellow', `interlock wrap: OBSERVE MODE: every call is let through. What would have been answered is recorded, with the arguments, in ${join(folder, 'recorded.jsonl')}: decide it again with \`interlock replay\`.`));
  try {
    const ending = new AbortController();
    // Clients close the input, signal two seconds later, and kill what is still there after two more: by then the server has to be gone.
    void untilEnded().then(() => {
      ending.abort();
      setTimeout(() => process.exit(EXIT.ok), HASTE_MS).unref();
    });
    await loaded.serveWrapped({
      settings, command: server, slots: options.data === undefined, write: logWriter(terminal), version: versionOf(command), ending: ending.signal,
      at: (url) => {
        forget = announce(terminal.env, { name: `wrap ${server.join(' ')}`.slice(0, 80), url, key: key.key });
        warn(terminal, `interlock wrap: questions are answered with \`interlock approvals\`, or at ${url}/#/inbox`);
      },
    });
  } catch (error) {
    throw notStarted(error);
  } finally {
    forget();
  }
  return EXIT.ok;
}

/** The gateway's file of one wrapped server: on this machine alone, with this user as the one who answers. */
function configText(policy: string, tenant: string, agent: string, observe: boolean, sha256: string): string {
  return `tenant: ${JSON.stringify(tenant)}
mode: ${observe ? 'observe' : 'enforce'}
policy: ${JSON.stringify(policy)}
keys: keys.json
engine: {folder: store}
listen: {host: 127.0.0.1, port: 0}
agent_of_stdio: ${scalar(agent)}
telemetry: {log_level: warn}
${observe ? 'recording: {file: recorded.jsonl, arguments: true}\n' : ''}callers:
${callerLines({ name: 'you', sha256, may: ['approve', 'read_approvals', 'policy', 'kill', 'audit', 'sessions', 'metrics', 'admin'] })}`;
}

/** Whose policy it is, and which of its agents the client is. Fails with policy_invalid, agent_required, agent_unknown. */
async function said(terminal: Terminal, policy: string, given: string | undefined): Promise<{ tenant: string; agent: string }> {
  const { policy: compiled, problems } = await compileSources(policy);
  const { tenant, agents: declared } = isObject(compiled) ? compiled : {};
  const agents = isObject(declared) ? Object.keys(declared) : [];
  if (agents.length === 0 || typeof tenant !== 'string') {
    showProblems(terminal, problems.filter(({ severity }) => severity === 'error'));
    throw new CliError('policy_invalid', 'The policy cannot be loaded.', 'interlock lint shows all that is wrong.');
  }
  return { tenant, agent: onlyAgent(agents, given) };
}
