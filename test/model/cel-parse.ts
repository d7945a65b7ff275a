// Parses a CEL condition into a tree and refuses what cannot be known: undeclared names, unknown functions, unlisted facts.
import { compilePattern } from './pattern.ts';
import { conversions, partNames } from './cel-convert.ts';
import { lex, ParseError, type Token } from './cel-lex.ts';
import { Bytes, Double, Int, Uint, type Value } from './cel-value.ts';

export type Node =
  | { op: 'value'; value: Value; at: number }
  /** `root` for a name written with a leading dot: never a comprehension's variable. */
  | { op: 'name'; name: string; root: boolean; at: number }
  | { op: 'select'; of: Node; field: string; at: number }
  | { op: 'has'; of: Node; field: string; at: number }
  | { op: 'index'; of: Node; key: Node; at: number }
  | { op: 'call'; name: string; of: Node | null; args: Node[]; at: number }
  | { op: 'unary'; sign: '!' | '-'; of: Node; at: number }
  | { op: 'binary'; sign: string; left: Node; right: Node; at: number }
  | { op: 'ternary'; condition: Node; yes: Node; no: Node; at: number }
  | { op: 'list'; items: Node[]; at: number }
  | { op: 'map'; entries: [Node, Node][]; at: number }
  | { op: 'macro'; name: string; of: Node; variable: string; args: Node[]; at: number };

/** The variables of a condition (chapter 2, "Rulebook"). */
const variables = ['tool', 'agent', 'args', 'facts', 'principal', 'resource', 'origins', 'labels', 'now', 'turn'];
/** How many arguments each function takes when it stands alone. */
const functions: Record<string, number[]> = { size: [1], matches: [2], ran: [1], allowed: [1], allowed_within: [2] };
for (const name of Object.keys(conversions)) functions[name] = [1];
/** How many arguments each function takes behind its receiver. */
const methods: Record<string, number[]> = { size: [0], startsWith: [1], endsWith: [1], contains: [1], matches: [1] };
for (const name of partNames) methods[name] = [0, 1];
const macros: Record<string, number[]> = { all: [2], exists: [2], exists_one: [2], filter: [2], map: [2, 3] };

const keywords = ['false', 'in', 'null', 'true'];
const reserved = [
  ...keywords, 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while',
];

/** The tree of a condition. Throws ParseError. `facts` are the listed ones, or null where any may be named. */
export function parse(text: string, facts: string[] | null): Node {
  const parser = new Parser(lex(text));
  const node = parser.expression();
  parser.end();
  resolve(node, [], facts);
  return node;
}

class Parser {
  private i = 0;
  constructor(private readonly tokens: Token[]) {}

  private get token(): Token {
    return this.tokens[this.i]!;
  }
  private is(...texts: string[]): string | null {
    const t = this.token;
    return (t.kind === 'op' || (t.kind === 'name' && t.text === 'in')) && texts.includes(t.text) ? t.text : null;
  }
  private accept(...texts: string[]): string | null {
    const found = this.is(...texts);
    if (found !== null) this.i++;
    return found;
  }
  private expect(text: string): void {
    if (!this.accept(text)) throw new ParseError(`"${text}" is expected here`, this.token.at);
  }
  end(): void {
    if (this.token.kind !== 'end') throw new ParseError('the condition should end here', this.token.at);
  }

  expression(): Node {
    const condition = this.binary(0);
    const at = this.token.at;
    if (!this.accept('?')) return condition;
    const yes = this.binary(0);
    this.expect(':');
    return { op: 'ternary', condition, yes, no: this.expression(), at };
  }

  private static readonly levels = [['||'], ['&&'], ['<', '<=', '>=', '>', '==', '!=', 'in'], ['+', '-'], ['*', '/', '%']];

