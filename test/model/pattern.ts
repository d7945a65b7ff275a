// Reads `pattern` texts as ECMA-262 regular expressions with the `u` flag, and tells which of them are not asserted.

/** What became of a pattern text: a matcher, a text that is no pattern, or one that holds look-around or a back-reference. */
export type Pattern =
  | { kind: 'ok'; test(subject: string): boolean }
  | { kind: 'unsupported'; why: string }
  | { kind: 'invalid'; why: string };

const cache = new Map<string, Pattern>();

/**
 * Compiles a pattern (chapter 2, "What the schema walk asserts").
 * In: the pattern's text. Out: a matcher that searches anywhere in a subject; `unsupported` where the pattern is valid but holds
 * look-around or a back-reference; `invalid` where ECMA-262 with the `u` flag refuses it.
 */
export function compilePattern(text: string): Pattern {
  let found = cache.get(text);
  if (!found) {
    found = compile(text);
    if (cache.size > 5000) cache.clear();
    cache.set(text, found);
  }
  return found;
}

function compile(text: string): Pattern {
  let expression: RegExp;
  try {
    expression = new RegExp(text, 'u');
  } catch (error) {
    return { kind: 'invalid', why: error instanceof Error ? error.message : 'not a pattern' };
  }
  const why = unsupportedPart(text);
  if (why !== null) return { kind: 'unsupported', why };
  return { kind: 'ok', test: (subject) => expression.test(subject) };
}

/** The first look-around or back-reference of a valid pattern, or null. Inside a class neither can stand. */
function unsupportedPart(text: string): string | null {
  let inClass = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') {
      const next = text[i + 1] ?? '';
      if (!inClass && (/[1-9]/.test(next) || next === 'k')) return 'back-reference';
      i++;
    } else if (inClass) {
      if (c === ']') inClass = false;
    } else if (c === '[') {
      inClass = true;
    } else if (c === '(') {
      const head = text.slice(i, i + 4);
      if (head.startsWith('(?=') || head.startsWith('(?!')) return 'look-ahead';
      if (head.startsWith('(?<=') || head.startsWith('(?<!')) return 'look-behind';
    }
  }
  return null;
}
