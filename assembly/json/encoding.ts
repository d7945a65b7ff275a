// The pass before reading: is the text well-formed UTF-8, and how many nodes may it need.

/** The offset of the first byte of the first ill-formed sequence (a leading byte-order mark counts as one: 0), or -1. Unicode 17 table 3-7. */
export function checkUtf8(start: usize, length: i32): i32 {
  const end = start + <usize>length;
  if (length >= 3 && load<u8>(start) == 0xef && load<u8>(start, 1) == 0xbb && load<u8>(start, 2) == 0xbf) return 0;
  let at = start;
  while (at < end) {
    while (at + 16 <= end && !v128.any_true(v128.and(v128.load(at), i8x16.splat(<i8>0x80)))) at += 16;
    if (at >= end) break;
    const lead = load<u8>(at);
    if (lead < 0x80) {
      at++;
      continue;
    }
    const more: usize = lead >= 0xc2 && lead <= 0xdf ? 1 : (lead & 0xf0) == 0xe0 ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
    if (more == 0 || at + more >= end) return <i32>(at - start);
    const second = load<u8>(at, 1);
    const least: u8 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const most: u8 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return <i32>(at - start);
    for (let i: usize = 2; i <= more; i++) if ((load<u8>(at + i) & 0xc0) != 0x80) return <i32>(at - start);
    at += more + 1;
  }
  return -1;
}

/** How many of `[`, `{`, `,` and `:` there are, those inside strings included. */
export function countStructure(start: usize, length: i32): i32 {
  let total = 0;
  let at = start;
  const end = start + <usize>length;
  for (; at + 16 <= end; at += 16) {
    const block = v128.load(at);
    // `[` is 0x5b and `{` 0x7b: one bit apart.
    const brackets = i8x16.eq(v128.or(block, i8x16.splat(0x20)), i8x16.splat(0x7b));
    const marks = v128.or(i8x16.eq(block, i8x16.splat(0x2c)), i8x16.eq(block, i8x16.splat(0x3a)));
    total += popcnt(i8x16.bitmask(v128.or(brackets, marks)));
  }
  for (; at < end; at++) {
    const c = load<u8>(at);
    if ((c | 0x20) == 0x7b || c == 0x2c || c == 0x3a) total++;
  }
  return total;
}
