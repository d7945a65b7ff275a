// What counts as a destination (chapter 5): URLs, e-mail addresses, IP addresses, hosts and network shares, found anywhere in a text.
//
// The text is cut into words at white space, quotes and angle brackets, and each kind is looked for in every word by itself. Then, of
// overlapping findings, the longest stands. Every unit is looked at a fixed number of times; only sorting the findings costs more.

import { Text } from "../memory/buffer";
import { spend } from "../memory/steps";
import { addressPortEnd, ip6Begin, ip6End, isIp6, isIp6Unit, isQuad, isSpelled } from "./addresses";
import { foundHost, hostEnd, portEnd, runEnd } from "./hosts";
import { localBegin, mailDomainEnd, quotedBegin } from "./mail";
import { holdsEscape } from "./escapes";
import { DestinationKind, DestinationSink, settle } from "./findings";
import { END, LABEL, LETTER, SIGN, SYMBOL, beginOf, classAt, endOf, lower, mayHide, readPlain, readText, skippedAny, unitAt, unitCount } from "./reading";
import { beginUrls, findShare, isProtocolRelative, isTrailing, nextUrl, shareEnd } from "./urls";

export { DestinationKind, DestinationSink, kindName } from "./findings";

/** The text being searched, and whether its argument is named like a host. */
let text: usize = 0;
let named: bool = false;
/** Where its first and last words begin and end, in units. */
let first: i32 = 0;
let last: i32 = 0;
/** Everything found so far, overlapping. */
let candidates: DestinationSink = changetype<DestinationSink>(0);

/**
 * Adds the destinations of `length` bytes of UTF-8 at `start` to `findings`, by where they start. `argumentName` is the name of the
 * top-level argument, if there is one: a whole argument named `host`, `domain`, `server`, `url` or `to` may be a host that looks
 * like a file. Works in the current region; spends a step a byte, and one more for each reading of a text that is not plain.
 */
export function findDestinations(start: usize, length: i32, argumentName: Text | null, findings: DestinationSink): void {
  find(start, length, argumentName !== null && isHostArgument(argumentName), true, findings);
}

/** With `wide` also what only programs of some kinds read as an address: chapter 5 prefers a false alarm to a miss. */
function find(start: usize, length: i32, isNamed: bool, wide: bool, findings: DestinationSink): void {
  spend(length);
  const look = glance(start, length);
  if (look == NOTHING) return;
  text = start;
  named = isNamed;
  candidates = new DestinationSink();
  let hides = false;
  if (look == PLAIN) {
    readPlain(start, length);
    scan();
    hides = wide && holdsEscape(start, length);
  } else {
    hides = scanRead(start, length, false) && wide;
  }
  if (hides) scanRead(start, length, true);
  if (candidates.count == 1) findings.addFrom(candidates, 0);
  else if (candidates.count > 1) settle(candidates, length, findings);
}

/** Reads the text and adds what it holds. Returns whether a wide reading may differ. */
function scanRead(start: usize, length: i32, wide: bool): bool {
  spend(length);
  readText(start, length, false, wide);
  const skipped = skippedAny();
  const hides = mayHide();
  scan();
  // What is skipped also ends what stands before it: a reader that keeps lines sees other destinations than one that joins them.
  if (skipped) {
    spend(length);
    readText(start, length, true, wide);
    scan();
  }
  return hides;
}

/** Whether a text holds a destination; the arguments are those of `findDestinations`. */
export function holdsDestination(start: usize, length: i32, argumentName: Text | null): bool {
  if (glance(start, length) == NOTHING) {
    spend(length);
    return false;
  }
  const findings = new DestinationSink();
  findDestinations(start, length, argumentName, findings);
  return findings.count != 0;
}

/** Whether the whole of a text is one e-mail address or host (what a `subject_argument` may hold, chapter 4 step 4). */
export function isWholeAddress(start: usize, length: i32): bool {
  const findings = new DestinationSink();
  find(start, length, true, false, findings);
  if (findings.count != 1) return false;
  const kind = findings.kind(0);
  return (kind == DestinationKind.Email || kind == DestinationKind.Host) && findings.begin(0) == 0 && findings.wholeEnd(0) == length;
}

function isHostArgument(name: Text): bool {
  return isName(name, "host") || isName(name, "domain") || isName(name, "server") || isName(name, "url") || isName(name, "to");
}

