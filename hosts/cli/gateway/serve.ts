// `gateway` itself: starts it over its file and stays until a signal ends it; SIGHUP reads the file again.
import type { Command } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { formatProblem } from '../package.ts';
import { paint, type Terminal, warn } from '../terminal.ts';
import { loadGateway, loadSettings } from './load.ts';

/** Starts the gateway of a file and waits until it is ended. `ready` is told where it is. */
export async function serveFile(terminal: Terminal, command: Command, file: string, shown: string, ready?: (url: string) => Promise<void> | void): Promise<Exit> {
  // A gateway that is only starting reads its file again once it is there.
  let asked = false;
  instead('SIGHUP', () => {
    asked = true;
  });
  const loaded = await loadGateway();
  const read = await loadSettings(terminal, loaded, file);
  const write = logWriter(terminal);
  const served = await loaded.serve({ read, file, shown, env: terminal.env, write, version: versionOf(command) }).catch((error: unknown) => {
    throw notStarted(error);
  });
  // Before it says that it is there: whoever waits for that may signal it at once.
  const ended = untilEnded(() => void served.reload());
  if (asked) void served.reload();
  for (const { name, mode } of Object.values(read.settings.tenants)) {
    if (mode === 'observe') warn(terminal, paint(terminal, terminal.err, 'yellow', `OBSERVE MODE, tenant ${name}: every call is let through. What would have been answered is recorded.`));
  }
  warn(terminal, `interlock gateway ${versionOf(command)}: ${served.url}   (inbox ${served.url}/#/inbox, MCP ${served.url}/mcp)`);
  await ready?.(served.url);
  await ended;
  await served.stop();
  return EXIT.ok;
}

/** Resolves with the first signal that ends the process; a second one ends it at once. SIGHUP reads the settings again where there is something to read, and ends it else. */
export function untilEnded(reload?: () => void): Promise<void> {
  const ending = [['SIGINT', 2], ['SIGTERM', 15], ...(reload === undefined ? [['SIGHUP', 1]] : [])] as [NodeJS.Signals, number][];
  return new Promise((end) => {
    let over = false;
    if (reload !== undefined) instead('SIGHUP', reload);
    for (const [signal, number] of ending) {
      instead(signal, () => {
        if (over) process.exit(128 + number);
        over = true;
        end();
      });
    }
  });
}

/** Heeds a signal in the place of the program's own end, which would leave the store to its locks. Never without a listener in between: a signal that came but was not told yet would be lost. */
function instead(signal: NodeJS.Signals, heed: () => void): void {
  const before = process.listeners(signal);
  process.on(signal, heed);
  for (const listener of before) process.off(signal, listener);
}

/** A start that failed, in one sentence. */
export function notStarted(error: unknown): unknown {
  const { code, message, problems } = error as { code?: unknown; message?: unknown; problems?: unknown };
  if (error instanceof CliError || typeof code !== 'string' || typeof message !== 'string') return error;
  const told = Array.isArray(problems) ? `\n${problems.map((problem) => formatProblem(problem as Parameters<typeof formatProblem>[0])).join('\n')}` : '';
  return new CliError(code, `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}${told}`, HINTS[code] ?? 'Nothing was started.');
}

const HINTS: Record<string, string> = {
  port_in_use: 'Give another port (listen.port in the file, --port of the demo), or 0 for a free one.',
  store_in_use: 'Another gateway uses this store: end it, or give another engine.folder.',
  engine_missing: 'Or give engine: {folder: …}, which needs nothing beside the gateway.',
  engine_unreachable: 'Or give engine: {folder: …}, which needs no server.',
  store_newer: 'Start the version that wrote it, or put back an older backup.',
};

/** The log's lines as they are; for a person at a terminal a shorter form. */
export function logWriter(terminal: Terminal): (line: string) => void {
  return (line) => {
    if (!terminal.err.isTTY || !line.startsWith('{')) {
      terminal.err.write(line);
      return;
    }
    const { time, level, event, ...fields } = JSON.parse(line) as Record<string, unknown> & { time: string; level: string; event: string };
    const style = level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'dim';
    warn(terminal, `${paint(terminal, terminal.err, 'dim', time.slice(11, 19))} ${paint(terminal, terminal.err, style, event)} ${Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`).join(' ')}`);
  };
}

export function versionOf(command: Command): string {
  let root = command;
  while (root.parent !== null) root = root.parent;
  return root.version() ?? '0.0.0';
}