  private binary(level: number): Node {
    if (level === Parser.levels.length) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const at = this.token.at;
      const sign = this.accept(...Parser.levels[level]!);
      if (sign === null) return left;
      left = { op: 'binary', sign, left, right: this.binary(level + 1), at };
    }
  }

  private unary(): Node {
    const at = this.token.at;
    const sign = this.accept('!', '-') as '!' | '-' | null;
    if (sign === null) return this.member(false);
    // Either sign repeats, but the two do not mix; a minus right before a number belongs to the number.
    let count = 1;
    while (this.accept(sign)) count++;
    let node: Node;
    if (sign === '-' && (this.token.kind === 'int' || this.token.kind === 'double')) {
      node = this.member(true);
      count--;
    } else {
      node = this.member(false);
    }
    for (; count > 0; count--) node = { op: 'unary', sign, of: node, at };
    return node;
  }

  private member(negative: boolean): Node {
    let node = this.primary(negative);
    for (;;) {
      const at = this.token.at;
      if (this.accept('.')) {
        const t = this.token;
        if (t.kind !== 'name' || keywords.includes(t.text)) throw new ParseError('a field or method name is expected here', t.at);
        this.i++;
        node = this.accept('(') ? this.method(node, t.text, t.at) : { op: 'select', of: node, field: t.text, at: t.at };
      } else if (this.accept('[')) {
        const key = this.expression();
        this.expect(']');
        node = { op: 'index', of: node, key, at };
      } else if (this.is('{') && (node.op === 'name' || node.op === 'select')) {
        throw new ParseError('messages are not supported', at);
      } else {
        return node;
      }
    }
  }

  private primary(negative: boolean): Node {
    const t = this.token;
    this.i++;
    switch (t.kind) {
      case 'int':
        if (!negative && t.value === 2n ** 63n) throw new ParseError('the integer overflows', t.at);
        return { op: 'value', value: new Int(negative ? -t.value : t.value), at: t.at };
      case 'uint':
        return { op: 'value', value: new Uint(t.value), at: t.at };
      case 'double':
        return { op: 'value', value: new Double(negative ? -t.value : t.value), at: t.at };
      case 'string':
        return { op: 'value', value: t.text, at: t.at };
      case 'bytes':
        return { op: 'value', value: new Bytes(Uint8Array.from(t.bytes)), at: t.at };
      case 'fact':
        if (keywords.includes(t.text)) throw new ParseError(`"${t.text}" is no name of a fact`, t.at);
        return { op: 'select', of: { op: 'name', name: 'facts', root: true, at: t.at }, field: t.text, at: t.at };
      case 'name':
        if (t.text === 'true' || t.text === 'false') return { op: 'value', value: t.text === 'true', at: t.at };
        if (t.text === 'null') return { op: 'value', value: null, at: t.at };
        return this.named(t.text, false, t.at);
      case 'op':
        if (t.text === '(') {
          const inner = this.expression();
          this.expect(')');
          return inner;
        }
        if (t.text === '[') return { op: 'list', items: this.items(']'), at: t.at };
        if (t.text === '{') return { op: 'map', entries: this.entries(), at: t.at };
        if (t.text === '.' && this.token.kind === 'name') {
          this.i++;
          return this.named((this.tokens[this.i - 1] as { text: string }).text, true, t.at);
        }
    }
    throw new ParseError('an expression is expected here', t.at);
  }

  private named(name: string, root: boolean, at: number): Node {
    if (reserved.includes(name)) throw new ParseError(`"${name}" is a reserved word`, at);
    if (!this.accept('(')) return { op: 'name', name, root, at };
    const args = this.items(')', false);
    if (name === 'has') {
      const [of] = args;
      if (args.length !== 1 || of?.op !== 'select') throw new ParseError('has() takes one field selection', at);
      return { op: 'has', of: of.of, field: of.field, at };
    }
    return { op: 'call', name, of: null, args, at };
  }

  private method(of: Node, name: string, at: number): Node {
    const args = this.items(')', false);
    if (!macros[name]) return { op: 'call', name, of, args, at };
    if (!macros[name]!.includes(args.length)) throw new ParseError(`${name}() takes ${macros[name]!.join(' or ')} arguments`, at);
    const [variable, ...rest] = args;
    if (variable?.op !== 'name' || variable.root) throw new ParseError(`${name}() takes a variable's name first`, variable!.at);
    return { op: 'macro', name, of, variable: variable.name, args: rest, at };
  }

  private items(close: string, trailing = true): Node[] {
    const out: Node[] = [];
    if (this.accept(close)) return out;
    do {
      if (trailing && out.length > 0 && this.is(close)) break;
      out.push(this.expression());
    } while (this.accept(','));
    this.expect(close);
    return out;
  }

  private entries(): [Node, Node][] {
    const out: [Node, Node][] = [];
    if (this.accept('}')) return out;
    do {
      if (out.length > 0 && this.is('}')) break;
      const key = this.expression();
      this.expect(':');
      out.push([key, this.expression()]);
    } while (this.accept(','));
    this.expect('}');
    return out;
  }
}

/** Refuses undeclared names, unknown functions and unlisted facts below a node, the leftmost first. */
function resolve(node: Node, locals: string[], facts: string[] | null): void {
  const each = (...nodes: Node[]) => nodes.forEach((n) => resolve(n, locals, facts));
  switch (node.op) {
    case 'value':
      return;
    case 'name':
      if (!(locals.includes(node.name) && !node.root) && !variables.includes(node.name)) {
        throw new ParseError(`"${node.name}" is not declared`, node.at);
      }
      return;
    case 'select':
    case 'has': {
      each(node.of);
      const isFacts = node.of.op === 'name' && node.of.name === 'facts' && (node.of.root || !locals.includes('facts'));
      if (isFacts && facts && !facts.includes(node.field)) throw new ParseError(`"${node.field}" is not a listed fact`, node.at, node.field);
      return;
    }
    case 'index':
      return each(node.of, node.key);
    case 'unary':
      return each(node.of);
    case 'binary':
      return each(node.left, node.right);
    case 'ternary':
      return each(node.condition, node.yes, node.no);
    case 'list':
      return each(...node.items);
    case 'map':
      return each(...node.entries.flat());
    case 'macro':
      each(node.of);
      for (const inner of node.args) resolve(inner, [...locals, node.variable], facts);
      return;
    case 'call': {
      if (node.of) each(node.of);
      const known = Object.hasOwn(node.of ? methods : functions, node.name) ? (node.of ? methods : functions)[node.name]! : null;
      if (!known) throw new ParseError(`the function "${node.name}" is not supported`, node.at);
      if (!known.includes(node.args.length)) throw new ParseError(`${node.name}() takes ${known.join(' or ')} arguments`, node.at);
      each(...node.args);
      const pattern = node.name === 'matches' ? node.args[node.args.length - 1] : undefined;
      if (pattern?.op === 'value' && typeof pattern.value === 'string') {
        const compiled = compilePattern(pattern.value);
        if (compiled.kind !== 'ok') throw new ParseError(`the pattern is not supported: ${compiled.why}`, pattern.at);
      }
    }
  }
}
