// The settings by which MCP clients reach a gateway, or start a wrapped server: printed for people to copy.
import { existsSync, realpathSync } from 'node:fs';

/** Over streamable HTTP, with the caller's key. */
export function clientOverHttp(name: string, url: string, key: string): string {
  return JSON.stringify({ mcpServers: { [clientName(name)]: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } } });
}

/** Over standard input and output: `interlock wrap` before the server's own command. */
export function clientOverStdio(name: string, program: readonly string[], policy: string, server: readonly string[]): string {
  const [command, ...args] = [...program, 'wrap', '--policy', policy, '--', ...server];
  return JSON.stringify({ mcpServers: { [clientName(name)]: { command, args } } });
}

/** The server's name towards a client: a coding agent's hook refuses the tools of a server that is named like Interlock itself (row H1). */
function clientName(name: string): string {
  return /^_*interlock(?![a-z])/i.test(name) ? 'gate' : name;
}

/** How this program is started from anywhere: clients and harnesses have a folder and a PATH of their own. */
export function programWords(): string[] {
  const file = process.argv[1];
  return file !== undefined && existsSync(file) ? [process.execPath, realpathSync(file)] : ['interlock'];
}

/** How the person started this program, for the commands that are shown next: by npx in a clone or a project, else by its name. */
export function shownProgram(env: Record<string, string | undefined>): string {
  return env['npm_command'] === 'exec' ? 'npx interlock' : 'interlock';
}

/** A word as a POSIX shell reads it. */
export function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
