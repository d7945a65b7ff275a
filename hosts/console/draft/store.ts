// Keeps the draft in the browser's own store, so that a reload goes on where a person was.
import { type Draft, draftOf } from './draft.ts';

const NAME = 'interlock.preview';

/** The draft that was kept; null where there is none, or the browser keeps nothing. */
export function kept(): Draft | null {
  try {
    return draftOf(JSON.parse(localStorage.getItem(NAME) ?? 'null'));
  } catch {
    return null;
  }
}

/** Keeps a draft. A browser that keeps nothing is no error: the page works on, and a reload starts anew. */
export function keep(draft: Draft): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // Full, or not allowed.
  }
}
