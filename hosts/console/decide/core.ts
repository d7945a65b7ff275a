// The core in the page: chapter 8's lines through the package's own driver. The lines it was given are those a person copies.
import bytes from 'interlock:core-bytes';
import { PRACTICE_KEYS } from '../../shared/practice-keys.ts';
import type { Answer } from './answer.ts';
import { type LineDriver, lineDriver, type RegisteringCore } from '../package.ts';

/** Which key set decides: none (a preview, chapter 1), or one that everyone knows. */
export type KeyChoice = 'preview' | 'practice';

/** A key set without keys: decisions are made, and every token and confirmation is null. */
const PREVIEW_KEYS = JSON.stringify({ format: 'qls-keys/1', preview: true, keys: [], digests: 'plain' });
const KEY_SETS: Record<KeyChoice, string> = { preview: PREVIEW_KEYS, practice: PRACTICE_KEYS };

/** An error that the core, or the page before it, answers instead of a decision. `field` is the part of the form it is about. */
export interface Fault { code: string; message: string; pointer?: string; offset?: number; field?: string }
type Problem = { code: string; message: string; pointer: string };
type Answered<T> = { ok: T; text: string } | { error: Fault & { problems?: Problem[] } };

/** A check as it was asked and answered. `text` is the answer's canonical text, `line` the line that asked, `reply` the line that answered. */
export interface Checked { line: string; reply: string; answer: Answer | null; text: string; fault: Fault | null }

/** One instance of the core, with the policy in force under the name `policy` and the key set under `keys`. */
export class Core implements RegisteringCore {
  readonly #driver: LineDriver = lineDriver();
  #keys: KeyChoice | null = null;
  /** The line that registered the policy in force; empty before the first. */
  policyLine = '';

  /** Judges a policy, for registration; the one in force stays. */
  register(policy: string, documents?: string): ReturnType<RegisteringCore['register']> {
    const answered = this.#ask<{ policy: string; warnings: Problem[]; partial: string[] }>(registerLine('draft', policy, documents));
    if ('ok' in answered) return answered.ok;
    if (answered.error.problems) return { problems: answered.error.problems };
    throw Object.assign(new Error(answered.error.message), { code: answered.error.code });
  }

  /** Puts a policy that was judged good into force. */
  enforce(policy: string, documents: string | undefined): void {
    const line = registerLine('policy', policy, documents);
    if (line === this.policyLine) return;
    this.#ask(line);
    this.policyLine = line;
  }

  /** Loads the key set chosen, unless it is loaded. */
  load(choice: KeyChoice): void {
    if (this.#keys !== choice) this.#ask(keysLine(choice));
    this.#keys = choice;
  }

  /** Checks a request's text. A text that the line cannot carry goes in as bytes, for the core to say where it is wrong. */
  check(id: number, request: string): Checked {
    if (!request.isWellFormed()) return { line: '', reply: '', answer: null, text: '', fault: { code: 'json_surrogate', message: 'The text holds half of a surrogate pair: write the character itself.' } };
    const plain = this.#check(`{"id":${id},"op":"check","policy":"policy","keys":"keys","request":${request}}`, id);
    if (plain.fault?.code !== 'line_invalid') return plain;
    return this.#check(`{"id":${id},"op":"check","policy":"policy","keys":"keys","base64":"${base64(request)}"}`, id);
  }

  /** Writes an outcome into a history; the history's text, or why not. */
  report(members: { session: string; step: number; status: string; at: number }, history: string, result: string): string | Fault {
    const more = result.trim() === '' ? '' : `,"result":${result}`;
    const line = `{"id":0,"op":"report","policy":"policy","keys":"keys",${JSON.stringify(members).slice(1, -1)}${more},"history":${history}}`;
    const answered = this.#ask<unknown>(line);
    return 'ok' in answered ? answered.text : answered.error;
  }

  #check(line: string, id: number): Checked {
    const reply = this.#driver.answer(line);
    const answered = read<Answer>(reply, id);
    return 'ok' in answered ? { line, reply, answer: answered.ok, text: answered.text, fault: null } : { line, reply, answer: null, text: '', fault: answered.error };
  }

  #ask<T>(line: string): Answered<T> {
    return read<T>(this.#driver.answer(line), 0);
  }
}

/** The line that loads a key set. */
export function keysLine(choice: KeyChoice): string {
  return `{"id":0,"op":"keys","name":"keys","keys":${KEY_SETS[choice]}}`;
}

function registerLine(name: string, policy: string, documents: string | undefined): string {
  return `{"id":0,"op":"register","name":"${name}","policy":${policy}${documents === undefined ? '' : `,"documents":${documents}`}}`;
}

function read<T>(reply: string, id: number): Answered<T> {
  const value = JSON.parse(reply) as { ok?: T; error?: Fault & { problems?: Problem[] } };
  if (value.error) return { error: value.error };
  return { ok: value.ok as T, text: reply.slice(`{"id":${id},"ok":`.length, -1) };
}

function base64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

/** The SHA-256 of the module that decides here, in hexadecimal, worked out from the bytes in this page; null where the browser offers no digests (a page that is neither https nor this machine). */
export async function coreDigest(): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
