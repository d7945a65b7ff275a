// Makes a check's request text from a file, standard input or flags, without touching a digit of the arguments.
import { type Command, Option } from 'commander';
import { CliError } from './exit.ts';
import { readHistory } from './history.ts';
import { collect, integer } from './options.ts';
import { readText } from './store.ts';
import type { Terminal } from './terminal.ts';

export interface RequestOptions {
  tool?: string; args?: string; arg?: string[]; origin?: string[]; agent?: string; session?: string; turn?: string[]; fact?: string[]; context?: string; principal?: string; resource?: string;
  label?: string[]; history?: string; head?: string; confirmation?: string; approval?: string[]; undo?: number; now?: number;
}

/** The flags that together make a request. */
export function requestOptions(command: Command): Command {
  return command
    .option('--tool <name>', 'the tool called')
    .option('--args <json>', 'its arguments as JSON text, digits kept')
    .option('--arg <name=value>', 'one argument; JSON, else a string (again for more)', collect)
    .option('--origin <name=origin>', 'where an argument came from: typed, reply, context, result:STEP.FIELD … (again for more)', collect)
    .option('--agent <name>', 'who calls')
    .option('--session <id>', 'the session (otherwise the history\'s, else "cli")')
    .option('--turn <text>', 'what the person wrote (again for more)', collect)
    .option('--fact <name[=false]>', 'a fact for the rulebook (again for more)', collect)
    .option('--context <json>', 'all facts as a JSON object')
    .option('--principal <id>', 'who the call is for: an id, or a JSON object')
    .option('--resource <json>', 'what the host looked up, as a JSON object')
    .option('--label <mark>', 'a mark on the call (again for more)', collect)
    .option('--history <file>', 'the session so far; the answer is added to the file')
    .option('--head <file>', "the session's kept head")
    .option('--confirmation <token>', "a person's yes to the question asked before")
    .option('--approval <jws>', 'a signed approval (again for more)', collect)
    .option('--undo <step>', 'this call undoes that step', integer(0))
    .addOption(new Option('--now <seconds>', 'the time of the check (otherwise the clock)').argParser(integer(0)));
}

/** The request text, the session, and the history it was made with. */
export interface BuiltRequest { text: string | Uint8Array; history: string | null; session: string }

/**
 * A request from a file or standard input (`-`), or from flags where no file is named. With `--history` the file's history goes into it.
 * Fails with usage, file_unreadable.
 */
export async function buildRequest(terminal: Terminal, file: string | undefined, options: RequestOptions): Promise<BuiltRequest> {
  const history = options.history ? await readHistory(terminal, options.history) : null;
  if (file !== undefined) {
    const text = await readText(terminal, file, 'The request');
    const session = sessionIn(text) ?? options.session ?? 'cli';
    return { text: history === null ? text : spliced(text, `"history":${history}`), history, session };
  }
  if (!options.tool) throw new CliError('usage', 'A request is needed: name a file, - for standard input, or give --tool.', 'interlock check --tool get_order --arg order_id=4411');
  const session = options.session ?? (history === null ? undefined : sessionIn(history)) ?? 'cli';
  const members: string[] = [];
  const add = (name: string, value: unknown) => { if (value !== undefined) members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`); };
  const addText = (name: string, text: string | null | undefined) => { if (text !== null && text !== undefined) members.push(`${JSON.stringify(name)}:${text}`); };
  add('format', 'qls-tool-check/1');
  add('session', session);
  add('agent', options.agent);
  add('tool', options.tool);
  addText('arguments', argumentsText(options));
  add('origins', options.origin && Object.fromEntries(options.origin.map((pair) => halves(pair, '--origin'))));
  add('turns', options.turn);
  addText('context', options.context ?? (options.fact && JSON.stringify(Object.fromEntries(options.fact.map(fact)))));
  addText('principal', options.principal === undefined ? undefined : options.principal.trimStart().startsWith('{') ? options.principal : JSON.stringify({ id: options.principal }));
  addText('resource', options.resource);
  add('labels', options.label && { call: options.label });
  addText('history', history);
  addText('head', options.head ? await readText(terminal, options.head, 'The head') : null);
  add('confirmation', options.confirmation);
  add('approvals', options.approval);
  add('undo', options.undo === undefined ? undefined : { step: options.undo });
  add('now', options.now ?? Math.floor(Date.now() / 1000));
  return { text: `{${members.join(',')}}`, history, session };
}

/** The arguments' JSON text: `--args` as it stands, with the `--arg` pairs after its members. */
export function argumentsText({ args, arg = [] }: { args?: string; arg?: string[] }): string {
  const pairs = arg.map((pair) => {
    const [name, value] = halves(pair, '--arg');
    return `${JSON.stringify(name)}:${isJson(value) ? value : JSON.stringify(value)}`;
  });
  if (args === undefined) return `{${pairs.join(',')}}`;
  return pairs.length === 0 ? args : spliced(args, pairs.join(','));
}

/** An object's text with more members at its start. What is no object is left as it is, for the core to refuse. */
function spliced(text: string, members: string): string {
  return text.replace(/^(\s*\{)(\s*)(\}?)/, (_, open: string, space: string, close: string) => `${open}${space}${members}${close || ','}`);
}

function halves(pair: string, flag: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new CliError('usage', `${flag} ${pair}: NAME=VALUE is needed.`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function fact(text: string): [string, boolean] {
  const [name = '', value = 'true'] = text.split('=', 2);
  if (name === '' || (value !== 'true' && value !== 'false')) throw new CliError('usage', `--fact ${text}: NAME, NAME=true or NAME=false is needed.`);
  return [name, value === 'true'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sessionIn(text: string): string | undefined {
  try {
    const { session } = JSON.parse(text) as { session?: unknown };
    return typeof session === 'string' ? session : undefined;
  } catch {
    return undefined;
  }
}

/** The same request, asking for the trace. A request that asks already, or is no object, stays as it is. */
export function explained(text: string | Uint8Array): string | Uint8Array {
  if (typeof text !== 'string') return text;
  try {
    const request = JSON.parse(text) as { explain?: unknown };
    if (request.explain === true) return text;
    if (request.explain === false) return text.replace(/"explain"(\s*):(\s*)false/, '"explain"$1:$2true');
  } catch {
    return text;
  }
  return spliced(text, '"explain":true');
}
