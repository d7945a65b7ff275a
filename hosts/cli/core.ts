// The core as the command line uses it: chapter 8's operations, one line in and one line out.
import { CliError } from './exit.ts';
import type { LineDriver, Question, RegisteringCore } from './package.ts';
import type { Terminal } from './terminal.ts';

/** An error that the core answered; `problems` of a policy, `offset` in bytes and `pointer` where it has them. */
export class CoreError extends CliError {
  readonly offset: number | undefined;
  readonly pointer: string | undefined;
  readonly problems: readonly CoreProblem[] | undefined;

  constructor(error: { code: string; message?: string; offset?: number; pointer?: string; problems?: readonly CoreProblem[] }) {
    const where = error.pointer ? ` at ${error.pointer}` : error.offset === undefined ? '' : ` at byte ${error.offset}`;
    super(error.code, error.message && error.message !== error.code ? `${error.message}${where}` : `${error.code.replaceAll('_', ' ')}${where}`);
    this.offset = error.offset;
    this.pointer = error.pointer;
    this.problems = error.problems;
  }
}

interface CoreProblem { code: string; message: string; pointer: string }

/** The history's end as chapter 3 has it. */
export interface Head { step: number; link: string; state: string }
export type Entry = Record<string, unknown> & { step: number; tool: string; agent: string | null; decision: string; reason: string; at: number };
export interface HistoryDocument { format: 'qls-history/1'; session: string; entries: Entry[]; reports?: Record<string, unknown> }

/** One step of an answer's trace. */
export interface Traced { order: number; check: string; result: 'passed' | 'refused' | 'asks' | 'skipped'; detail?: unknown }

/** The answer of a check, chapter 4. */
export interface Answer {
  decision: 'allow' | 'confirm' | 'refuse'; reason: string; reasons: string[]; pointer?: string; detail?: Record<string, unknown>; question?: Question;
  confirmation?: string | null; arguments?: unknown; entry: Entry | null; step: number | null; link: string | null; policy: string; trace?: Traced[];
}
export interface ReceiptAnswer { decision: 'allow' | 'refuse'; reason: string; once?: string; [member: string]: unknown }

/** The operations of chapter 8. Each throws CoreError where the core answers an error. */
export class Core implements RegisteringCore {
  readonly #driver: LineDriver;
  #next = 0;

  constructor(driver: LineDriver) {
    this.#driver = driver;
  }

  /** Registers a policy and keeps it under `name`. */
  register(policyText: string, documents?: string, name = 'policy'): ReturnType<RegisteringCore['register']> {
    try {
      return this.#ask<{ policy: string; warnings: CoreProblem[]; partial: string[] }>('register', { name }, { policy: policyText, ...(documents ? { documents } : {}) });
    } catch (error) {
      if (error instanceof CoreError && error.problems) return { problems: error.problems };
      throw error;
    }
  }

  keys(text: string, name = 'keys'): { active: string | null; preview: boolean } {
    return this.#ask('keys', { name }, { keys: text });
  }

  /** A check; the request's bytes reach the core as they are. */
  check(request: string | Uint8Array, names: Names = {}): Answer {
    return this.#ask('check', { ...with_(names), base64: Buffer.from(request).toString('base64') });
  }

  report(members: { session: string; step: number; status: string; at?: number }, history: string, more: { result?: string; external_id?: string }, names: Names = {}): HistoryDocument {
    return this.#ask('report', { ...with_(names), ...members }, { history, ...more });
  }

  verify(session: string, history: string, head?: string, names: Names = {}): { valid: boolean; head?: Head; detail?: unknown } {
    return this.#ask('verify', { ...with_(names), session }, { history, ...(head ? { head } : {}) });
  }

  receipt(members: Record<string, unknown>, texts: { history: string; arguments: string; head?: string; principal?: string }, names: Names = {}): ReceiptAnswer {
    return this.#ask('receipt', { ...with_(names), ...members }, texts);
  }

  /** One line; `texts` are members whose JSON text goes in as it stands. */
  #ask<T>(op: string, members: Record<string, unknown>, texts: Record<string, string> = {}): T {
    const raw = Object.entries(texts).map(([name, text]) => `,${JSON.stringify(name)}:${text}`).join('');
    const line = `${JSON.stringify({ id: this.#next++, op, ...members }).slice(0, -1)}${raw}}`;
    const answer = JSON.parse(this.#driver.answer(line)) as { ok?: T; error?: ConstructorParameters<typeof CoreError>[0] };
    if (answer.error) throw new CoreError(answer.error);
    return answer.ok as T;
  }
}

/** The names that a policy and key set were kept under, where they are not `policy` and `keys`. */
export interface Names { policy?: string; keys?: string }

function with_({ policy = 'policy', keys = 'keys' }: Names): { policy: string; keys: string } {
  return { policy, keys };
}

/** The core of the terminal the command runs in. */
export async function openCore(terminal: Terminal): Promise<Core> {
  return new Core(await terminal.driver());
}
