// `hook`: answers a coding agent's hooks by a policy, on its own or over a running gateway; and writes the policy and settings to start from.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { onlyAgent } from '../gateway/agent.ts';
import { programWords } from '../gateway/client-settings.ts';
import { Remote, remoteKey } from '../gateway/remote.ts';
import { stateFolder } from '../gateway/state.ts';
import { hookSettings, STARTER } from '../hook-starter.ts';
import { keySetText, newKey, newKeySet } from '../keys.ts';
import { collect, example, integer, type Outcome, run } from '../options.ts';
import { formatProblem, policyJudge, register } from '../package.ts';
import { readText, writeOnce, writeWhole } from '../store.ts';
import { readInput, say, type Terminal, warn } from '../terminal.ts';

interface Options { policy?: string; gateway?: string; keyFile?: string; agent?: string; server?: string[]; data?: string; keepDays: number; wait: number; timeout: number }

/** The hook's own file of the gateway, built beside the command line. */
function loadHook(): Promise<typeof import('../../gateway/doors/hook/entry.ts')> {
  return import('../../gateway/doors/hook/entry.ts');
}

export function hook(program: Command, terminal: Terminal, outcome: Outcome): void {
  const parent = program.command('hook').description("answer a coding agent's hooks by a policy: allow, ask or deny, before a tool runs");
  const answers = parent.command('claude-code')
    .description("read a hook's JSON of Claude Code on standard input and answer it; settings call this, people call `hook init`")
    .option('-p, --policy <file>', 'decide here, by this policy, with a signed history kept for each session')
    .option('--gateway <address>', 'ask a running gateway')
    .option('--key-file <file>', "a file with the caller's key (otherwise INTERLOCK_KEY)")
    .option('--agent <name>', "the policy's agent that the harness is (otherwise its only one)")
    .option('--server <name>', 'an MCP server, as the harness calls it, whose tools the policy names without a server (again for more)', collect)
    .option('--data <folder>', "where the sessions are kept (otherwise a folder of this user's)")
    .option('--keep-days <days>', 'how long a session is kept that is not used; longer than the harness keeps its own', integer(1), 90)
    .option('--wait <seconds>', 'how long a question in the inbox of a gateway is waited for', integer(0), 40)
    .option('--timeout <seconds>', 'how long a gateway may take besides; what takes longer denies', integer(1), 15)
    .action(run(terminal, outcome, (options: Options) => answer(terminal, options)));
  const init = parent.command('init')
    .description("write a starter policy for Claude Code's tools, and show the settings that put the hook in place")
    .argument('[file]', 'the policy to write', 'claude-code.policy.yaml')
    .option('--force', 'replace a file that is there')
    .action(run(terminal, outcome, (file: string, options: { force?: boolean }) => start(terminal, file, options.force === true)));
  example(answers, 'interlock hook claude-code --policy claude-code.policy.yaml < event.json', 'interlock hook claude-code --gateway http://127.0.0.1:8484 --key-file key.txt < event.json');
  example(init, 'interlock hook init');
  example(parent, 'interlock hook init', 'interlock hook claude-code --policy claude-code.policy.yaml < event.json');
}

/** Answers one event. Whatever goes wrong is a coded error on standard error, a denial on standard output and exit code 2, by which the harness blocks the call. */
async function answer(terminal: Terminal, options: Options): Promise<Exit> {
  const { claudeCode, failed, isAfter, printed } = await loadHook();
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readInput(terminal));
    if ((options.policy === undefined) === (options.gateway === undefined)) throw new CliError('usage', 'Give either --policy or --gateway.');
    if (options.gateway !== undefined) return await asked(terminal, text, options, options.gateway);
    const parts = await local(terminal, options, resolve(options.policy!));
    try {
      const answered = await claudeCode(text, parts);
      if (answered.error !== undefined) return wrong(terminal, answered.error.code, answered.error.message, answered.decision === null ? null : printed(answered));
      if (answered.decision !== null) say(terminal, printed(answered));
      return EXIT.ok;
    } finally {
      parts.close();
    }
  } catch (error) {
    const denied = failed(error instanceof TypeError && (error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? new CliError('hook_input', "The hook's input is not UTF-8 text.") : error);
    return wrong(terminal, denied.error!.code, `${denied.error!.message}${error instanceof CliError && error.hint !== undefined ? ` ${error.hint}` : ''}`, isAfter(text) ? null : printed(denied));
  }
}

function wrong(terminal: Terminal, code: string, message: string, denial: string | null): Exit {
  warn(terminal, `interlock hook: error ${code}: ${message}`);
  if (denial !== null) say(terminal, denial);
  return EXIT.refused;
}

/** Decides here: the policy's file, and the keys and sessions in a folder of this user for this policy. */
async function local(terminal: Terminal, options: Options, policy: string) {
  const { openLocal } = await loadHook();
  const { id, text, documents, problems } = await register(policy, policyJudge);
  if (id === null) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    throw new CliError('policy_invalid', `${policy} is no policy that can be loaded: ${formatProblem(errors[0]!).split('\n')[0]!.replace(/\.$/, '')}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}.`, '`interlock lint` shows all that is wrong.');
  }
  const members = JSON.parse(text) as Record<string, unknown> & { agents: Record<string, unknown> };
  const agent = onlyAgent(Object.keys(members.agents), options.agent);
  const folder = options.data === undefined ? join(stateFolder(terminal.env), 'hooks', createHash('sha256').update(policy).digest('hex').slice(0, 16)) : resolve(options.data);
  const keys = join(folder, 'keys.json');
  await writeOnce(keys, keySetText(newKeySet(newKey('HS256'))), 0o600);
  return openLocal({ policy: members, documents, keys: await readText(terminal, keys, 'The key set'), agent, servers: options.server ?? [], folder, keepDays: options.keepDays });
}

/** Asks a gateway: it answers in the harness's form, and says by a header where it could decide nothing. */
async function asked(terminal: Terminal, text: string, options: Options, gateway: string): Promise<Exit> {
  const remote = new Remote(gateway, gateway, await remoteKey(terminal, options));
  const servers = options.server === undefined ? '' : `&server=${encodeURIComponent(options.server.join(','))}`;
  const { body, error } = await remote.hook(`/v1/hook/claude-code?wait=${options.wait}${servers}`, text, AbortSignal.timeout((options.wait + options.timeout) * 1000));
  const answered = JSON.parse(body) as { hookSpecificOutput?: { permissionDecision?: unknown; permissionDecisionReason?: unknown } };
  if (answered.hookSpecificOutput === undefined) return EXIT.ok;
  if (error !== null) return wrong(terminal, error, String(answered.hookSpecificOutput.permissionDecisionReason), body);
  say(terminal, body);
  return EXIT.ok;
}

async function start(terminal: Terminal, file: string, force: boolean): Promise<void> {
  await writeWhole(file, STARTER, { replace: force });
  say(terminal, `wrote ${file}`);
  say(terminal);
  say(terminal, 'Put this into .claude/settings.json of a project, or ~/.claude/settings.json for all of yours:');
  say(terminal);
  say(terminal, hookSettings(programWords(), resolve(file)));
  say(terminal);
  say(terminal, 'Then start Claude Code anew; /hooks shows them.');
}
