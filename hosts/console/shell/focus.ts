// Puts the focus on a part of the page, before what had it goes away: the keyboard is never left nowhere.

/** Focuses the part with an id; `show` brings it into view as well. */
export function focusOn(id: string, show = false): void {
  const part = document.getElementById(id);
  if (show) part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}