/** Whether a name is the lower-case ASCII `literal`, letters without case. */
function isName(name: Text, literal: string): bool {
  if (name.length != literal.length) return false;
  for (let i = 0; i < name.length; i++) if (lower(load<u8>(name.start + <usize>i)) != <u32>load<u16>(changetype<usize>(literal) + (<usize>i << 1))) return false;
  return true;
}

const NOTHING: i32 = 0;
const PLAIN: i32 = 1;
const READ: i32 = 2;

/** Which bytes are not printable ASCII, or `%`. */
// @ts-ignore: decorator
@inline
function oddIn(bytes: v128): v128 {
  return v128.or(i8x16.gt_u(i8x16.sub(bytes, i8x16.splat(0x20)), i8x16.splat(0x5e)), i8x16.eq(bytes, i8x16.splat(0x25)));
}

/** Which bytes are one of `. : \ &`. */
// @ts-ignore: decorator
@inline
function signsIn(bytes: v128): v128 {
  const dots = v128.or(i8x16.eq(bytes, i8x16.splat(0x2e)), i8x16.eq(bytes, i8x16.splat(0x3a)));
  return v128.or(dots, v128.or(i8x16.eq(bytes, i8x16.splat(0x5c)), i8x16.eq(bytes, i8x16.splat(0x26))));
}

/**
 * What a look at the bytes tells: there is nothing to find, the text is plain, or it has to be read. Every destination has one of `. : \`
 * or `//`, or is localhost; anything not printable ASCII, `%` and `&` may hide one.
 */
function glance(start: usize, length: i32): i32 {
  if (length < 3) return NOTHING;
  const end = start + <usize>length;
  let signs = false;
  let at = start;
  if (length >= 8) {
    // Sixteen bytes at a time, the last of them overlapping those before; of a short text two times eight.
    for (; at + 16 < end; at += 16) {
      const bytes = v128.load(at);
      if (v128.any_true(oddIn(bytes))) return READ;
      if (!signs && v128.any_true(signsIn(bytes))) signs = true;
    }
    const bytes = length >= 16 ? v128.load(end - 16) : v128.load64_lane(end - 8, v128.load64_zero(start), 1);
    if (v128.any_true(oddIn(bytes))) return READ;
    if (v128.any_true(signsIn(bytes))) signs = true;
  } else {
    for (; at < end; at++) {
      const byte: u32 = load<u8>(at);
      if (byte - 0x20 > 0x5e || byte == 0x25) return READ;
      if (byte == 0x2e || byte == 0x3a || byte == 0x5c || byte == 0x26) signs = true;
    }
  }
  if (signs) return PLAIN;
  return mayHoldMore(start, length) ? PLAIN : NOTHING;
}

/** Whether an `l` stands before an `h` anywhere, as in localhost, or a slash before a slash. */
function mayHoldMore(start: usize, length: i32): bool {
  const end = start + <usize>length - 1;
  let at = start;
  for (; at + 16 <= end; at += 16) {
    const bytes = v128.load(at);
    const after = v128.load(at, 1);
    const l = i8x16.eq(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x6c));
    const h = i8x16.eq(v128.or(after, i8x16.splat(0x20)), i8x16.splat(0x68));
    const slashes = v128.and(i8x16.eq(bytes, i8x16.splat(0x2f)), i8x16.eq(after, i8x16.splat(0x2f)));
    if (v128.any_true(v128.or(v128.and(l, h), slashes))) return true;
  }
  for (; at < end; at++) {
    const two: u32 = load<u16>(at);
    if (two == 0x2f2f || (two | 0x2020) == 0x686c) return true;
  }
  return false;
}

/** Adds what the units of the current reading hold. */
function scan(): void {
  first = 0;
  last = unitCount();
  while (first < last && isSpace(first)) first++;
  while (last > first && isSpace(last - 1)) last--;
  let at = first;
  while (at < last) {
    if ((classAt(at) & END) != 0) {
      at++;
      continue;
    }
    const from = at;
    let classes: u32 = 0;
    for (; at < last; at++) {
      const unitClasses = classAt(at);
      if ((unitClasses & END) != 0) break;
      classes |= unitClasses;
    }
    if ((classes & SIGN) != 0) scanWord(from, at);
    else if (at - from >= 9) scanHosts(from, at);
  }
}

/** Whether a unit is white space or a control character. */
function isSpace(at: i32): bool {
  const unit = unitAt(at);
  return unit <= 0x20 || unit == 0x7f;
}

