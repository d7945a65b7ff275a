// Makes a request's text from the form (chapter 4, Request), the digits of every JSON text untouched; and the form from a request's text.
import { type Call, type Draft, emptyCall } from '../draft/draft.ts';
import { isObject, PlaceBook, readSource } from '../package.ts';
import type { Fault } from './core.ts';

/** What the page adds to a call: the session, the history so far, and the token of the question that was answered. */
export interface Around { session: string; history: string | null; confirmation: string | null }

/** The parts of the form that are JSON. */
export const JSON_FIELDS = ['arguments', 'principal', 'context', 'resource'] as const;
const NAMES: Record<(typeof JSON_FIELDS)[number], string> = { arguments: 'The arguments are', principal: 'The principal is', context: 'The facts are', resource: 'The resource is' };

/** The request's text, without history; or what is wrong with the form. */
export function requestText(call: Call, around: Around): string | Fault {
  return call.text === null ? fromForm(call, around) : fromText(call.text, around);
}

function fromForm(call: Call, { session, history, confirmation }: Around): string | Fault {
  for (const field of JSON_FIELDS) {
    if (field !== 'arguments' && call[field].trim() === '') continue;
    const wrong = jsonFault(call[field]);
    if (wrong !== null) return { code: 'json_syntax', message: `${NAMES[field]} not JSON: ${wrong}`, field };
  }
  if (!/^\d{1,15}$/.test(call.now.trim())) return { code: 'request_invalid', message: 'The time is a whole number of seconds, as 1764445000.', field: 'now' };
  if (!/^\d{0,9}$/.test(call.undo.trim())) return { code: 'request_invalid', message: 'An undo names the step it undoes, as 0.', field: 'undo' };
  const marks = { call: words(call.marks), arguments: Object.fromEntries(Object.entries(call.argumentMarks).map(([name, list]) => [name, words(list)]).filter(([, list]) => list!.length > 0)) };
  const labels = { ...(marks.call.length > 0 ? { call: marks.call } : {}), ...(Object.keys(marks.arguments).length > 0 ? { arguments: marks.arguments } : {}) };
  const origins = Object.fromEntries(Object.entries(call.origins).filter(([, origin]) => origin !== ''));
  const members: [string, string][] = [
    ['format', '"qls-tool-check/1"'], ['session', JSON.stringify(session)],
    ...given('agent', call.agent === '' ? undefined : call.agent), ['tool', JSON.stringify(call.tool)], ['arguments', call.arguments.trim()],
    ...given('origins', Object.keys(origins).length > 0 ? origins : undefined), ...given('turns', call.turns.length > 0 ? call.turns : undefined),
    ...(['context', 'principal', 'resource'] as const).flatMap((name): [string, string][] => (call[name].trim() === '' ? [] : [[name, call[name].trim()]])),
    ...given('labels', Object.keys(labels).length > 0 ? labels : undefined), ...given('confirmation', confirmation ?? undefined),
    ...given('undo', call.undo.trim() === '' ? undefined : { step: Number(call.undo) }),
    ['now', String(BigInt(call.now.trim()))], ['explain', 'true'], ...(history === null ? [] : [['history', history] as [string, string]]),
  ];
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** A request that is edited as JSON gets what it lacks of what the page knows. What is no object stays as it is, for the core to refuse. */
function fromText(text: string, { session, history, confirmation }: Around): string {
  const known = members(text);
  if (known === null) return text;
  const lacking: [string, string | null][] = [
    ['session', JSON.stringify(session)], ['explain', 'true'], ['confirmation', confirmation === null ? null : JSON.stringify(confirmation)], ['history', history],
  ];
  const added = lacking.filter(([name, value]) => value !== null && !Object.hasOwn(known, name)).map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  if (added === '') return text;
  return text.replace(/^(\s*\{)(\s*)(\}?)/, (_, open: string, space: string, close: string) => `${open}${space}${added}${close || ','}`);
}

/** The names of an object's members, read from its text; null where the text is no JSON object. */
export function members(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** What is wrong with a JSON text, as the browser says it; null where it is JSON. */
export function jsonFault(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return text.trim() === '' ? 'nothing is written.' : `${(error as Error).message.replace(/\.?$/, '.')}`;
  }
}

/** The call as one text, a member a line; or why the form is not in order. */
export function asText({ call, session }: Draft): Call | { cannot: string } {
  const text = requestText(call, { session, history: null, confirmation: null });
  if (typeof text !== 'string') return { cannot: text.message };
  const lines = text.replace(/,"explain":true(?=\}$)/, '').replace(/,("(?:agent|tool|arguments|origins|turns|context|principal|resource|labels|undo|now|session)":)/g, ',\n  $1');
  return { ...call, text: `{\n  ${lines.slice(1, -1)}\n}` };
}

/** The call that the text describes, in the form; or what the form cannot hold. */
export function asForm({ text, confirms }: Call): Call | { cannot: string } {
  const call = callOf(text ?? '');
  return 'member' in call ? { cannot: `The form cannot hold ${call.member}.` } : { ...call, confirms };
}

function callOf(text: string): Call | { member: string } {
  const book = new PlaceBook();
  const read = readSource('request.json', text, book);
  if (!isObject(read.value)) return { member: 'the text, which is no JSON object' };
  const value = read.value;
  const raw = (name: string) => {
    const place = book.of(value, name)?.value;
    return place === undefined ? '' : text.slice(place.start, place.end);
  };
  const call = emptyCall();
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (name === 'format' || name === 'session' || name === 'explain' || name === 'history') continue;
    if (name === 'arguments' || name === 'context' || name === 'principal' || name === 'resource') call[name] = raw(name);
    else if ((name === 'agent' || name === 'tool') && typeof member === 'string') call[name] = member;
    else if (name === 'now' && typeof member === 'number') call.now = raw(name);
    else if (name === 'undo' && isObject(member) && typeof member['step'] === 'number' && Object.keys(member).length === 1) call.undo = String(member['step']);
    else if (name === 'turns' && Array.isArray(member) && member.every((turn) => typeof turn === 'string')) call.turns = member as string[];
    else if (name === 'origins' && isObject(member) && Object.values(member).every((origin) => typeof origin === 'string')) call.origins = { ...member } as Record<string, string>;
    else if (name === 'labels' && isObject(member) && marksOf(member, call)) continue;
    else return { member: name };
  }
  return call;
}

function marksOf(labels: Record<string, unknown>, call: Call): boolean {
  const list = (value: unknown): value is string[] => Array.isArray(value) && value.every((mark) => typeof mark === 'string' && /^\S+$/.test(mark));
  const { call: onCall = [], arguments: onArguments = {}, ...rest } = labels;
  if (!list(onCall) || !isObject(onArguments) || !Object.values(onArguments).every(list) || Object.keys(rest).length > 0) return false;
  call.marks = onCall.join(' ');
  call.argumentMarks = Object.fromEntries(Object.entries(onArguments).map(([name, marks]) => [name, (marks as string[]).join(' ')]));
  return true;
}

function given(name: string, value: unknown): [string, string][] {
  return value === undefined ? [] : [[name, JSON.stringify(value)]];
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
