// A-labels: whether the Punycode (RFC 3492) after `xn--` spells a label that IDNA 2008 (RFC 5891, RFC 5892) allows.

import { spend } from "../memory/steps";
import { addProperty } from "../unicode/properties";
import { RangeList, packSet, setHas } from "../unicode/ranges";

/** The most code points a label can have. */
const LABEL_CODE_POINTS: i32 = 64;
/** Steps that making a set of code points takes; each is made once a walk, when it is first asked for. */
const SET_STEPS: i64 = 2000;

/** The code points of the label that is looked at. */
const decoded = memory.data(LABEL_CODE_POINTS * 4);
let decodedCount: i32 = 0;

const SET_VALID: i32 = 0;
const SET_GREEK: i32 = 1;
const SET_HEBREW: i32 = 2;
const SET_KANA_HAN: i32 = 3;
const SET_CURSIVE: i32 = 4;
const SET_MARK: i32 = 5;
const SETS: i32 = 6;

/** The sets made in this walk, or 0; they lie in the region of the walk. */
const sets = memory.data(SETS * 4);

/** The sets are those of this walk. */
let fresh: bool = false;

/** Begins a walk: no set is made yet. */
export function beginLabels(): void {
  fresh = false;
}

/** A property's name and value as bytes, for `addProperty`. */
const text = memory.data(64);

function addNamed(name: string, value: string, into: RangeList): void {
  for (let i = 0; i < name.length; i++) store<u8>(text + <usize>i, <u8>name.charCodeAt(i));
  const at = text + <usize>name.length;
  for (let i = 0; i < value.length; i++) store<u8>(at + <usize>i, <u8>value.charCodeAt(i));
  addProperty(text, name.length, at, value.length == 0 ? -1 : value.length, into);
}

function addScript(name: string, into: RangeList): void {
  addNamed("Script", name, into);
}

/** RFC 5892 section 2: letters, marks and digits, without those that other rules take out. */
function validRanges(): RangeList {
  const letters = new RangeList(1024);
  addNamed("Ll", "", letters);
  addNamed("Lo", "", letters);
  addNamed("Lm", "", letters);
  addNamed("Mn", "", letters);
  addNamed("Mc", "", letters);
  addNamed("Nd", "", letters);
  letters.normalise();
  const out = letters.inverted();
  // Unstable (2.2), ignorable properties (2.3) and blocks (2.4), old Hangul Jamo (2.9), exceptions that are disallowed (2.6).
  addNamed("Changes_When_NFKC_Casefolded", "", out);
  addNamed("Default_Ignorable_Code_Point", "", out);
  addNamed("Noncharacter_Code_Point", "", out);
  out.add(0x20d0, 0x20ff);
  out.add(0x1d100, 0x1d1ff);
  out.add(0x1d200, 0x1d24f);
  out.add(0x1100, 0x11ff);
  out.add(0xa960, 0xa97f);
  out.add(0xd7b0, 0xd7ff);
  out.add(0x640, 0x640);
  out.add(0x7fa, 0x7fa);
  out.add(0x302e, 0x302f);
  out.add(0x3031, 0x3035);
  out.add(0x303b, 0x303b);
  out.normalise();
  const valid = out.inverted();
  // The hyphen (2.5) and the exceptions that are valid (2.6).
  valid.add(0x2d, 0x2d);
  valid.add(0xdf, 0xdf);
  valid.add(0x3c2, 0x3c2);
  valid.add(0x6fd, 0x6fe);
  valid.add(0xf0b, 0xf0b);
  valid.add(0x3007, 0x3007);
  return valid;
}

function rangesOf(which: i32): RangeList {
  if (which == SET_VALID) return validRanges();
  const list = new RangeList(64);
  switch (which) {
    case SET_GREEK: addScript("Greek", list); break;
    case SET_HEBREW: addScript("Hebrew", list); break;
    case SET_KANA_HAN:
      addScript("Hiragana", list);
      addScript("Katakana", list);
      addScript("Han", list);
      break;
    case SET_CURSIVE:
      addScript("Arabic", list);
      addScript("Syriac", list);
      addScript("Mongolian", list);
      addScript("Nko", list);
      addScript("Phags_Pa", list);
      break;
    default: addNamed("M", "", list);
  }
  return list;
}

function isIn(which: i32, codePoint: i32): bool {
  if (!fresh) {
    fresh = true;
    memory.fill(sets, 0, SETS * 4);
  }
  const slot = sets + (<usize>which << 2);
  if (load<u32>(slot) == 0) {
    if (!spend(SET_STEPS)) return false;
    const list = rangesOf(which);
    list.normalise();
    store<u32>(slot, <u32>packSet(list));
  }
  return codePoint >= 0 && setHas(load<u32>(slot), <u32>codePoint);
}

