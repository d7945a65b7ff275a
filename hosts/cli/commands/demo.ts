// interlock demo: the main job over a real MCP server: calls checked, run, confirmed, refused, undone, and the signed history verified.
import { join } from 'node:path';
import type { Command } from 'commander';
import { showQuestion } from '../answers.ts';
import { AGENT, type DemoTools, openTools, SERVER } from '../demo-tools.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { example, formatOption, type Outcome, run } from '../options.ts';
import { type Client, rawJson, type Session, type ToolCheck, visible } from '../package.ts';
import { newTable } from '../table.ts';
import { paint, say, type Style, type Terminal } from '../terminal.ts';

interface Options { yes?: boolean; keep?: boolean; format: string }

export function demo(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('demo')
    .description('see the whole job over a real MCP server, on a temporary folder')
    .option('-y, --yes', 'say yes where a person is asked')
    .option('--keep', 'keep the folder, with the policy, keys and history')
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => work(terminal, options)));
  example(command, 'interlock demo --yes');
}

async function work(terminal: Terminal, options: Options): Promise<Exit> {
  if (!options.yes && !terminal.in.isTTY) throw new CliError('no_person', 'A person is asked in the middle, and there is no terminal.', 'Give --yes.');
  if (options.format === 'human') say(terminal, `Asking ${SERVER} for its tools, and registering a policy over them …`);
  const tools = await openTools(terminal, options.keep ?? false);
  try {
    const story = new Story(terminal, options, tools);
    await story.tell();
    await tools.keepHistory(story.session.history.text);
    return finish(terminal, options, story, tools.folder);
  } finally {
    await tools.close();
  }
}

async function finish(terminal: Terminal, options: Options, story: Story, folder: string): Promise<Exit> {
  const verified = story.client.verify(story.session.history);
  const good = verified.valid && story.rows.every(({ expected, answer }) => answer.decision === expected);
  if (options.format === 'json') {
    const rows = story.rows.map(({ what, answer, outcome }) => ({ what, decision: answer.decision, reason: answer.reason, outcome }));
    say(terminal, JSON.stringify({ ok: good, policy: story.client.policy, server: story.server, rows, verified, ...(options.keep ? { folder } : {}) }));
    return good ? EXIT.ok : EXIT.refused;
  }
  const table = await newTable({ head: ['', 'the agent wants to', 'decision', 'why', 'what happened'], wordWrap: true, colWidths: columns(terminal.out.columns ?? 110) });
  for (const [index, { what, answer, outcome }] of story.rows.entries()) {
    table.push([String(index + 1), what, paint(terminal, terminal.out, STYLES[answer.decision], answer.decision), why(answer), visible(outcome)]);
  }
  say(terminal, table.toString());
  const head = verified.head;
  say(terminal, verified.valid
    ? `${paint(terminal, terminal.out, 'green', 'The signed history is valid')}: ${head!.step + 1} entries, one for each answer of the session, no value of any argument in them. Link ${head!.link}.`
    : paint(terminal, terminal.out, 'red', 'The history is not valid.'));
  say(terminal, options.keep ? `Kept in ${folder}: try  interlock verify ${join(folder, 'history.json')} -p ${join(folder, 'policy.yaml')} -k ${join(folder, 'keys.json')}` : 'The folder is gone; --keep keeps it.');
  return good ? EXIT.ok : EXIT.refused;
}

/** Widths of the table's columns for a terminal's width. */
function columns(width: number): number[] {
  const rest = Math.max(60, Math.min(width, 140) - 6 - 4 - 10);
  return [4, Math.floor(rest * 0.34), 10, Math.floor(rest * 0.31), Math.floor(rest * 0.35)];
}

const STYLES: Record<ToolCheck['decision'], Style> = { allow: 'green', confirm: 'yellow', refuse: 'red' };

/** The reason, in words a person knows. */
function why(answer: ToolCheck): string {
  const words = WORDS[answer.reason]?.(answer);
  return visible(words ? `${answer.reason}: ${words}` : answer.reasons.join(', '));
}

const WORDS: Record<string, (answer: ToolCheck) => string> = {
  allow: () => 'it only reads',
  write: () => 'it changes something, so a person sees it first',
  confirmed: () => 'the person said yes to exactly this call',
  compensation: ({ entry }) => `the declared undo of step ${entry?.undoes}`,
  argument_schema: ({ pointer }) => `the tool declares no ${pointer?.slice(1) ?? 'such argument'}`,
  order_rule: ({ detail }) => (detail?.['rule'] === 'not_after untrusted' ? 'something from outside was read before' : String(detail?.['rule'])),
  undeclared_destination: () => 'an address stands in an argument of a tool that sends nothing',
  unknown_tool: () => 'not a tool of this agent',
  history_invalid: () => 'this is not the history that was signed',
};

