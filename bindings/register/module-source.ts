// Parses TypeScript and JavaScript modules, without running anything, into syntax trees whose parts keep their places.
import { type Place, SourceText } from './position.ts';
import { type Problem, problemAt, problemOf } from './problems.ts';

/** A node of the syntax tree (ESTree and its TypeScript extension); offsets are UTF-16 code units from the start of the text. */
export interface Node { type: string; start: number; end: number; [member: string]: unknown }

/** One module: `name` is its path from the folder of the named one, `file` what people know it by. */
export interface Module { name: string; file: string; source: SourceText; body: Node[]; comments: Comment[] }

/** A documentation comment, its text and the offset where the text starts. */
export interface Comment { text: string; start: number; end: number }

/** The largest module read, in UTF-16 code units. */
export const MODULE_SIZE = 2 * 1024 * 1024;
/** Tokens that the parser may read for each code unit of the text: ambiguous code is read again and again, and hostile code without end. */
const TOKENS = 4;

/** The parser came to the end of its budget. */
class Stopped extends Error {}

interface Options { ecmaVersion: 'latest'; sourceType: 'module'; locations: boolean; onComment?: (isBlock: boolean, text: string, start: number, end: number) => void }
interface Parsers { typescript: Parse; jsx: Parse; declarations: Parse; javascript: Parse }
type Parse = (text: string, options: Options) => { body: Node[] };
let parsers: Promise<Parsers> | undefined;

/** Loads the parser when a module is first read: most policies import none. */
function loadParsers(): Promise<Parsers> {
  parsers ??= (async () => {
    const [{ Parser }, { tsPlugin }] = await Promise.all([import('acorn'), import('@sveltejs/acorn-typescript')]);
    const bounded = (Base: typeof Parser): Parse => {
      let left = 0;
      // acorn's own typings leave the tokenizer out; every token passes through here.
      const Tokenizer = Base as unknown as new (options: Options, text: string) => { nextToken(): void; parse(): { body: Node[] } };
      class Bounded extends Tokenizer {
        override nextToken(): void {
          if (left-- <= 0) throw new Stopped();
          super.nextToken();
        }
      }
      return (text, options) => {
        left = text.length * TOKENS + 64;
        return new Bounded(options, text).parse();
      };
    };
    const extended = (options?: Parameters<typeof tsPlugin>[0]) => bounded(Parser.extend(tsPlugin(options) as never));
    return { typescript: extended(), jsx: extended({ jsx: true }), declarations: extended({ dts: true }), javascript: bounded(Parser) };
  })();
  return parsers;
}

/** Parses the text of a module by the ending of its file's name. Codes: module_syntax, module_depth, module_size, source_encoding. */
export async function parseModule(name: string, file: string, content: string | Uint8Array): Promise<Module | Problem> {
  let text: string;
  try {
    text = typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return problemOf(file, { code: 'source_encoding', message: 'The file is not UTF-8 text.', hint: 'Save it as UTF-8.' });
  }
  if (text.length > MODULE_SIZE) return problemOf(file, { code: 'module_size', message: `The module is longer than ${MODULE_SIZE} characters.`, hint: 'Put the tools into a module of their own.' });
  const source = new SourceText(file, text);
  const { typescript, jsx, declarations, javascript } = await loadParsers();
  const parse = /\.d\.[cm]?ts$/i.test(file) ? declarations : /\.[jt]sx$/i.test(file) ? jsx : /\.[cm]?js$/i.test(file) ? javascript : typescript;
  const comments: Comment[] = [];
  const onComment = (isBlock: boolean, inside: string, start: number, end: number) => {
    if (isBlock && inside.startsWith('*')) comments.push({ text: inside, start: start + 2, end });
  };
  try {
    const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, onComment });
    comments.sort((a, b) => a.end - b.end);
    return { name, file, source, body, comments };
  } catch (error) {
    return unparsed(error, { source, start: 0, end: 0 });
  }
}

/** Parses the text of a type that stands at `offset` of a module's source. Null where it is none. */
export async function parseType(text: string, offset: number): Promise<Node | null> {
  const { typescript } = await loadParsers();
  const before = 'type T = ';
  try {
    const { body } = typescript(`${before}${text};`, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    const [declaration] = body;
    if (body.length !== 1 || declaration?.type !== 'TSTypeAliasDeclaration') return null;
    const type = declaration['typeAnnotation'] as Node;
    shift(type, offset - before.length);
    return type;
  } catch {
    return null;
  }
}

/** The documentation comment right before an offset, only space between. */
export function commentBefore(module: Module, offset: number): Comment | null {
  const { comments, source } = module;
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comments[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  const comment = comments[low - 1];
  return comment && /^\s*$/.test(source.text.slice(comment.end, offset)) ? comment : null;
}

/** Where a node stands. */
export function placeOf(module: Module, { start, end }: { start: number; end: number }): Place {
  return { source: module.source, start, end };
}

/** A member of a node that is a node. */
export function child(node: Node, member: string): Node | null {
  const value = node[member];
  return typeof value === 'object' && value !== null && 'type' in value ? value as Node : null;
}

/** A member of a node that is a list of nodes, holes left out. */
export function children(node: Node, member: string): Node[] {
  const value = node[member];
  return Array.isArray(value) ? value.filter((each): each is Node => typeof each === 'object' && each !== null) : [];
}

/** The name that an identifier or a literal key says; null where it is computed. */
export function keyOf(node: Node | null): string | null {
  if (node?.type === 'Identifier') return node['name'] as string;
  return node?.type === 'Literal' && ['string', 'number'].includes(typeof node['value']) ? String(node['value']) : null;
}

function unparsed(error: unknown, start: Place): Problem {
  const { message, pos } = error as { message: string; pos?: number };
  if (error instanceof Stopped || error instanceof RangeError || /stack/i.test(message)) {
    return problemAt(start, { code: 'module_depth', message: 'The module is too deeply nested, or too ambiguous, to be read.', hint: 'Put the tools into a module of their own.' });
  }
  const at = Math.min(pos ?? 0, start.source.text.length);
  return problemAt({ source: start.source, start: at, end: at }, { code: 'module_syntax', message: `${message.replace(/ \(\d+:\d+\)$/, '')}.`, hint: 'The module has to be right TypeScript, or JavaScript where its name ends in .js.' });
}

function shift(root: Node, by: number): void {
  const waiting: unknown[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      waiting.push(...value);
      continue;
    }
    const node = value as Node;
    if (typeof node.type !== 'string') continue;
    node.start += by;
    node.end += by;
    for (const inner of Object.values(node)) if (typeof inner === 'object') waiting.push(inner);
  }
}
