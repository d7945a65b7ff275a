// A session's history on disk: read, grown by answers, written back.
import { existsSync } from 'node:fs';
import type { Answer, HistoryDocument } from './core.ts';
import { CliError } from './exit.ts';
import { parseJson, readText, writeWhole } from './store.ts';
import type { Terminal } from './terminal.ts';

/** A new history. */
export function newHistory(session: string): HistoryDocument {
  return { format: 'qls-history/1', session, entries: [] };
}

/** The text of a history's file; null where there is none yet. */
export async function readHistory(terminal: Terminal, file: string): Promise<string | null> {
  return file === '-' || existsSync(file) ? readText(terminal, file, 'The history') : null;
}

/** The session a history says it is of. Fails with history_session. */
export function sessionOf(text: string, file: string): string {
  const history = parseJson(text, file, 'The history') as { session?: unknown } | null;
  if (typeof history?.session === 'string') return history.session;
  throw new CliError('history_session', `The history ${file} names no session.`, 'Give it with --session.');
}

/** The history after an answer: its entry appended and the reports it took dropped, or a new one where it restarted. Unchanged where there is no entry. */
export function grown(history: HistoryDocument, answer: Answer): HistoryDocument {
  const { entry } = answer;
  if (!entry) return history;
  const { reports: pending, ...rest } = history;
  if (entry['restarted'] === true) return { format: 'qls-history/1', session: history.session, entries: [entry] };
  return { ...rest, entries: [...rest.entries, entry], ...(pending && entry['reports'] === undefined ? { reports: pending } : {}) };
}

/** Writes a history whole. */
export async function writeHistory(file: string, history: HistoryDocument): Promise<void> {
  await writeWhole(file, `${JSON.stringify(history, null, 2)}\n`, { replace: true });
}
