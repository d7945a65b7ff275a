// Makes a check's request text from a file, standard input or flags, without touching a digit of the arguments.
import { type Command, Option } from 'commander';
import { type Answer, type Core, CoreError } from './core.ts';
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
 * A request from flags, or from a file or standard input (`-`) to which flags add what it lacks. With `--history` the file's history goes into it, and `now` is
 * the clock's where nobody says. Fails with usage, file_unreadable, history_format.
 */
export async function buildRequest(terminal: Terminal, file: string | undefined, options: RequestOptions): Promise<BuiltRequest> {
  if (file === undefined && !options.tool) {
    throw new CliError('usage', 'A request is needed: name a file, - for standard input, or give --tool.', 'interlock check --tool get_order --arg order_id=4411');
  }
  const history = options.history ? await readHistory(terminal, options.history) : null;
  const text = file === undefined ? null : await readText(terminal, file, 'The request');
  const given = text === null ? {} : membersIn(text);
  if (given === null) return { text: text!, history, session: options.session ?? 'cli' };
  const session = own(given, 'session') ?? options.session ?? (history === null ? undefined : own(membersIn(history) ?? {}, 'session')) ?? 'cli';
  const flags = await flagMembers(terminal, options, history);
  for (const [name, , flag] of flags) {
    if (Object.hasOwn(given, name)) throw new CliError('usage', `${flag}: the request ${file === '-' ? 'on standard input' : file} says ${name} already.`, 'Leave one of the two out.');
  }
  const missing = ([name]: readonly [string, ...string[]]) => !Object.hasOwn(given, name) && !flags.some(([flag]) => flag === name);
  const now = String(Math.floor(Date.now() / 1000));
  const filled: [string, string][] = text === null ? [['format', '"qls-tool-check/1"'], ['session', JSON.stringify(session)], ['arguments', '{}'], ['now', now]] : [['now', now]];
  const members = [...flags, ...filled.filter(missing)].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  return { text: text === null ? `{${members}}` : members === '' ? text : spliced(text, members), history, session };
}

/** Members that flags give, each with its JSON text and the flag. */
async function flagMembers(terminal: Terminal, options: RequestOptions, history: string | null): Promise<[string, string, string][]> {
  const flags: [string, string, string][] = [];
  const addText = (name: string, text: string | null | undefined, flag = `--${name}`) => { if (text !== null && text !== undefined) flags.push([name, text, flag]); };
  const add = (name: string, value: unknown, flag = `--${name}`) => addText(name, value === undefined ? undefined : JSON.stringify(value), flag);
  add('session', options.session);
  add('agent', options.agent);
  add('tool', options.tool);
  if (options.args !== undefined || options.arg !== undefined) addText('arguments', argumentsText(options), options.args === undefined ? '--arg' : '--args');
  add('origins', options.origin && origins(options), '--origin');
  add('turns', options.turn, '--turn');
  addText('context', options.context ?? (options.fact && JSON.stringify(Object.fromEntries(options.fact.map(fact)))), options.context === undefined ? '--fact' : '--context');
  addText('principal', options.principal === undefined ? undefined : options.principal.trimStart().startsWith('{') ? options.principal : JSON.stringify({ id: options.principal }));
  addText('resource', options.resource);
  add('labels', options.label && { call: options.label }, '--label');
  addText('history', history);
  addText('head', options.head ? await readText(terminal, options.head, 'The head') : null);
  add('confirmation', options.confirmation);
  add('approvals', options.approval, '--approval');
  add('undo', options.undo === undefined ? undefined : { step: options.undo });
  add('now', options.now);
  return flags;
}

/** The claims of `--origin`. The check ignores a claim for a name that is no argument, and distrusts an origin it does not know: typed by hand, both are mistakes. */
function origins(options: RequestOptions): Record<string, string> {
  const claims = Object.fromEntries(options.origin!.map((pair) => halves(pair, '--origin')));
  const args = options.args === undefined && options.arg === undefined ? null : membersIn(argumentsText(options));
  const names = args === null ? null : Object.keys(args);
  for (const [name, origin] of Object.entries(claims)) {
    if (!ORIGIN.test(origin)) throw new CliError('usage', `--origin ${name}=${origin}: that is no origin.`, 'The origins are typed, model, reply, context, computed and result:STEP.FIELD.');
    if (names !== null && !names.includes(name)) throw new CliError('usage', `--origin ${name}=${origin}: the call has no argument ${name}.`, names.length > 0 ? `Its arguments are ${names.join(', ')}.` : undefined);
  }
  return claims;
}

const ORIGIN = /^(?:typed|model|reply|context|computed|result:(?:0|[1-9]\d*)(?:\..+)?)$/s;

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

/** The members of an object's JSON text; null where it is no such text, which the core says better. */
function membersIn(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}

function own(members: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === 'string' ? value : undefined;
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

/** The core's answer to a request. What the core cannot read of a file is said of that file. */
export function decided(core: Core, text: string | Uint8Array, file: string | undefined): Answer {
  try {
    return core.check(text);
  } catch (error) {
    if (!(error instanceof CoreError) || file === undefined || !/^(?:json_|request_)/.test(error.code)) throw error;
    const what = file === '-' ? 'The request on standard input' : `The request ${file}`;
    throw new CliError(error.code, `${what}: ${error.message}`, 'A request is {"format": "qls-tool-check/1", "session": …, "tool": …, "arguments": {…}} and what else the call has.');
  }
}
