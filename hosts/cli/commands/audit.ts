// `audit`: the log of a running gateway as lines, and whether a log is whole and unchanged, offline.
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { loadGateway } from '../gateway/load.ts';
import { remote, remoteOptions, type RemoteOptions } from '../gateway/remote.ts';
import { example, formatOption, integer, keysOption, type Outcome, run } from '../options.ts';
import { asKeySet } from '../keys.ts';
import { visible } from '../package.ts';
import { parseJson, readText } from '../store.ts';
import { paint, say, type Terminal, warn } from '../terminal.ts';

interface ExportOptions extends RemoteOptions { output?: string; from: number; values?: boolean }
interface QueryOptions extends RemoteOptions { from: number; limit: number; event?: string; call?: string; session?: string; tool?: string; actor?: string; format: string }
interface Line { seq: number; entry?: { at: number; event: string; actor: string; tool?: string; session?: string; call?: string; approval?: string; why?: string } }
interface Head { seq: number; hash: string }
interface VerifyOptions { keys: string; head?: Head | string; after?: Head; values?: string; format: string }

export function audit(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('audit').description("a gateway's audit log: query, export, verify");
  const query = remoteOptions(parent.command('query').description("the log's entries that say this, oldest first")).option('--from <seq>', 'from this sequence number', integer(0), 0).option('--limit <n>', 'at most so many', integer(1), 100)
    .option('--event <name>', 'the event, as call.denied').option('--call <id>', 'the call').option('--session <id>', "the session, by its whole name").option('--tool <name>', 'the tool').option('--actor <name>', 'who caused it')
    .addOption(formatOption()).action(run(terminal, outcome, (options: QueryOptions) => queryLog(terminal, options)));
  const exported = remoteOptions(parent.command('export').description("write the log of the key's tenant, a JSON line each")).option('-o, --output <file>', 'where it goes (otherwise standard output)').option('--from <seq>', 'from this sequence number', integer(0), 0)
    .option('--values', 'the argument values that the settings show instead, a record a line; the log binds them, and erasing a session takes its own away')
    .action(run(terminal, outcome, (options: ExportOptions) => exportLog(terminal, options)));
  const verify = parent.command('verify').description('whether an exported log is the one that was written: offline, a line at a time; ends with 2 where it is not')
    .argument('<file>', 'the log; - reads standard input').addOption(keysOption())
    .option('--head <seq:hash>', "a head or a checkpoint's signature that was kept: the log has to hold it, so nothing was cut off its end", headOrSignature)
    .option('--values <file>', 'the exported values: whether an entry binds each')
    .option('--after <seq:hash>', 'the head before the first line, of a log that was exported in parts', head)
    .addOption(formatOption())
    .action(run(terminal, outcome, (file: string, options: VerifyOptions) => verifyLog(terminal, file, options)));
  example(parent, 'interlock audit export -o log.jsonl && interlock audit verify log.jsonl');
  example(query, 'interlock audit query --event call.denied', "interlock audit query --tool charge_card --from 1200 --format json");
  example(exported, 'interlock audit export -o log.jsonl');
  example(verify, 'interlock audit verify log.jsonl --keys keys.json');
}

/** Pages until there are enough, or there are no more: one query of the API looks at so many lines only. */
async function queryLog(terminal: Terminal, { from, limit, format, url, keyFile, ...wanted }: QueryOptions): Promise<Exit> {
  const gateway = await remote(terminal, { ...(url === undefined ? {} : { url }), ...(keyFile === undefined ? {} : { keyFile }) });
  const found: Line[] = [];
  for (let next = from, end = false; !end && found.length < limit; ) {
    const query = new URLSearchParams({ from: String(next), limit: String(Math.min(limit - found.length, 1000)), ...wanted });
    const page = await gateway.ask<{ lines: Line[]; next: number; end: boolean }>('GET', `/v1/audit?${query}`);
    found.push(...page.lines);
    ({ next, end } = page);
  }
  for (const line of found) if (format === 'json') say(terminal, JSON.stringify(line));
  if (format === 'json') return EXIT.ok;
  if (found.length === 0) say(terminal, 'No entry says this.');
  for (const { seq, entry } of found) {
    if (entry === undefined) continue;
    const said = [entry.tool, entry.session && `session ${entry.session}`, entry.call && `call ${entry.call}`, entry.approval && `question ${entry.approval}`, entry.why && `(${entry.why})`].filter(Boolean).map((word) => visible(String(word)));
    say(terminal, `${seq}  ${new Date(entry.at).toISOString()}  ${paint(terminal, terminal.out, 'bold', visible(entry.event))}  ${visible(entry.actor)}  ${said.join(', ')}`.trimEnd());
  }
  return EXIT.ok;
}

