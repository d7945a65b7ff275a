// The pass before reading: is the text well-formed UTF-8, and how many nodes may it need.

/** How many of `[`, `{`, `,` and `:` the text checked last has, those inside strings included. */
export let structureMarks: i32 = 0;

/**
 * Checks that a text is well-formed UTF-8 (Unicode 17 table 3-7) and counts its structure marks.
 * @returns the offset of the first byte of the first ill-formed sequence (a leading byte-order mark counts as one: 0), or -1
 */
export function checkUtf8(start: usize, length: i32): i32 {
  structureMarks = 0;
  const end = start + <usize>length;
  if (length >= 3 && load<u8>(start) == 0xef && load<u8>(start, 1) == 0xbb && load<u8>(start, 2) == 0xbf) return 0;
  let marks = 0;
  let at = start;
  // Where the sequence checked last ended, which may be in the next block.
  let checked = start;
  for (; at + 16 <= end; at += 16) {
    const block = v128.load(at);
    // `[` is 0x5b and `{` 0x7b: one bit apart.
    const brackets = i8x16.eq(v128.or(block, i8x16.splat(0x20)), i8x16.splat(0x7b));
    const separators = v128.or(i8x16.eq(block, i8x16.splat(0x2c)), i8x16.eq(block, i8x16.splat(0x3a)));
    marks += popcnt(i8x16.bitmask(v128.or(brackets, separators)));
    const high = i8x16.bitmask(block);
    if (high == 0) continue;
    if (checked < at) checked = at;
    while (checked < at + 16) {
      const rest = high >> <i32>(checked - at);
      if (rest == 0) break;
      checked += <usize>ctz(rest);
      const after = afterSequence(checked, end);
      if (after == 0) return <i32>(checked - start);
      checked = after;
    }
  }
  for (let i = at; i < end; i++) {
    const c = load<u8>(i);
    if ((c | 0x20) == 0x7b || c == 0x2c || c == 0x3a) marks++;
  }
  if (checked < at) checked = at;
  while (checked < end) {
    const after = load<u8>(checked) < 0x80 ? checked + 1 : afterSequence(checked, end);
    if (after == 0) return <i32>(checked - start);
    checked = after;
  }
  structureMarks = marks;
  return -1;
}

/** Where the sequence of two to four bytes at `at` ends, or 0 where it is ill-formed. */
function afterSequence(at: usize, end: usize): usize {
  const lead = load<u8>(at);
  const more: usize = lead >= 0xc2 && lead <= 0xdf ? 1 : (lead & 0xf0) == 0xe0 ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
  if (more == 0 || at + more >= end) return 0;
  const second = load<u8>(at, 1);
  const least: u8 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const most: u8 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let i: usize = 2; i <= more; i++) if ((load<u8>(at + i) & 0xc0) != 0x80) return 0;
  return at + more + 1;
}
