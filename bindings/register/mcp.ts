// Asks an MCP server, started by its command over stdio, for its tools. Node only: it starts a process.
import type { Client } from '@modelcontextprotocol/client';
import type { Server } from './compile.ts';

/** A server that could not be asked; the message is for people and ends with what the server wrote to its standard error. */
export class McpServerError extends Error {
  readonly code = 'mcp_server';
  override readonly name = 'McpServerError';
  /** Whether the server ended before it said which protocol it speaks. */
  readonly endedEarly: boolean;

  constructor(message: string, endedEarly = false) {
    super(message);
    this.endedEarly = endedEarly;
  }
}

/** What of a server's standard error is kept for the message, in characters from its end. */
const STDERR_KEPT = 2000;
/** Pages of tools/list that are fetched before a server is given up. */
const PAGES = 64;
/** How long the probe for the newer protocol may take of a server that does not answer it, in milliseconds: one that npx has to fetch first is slow. */
const PROBE = 15_000;

/** A connected client of a server started over stdio. */
export interface Connection {
  client: Client;
  server: { name: string; version: string };
  /** The JSON text of the whole tools/list result, `{"server": {"name", "version"}, "tools": […]}`, every page of it, indented. */
  listing(): Promise<string>;
  /** Ends the client and the server. */
  close(): Promise<void>;
}

/**
 * Starts a server and connects to it with whichever protocol version both know. An `env` value `$NAME` is taken from the environment,
 * so that no secret need stand in a file. Rejects with McpServerError.
 */
export async function connect(server: Server): Promise<Connection> {
  const env = environment(server.env);
  try {
    return await connectAs(server, env, 'auto');
  } catch (error) {
    // Some servers end when the first message is not the older protocol's.
    if (error instanceof McpServerError && error.endedEarly) return connectAs(server, env, 'legacy');
    throw error;
  }
}

async function connectAs(server: Server, env: Record<string, string>, mode: 'auto' | 'legacy'): Promise<Connection> {
  let written = '';
  // Fetched when a server is asked, not before: most policies name none, and loading it takes longer than all the rest (and, in Deno, permissions).
  const [{ Client }, { getDefaultEnvironment, StdioClientTransport }] = await Promise.all([import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio')]);
  /**
   * Asks for the protocol's version on the one process that then serves. The library's own class starts a second process to ask and kills it when it is slow:
   * half an `npx` installation is left behind, and its lock.
   */
  class OneProcess extends StdioClientTransport {}
  const transport = new OneProcess({
    command: server.command, args: server.args, env: { ...getDefaultEnvironment(), ...env }, stderr: 'pipe', ...(server.cwd ? { cwd: server.cwd } : {}),
  });
  transport.stderr?.on('data', (chunk: Buffer) => { written = (written + chunk.toString('utf8')).slice(-STDERR_KEPT); });
  const timeout = server.timeout * 1000;
  const client = new Client(
    { name: 'interlock', version: '1' },
    { capabilities: {}, listMaxPages: PAGES, versionNegotiation: { mode, probe: { timeoutMs: Math.min(PROBE, timeout) } } },
  );
  const close = async () => {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await limited(client.connect(transport, { timeout }), timeout + PROBE, 'it did not answer in time');
  } catch (error) {
    await close();
    throw new McpServerError(withStderr(said(error, server.command), written), /negotiation/i.test(String(error)) && /closed/i.test(String(error)));
  }
  const info = client.getServerVersion();
  const named = { name: info?.name ?? server.command, version: info?.version ?? '' };
  const listing = async () => {
    try {
      if (!client.getServerCapabilities()?.tools) throw new Error('it says that it has no tools');
      const { tools } = await limited(client.listTools(undefined, { timeout }), timeout, 'it did not list its tools in time');
      return `${JSON.stringify({ server: named, tools }, null, 2)}\n`;
    } catch (error) {
      throw new McpServerError(withStderr(said(error, server.command), written));
    }
  };
  return { client, server: named, listing, close };
}

/** Starts a server, asks it for its listing and ends it. Rejects with McpServerError when it cannot be started, does not answer within its timeout, or has no tools to list. */
export async function listTools(server: Server): Promise<string> {
  const connection = await connect(server);
  try {
    return await connection.listing();
  } finally {
    await connection.close();
  }
}

function environment(wanted: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const from = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
    if (from === undefined) env[name] = value;
    else if (process.env[from] === undefined) throw new McpServerError(`the environment variable ${from} is not set`);
    else env[name] = process.env[from]!;
  }
  return env;
}

async function limited<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Error(message)), milliseconds); });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The library's message in words that say what to look at. */
function said(error: unknown, command: string): string {
  const { code, message } = error instanceof Error ? error as NodeJS.ErrnoException : { code: undefined, message: String(error) };
  if (code === 'ENOENT') return `${command} could not be started: there is no such program, or no such folder to start it in`;
  if (code === 'EACCES') return `${command} could not be started: that is not allowed`;
  if (/closed/i.test(message)) return `${command} ended before it answered as an MCP server`;
  if (/timed? ?out/i.test(message)) return 'it did not answer in time';
  if (/method not found/i.test(message)) return `${command} answered, but not as an MCP server`;
  return message;
}

function withStderr(message: string, written: string): string {
  const lines = written.trim().split('\n').filter((line) => line.trim() !== '').slice(-6);
  return lines.length > 0 ? `${message} (it wrote: ${lines.join(' | ')})` : message;
}
