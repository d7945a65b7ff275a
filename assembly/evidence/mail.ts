// E-mail addresses: a local part, `@`, and a dotted domain, an address literal or localhost.

import { isGroups, isQuad } from "./addresses";
import { runEnd } from "./hosts";
import { ALPHA, DIGIT, LOCAL, classAt, unitAt, unitsAre } from "./reading";

/** How far back the quote that opens a quoted local part is looked for, in units. */
const LONGEST_QUOTED: i32 = 256;

/** Where the domain that begins at `from`, before `limit`, ends; -1 where there is none. */
export function mailDomainEnd(from: i32, limit: i32): i32 {
  if (unitAt(from) == 0x5b) return literalEnd(from, limit);
  let end = runEnd(from, limit);
  while (end > from && unitAt(end - 1) == 0x2d) end--;
  let label = end;
  while (label > from && unitAt(label - 1) != 0x2e) label--;
  if (label == from) return unitsAre(from, end, "localhost") ? end : -1;
  // The last label begins with a letter, as every top-level domain does: a version such as 1.2.3 is no domain.
  if ((classAt(label) & ALPHA) != 0) return end;
  return isQuad(from, end) ? end : -1;
}

/** Where an address literal ends: `[192.0.2.1]`, `[IPv6:2001:db8::1]`, `[2001:db8::1]`. */
function literalEnd(from: i32, limit: i32): i32 {
  let end = from + 1;
  const most = min(limit, from + 56);
  while (end < most && unitAt(end) != 0x5d) end++;
  if (end >= most) return -1;
  const address = unitsAre(from + 1, from + 6, "ipv6:") ? from + 6 : from + 1;
  return isQuad(address, end) || isGroups(address, end) ? end + 1 : -1;
}

/** Where the local part that ends at `at` begins, not before `floor`; `at` where there is none. */
export function localBegin(at: i32, floor: i32): i32 {
  let from = at;
  while (from > floor && (classAt(from - 1) & LOCAL) != 0) from--;
  // It begins at a letter, digit or underscore, if it has one: what stands before is the text's punctuation.
  let first = from;
  while (first < at && (classAt(first) & (ALPHA | DIGIT)) == 0 && unitAt(first) != 0x5f) first++;
  return first < at ? first : from;
}

/** Where the quoted local part whose closing quote is at `close` begins; `close` where no opening quote is found near. */
export function quotedBegin(close: i32): i32 {
  const floor = max(0, close - LONGEST_QUOTED);
  for (let at = close - 1; at >= floor; at--) {
    if (unitAt(at) == 0x22 && (at == 0 || unitAt(at - 1) != 0x5c)) return at;
  }
  return close;
}
