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

/** The text of a history's file; null where there is none yet. Fails with history_format where the file is something else, so that nothing else is ever written over. */
export async function readHistory(terminal: Terminal, file: string): Promise<string | null> {
  if (file !== '-' && !existsSync(file)) return null;
  const text = await readText(terminal, file, 'The history');
  sessionOf(text, file);
  return text;
}

/** The session a history says it is of. Fails with file_json, and with history_format where the text is another document. */
export function sessionOf(text: string, file: string): string {
  const history = parseJson(text, file, 'The history') as { format?: unknown; session?: unknown } | null;
  if (history?.format === 'qls-history/1' && typeof history.session === 'string') return history.session;
  throw new CliError('history_format', `${file === '-' ? 'The text on standard input' : file} is no history: {"format": "qls-history/1", "session": …, "entries": […]} is needed.`,
    'Name the file that `interlock check --history FILE` writes.');
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

/** Keeps a history that did not verify beside its file, under a name that is free, and gives that name: what somebody changed is evidence. */
export async function setAside(file: string, text: string): Promise<string> {
  let name = `${file}.invalid`;
  for (let next = 2; existsSync(name); next++) name = `${file}.invalid-${next}`;
  await writeWhole(name, text, { replace: false });
  return name;
}