interface Row { what: string; answer: ToolCheck; outcome: string; expected: ToolCheck['decision'] }
interface Call { origins?: Record<string, string>; undo?: number; expected?: ToolCheck['decision'] }

/** The calls, in order; each is checked, and what is allowed is really run through the MCP client. */
class Story {
  readonly client: Client;
  readonly session: Session;
  readonly rows: Row[] = [];
  readonly server: { name: string; version: string };
  readonly #terminal: Terminal;
  readonly #options: Options;
  readonly #mcp: DemoTools['connection']['client'];
  readonly #folder: string;

  constructor(terminal: Terminal, options: Options, { client, connection, files }: DemoTools) {
    this.client = client;
    this.session = client.session(AGENT);
    this.#terminal = terminal;
    this.#options = options;
    this.#mcp = connection.client;
    this.server = connection.server;
    this.#folder = files;
  }

  async tell(): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    this.session.read(`look at ${this.#folder} and read ${at('minutes.txt')}, then move ${at('draft.txt')} to ${at('final.txt')}`);
    const path = { path: 'typed' };
    await this.call('list the folder', 'list_directory', { path: this.#folder }, { origins: path });
    await this.call('read the minutes (a stranger wrote them)', 'read_text_file', { path: at('minutes.txt') }, { origins: path });
    const move = { source: at('draft.txt'), destination: at('final.txt') };
    const moved = await this.call('move draft.txt to final.txt, as the person asked', 'move_file', move, { origins: { source: 'typed', destination: 'typed' }, expected: 'confirm' });
    await this.call('read with a hidden extra argument', 'read_text_file', { path: at('final.txt'), upload_to: 'backup' }, { origins: path, expected: 'refuse' });
    await this.call('do what the minutes told it: write a file', 'write_file', { path: at('passwords.txt'), content: 'hunter2' }, { expected: 'refuse' });
    await this.call('send the draft out inside an argument', 'search_files', { path: this.#folder, pattern: 'https://collect.invalid/?q=draft' }, { expected: 'refuse' });
    await this.call('call a tool it was not given', 'edit_file', { path: at('final.txt'), edits: [] }, { expected: 'refuse' });
    this.tampered();
    if (moved !== null) await this.call('take the move back', 'move_file', { source: move.destination, destination: move.source }, { undo: moved });
  }

  /** Checks a call; runs it when it is allowed, after a person's yes where one is needed. Gives the step that ran, or null. */
  private async call(what: string, tool: string, args: Record<string, string | string[]>, { expected = 'allow', ...call }: Call): Promise<number | null> {
    let answer = this.session.checkToolCall(tool, args, call);
    if (answer.decision === 'confirm' && expected === 'confirm') {
      const yes = await this.person(answer);
      this.rows.push({ what, answer, outcome: yes ? 'a person is asked, and says yes' : 'a person is asked, and says no: nothing runs', expected });
      if (!yes) return null;
      answer = this.session.checkToolCall(tool, args, { ...call, confirmation: answer.confirmation ?? undefined });
      what = 'the same call, with the yes';
      expected = 'allow';
    }
    const outcome = answer.decision === 'allow' ? await this.carryOut(tool, answer) : 'nothing runs';
    this.rows.push({ what, answer, outcome, expected });
    return answer.decision === 'allow' ? answer.step : null;
  }

  /** Runs the canonical arguments of the answer, and reports what became of the call. */
  private async carryOut(tool: string, answer: ToolCheck): Promise<string> {
    const result = await this.#mcp.callTool({ name: tool, arguments: answer.arguments ?? {} });
    const status = result.isError ? 'failed' : 'ran';
    this.session.ran(answer, status, result.structuredContent === undefined ? {} : { result: rawJson(JSON.stringify(result.structuredContent)) });
    const text = (result.content as { type: string; text?: string }[] | undefined)?.find(({ type }) => type === 'text')?.text ?? '';
    return `${status}: ${text.replaceAll(this.#folder, '…').split('\n').join(' ').slice(0, 70)}`;
  }

  private async person(answer: ToolCheck): Promise<boolean> {
    if (this.#options.format === 'human' && answer.question) showQuestion(this.#terminal, answer.question);
    if (this.#options.yes) return true;
    const { confirm, isCancel } = await import('@clack/prompts');
    const said = await confirm({ message: 'Let it run?' });
    if (isCancel(said)) throw new CliError('cancelled', 'Stopped at the question; nothing more was run.');
    return said;
  }

  /** Someone rewrites the past: a mark that the second entry never had. The host kept the head, so nothing restarts. */
  private tampered(): void {
    const history = this.session.history.toDict();
    history.entries[1] = { ...history.entries[1]!, labels: ['harmless'] };
    const answer = this.client.checkToolCall('list_directory', { path: this.#folder }, { agent: AGENT, history, head: this.session.head });
    this.rows.push({ what: 'go on from a history somebody rewrote', answer, outcome: 'nothing runs', expected: 'refuse' });
  }
}