/** Adds units `from` … `to` as a candidate. */
function add(kind: DestinationKind, from: i32, to: i32): void {
  const begin = beginOf(from);
  const whole = endOf(to - 1);
  let end = whole;
  while (end > begin && isTrailing(load<u8>(text + <usize>end - 1))) end--;
  if (end > begin) candidates.add(kind, begin, end, whole);
}

/** Everything in the word `from` … `to`: also inside a URL, for something longer may overlap its scheme. */
function scanWord(from: i32, to: i32): void {
  if (from == first && isProtocolRelative(from, to)) {
    add(DestinationKind.Url, from, to);
    return;
  }
  beginUrls(from, to, first, last);
  for (let url = nextUrl(); url >= 0; url = nextUrl()) add(DestinationKind.Url, url, to);
  for (let at = from; at < to; at = shareEnd()) {
    const share = findShare(at, to);
    if (share < 0) break;
    add(DestinationKind.Unc, share, shareEnd());
  }
  scanMail(from, to);
  scanIp6(from, to);
  scanHosts(from, to);
}

function scanMail(from: i32, to: i32): void {
  let floor = from;
  for (let at = from; at < to; at++) {
    if (unitAt(at) != 0x40) continue;
    const quoted = at == from && from > 0 && unitAt(from - 1) == 0x22;
    const begin = quoted ? quotedBegin(from - 1) : localBegin(at, floor);
    floor = at + 1;
    if (begin < 0 || begin == at) continue;
    const end = mailDomainEnd(at + 1, to);
    if (end >= 0) add(DestinationKind.Email, begin, end);
  }
}

function scanIp6(from: i32, to: i32): void {
  let at = from;
  while (at < to) {
    if (!isIp6Unit(at)) {
      at++;
      continue;
    }
    const begin = at;
    let colons = 0;
    for (; at < to && isIp6Unit(at); at++) if (unitAt(at) == 0x3a) colons++;
    if (colons >= 2 && isIp6(begin, at, from, to)) add(DestinationKind.Ip, ip6Begin(), ip6End());
  }
}

/** Adds the hosts and IPv4 addresses of `from` … `to`. */
function scanHosts(from: i32, to: i32): void {
  let at = from;
  while (at < to) {
    const begin = nameBegin(at, from);
    if (begin < 0) {
      at++;
      continue;
    }
    const run = runEnd(begin == at ? at : at + 1, to);
    const slashed = isSlashed(at, from);
    const end = hostEnd(begin, run, text, named, slashed, first, last);
    if (foundHost()) {
      const after = unitAt(end) == 0x2e ? end + 1 : end;
      add(DestinationKind.Host, begin, portEnd(after));
      at = end;
    } else {
      scanNumbers(at, run, slashed);
      at = run;
    }
  }
}

/** Where the name begins that is looked for at `at`: here with a letter or digit, or before, where a label of symbols ends in a dot here; or -1. */
function nameBegin(at: i32, from: i32): i32 {
  if ((classAt(at) & LABEL) != 0) return unitAt(at) == 0x2d ? -1 : at;
  if (unitAt(at) != 0x2e || at == from || unitAt(at - 1) != SYMBOL || (classAt(at + 1) & LABEL) == 0 || unitAt(at + 1) == 0x2d) return -1;
  let begin = at - 1;
  while (begin > from && at - begin < LONGEST_LABEL && (unitAt(begin - 1) == SYMBOL || (classAt(begin - 1) & LABEL) != 0)) begin--;
  return begin;
}

/** The longest label of a name, in characters. */
const LONGEST_LABEL: i32 = 63;

/** Whether `//` that begins a reference stands before `at`: at the word's beginning, or after a sign that something begins after. */
function isSlashed(at: i32, from: i32): bool {
  if (at < from + 2 || unitAt(at - 1) != 0x2f || unitAt(at - 2) != 0x2f) return false;
  if (at == from + 2) return true;
  const before = unitAt(at - 3);
  return before == 0x28 || before == 0x3d || before == 0x27 || before == 0x2c || before == 0x5b;
}

/** Adds the IPv4 addresses of a run that is no host: its pieces between hyphens and other scripts. After `//` any spelling is one. */
function scanNumbers(from: i32, to: i32, slashed: bool): void {
  for (let at = from; at < to; at++) {
    while (at < to && unitAt(at) == 0x2e) at++;
    const begin = at;
    while (at < to && unitAt(at) != 0x2d && unitAt(at) != LETTER) at++;
    const port = addressPortEnd(at);
    if (isQuad(begin, at) || ((port != at || (slashed && begin == from)) && isSpelled(begin, at))) add(DestinationKind.Ip, begin, port);
  }
}
