// Names as they are judged: folded to the ASCII that people and programs take them for, and in the spelling that harnesses give MCP names.

import { isIgnored, lookalikeOf } from "../evidence/lookalikes";
import { Buffer } from "../memory/buffer";
import { afterCodePoint, codePointAt, equalAscii } from "../memory/bytes";

/** What a character that stands for no ASCII is folded to: no letter, no digit, no separator that a rule looks for. */
const OTHER: i32 = 0x3f;

/** A name in lower case, compatibility letters as their ASCII, characters that nobody sees left out. */
export function folded(start: usize, length: i32): Buffer {
  const out = new Buffer(length + 8);
  const end = start + <usize>length;
  for (let at = start; at < end; at = afterCodePoint(at)) {
    let character = codePointAt(at);
    // The full-width forms of ASCII.
    if (character >= 0xff01 && character <= 0xff5e) character -= 0xfee0;
    if (character < 0x80) {
      out.byte(character >= 0x41 && character <= 0x5a ? character | 0x20 : character);
      continue;
    }
    if (character == 0xad || (character >= 0x200b && character <= 0x200d) || character == 0x2060 || character == 0xfeff || isIgnored(character)) continue;
    let ascii = lookalikeOf(character);
    if (ascii == 0) out.byte(OTHER);
    for (; ascii != 0; ascii >>= 8) out.byte(<i32>(ascii & 0xff));
  }
  return out;
}

/** Appends a name as harnesses spell it: every character outside `[A-Za-z0-9_-]` is written `_`. */
export function spelled(start: usize, length: i32, out: Buffer): void {
  const end = start + <usize>length;
  for (let at = start; at < end; at = afterCodePoint(at)) {
    const character: i32 = load<u8>(at);
    out.byte(isNamePart(character) ? character : 0x5f);
  }
}

function isNamePart(c: i32): bool {
  return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c == 0x5f || c == 0x2d;
}

/** Reads words from a folded name, one after the other. */
@final
export class Cursor {
  constructor(
    public at: usize,
    public end: usize,
  ) {}

  /** Takes a word where it stands here. */
  takes(word: string): bool {
    if (this.end - this.at < <usize>word.length || !equalAscii(this.at, word.length, word)) return false;
    this.at += <usize>word.length;
    return true;
  }

  get isAtEnd(): bool {
    return this.at == this.end;
  }
}
