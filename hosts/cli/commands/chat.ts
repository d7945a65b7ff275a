// interlock chat: a conversation over the demo's tools without a model: turns are read, calls checked, a person asked, and what is allowed really runs.
import type { Command } from 'commander';
import { showQuestion } from '../answers.ts';
import { AGENT, type DemoTools, openTools, SERVER } from '../demo-tools.ts';
import { CliError, EXIT, type Exit } from '../exit.ts';
import { Lines } from '../lines.ts';
import { example, formatOption, languageOption, type Outcome, run } from '../options.ts';
import { Agent, type AllowedCall, type Approval, type Asked, type Executed, InterlockError, rawJson, type Reply, type StepReply, type ToolCheck, visible } from '../package.ts';
import { showPlan, showReading } from '../plans.ts';
import { paint, say, sayError, type Style, type Terminal } from '../terminal.ts';

interface Options { language?: string; keep?: boolean; format: string }

export function chat(program: Command, terminal: Terminal, outcome: Outcome): void {
  const command = program.command('chat')
    .description("talk to the demo's tools, a real MCP server on a temporary folder: every turn read, every call checked")
    .addOption(languageOption())
    .option('--keep', 'keep the folder, with the policy, keys and history')
    .addOption(formatOption())
    .action(run(terminal, outcome, (options: Options) => work(terminal, options)));
  example(command, 'interlock chat', "printf 'list the folder\\nmove ./draft.txt to ./final.txt\\ny\\n' | interlock chat");
}

const HELP = [
  'Say what to do, for example:', '  list the folder', '  read file ./minutes.txt', '  move ./draft.txt to ./final.txt', '  write "hello" to ./note.txt', '  e-mail ./draft.txt to bob@example.com',
  '/undo takes the last step back that can be, /why says how the last turn was read, /help shows this, Ctrl-D or /quit leaves.',
];

async function work(terminal: Terminal, options: Options): Promise<Exit> {
  const human = options.format === 'human';
  if (human) say(terminal, `Asking ${SERVER} for its tools, and registering a policy over them …`);
  const tools = await openTools(terminal, options.keep ?? false);
  try {
    const talk = new Talk(terminal, options, tools);
    if (human) for (const line of [`The folder is ${tools.files}.`, ...HELP]) say(terminal, line);
    await talk.loop();
    const { history } = talk.agent.session;
    const { valid } = tools.client.verify(history);
    await tools.keepHistory(history.text);
    if (human) {
      say(terminal, valid ? `The signed history is valid: ${history.length} ${history.length === 1 ? 'entry' : 'entries'}.` : 'The history is not valid.');
      say(terminal, options.keep ? `Kept in ${tools.folder}.` : 'The folder is gone; --keep keeps it.');
    } else say(terminal, JSON.stringify({ valid, entries: history.length, ...(options.keep ? { folder: tools.folder } : {}) }));
    talk.agent.close();
    return valid ? talk.exit : EXIT.refused;
  } finally {
    await tools.close();
  }
}

const STYLES: Record<ToolCheck['decision'], Style> = { allow: 'green', confirm: 'yellow', refuse: 'red' };

/** One conversation. */
class Talk {
  readonly agent: Agent;
  /** `failed` where some line could not be taken, `interrupted` where it was left by Ctrl-C. */
  exit: Exit = EXIT.ok;
  readonly #terminal: Terminal;
  readonly #options: Options;
  readonly #tools: DemoTools;
  readonly #lines: Lines;
  /** Stops what is under way; null while a line is waited for. */
  #stop: AbortController | null = null;
  readonly #undoable: number[] = [];
  #turn: string | null = null;