async function exportLog(terminal: Terminal, options: ExportOptions): Promise<Exit> {
  const gateway = await remote(terminal, options);
  const parts = gateway.stream(options.values ? '/v1/audit/values' : `/v1/audit/export?from=${options.from}`, 'application/jsonl');
  if (options.output === undefined) {
    const decoder = new TextDecoder();
    for await (const part of parts) terminal.out.write(decoder.decode(part, { stream: true }));
    return EXIT.ok;
  }
  const file = await created(options.output);
  try {
    for await (const part of parts) await file.writeFile(part);
    await file.close();
  } catch (error) {
    // Half a log would verify as far as it goes.
    await file.close().catch(() => undefined);
    await rm(options.output, { force: true });
    throw error instanceof CliError ? error : unwritable(options.output, error);
  }
  warn(terminal, `wrote ${options.output}`);
  return EXIT.ok;
}

async function verifyLog(terminal: Terminal, file: string, options: VerifyOptions): Promise<Exit> {
  const { linesOfBytes, verifyAudit } = await loadGateway();
  const keys = asKeySet(parseJson(await readText(terminal, options.keys, 'The key set'), options.keys, 'The key set'), options.keys);
  const input = file === '-' ? Readable.from(terminal.in) : await opened(file);
  const kept = options.head === undefined ? {} : typeof options.head === 'string' ? { checkpoint: options.head } : { head: options.head };
  const values = options.values === undefined ? {} : { values: linesOfBytes(await opened(options.values)) };
  const known = { ...kept, ...values, ...(options.after === undefined ? {} : { from: options.after }) };
  const verified = await verifyAudit(linesOfBytes(input), keys as Parameters<typeof verifyAudit>[1], known);
  if (options.format === 'json') {
    say(terminal, JSON.stringify(verified));
    return verified.valid ? EXIT.ok : EXIT.refused;
  }
  const { problem, head: end } = verified;
  if (problem !== null) {
    say(terminal, `${paint(terminal, terminal.out, 'red', 'not valid')}  ${visible(file)}:${problem.line}: ${problem.code}: ${visible(problem.message)}`);
    return EXIT.refused;
  }
  say(terminal, `${paint(terminal, terminal.out, 'green', 'valid')}  tenant ${visible(verified.tenant ?? '')}, ${verified.entries} entries, ${verified.checkpoints} checkpoints`);
  if (end !== null) say(terminal, `  head ${end.seq}:${end.hash}   keep it elsewhere: with --head it shows that nothing was cut off`);
  if (verified.values !== undefined) say(terminal, `  ${verified.values.bound} records of values are bound, ${verified.values.absent} are erased or not in the file`);
  if (verified.uncovered > 0) say(terminal, `  the last ${verified.uncovered} ${verified.uncovered === 1 ? 'line is' : 'lines are'} under no signature yet: hashes alone hold them`);
  return EXIT.ok;
}

/** A new file for the log, readable by its owner alone. Fails with file_exists, file_unwritable. */
async function created(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CliError('file_exists', `${path} exists already.`, 'Name another file: an exported log is evidence.');
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): CliError {
  return new CliError('file_unwritable', `${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);
}

/** The log's bytes as they are read. Fails with file_unreadable before any line is read. */
async function opened(file: string): Promise<Readable> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return handle.createReadStream();
  } catch (error) {
    throw new CliError('file_unreadable', `The log ${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`);
  }
}

function headOrSignature(text: string): Head | string {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) ? text : head(text);
}

function head(text: string): Head {
  const found = /^(\d+):([A-Za-z0-9_-]{43})$/.exec(text);
  if (found === null) throw new InvalidArgumentError('Write it as the verification prints it: SEQ:HASH.');
  return { seq: Number(found[1]), hash: found[2]! };
}
