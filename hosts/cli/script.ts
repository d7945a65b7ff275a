// Scripts of calls with expected answers: the test format for policies. Reads a script, runs it, and writes the answers given back into it.
import { type Document, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { Answer, Core, HistoryDocument } from './core.ts';
import { CliError } from './exit.ts';
import { grown, newHistory } from './history.ts';
import { isObject, type JsonObject, type JsonValue, PlaceBook, readSource } from './package.ts';

/** When a script's first step happens, where it does not say; every step is a second later. */
const START = 1764445000;
const CALL_MEMBERS = ['context', 'principal', 'resource', 'labels', 'turns', 'approvals', 'head'];
const SCRIPT_MEMBERS = new Set(['policy', 'keys', 'agent', 'session', 'at', 'context', 'principal', 'resource', 'cases', 'steps', 'name']);
const STEP_MEMBERS = new Set(['turn', 'call', 'confirm', 'ran', 'failed', 'outcome_unknown', 'compensated', 'verify', 'arguments', 'origins', 'agent', 'at', 'undo', 'step', 'external_id', 'expect', ...CALL_MEMBERS]);
const OUTCOMES = ['ran', 'failed', 'outcome_unknown', 'compensated'] as const;

/** A script as read: what it runs with, its cases, and its text with the places of everything in it. */
export interface Script { file: string; policy?: string; keys?: string; cases: Case[]; text: string; json: boolean; document: Document }
interface Case { name: string; defaults: JsonObject; steps: JsonObject[]; path: (string | number)[] }

/** One step that was checked. `differs` is empty where the answer is as expected. */
export interface Ran { case: string; index: number; what: string; expected: JsonValue | undefined; answer: Answer | { decision: string; reason: string } | null; differs: string[]; path: (string | number)[] }

/** Reads a script. Fails with script_invalid, saying where. */
export function readScript(file: string, text: string): Script {
  const read = readSource(file, text, new PlaceBook());
  const first = read.problems[0];
  if (first || !isObject(read.value)) throw new CliError('script_invalid', first ? `${file}:${first.line}:${first.column}: ${first.message}` : `${file}: a script is an object with steps: or cases:.`, first?.hint);
  const value = read.value;
  only(value, SCRIPT_MEMBERS, file);
  const document = parseDocument(text, { version: '1.2', schema: 'core' });
  const one = Array.isArray(value['steps']);
  const listed = one ? [value] : Array.isArray(value['cases']) ? value['cases'] : null;
  if (!listed) throw new CliError('script_invalid', `${file}: steps: or cases: is needed.`, 'See the session.yaml that `interlock init` writes.');
  const cases = listed.map((item, index): Case => {
    if (!isObject(item) || !Array.isArray(item['steps'])) throw new CliError('script_invalid', `${file}: case ${index + 1} has no steps:.`);
    only(item, SCRIPT_MEMBERS, `${file}: case ${index + 1}`);
    const steps = item['steps'].map((step, at) => {
      if (!isObject(step)) throw new CliError('script_invalid', `${file}: step ${at + 1} of case ${index + 1} is no object.`);
      only(step, STEP_MEMBERS, `${file}: step ${at + 1} of case ${index + 1}`);
      return step;
    });
    return { name: typeof item['name'] === 'string' ? item['name'] : one ? file : `case ${index + 1}`, defaults: { ...value, ...item }, steps, path: one ? ['steps'] : ['cases', index, 'steps'] };
  });
  if (!cases.some(({ steps }) => steps.some((step) => ['call', 'confirm', 'verify'].some((name) => step[name] !== undefined)))) {
    throw new CliError('script_invalid', `${file}: no step calls anything, so nothing is tested.`, 'A step is a call:, among others; see the session.yaml that `interlock init` writes.');
  }
  const text_ = (name: string) => (typeof value[name] === 'string' ? { [name]: value[name] } : {});
  return { file, cases, text, json: /\.json$/i.test(file), document, ...text_('policy'), ...text_('keys') };
}

function only(object: JsonObject, known: ReadonlySet<string>, where: string): void {
  const strange = Object.keys(object).find((name) => !known.has(name) && !name.startsWith('x-'));
  if (strange !== undefined) throw new CliError('script_invalid', `${where}: ${strange} is no member here.`, `The members are: ${[...known].join(', ')}.`);
}

/** Runs every case in a session of its own. */
export function runScript(core: Core, script: Script): Ran[] {
  return script.cases.flatMap((one, index) => new Session(core, one, `${typeof one.defaults['session'] === 'string' ? one.defaults['session'] : 'script'}-${index}`).run());
}

class Session {
  readonly #core: Core;
  readonly #case: Case;
  readonly #session: string;
  readonly #turns: string[] = [];
  #history: HistoryDocument;
  #at: number;
  #last: { request: Record<string, unknown>; text: string; answer: Answer } | null = null;
  #allowed: number | null = null;

  constructor(core: Core, one: Case, session: string) {
    this.#core = core;
    this.#case = one;
    this.#session = session;
    this.#history = newHistory(session);
    this.#at = typeof one.defaults['at'] === 'number' ? one.defaults['at'] : START;
  }

  run(): Ran[] {
    const ran: Ran[] = [];
    for (const [index, step] of this.#case.steps.entries()) {
      if (typeof step['at'] === 'number') this.#at = step['at'];
      const path = [...this.#case.path, index];
      const note = (what: string, answer: Ran['answer']) => ran.push({ case: this.#case.name, index, what, expected: step['expect'], answer, differs: differences(step['expect'], answer), path });
      this.at(index, () => {
        if (typeof step['turn'] === 'string') this.#turns.push(step['turn']);
        else if (typeof step['call'] === 'string') note(step['call'], this.call(step));
        else if (step['confirm'] !== undefined) note(`confirm ${this.#last?.request['tool'] ?? ''}`, this.confirm(step));
        else if (step['verify'] !== undefined) note('verify', this.verify());
        else if (!this.reported(step)) throw new CliError('script_invalid', `call:, turn:, confirm:, verify: or one of ${OUTCOMES.join(', ')} is needed.`);
      });
      this.#at++;
    }
    return ran;
  }

  /** Does a step's work; what it throws says which step of which case it is. */
  private at(index: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof CliError) throw new CliError(error.code, `${this.#case.name}, step ${index + 1}: ${error.message}`, error.hint);
      throw error;
    }
  }

  private call(step: JsonObject): Answer {
    const request: Record<string, unknown> = { format: 'qls-tool-check/1', session: this.#session, tool: step['call'], turns: [...this.#turns] };
    for (const name of ['agent', ...CALL_MEMBERS]) {
      const value = step[name] ?? this.#case.defaults[name];
      if (value !== undefined && value !== null) request[name] = value;
    }
    if (step['origins'] !== undefined) request['origins'] = step['origins'];
    if (step['undo'] !== undefined) request['undo'] = typeof step['undo'] === 'number' ? { step: step['undo'] } : step['undo'];
    const given = step['arguments'] ?? {};
    return this.ask(request, typeof given === 'string' ? given : JSON.stringify(given));
  }

  private confirm(step: JsonObject): Answer {
    if (!this.#last) throw new CliError('script_invalid', 'confirm: needs a call before it.');
    const token = this.#last.answer.confirmation;
    const request = { ...this.#last.request, ...(typeof token === 'string' ? { confirmation: token } : {}), ...(step['approvals'] === undefined ? {} : { approvals: step['approvals'] }) };
    return this.ask(request, this.#last.text);
  }

  private ask(request: Record<string, unknown>, text: string): Answer {
    const members = JSON.stringify({ ...request, now: this.#at, history: this.#history });
    const answer = this.#core.check(`${members.slice(0, -1)},"arguments":${text}}`);
    this.#history = grown(this.#history, answer);
    this.#last = { request, text, answer };
    if (answer.decision === 'allow') this.#allowed = answer.step;
    return answer;
  }

  private verify(): { decision: string; reason: string } {
    const { valid } = this.#core.verify(this.#session, JSON.stringify(this.#history));
    return { decision: valid ? 'valid' : 'not valid', reason: valid ? 'valid' : 'not valid' };
  }

  private reported(step: JsonObject): boolean {
    const status = OUTCOMES.find((name) => step[name] !== undefined);
    if (!status) return false;
    const at = typeof step['step'] === 'number' ? step['step'] : this.#allowed;
    if (at === null) throw new CliError('script_invalid', `${status}: needs an allowed call before it.`);
    const result = step[status];
    const more = { ...(isObject(result) ? { result: JSON.stringify(result) } : {}), ...(step['external_id'] === undefined ? {} : { external_id: JSON.stringify(step['external_id']) }) };
    this.#history = this.#core.report({ session: this.#session, step: at, status, at: this.#at }, JSON.stringify(this.#history), more);
    return true;
  }
}

/** What differs from what was expected: a decision alone, or an object whose members are compared (objects inside it member by member). */
function differences(expected: JsonValue | undefined, answer: Ran['answer']): string[] {
  if (expected === undefined || answer === null) return [];
  if (typeof expected === 'string') return answer.decision === expected ? [] : [`expected ${expected}, got ${answer.decision} (${answer.reason})`];
  if (!isObject(expected)) return ['expect: is a decision or an object'];
  return compare(expected, answer as unknown as JsonObject, '');
}

function compare(expected: JsonObject, given: JsonObject, where: string): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const got = given[name];
    if (isObject(wanted) && isObject(got)) return compare(wanted, got, `${where}${name}.`);
    return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [`${where}${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got) ?? 'none'}`];
  });
}

/** The script's text with every `expect` that differs set to the answer given; nothing else in it is touched. */
export function updated(script: Script, ran: readonly Ran[]): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { answer, expected, differs, path } of ran) {
    if (!answer || (expected !== undefined && differs.length === 0)) continue;
    const text = `${script.json ? '"expect"' : 'expect'}: ${flow(freshExpectation(expected, answer), script.json)}`;
    const step = script.document.getIn(path, true) as YAMLMap<Node, Node | null>;
    const pair = step.items.find(({ key }) => isScalar(key) && key.value === 'expect');
    const last = step.items.at(-1)!;
    if (pair) edits.push({ start: pair.key.range![0], end: endOf(pair), text });
    else if (step.flow) edits.push({ start: endOf(last), end: endOf(last), text: `, ${text}` });
    else {
      const start = endOf(last);
      const indent = ' '.repeat(columnOf(script.text, step.range![0]));
      // A block text ends after its line's end: the new line comes before the next one, not after it.
      const newLine = script.text[start - 1] === '\n';
      edits.push({ start, end: start, text: newLine ? `${indent}${text}\n` : `\n${indent}${text}` });
    }
  }
  let out = script.text;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start)) out = out.slice(0, start) + text + out.slice(end);
  return out;
}

/** Where a member's value ends; a block text ends with its line. */
function endOf({ key, value }: { key: Node; value: Node | null }): number {
  return value?.range?.[1] ?? key.range![1] + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** A value on one line; words stand without quotes in YAML. */
function flow(value: JsonValue, json: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, json)).join(', ')}]`;
  if (isObject(value)) return `{${Object.entries(value).map(([name, item]) => `${flow(name, json)}: ${flow(item, json)}`).join(', ')}}`;
  const plain = !json && typeof value === 'string' && /^[A-Za-z][\w-]*(?: [A-Za-z][\w-]*)*$/.test(value) && !/^(?:true|false|null)$/i.test(value);
  return plain ? value : JSON.stringify(value);
}

function freshExpectation(expected: JsonValue | undefined, answer: NonNullable<Ran['answer']>): JsonValue {
  if (isObject(expected)) {
    return Object.fromEntries(Object.keys(expected).flatMap((name) => {
      const value = (answer as unknown as JsonObject)[name];
      return value === undefined ? [] : [[name, value]];
    }));
  }
  return answer.reason === answer.decision || answer.decision === 'not valid' ? answer.decision : { decision: answer.decision, reason: answer.reason };
}