  constructor(terminal: Terminal, options: Options, tools: DemoTools) {
    this.#terminal = terminal;
    this.#options = options;
    this.#tools = tools;
    this.agent = new Agent(tools.client, AGENT, { execute: (call) => this.#execute(call), approve: (asked) => this.#ask(asked) });
    this.#lines = new Lines(terminal, options.format, () => this.#interrupt());
  }

  async loop(): Promise<void> {
    for (;;) {
      const line = (await this.#lines.next('> '))?.trim();
      if (line === undefined || line === '/quit') break;
      if (line === '') continue;
      this.#stop = new AbortController();
      try {
        await this.#take(line, this.#stop.signal);
      } catch (error) {
        if (!(error instanceof InterlockError)) throw error;
        this.exit = EXIT.failed;
        sayError(this.#terminal, new CliError(error.code, `${error.message}.`), this.#options.format);
      }
      this.#stop = null;
    }
    this.#lines.close();
  }

  async #take(line: string, signal: AbortSignal): Promise<void> {
    if (line === '/help') return HELP.forEach((text) => { this.#note(text); });
    if (line === '/why') return this.#why();
    if (line === '/undo') return this.#undo(signal);
    this.#turn = line;
    const reply = await this.agent.chat(line, { language: this.#options.language, signal });
    for (const { status, check } of reply.steps) if (status === 'ran' && typeof check?.step === 'number') this.#undoable.push(check.step);
    if (this.#options.format === 'json') say(this.#terminal, JSON.stringify({ turn: line, ...reply, steps: reply.steps.map(brief) }));
    else this.#show(reply);
  }

  #show(reply: Reply): void {
    if (reply.outcome === 'declined' || reply.outcome === 'unread' || reply.outcome === 'ask') {
      showPlan(this.#terminal, reply.plan);
      if (reply.outcome === 'unread') say(this.#terminal, `  ${reply.text}`);
      return;
    }
    for (const step of reply.steps) this.#showStep(step);
  }

  #showStep(step: StepReply): void {
    const { tool, status, check } = step;
    const decision = check === undefined ? '' : `${paint(this.#terminal, this.#terminal.out, STYLES[check.decision], check.decision)} (${visible(check.reasons.join(', '))}), `;
    say(this.#terminal, `  ${visible(tool)}: ${decision}${status.replaceAll('_', ' ')}`);
    for (const line of step.text.trimEnd().split('\n')) say(this.#terminal, `    ${visible(line)}`);
  }

  #note(text: string): void {
    say(this.#terminal, this.#options.format === 'json' ? JSON.stringify({ note: text }) : `  ${text}`);
  }

  #why(): void {
    if (this.#turn === null) {
      this.#note('Nothing was said yet.');
      return;
    }
    const explained = this.#tools.client.explainTurn(this.#turn, { agent: AGENT, language: this.#options.language });
    if (this.#options.format === 'json') say(this.#terminal, JSON.stringify(explained));
    else showReading(this.#terminal, explained);
  }

  /** Undoes the last step that declares an undo. */
  async #undo(signal: AbortSignal): Promise<void> {
    for (let step = this.#undoable.pop(); step !== undefined; step = this.#undoable.pop()) {
      try {
        const undone = await this.agent.undo(step, { signal });
        if (this.#options.format === 'json') say(this.#terminal, JSON.stringify({ undo: step, ...brief(undone) }));
        else this.#showStep(undone);
        return;
      } catch (error) {
        if (!(error instanceof InterlockError) || error.code !== 'compensation_unknown') throw error;
      }
    }
    this.#note('Nothing that ran can be undone.');
  }

  /** Runs the call through the MCP client. What the server says is shown as it came, and reported where it has a structure. */
  async #execute({ tool, arguments: args, signal }: AllowedCall): Promise<Executed> {
    const result = await this.#tools.connection.client.callTool({ name: tool, arguments: args }, { signal });
    const text = (result.content as { type: string; text?: string }[] | undefined)?.map((part) => part.text ?? `[${part.type}]`).join('\n') ?? '';
    return {
      status: result.isError === true ? 'failed' : 'ran', text,
      ...(result.structuredContent === undefined ? {} : { result: rawJson(JSON.stringify(result.structuredContent)) }),
    };
  }

  async #ask({ tool, doubt, question, signal }: Asked): Promise<Approval | undefined> {
    if (this.#options.format === 'json') say(this.#terminal, JSON.stringify({ ask: tool, ...(doubt === undefined ? {} : { doubt }), ...(question === undefined ? {} : { question }) }));
    else {
      if (doubt !== undefined) say(this.#terminal, `  ${visible(doubt)}`);
      if (question !== undefined) showQuestion(this.#terminal, question);
    }
    for (;;) {
      const answer = (await this.#lines.next('  Let it run? [y/N] ', signal))?.trim().toLowerCase();
      if (answer === undefined) return undefined;
      if (['y', 'yes', 's', 'sim'].includes(answer)) return true;
      if (['', 'n', 'no', 'não', 'nao'].includes(answer)) return false;
      say(this.#terminal, '  y lets it run, n does not.');
    }
  }

  /** Ctrl-C stops what is under way; where nothing is, it leaves. */
  #interrupt(): void {
    if (this.#stop !== null) this.#stop.abort();
    else {
      this.exit = EXIT.interrupted;
      this.#lines.close();
    }
  }
}

/** A step as a program needs it. */
function brief({ tool, status, check, text, error }: StepReply): object {
  const decided = check === undefined ? {} : { decision: check.decision, reasons: check.reasons, step: check.step };
  return { tool, status, ...decided, text, ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }) };
}
