// Host names: dotted labels that end in a top-level domain, and ports.

import { DOMAIN_COUNTS, DOMAIN_NAMES, DOMAIN_OFFSETS, LONGEST_DOMAIN } from "./domains.gen";
import { isExtension } from "./extensions";
import { DIGIT, LABEL, LETTER, beginOf, classAt, lower, unitAt, unitsAre } from "./reading";

/** Where the port after `at` ends, `:` and one to five digits; `at` itself where there is none. */
export function portEnd(at: i32): i32 {
  if (unitAt(at) != 0x3a) return at;
  let end = at + 1;
  while (end < at + 6 && (classAt(end) & DIGIT) != 0) end++;
  return end == at + 1 || (classAt(end) & DIGIT) != 0 ? at : end;
}

/** What `hostEnd` found: whether it found a host, and where to go on reading. */
let found: bool = false;

export function foundHost(): bool {
  return found;
}

/**
 * The end of the host at `from`, within the run `from` … `to` of labels joined by single dots; `foundHost` tells whether there is
 * one, and if not the end is `to`. `text` is where the text begins; `named` tells that its argument is named like a host, and `first`
 * and `last` where what is not white space in it begins and ends; `slashed`, that `//` stands before the name.
 *
 * A name ends at its run's end, or where letters that are not ASCII are glued to an ASCII label.
 */
export function hostEnd(from: i32, to: i32, text: usize, named: bool, slashed: bool, first: i32, last: i32): i32 {
  let label = from;
  let glued = -1;
  found = true;
  for (let at = from; at < to; at++) {
    if (unitAt(at) == 0x2e) {
      label = at + 1;
    } else if (unitAt(at) == LETTER && at > label && unitAt(at - 1) != LETTER && isDomain(label, at, from, text)) {
      if (slashed || !yields(from, label, at, false, first, last)) glued = at;
    }
  }
  let end = to;
  while (end > label && unitAt(end - 1) == 0x2d) end--;
  // Many programs make a link of whatever begins with www.
  if (label > from && unitsAre(from, from + 4, "www.") && end > from + 4 && unitAt(from + 4) != 0x2d) return end;
  if (isDomain(label, end, from, text) && (slashed || !yields(from, label, end, named, first, last))) return end;
  if (glued > 0) return glued;
  found = false;
  return to;
}

/** Whether the label `from` … `to` makes a host of the name that begins at `name`: any top-level domain after a dot, and alone localhost. */
function isDomain(from: i32, to: i32, name: i32, text: usize): bool {
  if (from == name) return unitsAre(from, to, "localhost");
  return isTopLevel(from, to, text);
}

/** Whether a name is rather a file's: its last label is an extension, and nothing around it says host. */
function yields(name: i32, label: i32, end: i32, named: bool, first: i32, last: i32): bool {
  if (!isExtension(label, end)) return false;
  if (unitsAre(name, name + 4, "www.")) return false;
  const after = unitAt(end) == 0x2e ? end + 1 : end;
  if (unitAt(after) == 0x2f || portEnd(after) != after) return false;
  return !(named && name == first && after == last);
}

/** The label being looked up, as UTF-8 in lower case. */
const NAME: usize = memory.data(48, 8);

/** Whether the label of units `from` … `to` is a top-level domain of the list, or one of chapter 5's own. */
function isTopLevel(from: i32, to: i32, text: usize): bool {
  const units = to - from;
  if (units < 2 || units > LONGEST_DOMAIN) return false;
  let length = 0;
  for (let i = from; i < to; i++) {
    const unit = unitAt(i);
    if (unit != LETTER) {
      store<u8>(NAME + <usize>length, <u8>lower(unit));
      length++;
    } else {
      length += writeLower(text + <usize>beginOf(i), NAME + <usize>length);
    }
    if (length > LONGEST_DOMAIN) return false;
  }
  let low: i32 = 0;
  let high: i32 = load<u16>(DOMAIN_COUNTS + (<usize>length << 1));
  const names = DOMAIN_NAMES + <usize>load<u16>(DOMAIN_OFFSETS + (<usize>length << 1));
  while (low < high) {
    const middle = (low + high) >> 1;
    const name = names + <usize>(middle * length);
    const order = memory.compare(name, NAME, <usize>length);
    if (order == 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Writes the character at `at` in lower case, as far as top-level domains have case: Latin-1, Greek, Cyrillic, Armenian, Georgian. Returns its bytes. */
function writeLower(at: usize, out: usize): i32 {
  const lead: u32 = load<u8>(at);
  if (lead >= 0xe0) {
    const length = lead < 0xf0 ? 3 : 4;
    memory.copy(out, at, <usize>length);
    // Georgian capitals, U+1C90 to U+1CBF, are those of U+10D0 to U+10FF.
    if (lead == 0xe1 && load<u8>(at, 1) == 0xb2 && load<u8>(at, 2) >= 0x90) store<u8>(out, 0x83, 1);
    return length;
  }
  let character = ((lead & 0x1f) << 6) | (load<u8>(at, 1) & 0x3f);
  if ((character >= 0xc0 && character <= 0xde) || (character >= 0x391 && character <= 0x3a9) || (character >= 0x410 && character <= 0x42f)) character += 0x20;
  else if (character >= 0x400 && character <= 0x40f) character += 0x50;
  else if (character >= 0x48a && character <= 0x4bf) character |= 1;
  else if (character >= 0x531 && character <= 0x556) character += 0x30;
  store<u8>(out, <u8>(0xc0 | (character >> 6)));
  store<u8>(out, <u8>(0x80 | (character & 0x3f)), 1);
  return 2;
}

/** Where the run of labels joined by single dots that begins at `from` ends, before `limit`. */
export function runEnd(from: i32, limit: i32): i32 {
  let at = from;
  while (true) {
    while (at < limit && (classAt(at) & LABEL) != 0) at++;
    if (at + 1 >= limit || unitAt(at) != 0x2e || (classAt(at + 1) & LABEL) == 0) return at;
    at++;
  }
}
