// Documents for the differential test of the reader: random JSON texts, some of them broken in one to three places.

import { Random } from "./random";

const NAMES = ["", "a", "b", "ab", "aa", "é", "\u{1f600}", "\ufb33", "\uffff", "a/b", "~", "__proto__", "\\u0061", "\\ud83d\\ude00", "longer name here", "\\n"];
const STRINGS = [
  "", "x", "plain text of some length, more than sixteen bytes", "é€\u{10ffff}", "\\\"", "\\\\", "\\/", "\\b\\f\\n\\r\\t", "\\u0000", "\\u001F", "\\u001f", "\\u00e9",
  "\\ud834\\udd1e", "\\uDBFF\\uDFFF", "\u007f", "\u2028", "0123456789abcde", "0123456789abcdef", "0123456789abcdef\\n0123456789abcdef",
];
const NUMBERS = [
  "0", "-0", "1", "-1", "10", "40.00", "40.50", "0.1", "1e2", "1E+2", "12e-1", "1.5e1", "123456789012345", "1234567890123456", "9007199254740993", "9007199254740992", "1e30",
  "1e400", "-1e400", "1e-400", "0e999", "3e-324", "333333333.33333329", "0.000001", "0.0000001", "1e21", "100000000000000000000", "0.30000000000000004", "12300e-2", "4.35",
];
/** What a mutation puts in: bytes that mean something, and some that may not stand anywhere. */
const PIECES: readonly (string | number[])[] = [
  "{", "}", "[", "]", ",", ":", "\"", "\\", "/", " ", "\t", "\n", "\r", "0", "1", "9", "-", "+", ".", "e", "E", "t", "true", "nul", "null", "false", "N", "x", "\\u", "\\ud800", "\\udc00",
  "\\ud8", "\\u0", "d", "\u0000", "\u001f", "\u007f", "\ufeff", "é", "\u{1f600}", "\"a\":", ",\"a\":1", "[[[[", "]]]]", [0x80], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
  [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xef, 0xbb, 0xbf],
];

/** Random documents, most of them not quite JSON. */
export class Mutants {
  constructor(private readonly random: Random) {}

  /** The next document's bytes. */
  next(): Uint8Array {
    const { random } = this;
    let made: Buffer = Buffer.from(this.space() + this.value(random.below(5)) + this.space(), "utf8");
    if (random.below(8) === 0) return made;
    for (let i = 1 + random.below(3); i > 0; i--) made = this.mutate(made);
    return made;
  }

  private space(): string {
    return this.random.below(4) !== 0 ? "" : this.random.of([" ", "\n", "\t", "\r\n", "    ", "\n                    "]);
  }

  private value(depth: number): string {
    const { random } = this;
    const what = random.below(depth > 0 ? 9 : 4);
    if (what === 0) return random.of(["true", "false", "null"]);
    if (what === 1) return random.of(NUMBERS);
    if (what < 4) return `"${random.of(STRINGS)}"`;
    const separator = () => `${this.space()},${this.space()}`;
    const items = Array.from({ length: random.below(5) }, () => {
      const value = this.value(depth - 1);
      return what < 6 ? value : `"${random.of(NAMES)}"${this.space()}:${this.space()}${value}`;
    });
    let inside = this.space();
    items.forEach((item, i) => (inside += (i === 0 ? "" : separator()) + item));
    inside += items.length === 0 ? "" : this.space();
    return what < 6 ? `[${inside}]` : `{${inside}}`;
  }

  private mutate(bytes: Buffer): Buffer {
    const { random } = this;
    const at = random.below(bytes.length + 1);
    const piece = Buffer.from(random.of(PIECES) as string);
    switch (random.below(6)) {
      case 0: return bytes.subarray(0, at);
      case 1: return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(3))]);
      case 2: return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + 1)]);
      case 3: {
        const from = random.below(bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + random.below(12)), bytes.subarray(at)]);
      }
      case 4: {
        const changed = Buffer.from(bytes);
        if (at < bytes.length) changed[at] = changed[at]! ^ (1 << random.below(8));
        return changed;
      }
      default: return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    }
  }
}
