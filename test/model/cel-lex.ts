// Cuts the text of a CEL condition into tokens: names, literals with their escapes undone, operators.

export type Token =
  | { kind: 'name' | 'fact' | 'string' | 'op'; text: string; at: number }
  | { kind: 'int' | 'uint'; value: bigint; at: number }
  | { kind: 'double'; value: number; at: number }
  | { kind: 'bytes'; bytes: number[]; at: number }
  | { kind: 'end'; at: number };

/** A condition that is none. `at` counts UTF-16 code units from the start of the text. */
export class ParseError extends Error {
  constructor(message: string, readonly at: number, readonly fact?: string) {
    super(message);
  }
}

const spaces = /(?:[ \t\n\f\r]|\/\/[^\n]*)*/y;
const fact = /\$([_a-zA-Z][_a-zA-Z0-9]*)/y;
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const float = /(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)/y;
const integer = /(0x[0-9a-fA-F]+|[0-9]+)([uU]?)/y;
const quoted = /([bB]?)([rR]?)("""|'''|"|')/y;
const operator = /&&|\|\||[<>=!]=|[<>!?:.,+\-*/%()[\]{}]/y;

export function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found) at = expression.lastIndex;
    return found;
  };
  for (;;) {
    take(spaces);
    const start = at;
    let m: RegExpExecArray | null;
    if (at === text.length) {
      tokens.push({ kind: 'end', at });
      return tokens;
    } else if ((m = take(quoted))) {
      const { body, end } = quotedBody(text, at, m[3]!, m[2] !== '', start);
      at = end;
      const units = unescape(body, m[1] !== '', m[2] !== '', start);
      if (m[1]) tokens.push({ kind: 'bytes', bytes: units as number[], at: start });
      else tokens.push({ kind: 'string', text: units as string, at: start });
    } else if ((m = take(fact))) {
      tokens.push({ kind: 'fact', text: m[1]!, at: start });
    } else if ((m = take(name))) {
      tokens.push({ kind: 'name', text: m[0], at: start });
    } else if ((m = take(float))) {
      const value = Number(m[0]);
      if (!Number.isFinite(value)) throw new ParseError('the double overflows', start);
      tokens.push({ kind: 'double', value, at: start });
    } else if ((m = take(integer))) {
      const unsigned = m[2] !== '';
      const value = BigInt(m[1]!);
      // One more than the largest int: its negative is the smallest.
      if (value > (unsigned ? 2n ** 64n - 1n : 2n ** 63n)) throw new ParseError('the integer overflows', start);
      tokens.push({ kind: unsigned ? 'uint' : 'int', value, at: start });
    } else if ((m = take(operator))) {
      tokens.push({ kind: 'op', text: m[0], at: start });
    } else {
      throw new ParseError('no token of CEL starts here', start);
    }
  }
}

function quotedBody(text: string, from: number, quote: string, raw: boolean, start: number): { body: string; end: number } {
  for (let i = from; i < text.length; i++) {
    if (text.startsWith(quote, i)) return { body: text.slice(from, i), end: i + quote.length };
    if (quote.length === 1 && (text[i] === '\n' || text[i] === '\r')) break;
    if (!raw && text[i] === '\\') i++;
  }
  throw new ParseError('the string does not end', start);
}

const simple: Record<string, number> = {
  a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, '?': 63, '"': 34, "'": 39, '`': 96,
};

/** Undoes the escapes. In bytes `\x` and octal escapes are octets, and everything else is its UTF-8. */
function unescape(body: string, isBytes: boolean, raw: boolean, start: number): string | number[] {
  const bytes: number[] = [];
  let out = '';
  const put = (code: number, octet: boolean) => {
    if (!isBytes) out += String.fromCodePoint(code);
    else if (octet) bytes.push(code);
    else bytes.push(...new TextEncoder().encode(String.fromCodePoint(code)));
  };
  const characters = [...body];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!;
    if (c !== '\\' || raw) {
      put(c.codePointAt(0)!, false);
      continue;
    }
    const rest = characters.slice(i + 1, i + 10).join('');
    let m: RegExpExecArray | null;
    if (simple[rest[0] ?? ''] !== undefined) {
      put(simple[rest[0]!]!, false);
      i += 1;
    } else if ((m = /^[xX]([0-9a-fA-F]{2})/.exec(rest))) {
      put(parseInt(m[1]!, 16), true);
      i += 3;
    } else if ((m = /^[0-3][0-7][0-7]/.exec(rest))) {
      put(parseInt(m[0], 8), true);
      i += 3;
    } else if (!isBytes && (m = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest))) {
      const code = parseInt(m[1] ?? m[2]!, 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new ParseError('the escape is no code point', start);
      put(code, false);
      i += m[0].length;
    } else {
      throw new ParseError('no such escape', start);
    }
  }
  return isBytes ? bytes : out;
}