/** Code points of canonical combining class 9, in the basic plane. */
const VIRAMAS: StaticArray<u16> = [
  0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d3b, 0x0d3c, 0x0d4d, 0x0dca, 0x0e3a, 0x0eba, 0x0f84, 0x1039,
  0x103a, 0x1714, 0x1715, 0x1734, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bab, 0x1bf2, 0x1bf3, 0x2d7f, 0xa806, 0xa82c, 0xa8c4, 0xa953,
  0xa9c0, 0xaaf6, 0xabed,
];

function isVirama(codePoint: i32): bool {
  for (let i = 0; i < VIRAMAS.length; i++) if (<i32>unchecked(VIRAMAS[i]) == codePoint) return true;
  return false;
}

/** The code point at a place of the label, or -1. */
function at(index: i32): i32 {
  return index < 0 || index >= decodedCount ? -1 : load<i32>(decoded + (<usize>index << 2));
}

/** RFC 3492 section 6.1, for these parameters. */
function adapt(delta: i32, count: i32, isFirst: bool): i32 {
  let rest = isFirst ? delta / 700 : delta / 2;
  rest += rest / count;
  let k = 0;
  for (; rest > 455; k += 36) rest /= 35;
  return k + (36 * rest) / (rest + 38);
}

/** Decodes Punycode (RFC 3492 section 6.2) into `decoded`, letters in lower case; false where it is none. */
function decode(start: usize, length: i32): bool {
  let basic = length - 1;
  while (basic >= 0 && load<u8>(start + <usize>basic) != 0x2d) basic--;
  decodedCount = 0;
  for (let i = 0; i < basic; i++) {
    const c: i32 = load<u8>(start + <usize>i);
    store<i32>(decoded + (<usize>i << 2), c >= 0x41 && c <= 0x5a ? c | 0x20 : c);
  }
  decodedCount = max(basic, 0);
  let from = basic > 0 ? basic + 1 : 0;
  let n = 128;
  let i: i64 = 0;
  let bias = 72;
  while (from < length) {
    const before = i;
    let weight: i64 = 1;
    for (let k = 36; ; k += 36) {
      if (from >= length) return false;
      const c: i32 = load<u8>(start + <usize>from);
      from++;
      const letter = (c | 0x20) - 0x61;
      const digit = letter >= 0 && letter < 26 ? letter : c >= 0x30 && c <= 0x39 ? c - 0x30 + 26 : -1;
      if (digit < 0) return false;
      i += <i64>digit * weight;
      if (i > 0x7fffffff) return false;
      const threshold = min(26, max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 0x7fffffff) return false;
    }
    const count = decodedCount + 1;
    if (count > LABEL_CODE_POINTS) return false;
    bias = adapt(<i32>(i - before), count, before == 0);
    n += <i32>(i / count);
    i %= count;
    if (n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) return false;
    const place = decoded + (<usize>i << 2);
    memory.copy(place + 4, place, <usize>(decodedCount - <i32>i) << 2);
    store<i32>(place, n);
    decodedCount = count;
    i++;
  }
  for (let k = 0; k < decodedCount; k++) if (at(k) >= 0x80) return true;
  return false;
}

function hasBetween(low: i32, high: i32): bool {
  for (let i = 0; i < decodedCount; i++) if (at(i) >= low && at(i) <= high) return true;
  return false;
}

/** The contextual rules (RFC 5892 appendix A): 1 it may stand there, 0 it may not, -1 none is about it. */
function inContext(index: i32): i32 {
  const before = at(index - 1);
  const after = at(index + 1);
  switch (at(index)) {
    // Without a table of joining types, a joining letter is one of a cursive script.
    case 0x200c: return <i32>(isVirama(before) || (isIn(SET_CURSIVE, before) && isIn(SET_CURSIVE, after)));
    case 0x200d: return <i32>isVirama(before);
    case 0xb7: return <i32>(before == 0x6c && after == 0x6c);
    case 0x375: return <i32>isIn(SET_GREEK, after);
    case 0x5f3:
    case 0x5f4: return <i32>isIn(SET_HEBREW, before);
    case 0x30fb: {
      for (let i = 0; i < decodedCount; i++) if (at(i) != 0x30fb && isIn(SET_KANA_HAN, at(i))) return 1;
      return 0;
    }
    default: break;
  }
  if (at(index) >= 0x660 && at(index) <= 0x669) return <i32>!hasBetween(0x6f0, 0x6f9);
  if (at(index) >= 0x6f0 && at(index) <= 0x6f9) return <i32>!hasBetween(0x660, 0x669);
  return -1;
}

/** Whether what follows `xn--` is a valid A-label. Spends steps. */
export function isALabel(start: usize, length: i32): bool {
  if (length > LABEL_CODE_POINTS - 1 || !spend(length) || !decode(start, length)) return false;
  if (isIn(SET_MARK, at(0)) || at(0) == 0x2d || at(decodedCount - 1) == 0x2d || (at(2) == 0x2d && at(3) == 0x2d)) return false;
  for (let i = 0; i < decodedCount; i++) {
    const allowed = inContext(i);
    if (allowed == 0 || (allowed < 0 && !isIn(SET_VALID, at(i)))) return false;
  }
  return true;
}
