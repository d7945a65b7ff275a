// `audit`: the log of a running gateway as lines, and whether a log is whole and unchanged, offline.
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { once } from 'node:events';
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
interface Head { seq: number; hash: string }
interface VerifyOptions { keys: string; head?: Head | string; after?: Head; values?: string; format: string }

export function audit(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('audit').description("a gateway's audit log: export, verify");
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
  example(exported, 'interlock audit export -o log.jsonl');
  example(verify, 'interlock audit verify log.jsonl --keys keys.json');
}

async function exportLog(terminal: Terminal, options: ExportOptions): Promise<Exit> {
  const gateway = await remote(terminal, options);
  const parts = gateway.stream(options.values ? '/v1/audit/values' : `/v1/audit/export?from=${options.from}`, 'application/jsonl');
  if (options.output === undefined) {
    const decoder = new TextDecoder();
    for await (const part of parts) terminal.out.write(decoder.decode(part, { stream: true }));
    return EXIT.ok;
  }
  const file = createWriteStream(options.output, { flags: 'wx', mode: 0o600 });
  const failed = new Promise<never>((_, reject) => file.once('error', reject));
  failed.catch(() => undefined);
  try {
    for await (const part of parts) if (!file.write(part)) await Promise.race([once(file, 'drain'), failed]);
    file.end();
    await Promise.race([once(file, 'finish'), failed]);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CliError('file_exists', `${options.output} exists already.`, 'Name another file: an exported log is evidence.');
    if (error instanceof CliError) throw error;
    throw new CliError('file_unwritable', `${options.output} cannot be written: ${message}.`);
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
