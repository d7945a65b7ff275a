// The escapes of JSON, JavaScript and HTML that a text may hold an address in: `\/`, `\x2e`, `\u002e`, `\u{2e}`, `&#46;`, `&#x2e;`, `&period;`.

import { startsWithAscii } from "../memory/bytes";

/** Where the escape that `readEscape` read ends. */
let end: usize = 0;

export function escapeEnd(): usize {
  return end;
}

/** The names of HTML that stand for a character of an address, and those characters (`\t`, `\n` are left out of a URL). */
const NAMES = ["&colon;", "&period;", "&sol;", "&bsol;", "&commat;", "&percnt;", "&Tab;", "&NewLine;"];
const NAMED = ":./\\@%\t\n";

/** The character that the escape at `at`, before `limit`, stands for; -1 where there is none. */
export function readEscape(at: usize, limit: usize): i32 {
  const byte: u32 = load<u8>(at);
  if (at + 1 >= limit) return -1;
  if (byte == 0x5c) return readBackslash(at + 1, limit);
  if (byte != 0x26) return -1;
  if (load<u8>(at, 1) == 0x23) return readReference(at + 2, limit);
  for (let i = 0; i < NAMES.length; i++) {
    if (!startsWithAscii(at, <i32>(limit - at), NAMES[i])) continue;
    end = at + <usize>NAMES[i].length;
    return NAMED.charCodeAt(i);
  }
  return -1;
}

/** What stands behind a back-slash. */
function readBackslash(at: usize, limit: usize): i32 {
  const byte: u32 = load<u8>(at);
  end = at + 1;
  switch (byte) {
    // Not `\n` and `\t`: skipped as what they stand for, every line of a text in JSON would be joined to the next.
    case 0x2f: case 0x5c: return byte;
    case 0x78: return readHex(at + 1, min(limit, at + 3), 2);
    case 0x75: {
      if (end >= limit || load<u8>(end) != 0x7b) return readHex(at + 1, min(limit, at + 5), 4);
      const character = readHex(at + 2, min(limit, at + 8), 1);
      return character >= 0 && end < limit && load<u8>(end++) == 0x7d ? character : -1;
    }
    default: return -1;
  }
}

/** What stands behind `&#`; the semicolon after it may be missing. */
function readReference(at: usize, limit: usize): i32 {
  if (at >= limit) return -1;
  let character = 0;
  if ((load<u8>(at) | 0x20) == 0x78) {
    character = readHex(at + 1, min(limit, at + 8), 1);
  } else {
    const begin = at;
    for (; at < limit && <u32>load<u8>(at) - 0x30 < 10 && at < begin + 7; at++) character = character * 10 + (load<u8>(at) - 0x30);
    end = at;
    if (at == begin) return -1;
  }
  if (character >= 0 && end < limit && load<u8>(end) == 0x3b) end++;
  return character;
}

/** The value of the hexadecimal digits from `at` on, at least `least` of them and none beyond `limit`. */
function readHex(at: usize, limit: usize, least: usize): i32 {
  const begin = at;
  let value = 0;
  for (; at < limit; at++) {
    const byte: u32 = load<u8>(at);
    if (byte - 0x30 < 10) value = (value << 4) | <i32>(byte - 0x30);
    else if ((byte | 0x20) - 0x61 < 6) value = (value << 4) | <i32>((byte | 0x20) - 0x57);
    else break;
  }
  end = at;
  return at - begin >= least ? value : -1;
}

/** Whether a text holds an escape. */
export function holdsEscape(start: usize, length: i32): bool {
  const limit = start + <usize>length;
  let at = start;
  for (; at + 16 <= limit; at += 16) {
    const bytes = v128.load(at);
    if (v128.any_true(v128.or(i8x16.eq(bytes, i8x16.splat(0x5c)), i8x16.eq(bytes, i8x16.splat(0x26)))) && escapeIn(at, at + 16, limit)) return true;
  }
  return escapeIn(at, limit, limit);
}

/** Whether an escape begins in `from` … `to`. */
function escapeIn(from: usize, to: usize, limit: usize): bool {
  for (let at = from; at < to; at++) if ((load<u8>(at) == 0x5c || load<u8>(at) == 0x26) && readEscape(at, limit) >= 0) return true;
  return false;
}
