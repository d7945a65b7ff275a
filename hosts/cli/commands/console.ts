// `console`: serves the policy console to a browser on this machine, with a policy already in it where one is given.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import { example, formatOption, integer, type Outcome, run } from '../options.ts';
import { readText } from '../store.ts';
import { say, type Terminal } from '../terminal.ts';

interface Options { port: number; policy?: string; format: string }
interface Served { type: string; body: Buffer }

/** The built console, beside the built command line. */
const FOLDER = fileURLToPath(new URL('./console/', import.meta.url));
const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.txt': 'text/plain; charset=utf-8' };

export function serveConsole(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('console')
    .description('try a policy live in the browser: serve the policy console on this machine, to this machine alone')
    .option('-p, --policy <file>', 'a policy to start with (YAML); what is edited stays in the browser')
    .option('--port <port>', 'the port on 127.0.0.1; 0 takes a free one', integer(0), 0)
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => work(terminal, options)));
  example(command, 'interlock console --policy policy.yaml');
}

async function work(terminal: Terminal, options: Options): Promise<void> {
  const files = consoleFiles(FOLDER);
  const policy = options.policy === undefined ? null : await readText(terminal, options.policy, 'The policy');
  const server = createServer((request, response) => answer(files, request, response));
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/${policy === null ? '' : `#/preview?d=${draftWord(policy)}`}`;
  say(terminal, options.format === 'json' ? JSON.stringify({ url }) : `The policy console: ${url}\nCtrl-C ends it.`);
  await new Promise<void>((ended) => { server.once('close', ended); });
}

/** The console's files by their path in an address. Fails with console_missing. */
function consoleFiles(folder: string): ReadonlyMap<string, Served> {
  if (!existsSync(join(folder, 'index.html'))) throw new CliError('console_missing', 'The console is not there.', 'In the clone `npm run build` builds it.');
  const files = new Map<string, Served>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    files.set(`/${name.replaceAll('\\', '/')}`, { type: TYPES[extname(path)] ?? 'application/octet-stream', body: readFileSync(path) });
  }
  files.set('/', files.get('/index.html')!);
  return files;
}

/** Only the console's own files, and only to a browser that asks this machine by its own name: another name that leads here is somebody else's page. */
function answer(files: ReadonlyMap<string, Served>, request: IncomingMessage, response: ServerResponse): ServerResponse {
  const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-cache' };
  const plain = (status: number, text: string) => response.writeHead(status, { ...headers, 'content-type': TYPES['.txt'] }).end(text);
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(request.headers.host ?? '')) return plain(421, 'Ask for 127.0.0.1 or localhost.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'There is only something to read here.\n');
  const file = files.get((request.url ?? '/').split('?', 1)[0]!);
  if (!file) return plain(404, 'There is no such file.\n');
  const policy = file.type === TYPES['.html'] ? { 'content-security-policy': `${contentPolicy(file.body.toString())}; frame-ancestors 'none'` } : {};
  return response.writeHead(200, { ...headers, ...policy, 'content-type': file.type, 'content-length': file.body.length }).end(request.method === 'HEAD' ? undefined : file.body);
}

/** What the page itself says of what may run in it; a header adds who may frame it, which only a header can. */
function contentPolicy(page: string): string {
  // There is no gateway behind this server: the page has nobody to talk to.
  return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)![1]!.replace("connect-src 'self'", "connect-src 'none'");
}

/** A policy as the console's link holds a draft: JSON, raw deflate, base64url. */
function draftWord(policy: string): string {
  return deflateRawSync(JSON.stringify({ v: 1, policy })).toString('base64url');
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      failed(new CliError('port_unusable', error.code === 'EADDRINUSE' ? `Port ${port} is taken.` : `Port ${port} cannot be used: ${error.message}.`, '--port 0 takes a free one.'));
    });
    server.listen(port, '127.0.0.1', listening);
  });
}
