// The edits of a draft: pure, so that an undo is the draft before.
import type { Answer, HistoryDocument } from '../decide/answer.ts';
import type { PolicyFacts } from '../decide/facts.ts';
import type { Played } from '../decide/play.ts';
import { type Call, type Draft, emptyCall, START, type Step } from './draft.ts';

/** The draft with the next call changed. */
export function withCall(draft: Draft, change: Partial<Call>): Draft {
  return { ...draft, call: { ...draft.call, ...change } };
}

/** The answer goes into the history; the same call stays in the form, a second later. */
export function taken(draft: Draft): Draft {
  return { ...draft, steps: [...draft.steps, { call: draft.call, outcome: null }], call: { ...draft.call, confirms: null, now: later(draft.call.now) } };
}

/** The person says yes: the question goes into the history, and the next call is the same one with its confirmation. A preview has no tokens, so the practice key signs from here on. */
export function saidYes(draft: Draft): Draft {
  const next = taken(draft);
  return { ...next, keys: 'practice', call: { ...next.call, confirms: draft.steps.length } };
}

export function withOutcome(draft: Draft, index: number, outcome: Step['outcome']): Draft {
  return { ...draft, steps: draft.steps.map((step, at) => (at === index ? { ...step, outcome } : step)) };
}

/** The session as it was before a step, whose call is in the form again. */
export function backTo(draft: Draft, index: number): Draft {
  return { ...draft, steps: draft.steps.slice(0, index), call: draft.steps[index]?.call ?? draft.call };
}

/** A call for a tool, with the arguments it requires left to fill in. */
export function callFor(draft: Draft, tool: string, facts: PolicyFacts): Draft {
  const requires = facts.tools.get(tool)?.requires ?? [];
  const args = requires.length === 0 ? '{}' : `{${requires.map((name) => `${JSON.stringify(name)}: ""`).join(', ')}}`;
  return withCall(draft, { tool, arguments: draft.call.tool === tool ? draft.call.arguments : args, origins: draft.call.tool === tool ? draft.call.origins : {}, undo: '', confirms: null, text: null });
}

/** The undo that a step's tool declares: its tool, bound to the step's arguments and result. */
export function undoOf(draft: Draft, index: number, played: Played, facts: PolicyFacts): Draft | null {
  const entry = played.answer?.entry;
  const undo = entry ? facts.tools.get(entry.tool)?.undo : null;
  if (!entry || !undo) return null;
  const from = record(played.answer?.arguments);
  const result = parsed(draft.steps[index]?.outcome?.result ?? '');
  const args: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const [argument, source] of Object.entries(undo.bind)) {
    const [kind, ...rest] = source.split('.');
    const field = rest.join('.');
    args[argument] = (kind === 'result' ? result : from)[field] ?? '';
    if (kind === 'result') origins[argument] = `result:${entry.step}.${field}`;
  }
  const call = { ...emptyCall(), ...draft.call, agent: entry.agent ?? '', tool: undo.tool, arguments: JSON.stringify(args), origins, undo: String(entry.step), confirms: null, text: null };
  return { ...draft, call };
}

/** The origins that an argument may claim in this session, the fields of reported results among them. */
export function originsFor(history: HistoryDocument, facts: PolicyFacts): string[] {
  const results = history.entries.filter((entry) => entry.decision === 'allow').flatMap(({ step, tool }) => (facts.tools.get(tool)?.returns ?? []).map((field) => `result:${step}.${field}`));
  return ['typed', 'model', 'reply', 'context', 'computed', ...results];
}

/** Whether an answer asks a person and the next call can carry a yes. */
export function asks(answer: Answer | null): boolean {
  return answer?.decision === 'confirm';
}

function later(now: string): string {
  return /^\d{1,15}$/.test(now.trim()) ? String(BigInt(now.trim()) + 1n) : String(START);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
