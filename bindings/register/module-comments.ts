// Reads documentation comments (JSDoc): the parameters and the result they describe, with their types where a module in JavaScript writes them there.
import { type Comment, type Module, type Node, parseType } from './module-source.ts';
import { type Problem, problemAt } from './problems.ts';

/** A `@param`: `name` may be a path (`order.id`). `type` is null where it says none. */
export interface ParamTag { name: string; type: Node | null; isOptional: boolean; text: string; start: number; end: number }

/** What a comment says of a function. */
export interface Doc { params: ParamTag[]; returns: Node | null }

/** Reads the tags of a comment. A type that is none is a problem module_type at its place. */
export async function readDoc(comment: Comment | null, module: Module, problems: Problem[]): Promise<Doc> {
  const doc: Doc = { params: [], returns: null };
  if (!comment) return doc;
  for (const found of comment.text.matchAll(/^[*\s]*@(\w+)[ \t]*/gm)) {
    const kind = found[1]!;
    if (!['param', 'arg', 'argument', 'returns', 'return'].includes(kind)) continue;
    const from = found.index + found[0].length;
    const braces = comment.text[from] === '{' ? closing(comment.text, from) : null;
    const written = braces === null ? '' : comment.text.slice(from + 1, braces);
    const { type, isOptional } = await jsDocType(written, comment.start + from + 1, module, problems);
    if (kind.startsWith('return')) {
      doc.returns ??= type;
      continue;
    }
    const rest = comment.text.slice(braces === null ? from : braces + 1);
    const named = /^[ \t]*(?:\[[ \t]*([\w$.]+)[^\]\n]*\]|([\w$.]+))[ \t]*-?[ \t]*([^\n\r@]*)/.exec(rest);
    if (!named) continue;
    const start = comment.start + from;
    doc.params.push({ name: named[1] ?? named[2]!, type, isOptional: isOptional || named[1] !== undefined, text: named[3]!.replace(/\*+$/, '').trim(), start, end: start + Math.max(1, (braces ?? from) + 1 - from) });
  }
  return doc;
}

/** A type of JSDoc: TypeScript's, and the older `?T`, `!T`, `T=`, `*`, `Array.<T>`, `Object`. */
async function jsDocType(written: string, offset: number, module: Module, problems: Problem[]): Promise<{ type: Node | null; isOptional: boolean }> {
  const trimmed = written.trim();
  if (trimmed === '') return { type: null, isOptional: false };
  const isOptional = trimmed.endsWith('=');
  let text = isOptional ? trimmed.slice(0, -1) : trimmed;
  if (text.startsWith('?')) text = `${text.slice(1)} | null`;
  else if (text.startsWith('!')) text = text.slice(1);
  if (text === '*') text = 'any';
  text = text.replace(/\.</g, '<').replace(/\bObject\b/g, 'object').replace(/\b(String|Number|Boolean)\b/g, (word) => word.toLowerCase());
  const type = await parseType(text, offset + written.indexOf(trimmed));
  if (!type) problems.push(problemAt({ source: module.source, start: offset, end: offset + written.length }, { code: 'module_type', message: `This type is not read: ${trimmed}.`, hint: 'Write a type of TypeScript: string, number, string[], {id: string}.' }));
  return { type, isOptional };
}

/** Where the brace that opens at `from` closes; null where it does not. */
function closing(text: string, from: number): number | null {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  return null;
}
