// E-mail addresses: a local part, `@`, and a dotted domain, an address literal or localhost.

import { isQuad } from "./addresses";
import { runEnd } from "./hosts";
import { ALPHA, DIGIT, LABEL, LOCAL, classAt, unitAt, unitsAre } from "./reading";

/** How far back the quote that opens a quoted local part is looked for, in units. */
const LONGEST_QUOTED: i32 = 256;

/** Where the domain that begins at `from`, before `limit`, ends; -1 where there is none. */
export function mailDomainEnd(from: i32, limit: i32): i32 {
  if (unitAt(from) == 0x5b) return literalEnd(from, limit);
  if ((classAt(from) & LABEL) == 0) return -1;
  const run = runEnd(from, limit);
  if (unitsAre(from, run, "localhost") || isQuad(from, run)) return run;
  // The last label has a letter, as every top-level domain does: a version such as 1.2.3 is no domain.
  let end = run;
  while (true) {
    let label = end;
    let lettered = false;
    for (; label > from && unitAt(label - 1) != 0x2e; label--) if ((classAt(label - 1) & ALPHA) != 0) lettered = true;
    if (label == from) return -1;
    if (lettered) return end;
    end = label - 1;
  }
}

/** Where an address literal ends: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
function literalEnd(from: i32, limit: i32): i32 {
  let end = from + 1;
  while (end < limit && isLiteralUnit(end)) end++;
  return end > from + 1 && end < limit && unitAt(end) == 0x5d ? end + 1 : -1;
}

function isLiteralUnit(at: i32): bool {
  const unit = unitAt(at);
  return unit < 0x80 && ((classAt(at) & (ALPHA | DIGIT)) != 0 || unit == 0x3a || unit == 0x2e || unit == 0x2d);
}

/** Where the local part that ends at `at` begins, not before `floor`; `at` where there is none. */
export function localBegin(at: i32, floor: i32): i32 {
  let from = at;
  while (from > floor && (classAt(from - 1) & LOCAL) != 0) from--;
  while (from < at && unitAt(from) == 0x2e) from++;
  return from;
}

/** Where the quoted local part whose closing quote is at `close` begins; -1 where no opening quote is near or nothing stands between. */
export function quotedBegin(close: i32): i32 {
  const floor = max(0, close - LONGEST_QUOTED);
  let begin = -1;
  for (let at = close - 2; at >= floor; at--) {
    if (unitAt(at) != 0x22) continue;
    begin = at;
    if (at == 0 || unitAt(at - 1) != 0x5c) break;
  }
  return begin < 0 || unitAt(close - 1) == 0x22 ? -1 : begin;
}
