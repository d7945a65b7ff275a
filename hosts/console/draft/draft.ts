// The draft that a person works on: the policy, the session so far and the next call; and what makes a text of any origin a draft.
import type { KeyChoice } from '../decide/core.ts';

/** A call as the form holds it; members that are JSON stay as texts, so that no digit is lost. `text` is the whole request instead, where it is edited as JSON. */
export interface Call {
  agent: string; tool: string; arguments: string; origins: Record<string, string>; turns: string[]; marks: string; argumentMarks: Record<string, string>;
  principal: string; context: string; resource: string; undo: string; now: string; text: string | null;
  /** The step whose question a person said yes to. */
  confirms: number | null;
}

export type Status = 'ran' | 'failed' | 'outcome_unknown' | 'compensated';
export const STATUSES: readonly Status[] = ['ran', 'failed', 'outcome_unknown', 'compensated'];

/** A call that was taken into the history, and what became of it. */
export interface Step { call: Call; outcome: { status: Status; result: string } | null }

export interface Draft { v: 1; policy: string; keys: KeyChoice; session: string; steps: Step[]; call: Call }

/** When a session starts, where nobody says: the time of `interlock run`'s scripts. */
export const START = 1764445000;

export function emptyCall(now: number = START): Call {
  return {
    agent: '', tool: '', arguments: '{}', origins: {}, turns: [], marks: '', argumentMarks: {}, principal: '', context: '', resource: '', undo: '', now: String(now), text: null, confirms: null,
  };
}

/** The draft in a value that came from outside (a link, the browser's store): what is missing is filled, what has another type is left out; null where it is no draft at all. */
export function draftOf(value: unknown): Draft | null {
  if (!isRecord(value) || value['v'] !== 1 || typeof value['policy'] !== 'string') return null;
  const steps = Array.isArray(value['steps']) ? value['steps'].filter(isRecord) : [];
  return {
    v: 1, policy: value['policy'], keys: value['keys'] === 'practice' ? 'practice' : 'preview', session: text(value['session'], 'preview'),
    steps: steps.map((step) => ({ call: callOf(step['call']), outcome: outcomeOf(step['outcome']) })),
    call: callOf(value['call']),
  };
}

function callOf(value: unknown): Call {
  const given = isRecord(value) ? value : {};
  const call = emptyCall();
  for (const name of ['agent', 'tool', 'arguments', 'marks', 'principal', 'context', 'resource', 'undo', 'now'] as const) call[name] = text(given[name], call[name]);
  call.origins = texts(given['origins']);
  call.argumentMarks = texts(given['argumentMarks']);
  call.turns = Array.isArray(given['turns']) ? given['turns'].filter((turn) => typeof turn === 'string') : [];
  call.text = typeof given['text'] === 'string' ? given['text'] : null;
  call.confirms = Number.isSafeInteger(given['confirms']) ? (given['confirms'] as number) : null;
  return call;
}

function outcomeOf(value: unknown): Step['outcome'] {
  if (!isRecord(value)) return null;
  const status = STATUSES.find((name) => name === value['status']);
  return status === undefined ? null : { status, result: text(value['result'], '') };
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function texts(value: unknown): Record<string, string> {
  return isRecord(value) ? (Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === 'string')) as Record<string, string>) : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
