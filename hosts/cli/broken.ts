// Finds where a history that does not verify goes wrong, for people: the core says only that it does.
import type { Core, HistoryDocument } from './core.ts';

/** What is known of a history that does not verify. */
interface Given { history: HistoryDocument; session: string; keys: string; keysFile: string }

/** One sentence: another session, a key that is missing, or the first step that does not verify. Null where nothing is known, as of a text with other members. */
export function whereBroken(core: Core, { history, session, keys, keysFile }: Given): string | null {
  if (history.session !== session) return `it is of the session ${JSON.stringify(history.session)}, not ${JSON.stringify(session)}`;
  const entries: unknown = history.entries;
  if (!Array.isArray(entries)) return 'entries: is no list';
  const holds = (count: number) => core.verify(session, JSON.stringify({ format: history.format, session, entries: entries.slice(0, count) })).valid;
  if (holds(entries.length)) return 'what stands beside its entries is wrong: only reports of allowed steps belong there';
  let [whole, broken] = [0, entries.length];
  while (broken - whole > 1) {
    const middle = (whole + broken) >> 1;
    if (holds(middle)) whole = middle;
    else broken = middle;
  }
  const entry = entries[whole] as { tool?: unknown; token?: unknown } | null;
  const named = `step ${whole}${typeof entry?.tool === 'string' ? ` (${entry.tool})` : ''}`;
  const kid = typeof entry?.token === 'string' ? entry.token.split('.', 1)[0]! : null;
  if (kid !== null && !kids(keys).includes(kid)) return `${named} is signed with the key ${kid}, which ${keysFile} does not hold`;
  return `${named} is the first that does not verify: it${whole > 0 ? ', or what was reported of the step before it,' : ''} is not as it was signed${whole === 0 ? ', or of another tenant' : ''}`;
}

/** The ids of a key set's keys. */
function kids(text: string): string[] {
  const { keys } = JSON.parse(text) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}
