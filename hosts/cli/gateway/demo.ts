// `gateway demo`: a whole gateway over a real MCP server in a temporary folder, with a question already in the inbox; gone when it ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { AGENT, FILES, POLICY, serverCommand } from '../demo-tools.ts';
import { keySetText, newKey, newKeySet, withKey } from '../keys.ts';
import { example, integer, type Outcome, run } from '../options.ts';
import { listTools } from '../package.ts';
import { writeWhole } from '../store.ts';
import { paint, say, type Terminal, warn } from '../terminal.ts';
import { newKey as newCallerKey } from '../../shared/caller-keys.ts';
import { shownProgram } from './client-settings.ts';
import { Remote } from './remote.ts';
import { serveFile } from './serve.ts';
import { starterGateway } from './starter.ts';
import { announce } from './state.ts';

interface Options { port: number; keep?: boolean }

export function gatewayDemo(parent: Command, terminal: Terminal, outcome: Outcome): void {
  const command = parent.command('demo')
    .description('a whole gateway over a real MCP server in a temporary folder, with its inbox in the browser')
    .option('--port <port>', 'the port on 127.0.0.1; 0 takes a free one', integer(0), 8484)
    .option('--keep', 'keep the folder when it ends')
    .action(run(terminal, outcome, (options: Options) => work(terminal, command, options)));
  example(command, 'interlock gateway demo');
}

async function work(terminal: Terminal, command: Command, options: Options) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'interlock-gateway-')));
  const forget = () => { if (!options.keep) rmSync(folder, { recursive: true, force: true }); };
  process.once('exit', forget);
  try {
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const [name, text] of FILES) await writeWhole(join(files, name), text, { replace: false });
    const server = serverCommand(files);
    warn(terminal, 'Asking the filesystem server from npm for its tools …');
    const keys = { admin: newCallerKey(), agent: newCallerKey() };
    const config = starterGateway('demo', { name: 'files', ...server, tools: [] }, keys, AGENT).replace('port: 8484', `port: ${options.port}`);
    await writeWhole(join(folder, 'listing.json'), await listTools({ ...server, env: {}, timeout: 120 }), { replace: false });
    await writeWhole(join(folder, 'policy.yaml'), POLICY, { replace: false });
    await writeWhole(join(folder, 'keys.json'), keySetText(withKey(newKeySet(newKey('HS256')), newKey('EdDSA', 'approve'))), { mode: 0o600, replace: false });
    await writeWhole(join(folder, 'gateway.yaml'), config, { replace: false });
    return await serveFile(terminal, command, join(folder, 'gateway.yaml'), 'gateway.yaml', async (url) => {
      announce(terminal.env, { name: 'demo', url, key: keys.admin.key });
      await propose(url, keys.agent.key, files);
      told(terminal, url, keys, files, folder, options);
    });
  } finally {
    process.off('exit', forget);
    forget();
  }
}

/** A call that a person is asked about, so that the inbox is not empty. */
async function propose(url: string, key: string, files: string): Promise<void> {
  await new Remote('demo', url, key).ask('POST', '/v1/call?wait=0', JSON.stringify({ session: 'demo', agent: AGENT, tool: 'move_file', arguments: { source: join(files, 'draft.txt'), destination: join(files, 'final.txt') }}));
}

function told(terminal: Terminal, url: string, keys: { admin: { key: string }; agent: { key: string } }, files: string, folder: string, { keep }: Options): void {
  const bold = (text: string) => paint(terminal, terminal.out, 'bold', text);
  say(terminal, `The inbox, where an agent waits for you:  ${bold(`${url}/#/inbox`)}`);
  say(terminal, `  sign in with  ${bold(keys.admin.key)}`);
  say(terminal, `  or answer in another window:  ${shownProgram(terminal.env)} approvals list`);
  say(terminal, `MCP clients:  ${url}/mcp  with  Authorization: Bearer ${keys.agent.key}`);
  say(terminal, `HTTP:  curl -s ${url}/v1/call -H 'Authorization: Bearer ${keys.agent.key}' -H 'Content-Type: application/json' -d '${JSON.stringify({ session: 'curl', tool: 'list_directory', arguments: { path: files } })}'`);
  say(terminal, keep ? `Kept in ${folder}. Ctrl-C ends it.` : 'Ctrl-C ends it, and its folder goes.');
}
