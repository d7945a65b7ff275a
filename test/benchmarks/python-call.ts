// Reads calls written as Python text, `mv(source='a', lines=20)`, as BFCL's conversations give them.

/** A call: its function's name, the values given by place, and those given by name. */
export interface PythonCall {
  name: string;
  positional: unknown[];
  named: Record<string, unknown>;
}

/** Reads one call whose values are literals. Throws SyntaxError with the offset of what it cannot read. */
export function readPythonCall(text: string): PythonCall {
  const reader = new Reader(text);
  const name = reader.match(/[A-Za-z_][\w.]*/y) ?? reader.fail("a name");
  reader.expect("(");
  const call: PythonCall = { name, positional: [], named: {} };
  while (!reader.take(")")) {
    const given = reader.match(/([A-Za-z_]\w*)\s*=(?!=)/y);
    if (given === null) call.positional.push(reader.value());
    else call.named[given.replace(/\s*=$/, "")] = reader.value();
    if (!reader.take(",")) {
      reader.expect(")");
      break;
    }
  }
  if (!reader.atEnd) reader.fail("the end");
  return call;
}

const WORDS: Record<string, unknown> = { True: true, False: false, None: null };
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    this.#space();
    return this.#at === this.#text.length;
  }

  fail(wanted: string): never {
    throw new SyntaxError(`offset ${this.#at} of ${this.#text}: expected ${wanted}`);
  }

  match(pattern: RegExp): string | null {
    this.#space();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  take(sign: string): boolean {
    this.#space();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  expect(sign: string): void {
    if (!this.take(sign)) this.fail(sign);
  }

  value(): unknown {
    if (this.take("[")) return this.#list("]");
    if (this.take("(")) return this.#list(")");
    if (this.take("{")) return this.#map();
    const number = this.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y);
    if (number !== null) return Number(number);
    const word = this.match(/(?:True|False|None)\b/y);
    if (word !== null) return WORDS[word];
    return this.#string();
  }

  #list(end: string): unknown[] {
    const list: unknown[] = [];
    while (!this.take(end)) {
      list.push(this.value());
      if (!this.take(",")) {
        this.expect(end);
        break;
      }
    }
    return list;
  }

  #map(): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    while (!this.take("}")) {
      const name = this.#string();
      this.expect(":");
      map[name] = this.value();
      if (!this.take(",")) {
        this.expect("}");
        break;
      }
    }
    return map;
  }

  #string(): string {
    this.#space();
    const quote = this.#text[this.#at];
    if (quote !== "'" && quote !== '"') this.fail("a literal");
    let out = "";
    for (this.#at++; this.#text[this.#at] !== quote; this.#at++) {
      const sign = this.#text[this.#at] ?? this.fail(`the closing ${quote}`);
      if (sign !== "\\") out += sign;
      else out += ESCAPES[this.#text[++this.#at] ?? ""] ?? this.fail("an escape that is known");
    }
    this.#at++;
    return out;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}
