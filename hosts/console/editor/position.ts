// Finds where in a YAML policy the cursor stands: the path to it, whether a name or a value is written there, and which names are there already.
import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';

/** A place in the document. `path` leads to the mapping (for a name) or to the value; `there` are the names the mapping has. */
export interface Place { kind: 'name' | 'value'; path: (string | number)[]; from: number; word: string; there: string[]; flow: boolean }

/** Stands for what is being written, so that the text around it can be read. */
const MARK = 'q7mark7q';

/**
 * The places that an offset may be: a value, a name, or either (an item of a list may begin a mapping). None inside comments, quoted texts and what
 * cannot be read.
 */
export function placesAt(text: string, offset: number): Place[] {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/(?:^|\s)#/.test(line.replace(/"[^"]*"|'[^']*'/g, ''))) return [];
  if ((line.match(/"/g) ?? []).length % 2 === 1) return [];
  const word = /[\w$.*-]*$/.exec(line)![0];
  const from = offset - word.length;
  const rest = /^[\w$.*-]*/.exec(text.slice(offset))![0];
  const after = text.slice(offset + rest.length);
  const before = text.slice(0, from);
  const lead = line.slice(0, line.length - word.length);
  const value = found(`${before}${MARK}${after}`, 'value', from, word);
  // After `name:` only a value can stand.
  if (/:\s+$/.test(lead)) return value === null ? [] : [value];
  const named = /^\s*:/.test(after) ? `${before}${MARK}${after}` : `${before}${MARK}: 0${after}`;
  return [value, found(named, 'name', from, word)].filter((place) => place !== null);
}

function found(text: string, kind: Place['kind'], from: number, word: string): Place | null {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false, logLevel: 'silent' });
  const walk: { node: Node | null; path: (string | number)[]; flow: boolean }[] = [{ node: document.contents as Node | null, path: [], flow: false }];
  for (let at = walk.pop(); at !== undefined; at = walk.pop()) {
    const { node, path } = at;
    if (isScalar(node) && node.value === MARK && kind === 'value') return { kind, path, from, word, there: [], flow: at.flow };
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk.push({ node: item as Node | null, path: [...path, index], flow: node.flow === true });
    if (!isMap(node)) continue;
    const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''));
    if (kind === 'name' && names.includes(MARK)) return { kind, path, from, word, there: names.filter((name) => name !== MARK), flow: node.flow === true };
    for (const { key, value } of node.items) walk.push({ node: value as Node | null, path: [...path, isScalar(key) ? String(key.value) : ''], flow: node.flow === true });
  }
  return null;
}

/** The value that a document holds at a path, as far as the text can be read. */
export function valueAt(text: string, path: readonly (string | number)[]): unknown {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false, logLevel: 'silent' });
  try {
    return path.length === 0 ? document.toJS() : (document.getIn(path, false) as { toJSON?(): unknown } | undefined);
  } catch {
    return undefined;
  }
}
