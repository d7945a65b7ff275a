// interlock keygen: makes a key set, adds a key to one (rotation), or prints its public half.
import { type Command, Option } from 'commander';
import { CliError } from '../exit.ts';
import { type Algorithm, asKeySet, type KeySet, keySetText, newKey, newKeySet, publicHalf, withKey } from '../keys.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { parseJson, readText, writeWhole } from '../store.ts';
import { say, type Terminal, warn } from '../terminal.ts';

interface Options { alg: Algorithm; kid?: string; use: 'sign' | 'approve'; plainDigests?: boolean; add?: string; public?: string; output?: string; force?: boolean; format: string }

export function keygen(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('keygen')
    .description('make a key set, add a key to one, or print its public half')
    .addOption(new Option('--alg <algorithm>', 'HS256 (a shared secret) or EdDSA (Ed25519)').choices(['HS256', 'EdDSA']).default('HS256'))
    .option('--kid <id>', 'the id of the new key (otherwise a random one)')
    .addOption(new Option('--use <use>', 'sign histories, or sign approvals').choices(['sign', 'approve']).default('sign'))
    .option('--plain-digests', 'digests without a key, for verifiers that hold no secret')
    .option('--add <file>', 'add the key to this set and make it the active one; older keys go on verifying')
    .option('--public <file>', 'print this set without its secrets')
    .option('-o, --output <file>', 'write here instead of to standard output')
    .option('--force', 'replace the file of --output')
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => work(terminal, options)));
  example(command, 'interlock keygen -o keys.json', 'interlock keygen --add keys.json        # rotate', 'interlock keygen --alg EdDSA --plain-digests -o signing.json && interlock keygen --public signing.json -o public.json');
}

async function work(terminal: Terminal, options: Options): Promise<void> {
  if (options.add && options.public) throw new CliError('usage', '--add and --public exclude each other.');
  const read = async (file: string) => asKeySet(parseJson(await readText(terminal, file, 'The key set'), file, 'The key set'), file);
  if (options.public) return put(terminal, options, publicHalf(await read(options.public)), 0o644);
  const key = newKey(options.alg, options.use, options.kid);
  if (options.add) {
    const set = withKey(await read(options.add), key);
    await writeWhole(options.output ?? options.add, keySetText(set), { mode: 0o600, replace: !options.output || options.force === true });
    warn(terminal, `added ${key.kid} to ${options.output ?? options.add}${key.use === 'approve' ? '' : ': it signs from now on'}`);
    return;
  }
  if (key.use === 'approve') {
    if (options.output) return writeSecret(terminal, options, `${JSON.stringify(key, null, 2)}\n`);
    say(terminal, JSON.stringify(key, null, options.format === 'json' ? 0 : 2));
    return;
  }
  const set = newKeySet(key);
  if (options.plainDigests) {
    delete set.digest_key;
    set.digests = 'plain';
  }
  return put(terminal, options, set, 0o600);
}

async function put(terminal: Terminal, options: Options, set: KeySet, mode: number): Promise<void> {
  if (!options.output) {
    terminal.out.write(options.format === 'json' ? `${JSON.stringify(set)}\n` : keySetText(set));
    return;
  }
  return writeSecret(terminal, options, keySetText(set), mode);
}

async function writeSecret(terminal: Terminal, options: Options, text: string, mode = 0o600): Promise<void> {
  await writeWhole(options.output!, text, { mode, replace: options.force === true });
  warn(terminal, `wrote ${options.output}`);
}
