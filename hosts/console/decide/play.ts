// Plays a draft: every step of the session so far is checked again under the policy in force, in order, and then the next call.
import type { Call, Draft, Step } from '../draft/draft.ts';
import type { Entry, HistoryDocument } from './answer.ts';
import type { Checked, Core, Fault } from './core.ts';
import { jsonFault, members, requestText } from './request.ts';

/** A check with the request it was made from; `unreported` is why an outcome did not get into the history. */
export interface Played extends Checked { request: string; unreported: Fault | null }

/** The session so far, the next call, and the history before it. */
export interface Play { past: Played[]; next: Played; history: HistoryDocument }

/** Plays the draft with the core. The answers are the core's; nothing is decided here. */
export function play(core: Core, draft: Draft): Play {
  core.load(draft.keys);
  let history: HistoryDocument = { format: 'qls-history/1', session: draft.session, entries: [] };
  const past: Played[] = [];
  for (const { call, outcome } of draft.steps) {
    const played = ask(core, draft, call, past, history);
    past.push(played);
    const entry = played.answer?.entry;
    if (!entry) continue;
    const before = ownHistory(call) ?? history;
    history = { format: 'qls-history/1', session: before.session, entries: [...(entry.restarted === true ? [] : before.entries), entry] };
    if (outcome === null) continue;
    const reported = report(core, history, entry, outcome);
    if (typeof reported === 'string') history = JSON.parse(reported) as HistoryDocument;
    else played.unreported = reported;
  }
  return { past, next: ask(core, draft, draft.call, past, history), history };
}

function ask(core: Core, draft: Draft, call: Call, past: readonly Played[], history: HistoryDocument): Played {
  const confirmation = call.confirms === null ? null : (past[call.confirms]?.answer?.confirmation ?? null);
  const request = requestText(call, { session: draft.session, confirmation, history: history.entries.length === 0 ? null : JSON.stringify(history) });
  if (typeof request !== 'string') return { request: '', line: '', reply: '', answer: null, text: '', fault: request, unreported: null };
  return { ...core.check(past.length, request), request, unreported: null };
}

function report(core: Core, history: HistoryDocument, entry: Entry, { status, result }: NonNullable<Step['outcome']>): string | Fault {
  const wrong = result.trim() === '' ? null : jsonFault(result);
  if (wrong !== null) return { code: 'json_syntax', message: `The result is not JSON: ${wrong}` };
  return core.report({ session: history.session, step: entry.step, status, at: entry.at }, JSON.stringify(history), result);
}

/** The history that a request edited as JSON brings by itself. */
function ownHistory(call: Call): HistoryDocument | null {
  const history = call.text === null ? undefined : (members(call.text)?.['history'] as Partial<HistoryDocument> | undefined);
  return history && Array.isArray(history.entries) && typeof history.session === 'string' ? { format: 'qls-history/1', session: history.session, entries: history.entries } : null;
}
