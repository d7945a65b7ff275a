// Finds the known word nearest to a misspelt one.

/** The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[to.length]!;
}

/** The known word nearest to `word`, where one is near enough to be what was meant: at most a third of its letters differ, and of a short word not all. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > 128) return undefined;
  const plain = flat(word);
  let best: string | undefined;
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)) + 1, Math.max(1, word.length));
  for (const candidate of known) {
    if (candidate === word || Math.abs(candidate.length - word.length) > bestDistance) continue;
    const found = flat(candidate) === plain ? 0 : distance(word.toLowerCase(), candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}

/** Letters and digits only, so that `notAfter` and `not-after` are found to be `not_after`. */
function flat(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}
